"""Scans out of turn, for who cannot wait for the next one."""

import threading
import time

import peers
import pki
import pytest

NAME = "api.shop.test"


@pytest.fixture
def slow(world):
    """A world whose targets are scanned once an hour."""
    world.host(NAME)
    world.pins("shop", NAME, pki.pin(world.keys[NAME]), pki.pin(pki.new_key()))
    plain = world.configuration
    world.configuration = lambda: plain().replace("period: 2s, timeout: 2s", "period: 1h, timeout: 8s")
    world.start()
    # Its own turn is spread over the hour.
    world.target = world.service.items("targets")[0]["id"]
    scan(world, "?wait=20s", 200)
    return world


def scan(world, query="", status=None):
    return world.service.send("POST", f"/api/v1/targets/{world.target}/scan{query}", status=status)


def test_what_it_saw_is_recorded_when_the_answer_comes(slow):
    slow.hosts[NAME].serve(slow.authority.issue(NAME)[0])
    said = scan(slow, "?wait=20s", 200)
    assert {one["outcome"] for one in said["items"]} <= {"ok", "no_such_key_family"}
    assert said["target"]["id"] == slow.target and said["target"]["state"] == "critical"
    chain = next(one["chain"] for one in said["items"] if one["outcome"] == "ok")
    spans = slow.service.items(f"targets/{slow.target}/spans")
    assert [span["chain"] for span in spans if span["open"]] == [chain] and len(spans) == 2
    assert next(one for one in slow.service.items("findings") if one["kind"] == "pin.rejected")
    assert slow.service.items("audit?action=target.scan")[0]["object"]["id"] == slow.target


def test_a_scan_that_stalls_holds_up_nobody_else(slow):
    slow.hosts[NAME].pause = 5
    answers = []
    waiting = [threading.Thread(target=lambda: answers.append(scan(slow, "?wait=40s"))) for _ in range(12)]
    began = time.monotonic()
    for thread in waiting:
        thread.start()
    took = []
    while time.monotonic() - began < 3:
        start = time.monotonic()
        slow.service.get("/api/v1/summary")
        took.append(time.monotonic() - start)
    assert not answers and sorted(took)[len(took) // 2] < 0.5
    assert scan(slow, "?wait=1s", 202)["state"] == "queued", "the wait is over before the scan is"
    for thread in waiting:
        thread.join(40)
    assert len(answers) == 12 and all(one["target"]["id"] == slow.target and one["items"] for one in answers)


def test_without_a_wait_it_is_queued(slow):
    seen = slow.hosts[NAME].connections
    assert scan(slow, status=202) == {"target_id": slow.target, "state": "queued"}
    peers.wait_until(lambda: slow.hosts[NAME].connections > seen, 5, "the scan")


def test_a_paused_target_is_scanned_when_asked(world):
    world.host(NAME)
    plain = world.configuration
    world.configuration = lambda: plain().replace("trust_store: lab}\n", "trust_store: lab, paused: true}\n")
    world.start()
    world.target = world.service.items("targets")[0]["id"]
    assert world.hosts[NAME].connections == 0
    assert scan(world, "?wait=20s", 200)["target"]["last_scan_at"]


@pytest.mark.parametrize("query, status", [("?wait=0s", 400), ("?wait=61s", 400), ("?wait=x", 400), ("?wait=5", 400), ("?colour=red", 400)])
def test_a_wait_that_cannot_be_meant_is_refused(slow, query, status):
    scan(slow, query, status)


def test_a_stop_answers_who_waits(slow):
    slow.hosts[NAME].pause = 4
    codes = []

    def ask():
        try:
            codes.append(scan(slow, "?wait=30s"))
        except OSError as error:
            codes.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    seen = slow.hosts[NAME].connections
    peers.wait_until(lambda: slow.hosts[NAME].connections > seen, 5, "the scan")
    assert slow.service.stop() == 0
    thread.join(10)
    assert len(codes) == 1 and isinstance(codes[0], dict), codes
