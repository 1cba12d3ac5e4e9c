"""A database that is not ours, full, or locked: said in a sentence, survived, and nothing acknowledged is lost."""

import os
import resource
import sqlite3
import subprocess

import peers
import pki
import pytest
import service
from world import PERIOD
from test_edge import configuration

NAME = "api.shop.test"


def foreign(path):
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE bookmark (url TEXT)")
        database.execute("PRAGMA journal_mode = WAL")
    database.close()


def newer(path):
    made = service.run("token", "list", "--config", path.parent / "pinwatch.yaml")
    assert made[0] == 0, made
    with sqlite3.connect(path) as database:
        version, = database.execute("PRAGMA user_version").fetchone()
        database.execute(f"PRAGMA user_version = {version + 1}")
    database.close()


@pytest.mark.parametrize("make, words", [
    (foreign, "not a Pinwatch database"), (newer, "newer Pinwatch"),
    (lambda path: path.write_bytes(b"Dear diary, " * 1000), "not a Pinwatch database"),
    (lambda path: path.write_bytes(b"SQLite format 3\0"), "not a Pinwatch database"),
    (lambda path: path.mkdir(), "pinwatch.db"),
    (lambda path: path.symlink_to(path.parent / "none" / "x.db"), "No such file or directory"),
], ids=["another program's", "a newer version's", "a text", "a header alone", "a folder", "a link to nowhere"])
@pytest.mark.parametrize("command", ["serve", "token"])
def test_what_is_not_ours_is_refused_and_left_as_it_was(tmp_path, make, words, command):
    (tmp_path / "pinwatch.yaml").write_text(configuration())
    path = tmp_path / "pinwatch.db"
    make(path)
    before = snapshot(tmp_path)
    line = ["serve", "--public", service.ROOT / "Public"] if command == "serve" else ["token", "create", "--name", "x", "--role", "admin"]
    status, out, err = service.run(*line, "--config", tmp_path / "pinwatch.yaml", timeout=20)
    assert (status, out) == (2, "") and words in err and str(path) in err and err.count("\n") == 1
    assert snapshot(tmp_path) == before


def snapshot(folder):
    return {file.name: (file.read_bytes() if file.is_file() else None, file.lstat().st_mtime_ns) for file in folder.iterdir()}


def test_a_folder_that_is_not_there_is_named(tmp_path):
    (tmp_path / "pinwatch.yaml").write_text(configuration())
    status, _, err = service.run("serve", "--config", tmp_path / "pinwatch.yaml", "--database", tmp_path / "none/x.db", "--public", service.ROOT / "Public")
    assert status == 2 and str(tmp_path / "none/x.db") in err and not (tmp_path / "none").exists()


# While the service runs

class Trouble:
    """A pinned host under watch, whose database is about to fail."""

    def __init__(self, world):
        self.world = world
        self.first, key = world.authority.issue(NAME)
        self.host = world.host(NAME, self.first)
        world.pins("shop", NAME, pki.pin(key), pki.pin(pki.new_key()))
        world.start()
        world.scanned(NAME)

    def move(self):
        self.host.serve(self.world.authority.issue(NAME)[0])

    def says_no(self, words):
        """Until `/readyz` says why not; meanwhile the service lives and shows what it has."""
        served = self.world.service

        def ask():
            try:
                return [reason for reason in served.get("/readyz", status=503)["reasons"] if words in reason]
            except AssertionError:
                return None
        reason = peers.wait_until(ask, 20, f"a reason that says {words}")
        peers.wait_until(lambda: "cannot record scans" in served.log.read_text(), 20, "a recording that failed")
        assert served.get("/healthz") == {"status": "ok"}
        assert len(served.items("targets")) == 1 and served.get("/api/v1/summary")["counts"]["targets"] == 1
        return reason

    def recovers(self):
        """Told once, and everything is as if nothing had been."""
        world = self.world
        told = world.receiver.wait(lambda m: m["type"] == "alert.opened", PERIOD + 15)
        assert told["data"]["finding"]["kind"] == "pin.rejected"
        peers.wait_until(self.ready, 15, "readiness")
        self.host.serve(self.first)
        world.receiver.wait(lambda m: m["type"] == "alert.resolved", PERIOD + 15)
        ids = [message["id"] for message in world.receiver.messages]
        assert len(ids) == len(set(ids))
        log = world.service.log.read_text()
        assert log.count("cannot record scans") == 1, log
        world.service.stop()
        with sqlite3.connect(world.folder / "pinwatch.db") as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        database.close()

    def ready(self):
        try:
            return self.world.service.get("/readyz", status=200)
        except AssertionError:
            return None


def test_a_lock_of_another_process_is_outlived(world):
    trouble = Trouble(world)
    other = sqlite3.connect(world.folder / "pinwatch.db", isolation_level=None, timeout=10)
    other.execute("BEGIN IMMEDIATE")
    trouble.move()
    trouble.says_no("locked by another process")
    other.execute("ROLLBACK")
    other.close()
    trouble.recovers()


def test_a_file_that_may_not_grow_is_outlived(world):
    trouble = Trouble(world)
    process = world.service.process.pid
    wal = os.path.getsize(world.folder / "pinwatch.db-wal")
    _, hard = resource.prlimit(process, resource.RLIMIT_FSIZE)
    resource.prlimit(process, resource.RLIMIT_FSIZE, (wal, hard))
    trouble.move()
    trouble.says_no("answers with errors")
    assert world.service.process.poll() is None
    resource.prlimit(process, resource.RLIMIT_FSIZE, (hard, hard))
    trouble.recovers()


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 4 MB, which wants root."""
    folder = tmp_path / "disk"
    folder.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "none", folder], capture_output=True, text=True)
    if made.returncode != 0:
        pytest.skip(f"no file system can be mounted here: {made.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def test_a_full_disk_is_outlived(world, small_disk):
    (world.folder / "pinwatch.db").symlink_to(small_disk / "pinwatch.db")
    trouble = Trouble(world)
    with open(small_disk / "ballast", "wb", buffering=0) as ballast:
        for size in (65536, 4096, 1):
            try:
                while ballast.write(b"x" * size):
                    pass
            except OSError:
                pass
    trouble.move()
    reason = trouble.says_no("full")
    assert "free space" in reason[0]
    (small_disk / "ballast").unlink()
    trouble.recovers()


def test_a_database_that_is_locked_at_the_start_is_said(tmp_path):
    (tmp_path / "pinwatch.yaml").write_text(configuration())
    assert service.run("token", "list", "--config", tmp_path / "pinwatch.yaml")[0] == 0
    other = sqlite3.connect(tmp_path / "pinwatch.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    status, _, err = service.run("serve", "--config", tmp_path / "pinwatch.yaml", "--public", service.ROOT / "Public", timeout=30)
    other.close()
    assert status == 2 and "locked by another process" in err


def test_a_row_that_cannot_be_read_costs_one_host_only(world):
    """As after a way back from a later version that wrote words which this one does not know."""
    broken, sound = world.host("broken.shop.test"), world.host(NAME)
    world.pins("shop", NAME, pki.pin(world.keys[NAME]), pki.pin(pki.new_key()))
    stranger, _ = world.authority.issue("broken.shop.test", days=5)
    broken.serve(stranger)
    world.start()
    world.scanned(NAME)
    peers.wait_until(lambda: world.service.items("findings"), 10, "a finding to break")
    world.service.stop()
    with sqlite3.connect(world.folder / "pinwatch.db") as database:
        assert database.execute("UPDATE finding SET kind = 'unheard.of', body = '{}'").rowcount > 0
    database.close()
    world.start()
    broken.serve(world.authority.issue("broken.shop.test")[0])
    sound.serve(world.authority.issue(NAME)[0])
    opened = world.receiver.wait(lambda m: m["data"]["finding"]["kind"] == "pin.rejected", PERIOD + 5)
    assert opened["data"]["subjects"][0]["host"] == NAME
    told = peers.wait_until(
        lambda: [line for line in world.service.log.read_text().splitlines() if "given up" in line],
        PERIOD + 5, "the line in the log")
    assert "broken.shop.test" in told[0]
