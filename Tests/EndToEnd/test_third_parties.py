"""Inspection between the service and the hosts: of one host it is told as that, of many unrelated ones as the installation's own
view in doubt, once, with what it explains held back until it ends."""

import crash
import peers
import pki
import pytest
import service
from world import World

HOSTS = [f"api.{name}.test" for name in ("shop", "bank", "news", "mail", "maps")]


class Intercepted(World):
    """Hosts of five domains, and a gateway that can come between."""

    def __init__(self, folder):
        super().__init__(folder)
        gateway = pki.Authority("Zscaler Root CA")
        self.own, self.read = {}, {}
        for name in HOSTS:
            self.own[name], _ = self.authority.issue(name)
            self.read[name], _ = gateway.issue(name)
            self.host(name, self.own[name])
        self.extra = "  - {kind: [vantage.suspect, interception.suspected, chain.invalid], channels: [ops]}\n"

    def told(self):
        return [(one["type"], one["data"]["finding"]["kind"]) for one in self.receiver.messages]

    def open(self, kind):
        return [one for one in self.service.items("findings?limit=200") if one["kind"] == kind]

    def held(self):
        return [one for one in self.service.items("alerts?state=silenced&limit=200") if one["silenced_by"] == "vantage.suspect"]


@pytest.fixture
def world(tmp_path):
    world = Intercepted(tmp_path)
    world.start()
    for name in HOSTS:
        world.scanned(name)
    yield world
    world.stop()
    for host in world.hosts.values():
        host.stop()


def test_one_host_that_is_read_is_an_interception(world):
    name = HOSTS[0]
    world.hosts[name].serve(world.read[name])
    message = world.receiver.wait(lambda one: one["data"]["finding"]["kind"] == "interception.suspected", 20)
    finding = message["data"]["finding"]
    assert message["type"] == "alert.opened" and finding["severity"] == "critical"
    assert "reads the connection on its only address: Zscaler" in finding["summary"]
    assert finding["scope"] == {"affected": 1, "of": 1} and finding["evidence"]["products"] == ["Zscaler"]
    assert world.open("vantage.suspect") == [] and world.held() == []
    world.hosts[name].serve(world.own[name])
    world.receiver.wait(lambda one: one["type"] == "alert.resolved" and one["data"]["finding"]["kind"] == "interception.suspected", 20)


def test_many_that_are_read_are_told_once(world):
    for name in HOSTS:
        world.hosts[name].serve(world.read[name])
    message = world.receiver.wait(lambda one: one["data"]["finding"]["kind"] == "vantage.suspect", 20)
    assert message["type"] == "alert.opened" and "Zscaler" in message["data"]["finding"]["summary"]
    peers.wait_until(lambda: len(world.open("interception.suspected")) == 5 and len(world.open("chain.invalid")) == 5, 20, "all findings")
    peers.wait_until(lambda: len(world.held()) == 10, 20, "all alerts held back")
    # Two hosts at most have moved before the third one did.
    assert sum(1 for kind in world.told() if kind == ("alert.opened", "interception.suspected")) <= 2
    summary = world.service.get("/api/v1/summary")
    assert summary["verdict"] == "critical" and summary["broken"][0]["kind"] == "vantage.suspect"
    assert "5 targets of 5 unrelated domains" in summary["sentence"]

    world.service.stop(kill=True)
    before = world.told()
    world.service.start(environment={"OPS_URL": world.receiver.url, "OPS_SECRET": world.receiver.secret})
    for name in HOSTS:
        world.hosts[name].serve(world.own[name])
    world.receiver.wait(lambda one: one["type"] == "alert.resolved" and one["data"]["finding"]["kind"] == "vantage.suspect", 20)
    peers.wait_until(lambda: world.open("interception.suspected") == [] and world.held() == [], 20, "the end of all")
    assert [kind for kind in world.told()[len(before):] if kind[0] == "alert.opened"] == []


@pytest.mark.parametrize("point", ["store.record.after_authority", "store.record.after_suspicion"])
def test_a_service_killed_on_its_way_to_a_suspicion_tells_it_once(world, point):
    world.service.stop()
    for name in HOSTS:
        world.hosts[name].serve(world.read[name])
    world.service = service.Service(
        world.folder, world.configuration(), binary=service.DEBUG_BINARY,
        environment={"OPS_URL": world.receiver.url, "OPS_SECRET": world.receiver.secret})
    world.service.start({"PINWATCH_STOP_AT": point}, wait=False)
    crash.wait_until(lambda: crash.is_stopped(world.service.process), 30, point)
    assert ("alert.opened", "vantage.suspect") not in world.told()
    world.service.stop(kill=True)
    world.start()
    world.receiver.wait(lambda one: one["data"]["finding"]["kind"] == "vantage.suspect", 20)
    peers.wait_until(lambda: len(world.open("interception.suspected")) == 5 and len(world.held()) == 10, 20, "what it explains")
    assert world.told().count(("alert.opened", "vantage.suspect")) == 1
