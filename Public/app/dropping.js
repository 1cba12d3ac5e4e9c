// Pages on which files can be dropped anywhere.

import { route } from "./route.js";

const takers = [];
/** How many elements that are dragged over have been entered and not left. */
let inside = 0;

/** From now on `take(files)` is given what is dropped on pages whose path fits `pattern`, while `allowed()`. */
export const dropping = (pattern, take, allowed = () => true) => takers.push({ pattern, take, allowed });

const taker = (event) => (event.dataTransfer?.types.includes("Files") ? takers.find((one) => one.pattern.test(route().path) && one.allowed()) : null);

function over(count) {
  inside = Math.max(0, count);
  document.documentElement.classList.toggle("dragging", inside > 0);
}

document.addEventListener("dragenter", (event) => taker(event) && over(inside + 1));
document.addEventListener("dragleave", (event) => taker(event) && over(inside - 1));
// Without this the browser would leave the page and show the file.
document.addEventListener("dragover", (event) => taker(event) && event.preventDefault());
document.addEventListener("drop", (event) => {
  const found = taker(event);
  over(0);
  if (!found) return;
  event.preventDefault();
  found.take([...event.dataTransfer.files]);
});
