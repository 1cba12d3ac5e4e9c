"""The apps' own pin files through the API: understood, stored with their originals, written again, and held against what
is served."""

import base64
import json
import time

import peers
import pki
import pytest
import service
from cryptography import x509
from cryptography.hazmat.primitives import serialization

NAME = "api.shop.test"
IMPORT = "/api/v1/pin-sets/import"
PLIST = """<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict>
<key>CFBundleIdentifier</key><string>com.example.shop</string>
<key>CFBundleShortVersionString</key><string>5.2.0</string>
<key>MinimumOSVersion</key><string>16.0</string>
<key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>
<key>HOST</key><dict><key>NSPinnedLeafIdentities</key><array>
<dict><key>SPKI-SHA256-BASE64</key><string>PIN</string></dict>
</array></dict></dict></dict></dict></plist>
"""
NSC = """<network-security-config><domain-config><domain>HOST</domain><pin-set>
<pin digest="SHA-256">PIN</pin></pin-set></domain-config></network-security-config>"""
TRUST = 'let trust = ServerTrustManager(evaluators: ["HOST": KINDTrustEvaluator()])\n'


class Lab:
    """A service that watches one host, and the apps that pin it."""

    def __init__(self, folder):
        self.authority = pki.Authority()
        (folder / "root.pem").write_bytes(self.authority.pem)
        self.identity, self.key = self.authority.issue(NAME)
        self.host = peers.Host(self.identity)
        self.service = service.Service(
            folder,
            "listen: 127.0.0.1:0\ndatabase: pinwatch.db\nscan: {period: 2s}\n"
            "trust_stores: {system: system, lab: {file: root.pem}}\n"
            f"targets:\n  - {{host: {NAME}, port: {self.host.port}, addresses: [127.0.0.1], trust_store: lab}}\n").start()
        self.pin = pki.pin(self.key)

    def fill(self, text, **more):
        text = text.replace("HOST", NAME).replace("PIN", self.pin.removeprefix("sha256/"))
        for name, value in more.items():
            text = text.replace(name, value)
        return text

    @property
    def certificate(self):
        return x509.load_pem_x509_certificate(self.identity)

    def handed(self, *files, **context):
        """A body that hands files over, each `(name, content)`."""
        listed = [
            {"name": name, "text": content} if isinstance(content, str)
            else {"name": name, "base64": base64.b64encode(content).decode()} for name, content in files]
        return {"files": listed, **context}

    def send(self, *arguments):
        return self.service.send("POST", *arguments)

    def store(self, *files, **context):
        return self.send(IMPORT, self.handed(*files, replace=True, **context), 201)["items"]

    def certificate_pinned(self, **context):
        """An iOS app that pins the certificate that is served."""
        der = self.certificate.public_bytes(serialization.Encoding.DER)
        source = self.fill(TRUST, KIND="PinnedCertificates")
        return self.store(("Trust.swift", source), ("leaf.cer", der), app="shop-certificate", release="1", **context)[0]


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    made = Lab(tmp_path_factory.mktemp("pin_api"))
    yield made
    made.service.stop()
    made.host.stop()


def waited(look, seconds=30):
    """What `look` gives once it gives something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.3)
    raise AssertionError("it did not come")


def test_an_info_plist_is_understood_stored_and_written_again(lab):
    plist = lab.fill(PLIST)
    seen = lab.send(IMPORT + "?preview=true", lab.handed(("Info.plist", plist)), 200)["items"]
    assert [one["format"] for one in seen] == ["info-plist"] and seen[0]["exists"] is None
    assert (seen[0]["pin_set"]["app"], seen[0]["pin_set"]["release"]) == ("com.example.shop", "5.2.0")
    assert seen[0]["problems"] == [] and lab.pin.removeprefix("sha256/") in seen[0]["source"]
    assert lab.service.items("pin-sets?app=com.example.shop") == []

    (made,) = lab.send(IMPORT, lab.handed(("Info.plist", plist), share=0.31), 201)["items"]
    path = f"/api/v1/pin-sets/{made['id']}"
    shown = lab.service.get(path)
    assert shown["has_originals"] and shown["share"] == 0.31 and shown["managed_by"] == "api"
    assert lab.service.get(path + "/originals")["items"] == [{"name": "Info.plist", "text": plist}]
    assert lab.pin.removeprefix("sha256/") in lab.service.get(path + "/export?format=info-plist")
    assert lab.service.get(path + "/export") == shown["source"]
    assert "okhttp-kotlin" in json.dumps(lab.service.get(path + "/export?format=gif", 400))

    again = lab.send(IMPORT, lab.handed(("Info.plist", plist)), 409)
    assert again["pin_set_id"] == made["id"]
    seen = lab.send(IMPORT + "?preview=true", lab.handed(("Info.plist", plist)), 200)["items"]
    assert seen[0]["exists"] == made["id"]
    replaced = lab.send(IMPORT, lab.handed(("Info.plist", plist + "\n"), replace=True), 201)["items"]
    assert replaced[0]["id"] == made["id"] and replaced[0]["revision"] > made["revision"]
    assert lab.service.get(path + "/originals")["items"][0]["text"] == plist + "\n"
    actions = [line["action"] for line in lab.service.items("audit?object_type=pin_set") if line["object"]["id"] == made["id"]]
    assert actions == ["pin_set.update", "pin_set.create"]


def test_files_of_two_systems_are_two_releases(lab):
    seen = lab.send(IMPORT + "?preview=true", lab.handed(
        ("Info.plist", lab.fill(PLIST)), ("res/xml/network_security_config.xml", lab.fill(NSC))), 200)["items"]
    assert [one["pin_set"]["clients"] for one in seen] == [["apple-pinned-domains"], ["android-nsc"]]
    refused = lab.send(IMPORT, lab.handed(
        ("Info.plist", lab.fill(PLIST)), ("n.xml", lab.fill(NSC)), app="shop", release="9"), 422)
    assert refused["errors"][0]["field"] == "app"


def test_files_of_one_system_are_layers_of_one_release(lab):
    der = lab.certificate.public_bytes(serialization.Encoding.DER)
    (seen,) = lab.send(IMPORT + "?preview=true", lab.handed(
        ("Trust.swift", lab.fill(TRUST, KIND="PublicKeys")), ("Info.plist", lab.fill(PLIST)), ("leaf.cer", der)), 200)["items"]
    assert seen["pin_set"]["app"] == "com.example.shop"
    assert seen["pin_set"]["clients"] == ["alamofire", "apple-pinned-domains"]
    (key,) = seen["keys"]
    assert key["spki"] == lab.pin and key["certificate_sha256"] == pki.fingerprint(lab.certificate)


def test_what_must_be_answered_stands_against_storing_until_a_text_answers_it(lab):
    source = ("Trust.swift", lab.fill(TRUST, KIND="PublicKeys"))
    (seen,) = lab.send(IMPORT + "?preview=true", lab.handed(source), 200)["items"]
    assert [one["id"] for one in seen["questions"] if one["must_answer"]] == ["bundle"] and seen["pin_set"] is None
    refused = lab.send(IMPORT, lab.handed(source), 422)
    assert [one["field"] for one in refused["errors"]] == ["bundle"]
    text = (f'pinwatch: 1\napp: shop-edited\nrelease: "2"\nclient: alamofire\npolicy:\n  evaluators:\n    {NAME}: '
            f'{{evaluator: public_keys, pins: ["{lab.pin}"]}}\n')
    (made,) = lab.send(IMPORT, lab.handed(source, source=text), 201)["items"]
    assert made["app"] == "shop-edited" and made["origin"] == "Trust.swift" and made["has_originals"]


def test_no_certificate_or_key_is_kept_among_the_originals(lab):
    made = lab.certificate_pinned()
    items = lab.service.get(f"/api/v1/pin-sets/{made['id']}/originals")["items"]
    assert [one["name"] for one in items] == ["Trust.swift"]
    assert "cert-sha256:" + pki.fingerprint(lab.certificate) in made["source"]


def test_stored_pins_are_judged_against_what_is_served(lab):
    made = lab.certificate_pinned()
    path = f"/api/v1/pin-sets/{made['id']}"
    assert waited(lambda: lab.service.get(path)["verdicts"]["accept"])
    other = pki.pin(pki.new_key()).removeprefix("sha256/")
    (wrong,) = lab.store(("n.xml", lab.fill(NSC).replace(lab.pin.removeprefix("sha256/"), other)), app="shop-wrong", release="1")
    assert waited(lambda: lab.service.get(f"/api/v1/pin-sets/{wrong['id']}")["verdicts"]["reject"])


def test_what_a_target_serves_is_written_as_pins(lab):
    (target,) = lab.service.items("targets")
    path = f"/api/v1/targets/{target['id']}/export"
    waited(lambda: lab.service.get(f"/api/v1/targets/{target['id']}")["leaf"])
    assert f'.add("{NAME}", "{lab.pin}")' in lab.service.get(path + "?format=okhttp-kotlin").replace("\n", "")
    assert lab.pin in lab.service.get(path + "?issuers=true")


def test_a_renewed_certificate_stops_the_release_that_pins_it_and_not_the_one_that_pins_its_key(lab):
    certificate = lab.certificate_pinned(share=0.31)
    (key,) = lab.store(("Info.plist", lab.fill(PLIST)), app="shop-key", release="1")
    waited(lambda: lab.service.get(f"/api/v1/pin-sets/{certificate['id']}")["verdicts"]["accept"])
    renewed = lab.authority.issue(NAME, key=lab.key)[0].decode().split("-----BEGIN PRIVATE")[0]

    def ask(pin_set, **candidate):
        return lab.send("/api/v1/preflight", {"host": NAME, "pin_set_ids": [pin_set["id"]], **candidate}, 200)

    stopped = ask(certificate, certificate=renewed)
    assert stopped["go"] is False and stopped["sentence"].startswith("Stop")
    assert "31 %" in json.dumps(stopped["users"]) and stopped["items"][0]["verdict"] == "reject_pin"
    assert stopped["items"][0]["now"] == "accept" and stopped["candidate"]["kind"] == "certificate"
    gone = ask(key, certificate=renewed)
    assert gone["go"] is True and gone["items"][0]["pin_set_id"] == key["id"]
    public = lab.key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    for form in ("public_key", "candidate"):
        answer = ask(key, **{form: base64.b64encode(public).decode()})
        assert answer["go"] is True and answer["candidate"]["kind"] == "public_key" and answer["assumed"]
    assert ask(certificate, public_key=base64.b64encode(public).decode())["go"] is False
    assert lab.send("/api/v1/preflight", {"host": NAME, "candidate": PRIVATE}, 422)["errors"]
    both = lab.send("/api/v1/preflight", {"host": NAME, "certificate": renewed, "app": "shop-key"}, 200)
    assert [one["app"] for one in both["items"]] == ["shop-key"]


def test_every_release_is_shown_beside_every_chain(lab):
    made = lab.certificate_pinned()
    (target,) = lab.service.items("targets")
    path = f"/api/v1/targets/{target['id']}/matrix"
    matrix = waited(lambda: lab.service.get(path) if lab.service.get(path)["columns"] else None)
    assert [column["spki"] for column in matrix["columns"]] == [lab.pin]
    (row,) = [row for row in matrix["rows"] if row["pin_set_id"] == made["id"]]
    assert [cell["verdict"] for cell in row["cells"]] == ["accept"] and row["clients"] == ["alamofire"]
    lab.service.get("/api/v1/targets/999/matrix", 404)


def test_verdicts_runway_and_coverage_are_listed_over_all_targets(lab):
    other = pki.pin(pki.new_key()).removeprefix("sha256/")
    (wrong,) = lab.store(("n.xml", lab.fill(NSC).replace(lab.pin.removeprefix("sha256/"), other).replace(
        f"<domain>{NAME}</domain>", f"<domain>{NAME}</domain><domain>elsewhere.test</domain>")), app="shop-listed", release="1")
    (verdict,) = waited(lambda: lab.service.items("verdicts?app=shop-listed&verdict=reject_pin"))
    assert verdict["pin_set_id"] == wrong["id"] and verdict["target"].startswith(NAME)
    coverage = lab.service.get("/api/v1/coverage")
    assert "elsewhere.test" in [one["host"] for one in coverage["unscanned"]["items"]]
    certificate = lab.certificate_pinned()
    release = waited(lambda: lab.service.items(f"runway?kind=release&pin_set_id={certificate['id']}"))
    assert release[0]["subject"] and release[0]["days_left"] <= 90


def test_traps_are_told_of_files_and_of_what_is_stored(lab):
    source = lab.fill('let trust = ServerTrustManager(evaluators: ["HOST": DisabledTrustEvaluator()])\n')
    report = lab.send("/api/v1/lint", lab.handed(("Trust.swift", source)), 200)
    assert report["errors"] >= 1 and all(one["file"] == "Trust.swift" and one["line"] == 1 for one in report["items"])
    plist = ("Info.plist", lab.fill(PLIST))
    (seen,) = lab.send(IMPORT + "?preview=true", lab.handed(plist), 200)["items"]
    assert "no_backup" in [one["rule"] for one in seen["lint"]]
    (made,) = lab.store(plist, app="shop-linted", release="1")
    stored = lab.send("/api/v1/lint", {"pin_set_id": made["id"]}, 200)
    assert stored["items"] == made["lint"] and "no_backup" in [one["rule"] for one in stored["items"]]


PRIVATE = pki.new_key().private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()
BOMB = '<!DOCTYPE plist [<!ENTITY a0 "aaaaaaaaaa">' + "".join(
    f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 30)) + "]><plist><string>&a29;</string></plist>"


@pytest.mark.parametrize("name, content", [
    ("one line", "a" * 750_000), ("a zip", b"PK\x03\x04" + bytes(1000)), ("entities", BOMB),
    ("a private key", PRIVATE), ("rubbish", bytes(range(256)) * 100), ("an archive", b"\x1f\x8b\x08" + bytes(100)),
    ("binary XML", b"\x03\x00\x08\x00" + bytes(100)), ("depth", "[" * 100_000), ("quotes", '"' * 200_000),
    ("blanks", " " * 400_000), ("a cut list", b"bplist00" + bytes(40)), ("comments", "/*" * 100_000),
    ("swift", "ServerTrustManager(" * 3_000), ("kotlin", "CertificatePinner.Builder()" + ".add(" * 3_000),
    ("xml", "<a>" * 50_000), ("pins", "sha256/AAAA\n" * 20_000), ("curl", "curl --pinnedpubkey " * 3_000),
], ids=lambda value: value if isinstance(value, str) and len(value) < 20 else "")
def test_hostile_files_are_refused_in_words_and_in_bounded_time(lab, name, content):
    for path in (IMPORT, "/api/v1/lint"):
        began = time.monotonic()
        answer = lab.send(path, lab.handed((name, content)), None)
        assert time.monotonic() - began < 30
        if path == IMPORT:
            assert 400 <= answer["status"] < 500 and (answer["detail"] or answer["errors"]), answer
        if content == PRIVATE:
            assert PRIVATE.splitlines()[1] not in json.dumps(answer)
    lab.service.get("/healthz")


@pytest.mark.parametrize("name, content", [
    ("Info.plist", PLIST.replace("<dict>", f"<dict><key>k</key><string>{PRIVATE}</string>", 1)),
    ("Pins.kt", "val key = " + json.dumps(PRIVATE) + "\nCertificatePinner.Builder()"),
    ("own.yaml", "".join(f"# {line}\n" for line in PRIVATE.splitlines()) + "pinwatch: 1\n"),
], ids=["property list", "source", "native"])
def test_a_private_key_is_refused_wherever_it_stands(lab, name, content):
    for path in (IMPORT, IMPORT + "?preview=true", "/api/v1/lint"):
        refused = lab.send(path, lab.handed((name, lab.fill(content))), 422)
        assert "private key" in json.dumps(refused) and PRIVATE.splitlines()[1] not in json.dumps(refused)
    assert "private key" in json.dumps(lab.send("/api/v1/pin-sets", {"source": content}, 422))


def test_a_question_about_releases_that_are_not_there_is_no_go(lab):
    lab.certificate_pinned()
    key = pki.new_key().public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()
    for more, field in [({"app": "typo"}, "app"), ({"pin_set_ids": ["999999"]}, "pin_set_ids")]:
        refused = lab.send("/api/v1/preflight", {"host": NAME, "public_key": key, **more}, 422)
        assert [one["field"] for one in refused["errors"]] == [field]


def test_ten_thousand_hosts_are_stored_and_shown_in_part(lab):
    domains = "".join(f"<domain>h{number}.test</domain>" for number in range(10_000))
    (made,) = lab.store(("n.xml", lab.fill(NSC).replace(f"<domain>{NAME}</domain>", domains)), app="shop-wide", release="1")
    assert made["host_count"] == 10_000 and len(made["hosts"]) == 10_000
    (listed,) = lab.service.items("pin-sets?app=shop-wide")
    assert len(listed["hosts"]) == 20 and listed["host_count"] == 10_000
    lab.service.send("DELETE", f"/api/v1/pin-sets/{made['id']}", None, 204)
    lab.service.get(f"/api/v1/pin-sets/{made['id']}/originals", 404)


def test_names_are_never_paths(lab):
    source = 'pinwatch: 1\napp: a\nrelease: "1"\nclient: generic\npolicy: {hosts: [{host: a.test, pins: ["file:/etc/hostname"]}]}\n'
    refused = lab.send(IMPORT, lab.handed(("/etc/passwd", source)), 422)
    assert "no file is read" in json.dumps(refused) and "root:" not in json.dumps(refused)


def test_a_body_beyond_eight_mebibytes_is_refused(lab):
    lab.send(IMPORT, json.dumps(lab.handed(("a", "a" * (9 << 20)))).encode(), 413)


def test_base64_that_is_none_and_files_without_content_are_refused_at_their_places(lab):
    refused = lab.send(IMPORT, {"files": [{"name": "a", "base64": "!!"}, {"name": "b"}]}, 422)
    assert [one["field"] for one in refused["errors"]] == ["files[0].base64", "files[1].text"]
