"""The faults that people have reported of watching: one service and a host for each, which it scans again and again."""

import re

import peers
import pytest
from watching import COUNTS, LONG, Watch


@pytest.fixture(scope="module")
def watch(tmp_path_factory):
    watch = Watch(tmp_path_factory.mktemp("watch"))
    yield watch
    watch.stop()


def test_6_names_have_no_length(watch):
    watch.until_scanned("long.shop.test", 1)
    leaf = watch.target("long.shop.test")["leaf"]
    assert watch.service.get(f"/api/v1/certificates/{leaf['sha256']}")["subject"] == f"O={LONG},C=Internet"
    assert watch.target("long.shop.test")["state"] == "ok"


def test_42_thousands_of_names_are_kept_and_lists_stay_small(watch):
    for count in COUNTS:
        name = f"many-{count}.shop.test"
        watch.until_scanned(name, 2)
        target = watch.target(name)
        shown = watch.service.get(f"/api/v1/certificates/{target['leaf']['sha256']}")
        assert target["state"] == "ok" and len(shown["names"]["dns"]) == count + 1 and shown["names"]["dns"][-1] == f"h{count - 1}.shop.test"
    met, page = [], watch.service.get("/api/v1/targets?limit=1&host=many")
    while True:
        assert len(str(page)) < 5_000, "a list does not hold the names"
        met += [one["host"] for one in page["items"]]
        if not page["next"]:
            break
        page = watch.service.get(f"/api/v1/targets?limit=1&host=many&cursor={page['next']}")
    assert sorted(met) == sorted(f"many-{count}.shop.test" for count in COUNTS)
    assert len(str(watch.of("many-10000.shop.test", "spans"))) < 5_000


def test_15_and_16_names_are_kept_and_shown_in_one_form(watch):
    for written, name, shown in (("dot.shop.test.", "dot.shop.test", "dot.shop.test"), ("bücher.test", "xn--bcher-kva.test", "bücher.test")):
        watch.until_scanned(name, 2)
        target = watch.target(name)
        assert (target["host_unicode"], target["sni"], target["state"]) == (shown, name, "ok")
        assert {hello.name for hello in watch.hosts[written].hellos} == {name}
        assert not watch.findings(name)
        watch.service.send("POST", "/api/v1/targets", {"host": written.upper(), "port": target["port"]}, 409)


def test_24_and_25_what_is_not_known_is_null(watch):
    watch.until_scanned("stalled.shop.test", 1)
    stalled = watch.target("stalled.shop.test")
    assert (stalled["state"], stalled["leaf"]) in (("unknown", None), ("warning", None)), "never ok, and never expired"
    seen = watch.of("stalled.shop.test", "observations")[0]
    assert seen["chain"] == [] and (seen["tls_version"], seen["cipher"], seen["key_family"]) == (None, None, None)
    assert "certificate.expiry" not in watch.findings("stalled.shop.test")
    watch.until_scanned("selfsigned.shop.test", 1)
    assert peers.seconds(watch.target("selfsigned.shop.test")["leaf"]["not_after"]) > 0
    assert set(watch.findings("selfsigned.shop.test")) == {"chain.invalid"}
    for path in ("/api/v1/targets?limit=200", "/api/v1/findings?limit=200", "/api/v1/summary", "/metrics"):
        said = str(watch.service.get(path))
        assert not re.search(r"0001-01-01|1970-01-01|-6\.\d*e|\} -\d", said), path


def test_27_the_leaf_stays_fine(watch):
    watch.until_scanned("cross.shop.test", 2)
    assert watch.target("cross.shop.test")["state"] == "ok" and not watch.findings("cross.shop.test")
    assert len(watch.of("cross.shop.test", "observations")[-1]["chain"]) in (0, 3)


def test_30_nodes_that_alternate_are_two_spans_and_one_alert(watch):
    name = "turns.shop.test"
    both = [True, True]
    peers.wait_until(lambda: [span["open"] for span in watch.of(name, "spans")] == both, 20, "two open spans")
    events, alerts = watch.events(name), watch.alerts("pin.rejected", name)
    # The first turns are a change and its return, and from then on the address is known to have two.
    assert [one["quiet"] for one in events] == [True] * (len(events) - 1) + [False] and len(events) <= 3
    assert [one["state"] for one in alerts[:1]] == ["open"] and len(alerts) <= 2
    watch.until_scanned(name, watch.scans(name) + 6)
    assert [span["open"] for span in watch.of(name, "spans")] == both
    assert (watch.events(name), watch.alerts("pin.rejected", name)) == (events, alerts), "a flip is no news"
    assert watch.findings(name)["pin.rejected"]["scope"] == {"affected": 1, "of": 1}


def test_31_a_return_is_quiet_and_a_third_identity_is_not(watch):
    name = "third.shop.test"
    watch.until_scanned(name, 1)
    second, third = watch.issue(name), watch.issue(name)
    for number, identity in enumerate((second, watch.first, third), 1):
        watch.hosts[name].serve(identity)
        peers.wait_until(lambda: len(watch.events(name)) == number, 10, f"event {number}")
    events = sorted(watch.events(name), key=lambda one: int(one["id"]))
    assert [(one["class"], one["quiet"]) for one in events] == [("to_pin_of_none", False), ("returned", True), ("unknown_third", False)]
    peers.wait_until(lambda: [one["state"] for one in watch.alerts("pin.rejected", name)] == ["open", "resolved"], 10, "the second alert")


@pytest.mark.parametrize("name", ["tlsv1-2.shop.test", "tlsv1-3.shop.test"])
def test_32_every_scan_is_a_connection_of_its_own_without_a_session(watch, name):
    watch.until_scanned(name, 4)
    host = watch.hosts[name]
    assert len(host.hellos) >= 6 and host.reused and not any(host.reused)
    assert not any(hello.resumes for hello in host.hellos)
    sessions = [hello.session for hello in host.hellos if hello.session]
    assert len(set(sessions)) == len(sessions)


def test_34_a_dead_address_is_a_finding_of_one_of_two(watch):
    peers.wait_until(lambda: "scan.failing" in watch.findings("half.shop.test"), 15, "the finding")
    finding, = watch.findings("half.shop.test").values()
    assert (finding["severity"], finding["scope"]) == ("warning", {"affected": 1, "of": 2}) and "127.0.0.2" in finding["summary"]
    assert watch.target("half.shop.test")["state"] == "warning" and watch.target("half.shop.test")["leaf"]
    words = {(one["address"], one["outcome"]) for one in watch.of("half.shop.test", "observations") if one["profile"] == "phone"}
    assert words == {("127.0.0.1", "ok"), ("127.0.0.2", "connect_refused")}


def test_34_a_bad_node_is_seen_beside_a_good_one(watch):
    finding = peers.wait_until(lambda: watch.findings("worse.shop.test").get("certificate.expiry"), 15, "the finding")
    assert (finding["severity"], finding["stage"]) == ("critical", "expired") and "127.0.0.2" in str(finding)
    assert watch.target("worse.shop.test")["state"] == "critical"
    served = {one["address"]: span["spki"] for span in watch.of("worse.shop.test", "spans") for one in span["addresses"] if one["current"]}
    assert set(served) == {"127.0.0.1", "127.0.0.2"} and len(set(served.values())) == 2


def test_70_an_expired_certificate_is_told_once(watch):
    name = "expired.shop.test"
    # Another host has the same finding, and the second of a kind is held back to be told with more.
    peers.wait_until(lambda: watch.messages("certificate.expiry", name), 30, "the alert")
    watch.until_scanned(name, watch.scans(name) + 4)
    assert watch.messages("certificate.expiry", name) == ["alert.opened"]
    assert watch.findings(name)["certificate.expiry"]["stage"] == "expired"
