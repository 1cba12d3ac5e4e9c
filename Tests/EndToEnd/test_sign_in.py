"""Signing in: the first token, sessions, and their ends."""

import http.client
import json
import time

import pytest
import service
from test_edge import configuration, token

SILENCE = {"matchers": {"host": "a.test"}, "ends_at": "2099-01-01T00:00:00Z", "comment": "x"}
TEXT = "pw_" + "first-token-of-the-installation-0123456789"


@pytest.fixture
def made(tmp_path):
    service_ = service.Service(tmp_path, configuration())
    yield service_
    service_.stop()


def sign_in(made, text, origin=None):
    """A session's cookie, ready to be sent."""
    _, headers = made.answer("POST", "/api/v1/session", {"token": text}, 201, {"Origin": origin or made.base})
    return {"Cookie": headers["set-cookie"].partition(";")[0]}


def with_first_token(made, content):
    path = made.folder / "first.token"
    path.write_bytes(content)
    return {"PINWATCH_TOKEN_FILE": str(path)}


# The first token

def test_the_first_token_comes_from_the_command_line(made):
    made.start()
    assert made.get("/api/v1/session") == made.get("/api/v1/session") | {"open": True, "via": "loopback", "role": "admin"}
    _, text, _ = token(made, "create", "--name", "me", "--role", "admin")
    made.get("/api/v1/session", 401)
    cookie = sign_in(made, text)
    said = made.get("/api/v1/session", headers=cookie)
    assert (said["open"], said["via"], said["name"], said["role"]) == (False, "session", "me", "admin")


def test_the_first_token_comes_from_a_file_and_once(made):
    environment = with_first_token(made, TEXT.encode() + b"\n")
    made.start(environment)
    made.get("/api/v1/session", 401)
    made.get("/api/v1/session", headers=sign_in(made, TEXT))
    first, = json.loads(token(made, "list", "--json")[1])
    assert first["role"] == "admin" and TEXT not in made.log.read_text()
    token(made, "create", "--name", "second", "--role", "admin")
    assert token(made, "revoke", first["id"])[0] == 0
    made.stop()
    made.start(environment)
    made.send("POST", "/api/v1/session", {"token": TEXT}, 401)
    made.stop()
    (made.folder / "first.token").write_text(TEXT.replace("first", "other"))
    made.start(environment)
    made.send("POST", "/api/v1/session", {"token": TEXT.replace("first", "other")}, 401)
    made.stop()
    (made.folder / "first.token").unlink()
    made.start(environment)
    assert len(json.loads(token(made, "list", "--json")[1])) == 2


@pytest.mark.parametrize("content", [b"", b"\n", b"short", b"x" * 600, b"x" * 1_000_000, b"two tokens of which neither", b"\xff" * 40, TEXT.encode() + b"\n" + TEXT.encode()])
def test_a_silly_file_is_refused(made, content):
    status, out, err = service.run(
        "serve", "--config", made.config, "--public", service.ROOT / "Public", environment=with_first_token(made, content), timeout=15)
    assert (status, out) == (2, "") and "PINWATCH_TOKEN_FILE" in err and TEXT not in err and err.count("\n") == 1


@pytest.mark.parametrize("path", ["/nonexistent", "/", "/dev/zero"])
def test_what_is_no_file_is_refused(made, path):
    status, out, err = service.run(
        "serve", "--config", made.config, "--public", service.ROOT / "Public", environment={"PINWATCH_TOKEN_FILE": path}, timeout=15)
    assert (status, out) == (2, "") and "PINWATCH_TOKEN_FILE" in err


def test_a_file_opens_the_service_beyond_loopback(made):
    made.start(with_first_token(made, TEXT.encode()), listen="0.0.0.0:0")
    made.get("/api/v1/targets", 401)
    made.token = TEXT
    made.get("/api/v1/targets")


# Sessions

def test_the_cookie_is_for_this_service_alone(made):
    _, text, _ = token(made, "create", "--name", "me", "--role", "editor")
    made.start()
    _, headers = made.answer("POST", "/api/v1/session", {"token": text}, 201)
    pair, *flags = headers["set-cookie"].split("; ")
    assert set(flags) == {"Path=/", "Max-Age=43200", "HttpOnly", "SameSite=Strict"}
    assert pair.startswith("pinwatch_session=") and len(pair) > 50 and text not in pair
    words = {json.dumps(made.send("POST", "/api/v1/session", {"token": wrong}, 401)["detail"]) for wrong in ("pw_wrong", text + "x", "x")}
    assert len(words) == 1


def test_the_session_ends_with_its_token_if_that_is_sooner(made):
    _, text, _ = token(made, "create", "--name", "me", "--role", "editor", "--expires", "60s")
    made.start()
    _, headers = made.answer("POST", "/api/v1/session", {"token": text}, 201)
    assert 50 <= int(headers["set-cookie"].partition("Max-Age=")[2].partition(";")[0]) <= 60


def test_a_write_by_cookie_needs_this_services_origin(made):
    made.configure(configuration(more="public_url: https://pins.example.com/watch\n"))
    _, text, _ = token(made, "create", "--name", "me", "--role", "editor")
    made.start()
    cookie = sign_in(made, text)
    made.get("/api/v1/targets", headers=cookie)
    for origin in ({}, {"Origin": "null"}, {"Origin": "https://attacker.test"}, {"Origin": "http://pins.example.com"},
                   {"Origin": made.base + "9"}, {"Origin": made.base, "Sec-Fetch-Site": "cross-site"}):
        made.send("POST", "/api/v1/silences", SILENCE, 403, cookie | origin)
        made.send("DELETE", "/api/v1/session", None, 403, cookie | origin)
    for origin in (made.base, "https://pins.example.com"):
        made.send("POST", "/api/v1/silences", SILENCE, 201, cookie | {"Origin": origin})
    made.send("POST", "/api/v1/silences", SILENCE, 201, {"Authorization": f"Bearer {text}"})
    made.send("POST", "/api/v1/channels", {"name": "x"}, 403, cookie | {"Origin": made.base})


def test_signing_out_ends_this_session_alone(made):
    _, text, _ = token(made, "create", "--name", "me", "--role", "viewer")
    made.start()
    here, there = sign_in(made, text), sign_in(made, text)
    _, headers = made.answer("DELETE", "/api/v1/session", None, 204, here | {"Origin": made.base})
    assert "Max-Age=0" in headers["set-cookie"]
    made.get("/api/v1/targets", 401, here)
    made.get("/api/v1/targets", 200, there)
    made.stop()
    made.start()
    made.get("/api/v1/targets", 200, there)


def test_revoking_a_token_ends_its_sessions_and_streams(made):
    _, own, _ = token(made, "create", "--name", "admin", "--role", "admin")
    _, text, _ = token(made, "create", "--name", "me", "--role", "viewer")
    made.start()
    cookie = sign_in(made, text)
    stream = http.client.HTTPConnection("127.0.0.1", made.port, timeout=30)
    stream.request("GET", "/api/v1/events/stream", headers=cookie)
    answer = stream.getresponse()
    assert answer.status == 200 and answer.readline().startswith(b"retry:")
    made.send("DELETE", "/api/v1/tokens/2", None, 204, {"Authorization": f"Bearer {own}"})
    made.get("/api/v1/targets", 401, cookie)
    began = time.monotonic()
    answer.read()
    assert time.monotonic() - began < 5, "at once, not at the next heartbeat"
    made.send("DELETE", "/api/v1/tokens/1", None, 409, {"Authorization": f"Bearer {own}"})


def test_guessing_is_slowed_down(made):
    _, text, _ = token(made, "create", "--name", "me", "--role", "viewer")
    made.start()
    codes = [json.loads(json.dumps(made.send("POST", "/api/v1/session", {"token": f"pw_{n}"}, None)))["status"] for n in range(12)]
    assert codes == [401] * 10 + [429] * 2
    _, headers = made.answer("POST", "/api/v1/session", {"token": text}, 429)
    assert 0 < int(headers["retry-after"]) <= 60
    made.get("/api/v1/targets", 200, {"Authorization": f"Bearer {text}"})
