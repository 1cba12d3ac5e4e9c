"""The commands as a person or a script calls them: what they print, and what they end with."""

import base64
import hashlib
import json
import subprocess

import peers
import pki
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from service import run

NAME = "api.shop.test"


class Lab:
    """A host with one certificate, its files, and pin files that fit it or do not."""

    def __init__(self, folder):
        self.folder = folder
        self.authority = pki.Authority()
        self.identity, self.key = self.authority.issue(NAME)
        self.pin = pki.pin(self.key)
        self.host = peers.Host(self.identity)
        self.root = self.write("root.pem", self.authority.pem)
        self.chain = self.write("chain.pem", self.identity)
        self.at = f"{NAME}:{self.host.port}"

    def write(self, name, content):
        (self.folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
        return self.folder / name

    def generic(self, name, *pins):
        listed = ", ".join(pins)
        return self.write(name, "pinwatch: 1\napp: shop\nrelease: \"1.0\"\nclient: generic\n"
                                f"policy: {{hosts: [{{host: {NAME}, pins: [{listed}]}}]}}\n")

    def urlsession(self, name, *pins, unlisted="default", host=NAME):
        listed = ", ".join(pins)
        return self.write(name, "pinwatch: 1\napp: shop\nrelease: \"2.0\"\nclient: urlsession\npolicy:\n"
                                f"  hosts: {{{host}: {{compare: spki, match: leaf, pins: [{listed}]}}}}\n  unlisted: {unlisted}\n")

    def scan(self, *arguments):
        return run("scan", *arguments, "--ca-file", self.root)

    def check(self, *arguments):
        status, out, err = run("check", *arguments, "--ca-file", self.root, "--json")
        return status, json.loads(out) if out else None, err


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    made = Lab(tmp_path_factory.mktemp("lab"))
    yield made
    made.host.stop()


@pytest.mark.parametrize("command", ["serve", "scan", "pins", "check", "preflight", "import", "export", "config", "token", "channel", "backup", "demo", "version"])
def test_every_command_explains_itself(command):
    status, out, err = run(command, "--help")
    assert (status, err) == (0, "") and out.startswith(f"usage: pinwatch {command}")
    assert command in run("--help")[1]


def test_the_version_is_one_line():
    status, out, _ = run("version")
    assert status == 0 and out.startswith("pinwatch ") and out.count("\n") == 1


@pytest.mark.parametrize("line", [[], ["frobnicate"], ["version", "more"], ["scan"], ["scan", "--frobnicate"], ["pins"],
                                  ["scan", "x", "--timeout", "0"], ["scan", "x", "--address", "not-an-address"],
                                  ["scan", "x", "y", "--address", "127.0.0.1"], ["scan", "x", "--timeout"],
                                  ["pins", "x", "--format", "hex"], ["config"], ["config", "mend", "x"],
                                  ["scan", "x", "--ca-file", "/nonexistent"], ["pins", "--chain", "/dev/null"]])
def test_a_wrong_line_is_refused_in_one_sentence(line):
    status, out, err = run(*line)
    assert (status, out) == (2, "")
    assert err.startswith("pinwatch: ") and err.count("\n") == 1 and len(err) > 30


def test_what_is_refused_cannot_disturb_the_terminal(lab):
    for line in (["\x1b[31mred"], ["scan", "a\x1b[31mb"], ["scan", "x", "--timeout", "\x1b[2J"], ["config", "check", "\x1b[2J"]):
        status, _, err = run(*line)
        assert status == 2 and "\x1b" not in err and "1b" in err.lower()
    pins = lab.generic("terminal.yaml", lab.pin).read_text().replace("app: shop", 'app: "a\\e[31m\\u202eb"')
    _, out, err = run("check", "--chain", lab.chain, "--host", NAME, "--pins", lab.write("terminal.yaml", pins))
    assert "\x1b" not in out + err and "\u202e" not in out + err


def test_scan_says_what_is_served_and_whether_it_verifies(lab):
    status, out, err = lab.scan(lab.at, "--address", "127.0.0.1")
    assert (status, err) == (0, "")
    for words in (NAME, "127.0.0.1", "TLSv1.3", "valid, the name matches", lab.pin):
        assert words in out


def test_scan_prints_an_array_of_whole_observations(lab):
    status, out, _ = lab.scan(lab.at, "--address", "127.0.0.1", "--json")
    observation, same, none = json.loads(out)
    assert status == 0
    assert (same["chain"], none["outcome"], none["chain"]) == (observation["chain"], "no_such_key_family", [])
    leaf = x509.load_pem_x509_certificate(lab.identity)
    fingerprint = hashlib.sha256(leaf.public_bytes(serialization.Encoding.DER)).hexdigest()
    assert observation["chain"] == [fingerprint] == [one["sha256"] for one in observation["certificates"]]
    assert observation["certificates"][0]["spki"] == lab.pin
    assert observation["target_id"] is None and observation["host"] == NAME and observation["sni"] == NAME
    assert observation["verification"]["valid"] and observation["verification"]["host_matches"]
    assert observation["verification"]["paths"][0]["anchor"]["subject"] == "CN=Test Root"


def test_the_worst_of_several_hosts_decides(lab):
    assert run("scan", f"127.0.0.1:{lab.host.port}")[0] == 1, "no path and no name"
    assert lab.scan(f"127.0.0.1:{lab.host.port}")[0] == 1, "a path, but another name"
    assert lab.scan("127.0.0.1:1")[0] == 3
    assert lab.scan("127.0.0.1:1", f"127.0.0.1:{lab.host.port}")[0] == 1
    status, out, _ = lab.scan("nowhere.invalid", "--json", "--timeout", "3")
    assert status == 3 and [(one["outcome"], one["address"]) for one in json.loads(out)] == [("resolve_failed", None)]


@pytest.mark.parametrize("written, host, port", [
    ("https://api.shop.test:PORT", NAME, "PORT"), ("https://api.shop.test:PORT/", NAME, "PORT"),
    ("API.Shop.TEST:PORT", NAME, "PORT"), ("api.shop.test.:PORT", NAME, "PORT"),
    ("bücher.test:PORT", "xn--bcher-kva.test", "PORT"), ("xn--bcher-kva.test:PORT", "xn--bcher-kva.test", "PORT"),
    ("[::1]:1", "::1", 1), ("[0:0::0001]:1", "::1", 1), ("127.0.0.1:PORT", "127.0.0.1", "PORT"),
])
def test_hosts_are_normalised(lab, written, host, port):
    port = lab.host.port if port == "PORT" else port
    extra = [] if host in ("::1", "127.0.0.1") else ["--address", "127.0.0.1"]
    _, out, err = lab.scan(written.replace("PORT", str(port)), *extra, "--json")
    observation = json.loads(out)[0]
    assert (observation["host"], observation["port"], err) == (host, port, "")


@pytest.mark.parametrize("written, reason", [
    ("http://x.test", "scheme"), ("https://x.test/login", "path"), ("x.test/login", "path"), ("https://x.test?a=1", "path"),
    ("", "empty"), ("a b.test", "blank"), ("x.test:0", "port"), ("x.test:65536", "port"), ("x.test:https", "port"),
    ("x.test:443:443", "IPv6"), ("[::1", "bracket"), ("[x.test]", "IPv6"), ("*.x.test", "wildcard"), ("u@x.test", "user name"),
    ("fe80::1%eth0", "zone"), ("-x.test", "hyphen"), ("x..test", "empty"), ("a" * 64 + ".test", "63"), (".".join(["abcdefg"] * 40), "253"),
    ("https://", "host"), ("xn--\u00fc.test", ""), ("x\u202e.test", "invisible"), ("1.2.3", ""), ("0x7f.1", ""), ("256.1.1.1", ""),
])
@pytest.mark.parametrize("command", ["scan", "pins"])
def test_what_is_no_host_is_refused_with_a_reason(command, written, reason):
    status, out, err = run(command, "--", written)
    assert (status, out) == (2, "")
    assert reason in err and err.count("\n") == 1
    assert not written or err.count(f'"{written}"') <= 1, "said once"


def test_pins_come_leaf_first_in_three_forms(lab):
    both = lab.write("both.pem", lab.identity + lab.authority.pem)
    root = pki.pin(lab.authority.key)
    assert run("pins", "--chain", both) == (0, f"{lab.pin}\n{root}\n", "")
    assert run("pins", "--chain", both, "--format", "curl")[1] == f"{lab.pin}\n{root}\n".replace("sha256/", "sha256//")
    assert run("pins", f"127.0.0.1:{lab.host.port}", "--format", "spki") == (0, lab.pin + "\n", "")
    piped = subprocess.run(
        f"openssl x509 -in {lab.chain} -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64",
        shell=True, capture_output=True, check=True, text=True).stdout
    assert run("pins", "--chain", lab.chain, "--format", "openssl")[1] == piped
    assert run("pins", "127.0.0.1:1")[0] == 3
