// Parts of an app's users.

/** `31 %`, `0.4 %`: as exactly as a small part needs it. */
export const part = (share) => `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0).replace(/\.0$/, "")} %`;
/** `31 % of users`. */
export const ofUsers = (share) => `${part(share)} of users`;
