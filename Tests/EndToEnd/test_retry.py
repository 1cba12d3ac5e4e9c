"""Deliveries sent again by hand."""

import peers
import pki
from world import PERIOD

NAME = "api.shop.test"


def owed(world, status):
    """A delivery that the receiver refused, as it is after its first try."""
    world.receiver.status = status
    world.host(NAME)
    world.pins("shop", NAME, pki.pin(world.keys[NAME]), pki.pin(pki.new_key()))
    world.start()
    world.scanned(NAME)
    world.hosts[NAME].serve(world.authority.issue(NAME)[0])
    return peers.wait_until(
        lambda: next((one for one in world.service.items("deliveries") if one["attempts"]), None), PERIOD + 10, "the first try")


def retry(world, delivery, status=202):
    return world.service.send("POST", f"/api/v1/deliveries/{delivery['id']}/retry", status=status)


def delivered(world, delivery):
    return peers.wait_until(
        lambda: (found := world.service.get(f"/api/v1/deliveries/{delivery['id']}"))["state"] == "delivered" and found, 8, "the delivery")


def ids(world):
    return {message["id"] for message in world.receiver.messages}


def test_what_is_dead_is_sent_again_under_its_id(world):
    dead = owed(world, 410)
    assert dead["state"] == "dead"
    world.receiver.status = 204
    made = retry(world, dead)
    assert made["id"] == dead["id"] and made["state"] == "pending"
    found = delivered(world, dead)
    assert [attempt["status"] for attempt in found["attempts"]] == [410, 204] and found["next_attempt_at"] is None
    assert found["message"]["id"] in ids(world) and len(ids(world)) == 1
    assert "arrived" in retry(world, dead, 409)["detail"]
    assert world.service.items("audit?action=delivery.retry")[0]["object"]["id"] == dead["id"]


def test_what_waits_for_its_next_try_is_tried_now(world):
    world.receiver.headers = {"Retry-After": "3600"}
    pending = owed(world, 429)
    assert pending["state"] == "pending"
    world.receiver.status, world.receiver.headers = 204, {}
    retry(world, pending)
    assert len(delivered(world, pending)["attempts"]) == 2


def test_tries_are_kept_over_a_restart(world):
    dead = owed(world, 410)
    world.receiver.status = 503
    retry(world, dead)
    peers.wait_until(lambda: len(world.service.get(f"/api/v1/deliveries/{dead['id']}")["attempts"]) == 2, 8, "the second try")
    world.service.stop(kill=True)
    world.receiver.status = 204
    world.start()
    assert len(world.service.get(f"/api/v1/deliveries/{dead['id']}")["attempts"]) >= 2
    retry(world, dead)
    delivered(world, dead)


def test_what_is_not_there_cannot_be_retried(world):
    world.start()
    for wrong in ("1", "x", "0", "99999999999999999999"):
        retry(world, {"id": wrong}, 404)
