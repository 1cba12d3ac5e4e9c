"""The stream of events, as a page or a script follows it."""

import http.client
import json
import threading
import time

import peers
import pki
from world import PERIOD

NAME = "api.shop.test"


class Reader(threading.Thread):
    """Follows the stream until it ends: `events` are (id, kind, data), `changes` what the page should ask for anew."""

    def __init__(self, service, last=None):
        super().__init__(daemon=True)
        self.events, self.changes, self.comments = [], [], []
        self._connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
        self._connection.request("GET", "/api/v1/events/stream", headers={} if last is None else {"Last-Event-ID": str(last)})
        self._answer = self._connection.getresponse()
        assert self._answer.status == 200 and self._answer.headers["content-type"].startswith("text/event-stream")
        self.start()

    def run(self):
        fields = {}
        while line := self._answer.readline().decode():
            name, _, value = line.rstrip("\n").partition(": ")
            if line == "\n" and "data" in fields:
                data = json.loads(fields["data"])
                if fields["event"] == "change":
                    assert "id" not in fields
                    self.changes.append(set(data["what"]))
                else:
                    self.events.append((int(fields["id"]), fields["event"], data))
            elif line.startswith(":"):
                self.comments.append((time.monotonic(), line))
            fields = {} if line == "\n" else {**fields, name: value}

    def wait(self, kind, seconds):
        return peers.wait_until(lambda: next((one for one in self.events if one[1] == kind), None), seconds, f"an event {kind}")

    @property
    def ids(self):
        return [id for id, _, _ in self.events]


def drift(world):
    """A pinned host that shows another key from now on."""
    world.hosts[NAME].serve(world.authority.issue(NAME)[0])


def started(world):
    world.host(NAME)
    world.pins("shop", NAME, pki.pin(world.keys[NAME]), pki.pin(pki.new_key()))
    world.start()
    return world.scanned(NAME)


def test_a_drift_is_streamed_within_seconds(world):
    target = started(world)
    reader = Reader(world.service)
    drift(world)
    number, kind, event = reader.wait("key.changed", PERIOD + 5)
    assert event["id"] == str(number) and event["kind"] == kind and event["target_id"] == target["id"] and event["summary"]
    assert world.service.get(f"/api/v1/events/{number}") == event
    peers.wait_until(lambda: {"findings", "alerts", "targets"} <= set().union(*reader.changes), 5, "the change of findings")


def test_what_was_missed_comes_once_also_over_a_restart(world):
    started(world)
    first = Reader(world.service, last=0)
    drift(world)
    last, _, _ = first.wait("key.changed", PERIOD + 5)
    world.service.stop()
    first.join(10)
    assert not first.is_alive(), "the service ends its streams"
    seen = first.ids
    drift(world)
    world.start()
    second = Reader(world.service, last=seen[-1])
    second.wait("key.changed", PERIOD + 10)
    world.service.stop(kill=True)
    second.join(10)
    drift(world)
    world.start()
    third = Reader(world.service, last=second.ids[-1])
    third.wait("key.changed", PERIOD + 10)
    world.service.send("GET", "/api/v1/events/stream", status=400, headers={"Last-Event-ID": "x"})
    all_events = [int(event["id"]) for event in reversed(world.service.items("events?limit=200"))]
    followed = seen + second.ids + third.ids
    assert followed == sorted(set(followed)), "each once, in order"
    assert followed == all_events[:len(followed)] and last in seen


def test_a_reader_that_waits_hears_that_the_service_lives(world):
    started(world)
    reader = Reader(world.service)
    began = time.monotonic()
    peers.wait_until(lambda: any("heartbeat" in line for _, line in reader.comments), 20, "the heartbeat")
    assert time.monotonic() - began > 5
