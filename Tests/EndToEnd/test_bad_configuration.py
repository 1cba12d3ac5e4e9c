"""A configuration with mistakes: all of them are told at once, and nothing is started."""

import re
import subprocess

import pytest
from service import ROOT, run

FINE = "listen: 127.0.0.1:0\ndatabase: pinwatch.db\n"
PROBLEM = re.compile(r"^pinwatch: (?:serve: )?(?P<file>[^:]+):(?P<line>\d+):(?P<column>\d+): (?P<words>.{15,})$")

SECRET = "whsec_" + "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"
MISTAKES = """\
listen: localhost
database: pinwatch.db
scan: {period: 5, timeout: 10s}
surprise: 1
targets:
  - {host: "https://api.shop.test/login"}
  - {host: api.shop.test, port: 70000}
  - {host: www.shop.test, trust_store: corp}
  - {host: api.shop.test}
channels:
  - {name: ops, type: webhook, url: "https://hooks.test/T0K3N", secret: "%s"}
  - {name: chat, type: pigeon, url: {env: UNSET_VARIABLE}}
routes:
  - {severity: [loud], channels: [nobody]}
""" % SECRET


def problems(err):
    found = [PROBLEM.match(line) for line in err.splitlines()]
    assert all(found), err
    return [(int(one["line"]), int(one["column"]), one["words"]) for one in found]


def serve(folder, text):
    config = folder / "pinwatch.yaml"
    config.write_text(text)
    before = sorted(folder.iterdir())
    status, out, err = run("serve", "--config", config, "--public", ROOT / "Public", timeout=20)
    assert (status, out) == (2, ""), (status, out, err)
    assert sorted(folder.iterdir()) == before, "nothing is made"
    return err


@pytest.mark.parametrize("command", ["serve", "config check"])
def test_all_mistakes_are_told_at_once_with_their_places(tmp_path, command):
    config = tmp_path / "pinwatch.yaml"
    config.write_text(MISTAKES)
    if command == "serve":
        err = serve(tmp_path, MISTAKES)
    else:
        status, out, err = run("config", "check", config)
        assert (status, out) == (2, "")
    found = problems(err)
    assert [line for line, _, _ in found] == [1, 3, 4, 6, 7, 8, 11, 11, 12, 12, 14, 14]
    assert found == sorted(found, key=lambda one: one[:2])
    lines = MISTAKES.splitlines()
    assert all(1 <= column <= len(lines[line - 1]) for line, column, _ in found)
    for words in ("127.0.0.1:8080", "30s, 5m, 6h or 21d", "allowed: listen, tls, public_url", "api.shop.test", "65535", "corp",
                  "UNSET_VARIABLE", "webhook, slack", "info, warning, critical", "nobody"):
        assert words in err, words


def test_secrets_in_the_file_are_refused_and_not_repeated(tmp_path):
    err = serve(tmp_path, MISTAKES)
    assert SECRET not in err and "T0K3N" not in err
    assert err.count("{file: PATH} or {env: NAME}") == 2


@pytest.mark.parametrize("key, line", [
    ("retention.reports", "retention: {reports: 90d}"),
])
def test_keys_of_later_versions_say_so(tmp_path, key, line):
    (_, _, words), = problems(serve(tmp_path, FINE + line + "\n"))
    assert key in words and "not supported by this version yet" in words


@pytest.mark.parametrize("line, words", [
    ("database: other.db", "stands here and in line 2"), ("public_url: &a x\n", "anchors"), ("scan: *a", "aliases"),
    ("targets: [", "not valid YAML"), ("targets: {host: x}", "must be a list"), ("scan: {period: 10}", "30s"),
    ("scan: {period: 10x}", "30s"), ("scan: {period: -10s}", "30s"), ("scan: {in_flight: 0}", "16384"),
    ("targets: [{host: '*.x.test'}]", "wildcard"), ("targets: [{port: 443}]", "host"),
    ("targets: [{host: x.test}, {host: X.test.}]", "already"), ("pin_sets: [none/*.yaml]", "no file"),
    ("trust_stores: {corp: {file: none.pem}}", "none.pem"), ("routes: [{channels: []}]", "at least one"),
    ("public_url: pins.example.com", "https://"), ("- x", "not valid YAML"), ("listen2: \"\\e[31m\"", "listen2"),
])
def test_each_mistake_has_its_place_and_what_is_allowed(tmp_path, line, words):
    err = serve(tmp_path, FINE + line + "\n")
    assert any(words in one[2] for one in problems(err)), err
    assert "\x1b" not in err


def test_what_the_service_is_to_be_served_with_is_checked_as_it_is_read(tmp_path):
    for name in ("a", "b"):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={name}",
                        "-keyout", tmp_path / f"{name}.key", "-out", tmp_path / f"{name}.pem"], check=True, capture_output=True)
    (tmp_path / "short").write_text("T0PS3CR3T")
    text = FINE + ("tls: {certificate: a.pem, key: b.key}\nsecret_key: {file: short}\n"
                   "silences: [{matchers: {host: x.test}, weekdays: [mon], from: '01:00', to: '02:00', zone: Europe/Atlantis}]\n")
    err = serve(tmp_path, text)
    assert [line for line, _, _ in problems(err)] == [3, 4, 5]
    assert "CN=a" in err and "openssl rand -base64 32" in err and "Europe/Atlantis" in err
    assert "T0PS3CR3T" not in err and "PRIVATE" not in err
    key = subprocess.run(["openssl", "rand", "-base64", "32"], check=True, capture_output=True, text=True).stdout
    (tmp_path / "short").write_text(key)
    (tmp_path / "pinwatch.yaml").write_text(text.replace("b.key", "a.key").replace("Atlantis", "Berlin"))
    status, out, err = run("config", "check", tmp_path / "pinwatch.yaml")
    assert (status, err) == (0, "") and "fine" in out


def test_mistakes_in_pin_files_and_in_the_configuration_come_together(tmp_path):
    (tmp_path / "a.yaml").write_text("pinwatch: 1\napp: shop\nrelease: \"1\"\nclient: generic\npolicy: {hosts: [{host: x.test}]}\n")
    (tmp_path / "b.yaml").write_text("pinwatch: 1\napp: shop\nclient: alamofire\npolicy: {}\n")
    err = serve(tmp_path, FINE + "pin_sets: ['[ab].yaml']\nscan: {period: 1}\n")
    files = {line.split(": ")[2].split(":")[0].rsplit("/", 1)[-1] for line in err.splitlines()}
    assert files == {"a.yaml", "b.yaml", "pinwatch.yaml"}
    assert "release" in err and "pins" in err


def test_a_file_that_cannot_be_read_is_named_once(tmp_path):
    for name, words in (("missing.yaml", "no such file"), (".", "not a regular file")):
        for line in (["config", "check", tmp_path / name], ["serve", "--config", tmp_path / name]):
            status, out, err = run(*line)
            assert (status, out) == (2, "") and words in err
            assert err.count(str(tmp_path / name)) == 1, err
    binary = tmp_path / "binary.yaml"
    binary.write_bytes(b"listen: \xff\xfe\n")
    assert "1:9: this is not UTF-8" in run("config", "check", binary)[2]
    binary.write_bytes(b"x: " + b"a" * (2 << 20))
    assert "1048576" in run("config", "check", binary)[2]


def test_what_a_trust_store_names_must_hold_certificates(tmp_path):
    (tmp_path / "corp.pem").write_text("-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n")
    text = FINE + "trust_stores: {corp: {file: corp.pem}}\nscan: {period: 1}\n"
    lines = text.splitlines()
    err = serve(tmp_path, text)
    assert [(line, "corp" in words) for line, _, words in problems(err)] == [(len(lines) - 1, True), (len(lines), False)]
    assert run("config", "check", tmp_path / "pinwatch.yaml") == (2, "", err.replace(": serve: ", ": "))


def test_the_port_is_not_opened_and_a_taken_one_is_said(tmp_path):
    import socket
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        config = tmp_path / "pinwatch.yaml"
        config.write_text(FINE)
        status, out, err = run("serve", "--config", config, "--listen", f"127.0.0.1:{port}", "--public", ROOT / "Public")
        assert (status, out) == (2, "") and str(port) in err and "in use" in err


def test_the_dashboards_folder_must_be_there(tmp_path):
    (tmp_path / "pinwatch.yaml").write_text(FINE)
    status, _, err = run("serve", "--config", tmp_path / "pinwatch.yaml", "--public", tmp_path / "none")
    assert status == 2 and str(tmp_path / "none") in err and not (tmp_path / "pinwatch.db").exists()


def test_the_configuration_of_the_repository_is_fine():
    status, out, err = run("config", "check", ROOT / "config/pinwatch.yaml")
    assert (status, err) == (0, "") and "fine" in out
    status, out, _ = run("config", "check", ROOT / "config/pinwatch.yaml", "--show-route", "pin.rejected")
    assert status == 0 and "pin.rejected, critical: nobody" in out
    assert run("config", "check", ROOT / "config/pinwatch.yaml", "--show-route", "weather")[0] == 2
