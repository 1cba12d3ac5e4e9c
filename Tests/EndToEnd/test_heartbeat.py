"""A URL that is called while all is well: a dead man's switch for the service itself."""

import http.server
import threading
import time

import peers
import pki
import pytest
from world import World

HOST = "api.shop.test"


class Listener:
    """Counts the calls, and answers them as told."""

    def __init__(self):
        self.calls, self.status = [], 200
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                outer.calls.append(self.path)
                self.send_response(outer.status)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}/ping/hidden-word"

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def watched(tmp_path):
    world, listener = World(tmp_path), Listener()
    world.host(HOST)
    world.pins("shop", HOST, pki.pin(world.keys[HOST]), pki.pin(pki.new_key()))
    (tmp_path / "beat.url").write_text(listener.url)
    world.extra = "heartbeat: {url: {file: beat.url}, every: 10s}\n"
    yield world, listener
    world.stop()
    listener.stop()


def test_it_beats_while_all_is_well_and_not_when_the_service_is_gone(watched):
    world, listener = watched
    world.start()
    peers.wait_until(lambda: len(listener.calls) >= 2, 30, "two beats")
    assert set(listener.calls) == {"/ping/hidden-word"}
    world.service.stop()
    count = len(listener.calls)
    time.sleep(2)
    assert len(listener.calls) == count
    assert "hidden-word" not in world.service.log.read_text()


def test_a_beat_that_is_not_taken_is_told_once(watched):
    world, listener = watched
    listener.status = 500
    world.start()
    peers.wait_until(lambda: world.service.logged("no heartbeat"), 20, "the warning")
    assert "answered by 500" in world.service.logged("no heartbeat")[0]
    time.sleep(2)
    assert len(world.service.logged("no heartbeat")) == 1


def test_what_the_scanner_has_to_do_is_in_the_metrics(watched):
    world, _ = watched
    world.start()
    world.scanned(HOST)
    metrics = world.service.get("/metrics")
    for name in ('pinwatch_scan_queue{state="waiting"}', 'pinwatch_scan_queue{state="unrecorded"}', "pinwatch_scan_addresses_in_flight",
                 "pinwatch_scan_oldest_wait_seconds", "pinwatch_scan_lateness_seconds_total"):
        assert f"\n{name} " in metrics, name
