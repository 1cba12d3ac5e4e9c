// Who is signed in, and what they may do. The cookie itself is out of this page's reach.

import { get, send } from "./api.js";

const rank = { viewer: 1, editor: 2, admin: 3 };
let current = null;

/** `GET /session`, null before it is known and after signing out. */
export const session = () => current;

/** Whether the signed-in may do what asks for `role`; what they may not is not offered. */
export const may = (role) => (rank[current?.role] ?? 0) >= rank[role];

/** Throws ApiError, 401 where nobody is signed in. */
export async function loadSession() {
  current = await get("session");
}

/** Throws ApiError, 401 where the token is refused. */
export async function signIn(token) {
  current = await send("POST", "session", { token });
}

export async function signOut() {
  await send("DELETE", "session");
  current = null;
}
