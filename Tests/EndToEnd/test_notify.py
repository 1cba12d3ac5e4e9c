"""What a service manager hears of the service: sd_notify(3)."""

import signal
import socket
import time

import pytest
import service
from test_edge import configuration


class Manager:
    """A datagram socket as `NOTIFY_SOCKET` names it."""

    def __init__(self, folder):
        self.name = str(folder / "notify")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self.name)
        self.heard = []

    def wait(self, line, seconds=10):
        """The datagram with this line that comes next."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._socket.settimeout(left)
            try:
                lines = self._socket.recv(4096).decode().splitlines()
            except TimeoutError:
                break
            self.heard.append(lines)
            if any(one.startswith(line) for one in lines):
                return lines
        raise AssertionError(f"{line} was not told within {seconds} s; heard: {self.heard}")

    def close(self):
        self._socket.close()


@pytest.fixture
def manager(tmp_path):
    made = Manager(tmp_path)
    yield made
    made.close()


@pytest.fixture
def managed(tmp_path, manager):
    made = service.Service(
        tmp_path, configuration(), environment={"NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "1000000"}).start()
    yield made
    made.stop()


def test_the_manager_hears_of_every_turn(managed, manager):
    manager.wait("READY=1")
    manager.wait("WATCHDOG=1")
    manager.wait("WATCHDOG=1", 2)
    managed.signal()
    began = int(next(line for line in manager.wait("RELOADING=1") if line.startswith("MONOTONIC_USEC=")).partition("=")[2])
    assert 0 <= time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000 - began < 10_000_000
    manager.wait("READY=1")
    managed.signal(signal.SIGTERM)
    manager.wait("STOPPING=1")
    assert managed.process.wait(timeout=20) == 0


def test_a_reload_that_is_refused_ends_as_well(managed, manager):
    manager.wait("READY=1")
    managed.configure(configuration(more="colour: red\n"))
    managed.signal()
    manager.wait("RELOADING=1")
    manager.wait("READY=1")


def test_a_start_that_is_refused_is_never_ready(tmp_path, manager):
    (tmp_path / "pinwatch.yaml").write_text(configuration(listen="0.0.0.0:0"))
    status, _, _ = service.run(
        "serve", "--config", tmp_path / "pinwatch.yaml", "--public", service.ROOT / "Public",
        environment={"NOTIFY_SOCKET": manager.name})
    assert status == 2
    with pytest.raises(AssertionError):
        manager.wait("READY=1", 0.2)
