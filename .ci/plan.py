"""What the gate does, in which lane, and what each step needs.

Left out, because every change waits for this: sanitized rooms (`make sanitize`) and the image in a folder (`make prove-image`).
"""

import json
import os
import pathlib
import shutil
import subprocess

from results import Step

ROOT = pathlib.Path(__file__).resolve().parents[1]
RESULTS = ROOT / ".build/ci"
PYTHON = ".build/venv/bin/python"
# What the sanitized program is put through: the whole story, odd certificates, its own TLS.
SANITIZED_TESTS = ["test_spine", "test_own_tls", "test_odd_certificates"]
# Nobody debugs what the gate builds, and to write down what a debugger reads takes a compiler a quarter of its time.
WITHOUT_SYMBOLS = ["-Xswiftc", "-gnone"] if os.environ.get("PINWATCH_WITHOUT_SYMBOLS") else []
SWIFT_TEST = ["swift", "test", "--skip-build", "--disable-xctest", *WITHOUT_SYMBOLS]
# The program is linked anew as a release is, so that what is tested runs where no Swift is, as in the image. The two of
# Foundation's libraries are those that a debug build does not ask for by itself.
AS_IN_THE_IMAGE = ["--static-swift-stdlib", "-Xlinker", "-l_FoundationCShims", "-Xlinker", "-l_FoundationCollections"]
# Of each of libFuzzer's targets: all samples and as much again that is made of them, the same each time, for what is found by
# chance must not stand in the way of a change that has nothing to do with it. `make fuzz` goes on from there.
FUZZ_LIMIT = "-runs=1200 -seed=1"
# How much a step yields to those beside it: compilers to all, what is patient to what must be in time.
COMPILER, PATIENT = 15, 5


def lanes():
    """Three, so that who waits leaves a processor to who works: compilers, what they made and how it keeps to its document;
    services under watch; and pages, with what is left."""
    targets = test_targets()
    sanitized = not os.environ.get("PINWATCH_UNSANITIZED")
    swift = [
        Step("build", ["swift", "build", "--build-tests", "--explicit-target-dependency-import-check", "error",
                       *WITHOUT_SYMBOLS]),
        Step("program", ["swift", "build", "--product", "pinwatch", *AS_IN_THE_IMAGE, *WITHOUT_SYMBOLS],
             needs=["build"]),
        *(sanitized_build() if sanitized else []),
        *(swift_tests(target) for target in targets),
        pytest("conformance", ["Tests/Conformance"], workers=2, niceness=PATIENT),
    ]
    services = [
        Step("Python environment", [".ci/venv"]),
        Step("promtool", [".ci/promtool"]),
        pytest("end to end", ["Tests/EndToEnd", "--ignore=Tests/EndToEnd/test_crash.py"], workers=3),
        *(sanitized_service() if sanitized else []),
    ]
    pages = [
        Step("format", ["make", "--no-print-directory", "lint"], niceness=COMPILER),
        # By groups: a world of real services is made by one worker, for all tests that look at it.
        pytest("browser", ["Tests/Browser"], workers=2, dist="loadgroup"),
        pytest("packaging", ["Tests/Packaging", "--ignore=Tests/Packaging/test_image.py"]),
        # Its worlds are many already, and are told how they fare together.
        pytest("crash rounds", ["Tests/EndToEnd/test_crash.py"], niceness=PATIENT),
    ]
    return [swift, services, pages]


def sanitized_build():
    return [
        Step("sanitized build", [".ci/sanitized-build", "--product", "pinwatch"], niceness=COMPILER),
        Step("fuzz", ["Tests/Fuzz/run", FUZZ_LIMIT, "imports", "pin-files", "certificates"], needs=["sanitized build"],
             niceness=PATIENT),
    ]


def sanitized_service():
    return [
        pytest("sanitized service", [f"Tests/EndToEnd/{name}.py" for name in SANITIZED_TESTS], build="sanitized build",
               binary=".build/asan/debug/pinwatch", environment=sanitizer_environment("sanitized-service"), workers=2),
    ]


def test_targets():
    described = subprocess.run(["swift", "package", "describe", "--type", "json"], cwd=ROOT, check=True,
                               stdout=subprocess.PIPE).stdout
    return sorted(target["name"] for target in json.loads(described)["targets"] if target["type"] == "test")


def swift_tests(target):
    """One process a room: suites that keep the small thread pool busy would starve the servers of others."""
    file = RESULTS / f"{target}.xml"
    return Step(
        name=f"Swift tests of {target}",
        command=[*SWIFT_TEST, "--filter", f"^{target}\\.", "--xunit-output", str(file)],
        needs=["build"],
        tests=file,
    )


def pytest(name, paths, *, build="program", binary=".build/debug/pinwatch", environment=None, workers=1, dist="worksteal",
           niceness=0):
    file = RESULTS / f"{name.replace(' ', '-')}.xml"
    side_by_side = ["--numprocesses", str(workers), "--dist", dist] if workers > 1 else []
    return Step(
        name=name,
        # What failed beside others is tried once more, and both are told (RERUN): services under watch are bound to times.
        command=[PYTHON, "-m", "pytest", "-raR", "-p", "no:cacheprovider", "--timeout=300", "--durations=5", "--reruns=1",
                 f"--junit-xml={file}", *side_by_side, *paths],
        needs=[build, "Python environment"],
        tests=file,
        environment={"PINWATCH_BINARY": str(ROOT / binary), "PINWATCH_DEBUG_BINARY": str(ROOT / binary),
                     **(environment or {})},
        niceness=niceness,
    )


def sanitizer_environment(name):
    """Leaks end a process with status 23; reports are files, so that those of a service's process are seen too."""
    # Suppressions go by function names; the toolchain has what reads them, on the path or not.
    symbolizer = pathlib.Path(shutil.which("swift") or "").resolve().parent / "llvm-symbolizer"
    return {
        "ASAN_OPTIONS": f"detect_leaks=1:log_path={RESULTS / (name + '.asan')}:log_exe_name=1",
        "LSAN_OPTIONS": f"suppressions={ROOT / '.ci/leaks'}:print_suppressions=0",
        **({"ASAN_SYMBOLIZER_PATH": str(symbolizer)} if symbolizer.exists() else {}),
    }
