// Doing something again and again while somebody looks.

/**
 * Runs `work` every `seconds` after it last ended, or later if it gives a greater number; not while the tab is hidden,
 * and at once when it is shown again. `now()` runs it at once; calls while it runs make it run once more.
 */
export function every(seconds, work) {
  let timer = null;
  let running = null;
  let again = false;

  async function run() {
    clearTimeout(timer);
    let wait = seconds;
    try {
      do {
        again = false;
        wait = Math.max(seconds, await work());
      } while (again);
    } finally {
      running = null;
      if (!document.hidden) timer = setTimeout(now, wait * 1000);
    }
  }

  function now() {
    if (running) again = true;
    else running = run();
    return running;
  }

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) clearTimeout(timer);
    else now();
  });
  return { now };
}
