"""The running service against its own OpenAPI document: schemathesis, all checks."""

import ipaddress
import json
import os
import pathlib
import subprocess
import sys

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "EndToEnd"))
import peers  # noqa: E402: the folder is on the path since the line above
import pki  # noqa: E402
import service  # noqa: E402

# What is not asked by made up requests, each with its reason.
EXCLUDED = {
    # Its answer never ends; streams have tests of their own.
    "streamEvents": "an endless answer",
    # One that succeeds ends the session or the token that the run itself is made with.
    "revokeToken": "would revoke the run's own token",
}


def all_but_loopback():
    """What scans must not reach: made up targets are not to be looked for beyond this machine."""
    loopback = ipaddress.ip_network("127.0.0.0/8")
    others = ipaddress.ip_network("0.0.0.0/0").address_exclude(loopback)
    return ", ".join([str(one) for one in others] + ["'::/0'"])


def secret_key(folder):
    """32 bytes in base64."""
    made = subprocess.run(["openssl", "rand", "-base64", "32"], capture_output=True, check=True).stdout
    (folder / "key").write_bytes(made)
    return folder / "key"


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A service with a target of its own on loopback, a receiver, and a token for an admin."""
    folder = tmp_path_factory.mktemp("conformance")
    authority = pki.Authority()
    (folder / "root.pem").write_bytes(authority.pem)
    host = peers.Host(authority.issue("api.shop.test")[0])
    receiver = peers.Receiver()
    secret_key(folder)
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
    status, token, error = service.run(
        "token", "create", "--name", "conformance", "--role", "admin", "--config", made.config)
    assert status == 0, error
    made.token = token.strip()
    try:
        yield made.start()
    finally:
        made.stop()
        host.stop()
        receiver.stop()


def test_the_document_is_openapi(running):
    OpenAPIV31SpecValidator(running.get("/api/v1/openapi.json")).validate()


def test_what_is_not_asked_is_there_to_be_asked(running):
    paths = running.get("/api/v1/openapi.json")["paths"]
    known = {operation["operationId"] for path in paths.values() for method, operation in path.items() if method != "parameters"}
    assert set(EXCLUDED) < known


def test_the_service_is_as_its_document_says(running, tmp_path):
    command = [
        pathlib.Path(sys.executable).parent / "st", "--config-file", HERE / "schemathesis.toml",
        "run", f"http://127.0.0.1:{running.port}/api/v1/openapi.json", "--checks", "all", "--max-time", "45",
        "--header", f"Authorization: Bearer {running.token}", "--report", "json", "--report-json-path", tmp_path / "report.json",
        *(word for operation in EXCLUDED for word in ("--exclude-operation-id", operation)),
    ]
    done = subprocess.run(
        [str(word) for word in command], cwd=HERE, capture_output=True, text=True, timeout=240,
        env={**os.environ, "SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(HERE), "PYTHONDONTWRITEBYTECODE": "1"})
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr
    assert json.loads((tmp_path / "report.json").read_text()), "nothing was asked"
    assert not [line for line in running.log.read_text().splitlines() if "error e" in line], "an error that nobody foresaw"
