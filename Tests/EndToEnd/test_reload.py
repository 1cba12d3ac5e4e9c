"""The configuration read again: by SIGHUP and by the API, while scanning goes on."""

import peers
import pki
import pytest
from world import PERIOD

FIRST, SECOND = "first.shop.test", "second.shop.test"


@pytest.fixture
def pinned(world):
    """A world of one host whose pins fit."""
    host = world.host(FIRST)
    world.pins("shop", FIRST, pki.pin(world.keys[FIRST]), pki.pin(pki.new_key()))
    world.start()
    world.scanned(FIRST)
    world.pinned = host
    return world


def by_signal(world):
    before = len(world.service.logged("read again"))
    world.service.configure(world.configuration())
    world.service.signal()
    peers.wait_until(lambda: len(world.service.logged("read again")) > before, 10, "the reload")


def by_api(world):
    world.service.configure(world.configuration())
    return world.service.send("POST", "/api/v1/settings/reload")


WAYS = pytest.mark.parametrize("reload", [by_signal, by_api])


def hosts(world):
    return {target["host"]: target for target in world.service.items("targets")}


@WAYS
def test_targets_come_change_and_go(pinned, reload):
    pinned.host(SECOND)
    pinned.extra = "thresholds: {failing_after: 7}\n"
    reload(pinned)
    assert pinned.scanned(SECOND)["managed_by"] == "config"
    plain = pinned.configuration
    pinned.configuration = lambda: plain().replace(f"{{host: {SECOND}, ", f"{{host: {SECOND}, period: 1h, ")
    reload(pinned)
    assert hosts(pinned)[SECOND]["period_s"] == 3600
    assert pinned.service.get("/api/v1/settings")["thresholds"]["failing_after"] == 7
    pinned.hosts.pop(SECOND).stop()
    reload(pinned)
    assert list(hosts(pinned)) == [FIRST]
    entry = pinned.service.items("audit?action=settings.reload")[0]
    assert entry["actor"]["via"] == ("signal" if reload is by_signal else "loopback")
    removed = entry["changes"]["configuration"]["to"]
    assert [(change["section"], change["what"]) for change in removed] == [("targets", "removed")]
    assert removed[0]["name"].startswith(SECOND)
    seen = pinned.pinned.connections
    peers.wait_until(lambda: pinned.pinned.connections > seen, PERIOD + 5, "a scan of the host that stayed")


@WAYS
def test_a_changed_pin_file_changes_the_verdict(pinned, reload):
    pinned.pins("shop", FIRST, pki.pin(pki.new_key()), pki.pin(pki.new_key()))
    reload(pinned)
    opened = pinned.receiver.wait(lambda message: message["type"] == "alert.opened", PERIOD + 5)
    assert opened["data"]["finding"]["kind"] == "pin.rejected"
    pinned.pins("shop", FIRST, pki.pin(pinned.keys[FIRST]), pki.pin(pki.new_key()))
    reload(pinned)
    pinned.receiver.wait(lambda message: message["type"] == "alert.resolved", PERIOD + 5)


@WAYS
def test_channels_are_taken_over(pinned, reload):
    other = peers.Receiver(pinned.receiver.secret)
    (pinned.folder / "other.url").write_text(other.url)
    plain = pinned.configuration
    pinned.configuration = lambda: plain().replace(
        "channels:\n", "channels:\n  - {name: other, type: webhook, url: {file: other.url}, secret: {env: OPS_SECRET}, allow_private: true}\n"
    ).replace("channels: [ops]", "channels: [other]")
    reload(pinned)
    pinned.pinned.serve(pinned.authority.issue(FIRST)[0])
    other.wait(lambda message: message["type"] == "alert.opened", PERIOD + 5)
    assert not pinned.receiver.messages
    other.stop()


def test_what_changed_is_said(pinned):
    pinned.host(SECOND)
    said = by_api(pinned)
    assert said["changed"] and said["restart_needed"] == []
    assert [(one["section"], one["what"]) for one in said["changes"]] == [("targets", "added")]
    assert SECOND in said["changes"][0]["name"]
    said = by_api(pinned)
    assert not said["changed"] and said["changes"] == []


def test_what_is_read_at_a_start_only_waits_for_one(pinned):
    pinned.extra = "public_url: https://pins.example.com\n"
    said = by_api(pinned)
    assert said["restart_needed"] == ["public_url"] and not said["changed"]
    shown = pinned.service.get("/api/v1/settings")
    assert shown["restart_needed"] == ["public_url"] and shown["public_url"] is None
    pinned.extra = ""
    assert by_api(pinned)["restart_needed"] == []


FAULTS = {
    "an unknown key": ("colour: red\n", 1),
    "a wrong unit": ("thresholds: {near: 21x}\n", 20),
    "a channel that nobody has": ("", None),
    "a faulty pin file": ("", None),
}


@WAYS
@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_file_changes_nothing(pinned, reload, fault):
    pinned.extra, column = FAULTS[fault]
    pinned.host(SECOND)
    text = pinned.configuration()
    if fault == "a channel that nobody has":
        text = text.replace("channels: [ops]", "channels: [nobody]")
    if fault == "a faulty pin file":
        (pinned.folder / "shop.yaml").write_text("pinwatch: 1\napp: shop\ncolour: red\n")
    pinned.service.configure(text)
    before = pinned.service.get("/api/v1/settings")
    if reload is by_api:
        said = pinned.service.send("POST", "/api/v1/settings/reload", status=422)
        fields = [error["field"] for error in said["errors"]]
        file = "shop.yaml" if fault == "a faulty pin file" else "pinwatch.yaml"
        assert fields and all(file in field and field.rsplit(":", 2)[1].isdigit() for field in fields)
        if column:
            assert fields == [f"{pinned.service.config}:{len(text.splitlines())}:{column}"]
    else:
        pinned.service.signal()
        peers.wait_until(lambda: pinned.service.logged("that was in force stays"), 10, "the refusal")
    assert pinned.service.get("/api/v1/settings") == before and list(hosts(pinned)) == [FIRST]
    seen = pinned.pinned.connections
    peers.wait_until(lambda: pinned.pinned.connections > seen, PERIOD + 5, "a scan")


def test_a_file_that_is_gone_changes_nothing(pinned):
    pinned.service.config.unlink()
    said = pinned.service.send("POST", "/api/v1/settings/reload", status=422)
    assert "pinwatch.yaml" in str(said) and list(hosts(pinned)) == [FIRST]


def test_it_goes_on_scanning_through_many_reloads(pinned):
    for number in range(20):
        pinned.extra = f"thresholds: {{failing_after: {3 + number}}}\n"
        by_api(pinned)
        pinned.service.signal()
    assert pinned.service.get("/api/v1/settings")["thresholds"]["failing_after"] == 22
    seen = pinned.pinned.connections
    peers.wait_until(lambda: pinned.pinned.connections > seen + 1, 2 * PERIOD + 5, "two scans")
    assert not pinned.service.items("findings")
