"""Webhooks as their receivers meet them: signed, repeated under the same id, refused in all the ways there are."""

import base64
import http.server
import os
import threading

import peers
import pki
import pytest
from standardwebhooks import Webhook, WebhookVerificationError
from world import PERIOD

NAME = "api.shop.test"


def alarm(world):
    """Starts a world whose host is about to show a key that nobody pinned."""
    identity, key = world.authority.issue(NAME)
    host = world.host(NAME, identity)
    world.pins("shop", NAME, pki.pin(key), pki.pin(pki.new_key()))
    world.start()
    world.scanned(NAME)
    host.serve(world.authority.issue(NAME)[0])
    return host


def attempted(world):
    return peers.wait_until(
        lambda: next((one for one in world.service.items("deliveries") if one["attempts"]), None), PERIOD + 15, "an attempt")


def test_the_signature_is_over_id_time_and_body(world):
    kept = []
    take = world.receiver._take
    world.receiver._take = lambda headers, body: (kept.append((headers, body)), take(headers, body))
    alarm(world)
    world.receiver.wait(lambda message: message["type"] == "alert.opened", PERIOD + 10)
    headers, body = kept[0]
    headers = {name.lower(): value for name, value in headers.items()}
    assert headers["content-type"] == "application/json" and "." not in headers["webhook-id"]
    webhook = Webhook(world.receiver.secret)
    webhook.verify(body, headers)
    for change in ({"webhook-id": headers["webhook-id"] + "x"}, {"webhook-timestamp": str(int(headers["webhook-timestamp"]) + 1)}):
        with pytest.raises(WebhookVerificationError):
            webhook.verify(body, headers | change)
    with pytest.raises(WebhookVerificationError):
        webhook.verify(body.replace(b"critical", b"harmless"), headers)


@pytest.mark.parametrize("known", ["old", "new"])
def test_while_the_secret_changes_either_verifies(world, known):
    secrets = {name: "whsec_" + base64.b64encode(os.urandom(32)).decode() for name in ("old", "new")}
    world.receiver.secret = secrets[known]
    (world.folder / "new").write_text(secrets["new"] + "\n")
    (world.folder / "old").write_text(secrets["old"])
    plain = world.configuration
    world.configuration = lambda: plain().replace("secret: {env: OPS_SECRET}", "secret: [{file: new}, {file: old}]")
    alarm(world)
    world.receiver.wait(lambda message: message["type"] == "alert.opened", PERIOD + 10)
    assert not world.receiver.refused


def test_a_receiver_that_is_gone_for_good_is_not_asked_again(world):
    world.receiver.status = 410
    alarm(world)
    ended = peers.wait_until(
        lambda: next((one for one in world.service.items("deliveries") if one["state"] in ("dead", "dropped")), None), PERIOD + 15, "the end of the delivery")
    assert ended["attempts"][-1]["status"] == 410 and ended["next_attempt_at"] is None


def test_a_redirect_is_a_failure_and_is_not_followed(world):
    followed = []

    class Elsewhere(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            followed.append(self.path)
            self.send_response(204)
            self.end_headers()

        do_GET = do_POST

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    world.receiver.status = 307
    world.receiver.headers = {"Location": f"http://127.0.0.1:{server.server_port}/"}
    alarm(world)
    tried = attempted(world)
    assert tried["state"] == "pending" and tried["attempts"][0]["status"] == 307 and tried["next_attempt_at"]
    server.shutdown()
    server.server_close()
    assert followed == []


def test_an_answer_that_asks_for_patience_gets_it(world):
    world.receiver.status = 429
    world.receiver.headers = {"Retry-After": "3600"}
    alarm(world)
    tried = attempted(world)
    at, until = tried["attempts"][0]["at"], tried["next_attempt_at"]
    assert tried["attempts"][0]["status"] == 429
    assert (peers.seconds(until) - peers.seconds(at)) >= 3600


def test_a_private_address_is_refused_where_it_is_not_allowed(world):
    plain = world.configuration
    world.configuration = lambda: plain().replace("allow_private: true", "allow_private: false")
    alarm(world)
    tried = attempted(world)
    assert tried["attempts"][0]["status"] is None and "private" in tried["attempts"][0]["error"]
    assert not world.receiver.messages and not world.receiver.refused
    said = world.service.log.read_text() + str(world.service.items("deliveries"))
    assert world.receiver.secret not in said and "/hook" not in said
