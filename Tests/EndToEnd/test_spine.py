"""A rotated key becomes a signed webhook, and nothing is lost."""

import signal
import socket

import peers
import pki
import service
from world import PERIOD

NAME = "api.shop.test"


def rejected(world):
    return [f for f in world.service.items("findings") if f["kind"] == "pin.rejected"]


def pinned_world(world):
    host = world.host(NAME)
    backup = pki.new_key()
    world.pins("shop", NAME, pki.pin(world.keys[NAME]), pki.pin(backup))
    world.start()
    target = world.scanned(NAME)
    return host, backup, target


def test_a_key_outside_its_pins_is_told_within_a_period_and_five_seconds(world):
    first, key = world.authority.issue(NAME)
    host = world.host(NAME, first)
    world.pins("shop", NAME, pki.pin(key), pki.pin(pki.new_key()))
    world.start()
    target = world.scanned(NAME)
    assert not rejected(world)

    stranger, _ = world.authority.issue(NAME)
    host.serve(stranger)
    opened = world.receiver.wait(lambda m: m["type"] == "alert.opened", PERIOD + 5)
    assert opened["data"]["finding"]["kind"] == "pin.rejected"
    assert opened["data"]["finding"]["severity"] == "critical"
    assert opened["data"]["subjects"][0]["host"] == NAME
    assert not world.receiver.refused

    finding, = rejected(world)
    assert finding["target_id"] == target["id"]
    assert finding["scope"] == {"affected": 1, "of": 1}
    spans = world.service.items(f"targets/{target['id']}/spans")
    assert len(spans) == 2
    assert sorted(span["open"] for span in spans) == [False, True]
    first_span = min(spans, key=lambda span: int(span["id"]))

    host.serve(first)
    resolved = world.receiver.wait(lambda m: m["type"] == "alert.resolved", PERIOD + 5)
    assert resolved["data"]["alert"]["id"] == opened["data"]["alert"]["id"]
    assert not rejected(world)
    spans = {span["id"]: span for span in world.service.items(f"targets/{target['id']}/spans")}
    assert len(spans) == 2
    assert spans[first_span["id"]]["flaps"] == 1 and spans[first_span["id"]]["open"]
    types = [m["type"] for m in world.receiver.messages if m["data"]["finding"]["kind"] == "pin.rejected"]
    assert types == ["alert.opened", "alert.resolved"]


def test_a_restart_between_any_two_steps_changes_nothing(world):
    first, key = world.authority.issue(NAME)
    host = world.host(NAME, first)
    world.pins("shop", NAME, pki.pin(key), pki.pin(pki.new_key()))
    world.start()
    target = world.scanned(NAME)
    world.service.stop(kill=True)

    stranger, _ = world.authority.issue(NAME)
    host.serve(stranger)
    world.start()
    world.receiver.wait(lambda m: m["type"] == "alert.opened", PERIOD + 5)
    world.service.stop(kill=True)
    world.start()
    world.scanned(NAME)
    peers.wait_until(lambda: rejected(world), 10, "the finding")
    world.service.stop(kill=True)

    host.serve(first)
    world.start()
    world.receiver.wait(lambda m: m["type"] == "alert.resolved", PERIOD + 5)
    spans = world.service.items(f"targets/{target['id']}/spans")
    assert len(spans) == 2
    assert sorted(span["flaps"] for span in spans) == [0, 1]
    told = [m for m in world.receiver.messages if m["data"]["finding"]["kind"] == "pin.rejected"]
    assert [m["type"] for m in {m["id"]: m for m in told}.values()] == ["alert.opened", "alert.resolved"]


def test_a_renewal_with_the_same_key_is_quiet(world):
    host, _, target = pinned_world(world)
    renewed, _ = world.authority.issue(NAME, key=world.keys[NAME], days=120)
    host.serve(renewed)
    event, = peers.wait_until(
        lambda: [e for e in world.service.items("events") if e["kind"] == "key.changed"], PERIOD + 5, "the event")
    assert event["class"] == "same_key_renewed" and event["quiet"]
    assert not world.receiver.messages
    assert len(world.service.items(f"targets/{target['id']}/spans")) == 2


def test_a_move_to_the_backup_pin_is_an_event_and_no_alert(world):
    host, backup, _ = pinned_world(world)
    moved, _ = world.authority.issue(NAME, key=backup)
    host.serve(moved)
    event, = peers.wait_until(
        lambda: [e for e in world.service.items("events") if e["kind"] == "key.changed"], PERIOD + 5, "the event")
    assert event["class"] == "to_pin_of_all" and not event["quiet"]
    assert not rejected(world)
    assert not world.receiver.messages


def test_a_host_that_stops_answering_keeps_its_findings_marked_stale(world):
    host, _, _ = pinned_world(world)
    stranger, _ = world.authority.issue(NAME)
    host.serve(stranger)
    peers.wait_until(lambda: rejected(world), PERIOD + 5, "the finding")
    host.stop()
    failing = peers.wait_until(
        lambda: [f for f in world.service.items("findings") if f["kind"] == "scan.failing"],
        PERIOD * 3 + 10, "scan.failing")
    assert failing[0]["severity"] == "warning"
    stale = peers.wait_until(lambda: [f for f in rejected(world) if f["stale"]], 10, "the stale mark")
    assert stale[0]["severity"] == "critical"


def test_an_expired_certificate_is_kept_shown_and_told(world):
    expired, key = world.authority.issue(NAME, days=-1, started=60)
    world.host(NAME, expired)
    world.pins("shop", NAME, pki.pin(key), pki.pin(pki.new_key()))
    world.start()
    target = world.scanned(NAME)
    told = world.receiver.wait(lambda m: m["data"]["finding"]["kind"] == "certificate.expiry", PERIOD + 5)
    assert told["data"]["finding"]["stage"] == "expired"
    assert world.service.get(f"/api/v1/targets/{target['id']}")["leaf"]["not_after"] is not None
    kinds = {f["kind"] for f in world.service.items("findings")}
    assert "chain.invalid" not in kinds


def test_a_receiver_that_is_down_gets_the_same_message_later(world):
    host, _, _ = pinned_world(world)
    world.receiver.status = 500
    stranger, _ = world.authority.issue(NAME)
    host.serve(stranger)
    first = world.receiver.wait(lambda m: m["type"] == "alert.opened", PERIOD + 5)
    world.receiver.status = 204
    peers.wait_until(
        lambda: [d for d in world.service.items("deliveries") if d["state"] == "delivered"], 15, "the delivery")
    same = [m for m in world.receiver.messages if m["id"] == first["id"]]
    assert len(same) >= 2
    assert all(m == first for m in same)


def test_stopping_is_orderly(world):
    pinned_world(world)
    world.service.process.send_signal(signal.SIGTERM)
    assert world.service.process.wait(timeout=15) == 0


def test_a_hang_up_is_answered_in_the_log_and_ends_nothing(world):
    pinned_world(world)
    world.service.process.send_signal(signal.SIGHUP)
    peers.wait_until(lambda: world.service.logged("read again: nothing changed"), 5, "the line in the log")
    assert world.service.get("/readyz")["status"] == "ready"


def test_what_a_host_served_last_is_recorded_though_the_service_stops(world):
    """The scan is under way when the stop is asked for: a server that waits holds it open."""
    host, _, target = pinned_world(world)
    stranger, _ = world.authority.issue(NAME)
    host.pause = 1.0
    seen = host.connections
    host.serve(stranger)
    peers.wait_until(lambda: host.connections > seen, PERIOD + 5, "the next scan")
    world.service.process.send_signal(signal.SIGTERM)
    assert world.service.process.wait(timeout=20) == 0
    host.pause = 0
    world.start()
    assert len(world.service.items(f"targets/{target['id']}/spans")) == 2


def test_a_start_that_fails_changes_nothing_that_is_stored(world, tmp_path):
    host, _, target = pinned_world(world)
    world.service.stop()
    del world.hosts[NAME]
    world.pin_sets.clear()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        (tmp_path / "pinwatch.yaml").write_text(world.configuration())
        port = taken.getsockname()[1]
        status, _, words = service.run(
            "serve", "--config", tmp_path / "pinwatch.yaml", "--listen", f"127.0.0.1:{port}",
            "--public", service.ROOT / "Public",
            environment={"OPS_URL": world.receiver.url, "OPS_SECRET": world.receiver.secret})
    assert status == 2 and str(port) in words
    world.hosts[NAME] = host
    world.start()
    assert "target.removed" not in [event["kind"] for event in world.service.items("events")]
    assert world.scanned(NAME)["id"] == target["id"]
