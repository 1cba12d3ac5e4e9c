"""A certificate that is rolled out over four addresses, taken back, and rolled out again: the store tells which address served
which key when, the rollout is told once at its beginning and once at its end, and the alert is one."""

import peers
import pki
import pytest
from world import World

HOST = "api.shop.test"
ADDRESSES = [f"127.0.0.{last}" for last in (1, 2, 3, 4)]


class Fleet(World):
    """One name behind four addresses of loopback, each with a server of its own on one port."""

    def __init__(self, folder):
        super().__init__(folder)
        self.old, key = self.authority.issue(HOST)
        self.new, self.new_key = self.authority.issue(HOST)
        self.old_pin = pki.pin(key)
        first = peers.Host(self.old, (ADDRESSES[0], 0))
        self.nodes = [first] + [peers.Host(self.old, (address, first.port)) for address in ADDRESSES[1:]]
        self.pins("shop", HOST, self.old_pin, pki.pin(pki.new_key()))
        self.extra = (
            # Else what comes and goes within an hour would count as nodes behind one address.
            "thresholds: {flap_window: 0s}\n"
            f"targets:\n  - {{host: {HOST}, port: {first.port}, addresses: [{', '.join(ADDRESSES)}], trust_store: lab}}\n")
        plain = self.configuration
        self.configuration = lambda: plain().replace("targets: []\n", "", 1).replace("period: 2s", "period: 1s")

    def show(self, *news):
        """Which of the nodes serve the new certificate."""
        for number, node in enumerate(self.nodes):
            node.serve(self.new if number in news else self.old)

    def serving(self, pin):
        """Addresses on which a key is served now, by the store."""
        target = self.service.items("targets")[0]["id"]
        return {
            one["address"] for span in self.service.items(f"targets/{target}/spans") if span["spki"] == pin and span["open"]
            for one in span["addresses"] if one["current"]}

    def events(self, kind):
        return [one for one in self.service.items("events?limit=200") if one["kind"] == kind]

    def until(self, count):
        new = pki.pin(self.new_key)
        peers.wait_until(
            lambda: len(self.serving(new)) == count and len(self.serving(self.old_pin)) == 4 - count, 20,
            f"{count} addresses with the new key")


@pytest.fixture
def fleet(tmp_path):
    fleet = Fleet(tmp_path)
    yield fleet
    fleet.stop()
    for node in fleet.nodes:
        node.stop()


def test_a_rollout_over_four_addresses_with_a_rollback_is_told_whole(fleet):
    fleet.start()
    fleet.scanned(HOST)
    fleet.until(0)
    for news in ([0], [0, 1], [], [0], [0, 1, 2], [0, 1, 2, 3]):
        fleet.show(*news)
        fleet.until(len(news))
    started, ended = fleet.events("rollout.started"), fleet.events("rollout.ended")
    assert [one["summary"].split(": ")[-1] for one in started] == ["1 of 4 addresses serve it."] * 2
    assert ["went back" in one["summary"] for one in ended] == [False, True]
    rejected = fleet.service.items("alerts?kind=pin.rejected") or fleet.service.items("alerts")
    assert len([one for one in rejected if one["finding_key"].startswith("pin.rejected")]) <= 2, "before and after the rollback"
