"""`pinwatch channel test`: one message, and what came of it."""

import json

import peers
import pytest
from service import run

TEXT = """\
listen: 127.0.0.1:0
database: pinwatch.db
public_url: https://pins.example.com
channels:
  - {name: ops, type: webhook, url: {env: OPS_URL}, secret: {env: OPS_SECRET}, allow_private: true}
  - {name: shy, type: webhook, url: {env: OPS_URL}, secret: {env: OPS_SECRET}}
"""


@pytest.fixture
def receiver():
    receiver = peers.Receiver()
    yield receiver
    receiver.stop()


def channel(folder, receiver, *arguments):
    (folder / "pinwatch.yaml").write_text(TEXT)
    environment = {"OPS_URL": receiver.url, "OPS_SECRET": receiver.secret}
    status, out, err = run("channel", *arguments, "--config", folder / "pinwatch.yaml", environment=environment)
    assert "/hook" not in out + err and receiver.secret not in out + err
    return status, out, err


def test_a_channel_that_works(tmp_path, receiver):
    status, out, err = channel(tmp_path, receiver, "test", "ops")
    assert (status, err) == (0, "") and out.startswith("channel ops: delivered, HTTP 204 in ")
    (message,) = receiver.messages
    assert message["type"] == "channel.test" and message["data"]["channel"] == "ops"
    assert message["data"]["links"]["dashboard"] == "https://pins.example.com/"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["pinwatch.yaml"], "nothing is stored"


def test_a_receiver_that_refuses(tmp_path, receiver):
    receiver.status = 503
    status, out, _ = channel(tmp_path, receiver, "test", "ops", "--json")
    said = json.loads(out)
    assert status == 1 and said.pop("ms") >= 0
    assert said == {"channel": "ops", "delivered": False, "status": 503, "error": "HTTP 503"}


def test_a_private_address_is_as_forbidden_as_for_alerts(tmp_path, receiver):
    status, out, _ = channel(tmp_path, receiver, "test", "shy")
    assert status == 1 and "allow_private" in out and not receiver.messages


@pytest.mark.parametrize("arguments", [("test", "dev"), ("try", "ops"), ("test",), ("test", "ops", "now")])
def test_what_cannot_be_meant_is_refused(tmp_path, receiver, arguments):
    status, out, err = channel(tmp_path, receiver, *arguments)
    assert (status, out) == (2, "") and err
    assert not receiver.messages
