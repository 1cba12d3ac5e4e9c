// Hearing of what changes while somebody looks: the events stream, and asking again where there is none.

/** Between two times of asking, in milliseconds, whatever the stream says. */
const BETWEEN = 1_000;
const WITHOUT_STREAM = 15_000;
/** A stream may have died without telling, so now and then it is asked all the same. */
const WITH_STREAM = 60_000;
/** What the stream sends: `change` with the topics that were written, and the events by their kind. */
const kinds = ["change", "key.changed", "chain.changed", "family.appeared", "family.disappeared", "rollout.started", "rollout.ended", "sct.dropped", "target.added", "target.removed"];

/**
 * Runs `work` whenever something of the service changed, at most once a second; the milliseconds that it gives are
 * waited at least before the next time. Nothing is asked while the tab is hidden, and at once when it is shown again.
 * `now()` runs it at once; calls while it runs make it run once more. Before `begin()` or `now()` nothing is listened to.
 */
export function live(url, work) {
  let stream = null;
  let timer = null;
  let running = null;
  let again = false;
  let stopped = true;
  let [earliest, due] = [0, Infinity];

  const streaming = () => stream?.readyState === EventSource.OPEN;

  function open() {
    if (stream && stream.readyState !== EventSource.CLOSED) return;
    stream = new EventSource(url);
    for (const kind of kinds) stream.addEventListener(kind, soon);
  }

  function plan(at) {
    due = Math.min(due, at);
    clearTimeout(timer);
    timer = setTimeout(now, Math.max(0, due - Date.now()));
  }

  /** A second after the last time; at once if that is over. */
  function soon() {
    if (running) again = true;
    else plan(Math.max(Date.now(), earliest));
  }

  async function run() {
    clearTimeout(timer);
    due = Infinity;
    const began = Date.now();
    let wait = 0;
    try {
      wait = await work();
    } finally {
      running = null;
      // A service that is slow to answer is asked less often.
      earliest = Date.now() + Math.max(BETWEEN, wait, Date.now() - began);
      if (!document.hidden && !stopped) {
        open();
        plan(again ? earliest : Math.max(earliest, Date.now() + (streaming() ? WITH_STREAM : WITHOUT_STREAM)));
      }
      again = false;
    }
  }

  function now() {
    if (running) again = true;
    else running = run();
    return running;
  }

  /** Until the next `now()` nothing is asked and no stream is held, as while nobody is signed in. */
  function stop() {
    stopped = true;
    clearTimeout(timer);
    stream?.close();
  }

  document.addEventListener("visibilitychange", () => {
    if (stopped) return;
    if (!document.hidden) return now();
    clearTimeout(timer);
    stream?.close();
  });

  /** Listens from now on; what is visible was just asked for, or is about to be. */
  function begin() {
    stopped = false;
    open();
    plan(Date.now() + WITHOUT_STREAM);
  }

  return { now: () => (stopped = false, now()), begin, stop };
}
