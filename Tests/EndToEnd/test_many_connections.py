"""Clients that connect and say nothing, or say it slowly, while others are served."""

import contextlib
import resource
import select
import socket
import statistics
import threading
import time

import pytest
import service
from test_edge import configuration

IDLE = 2_000
SLOW = 50


@pytest.fixture
def crowded(tmp_path):
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    made = service.Service(tmp_path, configuration()).start()
    yield made
    made.stop()


def connect(made):
    return socket.create_connection(("127.0.0.1", made.port), timeout=10)


def is_cut(peer):
    """Whether the other side has closed it, answered or not."""
    waiting = select.poll()
    waiting.register(peer, select.POLLIN)
    if not waiting.poll(0):
        return False
    try:
        while peer.recv(65536):
            pass
    except OSError:
        pass
    return True


def drip(slow, ended):
    """A byte of a header a second, for as long as anybody takes it."""
    while not ended.wait(1):
        for peer in slow:
            with contextlib.suppress(OSError):
                peer.send(b"x")


def test_idle_and_slow_clients_leave_others_served_and_are_cut(crowded):
    began = time.monotonic()
    slow = [connect(crowded) for _ in range(SLOW)]
    for peer in slow:
        peer.sendall(b"GET /api/v1/summary HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
    ended = threading.Event()
    threading.Thread(target=drip, args=(slow, ended), daemon=True).start()
    idle = [connect(crowded) for _ in range(IDLE)]
    # Half of them have asked for something once, and keep their connection.
    for peer in idle[::2]:
        peer.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    for peer in idle[::2]:
        assert peer.recv(4096).startswith(b"HTTP/1.1 200")
    try:
        took = []
        for _ in range(20):
            start = time.monotonic()
            crowded.get("/api/v1/summary")
            took.append(time.monotonic() - start)
        assert statistics.median(took) < 1, took
        assert not all(is_cut(peer) for peer in idle[1:20:2]), "they were connected meanwhile"
        left = list(idle)
        while left and time.monotonic() - began < 75:
            left = [peer for peer in left if not is_cut(peer)]
            time.sleep(0.25)
        assert not left, f"{len(left)} idle clients were never cut"
        left = list(slow)
        while left and time.monotonic() - began < 90:
            left = [peer for peer in left if not is_cut(peer)]
            time.sleep(0.25)
        assert not left, f"{len(left)} slow clients were never cut"
    finally:
        ended.set()
        for peer in idle + slow:
            peer.close()
    assert crowded.get("/readyz")["status"] == "ready"
