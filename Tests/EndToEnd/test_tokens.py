"""Tokens: what they open, and what is closed without one."""

import json
import sqlite3
import time

import pytest
import service
from test_edge import ask, configuration, is_problem, token

PUBLIC = service.ROOT / "Public"


@pytest.fixture
def guarded(tmp_path):
    made = service.Service(tmp_path, configuration())
    yield made
    made.stop()


def beyond(made, *listen):
    return service.run("serve", "--config", made.config, "--public", PUBLIC, *listen, timeout=15)


def bearer(text):
    return f"Authorization: Bearer {text}\r\n"


def test_listening_beyond_loopback_needs_a_token_that_is_valid(guarded):
    for address in ("0.0.0.0:0", "[::]:0"):
        status, out, err = beyond(guarded, "--listen", address)
        assert (status, out) == (2, "") and "pinwatch token create" in err
    token(guarded, "create", "--name", "gone", "--role", "admin")
    assert token(guarded, "revoke", "1")[0] == 0
    assert beyond(guarded, "--listen", "0.0.0.0:0")[0] == 2, "a revoked token opens nothing"
    guarded.config.write_text(configuration(listen="0.0.0.0:0"))
    assert beyond(guarded)[0] == 2, "by the configuration as by the option"


def test_beyond_loopback_everything_but_health_wants_the_token(guarded):
    status, text, err = token(guarded, "create", "--name", "phone", "--role", "viewer")
    assert status == 0 and text.startswith("pw_") and len(text) >= 43 and text not in err
    guarded.start(listen="0.0.0.0:0")
    for path in ("/api/v1/summary", "/api/v1/targets", "/api/v1/targets/1", "/metrics"):
        answer = ask(guarded.port, path)
        is_problem(answer, 401)
        assert answer[1]["www-authenticate"].startswith("Bearer")
        assert ask(guarded.port, path, more=bearer(text))[0] != 401
    for path in ("/healthz", "/readyz", "/", "/app/main.js"):
        assert ask(guarded.port, path)[0] == 200
    assert ask(guarded.port, host="192.0.2.7", more=bearer(text))[0] == 200, "any address, for one of them is this machine's"
    is_problem(ask(guarded.port, host="attacker.test", more=bearer(text)), 421)


@pytest.mark.parametrize("header", ["Authorization: Bearer\r\n", "Authorization: Bearer pw_wrong\r\n", "Authorization: Basic TOKEN\r\n", "Authorization: TOKEN\r\n",
                                    "Authorization: Bearer TOKEN TOKEN\r\n", "Authorization: Bearer " + "a" * 5000 + "\r\n", "Cookie: token=TOKEN\r\n",
                                    "Authorization: Bearer TOKEN\r\nAuthorization: Bearer TOKEN\r\n", "Authorization: Bearer TOKENx\r\n"])
def test_what_is_nearly_a_token_is_none(near, header):
    made, text = near
    is_problem(ask(made.port, more=header.replace("TOKEN", text)), 401)
    is_problem(ask(made.port, "/api/v1/summary?token=" + text), 401)
    assert ask(made.port, more=f"authorization: bearer {text}\r\n")[0] == 200


@pytest.fixture(scope="module")
def near(tmp_path_factory):
    made = service.Service(tmp_path_factory.mktemp("near"), configuration())
    _, text, _ = token(made, "create", "--name", "ci", "--role", "viewer")
    made.start()
    yield made, text
    made.stop()


def test_tokens_come_and_go_while_the_service_runs(guarded):
    guarded.start()
    assert ask(guarded.port)[0] == 200, "on loopback with no token made, all is open"
    texts = {}
    for role in ("viewer", "editor", "admin"):
        _, texts[role], _ = token(guarded, "create", "--name", role, "--role", role)
    is_problem(ask(guarded.port), 401)
    assert all(ask(guarded.port, more=bearer(text))[0] == 200 for text in texts.values()), "every role reads"
    for number, text in enumerate(texts.values(), 1):
        assert token(guarded, "revoke", number)[0] == 0
        is_problem(ask(guarded.port, more=bearer(text)), 401)
    is_problem(ask(guarded.port), 401)
    assert token(guarded, "revoke", "1")[0] == 1, "it is revoked already"


def test_an_expired_token_is_none(guarded):
    _, text, _ = token(guarded, "create", "--name", "short", "--role", "viewer", "--expires", "60s")
    guarded.start()
    assert ask(guarded.port, more=bearer(text))[0] == 200
    with sqlite3.connect(guarded.folder / "pinwatch.db") as database:  # in place of waiting a minute
        database.execute("UPDATE token SET expires_at = ?", (int(time.time()) - 1,))
    is_problem(ask(guarded.port, more=bearer(text)), 401)
    is_problem(ask(guarded.port), 401)
    guarded.stop()
    assert beyond(guarded, "--listen", "0.0.0.0:0")[0] == 2


def test_the_list_shows_no_token_and_the_database_keeps_none(guarded):
    _, text, _ = token(guarded, "create", "--name", "a\x1b[31m\u202eb", "--role", "viewer", "--expires", "90d")
    status, out, _ = token(guarded, "list")
    assert status == 0 and "viewer" in out and "valid" in out and text not in out and "\x1b" not in out and "\u202e" not in out
    made, = json.loads(token(guarded, "list", "--json")[1])
    assert (made["id"], made["role"], made["revoked_at"]) == ("1", "viewer", None) and made["expires_at"].endswith("Z")
    for file in guarded.folder.iterdir():
        assert text.encode() not in file.read_bytes()
    assert (guarded.folder / "pinwatch.db").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("line", [["create"], ["create", "--name", "x"], ["create", "--name", "x", "--role", "root"], ["create", "--name", "", "--role", "viewer"],
                                  ["create", "--name", "x", "--role", "viewer", "--expires", "soon"], ["create", "--name", "x", "--role", "viewer", "--expires", "0d"],
                                  ["create", "--name", "n" * 101, "--role", "viewer"], ["revoke"], ["revoke", "x"], ["frobnicate"], ["list", "all"]])
def test_a_wrong_line_makes_no_token(guarded, line):
    status, out, err = token(guarded, *line)
    assert (status, out) == (2, "") and err.startswith("pinwatch: token: ")
    assert token(guarded, "list")[1] == ""
