"""Servers that hold an RSA and an ECDSA certificate: both are seen, pinned, and told when they come and go."""

import json

import peers
import pki
import pytest
import servers
import service
from service import run

HOST = "api.shop.test"


def write(folder, name, identity):
    certificate, _, key = identity.partition(b"-----BEGIN PRIVATE KEY-----")
    (folder / f"{name}.crt").write_bytes(certificate)
    (folder / f"{name}.key").write_bytes(b"-----BEGIN PRIVATE KEY-----" + key)
    return [f"ssl_certificate {folder}/{name}.crt", f"ssl_certificate_key {folder}/{name}.key"]


class Dual:
    """nginx with one certificate of each kind, or of one."""

    def __init__(self, folder):
        self.folder = folder
        self.authority = pki.Authority()
        (folder / "root.pem").write_bytes(self.authority.pem)
        self.keys = {"ecdsa": pki.new_key(), "rsa": pki.rsa_key()}
        self.lines = {kind: write(folder, kind, self.authority.issue(HOST, key=key)[0]) for kind, key in self.keys.items()}

    def lines_of(self, *kinds):
        return [line for kind in kinds for line in self.lines[kind]]

    def serve(self, *kinds):
        return servers.nginx(self.folder, *self.lines_of(*kinds), "ssl_protocols TLSv1.2 TLSv1.3")

    def pin(self, kind):
        return pki.pin(self.keys[kind])


@pytest.fixture
def dual(tmp_path):
    return Dual(tmp_path)


@pytest.mark.parametrize("kinds, words", [
    (("ecdsa", "rsa"), ["ok", "ok", "ok"]), (("ecdsa",), ["ok", "ok", "no_such_key_family"]),
    (("rsa",), ["ok", "no_such_key_family", "ok"]),
], ids=["both", "ecdsa alone", "rsa alone"])
def test_a_scan_shows_the_leaf_of_each_family(dual, kinds, words):
    with dual.serve(*kinds) as server:
        status, out, _ = run("scan", f"{HOST}:{server.port}", "--address", "127.0.0.1", "--ca-file", dual.folder / "root.pem", "--json")
        pins = run("pins", f"{HOST}:{server.port}", "--address", "127.0.0.1")[1].split()
    seen = json.loads(out)
    assert status == 0
    assert [one["profile"] for one in seen] == ["phone", "ecdsa", "rsa"] and [one["outcome"] for one in seen] == words
    leaves = {one["key_family"]: one["certificates"][0]["spki"] for one in seen if one["chain"]}
    assert leaves == {kind: dual.pin(kind) for kind in kinds}
    assert set(pins) == {dual.pin(kind) for kind in kinds}


def test_a_check_judges_the_key_that_phones_do_not_get(dual):
    (dual.folder / "pins.yaml").write_text(
        f"pinwatch: 1\napp: shop\nrelease: '1'\nclient: okhttp\npolicy:\n  pins: [{{pattern: {HOST}, pins: ['{dual.pin('ecdsa')}']}}]\n")
    with dual.serve("ecdsa", "rsa") as server:
        status, out, _ = run("check", f"{HOST}:{server.port}", "--address", "127.0.0.1", "--ca-file", dual.folder / "root.pem",
                             "--pins", dual.folder / "pins.yaml", "--json")
    assert status == 1 and [one["verdict"] for one in json.loads(out)] == ["accept", "reject_pin"]


def test_families_that_come_and_go_are_told_and_judged(dual):
    """An RSA certificate is added beside the pinned ECDSA one, and taken away again: the service finds both by its narrowed
    hellos, rejects the unpinned one at its addresses, and takes that back."""
    identities = {kind: dual.authority.issue(HOST, key=key)[0] for kind, key in dual.keys.items()}
    host = peers.Host(identities["ecdsa"])
    (dual.folder / "pins.yaml").write_text(
        f"pinwatch: 1\napp: shop\nrelease: '1'\nclient: generic\npolicy:\n  hosts:\n    - host: {HOST}\n      match: leaf\n"
        f"      pins: ['{dual.pin('ecdsa')}', 'sha256/{'A' * 43}=']\n")
    running = service.Service(dual.folder, (
        "listen: 127.0.0.1:0\ndatabase: pinwatch.db\nscan: {period: 1s, timeout: 2s, narrowed_every: 2s}\n"
        "trust_stores: {system: system, lab: {file: root.pem}}\n"
        f"targets:\n  - {{host: {HOST}, port: {host.port}, addresses: [127.0.0.1], trust_store: lab}}\n"
        "pin_sets: [pins.yaml]\n")).start()

    def events(kind):
        return [one for one in running.items("events") if one["kind"] == kind]

    def families():
        target = running.items("targets")[0]
        return {one["key_family"] for one in running.items(f"targets/{target['id']}/spans") if one["open"]}

    def rejections():
        return [one for one in running.items("findings") if one["kind"] == "pin.rejected"]

    try:
        peers.wait_until(lambda: families() == {"ecdsa"}, 15, "the first scan")
        host.serve(*identities.values())
        peers.wait_until(lambda: families() == {"ecdsa", "rsa"}, 20, "the RSA certificate")
        assert "an RSA key beside an ECDSA one" in events("family.appeared")[0]["summary"]
        finding, = peers.wait_until(rejections, 10, "the rejection")
        assert finding["scope"] == {"affected": 1, "of": 2}
        host.serve(identities["ecdsa"])
        peers.wait_until(lambda: families() == {"ecdsa"}, 20, "its end")
        assert len(events("family.disappeared")) == 1 and not events("key.changed")
        peers.wait_until(lambda: not rejections(), 10, "the end of the rejection")
    finally:
        running.stop()
        host.stop()
