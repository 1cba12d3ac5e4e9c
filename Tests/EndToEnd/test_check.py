"""`pinwatch check`: what releases make of a chain, for people and for scripts."""

import json

import pki
import pytest
from service import run
from test_commands import NAME, lab  # noqa: F401 (a fixture)

OTHER = pki.pin(pki.new_key())
SHAPE = {"client", "release", "host", "verdict", "code", "reason", "notes", "paths", "matched"}


def test_one_object_a_pin_set_in_the_order_given(lab):
    good, bad = lab.generic("good.yaml", lab.pin), lab.urlsession("bad.yaml", OTHER)
    status, verdicts, _ = lab.check("--chain", lab.chain, "--host", NAME, "--pins", good, bad)
    assert status == 1
    assert [(v["client"], v["release"], v["verdict"]) for v in verdicts] == [
        ("generic", "1.0", "accept"), ("urlsession", "2.0", "reject_pin")]
    assert all(set(v) == SHAPE for v in verdicts)
    assert verdicts[0]["matched"]["pin"] == lab.pin and verdicts[0]["matched"]["position"] == "leaf"
    assert verdicts[0]["paths"][0]["verdict"] == "accept" and verdicts[1]["matched"] is None


@pytest.mark.parametrize("make", ["generic", "urlsession"])
def test_a_served_chain_is_judged_as_a_file_is(lab, make):
    pins = getattr(lab, make)("served.yaml", lab.pin)
    status, (verdict,), _ = lab.check(lab.at, "--address", "127.0.0.1", "--pins", pins)
    assert (status, verdict["verdict"], verdict["host"]) == (0, "accept", NAME)
    assert lab.check("--chain", lab.chain, "--host", NAME, "--pins", pins)[1] == [verdict]


def test_generic_finds_its_pin_anywhere_in_the_path_and_urlsession_on_the_leaf_only(lab):
    root = pki.pin(lab.authority.key)
    chain = ["--chain", lab.chain, "--host", NAME, "--pins"]
    assert lab.check(*chain, lab.generic("root.yaml", root))[0] == 0
    assert lab.check(*chain, lab.urlsession("root2.yaml", root))[1][0]["verdict"] == "reject_pin"


def test_a_chain_that_does_not_verify_is_rejected_whatever_is_pinned(lab):
    good = lab.generic("good.yaml", lab.pin)
    for host, more in (("other.test", []), (NAME, ["--at", "2050-01-01T00:00:00Z"])):
        status, (verdict,), _ = lab.check(
            "--chain", lab.chain, "--host", host, "--pins", lab.generic("o.yaml", lab.pin) if host == NAME else good, *more)
        assert (status, verdict["verdict"]) == (1, "reject_chain")
    status, out, _ = run("check", "--chain", lab.chain, "--host", NAME, "--pins", good)
    assert status == 1 and out.startswith("reject_chain")


def test_unpinned_says_whether_by_design(lab):
    pins = lab.generic("good.yaml", lab.pin)
    identity, _ = lab.authority.issue("other.test")
    chain = lab.write("other.pem", identity)
    status, (verdict,), _ = lab.check("--chain", chain, "--host", "other.test", "--pins", pins)
    assert (status, verdict["verdict"], verdict["by"]) == (0, "unpinned", "design")
    reject = lab.urlsession("strict.yaml", lab.pin, unlisted="reject")
    status, (verdict,), _ = lab.check("--chain", chain, "--host", "other.test", "--pins", reject)
    assert status == 1 and verdict["verdict"].startswith("reject") and "by" not in verdict


def test_what_cannot_be_seen_is_unknown(lab):
    status, (verdict,), _ = lab.check("127.0.0.1:1", "--pins", lab.generic("good.yaml", lab.pin))
    assert (status, verdict["verdict"], verdict["matched"]) == (3, "unknown", None)
    assert "connect_refused" in verdict["reason"]


def test_a_pin_that_is_none_is_a_verdict_and_no_input_error(lab):
    status, (verdict,), _ = lab.check(
        "--chain", lab.chain, "--host", NAME, "--pins", lab.generic("short.yaml", "sha256/AAAA"))
    assert (status, verdict["verdict"]) == (1, "config_error")


@pytest.mark.parametrize("line, words", [
    (["--chain", "CHAIN", "--host", NAME], "--pins"),
    (["--chain", "CHAIN", "--pins", "GOOD"], "--host"),
    (["--chain", "CHAIN", "--host", NAME, "--pins", "missing.yaml"], "missing.yaml"),
    (["127.0.0.1:1", "--pins", "GOOD", "missing.yaml"], "missing.yaml"),
    (["127.0.0.1:1", "--pins", "GOOD", "/nowhere/missing"], "/nowhere/missing"),
    (["--chain", "CHAIN", "--host", NAME, "--pins", "CHAIN"], "private key"),
    (["--chain", "KEYLESS", "--host", NAME, "--pins", "GOOD"], "no certificate"),
    (["--chain", "CHAIN", "--host", NAME, "--pins", "GOOD", "--at", "yesterday"], "RFC 3339"),
    (["--chain", "CHAIN", "--host", NAME, "--pins", "GOOD", "--client", "urlsession"], "urlsession"),
    (["--chain", "CHAIN", "--host", NAME, "--pins", "UNKNOWN"], ":5:"),
    (["--chain", "CHAIN", "--host", NAME, "--pins", "LATER"], "ktor-darwin"),
    (["127.0.0.1:1", "--chain", "CHAIN", "--host", NAME, "--pins", "GOOD"], "not both"),
    (["--chain", "CHAIN", "--host", NAME + ":443", "--pins", "GOOD"], "the bare host that the app asks for, " + NAME),
    (["--chain", "CHAIN", "--host", "https://" + NAME, "--pins", "GOOD"], "the bare host"),
    (["--chain", "CHAIN", "--host", "münchen.test", "--pins", "GOOD"], "xn--mnchen-3ya.test"),
])
def test_bad_input_gives_no_result(lab, line, words):
    good = lab.generic("good.yaml", lab.pin)
    files = {"CHAIN": lab.chain, "GOOD": good, "KEYLESS": lab.write("empty.pem", "nothing\n"),
             "UNKNOWN": lab.write("unknown.yaml", good.read_text().replace("policy:", "polic: 1\npolicy:")),
             "LATER": lab.write("later.yaml", good.read_text().replace("generic", "ktor-darwin"))}
    status, out, err = run("check", *[files.get(word, word) for word in line], "--json")
    assert (status, out) == (2, "")
    assert words in err and err.startswith("pinwatch: check: ")


def test_a_file_inside_the_pin_file_is_read_beside_it_and_nowhere_else(lab):
    lab.write("leaf.pem", lab.identity.split(b"-----BEGIN PRIVATE")[0])
    assert lab.check("--chain", lab.chain, "--host", NAME, "--pins", lab.urlsession("f.yaml", "'file:leaf.pem'"))[0] == 0
    status, _, err = lab.check("--chain", lab.chain, "--host", NAME, "--pins", lab.urlsession("g.yaml", "'file:../../../etc/passwd'"))
    assert status == 2 and "g.yaml:" in err and "root:" not in err


def test_text_and_json_agree(lab):
    line = ["check", "--chain", lab.chain, "--host", NAME, "--ca-file", lab.root, "--pins", lab.generic("bad.yaml", OTHER)]
    status, out, _ = run(*line)
    verdict, = json.loads(run(*line, "--json")[1])
    assert status == 1 and out.startswith(verdict["verdict"]) and verdict["reason"] in out


def test_the_host_named_is_the_one_that_the_certificate_must_name(lab):
    pins = lab.generic("named.yaml", lab.pin)
    at = f"127.0.0.1:{lab.host.port}"
    status, (verdict,), _ = lab.check(at, "--host", NAME, "--pins", pins)
    assert (status, verdict["verdict"], verdict["host"]) == (0, "accept", NAME)
    status, (verdict,), _ = lab.check(lab.at, "--address", "127.0.0.1", "--host", "other.test", "--pins", pins)
    assert (status, verdict["verdict"], verdict["code"]) == (1, "reject_chain", "host_mismatch")


def test_an_address_that_does_not_answer_is_not_lost_beside_one_that_does(lab):
    pins = lab.generic("two.yaml", lab.pin)
    status, verdicts, _ = lab.check(lab.at, "--address", "127.0.0.1", "127.9.9.9", "--pins", pins)
    assert (status, [v["verdict"] for v in verdicts]) == (3, ["accept", "unknown"])
    assert "127.9.9.9" in verdicts[1]["reason"]
