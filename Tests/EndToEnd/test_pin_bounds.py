"""Pin sets through the API that mean far more than their text is long."""

import base64
import hashlib
import json
import time

import pytest
import service


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    running = service.Service(
        tmp_path_factory.mktemp("bounds"), "listen: 127.0.0.1:0\ndatabase: pinwatch.db\ntargets: []\n").start()
    yield running
    running.stop()


def pins(count):
    return [base64.b64encode(hashlib.sha256(str(number).encode()).digest()).decode() for number in range(count)]


def source(client, policy):
    return {"source": json.dumps({"pinwatch": 1, "app": "shop", "release": "1", "client": client, "policy": policy})}


def nsc(domains, pin_count, more=""):
    inner = "".join(f"<domain>h{number}.test</domain>" for number in range(domains))
    inner += "<pin-set>" + "".join(f'<pin digest="SHA-256">{pin}</pin>' for pin in pins(pin_count)) + "</pin-set>" + more
    return {"xml": f"<network-security-config><domain-config>{inner}</domain-config></network-security-config>"}


PREVIEW = "/api/v1/pin-sets?preview=true"


def test_a_short_file_that_means_a_million_pairs_is_refused(made):
    answer = made.send("POST", PREVIEW, source("android-nsc", nsc(1000, 1000)), 422)
    assert "20000 pairs of a domain and a pin at most; this one has 1000000" in json.dumps(answer)
    assert made.send("POST", PREVIEW, source("android-nsc", nsc(100, 100)), 200)


@pytest.mark.parametrize("client, policy", [
    ("trustkit-android", nsc(1, 10_000)),
    ("hpkp", {"hosts": [{"host": f"h{number}.test", "pins": pins(2)} for number in range(5_000)]}),
    ("okhttp", {"pins": [{"pattern": f"h{number}.test", "pins": ["sha256/" + pins(1)[0]]} for number in range(8_000)]}),
], ids=["pins", "hosts", "patterns"])
def test_what_is_long_is_read_in_a_time_that_grows_with_its_length(made, client, policy):
    began = time.monotonic()
    made.send("POST", PREVIEW, source(client, policy), 200)
    assert time.monotonic() - began < 30
    made.get("/healthz")


def test_lists_of_pins_and_of_problems_end(made):
    policy = {"hosts": [{"host": "a.test", "pins": ["sha256/AAAA"] * 10_001}]}
    assert "at most 10000 are taken" in json.dumps(made.send("POST", PREVIEW, source("generic", policy), 422))
    policy = {"hosts": [], **{f"k{number}": 1 for number in range(20_000)}}
    assert len(made.send("POST", PREVIEW, source("generic", policy), 422)["errors"]) <= 100


def test_a_body_beyond_a_mebibyte_is_not_read(made):
    made.send("POST", PREVIEW, {"source": "#" * (1 << 20)}, 413)
