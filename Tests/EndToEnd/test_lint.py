"""`pinwatch lint`: traps of pins and sources, in three formats, with the exit status that a build goes by."""

import json

import pki
from cryptography.hazmat.primitives import serialization
from service import run
from test_import import certificate, plist
from test_commands import NAME, lab  # noqa: F401 (a fixture)

SOURCE = """import Alamofire
let trust = ServerTrustManager(evaluators: ["%s": DisabledTrustEvaluator()])
let session = Session(serverTrustManager: trust)
""" % NAME
KOTLIN = """package shop
val pinner = CertificatePinner.Builder().add("%s", "sha256/%s", "sha256/%s").build()
val client = OkHttpClient.Builder().certificatePinner(pinner).build()
"""


def pins():
    return [pki.pin(pki.new_key()).removeprefix("sha256/") for _ in range(2)]


def test_text_names_the_place_the_rule_and_what_to_write_and_errors_end_with_1(lab):
    source = lab.write("Trust.swift", SOURCE)
    status, text, errors = run("lint", source)
    assert (status, errors) == (1, "")
    first, count = text.splitlines()
    assert first.startswith(f"{source}:2:") and first.endswith("[trust_disabled]") and ": error: " in first
    assert count == "1 error, 0 warnings, 0 notes"


def test_warnings_alone_end_with_0_and_json_has_every_member(lab):
    status, text, _ = run("lint", lab.write("Info.plist", plist(lab.pin)), "--format", "json")
    (problem,) = json.loads(text)
    assert status == 0 and (problem["rule"], problem["severity"], problem["host"]) == ("no_backup", "warning", NAME)
    assert list(problem) == ["rule", "severity", "client", "host", "file", "line", "column", "message", "advice"]
    assert problem["client"] == "apple-pinned-domains" and problem["line"] > 1


def test_sarif_has_what_its_schema_requires(lab):
    source = lab.write("Trust.swift", SOURCE)
    log = json.loads(run("lint", source, "--format", "sarif")[1])
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json")
    (piece,) = log["runs"]
    driver = piece["tool"]["driver"]
    assert driver["name"] == "pinwatch" and len({rule["id"] for rule in driver["rules"]}) == len(driver["rules"])
    for result in piece["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note") and result["message"]["text"]
        (place,) = result["locations"]
        assert place["physicalLocation"]["artifactLocation"]["uri"].endswith("Trust.swift")
        assert place["physicalLocation"]["region"]["startLine"] == 2


def test_platforms_are_held_against_one_another(lab):
    apple = lab.write("Info.plist", plist(lab.pin))
    wide = lab.write("Wide.kt", KOTLIN % (f"**.{NAME}", *pins()))
    rules = [problem["rule"] for problem in json.loads(run("lint", apple, wide, "--format", "json")[1])]
    assert "platforms_differ" in rules
    same = lab.write("Same.kt", KOTLIN % (NAME, *pins()))
    rules = [problem["rule"] for problem in json.loads(run("lint", apple, same, "--format", "json")[1])]
    assert "platforms_differ" not in rules


def test_native_files_read_the_files_beside_them(lab):
    pem = certificate(lab).public_bytes(serialization.Encoding.PEM)
    lab.write("leaf.cer", pem)
    native = lab.write("pins.yaml", f"""pinwatch: 1
app: shop
release: "1"
client: alamofire
policy:
  evaluators:
    {NAME}: {{evaluator: pinned_certificates, pins: ["file:leaf.cer"]}}
""")
    status, text, _ = run("lint", native)
    assert status == 1 and "[pem_certificate]" in text and f"{native}:7:" in text


def test_sources_without_pins_are_taken_and_what_is_none_is_refused(lab):
    plain = lab.write("Plain.kt", "package shop\nclass A\n")
    assert run("lint", plain) == (0, "no problems found\n", "")
    for text in ("just words", "-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----\n"):
        status, out, errors = run("lint", lab.write("it", text))
        assert status == 2 and out == "" and "it" in errors
    assert run("lint")[0] == 2 and run("lint", plain, "--format", "xml")[0] == 2
    help = run("lint", "--help")[1]
    assert "key chains are not looked for" in help
