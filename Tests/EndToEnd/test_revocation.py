"""Whether issuers have revoked what is served: by staples, responders and lists, each over the wire."""

import datetime
import http.server
import threading

import peers
import pki
import pytest
import servers
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.x509 import ocsp
from cryptography.x509.oid import AuthorityInformationAccessOID
from world import World

HOST = "api.shop.test"
DER = serialization.Encoding.DER


def now():
    return datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)


class Issuer:
    """The web server of an authority: /ocsp answers about its leaves, /list is its list, other paths are a nuisance."""

    def __init__(self, authority):
        self.authority = authority
        # Serial numbers with a reason.
        self.revoked = {}
        self.requests = []
        issuer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                issuer.requests.append(self.path)
                self.give(issuer.response(ocsp.load_der_ocsp_request(body)) if self.path == "/ocsp" else b"no")

            def do_GET(self):
                issuer.requests.append(self.path)
                if self.path == "/round":
                    self.send_response(302)
                    self.send_header("Location", "/round")
                    self.end_headers()
                elif self.path == "/moved":
                    self.send_response(301)
                    self.send_header("Location", "/list")
                    self.end_headers()
                elif self.path == "/endless":
                    self.send_response(200)
                    self.end_headers()
                    try:
                        while True:
                            self.wfile.write(bytes(1 << 20))
                    except OSError:
                        pass
                else:
                    self.give(issuer.list() if self.path == "/list" else b"<html>", 200 if self.path in ("/list", "/page") else 404)

            def give(self, body, status=200):
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, path):
        return f"http://127.0.0.1:{self.server.server_port}{path}"

    def stop(self):
        self.server.shutdown()

    def response(self, request):
        builder = ocsp.OCSPResponseBuilder()
        reason = self.revoked.get(request.serial_number)
        builder = builder.add_response_by_hash(
            request.issuer_name_hash, request.issuer_key_hash, request.serial_number, request.hash_algorithm,
            ocsp.OCSPCertStatus.REVOKED if reason else ocsp.OCSPCertStatus.GOOD, now() - datetime.timedelta(hours=1),
            now() + datetime.timedelta(days=3), now() - datetime.timedelta(hours=2) if reason else None, reason)
        return builder.responder_id(ocsp.OCSPResponderEncoding.NAME, self.authority.certificate).sign(
            self.authority.key, hashes.SHA256()).public_bytes(DER)

    def staple(self, identity):
        """The response that a server would staple to a leaf (PEM)."""
        leaf = x509.load_pem_x509_certificate(identity)
        request = ocsp.OCSPRequestBuilder().add_certificate(leaf, self.authority.certificate, hashes.SHA1()).build()
        return self.response(ocsp.load_der_ocsp_request(request.public_bytes(DER)))

    def list(self):
        builder = x509.CertificateRevocationListBuilder().issuer_name(self.authority.name).last_update(
            now() - datetime.timedelta(hours=1)).next_update(now() + datetime.timedelta(days=3))
        for serial, reason in self.revoked.items():
            entry = x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(now() - datetime.timedelta(hours=2))
            builder = builder.add_revoked_certificate(entry.add_extension(x509.CRLReason(reason), critical=False).build())
        return builder.sign(self.authority.key, hashes.SHA256()).public_bytes(DER)

    def issue(self, responder=None, lists=()):
        extensions = []
        if responder:
            access = x509.AccessDescription(AuthorityInformationAccessOID.OCSP, x509.UniformResourceIdentifier(responder))
            extensions.append(x509.AuthorityInformationAccess([access]))
        if lists:
            extensions.append(x509.CRLDistributionPoints([
                x509.DistributionPoint([x509.UniformResourceIdentifier(url)], None, None, None) for url in lists]))
        return self.authority.issue(HOST, extensions=extensions)[0]

    def revoke(self, identity, reason=x509.ReasonFlags.key_compromise):
        self.revoked[x509.load_pem_x509_certificate(identity).serial_number] = reason


class Watched(World):
    every = "1s"
    deny = ""

    def __init__(self, folder):
        super().__init__(folder)
        self.issuer = Issuer(self.authority)

    def configuration(self):
        return super().configuration().replace(
            "period: 2s, timeout: 2s", f"period: 1s, timeout: 2s{self.deny}, revocation: {{every: {self.every}}}")

    def known(self, identity, status):
        """What is known of a leaf's revocation, once it is this."""
        sha256 = pki.fingerprint(x509.load_pem_x509_certificate(identity))
        self.scanned(HOST)

        def ask():
            found = self.service.get(f"/api/v1/certificates/{sha256}", None).get("revocation")
            return found if found and found["status"] == status else None
        return peers.wait_until(ask, 15, f"the leaf to be {status}")

    def findings(self):
        return self.service.items("findings?kind=certificate.revoked")

    def stop(self):
        super().stop()
        self.issuer.stop()


@pytest.fixture
def watched(tmp_path):
    made = Watched(tmp_path)
    yield made
    made.stop()


@pytest.mark.parametrize("source, offer", [
    ("ocsp", lambda issuer: {"responder": issuer.url("/ocsp")}),
    ("crl", lambda issuer: {"lists": [issuer.url("/list")]}),
    ("crl", lambda issuer: {"lists": [issuer.url("/moved")]}),
    ("crl", lambda issuer: {"responder": issuer.url("/gone"), "lists": [issuer.url("/page"), issuer.url("/list")]}),
], ids=["responder", "list", "list that moved", "list after a responder that is none"])
def test_a_leaf_that_is_revoked_is_a_finding_until_it_is_replaced(watched, source, offer):
    first = watched.issuer.issue(**offer(watched.issuer))
    watched.host(HOST, first)
    watched.start()
    good = watched.known(first, "good")
    assert good["source"] == source and good["revoked_at"] is None and good["next_update"] and watched.findings() == []
    if watched.issuer.requests[0] == "/gone":
        assert "/gone" in good["detail"] and "cannot be read" in good["detail"]
    second = watched.issuer.issue(**offer(watched.issuer))
    watched.issuer.revoke(second)
    if source == "crl":
        # A list in hand stands until its end; a service that starts has none.
        watched.service.stop()
        watched.hosts[HOST].serve(second)
        watched.service.start()
    else:
        watched.hosts[HOST].serve(second)
    told = watched.known(second, "revoked")
    assert told["reason"] == "key_compromise" and told["revoked_at"]
    (finding,) = peers.wait_until(watched.findings, 10, "the finding")
    assert finding["severity"] == "critical" and finding["scope"] == {"affected": 1, "of": 1}
    assert "its key is in other hands" in finding["summary"] and "new key" in finding["next_step"]
    alert = watched.receiver.wait(lambda message: message["type"] == "alert.opened" and "certificate.revoked" in str(message), 10)
    assert alert
    watched.hosts[HOST].serve(watched.issuer.issue(**offer(watched.issuer)))
    peers.wait_until(lambda: not watched.findings(), 10, "the finding's end")


def test_what_becomes_revoked_is_noticed_though_nothing_else_changes(watched):
    leaf = watched.issuer.issue(responder=watched.issuer.url("/ocsp"))
    watched.host(HOST, leaf)
    watched.start()
    watched.known(leaf, "good")
    watched.issuer.revoke(leaf, x509.ReasonFlags.superseded)
    assert watched.known(leaf, "revoked")["reason"] == "superseded"
    (finding,) = peers.wait_until(watched.findings, 10, "the finding")
    assert "another has taken its place" in finding["summary"]
    # What was revoked stays so while nobody answers.
    watched.issuer.stop()
    watched.service.stop()
    watched.service.start()
    assert watched.known(leaf, "revoked")["source"] == "ocsp" and len(watched.findings()) == 1


@pytest.mark.parametrize("offer, words", [
    (lambda issuer: {"lists": [issuer.url("/round")]}, "more than 3 redirects"),
    (lambda issuer: {"lists": [issuer.url("/endless")]}, "more than 16777216 bytes came"),
    (lambda issuer: {"lists": [issuer.url("/page")]}, "cannot be read"),
    (lambda issuer: {"lists": [issuer.url("/missing")]}, "answered by 404"),
    (lambda issuer: {"responder": issuer.url("/other")}, "cannot be read"),
    (lambda issuer: {"responder": "http://169.254.169.254/latest/"}, "scan.deny_addresses forbids 169.254.169.254"),
    (lambda issuer: {"responder": f"http://127.0.0.1:{servers.free_port()}/"}, "127.0.0.1"),
], ids=["round", "endless", "page", "missing", "no response", "denied", "refused"])
def test_what_cannot_be_asked_is_unavailable_and_says_why(watched, offer, words):
    leaf = watched.issuer.issue(**offer(watched.issuer))
    watched.host(HOST, leaf)
    watched.start()
    found = watched.known(leaf, "unavailable")
    assert words in found["detail"] and found["source"] is None and found["this_update"] is None
    assert watched.findings() == []


def test_a_certificate_that_names_nobody_offers_none(watched):
    leaf = watched.issuer.issue()
    watched.host(HOST, leaf)
    watched.start()
    assert "neither" in watched.known(leaf, "none_offered")["detail"]


def test_nobody_is_asked_for_a_chain_that_leads_nowhere(watched):
    stranger = Issuer(pki.Authority("Stranger"))
    leaf = stranger.issue(responder=stranger.url("/ocsp"), lists=[stranger.url("/list")])
    watched.host(HOST, leaf)
    watched.start()
    assert "no path" in watched.known(leaf, "unavailable")["detail"] and stranger.requests == []
    stranger.stop()


@pytest.mark.parametrize("revoked", [False, True])
def test_a_staple_that_holds_decides_and_nobody_is_asked(watched, tmp_path, revoked):
    leaf = watched.issuer.issue(responder=watched.issuer.url("/ocsp"))
    if revoked:
        watched.issuer.revoke(leaf)
    (tmp_path / "leaf.pem").write_bytes(leaf)
    (tmp_path / "staple.der").write_bytes(watched.issuer.staple(leaf))
    with servers.openssl("-cert", tmp_path / "leaf.pem", "-status_file", tmp_path / "staple.der") as server:
        watched.hosts[HOST] = server
        server.stop = lambda: None
        watched.start()
        found = watched.known(leaf, "revoked" if revoked else "good")
        assert found["source"] == "stapled_ocsp" and watched.issuer.requests == []
        if revoked:
            peers.wait_until(watched.findings, 10, "the finding")
        metrics = watched.service.get("/metrics")
        assert f'pinwatch_revocation_looks_total{{status="{found["status"]}"}}' in metrics


def test_a_staple_for_another_certificate_counts_for_nothing(watched, tmp_path):
    leaf = watched.issuer.issue(responder=watched.issuer.url("/ocsp"))
    watched.issuer.revoke(leaf)
    other = watched.issuer.staple(watched.issuer.issue())
    (tmp_path / "leaf.pem").write_bytes(leaf)
    (tmp_path / "staple.der").write_bytes(other)
    with servers.openssl("-cert", tmp_path / "leaf.pem", "-status_file", tmp_path / "staple.der") as server:
        watched.hosts[HOST] = server
        server.stop = lambda: None
        watched.start()
        found = watched.known(leaf, "revoked")
        assert found["source"] == "ocsp" and "about other certificates" in found["detail"]
