"""`pinwatch preflight`: whom a rotation would cut off, before it is made."""

import http.server
import json
import threading

import pki
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.x509.oid import NameOID
from service import ROOT, run
from test_commands import NAME, lab  # noqa: F401 (a fixture)

PEM, DER = serialization.Encoding.PEM, serialization.Encoding.DER


class Rotation:
    """A host's certificate of today, its renewal over the same key, and a release for each way of pinning it."""

    def __init__(self, lab):
        self.lab = lab
        today = x509.load_pem_x509_certificate(lab.chain.read_bytes())
        renewed, _ = lab.authority.issue(NAME, key=lab.key, days=300)
        self.renewed = lab.write("renewed.pem", renewed.split(b"-----BEGIN PRIVATE")[0])
        other, self.other_key = lab.authority.issue(NAME)
        self.other = lab.write("other-leaf.pem", other.split(b"-----BEGIN PRIVATE")[0])
        lab.write("leaf.cer", today.public_bytes(DER))
        self.certificate_pinned = self.release("3.0", "alamofire", f"evaluators: {{{NAME}: {{evaluator: "
                                               "pinned_certificates, pins: ['file:leaf.cer']}}", share=0.31)
        self.key_pinned = self.release("4.0", "alamofire", f"evaluators: {{{NAME}: {{evaluator: public_keys, "
                                       "pins: ['file:leaf.cer']}}", share=0.6)
        self.spki = lab.write("spki.pem", self.public(lab.key))
        self.csr = lab.write("request.csr", self.request(lab.key))
        self.other_csr = lab.write("other.csr", self.request(self.other_key))

    def release(self, release, client, policy, share=None):
        told = f"share: {share}\n" if share else ""
        return self.lab.write(f"{client}-{release}.yaml", f"pinwatch: 1\napp: shop\nrelease: \"{release}\"\n{told}"
                              f"platform: {{os: ios, version: \"17.0\"}}\nclient: {client}\npolicy: {{{policy}}}\n")

    @staticmethod
    def public(key):
        return key.public_key().public_bytes(PEM, serialization.PublicFormat.SubjectPublicKeyInfo)

    @staticmethod
    def request(key):
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
        return x509.CertificateSigningRequestBuilder().subject_name(name).sign(key, hashes.SHA256()).public_bytes(PEM)

    def preflight(self, *arguments):
        line = ["preflight", "--host", NAME, "--ca-file", self.lab.root, *arguments]
        status, out, err = run(*line, "--json")
        text = run(*line)
        assert text[0] == status
        if out:
            assert json.loads(out)["sentence"] in text[1]
        return status, json.loads(out) if out else None, err


@pytest.fixture(scope="module")
def rotation(lab):  # noqa: F811
    return Rotation(lab)


@pytest.mark.parametrize("option, file", [("--certificate", "renewed"), ("--chain", "renewed"), ("--csr", "csr"),
                                          ("--public-key", "spki")])
def test_a_renewal_stops_the_certificate_pinned_release_and_not_the_key_pinned_one(rotation, option, file):
    candidate = [option, getattr(rotation, file)]
    status, answer, _ = rotation.preflight(*candidate, "--pins", rotation.certificate_pinned)
    assert (status, answer["go"], [i["verdict"] for i in answer["items"]]) == (1, False, ["reject_pin"])
    assert answer["sentence"] == "Stop: rejected for 31 % of iOS users of shop."
    status, answer, _ = rotation.preflight(*candidate, "--pins", rotation.key_pinned)
    assert (status, answer["go"], [i["verdict"] for i in answer["items"]]) == (0, True, ["accept"])
    status, answer, _ = rotation.preflight(*candidate, "--pins", rotation.certificate_pinned, rotation.key_pinned)
    assert status == 1 and [(u["os"], u["rejected"]) for u in answer["users"]] == [("ios", 0.31)]


def test_a_foreign_key_depends_on_the_issuer_until_that_is_said(rotation):
    root = rotation.lab.generic("root-pin.yaml", pki.pin(rotation.lab.authority.key))
    candidate = ["--csr", rotation.other_csr, "--pins", root]
    status, answer, _ = rotation.preflight(*candidate)
    assert (status, answer["go"], answer["items"][0]["code"]) == (3, None, "depends_on_issuer")
    status, answer, _ = rotation.preflight(*candidate, "--issuer", rotation.lab.root)
    assert (status, answer["items"][0]["verdict"]) == (0, "accept")
    assert any("the issuer that" in said for said in answer["assumed"])
    assert answer["items"][0]["matched"]["position"] == "anchor"


def test_a_certificate_finds_its_issuer_among_those_handed_over_and_no_other(rotation):
    middle = rotation.lab.authority.subordinate("Middle")
    leaf, _ = middle.issue(NAME, key=rotation.lab.key)
    file = rotation.lab.write("under-middle.pem", leaf.split(b"-----BEGIN PRIVATE")[0])
    issuer = rotation.lab.write("middle.pem", middle.pem)
    impostor = rotation.lab.write("impostor.pem", rotation.lab.authority.subordinate("Middle").pem)
    pins = rotation.lab.generic("middle-pin.yaml", pki.pin(middle.key))
    line = ["--certificate", file, "--pins", pins]
    assert rotation.preflight(*line, "--issuer", issuer)[0] == 0
    assert rotation.preflight(*line)[0] == 3
    assert rotation.preflight(*line, "--issuer", impostor)[0] == 3
    # Sent alone, it leads nowhere.
    assert rotation.preflight("--chain", file, "--pins", pins, "--issuer", issuer)[0] == 1


def test_another_time_is_judged_as_check_does(rotation):
    status, answer, _ = rotation.preflight("--certificate", rotation.renewed, "--pins", rotation.key_pinned,
                                           "--at", "2050-01-01T00:00:00Z")
    assert status == 1 and answer["items"][0]["code"] == "expired"


@pytest.mark.parametrize("line, words", [
    (["--csr", "CSR"], "--pins"), (["--pins", "PINS"], "give one of"),
    (["--csr", "CSR", "--certificate", "CERT", "--pins", "PINS"], "give one of"),
    (["--csr", "CERT", "--pins", "PINS"], "one signing request"),
    (["--certificate", "CSR", "--pins", "PINS"], "certificates"),
    (["--certificate", "KEY", "--pins", "PINS"], "private key"),
    (["--csr", "CSR", "--pins", "PINS", "--issuer", "CERT"], "no anchor"),
    (["--csr", "CSR", "--server", "http://127.0.0.1:1", "--pins", "PINS"], "--server"),
    (["--csr", "CSR", "--server", "ftp://x"], "https://"),
    (["--csr", "CSR", "--pins", "PINS", "--at", "soon"], "RFC 3339"),
])
def test_bad_input_gives_no_answer(rotation, line, words):
    stranger = pki.Authority("Stranger")
    files = {"CSR": rotation.csr, "CERT": rotation.lab.write("stranger.pem", stranger.pem), "PINS": rotation.key_pinned,
             "KEY": rotation.lab.chain}
    status, out, err = run("preflight", "--host", NAME, "--ca-file", rotation.lab.root,
                           *[files.get(word, word) for word in line])
    assert (status, out) == (2, "") and words in err and err.startswith("pinwatch: preflight: ")


class Server:
    """Answers every request with one status and body, and remembers them."""

    def __init__(self, status, body):
        self.requests = seen = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self):
                length = int(self.headers.get("Content-Length") or 0)
                seen.append((self.command, self.path, self.headers.get("Authorization"), self.rfile.read(length)))
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = answer

            def log_message(self, *_):
                pass

        self.server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


GO = {"host": NAME, "go": True, "sentence": "Go: fine.", "candidate": {}, "assumed": [], "users": [], "items": []}


@pytest.mark.parametrize("go, status", [(True, 0), (False, 1), (None, 3)])
def test_a_server_is_asked_with_the_token_and_decides(rotation, go, status):
    with Server(200, json.dumps({**GO, "go": go}).encode()) as server:
        line = ["preflight", "--host", NAME, "--csr", rotation.csr, "--server", server.url + "/"]
        assert run(*line, environment={"PINWATCH_TOKEN": "pw_secret"})[:2] == (status, "Go: fine.\n")
    method, path, token, body = server.requests[0]
    assert (method, path, token) == ("POST", "/api/v1/preflight", "Bearer pw_secret")
    assert json.loads(body) == {"host": NAME, "csr": rotation.csr.read_text()}


@pytest.mark.parametrize("answer, status, words", [
    ((401, b"{}"), 2, "token"), ((404, b"<html>"), 2, "not as a Pinwatch"), ((200, b"<html>"), 3, "not as a Pinwatch"),
    ((200, b"{}"), 3, "not as a Pinwatch"), ((503, b'{"detail":"It is starting."}'), 3, "It is starting."),
    ((422, b'{"detail":"No.","errors":[{"field":"csr","message":"it is none"}]}'), 2, "csr: it is none"),
])
def test_what_a_server_refuses_is_said_in_words(rotation, answer, status, words):
    with Server(*answer) as server:
        got, out, err = run("preflight", "--host", NAME, "--csr", rotation.csr, "--server", server.url)
    assert (got, out) == (status, "") and words in err


def test_a_server_that_is_not_there_is_no_answer(rotation):
    status, out, err = run("preflight", "--host", NAME, "--csr", rotation.csr, "--server", "http://127.0.0.1:1")
    assert (status, out) == (3, "") and "127.0.0.1:1" in err


def test_import_and_export_go_to_a_server(rotation):
    with Server(201, b'{"items":[{"id":"7"},{"id":"8"}]}') as server:
        token = rotation.lab.write("token", "pw_file\n")
        line = ["import", rotation.key_pinned, "--app", "shop", "--server", server.url, "--token-file", token]
        assert run(*line) == (0, "7\n8\n", "")
    _, path, sent, body = server.requests[0]
    body = json.loads(body)
    assert (path, sent, body["app"], body["replace"]) == ("/api/v1/pin-sets/import", "Bearer pw_file", "shop", False)
    assert body["files"] == [{"name": rotation.key_pinned.name, "text": rotation.key_pinned.read_text()}]
    with Server(200, b"pins: true\n") as server:
        assert run("export", "--server", server.url, "--pin-set", "7", "--format", "wget") == (0, "pins: true\n", "")
    assert server.requests[0][:2] == ("GET", "/api/v1/pin-sets/7/export?format=wget")
    assert run("export", "--server", server.url)[0] == 2


def test_pins_are_printed_in_every_export_format(rotation):
    lab = rotation.lab
    for name in ("okhttp-kotlin", "info-plist", "native", "android-nsc", "wultra", "hpkp"):
        status, text, err = run("pins", "--chain", lab.chain, "--host", NAME, "--format", name)
        assert (status, err) == (0, ""), name
        assert NAME in text or name == "hpkp"
        status, served, _ = run("pins", lab.at, "--address", "127.0.0.1", "--format", name)
        assert (status, served) == (0, text)
    assert f'.add("{NAME}", "{lab.pin}"' in run("pins", "--chain", lab.chain, "--host", NAME, "--format", "okhttp-kotlin")[1]
    status, _, err = run("pins", "--chain", lab.chain, "--format", "info-plist")
    assert status == 2 and "--host" in err


# The name in docs/examples.
NAMED = "api.example.com"


def test_a_key_is_told_by_its_kind_and_the_servers_own_certificate_issues_nothing(rotation):
    """As `openssl s_client -showcerts` saves it, a chain begins with the certificate whose key is to be replaced."""
    examples = ROOT / "docs/examples"
    at = ("--ca-file", examples / "root.pem", "--at", "2026-11-30T12:00:00Z")
    pins = [run("pins", "--chain", examples / file, "--format", "openssl")[1].splitlines()[0] for file in ("today.pem", "backup.pem")]
    def asked(client, policy, *options, **more):
        file = rotation.lab.write("kind.json", json.dumps(
            {"pinwatch": 1, "app": "shop", "release": "1", "client": client, "policy": policy, **more}))
        return run("preflight", "--host", NAMED, "--public-key", examples / "backup.pub", "--pins", file, *options, *at)[0]
    domains = {"domains": {"example.com": {"public_key_hashes": pins, "include_subdomains": True}}}
    assert asked("trustkit-ios", domains) == 0
    assert asked("trustkit-ios", domains, "--issuer", examples / "today.pem") == 0
    leaf = {"pins": [{"pattern": NAMED, "pins": ["sha256/" + pins[0]]}]}
    assert asked("okhttp", leaf, "--issuer", examples / "today.pem", platform={"os": "android", "version": "34"}) == 1
