"""What is out of date about a server is told as findings, and that a leaf lost its signed certificate timestamps as an event."""

import contextlib
import json

import peers
import pki
import pytest
import servers
import service
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from service import run

HOST = "old.shop.test"
# RFC 2409 section 6.2: 1,024 bits.
PRIME = """-----BEGIN DH PARAMETERS-----
MIGHAoGBAP//////////yQ/aoiFowjTExmKLgNwc0SkCTgiKZ8x0Agu+pjsTmyJR
Sgh5jjQE3e+VGbPNOkMbMCsKbfJfFDdP4TVtbVHCReSFtXZiXn7G9ExC6aY37WsL
/1y29Aa37e44a/taiZ+lrp8kEXxLH+ZJKGZR7OZTgf//////////AgEC
-----END DH PARAMETERS-----
"""


class Old:
    """`openssl s_server` with an RSA certificate of a laboratory's authority, restarted on one port as it is mended."""

    def __init__(self, folder):
        self.folder = folder
        self.authority = pki.Authority()
        (folder / "root.pem").write_bytes(self.authority.pem)
        (folder / "prime.pem").write_text(PRIME)
        (folder / "server.pem").write_bytes(self.authority.issue(HOST, key=pki.rsa_key())[0])
        self.port = servers.free_port()

    def serve(self, *options):
        return servers.child(
            ["openssl", "s_server", "-accept", f"127.0.0.1:{self.port}", "-www", "-cert", self.folder / "server.pem", *options], self.port)

    def diffie_hellman(self, *options):
        return self.serve("-dhparam", self.folder / "prime.pem", "-cipher", "DHE-RSA-AES128-SHA:@SECLEVEL=0", *options)

    def watched(self, port=None):
        return service.Service(self.folder, (
            "listen: 127.0.0.1:0\ndatabase: pinwatch.db\nscan: {period: 1s, timeout: 2s}\n"
            "trust_stores: {system: system, lab: {file: root.pem}}\n"
            f"targets:\n  - {{host: {HOST}, port: {port or self.port}, addresses: [127.0.0.1], trust_store: lab}}\n"))


@pytest.fixture
def old(tmp_path):
    return Old(tmp_path)


def test_a_scan_names_the_weak_prime(old):
    with old.diffie_hellman("-tls1_2"):
        _, out, _ = run("scan", f"{HOST}:{old.port}", "--address", "127.0.0.1", "--ca-file", old.folder / "root.pem", "--json")
    seen = {one["profile"]: one for one in json.loads(out)}
    assert seen["phone"]["outcome"] == "alert" and seen["phone"]["weak"] == []
    assert seen["legacy"]["outcome"] == "ok" and seen["legacy"]["chain"] and seen["legacy"]["weak"] == ["dh_1024"]


def test_each_cause_is_a_finding_until_the_server_is_mended(old):
    running = old.watched()

    def causes():
        return {one["key"].rsplit("/", 1)[1] for one in running.items("findings") if one["kind"] == "crypto.weak"}

    try:
        with old.diffie_hellman("-tls1"):
            running.start()
            peers.wait_until(lambda: causes() == {"dh_1024", "tls1.0", "legacy_hello"}, 20, "every cause")
            found = {one["key"].rsplit("/", 1)[1]: one for one in running.items("findings") if one["kind"] == "crypto.weak"}
            assert all(one["severity"] == "warning" and one["scope"] == {"affected": 1, "of": 1} for one in found.values())
            assert found["dh_1024"]["evidence"]["handshakes"][0]["dh_bits"] == 1024
            assert "TLS 1.0" in found["tls1.0"]["summary"] and "phones" in found["legacy_hello"]["summary"]
        peers.wait_until(lambda: all(one["stale"] for one in running.items("findings") if one["kind"] == "crypto.weak"), 20, "the silence")
        assert causes() == {"dh_1024", "tls1.0", "legacy_hello"}
        with old.diffie_hellman("-tls1_2"):
            peers.wait_until(lambda: causes() == {"dh_1024", "legacy_hello"}, 20, "the end of TLS 1.0")
        with old.serve():
            peers.wait_until(lambda: not causes(), 20, "the end of all")
    finally:
        running.stop()


def stamped(authority):
    """A certificate with two signed certificate timestamps inside (RFC 6962 section 3.3), which no log gave."""
    one = bytes([0]) + bytes(32) + bytes(8) + bytes(2) + bytes([4, 3, 0, 1, 0])
    entries = (len(one).to_bytes(2) + one) * 2
    text = len(entries).to_bytes(2) + entries
    value = bytes([4, 0x81, len(text)]) + text if len(text) > 127 else bytes([4, len(text)]) + text
    pem, key = authority.issue(HOST)
    before = x509.load_pem_x509_certificate(pem)
    builder = (
        x509.CertificateBuilder().subject_name(before.subject).issuer_name(before.issuer).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(before.not_valid_before_utc).not_valid_after(before.not_valid_after_utc)
    )
    for extension in before.extensions:
        builder = builder.add_extension(extension.value, extension.critical)
    listed = x509.UnrecognizedExtension(x509.ObjectIdentifier("1.3.6.1.4.1.11129.2.4.2"), value)
    certificate = builder.add_extension(listed, False).sign(authority.key, hashes.SHA256())
    _, mark, private = pem.partition(b"-----BEGIN PRIVATE KEY-----")
    return certificate.public_bytes(serialization.Encoding.PEM) + mark + private


def test_timestamps_that_go_are_an_event_once(old):
    with_timestamps, without = stamped(old.authority), old.authority.issue(HOST)[0]
    host = peers.Host(with_timestamps)
    running = old.watched(host.port)

    def drops():
        return [one for one in running.items("events") if one["kind"] == "sct.dropped"]

    def scans():
        target = running.items("targets")[0]
        return sum(one["times"] for one in running.items(f"targets/{target['id']}/observations") if one["profile"] == "phone")

    with contextlib.ExitStack() as ends:
        ends.callback(host.stop)
        running.start()
        ends.callback(running.stop)
        peers.wait_until(lambda: scans() >= 2, 15, "the first scans")
        assert not drops()
        host.serve(without)
        event, = peers.wait_until(drops, 15, "the event")
        assert event["subject"].startswith(HOST) and not event["quiet"] and event["evidence"]["addresses"] == ["127.0.0.1"]
        seen = scans()
        peers.wait_until(lambda: scans() >= seen + 3, 15, "further scans")
        assert len(drops()) == 1
