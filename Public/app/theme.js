// Runs before the first paint, so that a chosen scheme does not flash in the other one.
(() => {
  try {
    const chosen = localStorage.getItem("pinwatch.scheme");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.scheme = chosen;
  } catch {
    // Storage is forbidden here: the system's scheme stays.
  }
})();
