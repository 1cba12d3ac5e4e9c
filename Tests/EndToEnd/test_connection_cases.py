"""Names, addresses, versions and sizes that other tools got wrong, each test by its number in the list of cases."""

import json
import ssl

import pki
import pytest
import servers
from hearing import HearingHost
from laboratory import NAME, Lab, scan
from service import run


@pytest.fixture
def lab(tmp_path):
    return Lab(tmp_path)


@pytest.mark.parametrize("address, written", [("127.0.0.1", "127.0.0.1"), ("::1", "[::1]")])
def test_13_and_14_an_address_is_no_server_name_and_is_matched_as_one(lab, address, written):
    for names, matches in (([address], True), ([NAME], False)):
        host = HearingHost(lab.root.issue(names[0])[0], (address, 0))
        status, seen = scan(host, host=written, address=None, anchors=lab.anchors)
        host.stop()
        assert len(host.hellos) == 3 and {hello.name for hello in host.hellos} == {None}
        assert [one["sni"] for one in seen] == [None] * 3 and seen[0]["address"] == address
        assert (status, seen[0]["verification"]["host_matches"]) == (0 if matches else 1, matches)


@pytest.mark.parametrize("address, written", [("127.0.0.1", "127.0.0.1"), ("::1", "[::1]")])
def test_14_the_oldest_hello_has_no_name_either(lab, address, written):
    host = HearingHost(lab.root.issue(address)[0], (address, 0), knows="nobody.test")
    status, seen = scan(host, host=written, address=None, anchors=lab.anchors)
    host.stop()
    assert (status, seen[-1]["profile"], seen[-1]["detail"]["number"]) == (3, "legacy", 112)
    assert len(host.hellos) == len(seen) and {hello.name for hello in host.hellos} == {None}


@pytest.mark.parametrize("options", [[], ["--sni", NAME + "."]])
def test_15_a_strict_server_gets_the_name_without_its_dot(lab, options):
    host = HearingHost(lab.root.issue(NAME)[0], knows=NAME)
    status, seen = scan(host, *options, host=NAME + ".", anchors=lab.anchors)
    host.stop()
    assert {hello.name for hello in host.hellos} == {NAME}
    assert (status, seen[0]["outcome"], seen[0]["sni"], seen[0]["verification"]["host_matches"]) == (0, "ok", NAME, True)


@pytest.mark.parametrize("written, name", [
    ("bücher.test", "xn--bcher-kva.test"), ("BÜCHER.test.", "xn--bcher-kva.test"), ("www.例え.test", "www.xn--r8jz45g.test")])
def test_16_a_name_in_any_script_is_asked_for_by_its_a_label(lab, written, name):
    host = HearingHost(lab.root.issue(name)[0], knows=name)
    status, seen = scan(host, host=written, anchors=lab.anchors)
    host.stop()
    assert {hello.name for hello in host.hellos} == {name}
    assert (status, seen[0]["host"], seen[0]["verification"]["host_matches"]) == (0, name, True)


def test_21_a_server_without_a_certificate_is_told_as_one(lab):
    with servers.openssl("-nocert", "-cipher", "ADH:@SECLEVEL=0", "-tls1_2") as server:
        status, seen = scan(server)
    assert status == 3 and seen[-1]["outcome"] == "no_certificate", seen
    assert all(one["chain"] == [] and one["certificates"] == [] and one["verification"] is None for one in seen)


def test_34_a_dead_address_hides_no_other(lab):
    with lab.serve(lab.root.issue(NAME)[0]) as server:
        status, out, _ = run("scan", f"{NAME}:{server.port}", "--address", "127.0.0.2", "127.0.0.1", "--ca-file", lab.anchors, "--json")
    words = {}
    for one in json.loads(out):
        words.setdefault(one["address"], []).append(one["outcome"])
    assert status == 3 and words == {"127.0.0.1": ["ok", "ok", "no_such_key_family"], "127.0.0.2": ["connect_refused"]}


@pytest.mark.parametrize("option, version", [("-tls1", "TLSv1.0"), ("-tls1_1", "TLSv1.1"), ("-tls1_2", "TLSv1.2"), ("-tls1_3", "TLSv1.3")])
def test_40_each_version_is_observed(lab, option, version):
    identity = lab.root.issue(NAME, key=pki.rsa_key())[0]
    with lab.serve(identity, options=[option, "-cipher", "ALL:@SECLEVEL=0"]) as server:
        status, seen = scan(server, anchors=lab.anchors)
    best, = [one for one in seen if one["profile"] in ("phone", "legacy") and one["outcome"] == "ok"]
    assert (status, best["profile"]) == (0, "phone" if option in ("-tls1_2", "-tls1_3") else "legacy")
    assert best["tls_version"] == version and best["verification"]["valid"]


@pytest.mark.parametrize("count, version", [
    (1_000, ssl.TLSVersion.TLSv1_3), (7_000, ssl.TLSVersion.TLSv1_3), (10_000, ssl.TLSVersion.TLSv1_2), (10_000, ssl.TLSVersion.TLSv1_3)])
def test_42_thousands_of_names_are_seen_and_matched(lab, count, version):
    names = [f"host-{number}.shop.test" for number in range(count)]
    host = HearingHost(lab.root.issue(NAME, others=names)[0], version=version)
    status, (phone, *_) = scan(host, host=names[-1], anchors=lab.anchors)
    text = run("scan", f"{NAME}:{host.port}", "--address", "127.0.0.1", "--ca-file", lab.anchors)[1]
    host.stop()
    assert (status, phone["outcome"], phone["verification"]["host_matches"]) == (0, "ok", True)
    assert phone["certificates"][0]["names"]["dns"] == [NAME, *names]
    assert len(text) < 4000, "what people read does not list them all"
