"""Every client's test vectors, from real certificates through `pinwatch check`: verdicts and exit statuses.

The numbers are those of the vectors; what needs a handshake, a version or a certificate of its own kind is judged in the
rooms' tests too.
"""

import base64
import hashlib
import json

import pki
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from service import run

HOST = "api.example.com"


class Kit:
    """L under I under R, renewals and strangers; the root is not sent."""

    def __init__(self, folder):
        self.folder = folder
        self.root = pki.Authority("Kit Root")
        self.issuer = self.root.subordinate("Kit Issuing")
        self.stranger = pki.Authority("Stranger")
        self.key = pki.rsa_key()
        self.leaf = self.issue(HOST)
        self.renewed = self.issue(HOST, days=180)
        self.expired = self.issue(HOST, days=-1, started=60)
        self.own = self.certificate(pki.self_signed(HOST))
        self.ca = self.write("root.pem", self.pem(self.root.certificate))

    def certificate(self, identity):
        return x509.load_pem_x509_certificate(identity)

    def issue(self, host, **options):
        return self.certificate(self.issuer.issue(host, key=self.key, **options)[0])

    def pem(self, *certificates):
        return b"".join(one.public_bytes(Encoding.PEM) for one in certificates).decode()

    def write(self, name, text):
        path = self.folder / name
        path.write_bytes(text) if isinstance(text, bytes) else path.write_text(text)
        return path

    def text(self, certificate):
        return pki.pin_of(certificate).removeprefix("sha256/")

    def words(self):
        """What the policies below are filled with."""
        x, y = (base64.b64encode(hashlib.sha256(word).digest()).decode() for word in (b"x", b"y"))
        for name, one in (("leaf.cer", self.leaf), ("issuer.cer", self.issuer.certificate), ("own.cer", self.own),
                          ("stranger.cer", self.stranger.certificate)):
            self.write(name, one.public_bytes(Encoding.DER))
        fingerprint = base64.b64encode(bytes.fromhex(pki.fingerprint(self.leaf))).decode()
        own = base64.b64encode(bytes.fromhex(pki.fingerprint(self.own))).decode()
        return {"L": self.text(self.leaf), "I": self.text(self.issuer.certificate), "R": self.text(self.root.certificate),
                "S": self.text(self.own), "X": x, "Y": y, "FL": fingerprint, "FS": own, "SHORT": base64.b64encode(b"z" * 31).decode()}


@pytest.fixture(scope="module")
def kit(tmp_path_factory):
    return Kit(tmp_path_factory.mktemp("vectors"))


def nsc(inner):
    return json.dumps({"xml": f"<network-security-config>{inner}</network-security-config>"})


def domain(pins, name=HOST, more=""):
    pins = "".join(f'<pin digest="SHA-256">{pin}</pin>' for pin in pins)
    return f"<domain-config><domain>{name}</domain><pin-set>{pins}</pin-set>{more}</domain-config>"


ALAMOFIRE = '{"evaluators": {"api.example.com": {"evaluator": %s}}}'
TRUSTKIT = '{"domains": {"%s": {"public_key_hashes": [%s], "include_subdomains": %s, "enforce_pinning": %s}}}'
APPLE = '{"domains": {"api.example.com": {%s}}}'
OKHTTP = '{"pins": [{"pattern": "%s", "pins": [%s]}]}'
CURL = '{"pinnedpubkey": "%s"}'
WULTRA = '{"fingerprints": [{"name": "api.example.com", "fingerprint": "%s", "expires": 4000000000}]}'

# number, client, version, policy, chain, options, verdict, exit status
VECTORS = [
    (1, "alamofire", None, ALAMOFIRE % '"public_keys", "pins": ["sha256/{L}"]', "L", [], "accept", 0),
    (2, "alamofire", None, ALAMOFIRE % '"public_keys", "pins": ["sha256/{R}"]', "L", [], "accept", 0),
    (3, "alamofire", None, ALAMOFIRE % '"pinned_certificates", "pins": ["file:leaf.cer"]', "RENEWED", [], "reject_pin", 1),
    (4, "alamofire", None, ALAMOFIRE % '"public_keys", "pins": ["file:leaf.cer"]', "RENEWED", [], "accept", 0),
    (5, "alamofire", None, '{"evaluators": {"example.com": {"evaluator": "public_keys", "pins": ["sha256/{L}"]}}}', "L", [], "reject_pin", 1),
    (5, "alamofire", None, '{"all_hosts_must_be_evaluated": false, "evaluators": {"example.net": {"evaluator": "default"}}}', "L", [], "unpinned", 0),
    (6, "alamofire", None, ALAMOFIRE % '"pinned_certificates", "pins": []', "L", [], "reject_pin", 1),
    (7, "alamofire", None, ALAMOFIRE % '"public_keys", "pins": ["sha256/{L}"], "perform_default_validation": false', "EXPIRED", [], "reject_chain", 1),
    (8, "alamofire", None, ALAMOFIRE % '"public_keys", "pins": ["file:own.cer"], "perform_default_validation": false, "validate_host": false', "OWN", [], "accept", 0),
    (10, "alamofire", None, ALAMOFIRE % '"pinned_certificates", "pins": ["file:stranger.cer"], "accept_self_signed": true', "L", [], "reject_chain", 1),
    (11, "alamofire", None, ALAMOFIRE % '"composite", "evaluators": [{"evaluator": "public_keys", "pins": ["sha256/{L}"]}, {"evaluator": "public_keys", "pins": ["sha256/{X}"]}]', "L", [], "reject_pin", 1),
    (12, "alamofire", None, ALAMOFIRE % '"disabled"', "OWN", [], "accept", 0),
    (14, "trustkit-ios", None, TRUSTKIT % ("example.com", '"{I}", "{X}"', "true", "true"), "DEEP", ["--host", "a.b.example.com"], "accept", 0),
    (15, "trustkit-ios", None, TRUSTKIT % (HOST, '"{X}", "{Y}"', "false", "false"), "L", [], "accept_report", 0),
    (16, "trustkit-ios", None, TRUSTKIT % (HOST, '"{L}", "{X}"', "false", "false"), "EXPIRED", [], "reject_chain", 1),
    (17, "trustkit-ios", None, TRUSTKIT % (HOST, '"{L}"', "false", "true"), "L", [], "config_error", 1),
    (17, "trustkit-ios", None, TRUSTKIT % (HOST, '"{L}", "{L}"', "false", "true"), "L", [], "config_error", 1),
    (19, "trustkit-ios", None, TRUSTKIT % ("z9.execute-api.eu-west-1.amazonaws.com", '"{L}", "{X}"', "false", "true"), "L", [], "config_error", 1),
    (25, "trustkit-ios", None, TRUSTKIT % (HOST, '"{X}", "{Y}"', "false", "true"), "L", ["--host", HOST + "."], "unpinned", 1),
    (28, "apple-pinned-domains", None, APPLE % '"leaf_identities": ["{L}"], "ca_identities": ["{X}"]', "L", [], "reject_pin", 1),
    (29, "apple-pinned-domains", None, APPLE % '"leaf_identities": ["{I}"]', "L", [], "reject_pin", 1),
    (29, "apple-pinned-domains", None, APPLE % '"ca_identities": ["{L}"]', "L", [], "reject_pin", 1),
    (30, "apple-pinned-domains", None, APPLE % '"leaf_identities": []', "L", [], "reject_pin", 1),
    (34, "apple-pinned-domains", None, APPLE % "", "L", [], "unpinned", 1),
    (35, "android-nsc", None, nsc(domain(["{R}"])), "L", [], "accept", 0),
    (36, "android-nsc", None, nsc(domain(["{I}"])), "ALONE", [], "reject_chain", 1),
    (41, "android-nsc", None, nsc(domain(["{X}"]) + '<debug-overrides><trust-anchors><certificates src="system"/></trust-anchors></debug-overrides>')[:-1] + ', "debuggable": true}', "L", [], "unpinned", 1),
    (42, "android-nsc", None, nsc(domain(["{X}"], "*.example.com")), "L", [], "unpinned", 1),
    (43, "android-nsc", None, nsc(domain(["{SHORT}"])), "L", [], "config_error", 1),
    (45, "okhttp", None, OKHTTP % ("*.example.com", '"sha256/{X}"'), "DEEP", ["--host", "a.b.example.com"], "unpinned", 1),
    (46, "okhttp", None, OKHTTP % ("**.example.com", '"sha256/{X}"'), "L", [], "reject_pin", 1),
    (46, "okhttp3", None, OKHTTP % ("**.example.com", '"sha256/{X}"'), "L", [], "unpinned", 1),
    (48, "okhttp", None, OKHTTP % (HOST, '"file:stranger.cer"'), "STRAY", [], "reject_pin", 1),
    (54, "wultra-ios", None, WULTRA % "{FL}", "RENEWED", [], "reject_pin", 1),
    (55, "wultra-android", None, WULTRA % "{FS}", "OWN", [], "accept", 0),
    (55, "wultra-ios", None, WULTRA % "{FS}", "OWN", [], "reject_chain", 1),
    (56, "curl", None, CURL % "sha256//{I}", "L", [], "reject_pin", 1),
    (57, "curl", None, CURL % "sha256//{X}; sha256//{L}", "L", [], "reject_pin", 1),
    (57, "wget", None, CURL % "sha256//{X}; sha256//{L}", "L", [], "reject_pin", 1),
    ("57c", "curl", "8.17.0", CURL % "sha256//{X};junk;sha256//{L}", "L", [], "accept", 0),
    ("57c", "curl", "8.18.0", CURL % "sha256//{X};junk;sha256//{L}", "L", [], "reject_pin", 1),
    ("57c", "curl", None, CURL % "sha256//{X};junk;sha256//{L}", "L", [], "unknown", 3),
    ("57c", "wget", None, CURL % "sha256//{X};junk;sha256//{L}", "L", [], "accept", 0),
    (58, "afnetworking", None, '{"mode": "certificate", "pins": ["file:issuer.cer"]}', "L", [], "accept", 0),
]


def chain(kit, name):
    issuer = kit.issuer.certificate
    chains = {"L": [kit.leaf, issuer], "RENEWED": [kit.renewed, issuer], "EXPIRED": [kit.expired, issuer], "OWN": [kit.own],
              "ALONE": [kit.leaf], "STRAY": [kit.leaf, issuer, kit.stranger.certificate]}
    certificates = chains[name] if name in chains else [kit.issue("a.b.example.com"), issuer]
    return kit.write(f"{name}.pem", kit.pem(*certificates))


@pytest.mark.parametrize(
    "number, client, version, policy, served, options, verdict, status", VECTORS,
    ids=[f"{number}-{client}-{verdict}" for number, client, _, _, _, _, verdict, _ in VECTORS])
def test_a_vector(kit, number, client, version, policy, served, options, verdict, status):
    for word, value in kit.words().items():
        policy = policy.replace("{" + word + "}", value)
    pins = kit.write("pins.json", json.dumps({
        "pinwatch": 1, "app": "shop", "release": "1", "client": client, **({"client_version": version} if version else {}),
        "policy": json.loads(policy)}))
    host = options if "--host" in options else ["--host", HOST]
    code, out, error = run(
        "check", "--chain", chain(kit, served), *host, "--ca-file", kit.ca, "--pins", pins, "--json")
    assert out, error
    (answer,) = json.loads(out)
    assert (answer["verdict"], code) == (verdict, status), answer
    assert answer["reason"] and ("by" in answer) == (verdict == "unpinned")
