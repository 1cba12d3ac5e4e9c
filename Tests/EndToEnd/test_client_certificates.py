"""Servers that ask for a client certificate: who is shown it, who never is, and what is told of either."""

import json
import re
import socket
import ssl
import threading

import peers
import pki
import pytest
import servers
import service
from cryptography.x509.oid import ExtendedKeyUsageOID

NAME = "api.shop.test"
VERSIONS = {"-tls1_2": "TLSv1.2", "-tls1_3": "TLSv1.3"}


class Lab:
    """Two authorities, of servers and of clients, and the files that each end wants."""

    def __init__(self, folder):
        self.folder = folder
        self.root, self.clients = pki.Authority(), pki.Authority("Test Clients")
        self.below = self.clients.subordinate("Test Issuing Clients")
        self.pem = self.write("root.pem", self.root.pem)
        self.clients_pem = self.write("clients.pem", self.clients.pem)

    def write(self, name, text):
        (self.folder / name).write_bytes(text)
        return self.folder / name

    def pair(self, name, identity, *issuers):
        certificate, mark, key = identity.partition(b"-----BEGIN PRIVATE KEY-----")
        return self.write(f"{name}.crt", certificate + b"".join(issuers)), self.write(f"{name}.key", mark + key)

    def server(self, name="server", host=NAME, authority=None, **more):
        return self.pair(name, (authority or self.root).issue(host, **more)[0])

    def client(self, name="client", authority=None, **more):
        """By the authority below the clients', whose certificate stands behind it in the file."""
        issuer = authority or self.below
        identity = issuer.issue("scanner.shop.test", purpose=ExtendedKeyUsageOID.CLIENT_AUTH, **more)[0]
        return self.pair(name, identity, *([self.below.pem] if issuer is self.below else []))

    def demanding(self, *options, **more):
        """A server that shakes hands only with clients of the authority."""
        certificate, key = self.server(**more)
        return servers.openssl("-cert", certificate, "-key", key, "-Verify", "4", "-CAfile", self.clients_pem,
                               "-verify_return_error", *options)

    def scan(self, port, client=None):
        shown = ["--client-certificate", client[0], "--client-key", client[1]] if client else []
        status, out, err = service.run("scan", f"{NAME}:{port}", "--address", "127.0.0.1", "--ca-file", self.pem, *shown, "--json")
        assert err == ""
        return status, {one["profile"]: one for one in json.loads(out)}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    return Lab(tmp_path_factory.mktemp("lab"))


class Asking:
    """A server that asks every client for a certificate, takes none for an answer, and notes what it was shown."""

    def __init__(self, identity, clients, version=None):
        self.shown = []
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(*identity)
        self._context.verify_mode = ssl.CERT_OPTIONAL
        self._context.load_verify_locations(clients)
        if version:
            self._context.minimum_version = self._context.maximum_version = version
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, _ = self._socket.accept()
            except OSError:
                return
            client.settimeout(5)
            try:
                with self._context.wrap_socket(client, server_side=True) as session:
                    self.shown.append(session.getpeercert())
                    session.recv(1)
            except OSError:
                client.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._socket.close()


@pytest.mark.parametrize("key", [pki.new_key, pki.rsa_key], ids=["ec", "rsa"])
@pytest.mark.parametrize("version", VERSIONS)
def test_a_verified_server_is_shown_it_with_its_issuers(lab, version, key):
    client = lab.client(key=key())
    with lab.demanding(version) as server:
        status, seen = lab.scan(server.port, client)
    assert (status, seen["phone"]["outcome"], seen["phone"]["detail"]) == (0, "ok", None)
    # A hello that is narrowed to one family asks that of the server's key, not of the client's.
    assert (seen["ecdsa"]["outcome"], seen["rsa"]["outcome"]) == ("ok", "no_such_key_family")
    assert seen["phone"]["tls_version"] == VERSIONS[version] and len(seen["phone"]["chain"]) == 1


@pytest.mark.parametrize("version", VERSIONS)
def test_without_one_the_chain_is_told_and_that_one_is_required(lab, version):
    with lab.demanding(version) as server:
        status, seen = lab.scan(server.port)
    assert (status, seen["phone"]["outcome"]) == (0, "client_certificate_required")
    assert seen["phone"]["chain"] and "refused without one" in seen["phone"]["detail"]["message"]


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
@pytest.mark.parametrize("impostor", ["of another authority", "of another name", "expired", "self-signed"])
def test_an_impostor_is_never_shown_it(lab, impostor, version):
    identity = {
        "of another authority": lambda: lab.server("impostor", authority=pki.Authority("Stranger")),
        "of another name": lambda: lab.server("impostor", "www.other.test"),
        "expired": lambda: lab.server("impostor", days=-1, started=60),
        "self-signed": lambda: lab.pair("impostor", pki.self_signed(NAME)),
    }[impostor]()
    client = lab.client()
    with Asking(identity, lab.clients_pem, version) as asking:
        status, seen = lab.scan(asking.port, client)
    assert (status, seen["phone"]["outcome"]) == (1, "ok")
    assert len(asking.shown) >= 2 and not any(asking.shown)
    with Asking(lab.server(), lab.clients_pem, version) as asking:
        lab.scan(asking.port, client)
    assert len(asking.shown) >= 2 and all(asking.shown)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("impostor, why", [
    ({"authority": pki.Authority("Stranger")}, "the server is not verified"),
    ({"host": "www.other.test"}, f"its certificate does not name {NAME}")])
def test_who_is_not_verified_and_insists_is_told_with_the_reason(lab, version, impostor, why):
    with lab.demanding(version, **impostor) as server:
        status, seen = lab.scan(server.port, lab.client())
    assert (status, seen["phone"]["outcome"]) == (1, "client_certificate_required")
    assert why in seen["phone"]["detail"]["message"] and seen["phone"]["chain"]


def test_a_server_that_has_not_signed_yet_is_not_shown_it(lab):
    with lab.demanding("-tls1_2", "-cipher", "AES128-SHA", key=pki.rsa_key()) as server:
        _, seen = lab.scan(server.port, lab.client())
    assert seen["phone"]["outcome"] == "client_certificate_required" and seen["phone"]["cipher"] == "TLS_RSA_WITH_AES_128_CBC_SHA"
    assert "proves its key only after" in seen["phone"]["detail"]["message"]


def test_a_legacy_hello_never_shows_it(lab):
    with lab.demanding("-tls1_1", "-cipher", "ALL:@SECLEVEL=0") as server:
        _, seen = lab.scan(server.port, lab.client())
    assert seen["legacy"]["tls_version"] == "TLSv1.1" and seen["legacy"]["chain"]
    for profile in ("legacy", "ecdsa"):
        assert seen[profile]["outcome"] == "client_certificate_required"
        assert "a legacy hello never shows it" in seen[profile]["detail"]["message"]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("of, alert", [
    ({"authority": pki.Authority("Stranger")}, r"48 \(unknown_ca\)"), ({"days": -1, "started": 60}, r"45 \(certificate_expired\)")])
def test_one_that_the_server_refuses_is_told_with_the_alert(lab, version, of, alert):
    with lab.demanding(version) as server:
        status, seen = lab.scan(server.port, lab.client("refused", **of))
    assert (status, seen["phone"]["outcome"]) == (0, "client_certificate_required")
    assert re.search(f"refused the target's client certificate by alert {alert}", seen["phone"]["detail"]["message"])


def test_half_of_a_pair_and_a_pair_that_does_not_fit_are_refused(lab):
    certificate, key = lab.client()
    for options, words in (
            (["--client-certificate", certificate], "give both"),
            (["--client-certificate", certificate, "--client-key", lab.client("other")[1]], "does not belong"),
            (["--client-certificate", key, "--client-key", certificate], "exchanged")):
        status, out, err = service.run("scan", "127.0.0.1:1", *options)
        assert (status, out) == (2, "") and words in err


@pytest.fixture
def watching(lab, tmp_path):
    """Starts the service for one target, whose server is given, with the members of its line."""
    running = []

    def start(port, *members, targets=True):
        line = ", ".join([f"host: {NAME}", f"port: {port}", "addresses: [127.0.0.1]", "trust_store: lab", *members])
        made = service.Service(
            tmp_path, f"database: pinwatch.db\nscan: {{period: 2s, timeout: 5s, allow_ports: [443, {port}]}}\n"
            f"trust_stores: {{lab: {{file: {lab.pem}}}}}\n" + (f"targets:\n  - {{{line}}}\n" if targets else ""))
        running.append(made.start())
        return made
    yield start
    for one in running:
        one.stop()


def observed(running):
    """What the target's first hello got, once it was scanned."""
    def ask():
        for target in running.items("targets"):
            if target["last_scan_at"]:
                return target, running.items(f"targets/{target['id']}/observations")
    target, observations = peers.wait_until(ask, 20, "the first scan")
    return target, next(one for one in observations if one["profile"] == "phone")


@pytest.mark.parametrize("version", VERSIONS)
def test_a_target_of_the_file_with_a_private_authority_is_shown_it(lab, watching, tmp_path, version):
    certificate, key = lab.client()
    with lab.demanding(version) as server:
        running = watching(server.port, f"client_certificate: {{certificate: {certificate}, key: {{file: {key}}}}}")
        target, phone = observed(running)
        assert (phone["outcome"], phone["tls_version"]) == ("ok", VERSIONS[version])
        shown = target["client_certificate"]
        assert set(shown) == {"sha256", "subject", "not_after"} and shown["subject"] == "CN=scanner.shop.test"
    running.stop()
    secret = key.read_bytes().splitlines()[1]
    for file in [*tmp_path.glob("pinwatch.db*"), running.log]:
        assert secret not in file.read_bytes()


def test_by_the_api_it_is_refused_and_a_target_is_verified_by_a_named_store(lab, watching):
    certificate, key = lab.server()
    with servers.openssl("-cert", certificate, "-key", key) as server:
        running = watching(server.port, targets=False)
        body = {"host": NAME, "port": server.port, "addresses": ["127.0.0.1"], "trust_store": "lab"}
        refusal = running.send("POST", "/api/v1/targets", {**body, "client_certificate": {"certificate": "x"}}, 422)
        assert [error["field"] for error in refusal["errors"]] == ["client_certificate"]
        assert "configuration file only" in refusal["errors"][0]["message"]
        made = running.send("POST", "/api/v1/targets", body, 201)
        assert made["client_certificate"] is None
        running.send("PATCH", f"/api/v1/targets/{made['id']}", {"client_certificate": None}, 422)
        observed(running)
        kinds = {finding["kind"] for finding in running.items("findings")}
    assert not kinds & {"chain.invalid", "chain.incomplete", "hostname.mismatch"}


def test_one_that_has_ended_is_told_by_the_check_and_at_the_start(lab, watching):
    certificate, key = lab.client("ended", days=-1, started=60)
    member = f"client_certificate: {{certificate: {certificate}, key: {{env: CLIENT_KEY}}}}"
    with lab.demanding() as server:
        running = watching(server.port, member.replace("{env: CLIENT_KEY}", f"{{file: {key}}}"))
        assert "client certificate" in running.log.read_text() and "servers will refuse it" in running.log.read_text()
        assert observed(running)[1]["outcome"] == "client_certificate_required"
    running.config.write_text(running.config.read_text().replace(f"{{file: {key}}}", "{env: CLIENT_KEY}"))
    status, out, _ = service.run("config", "check", running.config, environment={"CLIENT_KEY": key.read_text()})
    assert status == 0 and re.search(r"client certificate: CN=scanner\.shop\.test, ended \d{4}-\d\d-\d\d: servers", out)


@pytest.mark.parametrize("certificate, key, words", [
    ("a.crt", "{file: b.key}", "6:7: client_certificate: the key does not belong to the certificate"),
    ("a.crt", "a.key", "7:12: client_certificate.key is a secret, so it must not stand here"),
    ("gone.crt", "{file: a.key}", "6:20: client_certificate.certificate: "),
    ("a.crt", "{file: gone.key}", "7:19: client_certificate.key: "),
    ("a.crt", "{env: NO_SUCH_KEY}", "7:18: client_certificate.key: the environment variable NO_SUCH_KEY is not set"),
    ("a.crt", "{file: locked.key}", "6:7: client_certificate: the key is encrypted"),
    ("a.crt", "{file: a.crt}", "6:7: client_certificate: the key's file holds no PEM block"),
    ("a.key", "{file: a.key}", "6:7: client_certificate: the certificate's file holds a private key"),
    ("a.crt", "{file: a.key}\n      chain: a.crt", "8:7: unknown key \"chain\" in client_certificate")])
def test_what_cannot_be_used_is_told_at_its_place(lab, certificate, key, words):
    lab.client("a"), lab.client("b")
    lab.write("locked.key", b"-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n")
    file = lab.write("bad.yaml", (
        f"database: x.db\ntargets:\n  - host: {NAME}\n    client_certificate:\n"
        f"      # relative to this file\n      certificate: {certificate}\n      key: {key}\n").encode())
    status, out, err = service.run("config", "check", file)
    assert (status, out) == (2, "") and f"bad.yaml:{words}" in err and len(err.splitlines()) == 1
