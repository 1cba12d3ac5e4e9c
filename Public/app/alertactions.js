// Taking an alert, and giving it back.

import { send } from "./api.js";
import { cancel, openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { Form } from "./form.js";
import { attempt, toast } from "./toast.js";
import { text } from "./words.js";

const path = ({ id }) => `alerts/${encodeURIComponent(id)}/acknowledge`;

/** Asks for a note and takes the alert; undoing that gives it back. */
export function acknowledge(alert) {
  let opened = null;
  const form = new Form("acknowledge", async (data) => {
    const note = data.get("note").trim();
    await send("POST", path(alert), note ? { note } : {});
    opened.close();
    toast("You took it. The channels that were told of it hear that.", { undo: () => giveBack(alert) });
  }, { note: alert.acknowledged?.note ?? "" });
  opened = openDialog({
    title: "Acknowledge",
    content: (redraw, close) => form.view(redraw, { verb: "Acknowledge", busy: "Telling…", failed: "Not acknowledged", more: cancel(close) },
      h("p", { key: "subject" }, text(alert.finding.subject, 160)),
      form.area("note", "Note", { rows: "3", hint: "For your colleagues, if you like: what you found, what you wait for." })),
  });
}

/** Opens an acknowledged alert again. */
export async function giveBack(alert) {
  const done = await attempt(() => send("DELETE", path(alert)), "It stays acknowledged");
  if (!done) return;
  toast("The alert is open again.");
}
