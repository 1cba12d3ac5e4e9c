// The question for a token, in place of the page, where the service asks for one.

import { hasToken, setToken } from "./api.js";
import { h } from "./dom.js";

let refused = "";

/** Called with every 401: a token that was given before was not accepted. */
export function refuse() {
  if (!hasToken()) return;
  refused = "That token was not accepted. It may be mistyped, expired or revoked.";
  setToken(null);
}

export function signin(retry) {
  const submit = (event) => {
    event.preventDefault();
    const value = event.currentTarget.elements.token.value.trim();
    refused = "";
    if (/^[\x21-\x7e]+$/.test(value)) setToken(value);
    else refused = value ? "A token has no blanks and no accents: copy the whole of it once more." : "Paste a token first.";
    retry();
  };
  return h("section", { key: "signin", class: "signin", "aria-labelledby": "signin" },
    h("h1", { id: "signin" }, "Sign in"),
    h("p", null, "This Pinwatch asks for a token. It is kept in this tab only and forgotten when the tab closes."),
    h("form", { onsubmit: submit },
      h("label", { for: "token" }, "Token"),
      h("input", { id: "token", name: "token", type: "password", autocomplete: "current-password", spellcheck: "false", "aria-describedby": "refused", "aria-invalid": String(refused !== "") }),
      h("p", { id: "refused", class: "failed", role: "alert" }, refused),
      h("button", { class: "primary", type: "submit" }, "Sign in")),
    h("p", { class: "soft" }, "A viewer’s token is enough. Make one with ", h("code", null, "pinwatch token create --name you --role viewer"), "."));
}
