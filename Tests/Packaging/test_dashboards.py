"""Every metric, label and value that the rules and the dashboard ask for is one that /metrics has."""

import json
import re
import types

import peers
import pki
import promql
import pytest
import yaml
from conftest import ROOT
from promtool import needed, promtool
from world import World

# What Prometheus adds to everything that it scrapes.
ADDED = {"job", "instance"}
OF_PROMETHEUS = {"up": [{}]}
VARIABLES = {"$__rate_interval": "5m", "$instance": ".*"}
PINNED, BROKEN = "api.shop.test", "old.shop.test"


@pytest.fixture(scope="module")
def exposition(tmp_path_factory):
    """/metrics of a service that has scanned, found, and told a channel."""
    world = World(tmp_path_factory.mktemp("metrics"))
    try:
        identity, key = world.authority.issue(PINNED)
        world.host(PINNED, identity)
        world.host(BROKEN, world.authority.issue(BROKEN, days=-2, started=60)[0])
        world.pins("shop", PINNED, pki.pin(key), pki.pin(pki.new_key()))
        world.start()
        world.scanned(PINNED)
        world.scanned(BROKEN)
        world.receiver.wait(lambda message: message["type"] == "alert.opened", 30)
        peers.wait_until(lambda: "pinwatch_last_scan" in world.service.get("/metrics"), 10, "a recorded scan")
        yield world.service.get("/metrics")
    finally:
        world.stop()


@pytest.fixture(scope="module")
def series(exposition):
    """The labels of each sample, by metric."""
    found = dict(OF_PROMETHEUS)
    for line in exposition.splitlines():
        sample = re.fullmatch(r'(\w+)(?:\{(.*)\})? \S+', line)
        if sample and not line.startswith("#"):
            labels = dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', sample.group(2) or ""))
            found.setdefault(sample.group(1), []).append(labels)
    return found


def rules():
    for group in yaml.safe_load((ROOT / "config/prometheus/pinwatch.rules.yml").read_text())["groups"]:
        for rule in group["rules"]:
            said = " ".join(rule["annotations"].values())
            yield types.SimpleNamespace(name=rule["alert"], query=rule["expr"], shown=set(re.findall(r"\$labels\.(\w+)", said)))


def panels():
    dashboard = json.loads((ROOT / "config/grafana/pinwatch.json").read_text())
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            query = target["expr"]
            for name, value in VARIABLES.items():
                query = query.replace(name, value)
            yield types.SimpleNamespace(name=f"{panel['title']} {target['refId']}", query=query,
                                        shown=set(re.findall(r"\{\{\s*(\w+)\s*\}\}", target["legendFormat"])))


QUERIES = [*rules(), *panels()]


@pytest.mark.parametrize("asked", QUERIES, ids=lambda asked: asked.name)
def test_what_is_asked_for_is_there(asked, series):
    selectors, grouped = promql.read(asked.query)
    assert selectors
    there = set(ADDED)
    for selector in selectors:
        assert selector.metric in series, f"no metric {selector.metric}"
        samples = series[selector.metric]
        there |= {label for labels in samples for label in labels}
        assert [labels for labels in samples if fits(labels, selector.matchers)], f"no series of {selector}"
    assert grouped | asked.shown <= there


def fits(labels, matchers):
    for label, operator, value in matchers:
        if label in ADDED:
            continue
        assert operator in ("=", "=~"), f"{operator} is not held against samples here"
        if not re.fullmatch(value if operator == "=~" else re.escape(value), labels.get(label, "")):
            return False
    return True


@needed
def test_promtool_understands_every_query_of_the_dashboard(tmp_path):
    recorded = [{"record": f"panel_{number}", "expr": panel.query} for number, panel in enumerate(panels())]
    (tmp_path / "panels.yml").write_text(json.dumps({"groups": [{"name": "panels", "rules": recorded}]}))
    promtool("check", "rules", str(tmp_path / "panels.yml"))


@needed
def test_promtool_finds_no_fault_in_what_is_exposed(exposition):
    promtool("check", "metrics", stdin=exposition)


def test_every_metric_is_asked_for_somewhere(series):
    """What nobody looks at need not be counted."""
    asked = {selector.metric for one in QUERIES for selector in promql.read(one.query)[0]}
    assert series.keys() - asked == set()


@pytest.mark.parametrize("query, metrics, labels", [
    ("sum by (state) (pinwatch_targets)", ["pinwatch_targets"], {"state"}),
    ("a > 1 and on (job) rate(b{x='1', y=~\"2\"}[5m])".replace("'", '"'), ["a", "b"], {"job"}),
    ("time() - a offset 5m", ["a"], set()), ("topk(3, a) / b", ["a", "b"], set()), ("a unless b or absent(c)", ["a", "b", "c"], set()),
], ids=str)
def test_queries_are_read_as_prometheus_reads_them(query, metrics, labels):
    selectors, grouped = promql.read(query)
    assert [selector.metric for selector in selectors] == metrics and grouped == labels
