"""Silences: what happens is kept and shown, and nobody is told until they end."""

import datetime
import time
import zoneinfo

import peers
import pki
import pytest
from world import PERIOD

NAME = "api.shop.test"


def at(seconds):
    return datetime.datetime.fromtimestamp(time.time() + seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def prepare(world):
    world.host(NAME)
    world.pins("shop", NAME, pki.pin(world.keys[NAME]), pki.pin(pki.new_key()))
    world.start()
    return world.scanned(NAME)


def drift(world):
    world.hosts[NAME].serve(world.authority.issue(NAME)[0])


def alert(world, state):
    return peers.wait_until(
        lambda: next(iter(world.service.items(f"alerts?state={state}&kind=pin.rejected")), None), PERIOD + 8, f"an alert {state}")


def silence(world, matchers, **more):
    body = {"matchers": matchers, "ends_at": at(3600), "comment": "we know", **more}
    return world.service.send("POST", "/api/v1/silences", body, 201)


@pytest.mark.parametrize("matcher", ["targets", "host", "kind"])
def test_what_is_silenced_is_told_when_the_silence_ends(world, matcher):
    target = prepare(world)
    made = silence(world, {"targets": {"targets": [target["id"]]}, "host": {"host": "*.shop.test"}, "kind": {"kind": ["pin.rejected"]}}[matcher])
    assert made["state"] == "active" and made["alerts"] == 0
    drift(world)
    held = alert(world, "silenced")
    assert held["silenced_by"] == made["id"]
    seen = world.hosts[NAME].connections
    peers.wait_until(lambda: world.hosts[NAME].connections > seen, PERIOD + 5, "another scan")
    assert not world.receiver.messages and not world.service.items("deliveries")
    assert world.service.get(f"/api/v1/silences/{made['id']}")["alerts"] == 1

    world.service.send("DELETE", f"/api/v1/silences/{made['id']}", status=204)
    opened = world.receiver.wait(lambda message: message["type"] == "alert.opened", 8)
    assert opened["data"]["alert"]["id"] == held["id"]
    assert alert(world, "open")["silenced_by"] is None
    assert world.service.get(f"/api/v1/silences/{made['id']}")["state"] == "ended"


def test_a_silence_ends_by_the_clock(world):
    target = prepare(world)
    made = silence(world, {"targets": [target["id"]]}, ends_at=at(PERIOD + 10))
    drift(world)
    alert(world, "silenced")
    assert not world.receiver.messages
    opened = world.receiver.wait(lambda message: message["type"] == "alert.opened", PERIOD + 15)
    assert peers.seconds(opened["timestamp"]) >= peers.seconds(made["ends_at"])


def test_what_is_open_is_silenced_as_the_preview_said(world):
    target = prepare(world)
    drift(world)
    opened = world.receiver.wait(lambda message: message["type"] == "alert.opened", PERIOD + 8)
    body = {"matchers": {"targets": [target["id"]]}, "ends_at": at(3600), "comment": "x"}
    assert world.service.send("POST", "/api/v1/silences/preview", body)["alert_count"] == 1
    silence(world, {"targets": [target["id"]]})
    assert alert(world, "silenced")["id"] == opened["data"]["alert"]["id"]


def test_another_target_is_not_silenced(world):
    prepare(world)
    silence(world, {"host": "other.shop.test"})
    drift(world)
    world.receiver.wait(lambda message: message["type"] == "alert.opened", PERIOD + 8)


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/St_Johns", "UTC"])
def test_a_weekly_window_of_the_configuration(world, zone):
    now = datetime.datetime.now(zoneinfo.ZoneInfo(zone))
    begin, end = now - datetime.timedelta(minutes=90), now + datetime.timedelta(minutes=90)
    day = begin.strftime("%a").lower()
    world.extra = (f"silences:\n  - matchers: {{host: {NAME}}}\n    weekdays: [{day}]\n    from: \"{begin:%H:%M}\"\n"
                   f"    to: \"{end:%H:%M}\"\n    zone: {zone}\n    comment: patch night\n")
    prepare(world)
    made, = world.service.items("silences")
    assert made["state"] == "active" and made["managed_by"] == "config" and made["weekly"]["zone"] == zone
    drift(world)
    assert alert(world, "silenced")["silenced_by"] == made["id"]
    assert not world.receiver.messages
    assert "configuration file" in world.service.send("DELETE", f"/api/v1/silences/{made['id']}", status=409)["detail"]
    world.extra = ""
    world.service.configure(world.configuration())
    world.service.send("POST", "/api/v1/settings/reload")
    world.receiver.wait(lambda message: message["type"] == "alert.opened", 8)
