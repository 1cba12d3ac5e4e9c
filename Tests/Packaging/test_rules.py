"""Each of the alerts for Prometheus fires when it should, and none of them while all is well."""

import json

import yaml
from conftest import ROOT
from promtool import needed, promtool

RULES = ROOT / "config/prometheus/pinwatch.rules.yml"
CASES = yaml.safe_load((ROOT / "Tests/Packaging/rules.yml").read_text())
FIRING = 'count by (alertname) (ALERTS{alertstate="firing"})'


def alerts():
    return [rule["alert"] for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]]


def case(series, firing):
    return {
        "interval": "1m",
        "input_series": [{"series": name, "values": values} for name, values in ({**CASES["well"], **series}).items()],
        "promql_expr_test": [{
            "expr": FIRING, "eval_time": "90m",
            "exp_samples": [{"labels": f'{{alertname="{name}"}}', "value": 1} for name in firing]}],
    }


@needed
def test_each_alert_fires_for_its_cause_and_for_no_other(tmp_path):
    cases = [case({}, [])] + [case(one["series"], [one["alert"]]) for one in CASES["fires"]]
    # JSON is YAML.
    (tmp_path / "tests.yml").write_text(json.dumps(
        {"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": cases}))
    promtool("test", "rules", str(tmp_path / "tests.yml"))


def test_no_alert_is_without_its_case():
    assert set(alerts()) == {one["alert"] for one in CASES["fires"]}


@needed
def test_promtool_finds_no_fault_in_the_rules():
    promtool("check", "rules", str(RULES))


def test_each_alert_says_what_to_do():
    for group in yaml.safe_load(RULES.read_text())["groups"]:
        for rule in group["rules"]:
            assert rule["labels"]["severity"] in ("critical", "warning"), rule["alert"]
            assert rule["annotations"]["summary"] and rule["annotations"]["description"].endswith("."), rule["alert"]
