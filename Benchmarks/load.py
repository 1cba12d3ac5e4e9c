"""How the scanner bears many targets, good and bad ones, and what it writes while nothing changes."""
import contextlib
import json
import pathlib
import resource
import sqlite3
import statistics
import subprocess
import threading

from world import IN_FLIGHT, call, dripping, long_message, result, silence

TARGETS = 1_000
STALL_GATE, CROWD_GATE = 1.5, 1.5
WAL_LIMIT = 16 << 20  # the store's journal_size_limit
# Memory: what handshakes with long messages may use together, and all that is there beside them.
LONG_MESSAGES, BASE = 128 << 20, 128 << 20
CROWD_IN_FLIGHT = 2_048


def stalling(bench, rounds=5):
    """Half of the targets stall and are first in the queue; the time is the live half's, to the last one recorded."""
    half, alone, among = TARGETS // 2, [], []
    with silence() as port:
        for _ in range(rounds):
            alone.append(result(call(*bench.service("stall", half)))["wall_s"])
            command = bench.service("stall", half, stalling=half, stall_port=port)
            among.append(result(call(*command))["wall_s"])
    ratio = statistics.median(among) / statistics.median(alone)
    words = f"× {ratio:.2f} ({statistics.median(among):.3f} s, without {statistics.median(alone):.3f} s)"
    what = f"{half} live targets due together with {half} stalling ones, `in_flight: {IN_FLIGHT}`"
    return [(what, words, f"≤ × {STALL_GATE}", ratio <= STALL_GATE)]


def crowd(bench, rounds=7):
    """2,000 targets due in the same second, half of them bad; and the live ones alone, in turns.

    The places are as many as targets, since each stalling one holds its place until its timeout.
    """
    stalls, drips = 989, 10
    live = 2_000 - stalls - drips - 1
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 16_384), hard))
    alone, among = [], []
    with silence() as stall_port, dripping() as drip_port, long_message(bench.folder) as long_port:
        bad = {"stalling": stalls, "stall_port": stall_port, "dripping": drips, "drip_port": drip_port,
               "long_port": long_port}
        for _ in range(rounds):
            for more, runs in (({}, alone), (bad, among)):
                command = bench.service("crowd", live, **more)
                command[command.index("--in-flight") + 1] = str(CROWD_IN_FLIGHT)
                runs.append(result(call(*command, timeout=120)))
    if any(run["long_outcome"] not in ("closed", "certificate_malformed") for run in among):
        raise RuntimeError(f"the long message was not read: {among[0]['long_outcome']}")

    def median(runs, key):
        return statistics.median(run[key] for run in runs)

    def spread(runs):
        times = [run["p99_ms"] for run in runs]
        return f"{median(runs, 'p99_ms'):.1f} ms, {min(times):.1f} to {max(times):.1f}"
    ratio = median(among, "p99_ms") / median(alone, "p99_ms")
    peak, bound = max(run["peak_kib"] for run in among) / 1024, (LONG_MESSAGES + BASE) >> 20
    what = (f"2,000 targets due in the same second, {stalls} stalling, {drips} dripping, one sending 4 MiB, "
            f"`in_flight: {CROWD_IN_FLIGHT}`: 99th percentile of the live ones")
    return [
        (what, f"× {ratio:.2f} ({spread(among)}; without {spread(alone)})", f"≤ × {CROWD_GATE}", ratio <= CROWD_GATE),
        ("the same, until recorded", f"{median(among, 'recorded_p99_ms'):.1f} ms; without "
         f"{median(alone, 'recorded_p99_ms'):.1f} ms", "–", True),
        (f"the same: resident at most; {LONG_MESSAGES >> 20} MiB for long messages and {BASE >> 20} MiB",
         f"{peak:.0f} MiB; without {max(run['peak_kib'] for run in alone) / 1024:.0f} MiB", f"≤ {bound} MiB", peak <= bound),
    ]


def look(path):
    """Rows of every table, and pages in use."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        def one(sql):
            return database.execute(sql).fetchone()[0]
        names = [row[0] for row in database.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")]
        rows = {name: one(f'SELECT count(*) FROM "{name}"') for name in names}
        return rows, (one("PRAGMA page_count"), one("PRAGMA freelist_count"))


@contextlib.contextmanager
def paused(command, limit):
    """Runs a benchmark that waits for a line before what it measures and before its end; gives `step` and `go_on`."""
    running = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    killer = threading.Timer(limit, running.kill)
    killer.start()
    try:
        def step(key):
            line = running.stdout.readline()
            answer = json.loads(line) if line else {}
            if key not in answer:
                raise RuntimeError(f"the benchmark said {line!r} where {key} was awaited")
            return answer

        def go_on():
            running.stdin.write("\n")
            running.stdin.flush()
        yield step, go_on
        running.wait(60)
    finally:
        killer.cancel()
        running.kill()
        running.wait()


def compared(bench, command, limit):
    """Runs it and looks at the database before and after, while the service holds it open and nothing moves.

    Returns what it said, rows that came in words, all tables, and pages in use before and after.
    """
    with paused(command, limit) as (step, go_on):
        step("paused")
        before, pages_before = look(bench.database)
        go_on()
        said = step("scans")
        if said["failed"]:
            raise RuntimeError(f"{said['failed']} scans failed")
        step("paused")
        after, pages_after = look(bench.database)
        said["wal"] = pathlib.Path(f"{bench.database}-wal").stat().st_size
        go_on()
    if not all(before[name] for name in ("certificate", "span", "finding", "verdict", "observation")):
        raise RuntimeError(f"nothing was recorded to compare with: {before}")
    grown = {name: after[name] - before[name] for name in after if after[name] != before[name]}
    rows = ", ".join(f"{name} {change:+}" for name, change in grown.items()) or "0"
    return said, rows, after, (pages_before, pages_after)


def periods(bench, count=10):
    """Before come four periods: counters outgrow the encoding that SQLite has for 1, and every host is judged again by
    the clock, which is due every third period.
    """
    said, rows, tables, (before, after) = compared(
        bench, bench.service("periods", TARGETS, warm_up=4, passes=count), 60)
    what = f"{count} periods over {TARGETS:,} unchanged targets"
    used, used_before = after[0] - after[1], before[0] - before[1]
    return [
        (f"{what}: new rows, {len(tables)} tables", rows, "0", rows == "0"),
        (f"{what}: pages in use", f"{used - used_before:+} ({used})", "±0", after == before),
        (f"{what}: WAL", f"{said['wal'] / 2**20:.1f} MiB", f"≤ {WAL_LIMIT >> 20} MiB", said["wal"] <= WAL_LIMIT),
    ]


def rounds(bench, speed=5, count=3, stored=100_000, watched=10_000):
    """The schedule's own periods of five minutes, by a clock that goes `speed` times as fast as time: so much more is
    due in a second than a service has to bear. Timeouts are of time, the default 10 s, and so hold `speed` times the places.
    """
    stalling = watched // 5
    with silence() as port:
        command = bench.service(
            "rounds", watched - stalling, stalling=stalling, stall_port=port, stored=stored - watched, speed=speed,
            warm_up=4, passes=count)
        said, rows, tables, _ = compared(bench, command, 600)
    what = (f"{stored:,} targets stored, {watched:,} of them on a period of five minutes, {stalling:,} stalling, "
            f"{count} periods at {speed} times the pace")
    scans = said["scans"] / said["wall_s"]
    written = said["written_bytes"] / said["scans"] * 1_000 / 2**20
    return [
        (f"{what}: new rows, {len(tables)} tables", rows, "0", rows == "0"),
        ("the same: lateness", f"{said['late_p50_s']:.1f} s, 99 % {said['late_p99_s']:.1f} s ({scans:.0f} scans a second, "
         f"{said['cpu_s'] / said['wall_s'] * 100:.0f} % of a core)", "–", True),
        ("the same: written to disk per 1,000 scans", f"{written:.2f} MiB", "–", True),
        ("the same: resident at most", f"{said['peak_kib'] / 1024:.0f} MiB", "–", True),
    ]
