"""What the service answers with, while it scans and records: the API over many targets, beside a constant response.

The service is the release binary over a database that was filled before; the load is wrk's, from two threads over 16
connections, in turns, so that what else the machine does meets all answers.
"""
import contextlib
import json
import pathlib
import re
import sqlite3
import statistics
import subprocess
import time
import urllib.request

SERVICE = pathlib.Path(__file__).resolve().parent.parent / ".build/release/pinwatch"
TARGETS, SCANS_PER_SECOND, CONNECTIONS, ROUNDS, SECONDS = 100_000, 100, 16, 5, 4
CONSTANT = "/healthz"
PATHS = {"/api/v1/targets?limit=50": "50 targets of a list", "/api/v1/summary": "the summary"}
RATIO_GATE, PACE_GATE = 8.0, 0.9


def older_chains(folder, call):
    """Two chains under the same issuer that the live server does not send any longer."""
    files = []
    for name in ("older", "old"):
        key = folder / f"{name}.key"
        call("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key)
        call("openssl", "req", "-new", "-key", key, "-subj", "/CN=*.bench.test", "-out", folder / f"{name}.csr")
        call("openssl", "x509", "-req", "-in", folder / f"{name}.csr", "-days", "90", "-extfile", folder / "leaf.cnf",
             "-extensions", "v3", "-out", folder / f"{name}.pem", "-CA", folder / "middle.pem",
             "-CAkey", folder / "middle.key", "-CAcreateserial")
        files.append(folder / f"{name}-chain.pem")
        files[-1].write_text((folder / f"{name}.pem").read_text() + (folder / "middle.pem").read_text())
    return [*files, folder / "chain.pem"]


def configuration(folder, database, port):
    period = TARGETS // SCANS_PER_SECOND
    (folder / "pinwatch.yaml").write_text(
        f"listen: 127.0.0.1:0\ndatabase: {database}\nscan: {{period: {period}s, timeout: 10s, allow_ports: [{port}]}}\n"
        f"trust_stores: {{system: system, bench: {{file: {folder}/root.pem}}}}\ntargets: []\n")
    return folder / "pinwatch.yaml"


@contextlib.contextmanager
def service(config, public):
    running = subprocess.Popen(
        [str(SERVICE), "serve", "--config", str(config), "--public", str(public)], text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        line = running.stdout.readline()
        found = re.search(r"(http://\S+?:\d+)/", line)
        if not found:
            raise RuntimeError(f"the service did not start: {line!r} {running.stderr.read()[-2000:]}")
        yield found[1]
    finally:
        running.terminate()
        try:
            running.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            running.kill()
            running.communicate()


def spread(database):
    """The last scans as a service would have them: each at its own place in the period that is just over."""
    with contextlib.closing(sqlite3.connect(database)) as filled:
        filled.execute("UPDATE target_status SET last_scan_at = ? - target_id * ? / ?",
                       (int(time.time()), TARGETS // SCANS_PER_SECOND, TARGETS))
        filled.commit()


def scans(base):
    with urllib.request.urlopen(f"{base}/metrics", timeout=10) as answer:
        return float(re.search(r"^pinwatch_scans_total (\S+)", answer.read().decode(), re.M)[1])


def load(base, path, call):
    """Median and 99th percentile in milliseconds."""
    done = call("wrk", "-t2", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "--latency", base + path, timeout=60)
    if "Non-2xx" in done.stdout or "Socket errors" in done.stdout:
        raise RuntimeError(f"{path} was not answered well:\n{done.stdout}")
    units = {"us": 0.001, "ms": 1.0, "s": 1000.0}

    def percentile(share):
        value, unit = re.search(rf"^\s+{share}%\s+([\d.]+)(us|ms|s)$", done.stdout, re.M).groups()
        return float(value) * units[unit]
    return percentile(50), percentile(99)


def send(base, path, body):
    request = urllib.request.Request(
        base + path, json.dumps(body).encode(), {"Content-Type": "application/json", "Origin": base})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def judged_anew(base, pin):
    """A pin set comes that concerns every target; scans go on while all are judged by it."""
    def pace(until):
        begun, scanned = time.monotonic(), scans(base)
        until()
        took = time.monotonic() - begun
        return took, (scans(base) - scanned) / took
    _, before = pace(lambda: time.sleep(20))
    begun = time.monotonic()
    made = send(base, "/api/v1/pin-sets", {
        "pinwatch": 1, "app": "shop-ios", "release": "9.0", "client": "generic",
        "policy": {"hosts": [{"host": "*.bench.test", "pins": [f"sha256/{'A' * 43}=", f"sha256/{pin}"]}]}})
    stored = time.monotonic() - begun

    def all_judged():
        limit = time.monotonic() + 600
        while time.monotonic() < limit:
            with urllib.request.urlopen(f"{base}/api/v1/pin-sets/{made['id']}", timeout=60) as answer:
                if json.load(answer)["target_count"] >= TARGETS:
                    return
            time.sleep(1)
        raise RuntimeError("not every target was judged by the new pin set within 600 s")
    took, during = pace(all_judged)
    words = (f"{during / before:.2f} of the pace before ({during:.0f} over {before:.0f} scans a second; "
             f"all judged in {took:.0f} s, stored in {stored:.1f} s)")
    return (f"scans recorded while {TARGETS:,} targets are judged anew by a changed pin set", words,
            f"≥ {PACE_GATE}", during >= PACE_GATE * before)


def measure(folder, seed, port, public, call, pin):
    """The rows of the table: what, measured, gate, holds."""
    chains = older_chains(folder, call)
    database = folder / "api.db"
    filled = json.loads(call(*seed(database, TARGETS, chains), timeout=1_800).stdout.splitlines()[-1])
    spread(database)
    with service(configuration(folder, database, port), public) as base:
        time.sleep(10)  # the first scans, and what the clock has judged at a start
        took = {path: [] for path in [CONSTANT, *PATHS]}
        begun, scanned = time.monotonic(), scans(base)
        for _ in range(ROUNDS):
            for path in took:
                took[path].append(load(base, path, call))
        rate = (scans(base) - scanned) / (time.monotonic() - begun)
        anew = judged_anew(base, pin)
    if rate < 0.9 * SCANS_PER_SECOND:
        raise RuntimeError(f"only {rate:.0f} scans a second were recorded meanwhile")
    median = {path: statistics.median(one[0] for one in rounds) for path, rounds in took.items()}
    tail = {path: statistics.median(one[1] for one in rounds) for path, rounds in took.items()}
    rows = []
    for path, what in PATHS.items():
        ratio = median[path] / median[CONSTANT]
        words = (f"× {ratio:.1f} ({median[path]:.2f} ms, 99 % {tail[path]:.2f} ms; "
                 f"constant {median[CONSTANT]:.2f} ms, 99 % {tail[CONSTANT]:.2f} ms)")
        label = (f"{what}, {filled['targets']:,} targets and {filled['spans']:,} spans, {rate:.0f} scans a second, "
                 f"{CONNECTIONS} connections: median over a constant answer's")
        rows.append((label, words, f"≤ × {RATIO_GATE:.0f}", ratio <= RATIO_GATE))
    return [*rows, anew]
