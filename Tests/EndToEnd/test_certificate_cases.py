"""Certificates and chains that other tools got wrong, each test by its number in the list of cases."""

import hashlib
import json

import misbehaving
import odd
import pki
import pytest
from cryptography import x509
from laboratory import NAME, Lab, der_of, pem, scan, signed
from service import run


@pytest.fixture
def lab(tmp_path):
    return Lab(tmp_path)


def test_1_a_root_with_a_negative_serial_is_an_anchor(lab):
    der = signed(odd.altered(der_of(lab.root.certificate), odd.with_serial(b"\xfb")), lab.root.key)
    leaf, key = lab.below.issue(NAME)
    with lab.serve(leaf, lab.below.pem, pem(der)) as server:
        status, (phone, *_) = scan(server, anchors=lab.write("odd-root.pem", pem(der)))
    assert (status, phone["verification"]["code"], phone["certificates"][0]["spki"]) == (0, "ok", pki.pin(key))
    root = phone["certificates"][2]
    assert (root["serial"], root["sha256"], root["unreadable"]) == ("-05", hashlib.sha256(der).hexdigest(), [])
    assert phone["verification"]["paths"][0]["anchor"]["sha256"] == root["sha256"]


@pytest.mark.parametrize("start, end, not_after", [
    ((0x17, b"250101000000Z"), (0x18, b"99991231225959.357Z"), "9999-12-31T22:59:59Z"),
    ((0x17, b"250101000000Z"), (0x18, b"20550101000000Z"), "2055-01-01T00:00:00Z"),
    ((0x17, b"250101000000Z"), (0x18, b"99991231235959Z"), "9999-12-31T23:59:59Z"),
    ((0x18, b"20250101000000Z"), (0x18, b"20400101000000Z"), "2040-01-01T00:00:00Z"),
    ((0x17, b"250101000000Z"), (0x17, b"491231235959Z"), "2049-12-31T23:59:59Z"), ((0x17, b"250101000000Z"), (0x18, b"never"), None),
], ids=["fractions", "2055", "9999", "long form early", "short form late", "nonsense"])
def test_2_and_4_dates_of_every_form_are_read(lab, start, end, not_after):
    with lab.serve(lab.sign(odd.with_validity(start, end), [NAME])) as server:
        status, (phone, *_) = scan(server, anchors=lab.anchors)
    shown = phone["certificates"][0]
    assert (shown["not_before"], shown["not_after"]) == ("2025-01-01T00:00:00Z", not_after)
    assert ("not_after" in [one["field"] for one in shown["unreadable"]]) == (not_after is None)
    assert phone["verification"]["host_matches"] and phone["chain"] == [shown["sha256"]]


@pytest.mark.parametrize("entry, shown", [
    (f"https://{NAME}/", None), (f"{NAME}\0.evil.test", f"{NAME}\\00.evil.test"), (f"{NAME}\0", f"{NAME}\\00"), (f"{NAME}:443", None), (f"{NAME}.", None),
    (f" {NAME}", None), ("", None), (f"{NAME}\x1b[31m", f"{NAME}\\1b[31m"), ("*", None), ("api*.shop.test", None)])
def test_7_and_11_what_is_no_name_is_shown_and_matches_nothing(lab, entry, shown):
    identity = lab.root.issue("other.test", subject=NAME, others=[entry])[0]
    with lab.serve(identity) as server:
        status, (phone, *_) = scan(server, anchors=lab.anchors)
        text = run("scan", f"{NAME}:{server.port}", "--address", "127.0.0.1")[1]
        beside = scan(server, host="other.test", anchors=lab.anchors)
    assert (status, phone["verification"]["valid"], phone["verification"]["host_matches"]) == (1, True, False)
    assert phone["certificates"][0]["names"]["dns"] == ["other.test", entry if shown is None else shown]
    assert not set("\0\x1b") & set(text)
    assert beside[0] == 0, "the good name beside it counts"


def nameless(certificate, key):
    """The certificate with an empty subject, signed again by its issuer."""
    return signed(odd.altered(der_of(certificate), lambda fields: fields[:5] + [(0x30, b"")] + fields[6:]), key)


def test_9_a_leaf_and_an_authority_without_a_name_verify(lab):
    identity, key = lab.below.issue(NAME)
    leaf = pem(nameless(x509.load_pem_x509_certificate(identity), lab.below.key), key)
    with lab.serve(leaf, lab.below.pem) as server:
        status, (phone, *_) = scan(server, anchors=lab.anchors)
        text = run("scan", f"{NAME}:{server.port}", "--address", "127.0.0.1", "--ca-file", lab.anchors)[1]
    assert (status, phone["verification"]["code"], phone["certificates"][0]["subject"]) == (0, "ok", "") and "(empty subject)" in text
    nobody = lab.root.subordinate("Cases Nobody")
    nobody.name = x509.Name([])
    with lab.serve(nobody.issue(NAME)[0], pem(nameless(nobody.certificate, lab.root.key))) as server:
        status, (phone, *_) = scan(server, anchors=lab.anchors)
    assert [one["issuer"] for one in phone["certificates"]] == ["", "CN=Cases Root"]
    assert (status, phone["verification"]["code"]) == (0, "ok")


@pytest.mark.parametrize("host, matches", [
    ("api.shop.test", True), ("API.shop.test", True), ("xn--bcher-kva.shop.test", True), ("shop.test", False), ("a.api.shop.test", False)])
def test_18_a_wildcard_stands_for_one_label(lab, host, matches):
    with lab.serve(lab.root.issue("*.shop.test")[0]) as server:
        assert scan(server, host=host, anchors=lab.anchors)[1][0]["verification"]["host_matches"] is matches


def test_27_an_expired_cross_sign_that_is_not_needed_is_a_stray(lab):
    """The root is trusted itself; what an older one said of it ran out."""
    old = pki.Authority("Cases Old Root")
    cross = pki.Authority("Cases Root", issuer=old, key=lab.root.key, days=-1)
    with lab.serve(lab.below.issue(NAME)[0], lab.below.pem, cross.pem) as server:
        status, (phone, *_) = scan(server, anchors=lab.write("roots.pem", lab.root.pem + old.pem))
        alone = scan(server, anchors=lab.anchors)
    for code, judged in ((status, phone["verification"]), (alone[0], alone[1][0]["verification"])):
        assert (code, judged["valid"], judged["stray"]) == (0, True, [pki.fingerprint(cross.certificate)]), judged
        assert judged["paths"][0]["anchor"]["subject"] == "CN=Cases Root"


def test_both_paths_of_a_cross_signed_chain_are_shown(lab):
    old = pki.Authority("Cases Old Root")
    cross = pki.Authority("Cases Root", issuer=old, key=lab.root.key)
    identity = lab.below.issue(NAME)[0]
    leaf, issuer = (pki.fingerprint(one) for one in (x509.load_pem_x509_certificate(identity), lab.below.certificate))
    with lab.serve(identity, lab.below.pem, cross.pem) as server:
        status, (phone, *_) = scan(server, anchors=lab.write("roots.pem", lab.root.pem + old.pem))
    assert (status, phone["verification"]["stray"]) == (0, [])
    assert {path["anchor"]["subject"]: path["certificates"] for path in phone["verification"]["paths"]} == {
        "CN=Cases Root": [leaf, issuer], "CN=Cases Old Root": [leaf, issuer, pki.fingerprint(cross.certificate)]}
    assert len(phone["verification"]["paths"]) == 2


def test_29_the_missing_intermediate_is_named_with_where_it_is(lab):
    with lab.serve(lab.below.issue(NAME, issuer_at="http://ca.test/issuing.crt")[0]) as server:
        status, (phone, *_) = scan(server, anchors=lab.anchors)
    judged = phone["verification"]
    assert (status, judged["code"], judged["valid"], judged["paths"]) == (1, "missing_issuer", False, [])
    assert judged["missing_issuer"]["subject"] == "CN=Cases Issuing" and judged["missing_issuer"]["aia_urls"] == ["http://ca.test/issuing.crt"]


@pytest.mark.parametrize("content, shown", [(b"\0\x01\x02", "000102"), (b"\x01\x02", "0102"), (b"\0\xff", "00ff"), (b"\x05", "05"), (b"\0", "00")])
def test_44_a_serial_is_its_bytes(lab, content, shown):
    leaf = x509.load_pem_x509_certificate(lab.root.issue(NAME, key=pki.rsa_key())[0])
    message = misbehaving.certificates(signed(odd.altered(der_of(leaf), odd.with_serial(content)), lab.root.key))
    # OpenSSL's own server does not load all of them.
    with misbehaving.Misbehaving(misbehaving.says(misbehaving.record(22, misbehaving.server_hello() + message))) as server:
        _, (phone, *_) = scan(server, anchors=lab.anchors)
    assert phone["certificates"][0]["serial"] == shown and phone["verification"]["host_matches"]


def test_72_of_a_file_with_two_the_leaf_is_judged(lab):
    """The intermediate ends tomorrow, and neither its end nor its key is taken for the leaf's."""
    soon = pki.Authority("Cases Ending", issuer=lab.root, days=1)
    identity, key = soon.issue(NAME, days=90)
    file = lab.write("two.pem", identity.partition(b"-----BEGIN PRIVATE")[0] + soon.pem)
    pins = lab.write("pins.json", json.dumps({"pinwatch": 1, "app": "shop", "release": "1", "client": "generic", "policy": {
        "hosts": [{"host": NAME, "match": "leaf", "pins": [pki.pin(key)]}]}}).encode())
    status, out, err = run("preflight", "--host", NAME, "--chain", file, "--pins", pins, "--ca-file", lab.anchors, "--json")
    answer = json.loads(out)
    assert (status, answer["go"], answer["items"][0]["verdict"]) == (0, True, "accept"), (answer, err)
    assert answer["items"][0]["matched"]["position"] == "leaf"
