"""What `make install` puts where, and whether systemd would run it."""

import os
import re
import shutil
import subprocess

import pytest
import service
from conftest import ROOT

UNIT = "usr/lib/systemd/system/pinwatch.service"
# SQLite gives its files to the database's owner where it runs as root, as a test may; the service never does.
OF_ROOT = {"fchown"}
analyze = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed")
    install(folder)
    return folder


def install(folder):
    subprocess.run(["make", "--no-print-directory", "-s", "-C", ROOT, "install", f"DESTDIR={folder}", f"PROGRAM={service.BINARY}"], check=True)


def test_everything_has_its_place(installed):
    found = {str(path.relative_to(installed)) for path in installed.rglob("*") if path.is_file()}
    pages = {f"usr/share/pinwatch/{path.relative_to(ROOT)}" for path in (ROOT / "Public").rglob("*") if path.is_file()}
    assert found == pages | {
        "etc/pinwatch/pinwatch.yaml", "usr/bin/pinwatch", "usr/lib/pinwatch/healthcheck", "usr/lib/sysusers.d/pinwatch.conf", UNIT,
        "usr/share/doc/pinwatch/README.md", "usr/share/doc/pinwatch/packaging/README.md"}


def test_the_installed_configuration_has_no_fault(installed):
    status, _, errors = service.run("config", "check", installed / "etc/pinwatch/pinwatch.yaml")
    assert (status, errors) == (0, "")
    assert "\ndatabase: /var/lib/pinwatch/pinwatch.db\n" in (installed / "etc/pinwatch/pinwatch.yaml").read_text()


def test_a_configuration_that_is_there_stays_as_it_is(tmp_path):
    file = tmp_path / "etc/pinwatch/pinwatch.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("mine")
    install(tmp_path)
    assert file.read_text() == "mine"


@pytest.fixture
def unit(tmp_path, installed):
    """The unit, with the installed program's real path, which the verification looks for."""
    text = (installed / UNIT).read_text()
    assert text.count("/usr/bin/pinwatch") == 1
    file = tmp_path / "pinwatch.service"
    file.write_text(text.replace("/usr/bin/pinwatch", str(installed / "usr/bin/pinwatch")))
    return file


@analyze
def test_systemd_finds_no_fault_in_the_unit(unit):
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", unit], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@analyze
def test_the_unit_is_exposed_to_little(unit):
    done = subprocess.run(["systemd-analyze", "security", "--offline=true", "--no-pager", unit], capture_output=True, text=True)
    exposure = float(re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout).group(1))
    assert exposure <= 1.5, done.stdout


@analyze
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_the_unit_allows_every_system_call_that_the_service_makes(world, tmp_path):
    """Through a start, scans, a message that is delivered, requests and an orderly stop."""
    host = world.host("api.shop.test")
    world.pins("shop", "api.shop.test", "sha256/" + "A" * 43 + "=")
    world.service = service.Service(
        world.folder, world.configuration(), environment={"OPS_URL": world.receiver.url, "OPS_SECRET": world.receiver.secret})
    world.service.start(prefix=["strace", "--follow-forks", "--summary-only", f"--output={tmp_path}/calls", "--interruptible=never"])
    world.scanned("api.shop.test")
    world.receiver.wait(lambda message: message["type"] == "alert.opened", 30)
    world.service.get("/")
    assert host.connections > 0 and stop_traced(world.service) == 0
    made = {line.split()[-1] for line in (tmp_path / "calls").read_text().splitlines() if re.match(r"\s+\d", line)} - {"total"}
    assert {"epoll_wait", "connect", "fdatasync"} <= made, made
    assert made - allowed() - OF_ROOT == set()


def stop_traced(traced):
    """The service is strace's child; its status is strace's."""
    child, = open(f"/proc/{traced.process.pid}/task/{traced.process.pid}/children").read().split()
    os.kill(int(child), 15)
    return traced.process.wait(timeout=30)


def allowed():
    """What SystemCallFilter lets through, in the order of its lines."""
    found = set()
    for line in re.findall(r"^SystemCallFilter=(.*)$", (ROOT / "config/pinwatch.service").read_text(), re.MULTILINE):
        names = set().union(*(members(one) for one in line.lstrip("~").split()))
        found = found - names if line.startswith("~") else found | names
    return found


def members(name):
    if not name.startswith("@"):
        return {name}
    told = subprocess.run(["systemd-analyze", "syscall-filter", name], capture_output=True, text=True, check=True).stdout
    words = [line.strip() for line in told.splitlines()[1:] if line.strip() and not line.strip().startswith("#")]
    return set().union(*(members(word) for word in words))
