// The question for a token, above a page that is kept as it is, where the service asks for one.

import { setAside } from "./dialog.js";
import { h } from "./dom.js";
import { Form, refusal } from "./form.js";
import { signIn } from "./session.js";

const command = "pinwatch token create --name NAME --role admin --config FILE";

let form = null;
let bringBack = null;

const started = (done) => new Form("signin", async (data) => {
  const token = data.get("token").trim();
  if (!token) throw refusal([{ field: "token", message: "Paste a token first." }]);
  if (!/^[\x21-\x7e]+$/.test(token)) throw refusal([{ field: "token", message: "A token has no blanks and no accents. Copy the whole of it once more." }]);
  try {
    await signIn(token);
  } catch (error) {
    if (error.status !== 401) throw error;
    throw refusal([{ field: "token", message: "This token is not accepted. It may be mistyped, expired or revoked." }]);
  }
  const back = bringBack;
  [form, bringBack] = [null, null];
  done();
  back();
});

/** `done` is called once the service has taken the token; `redraw` draws this again. */
export function signin(done, redraw) {
  form ??= started(done);
  bringBack ??= setAside();
  return h("section", { key: "signin", class: "signin", role: "main", "aria-labelledby": "signin-title" },
    h("h1", { id: "signin-title" }, "Sign in"),
    h("p", null, "A token says who you are and what you may do. Whoever runs this Pinwatch can give you one."),
    form.view(redraw, { verb: "Sign in", busy: "Signing in…", failed: "Not signed in" },
      form.line("token", "Token", { type: "password", autocomplete: "current-password", placeholder: "pw_…" })),
    h("div", { class: "soft" },
      h("p", null, "A token is made on the machine that runs it, and printed once:"),
      h("pre", { tabindex: "0", "aria-label": "The command" }, command),
      h("p", null, "NAME says whose it is, FILE is the configuration file. Roles are viewer, editor and admin.")));
}
