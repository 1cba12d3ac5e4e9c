// Which colours are chosen. theme.js puts the choice in place before the first paint.

export const schemes = { "": "As the system", light: "Light", dark: "Dark" };

export const chosen = () => document.documentElement.dataset.scheme ?? "";

export function choose(scheme) {
  if (scheme) document.documentElement.dataset.scheme = scheme;
  else delete document.documentElement.dataset.scheme;
  try {
    if (scheme) localStorage.setItem("pinwatch.scheme", scheme);
    else localStorage.removeItem("pinwatch.scheme");
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
