"""The faults that people have reported of pins, each by its number in the list of cases, and the tests that hold it."""

import base64
import hashlib
import json

import pki
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from held import missing
from service import run

API = "api.example.com"

# number, what went wrong, tests as file (from Tests) and name
CASES = [
    (47, "a certificate's hash where a key's was meant", ["EndToEnd/test_cases.py:test_47_both_hashes_are_told_apart"]),
    (48, "other writings of a pin, and the hash of the bare key", ["EndToEnd/test_cases.py:test_48_every_writing_of_a_pin_is_read",
                                                                  "EndToEnd/test_cases.py:test_48_the_hash_of_something_else_is_named"]),
    (50, "`**.` covers the apex, `*.` does not", ["PinwatchCoreTests/Clients/OkHttpPolicyTests.swift:vector 45 and the table of 9.1",
                                                  "EndToEnd/test_cases.py:test_50_to_54_what_a_pattern_covers"]),
    (51, "a trailing dot escapes the pin", ["EndToEnd/test_cases.py:test_50_to_54_what_a_pattern_covers",
                                            "EndToEnd/test_okhttp.py:test_okhttp_and_its_rules_agree",
                                            "EndToEnd/test_cases.py:test_50_to_54_lint_tells_before_anybody_connects"]),
    (52, "a host in capitals is not pinned", ["EndToEnd/test_cases.py:test_50_to_54_what_a_pattern_covers",
                                              "EndToEnd/test_cases.py:test_50_to_54_lint_tells_before_anybody_connects"]),
    (54, "one pattern pins on Android and nothing on iOS", ["EndToEnd/test_cases.py:test_50_to_54_what_a_pattern_covers",
                                                            "EndToEnd/test_cases.py:test_50_to_54_lint_tells_before_anybody_connects"]),
    (56, "an end date that passed turns pinning off in silence", ["EndToEnd/test_cases.py:test_56_after_its_end_a_pin_set_is_said_to_be_off",
                                                                 "PinwatchCoreTests/Evaluation/PinRulesTests.swift:a pin set's expiry has stages"]),
    (57, "a host without a rule lets everything through", ["PinwatchCoreTests/Evaluation/PinRulesTests.swift:a host is unpinned if no release",
                                                          "EndToEnd/test_check.py:test_unpinned_says_whether_by_design"]),
    (60, "a pinned root that another path does not reach", ["EndToEnd/test_cases.py:test_60_a_pin_is_judged_on_every_path"]),
    (62, "another intermediate on some addresses", ["EndToEnd/test_cases.py:test_62_a_move_to_another_authority_is_seen_before_it_is_everywhere",
                                                   "PinwatchCoreTests/Evaluation/PinRulesTests.swift:a key outside the pins on some addresses"]),
    (63, "renewals: the same key, the backup, a stranger", ["EndToEnd/test_cases.py:test_63_three_renewals",
                                                            "EndToEnd/test_spine.py:test_a_move_to_the_backup_pin_is_an_event_and_no_alert",
                                                            "EndToEnd/test_spine.py:test_a_key_outside_its_pins_is_told_within_a_period_and_five_seconds"]),
    (64, "an alert although the key stayed", ["EndToEnd/test_spine.py:test_a_renewal_with_the_same_key_is_quiet", "EndToEnd/test_cases.py:test_63_three_renewals",
                                              "PinwatchCoreTests/Evaluation/PinRulesTests.swift:a renewal over the same key is quiet for key pins"]),
]


@pytest.mark.parametrize("number, fault, tests", CASES, ids=[str(number) for number, _, _ in CASES])
def test_every_case_is_held_by_tests_that_exist(number, fault, tests):
    assert not missing(tests), f"{number}, {fault}"


class Lab:
    """A leaf under an authority, its renewals, and pin files made on the spot."""

    def __init__(self, folder):
        self.folder = folder
        self.root = pki.Authority("Cases Root")
        self.issuer = self.root.subordinate("Cases Issuing")
        self.key, self.backup = pki.new_key(), pki.new_key()
        self.anchors = self.write("root.pem", self.root.pem)
        self.leaf = self.issue(self.key)
        self.chain = self.served(self.leaf)

    def issue(self, key, issuer=None, **options):
        identity, _ = (issuer or self.issuer).issue(API, key=key, others=["example.com", "*.example.com"], **options)
        return x509.load_pem_x509_certificate(identity)

    def write(self, name, content):
        (self.folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
        return self.folder / name

    def served(self, leaf, *above):
        above = above or (self.issuer.certificate,)
        name = f"{leaf.serial_number:x}.pem"
        return self.write(name, b"".join(one.public_bytes(Encoding.PEM) for one in (leaf, *above)))

    def pins(self, client, policy, **more):
        return self.write("pins.json", json.dumps(
            {"pinwatch": 1, "app": "shop", "release": "1", "client": client, "policy": policy, **more}))

    def check(self, file, *options, chain=None, host=API, anchors=None):
        code, out, error = run(
            "check", "--chain", chain or self.chain, "--host", host, "--ca-file", anchors or self.anchors, "--pins", file, "--json", *options)
        assert out, error
        (answer,) = json.loads(out)
        return code, answer


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    return Lab(tmp_path_factory.mktemp("cases"))


def text(key):
    return pki.pin(key).removeprefix("sha256/")


def base64_of(digest):
    return base64.b64encode(digest).decode()


def generic(*pins):
    return {"hosts": [{"host": API, "pins": list(pins)}]}


def of_the_certificate(leaf):
    return base64_of(bytes.fromhex(pki.fingerprint(leaf)))


def of_the_bare_key(key):
    return base64_of(hashlib.sha256(key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)).digest())


def test_47_both_hashes_are_told_apart(lab):
    file = lab.write("leaf.pem", lab.leaf.public_bytes(Encoding.PEM))
    _, out, _ = run("import", file, "--host", API, "--client", "generic")
    assert f"key sha256: {text(lab.key)}" in out and f"certificate sha256: {pki.fingerprint(lab.leaf)}" in out
    assert lab.check(lab.pins("generic", generic("cert-sha256:" + pki.fingerprint(lab.leaf))))[1]["verdict"] == "accept"
    code, answer = lab.check(lab.pins("generic", generic("sha256/" + of_the_certificate(lab.leaf))))
    assert (code, answer["verdict"]) == (1, "reject_pin") and "certificate" in " ".join(answer["notes"]), answer


@pytest.mark.parametrize("write", [
    lambda pin: pin, lambda pin: pin.rstrip("="), lambda pin: pin.replace("+", "-").replace("/", "_"), lambda pin: "sha256/" + pin,
    lambda pin: "sha256//" + pin, lambda pin: f'pin-sha256="{pin}"', lambda pin: base64.b64decode(pin).hex(),
    lambda pin: ":".join(f"{byte:02X}" for byte in base64.b64decode(pin)), lambda pin: f'"sha256/{pin}",',
], ids=["base64", "unpadded", "base64url", "okhttp", "curl", "hpkp", "hex", "colons", "quoted"])
def test_48_every_writing_of_a_pin_is_read(lab, write):
    file = lab.write("pins.txt", write(text(lab.key)) + "\n")
    certificate = lab.write("beside.pem", lab.leaf.public_bytes(Encoding.PEM))
    code, out, error = run("import", file, certificate, "--client", "generic", "--host", API)
    assert code == 0 and text(lab.key) in out, error
    native = lab.write("native.yaml", out)
    assert lab.check(native)[1]["verdict"] == "accept"


def test_48_the_hash_of_something_else_is_named(lab):
    for client, policy in [
        ("generic", generic("sha256/" + of_the_bare_key(lab.key))),
        ("okhttp", {"pins": [{"pattern": API, "pins": ["sha256/" + of_the_bare_key(lab.key)]}]}),
        ("trustkit-ios", {"domains": {API: {"public_key_hashes": [of_the_bare_key(lab.key), text(lab.backup)]}}}),
        ("apple-pinned-domains", {"domains": {API: {"leaf_identities": [of_the_bare_key(lab.key)]}}}),
    ]:
        code, answer = lab.check(lab.pins(client, policy, **({"platform": {"os": "jvm"}} if client == "okhttp" else {})))
        assert (code, answer["verdict"]) == (1, "reject_pin") and "raw key" in " ".join(answer["notes"]), answer


def okhttp(pattern, pin):
    return "okhttp", {"pins": [{"pattern": pattern, "pins": ["sha256/" + pin]}]}


def nsc(domain, pin):
    return "android-nsc", {"xml": f'<network-security-config><domain-config><domain>{domain}</domain><pin-set>'
                                  f'<pin digest="SHA-256">{pin}</pin></pin-set></domain-config></network-security-config>'}


def trustkit(domain, pin):
    other = base64_of(hashlib.sha256(b"other").digest())
    return "trustkit-ios", {"domains": {domain: {"public_key_hashes": [pin, other], "include_subdomains": True}}}


def apple(domain, pin):
    return "apple-pinned-domains", {"domains": {domain: {"leaf_identities": [pin]}}}


def alamofire(host, pin):
    return "alamofire", {"all_hosts_must_be_evaluated": False, "evaluators": {host: {"evaluator": "public_keys", "pins": ["sha256/" + pin]}}}


@pytest.mark.parametrize("make, pattern, host, verdict, by", [
    # 50
    (okhttp, "**.example.com", "example.com", "accept", None), (okhttp, "*.example.com", "example.com", "unpinned", "trap"),
    # 51
    (okhttp, API, API + ".", "unpinned", "trap"), (alamofire, API, API + ".", "unpinned", "trap"), (trustkit, API, API + ".", "unpinned", "trap"),
    (apple, API, API + ".", "accept", None), (nsc, API, API + ".", "accept", None),
    # 52
    (okhttp, API.upper(), API, "accept", None), (nsc, API.upper(), API, "accept", None), (apple, API.upper(), API, "accept", None),
    (alamofire, API.upper(), API, "unpinned", "trap"), (trustkit, API.upper(), API, "unpinned", "trap"),
    # 54
    (okhttp, "*.example.com", API, "accept", None), (nsc, "*.example.com", API, "unpinned", "trap"),
    (trustkit, "*.example.com", API, "unpinned", "trap"), (apple, "*.example.com", API, "unpinned", "trap"),
    (alamofire, "*.example.com", API, "unpinned", "trap"),
])
def test_50_to_54_what_a_pattern_covers(lab, make, pattern, host, verdict, by):
    client, policy = make(pattern, text(lab.key))
    code, answer = lab.check(lab.pins(client, policy), host=host)
    assert (answer["verdict"], answer.get("by")) == (verdict, by), answer
    assert code == (1 if by == "trap" else 0)


@pytest.mark.parametrize("files, rules", [
    ([("okhttp", {"pins": [{"pattern": "*.example.com", "pins": ["P", "B"]}]})], {"wildcard_without_apex"}),
    ([("okhttp", {"pins": [{"pattern": API, "pins": ["P", "B"]}]})], {"trailing_dot_unpinned"}),
    ([("alamofire", {"evaluators": {"API.example.com": {"evaluator": "public_keys", "pins": ["P", "B"]}}})], {"host_case"}),
    ([("okhttp", {"pins": [{"pattern": "**.example.com", "pins": ["P", "B"]}]}),
      ("alamofire", {"evaluators": {"*.example.com": {"evaluator": "public_keys", "pins": ["P", "B"]}}})],
     {"wildcard_never_matches", "platforms_differ"}),
], ids=["apex", "trailing dot", "capitals", "one pattern, two platforms"])
def test_50_to_54_lint_tells_before_anybody_connects(lab, files, rules):
    written = []
    for number, (client, policy) in enumerate(files):
        content = json.dumps({"pinwatch": 1, "app": f"shop-{number}", "release": "1", "client": client, "policy": policy})
        content = content.replace('"P"', json.dumps(pki.pin(lab.key))).replace('"B"', json.dumps(pki.pin(lab.backup)))
        written.append(lab.write(f"lint-{number}.json", content))
    _, out, _ = run("lint", *written, "--format", "json")
    assert rules <= {problem["rule"] for problem in json.loads(out)}, out


def test_56_after_its_end_a_pin_set_is_said_to_be_off(lab):
    client, policy = nsc(API, text(lab.backup))
    policy["xml"] = policy["xml"].replace("<pin-set>", '<pin-set expiration="2026-01-01">')
    code, answer = lab.check(lab.pins(client, policy))
    assert (code, answer["verdict"], answer["by"]) == (1, "unpinned", "trap") and "2026-01-01" in answer["reason"]
    client, policy = trustkit(API, text(lab.backup))
    policy["domains"][API]["expiration_date"] = "2026-01-01"
    code, answer = lab.check(lab.pins(client, policy))
    assert (code, answer["verdict"], answer["by"], answer["code"]) == (1, "unpinned", "trap", "expired"), answer


def test_60_a_pin_is_judged_on_every_path(lab):
    new = pki.Authority("Cases New Root")
    crossed = pki.Authority("Cases New Root", issuer=lab.root, key=new.key)
    issuer = new.subordinate("Cases Crossed")
    leaf = lab.issue(lab.key, issuer)
    chain = lab.served(leaf, issuer.certificate, crossed.certificate)
    anchors = lab.write("both.pem", lab.root.pem + new.pem)
    file = lab.pins("trustkit-ios", trustkit(API, text(lab.root.key))[1])
    code, answer = lab.check(file, chain=chain, anchors=anchors)
    assert (code, answer["verdict"]) == (1, "depends_on_path"), answer
    assert {path["anchor"]["subject"]: path["verdict"] for path in answer["paths"]} == {
        "CN=Cases Root": "accept", "CN=Cases New Root": "reject_pin"}
    assert lab.check(file, chain=chain)[1]["verdict"] == "accept"
    # trustd looks for a path that satisfies the pins.
    assert lab.check(
        lab.pins("apple-pinned-domains", {"domains": {API: {"ca_identities": [text(lab.root.key)]}}}), chain=chain, anchors=anchors
    )[1]["verdict"] == "accept"


def test_62_a_move_to_another_authority_is_seen_before_it_is_everywhere(lab):
    other = lab.root.subordinate("Cases Other Issuing")
    moved = lab.served(lab.issue(lab.key, other), other.certificate)
    for pins, verdicts in [([lab.issuer.key], ("accept", "reject_pin")), ([lab.issuer.key, other.key], ("accept", "accept")),
                           ([lab.root.key], ("accept", "accept"))]:
        client, policy = nsc(API, text(pins[0]))
        policy["xml"] = policy["xml"].replace("</pin-set>", "".join(f'<pin digest="SHA-256">{text(key)}</pin>' for key in pins[1:]) + "</pin-set>")
        file = lab.pins(client, policy)
        assert tuple(lab.check(file, chain=chain)[1]["verdict"] for chain in (lab.chain, moved)) == verdicts


def test_63_three_renewals(lab):
    same, backup, stranger = (lab.served(lab.issue(key, days=180)) for key in (lab.key, lab.backup, pki.new_key()))
    lab.write("leaf.cer", lab.leaf.public_bytes(serialization.Encoding.DER))
    wultra = {"fingerprints": [{"name": API, "fingerprint": of_the_certificate(lab.leaf), "expires": 4000000000}]}
    keys, whole = generic(pki.pin(lab.key), pki.pin(lab.backup)), "reject_pin"
    for client, policy, verdicts in [
        ("generic", keys, ["accept", "accept", "reject_pin"]), ("wultra-ios", wultra, [whole, whole, whole]),
        ("alamofire", {"evaluators": {API: {"evaluator": "pinned_certificates", "pins": ["file:leaf.cer"]}}}, [whole, whole, whole]),
        ("afnetworking", {"mode": "public_key", "pins": ["file:leaf.cer"]}, ["accept", "reject_pin", "reject_pin"]),
    ]:
        file = lab.pins(client, policy)
        assert lab.check(file)[1]["verdict"] == "accept"
        assert [lab.check(file, chain=chain)[1]["verdict"] for chain in (same, backup, stranger)] == verdicts, client
