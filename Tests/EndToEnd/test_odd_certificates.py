"""Certificates that no careful authority would issue are kept as sent and shown, and nothing crashes."""

import base64
import hashlib
import json
import os
import pathlib

import odd
import pytest
import servers
from cryptography.hazmat.primitives import serialization
from service import run


def pin(der):
    return "sha256/" + base64.b64encode(hashlib.sha256(odd.spki(der)).digest()).decode()


def given():
    """Further certificates in DER, from a folder that the environment may name."""
    folder = os.environ.get("PINWATCH_ODD_CERTIFICATES")
    return [(file.name, file.read_bytes(), None) for file in sorted(pathlib.Path(folder).glob("[0-9]*.der"))] if folder else []



ODD = odd.all_of_them() + given()


@pytest.mark.parametrize("der", [pytest.param(der, id=name) for name, der, _ in ODD])
def test_from_a_file_its_pin_is_printed_and_it_can_be_judged(tmp_path, der):
    file = tmp_path / "leaf.der"
    file.write_bytes(der)
    assert run("pins", "--chain", file) == (0, pin(der) + "\n", "")
    pins = tmp_path / "pins.yaml"
    pins.write_text(f"pinwatch: 1\napp: shop\nrelease: \"1\"\nclient: generic\npolicy: {{hosts: [{{host: {odd.NAME}, pins: ['{pin(der)}']}}]}}\n")
    status, out, err = run("check", "--chain", file, "--host", odd.NAME, "--pins", pins)
    assert (status, err) == (1, "") and out.startswith("reject_chain"), "it is its own issuer, and no anchor"
    assert "\x1b" not in out and "\u202e" not in out and "\0" not in out


@pytest.mark.parametrize("der, key", [pytest.param(der, key, id=name) for name, der, key in ODD if key])
def test_from_a_server_it_is_kept_as_sent_and_shown(tmp_path, der, key):
    (tmp_path / "leaf.der").write_bytes(der)
    (tmp_path / "key.pem").write_bytes(key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    with servers.openssl("-cert", tmp_path / "leaf.der", "-certform", "DER", "-key", tmp_path / "key.pem", "-cipher", "ALL:@SECLEVEL=0") as server:
        if server is None:
            pytest.skip("OpenSSL's server does not load it; it is judged from a file")
        status, out, err = run("scan", f"{odd.NAME}:{server.port}", "--address", "127.0.0.1", "--json")
        text = run("scan", f"{odd.NAME}:{server.port}", "--address", "127.0.0.1")[1]
    observations = [one for one in json.loads(out) if one["profile"] in ("phone", "legacy")]
    if observations[0]["outcome"] == "alert":
        assert [one["profile"] for one in observations] == ["phone", "legacy"], "what phones cannot speak is asked for in older words"
    observation = observations[-1]
    if observation["outcome"] == "alert" and not observation["chain"]:
        pytest.skip("OpenSSL's server has no such key for any hello of ours")
    assert observation["chain"] == [hashlib.sha256(sent(der)).hexdigest()]
    shown, = observation["certificates"]
    assert shown["sha256"] == observation["chain"][0] and shown["spki"] == pin(der)
    assert all(shown[field["field"]] is None or field["why"] for field in shown["unreadable"])
    assert status == 1 and err == "" and observation["verification"]["valid"] is False
    assert pin(der) in text and not set("\x1b\u202e\0") & set(text + out)


def sent(der):
    """What OpenSSL's server sends: it reads one element and knows nothing of what follows it."""
    return der[:len(der) - len(odd.read(der)[2])]
