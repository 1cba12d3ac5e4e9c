"""A server that is no TLS server, or a bad one, costs a scan its time limit at most, and its outcome says what it did."""

import contextlib
import json
import time

import misbehaving
import pki
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from misbehaving import Misbehaving, at_once, drips, floods, hear, record, reset, says, wait
from service import clock, run

TIMEOUT = 2
HELLO = misbehaving.server_hello()
BANNER = b"220 mail.shop.test ESMTP ready\r\n"
OFFER = b"250-mail.shop.test\r\n250 STARTTLS\r\n"
# RFC 8446 section 6.2: unrecognized_name.
ALERT = record(21, b"\x02\x70")


def scan(arguments, *more):
    """The observations, none of which took longer than it was given."""
    began = clock()
    status, out, err = run("scan", *arguments, "--timeout", TIMEOUT, "--json", *more)
    # What the program takes to begin and to end is not the servers'.
    assert clock() - began < TIMEOUT + 2, "one deadline holds over all that is done at an address"
    assert (status, err) == (3, "")
    return json.loads(out)


def scan_all(acts, *more):
    """What was seen of each, all in one scan."""
    with contextlib.ExitStack() as servers:
        ports = {servers.enter_context(Misbehaving(act)).port: name for name, act in acts.items()}
        found = {name: [] for name in acts}
        for one in scan([f"127.0.0.1:{port}" for port in ports], *more):
            found[ports[one["port"]]].append(one)
    return found


def is_in_time(seen):
    return sum(one["duration_ms"] for one in seen) < TIMEOUT * 1000 + 500


# What the server does, and what it is called.
SERVERS = {
    "silent": (says(first=at_once, last=wait), "handshake_timeout"),
    "stalls": (says(last=wait), "handshake_timeout"),
    "stalls after its hello": (says(record(22, HELLO), last=wait), "handshake_timeout"),
    "drips a record": (drips(misbehaving.UNENDING, 0.3), "handshake_timeout"),
    "drips its hello": (drips(record(22, HELLO)), "handshake_timeout"),
    "drips a banner": (drips(BANNER, first=at_once), "not_tls"),
    "banner": (says(BANNER, first=at_once, last=wait), "not_tls"),
    "http": (says(b"HTTP/1.1 400 Bad Request\r\n\r\n"), "not_tls"),
    "garbage": (misbehaving.noise, "not_tls"),
    "zeros": (says(b"\0" * 2000, last=wait), "not_tls"),
    "closes": (says(), "closed"),
    "closes within a record": (says(record(22, HELLO)[:20]), "closed"),
    "closes after its hello": (says(record(22, HELLO)), "closed"),
    "resets": (says(last=reset), "reset"),
    "alert": (says(ALERT), "alert"),
    "drips an alert": (drips(ALERT, 0.02), "alert"),
    "alert after its hello": (says(record(22, HELLO), ALERT), "alert"),
    "alert of no name": (says(record(21, b"\x02\xc8")), "alert"),
    "no message of TLS": (says(record(22, b"\x63\0\0\1x")), "protocol_unsupported"),
    "a certificate too large": (says(record(22, HELLO + b"\x0b\x50\0\0"), last=wait), "certificate_too_large"),
}


@pytest.fixture(scope="module")
def seen():
    return scan_all({name: act for name, (act, _) in SERVERS.items()})


@pytest.mark.parametrize("name, outcome", [(name, outcome) for name, (_, outcome) in SERVERS.items()])
def test_what_a_server_did_is_its_outcome_and_comes_in_time(seen, name, outcome):
    phone, *more = seen[name]
    assert (phone["profile"], phone["address"], phone["outcome"]) == ("phone", "127.0.0.1", outcome), (phone, more)
    assert is_in_time(seen[name])
    assert all(one["chain"] == [] and one["verification"] is None and one["key_family"] is None for one in seen[name])


def test_an_alert_keeps_its_number_and_name(seen):
    detail = seen["alert"][0]["detail"]
    assert (detail["number"], detail["name"]) == (112, "unrecognized_name")


FLOODS = {
    "empty records": record(22, b""), "warnings": record(21, b"\x01\x5a"), "requests to begin anew": record(22, b"\0\0\0\0"),
    "hellos": record(22, HELLO), "data": record(23, b"x" * 9000), "no records": b"2" * 9000,
}


def test_a_server_that_never_stops_sending_is_left():
    for name, seen in scan_all({name: floods(part) for name, part in FLOODS.items()}).items():
        assert seen and is_in_time(seen), (name, seen)
        assert all(one["outcome"] in ("protocol_unsupported", "not_tls", "handshake_timeout") and one["chain"] == [] for one in seen), (name, seen)


SWITCHING = {
    "silent": (says(first=at_once, last=wait), "handshake_timeout"),
    "drips a line": (drips(b"220-" + b"x" * 400, first=at_once), "handshake_timeout"),
    "drips lines": (drips(b"220-x\r\n" * 90, 0.02, first=at_once), "handshake_timeout"),
    "stalls when asked": (says(BANNER, OFFER, first=at_once, last=wait), "handshake_timeout"),
    "agrees and stalls": (says(BANNER, OFFER, b"220 go\r\n", first=at_once, last=wait), "handshake_timeout"),
    "ends within a line": (says(b"220 mail", first=at_once), "closed"),
    "floods lines": (floods(b"220-more\r\n" * 900, at_once), "starttls_refused"),
}


@pytest.fixture(scope="module")
def switching():
    return scan_all({name: act for name, (act, _) in SWITCHING.items()}, "--starttls", "smtp")


@pytest.mark.parametrize("name, outcome", [(name, outcome) for name, (_, outcome) in SWITCHING.items()])
def test_the_deadline_holds_before_the_switch_to_tls_too(switching, name, outcome):
    assert [one["outcome"] for one in switching[name]] == [outcome], switching[name]
    assert is_in_time(switching[name])


def test_the_deadline_is_one_over_dialogue_and_handshake():
    def act(client):
        client.sendall(BANNER)
        for answer in (OFFER, b"220 go\r\n"):
            hear(client)
            time.sleep(TIMEOUT * 0.35)
            client.sendall(answer)
        wait(client)

    with Misbehaving(act) as server:
        seen = scan([f"127.0.0.1:{server.port}"], "--starttls", "smtp")
    assert [one["outcome"] for one in seen] == ["handshake_timeout"] and is_in_time(seen)


def test_addresses_that_stall_do_so_beside_one_another():
    addresses = [f"127.0.0.{number}" for number in range(1, 9)]
    with Misbehaving(says(last=wait), addresses) as server:
        seen = scan([f"odd.shop.test:{server.port}", "--address", *addresses])
    assert sorted(one["address"] for one in seen) == addresses
    assert {one["outcome"] for one in seen} == {"handshake_timeout"}


def test_a_chain_that_came_is_kept_whatever_came_after_it(tmp_path):
    """Also from servers without secure renegotiation (RFC 5746), which refuse today's clients."""
    authority = pki.Authority()
    (tmp_path / "root.pem").write_bytes(authority.pem)
    pem, key = authority.issue("127.0.0.1", key=pki.rsa_key())
    leaf = x509.load_pem_x509_certificate(pem)
    sent = record(22, HELLO) + record(22, misbehaving.certificates(leaf.public_bytes(serialization.Encoding.DER)))
    for act, outcome in ((says(sent), "closed"), (says(sent, ALERT), "alert"), (says(sent, last=wait), "handshake_timeout")):
        with Misbehaving(act) as server:
            status, out, _ = run("scan", f"127.0.0.1:{server.port}", "--ca-file", tmp_path / "root.pem", "--timeout", "1", "--json")
        phone = json.loads(out)[0]
        assert (status, phone["outcome"], phone["chain"]) == (0, outcome, [pki.fingerprint(leaf)]), phone
        assert phone["certificates"][0]["spki"] == pki.pin(key) and phone["verification"]["valid"]
