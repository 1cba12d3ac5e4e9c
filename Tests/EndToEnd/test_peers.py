"""What real servers serve: OpenSSL's own and nginx, set up well and badly."""

import json

import pki
import pytest
import servers
from cryptography import x509
from service import run

NAME = "api.shop.test"


class Lab:
    """An authority, an authority below it, and the files that servers want."""

    def __init__(self, folder):
        self.folder = folder
        self.root = pki.Authority()
        self.below = self.root.subordinate("Test Issuing")
        self.pem = folder / "root.pem"
        self.pem.write_bytes(self.root.pem)

    def files(self, name, identity, *issuers):
        """Certificate with issuers, and key, as two files; the issuers also alone, if there are any."""
        certificate, _, key = identity.partition(b"-----BEGIN PRIVATE KEY-----")
        (self.folder / f"{name}.crt").write_bytes(certificate + b"".join(issuers))
        if issuers:
            (self.folder / f"{name}.crt.issuers").write_bytes(b"".join(issuers))
        (self.folder / f"{name}.key").write_bytes(b"-----BEGIN PRIVATE KEY-----" + key)
        return self.folder / f"{name}.crt", self.folder / f"{name}.key"

    def scan(self, server, host=NAME):
        at = [f"{host}:{server.port}"] + ([] if host[0].isdigit() else ["--address", "127.0.0.1"])
        status, out, err = run("scan", *at, "--ca-file", self.pem, "--json")
        assert err == ""
        return status, [one for one in json.loads(out) if one["profile"] in ("phone", "legacy")]


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    return Lab(tmp_path_factory.mktemp("lab"))


def fingerprints(file):
    return [pki.fingerprint(one) for one in x509.load_pem_x509_certificates(file.read_bytes())]


@pytest.fixture(params=["openssl", "nginx"])
def serve(request, tmp_path):
    """Starts either server with a certificate file and its key."""
    def start(certificate, key):
        if request.param == "openssl":
            issuers = certificate.with_name(certificate.name + ".issuers")
            return servers.openssl("-cert", certificate, "-key", key, *(["-cert_chain", issuers] if issuers.exists() else []))
        return servers.nginx(tmp_path, f"ssl_certificate {certificate}", f"ssl_certificate_key {key}", "ssl_protocols TLSv1.2 TLSv1.3")
    return start


def test_a_whole_chain_verifies(lab, serve):
    certificate, key = lab.files("whole", lab.below.issue(NAME)[0], lab.below.pem)
    with serve(certificate, key) as server:
        status, (seen,) = lab.scan(server)
    assert (status, seen["outcome"], seen["tls_version"], seen["key_family"]) == (0, "ok", "TLSv1.3", "ecdsa")
    assert seen["verification"]["code"] == "ok" and seen["verification"]["stray"] == []
    assert seen["chain"] == fingerprints(certificate) and len(seen["chain"]) == 2


@pytest.mark.parametrize("fault, code, host_matches", [
    ("missing intermediate", "missing_issuer", True), ("self-signed", "self_signed", True), ("unknown root", "untrusted_root", True),
    ("expired", "expired", True), ("not yet valid", "not_yet_valid", True), ("wrong host", "ok", False)])
def test_each_fault_is_named_and_the_chain_kept(lab, serve, fault, code, host_matches):
    stranger = pki.Authority("Stranger")
    identity, issuers = {
        "missing intermediate": lambda: (lab.below.issue(NAME)[0], []),
        "self-signed": lambda: (pki.self_signed(NAME), []),
        "unknown root": lambda: (stranger.issue(NAME)[0], [stranger.pem]),
        "expired": lambda: (lab.root.issue(NAME, days=-1, started=60)[0], []),
        "not yet valid": lambda: (lab.root.issue(NAME, started=-5)[0], []),
        "wrong host": lambda: (lab.root.issue("www.other.test")[0], []),
    }[fault]()
    certificate, key = lab.files(fault.replace(" ", "-"), identity, *issuers)
    with serve(certificate, key) as server:
        status, (seen,) = lab.scan(server)
    judged = seen["verification"]
    assert (status, seen["outcome"], judged["code"], judged["host_matches"]) == (1, "ok", code, host_matches)
    assert seen["chain"][0] == fingerprints(certificate)[0] and len(seen["chain"]) == 1 + len(issuers)
    assert (judged["missing_issuer"] is not None) == (code == "missing_issuer")


def test_an_address_is_matched_by_its_own_kind_of_name(lab, serve):
    right, key = lab.files("address", lab.root.issue("127.0.0.1")[0])
    with serve(right, key) as server:
        status, (seen,) = lab.scan(server, "127.0.0.1")
    assert (status, seen["sni"], seen["verification"]["host_matches"]) == (0, None, True)
    wrong, key = lab.files("dns", lab.root.issue(NAME)[0])
    with serve(wrong, key) as server:
        status, (seen,) = lab.scan(server, "127.0.0.1")
    assert (status, seen["verification"]["valid"], seen["verification"]["host_matches"]) == (1, True, False)


def test_tls_1_2_alone_is_spoken(lab, tmp_path):
    certificate, key = lab.files("plain", lab.root.issue(NAME)[0])
    for server in (servers.openssl("-cert", certificate, "-key", key, "-tls1_2"),
                   servers.nginx(tmp_path, f"ssl_certificate {certificate}", f"ssl_certificate_key {key}", "ssl_protocols TLSv1.2")):
        with server as running:
            status, (seen,) = lab.scan(running)
        assert (status, seen["outcome"], seen["tls_version"]) == (0, "ok", "TLSv1.2")


def test_of_two_certificates_a_phone_is_shown_the_newer_kind(lab, tmp_path):
    ec, ec_key = lab.files("ec", lab.root.issue(NAME)[0])
    rsa, rsa_key = lab.files("rsa", lab.root.issue(NAME, key=pki.rsa_key())[0])
    for server in (servers.openssl("-cert", ec, "-key", ec_key, "-dcert", rsa, "-dkey", rsa_key),
                   servers.nginx(tmp_path, f"ssl_certificate {ec}", f"ssl_certificate_key {ec_key}", f"ssl_certificate {rsa}", f"ssl_certificate_key {rsa_key}")):
        with server as running:
            status, (seen,) = lab.scan(running)
        assert (status, seen["key_family"], seen["chain"]) == (0, "ecdsa", fingerprints(ec))
    with servers.openssl("-cert", rsa, "-key", rsa_key) as running:
        assert lab.scan(running)[1][0]["key_family"] == "rsa"


@pytest.mark.parametrize("version", ["-tls1_2", "-tls1_3"])
def test_the_chain_is_kept_although_a_client_certificate_is_demanded(lab, version):
    certificate, key = lab.files("mutual", lab.root.issue(NAME)[0])
    with servers.openssl("-cert", certificate, "-key", key, "-Verify", "1", "-CAfile", lab.pem, "-verify_return_error", version) as server:
        status, (seen, *more) = lab.scan(server)
    assert seen["outcome"] == "client_certificate_required"
    assert (status, seen["chain"][0], seen["verification"]["valid"]) == (0, *fingerprints(certificate), True)
    assert seen["tls_version"] == {"-tls1_2": "TLSv1.2", "-tls1_3": "TLSv1.3"}[version]


@pytest.mark.parametrize("protocol", ["TLSv1.2", "TLSv1.3"])
def test_nginx_asks_for_a_client_certificate_and_shakes_hands_without(lab, tmp_path, protocol):
    certificate, key = lab.files("asked", lab.root.issue(NAME)[0])
    with servers.nginx(tmp_path, f"ssl_certificate {certificate}", f"ssl_certificate_key {key}", "ssl_verify_client on",
                       f"ssl_client_certificate {lab.pem}", f"ssl_protocols {protocol}") as server:
        status, (seen, *more) = lab.scan(server)
    assert (status, seen["outcome"], seen["chain"], more) == (0, "ok", fingerprints(certificate), [])


def test_a_name_that_the_server_does_not_know_gets_what_it_shows(lab, tmp_path):
    certificate, key = lab.files("sni", lab.root.issue(NAME)[0])
    other, other_key = lab.files("sni-other", lab.root.issue("other.test")[0])
    with servers.openssl("-cert", certificate, "-key", key, "-servername", "other.test", "-cert2", other, "-key2", other_key) as server:
        assert lab.scan(server)[1][0]["chain"] == fingerprints(certificate)
        status, out, _ = run("scan", f"{NAME}:{server.port}", "--address", "127.0.0.1", "--sni", "other.test", "--ca-file", lab.pem, "--json")
    seen, *_ = json.loads(out)
    assert (status, seen["host"], seen["sni"], seen["chain"]) == (0, NAME, "other.test", fingerprints(other))


def test_a_web_server_without_tls_is_told_from_one_that_is_down(lab, tmp_path):
    with servers.nginx(tmp_path) as server:
        status, (seen, *_) = lab.scan(server)
    assert (status, seen["outcome"], seen["chain"]) == (3, "not_tls", []) and "HTTP" in seen["detail"]["text"]
    status, (seen, *_) = lab.scan(server)
    assert (status, seen["outcome"]) == (3, "connect_refused")
