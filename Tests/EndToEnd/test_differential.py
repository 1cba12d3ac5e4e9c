"""The real curl and wget beside `pinwatch check`: random pins, the same chain, the same answer.

A disagreement is a fault of ours or news about the client; the seed is fixed, so that it can be had again.
"""

import json
import random
import re
import shutil
import subprocess

import peers
import pki
import pytest
from cryptography.hazmat.primitives import serialization
from service import run

CASES = 120
HOST = "localhost"
# How each says that no pin matched, and what it says where the pins held: the host hangs up after the handshake.
PROGRAMS = {
    "curl": (["curl", "-4", "--silent", "--max-time", "10", "--cacert"], {90}, {0, 52, 56}),
    "wget": (["wget", "-4", "--quiet", "--no-hsts", "--tries=1", "--timeout=10", "-O", "/dev/null", "--ca-certificate"], {5}, {0, 4, 8}),
}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("differential")
    root = pki.Authority("Differential Root")
    issuer = root.subordinate("Differential Issuing")
    identity, key = issuer.issue(HOST)
    host = peers.Host(identity + issuer.pem)
    (folder / "root.pem").write_bytes(root.pem)
    (folder / "chain.pem").write_bytes(identity + issuer.pem)
    public = key.public_key()
    for name, encoding in (("key.pem", serialization.Encoding.PEM), ("key.der", serialization.Encoding.DER)):
        (folder / name).write_bytes(public.public_bytes(encoding, serialization.PublicFormat.SubjectPublicKeyInfo))
    (folder / "other.pem").write_bytes(pki.new_key().public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo))
    (folder / "certificate.pem").write_bytes(identity.split(b"-----BEGIN PRIVATE")[0])
    pins = {name: pki.pin(one).removeprefix("sha256/") for name, one in (("leaf", key), ("issuer", issuer.key), ("other", pki.new_key()))}
    yield folder, host.port, pins
    host.stop()


def value(chance, pins):
    """A list as people write and miswrite it."""
    leaf, issuer, other = pins["leaf"], pins["issuer"], pins["other"]
    pieces = ["sha256//" + leaf] * 4 + ["sha256//" + other] * 4 + [
        "sha256//" + issuer, "sha256//" + leaf.rstrip("="), "sha256//" + leaf + "=", "sha256//", "sha256/" + leaf, leaf,
        "sha256//" + leaf.lower(), "SHA256//" + leaf, "sha256//" + leaf[:-4], "sha256//" + leaf.replace("+", "-").replace("/", "_"),
        "junk", "sha1//" + leaf, "sha256// " + leaf, "sha256//" + leaf + " ",
    ]
    if chance.random() < 0.1:
        return chance.choice(["key.pem", "key.der", "other.pem", "certificate.pem"])
    chosen = [chance.choice(pieces) for _ in range(chance.randint(1, 4))]
    # What begins otherwise is a file's name to both.
    chosen[0] = chance.choice([piece for piece in pieces if piece.startswith("sha256//")])
    return "".join(piece + chance.choice([";", ";", ";", "; ", " ;", ";;", ","]) for piece in chosen[:-1]) + chosen[-1] + chance.choice(["", "", "", ";", " "])


def version(program):
    said = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=20, check=True).stdout
    return re.search(r"\d+\.\d+(\.\d+)?", said)[0]


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_program_and_its_rules_agree(world, program):
    folder, port, pins = world
    if not shutil.which(program):
        pytest.fail(f"{program} is missing: .ci/install test")
    chance = random.Random(f"{program} 20261130")
    values = list(dict.fromkeys(value(chance, pins) for _ in range(CASES)))
    files = []
    for number, text in enumerate(values):
        files.append(folder / f"{program}-{number}.json")
        files[-1].write_text(json.dumps({
            "pinwatch": 1, "app": "shop", "release": str(number), "client": program, "client_version": version(program),
            "policy": {"pinnedpubkey": text}}))
    code, out, error = run("check", "--chain", folder / "chain.pem", "--host", HOST, "--ca-file", folder / "root.pem", "--pins", *files, "--json")
    assert code in (0, 1), error
    answers = json.loads(out)
    assert len(answers) == len(values)
    line, refused, held = PROGRAMS[program]
    kinds, apart = set(), []
    for text, answer in zip(values, answers):
        done = subprocess.run(
            [*line, folder / "root.pem", "--pinnedpubkey", text, f"https://{HOST}:{port}/"], cwd=folder, timeout=30,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert done.returncode in refused | held, (done.returncode, text)
        real = "reject_pin" if done.returncode in refused else "accept"
        kinds.add(real)
        if answer["verdict"] != real:
            apart.append((text, real, answer["verdict"], answer["reason"]))
    assert not apart
    assert kinds == {"accept", "reject_pin"}, "the cases tell nothing"
