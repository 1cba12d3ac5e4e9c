"""What a scan costs beside a bare handshake, a verifying one and another prober's, and where it goes."""
import concurrent.futures
import contextlib
import http.client
import os
import pathlib
import re
import socket
import statistics
import subprocess
import time

from world import call, free_port, result

TARGETS, PAIRS = 1_000, 7
PASSES = 3  # as many periods as it takes until the clock has every host judged again, once
INSTRUCTIONS_GATE = 15.0
CPU_GATE = 40.0  # of time, which what else the machine does sways; instructions decide
PROBES = 300  # of the other prober in one turn


@contextlib.contextmanager
def blackbox(folder, target):
    """Debian's prometheus-blackbox-exporter; gives a function that probes and returns CPU time in µs per probe."""
    (folder / "blackbox.yml").write_text(f"""
modules:
  tls:
    prober: tcp
    timeout: 10s
    tcp:
      tls: true
      preferred_ip_protocol: ip4
      tls_config: {{ca_file: {folder}/root.pem, server_name: h0.bench.test}}
""")
    port = free_port()
    running = subprocess.Popen(
        ["prometheus-blackbox-exporter", f"--config.file={folder}/blackbox.yml",
         f"--web.listen-address=127.0.0.1:{port}"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        limit = time.monotonic() + 10
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            if running.poll() is not None or time.monotonic() > limit:
                raise RuntimeError("prometheus-blackbox-exporter did not start")
            time.sleep(0.05)
        caller = http.client.HTTPConnection("127.0.0.1", port, timeout=20)

        def spent():
            fields = pathlib.Path(f"/proc/{running.pid}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

        def probe(count=PROBES):
            before = spent()
            for _ in range(count):
                caller.request("GET", f"/probe?module=tls&target=127.0.0.1:{target}")
                answer = caller.getresponse().read().decode()
                if "\nprobe_success 1" not in answer:
                    raise RuntimeError(f"a probe failed:\n{answer}")
            return (spent() - before) / count * 1e6
        probe(20)
        yield probe
    finally:
        running.terminate()
        running.wait(10)


def cpu_time(bench):
    """Interleaved, so that what else the machine does meets all."""
    bare, verified, scans, probes = [], [], [], []
    with blackbox(bench.folder, bench.port) as probe:
        for _ in range(PAIRS):
            bare.append(result(call(*bench.handshakes(TARGETS, PASSES)))["cpu_us"])
            scans.append(result(call(*bench.service("scan", TARGETS, passes=PASSES)))["cpu_us"])
            verified.append(result(call(*bench.handshakes(TARGETS, PASSES, verify=True)))["cpu_us"])
            probes.append(probe())

    def words(times):
        return f"{statistics.median(times):.0f} µs, {min(times):.0f} to {max(times):.0f}"
    added = statistics.median(scan / one * 100 - 100 for one, scan in zip(bare, scans))
    what = "CPU time added per unchanged scan, recording included"
    return [
        (what, f"+{added:.0f} % ({words(scans)}; bare handshake {words(bare)}; {PAIRS} pairs)", f"≤ {CPU_GATE:.0f} %",
         added <= CPU_GATE),
        ("CPU time of a handshake with verification by OpenSSL", words(verified), "–", True),
        ("CPU time of a probe by Debian's `prometheus-blackbox-exporter`", words(probes), "–", True),
    ]


# Where instructions are spent: by the file that a function is in or, within the program, by its name.
LIBRARIES = {"libcrypto": "OpenSSL", "libssl": "OpenSSL", "libsqlite3": "SQLite"}
ALLOCATOR = re.compile(r"^(_int_)?(malloc|free|calloc|realloc|memalign)|^(aligned_alloc|posix_memalign|unlink_chunk|sysm)")
ROOM = re.compile(r"Pinwatch(Core|Scan|Store|TLS|Benchmarks)")


def group(library, function):
    """The row of the profile that a function belongs to."""
    name = library.rpartition("/")[2]
    for start, of in LIBRARIES.items():
        if name.startswith(start):
            return of
    if name.startswith(("libc.so", "ld-linux")):
        return "allocator" if ALLOCATOR.match(function) else "C library"
    if name == "handshake":
        return "the loop itself"
    room = ROOM.search(function)
    if room:
        return f"Pinwatch{room[1]}"
    return "Swift runtime and standard library"


def profile(path):
    """Instructions by group, of one callgrind.out (its format is in Valgrind's manual), calls apart."""
    names, spent, skip = {"ob": {}, "fn": {}}, {}, False
    library = function = ""

    def name(kind, text):
        number, _, full = text.partition(" ")
        if full:
            names[kind][number] = full
        return names[kind].get(number, text)
    for line in path.read_text(errors="replace").splitlines():
        key, equals, value = line.partition("=")
        if equals and key in ("ob", "cob"):
            found = name("ob", value)
            library = found if key == "ob" else library
        elif equals and key in ("fn", "cfn"):
            found = name("fn", value)
            function = found if key == "fn" else function
        elif key == "calls":
            skip = True
        elif line[:1].isdigit() or line[:1] in "+-*":
            if not skip:
                of = group(library, function)
                spent[of] = spent.get(of, 0) + sum(map(int, line.split()[1:]))
            skip = False
    return spent


def instructions(bench, targets=60, long=1 + PASSES):
    """A long run less a short one leaves the passes alone. Valgrind takes some 70 ms for a handshake."""
    def count(number, command):
        path = bench.folder / f"callgrind.{number}"
        prefix = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={path}"]
        done = call(*prefix, *command, timeout=240)
        result(done)
        return int(re.search(r"Collected : (\d+)", done.stderr)[1]), profile(path)

    commands = [bench.handshakes(targets, passes) for passes in (1, long)]
    commands += [bench.service("scan", targets, passes=passes) for passes in (1, long)]
    commands += [bench.handshakes(targets, passes, verify=True) for passes in (1, long)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        counts = list(pool.map(count, range(len(commands)), commands))
    scans = targets * (long - 1)

    def each(short):
        (less, by_less), (more, by_more) = counts[short], counts[short + 1]
        return (more - less) / scans, {of: (spent - by_less.get(of, 0)) / scans for of, spent in by_more.items()}
    (bare, bare_by), (scan, scan_by), (verified, _) = each(0), each(2), each(4)
    added = scan / bare * 100 - 100
    rows = [
        ("instructions added per unchanged scan, recording included (callgrind)",
         f"+{added:.1f} % ({scan / 1e6:.2f} M over {bare / 1e6:.2f} M)", f"≤ {INSTRUCTIONS_GATE:.0f} %", added <= INSTRUCTIONS_GATE),
        ("instructions that OpenSSL's verification adds to the bare handshake", f"+{verified / bare * 100 - 100:.1f} % "
         f"({verified / 1e6:.2f} M)", "–", True),
    ]
    for of, spent in sorted(scan_by.items(), key=lambda item: -item[1]):
        alone = bare_by.get(of, 0)
        rows.append((f"of a scan's: {of}", f"{spent / 1e3:,.0f} k; bare {alone / 1e3:,.0f} k", "–", True))
    return rows
