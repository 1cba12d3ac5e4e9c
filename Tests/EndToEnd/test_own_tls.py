"""The service's own TLS: its certificate, its renewal, and what it adds for browsers."""

import http.client
import socket
import ssl

import peers
import pki
import pytest
import service
from cryptography.hazmat.primitives import serialization
from test_edge import configuration

NAME = "localhost"


class Lab:
    """A service with a certificate of its own authority's."""

    def __init__(self, folder):
        self.folder = folder
        self.authority = pki.Authority()
        self.renew()
        self.service = service.Service(folder, configuration(more="tls: {certificate: chain.pem, key: key.pem}\n"))
        self.service.trust = ssl.create_default_context(cadata=self.authority.pem.decode())

    def write(self, chain=None, key=None):
        if chain:
            (self.folder / "chain.pem").write_bytes(chain)
        if key:
            (self.folder / "key.pem").write_bytes(key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))

    def renew(self):
        """Another certificate over another key; its fingerprint."""
        identity, key = self.authority.issue(NAME)
        self.write(identity.partition(b"-----BEGIN PRIVATE")[0], key)
        return self.fingerprint(identity)

    @staticmethod
    def fingerprint(identity):
        return pki.fingerprint(pki.x509.load_pem_x509_certificate(identity))

    def connect(self, context=None):
        plain = socket.create_connection(("127.0.0.1", self.service.port), timeout=10)
        return (context or self.service.trust).wrap_socket(plain, server_hostname=NAME)

    @property
    def served(self):
        with self.connect() as session:
            return pki.fingerprint(pki.x509.load_der_x509_certificate(session.getpeercert(True)))


@pytest.fixture
def lab(tmp_path):
    made = Lab(tmp_path)
    yield made
    made.service.stop()


def test_a_browser_is_served_and_told_to_stay_with_tls(lab):
    _, text, _ = service.run("token", "create", "--name", "me", "--role", "admin", "--config", lab.service.config)
    made = lab.service.start()
    page, headers = made.answer("GET", "/")
    assert "<html" in page and int(headers["strict-transport-security"].partition("max-age=")[2].partition(";")[0]) > 86_400
    said, headers = made.answer("POST", "/api/v1/session", {"token": text.strip()}, 201, {"Origin": made.base})
    cookie = headers["set-cookie"]
    assert cookie.startswith("__Host-pinwatch_session=") and said["role"] == "admin"
    assert {"Secure", "HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; ")) and "Domain" not in cookie
    cookie = {"Cookie": cookie.partition(";")[0]}
    assert made.get("/api/v1/session", headers=cookie)["via"] == "session"
    silence = {"matchers": {"host": "a.test"}, "ends_at": "2099-01-01T00:00:00Z", "comment": "x"}
    made.send("POST", "/api/v1/silences", silence, 201, {**cookie, "Origin": made.base})
    made.send("POST", "/api/v1/silences", silence, 403, {**cookie, "Origin": made.base.replace("https", "http")})


def test_a_renewed_certificate_is_taken_up_without_a_restart(lab):
    made = lab.service.start()
    kept = http.client.HTTPSConnection(NAME, made.port, timeout=10, context=made.trust)
    kept.connect()
    own = kept.sock
    renewed = lab.renew()
    assert lab.served != renewed, "files are looked at now and then"

    def is_renewed():
        kept.request("GET", "/healthz")
        assert kept.getresponse().read() and kept.sock is own, "who is connected is served on"
        return lab.served == renewed

    peers.wait_until(is_renewed, 20, "the new certificate")
    kept.close()

    lab.write(key=pki.new_key())
    peers.wait_until(lambda: made.logged("goes on with the certificate it has"), 20, "the refusal of a pair that does not match")
    assert lab.served == renewed and "PRIVATE KEY" not in made.log.read_text()
    healed = lab.renew()
    peers.wait_until(lambda: lab.served == healed, 20, "the certificate after the mismatch")


@pytest.mark.parametrize("version, served", [
    (ssl.TLSVersion.TLSv1, False), (ssl.TLSVersion.TLSv1_1, False), (ssl.TLSVersion.TLSv1_2, True), (ssl.TLSVersion.TLSv1_3, True)])
def test_only_versions_that_are_sound_are_spoken(lab, version, served):
    lab.service.start()
    context = ssl.create_default_context(cadata=lab.authority.pem.decode())
    context.set_ciphers("DEFAULT:@SECLEVEL=0")
    context.minimum_version = context.maximum_version = version
    if served:
        lab.connect(context).close()
    else:
        with pytest.raises((ssl.SSLError, ConnectionError)):
            lab.connect(context)
    assert lab.service.get("/healthz")


@pytest.mark.parametrize("fault", ["another key", "no key", "no certificate", "a missing file"])
def test_a_pair_that_cannot_be_served_is_refused_at_the_start(lab, fault):
    if fault == "another key":
        lab.write(key=pki.new_key())
    elif fault == "a missing file":
        (lab.folder / "key.pem").unlink()
    else:
        (lab.folder / ("key.pem" if fault == "no key" else "chain.pem")).write_text("nothing\n")
    status, out, err = service.run("serve", "--config", lab.service.config, "--public", service.ROOT / "Public", timeout=15)
    assert (status, out) == (2, "") and "tls" in err and err.count("\n") == 1
