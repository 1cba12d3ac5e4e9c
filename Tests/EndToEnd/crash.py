"""The places in the service at which it can be stopped, and what a process leaves that is killed there."""

import contextlib
import fcntl
import os
import pathlib
import re
import shutil
import sqlite3
import struct
import time

import service

SOURCES = service.ROOT / "Sources"
# Who writes locks byte 120 of the WAL index (sqlite.org/walformat.html, "WAL Locks"); before there is a WAL, the
# reserved byte of the database file (sqlite.org/lockingv3.html).
WRITE_LOCKS = {"-shm": 120, "": 0x40000001}


def points():
    """Every checkpoint of the sources, by name."""
    found = set()
    for path in SOURCES.rglob("*.swift"):
        calls = re.findall(r"\bcheckpoint\(\s*(.*?)\s*\)", path.read_text())
        found |= {match.group(1) for call in calls if (match := re.fullmatch(r'"([\w.]+)"', call))}
    assert len(found) > 20, f"no checkpoints in {SOURCES}"
    return sorted(found)


def is_inside_a_transaction(point):
    """By its place; `None` where it has no say: a transaction of another thread may be open."""
    if not point.startswith("store."):
        return None
    return not point.endswith((".before_begin", ".after_commit", ".after_create", ".after_settings"))


def is_stopped(process):
    """Whether SIGSTOP has taken effect; fails if the process has ended."""
    state = os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOHANG | os.WNOWAIT)
    assert state is None or state.si_code == os.CLD_STOPPED, f"the service ended by itself: {state}"
    return state is not None


def wait_until(question, seconds, what):
    end = time.monotonic() + seconds
    while not question():
        assert time.monotonic() < end, f"{what} was not reached within {seconds} s"
        time.sleep(0.02)


def holds_write_lock(database, process):
    """Whether the process has a transaction that writes open, as the kernel knows it."""
    for suffix, byte in WRITE_LOCKS.items():
        path = pathlib.Path(f"{database}{suffix}")
        if not path.exists():
            continue
        with open(path, "rb") as file:
            asked = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, byte, 1, 0)
            kind, _, _, _, owner = struct.unpack("hhqqi4x", fcntl.fcntl(file, fcntl.F_GETLK, asked))
        if kind == fcntl.F_WRLCK and owner == process.pid:
            return True
    return False


def leaves_broken(database):
    """Whether a copy of what is left, recovered as the next start would, is no sound database."""
    copy = pathlib.Path(f"{database}.remains")
    for suffix in "", "-wal", "-shm", "-journal":
        pathlib.Path(f"{copy}{suffix}").unlink(missing_ok=True)
        if suffix != "-shm" and pathlib.Path(f"{database}{suffix}").exists():
            shutil.copyfile(f"{database}{suffix}", f"{copy}{suffix}")
    with contextlib.closing(sqlite3.connect(copy)) as connection:
        try:
            sound = connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            return not sound or bool(connection.execute("PRAGMA foreign_key_check").fetchall())
        except sqlite3.DatabaseError:
            return True
