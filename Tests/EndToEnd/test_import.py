"""`pinwatch import` and `pinwatch export`: what apps keep their pins in, made native and written again."""

import pki
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from service import run
from test_commands import NAME, lab  # noqa: F401 (a fixture)

NEXT = pki.pin(pki.new_key())
PLIST = """<?xml version="1.0"?><plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.shop</string>
<key>MinimumOSVersion</key><string>16.0</string><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>
<key>HOST</key><dict><key>NSPinnedLeafIdentities</key><array><dict><key>SPKI-SHA256-BASE64</key><string>PIN</string></dict>
</array></dict></dict></dict></dict></plist>"""


def plist(pin):
    return PLIST.replace("HOST", NAME).replace("PIN", pin.removeprefix("sha256/"))


def certificate(lab):
    return x509.load_pem_x509_certificate(lab.chain.read_bytes())


def test_an_info_plist_becomes_native_and_comes_back(lab, tmp_path):
    source = lab.write("Info.plist", plist(lab.pin))
    status, native, errors = run("import", source, "--release", "5.2")
    assert (status, errors) == (0, "") and 'app: "com.example.shop"' in native and lab.pin.removeprefix("sha256/") in native
    (tmp_path / "native.yaml").write_text(native)
    status, again, _ = run("export", tmp_path / "native.yaml", "--format", "info-plist")
    assert status == 0
    (tmp_path / "Again.plist").write_text(again)
    body = [line for line in native.splitlines() if not line.startswith("#")]
    second = run("import", tmp_path / "Again.plist", "--release", "5.2", "--app", "com.example.shop")[1]
    assert [line for line in second.splitlines() if not line.startswith("#")] == body


def test_bare_pins_are_judged_for_the_client_that_is_named(lab):
    pins = lab.write("pins.txt", f"{lab.pin}\n{NEXT}\n")
    chain = ["--chain", lab.chain, "--host", NAME, "--pins", pins]
    status, (verdict,), _ = lab.check(*chain, "--client", "generic")
    assert (status, verdict["verdict"], verdict["client"]) == (0, "accept", "generic")
    status, _, errors = lab.check(*chain)
    assert status == 2 and "Which client library" in errors and "--client" in errors


def test_a_certificate_becomes_the_policy_of_a_client(lab):
    leaf = lab.write("leaf.pem", certificate(lab).public_bytes(serialization.Encoding.PEM))
    status, text, _ = run("export", leaf, "--host", NAME, "--format", "okhttp-kotlin")
    assert status == 0 and f'.add("{NAME}", "{lab.pin}"' in text and "keep a backup pin" in text


def test_what_must_be_answered_ends_with_3_and_still_shows_what_was_understood(lab):
    source = lab.write("Trust.swift", 'let m = ServerTrustManager(evaluators: ["%s": PublicKeysTrustEvaluator()])' % NAME)
    status, text, errors = run("import", source)
    assert status == 3 and "client: alamofire" in text and "certificate files" in errors
    der = lab.write("leaf.cer", certificate(lab).public_bytes(serialization.Encoding.DER))
    status, text, errors = run("import", source, der)
    assert (status, errors) == (0, "") and lab.pin in text


@pytest.mark.parametrize("content, words", [
    ("KEY", "private key"), (b"\x03\x00\x08\x00\x01", "hand over the source"), (b"nothing", "no pins are recognised"),
    (b"", "it is empty"), (b"<plist><dict/></plist>", "pins nothing"),
])
def test_what_is_not_read_is_refused_in_words(lab, content, words):
    if content == "KEY":
        content = lab.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    source = lab.write("it", content)
    for command in ("import", "export"):
        status, out, errors = run(command, source)
        assert (status, out) == (2, "") and words in errors
        if b"PRIVATE" in content:
            assert content.splitlines()[1].decode() not in errors


def test_formats_and_clients_that_are_none_are_named(lab):
    source = lab.generic("good.yaml", lab.pin)
    assert "okhttp-kotlin" in run("export", source, "--format", "gif")[2]
    assert "apple-pinned-domains" in run("import", source, "--client", "netscape")[2]
    assert run("import", source, "--set", "PIN")[0] == 2
