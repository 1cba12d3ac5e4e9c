"""Each fault of a chain is told as its own finding, over hosts that have one each, and one that has none."""

import peers
import pki
import pytest
from world import PERIOD

FAULTS = {
    "healthy.shop.test": set(),
    "incomplete.shop.test": {"chain.incomplete"},
    "proxied.shop.test": {"chain.invalid"},
    "selfsigned.shop.test": {"chain.invalid"},
    "stranger.shop.test": {"chain.invalid"},
    "expired.shop.test": {"certificate.expiry"},
    "early.shop.test": {"certificate.not_yet_valid"},
    "named.shop.test": {"hostname.mismatch"},
    "nobackup.shop.test": {"pin.no_backup"},
    "silent.shop.test": {"scan.failing"},
}


@pytest.fixture
def faulty(world):
    root, below = world.authority, world.authority.subordinate("Test Issuing")
    stranger = pki.Authority("Stranger")
    # Its root is not sent, as intercepting proxies do.
    proxy = stranger.subordinate("Proxy")
    identities = {
        "healthy.shop.test": root.issue("healthy.shop.test"),
        "incomplete.shop.test": below.issue("incomplete.shop.test", issuer_at="http://ca.test/issuing.crt"),
        "proxied.shop.test": (proxy.issue("proxied.shop.test")[0] + proxy.pem, None),
        "selfsigned.shop.test": (pki.self_signed("selfsigned.shop.test"), None),
        "stranger.shop.test": (stranger.issue("stranger.shop.test")[0] + stranger.pem, None),
        "expired.shop.test": root.issue("expired.shop.test", days=-1, started=60),
        "early.shop.test": root.issue("early.shop.test", started=-2),
        "named.shop.test": root.issue("other.shop.test"),
        "nobackup.shop.test": root.issue("nobackup.shop.test"),
        "silent.shop.test": root.issue("silent.shop.test"),
    }
    for name, (identity, _) in identities.items():
        world.host(name, identity)
    world.hosts["silent.shop.test"].stop()
    world.pins("shop", "healthy.shop.test", pki.pin(identities["healthy.shop.test"][1]), pki.pin(pki.new_key()))
    world.pins("wallet", "nobackup.shop.test", pki.pin(identities["nobackup.shop.test"][1]))
    world.start()
    return world


def test_each_fault_has_its_finding_and_no_other(faulty):
    def kinds():
        hosts = {target["id"]: target["host"] for target in faulty.service.items("targets")}
        found = {host: set() for host in hosts.values()}
        for finding in faulty.service.items("findings"):
            if finding["kind"] == "pin.no_backup":
                found["nobackup.shop.test"].add(finding["kind"])
            elif finding["kind"] != "host.unpinned":
                found[hosts[finding["target_id"]]].add(finding["kind"])
        return found if found == FAULTS else None
    try:
        peers.wait_until(kinds, PERIOD * 3 + 15, "every finding")
    except AssertionError as error:
        raise AssertionError(str([(f["kind"], f["subject"], f["summary"]) for f in faulty.service.items("findings")])) from error
    states = {target["host"]: target["state"] for target in faulty.service.items("targets")}
    assert states["healthy.shop.test"] == "ok" and states["expired.shop.test"] == "critical"
    metrics = faulty.service.get("/metrics")
    assert "pinwatch_" in metrics and "# TYPE" in metrics


def test_a_missing_intermediate_is_named_once_it_was_served_also_after_a_restart(world):
    below = world.authority.subordinate("Test Issuing")
    bare = below.issue("bare.shop.test", issuer_at="http://ca.test/issuing.crt")[0]
    host = world.host("bare.shop.test", below.issue("bare.shop.test", issuer_at="http://ca.test/issuing.crt")[0] + below.pem)
    world.start()
    world.scanned("bare.shop.test")
    assert not world.service.items("findings?kind=chain.incomplete")
    world.service.stop()
    host.serve(bare)
    world.service.start()
    (finding,) = peers.wait_until(lambda: world.service.items("findings?kind=chain.incomplete"), 15, "the finding")
    sha256 = pki.fingerprint(below.certificate)
    assert finding["evidence"]["missing_issuer"]["known"] == [sha256] and "served before" in finding["next_step"]
    assert "BEGIN CERTIFICATE" in world.service.get(f"/api/v1/certificates/{sha256}.pem")
