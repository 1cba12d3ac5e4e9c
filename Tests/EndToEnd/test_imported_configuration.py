"""Pin files of the apps' own formats, named in the configuration."""

import pki
import service
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from test_pin_api import NSC, PLIST, TRUST

NAME = "api.shop.test"
HEAD = "listen: 127.0.0.1:0\ndatabase: pinwatch.db\ntargets: []\n"


def fill(text, pin, **more):
    text = text.replace("HOST", NAME).replace("PIN", pin.removeprefix("sha256/"))
    for name, value in more.items():
        text = text.replace(name, value)
    return text


def made(tmp_path, patterns="apps/*"):
    (tmp_path / "apps").mkdir(exist_ok=True)
    return service.Service(tmp_path, HEAD + f"pin_sets: [{patterns}]\n")


def test_files_of_apps_are_pin_sets_of_the_configuration(tmp_path):
    running = made(tmp_path)
    identity, key = pki.Authority().issue(NAME)
    certificate = x509.load_pem_x509_certificate(identity)
    apps = tmp_path / "apps"
    (apps / "Info.plist").write_text(fill(PLIST, pki.pin(key)))
    (apps / "Trust.swift").write_text(fill(TRUST, pki.pin(key), KIND="PublicKeys"))
    (apps / "leaf.cer").write_bytes(certificate.public_bytes(serialization.Encoding.DER))
    (apps / "own.yaml").write_text(
        f'pinwatch: 1\napp: own\nrelease: "1"\nclient: generic\npolicy: {{hosts: [{{host: {NAME}, pins: ["{pki.pin(key)}"]}}]}}\n')
    running.start()
    try:
        shown = {one["app"]: one for one in running.items("pin-sets")}
        assert set(shown) == {"own", "com.example.shop", "Trust.swift"}
        assert all(one["managed_by"] == "config" for one in shown.values())
        assert shown["com.example.shop"]["release"] == "5.2.0" and shown["com.example.shop"]["origin"].endswith("apps/Info.plist")
        assert shown["Trust.swift"]["hosts"][0]["pins"] == [pki.pin(key)]
        native = running.get(f"/api/v1/pin-sets/{shown['com.example.shop']['id']}")["source"]
        assert native.startswith("pinwatch: 1\n")

        (apps / "n.xml").write_text(fill(NSC, pki.pin(key)))
        running.send("POST", "/api/v1/settings/reload", None, 200)
        assert "n.xml" in {one["app"] for one in running.items("pin-sets")}
    finally:
        running.stop()


def test_what_must_be_answered_and_what_cannot_be_read_stand_at_their_files(tmp_path):
    made(tmp_path)
    (tmp_path / "apps" / "Trust.swift").write_text(fill(TRUST, "", KIND="PublicKeys"))
    (tmp_path / "apps" / "empty.plist").write_text("<plist><dict/></plist>")
    status, _, errors = service.run("config", "check", tmp_path / "pinwatch.yaml")
    assert status == 2 and "empty.plist: " in errors and "pins nothing" in errors
    (tmp_path / "apps" / "empty.plist").unlink()
    status, _, errors = service.run("config", "check", tmp_path / "pinwatch.yaml")
    assert status == 2 and "apps/Trust.swift:1:1: " in errors and "certificate files" in errors and "pinwatch import" in errors


def test_what_is_left_out_is_logged_once(tmp_path):
    running = made(tmp_path)
    (tmp_path / "apps" / "Trust.swift").write_text(fill(TRUST, "", KIND="PublicKeys"))
    (tmp_path / "apps" / "leaf.cer").write_bytes(pki.Authority().pem)
    running.start()
    try:
        first = len(running.logged("is no DER certificate"))
        assert first == 1
        running.send("POST", "/api/v1/settings/reload", None, 200)
        assert len(running.logged("is no DER certificate")) == first
    finally:
        running.stop()
