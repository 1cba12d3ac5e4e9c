"""The gate counts what fails, hangs, breaks off or does not run, and leaves nothing behind."""

import pathlib
import sys
import time

import pytest
from conftest import ROOT

sys.path.append(str(ROOT / ".ci"))
import results  # noqa: E402: after the path that it is found by
from lanes import Lanes  # noqa: E402
from results import Step  # noqa: E402

GOOD = '<testsuites><testcase classname="a" name="b"/><testcase classname="a" name="c"><skipped/></testcase></testsuites>'
BAD = '<testsuites><testcase classname="a" name="b"/><testcase classname="a" name="c"><failure>why</failure></testcase></testsuites>'


@pytest.fixture
def gate(tmp_path, capfd):
    """Runs lanes to their end: exit status and what was printed."""
    def run(*lanes):
        Lanes([list(lane) for lane in lanes], tmp_path, tmp_path).run()
        status = results.report([step for lane in lanes for step in lane], 0)
        return status, capfd.readouterr().out
    return run


def shell(name, script, **options):
    return Step(name, ["sh", "-c", script], **options)


def with_tests(folder, name, junit, script="true", **options):
    (folder / f"{name}.junit").write_text(junit)
    return shell(name, f"cp {name}.junit {name}.xml; {script}", tests=folder / f"{name}.xml", **options)


def test_tests_are_summed_in_the_last_line(gate, tmp_path):
    status, told = gate([with_tests(tmp_path, "one", GOOD)], [shell("build", "true"), with_tests(tmp_path, "two", GOOD, needs=["build"])])
    assert status == 0 and told.endswith("\n2 passed, 0 failed, 2 skipped\n")


@pytest.mark.parametrize("junit, script, failed", [
    (BAD, "exit 1", 1), (BAD, "true", 1), (GOOD, "exit 1", 1), ("<testsuites/>", "true", 1), ("<testsuites>", "true", 1),
], ids=["a failed test", "a failed test that the runner did not tell", "a runner that failed", "no test", "half a report"])
def test_a_step_that_is_not_all_well_is_a_failure(gate, tmp_path, junit, script, failed):
    status, told = gate([with_tests(tmp_path, "one", junit, script)], [with_tests(tmp_path, "other", GOOD)])
    assert status == 1 and f", {failed} failed" in told.splitlines()[-1]


def test_what_needs_a_failed_step_does_not_run_and_counts_as_failed(gate, tmp_path):
    status, told = gate([shell("build", "exit 3")], [with_tests(tmp_path, "tests", GOOD, needs=["build"]), with_tests(tmp_path, "free", GOOD)])
    assert status == 1 and "did not run: build failed" in told and told.endswith("\n1 passed, 2 failed, 1 skipped\n")


def test_a_step_beyond_its_limit_is_ended_with_all_that_it_started(gate, tmp_path):
    started = time.monotonic()
    status, told = gate([shell("slow", "sleep 3333 & echo $! >child; wait", limit=1)])
    assert status == 1 and "was ended after 1 s" in told and time.monotonic() - started < 20
    assert is_gone((tmp_path / "child").read_text())


def test_what_a_step_left_running_ends_with_it(gate, tmp_path):
    _, told = gate([with_tests(tmp_path, "one", GOOD, "sleep 3333 & echo $! >child")])
    assert "1 passed, 0 failed" in told and is_gone((tmp_path / "child").read_text())


def test_lanes_go_side_by_side(gate, tmp_path):
    """Each waits for what the other does."""
    waits = "until [ -e {} ]; do sleep 0.05; done"
    status, told = gate([shell("a", "touch a; " + waits.format("b"), limit=60)], [shell("b", "touch b; " + waits.format("a"), limit=60)],
                        [with_tests(tmp_path, "one", GOOD)])
    assert status == 0, told


def is_gone(number):
    end = time.monotonic() + 5
    stat = pathlib.Path(f"/proc/{number.strip()}/stat")
    while time.monotonic() < end:
        try:
            if stat.read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.05)
    return False
