"""The running service against its own OpenAPI document: schemathesis, all checks."""

import base64
import ipaddress
import json
import os
import pathlib
import re
import subprocess
import sys
import tomllib

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "EndToEnd"))
import peers  # noqa: E402: the folder is on the path since the line above
import pki  # noqa: E402
import service  # noqa: E402

# What is not asked by made up requests, each with its reason.
EXCLUDED = {
    "streamEvents": "its answer never ends; streams have tests of their own",
    "revokeToken": "one that succeeds revokes the token that the run itself is made with",
}

# Each part is asked with a token of its own, since writes are counted by token: what is beyond the rate is not tried.
REST = "the rest"
PARTS = {
    "targets": "^/api/v1/targets",
    "alerts": "^/api/v1/(alerts|silences|deliveries|events|findings)",
    "channels": "^/api/v1/(channels|routes)",
    REST: None,
}


# Seconds for one part; on a machine of its own it takes a fifth of that.
LIMIT = 270


def all_but_loopback():
    """What scans must not reach: made up targets are not to be looked for beyond this machine."""
    loopback = ipaddress.ip_network("127.0.0.0/8")
    others = ipaddress.ip_network("0.0.0.0/0").address_exclude(loopback)
    return ", ".join([str(one) for one in others] + ["'::/0'"])


def new_token(made, name):
    status, token, error = service.run(
        "token", "create", "--name", name, "--role", "admin", "--config", made.config, environment=made.environment)
    assert status == 0, error
    return token.strip()


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A service with a target of its own on loopback, a receiver, and a token for an admin."""
    folder = tmp_path_factory.mktemp("conformance")
    authority = pki.Authority()
    (folder / "root.pem").write_bytes(authority.pem)
    host = peers.Host(authority.issue("api.shop.test")[0])
    receiver = peers.Receiver()
    (folder / "key").write_bytes(base64.b64encode(os.urandom(32)))
    made = service.Service(
        folder,
        "listen: 127.0.0.1:0\ndatabase: pinwatch.db\nsecret_key: {file: key}\ntrusted_proxies: [127.0.0.1/32]\n"
        f"scan: {{period: 2s, timeout: 2s, deny_addresses: [{all_but_loopback()}]}}\n"
        "trust_stores: {system: system, lab: {file: root.pem}}\n"
        "targets:\n"
        f"  - {{host: api.shop.test, port: {host.port}, addresses: [127.0.0.1], trust_store: lab}}\n"
        "channels:\n"
        "  - {name: ops, type: webhook, url: {env: OPS_URL}, secret: {env: OPS_SECRET}, allow_private: true}\n",
        environment={"OPS_URL": receiver.url, "OPS_SECRET": receiver.secret},
    )
    made.tokens = {name: new_token(made, name) for name in PARTS}
    made.token = made.tokens[REST]
    try:
        yield made.start()
    finally:
        made.stop()
        host.stop()
        receiver.stop()


def test_the_document_is_openapi(running):
    OpenAPIV31SpecValidator(running.get("/api/v1/openapi.json")).validate()


def test_what_is_not_asked_and_what_is_expected_of_some_is_in_the_document(running):
    paths = running.get("/api/v1/openapi.json")["paths"]
    known = {operation["operationId"] for path in paths.values() for method, operation in path.items() if method != "parameters"}
    configured = tomllib.loads((HERE / "schemathesis.toml").read_text())["operations"]
    named = [name for some in configured for name in some["include-operation-id"]]
    assert set(EXCLUDED) | set(named) < known
    assert len(named) == len(set(named)), "of two expectations of one operation, the first alone would count"


def chosen(part):
    """The command line's choice of operations."""
    # One expression: of several, the last alone would be taken.
    paths = ["--include-path-regex", PARTS[part]] if PARTS[part] else [
        "--exclude-path-regex", "|".join(path for path in PARTS.values() if path)]
    return [*paths, *(word for operation in EXCLUDED for word in ("--exclude-operation-id", operation))]


@pytest.mark.parametrize("part", PARTS)
def test_the_service_is_as_its_document_says(running, tmp_path, part):
    report = tmp_path / "report.json"
    command = [
        # What takes too long is interrupted, and then says how far it came.
        "timeout", "--signal=INT", "--kill-after=10", str(LIMIT), pathlib.Path(sys.executable).parent / "st", "--no-color", "--config-file", HERE / "schemathesis.toml",
        "run", f"http://127.0.0.1:{running.port}/api/v1/openapi.json", "--checks", "all", "--continue-on-failure", "--request-timeout", "30",
        "--header", f"Authorization: Bearer {running.tokens[part]}", "--report", "json", "--report-json-path", report,
        *chosen(part),
    ]
    done = subprocess.run(
        [str(word) for word in command], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(HERE), "PYTHONDONTWRITEBYTECODE": "1"})
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr
    assert json.loads(report.read_text()), "nothing was asked"
    unforeseen = [line for line in running.log.read_text().splitlines() if re.search("error [0-9a-f-]{4,}: ", line)]
    assert unforeseen == [], "what nobody foresaw is a 500, and in the log"
