"""Services that speak something else before TLS: every protocol of the contract, its refusals, and a watched target."""

import json
import time

import peers
import pki
import pytest
import switching
from service import run
from world import World


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("switching")
    authority = pki.Authority()
    (folder / "root.pem").write_bytes(authority.pem)
    identity, key = authority.issue("mail.shop.test")
    certificate, _, rest = identity.partition(b"-----BEGIN PRIVATE KEY-----")
    (folder / "mail.crt").write_bytes(certificate)
    (folder / "mail.key").write_bytes(b"-----BEGIN PRIVATE KEY-----" + rest)
    return folder, authority, pki.pin(key)


def serve(lab, talk):
    return switching.SwitchingHost(talk, lab[0] / "mail.crt", lab[0] / "mail.key")


def scan(lab, protocol, port, *more):
    status, out, err = run("scan", f"mail.shop.test:{port}", "--starttls", protocol, "--address", "127.0.0.1", "--ca-file",
                           lab[0] / "root.pem", "--json", *more)
    assert err == ""
    return status, json.loads(out)


@pytest.mark.parametrize("protocol", switching.AGREEING)
def test_a_certificate_behind_each_protocol_is_seen_by_every_hello(lab, protocol):
    with serve(lab, switching.AGREEING[protocol]) as host:
        status, seen = scan(lab, protocol, host.port)
    assert status == 0
    assert [(one["profile"], one["outcome"]) for one in seen] == [("phone", "ok"), ("ecdsa", "ok"), ("rsa", "no_such_key_family")]
    assert seen[0]["starttls"] == protocol and seen[0]["verification"]["valid"] and seen[0]["verification"]["host_matches"]


@pytest.mark.parametrize("talk, outcome, words", [
    (switching.lines(b"554 go away\r\n"), "starttls_refused", "554 go away"),
    (switching.lines(b"220 hi\r\n", (rb"EHLO", b"250 mail.test\r\n")), "starttls_refused", "does not offer STARTTLS"),
    (switching.lines(b"220 hi\r\n", switching.MAIL, (rb"STARTTLS", b"454 not now\r\n")), "starttls_refused", "454 not now"),
    (switching.lines(b"220 hi\r\n", switching.MAIL, (rb"STARTTLS", b"220 go\r\n250 injected\r\n")), "starttls_refused", "injected"),
    (lambda client: time.sleep(3), "handshake_timeout", "did not come to TLS by smtp"),
    (lambda client: client.close(), "closed", "before it agreed to TLS"),
], ids=["refused", "not offered", "not now", "injected", "silent", "closed"])
def test_a_server_that_does_not_switch_is_told_from_others(lab, talk, outcome, words):
    with serve(lab, talk) as host:
        status, seen = scan(lab, "smtp", host.port, "--timeout", "2")
    assert (status, [one["outcome"] for one in seen]) == (3, [outcome])
    assert words in seen[0]["detail"]["message"]


def test_the_port_is_the_protocols_own_and_an_unknown_protocol_is_refused():
    status, out, _ = run("scan", "127.0.0.1", "--starttls", "postgres", "--json", "--timeout", "1")
    assert status == 3 and json.loads(out)[0]["port"] == 5432
    status, out, _ = run("scan", "mysql://127.0.0.1", "--json", "--timeout", "1")
    assert status == 3 and (json.loads(out)[0]["port"], json.loads(out)[0]["starttls"]) == (3306, "mysql")
    status, out, err = run("scan", "127.0.0.1", "--starttls", "gopher")
    assert (status, out) == (2, "") and "smtp, lmtp, imap" in err


def test_a_watched_mail_server_is_spoken_to_at_every_scan(lab, tmp_path):
    folder, authority, pin = lab
    with serve(lab, switching.AGREEING["smtp"]) as host:
        world = World(tmp_path)
        world.authority = authority
        (tmp_path / "root.pem").write_bytes(authority.pem)
        world.pins("mail", "mail.shop.test", pin, "sha256/" + "A" * 43 + "=")
        world.extra = f"targets:\n  - {{host: mail.shop.test, port: {host.port}, starttls: smtp, addresses: [127.0.0.1], trust_store: lab}}\n"
        configuration = world.configuration().replace("targets: []\n", "", 1)
        import service
        running = world.service = service.Service(
            tmp_path, configuration, environment={"OPS_URL": world.receiver.url, "OPS_SECRET": world.receiver.secret}).start()
        try:
            target = peers.wait_until(
                lambda: next((one for one in running.items("targets") if one["last_scan_at"]), None), 15, "the first scan")
            assert (target["starttls"], target["state"], target["leaf"]["spki"]) == ("smtp", "ok", pin)
            seen = running.send("POST", f"/api/v1/targets/{target['id']}/scan?wait=10s", {})
            assert {one["profile"]: one["outcome"] for one in seen["items"]} == {
                "phone": "ok", "ecdsa": "ok", "rsa": "no_such_key_family"}
            preview = running.send("POST", "/api/v1/targets/preview", {"text": "imap://imap.shop.test"})
            assert preview["items"][0]["target"]["starttls"] == "imap" and preview["items"][0]["target"]["port"] == 143
            refused = running.send("POST", "/api/v1/targets", {"host": "imap://a.test", "starttls": "smtp"}, 422)
            assert "keep one of them" in refused["errors"][0]["message"]
            refused = running.send("POST", "/api/v1/targets", {"host": "mail.shop.test", "starttls": "gopher"}, 422)
            assert refused["errors"][0]["field"] == "starttls"
            made = running.send("POST", "/api/v1/targets", {"host": "imap.shop.test", "starttls": "imap", "paused": True}, 201)
            assert (made["port"], made["starttls"]) == (143, "imap")
        finally:
            world.stop()
