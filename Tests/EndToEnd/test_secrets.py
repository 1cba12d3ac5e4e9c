"""Secrets that come by the API: sealed, shown once, and found nowhere else."""

import base64
import hashlib
import http.server
import os
import sqlite3
import threading
import urllib.parse

import peers
import pki
import pytest
import service
from world import PERIOD, World

NAME = "api.shop.test"
PATH = "/services/T0/recognisable-url-path-7f3a"


class Echo:
    """A receiver that answers with what it was asked, as a debugging proxy would."""

    def __init__(self):
        asked = self.asked = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["content-length"]))
                asked.append(self.path)
                text = f"cannot POST {self.path} {self.headers}".encode()
                self.send_response(500, f"no {self.path}")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}{PATH}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self):
        self._server.shutdown()
        self._server.server_close()


def new_key():
    return base64.b64encode(os.urandom(32)).decode()


class Vault(World):
    """A world with a secret_key, an admin's token, and the secrets that came by."""

    def __init__(self, folder):
        super().__init__(folder)
        self.echo = Echo()
        self.old, self.new, self.foreign = new_key(), new_key(), new_key()
        self.secrets = {"secret_key": self.old, "newer secret_key": self.new, "URL": PATH}
        self.hold("old")
        self.host(NAME)
        self.pins("shop", NAME, pki.pin(self.keys[NAME]), pki.pin(pki.new_key()))

    def configuration(self):
        return super().configuration().replace("routes:\n  - {severity: [critical, warning], channels: [ops]}\n", "")

    def hold(self, *names):
        """These keys are in the configuration, the newest first."""
        folder = self.folder / "keys"
        folder.mkdir(exist_ok=True)
        for number, name in enumerate(names):
            (folder / str(number)).write_text(getattr(self, name) + "\n")
        listed = ", ".join(f"{{file: keys/{number}}}" for number in range(len(names)))
        self.extra = f"secret_key: [{listed}]\n" if names else ""

    def again(self, *names):
        self.service.stop()
        self.hold(*names)
        token = self.secrets["token"]
        self.start()
        self.service.token = token

    def begin(self):
        self.start()
        _, text, _ = service.run("token", "create", "--name", "me", "--role", "admin", "--config", self.service.config, environment=self.service.environment)
        self.secrets["token"] = self.service.token = text.strip()

    def channel(self, name="hook", **more):
        return self.service.send(
            "POST", "/api/v1/channels", {"name": name, "type": "webhook", "url": self.echo.url, "allow_private": True, **more}, 201)

    @property
    def database(self):
        return b"".join((self.folder / f"pinwatch.db{suffix}").read_bytes()
                        for suffix in ("", "-wal") if (self.folder / f"pinwatch.db{suffix}").exists())

    def found(self, content):
        """The names of the secrets that are in it, as they are or in another spelling."""
        content = content.encode() if isinstance(content, str) else content
        return {name for name, text in self.secrets.items() if any(form in content for form in forms(text))}

    def stop(self):
        self.echo.stop()
        super().stop()


def forms(text):
    """A secret in the spellings in which it might leak: in clear, its bytes, and base64 at each offset."""
    raw = [text.encode()]
    body = text.removeprefix("whsec_")
    try:
        raw.append(base64.b64decode(body, validate=True))
    except ValueError:
        pass
    spellings = {urllib.parse.quote(text, safe="").encode(), text.encode().hex().encode()}
    for one in raw:
        spellings.add(one)
        for pad in range(3):
            inner = base64.b64encode(b"x" * pad + one)[4 if pad else 0:-4]
            spellings |= {inner, inner.replace(b"+", b"-").replace(b"/", b"_")}
    return [one for one in spellings if len(one) > 12]


@pytest.fixture
def vault(tmp_path):
    made = Vault(tmp_path)
    yield made
    made.stop()


def answers(vault):
    """What every path of the document that can be read answers, with each id that its list shows."""
    made = vault.service
    paths = [path for path, item in made.get("/api/v1/openapi.json")["paths"].items() if "get" in item and "stream" not in path]
    assert len(paths) > 30
    for path in paths:
        if "{" not in path:
            yield path, made.send("GET", path, status=None)
            continue
        ahead, _, behind = path.partition("/{")
        listed = made.send("GET", ahead + "?limit=200", status=None)
        for item in listed.get("items", []) if isinstance(listed, dict) else []:
            if "id" in item:
                asked = f"{ahead}/{item['id']}{behind.partition('}')[2]}"
                yield asked, made.send("GET", asked, status=None)


def provoke(vault):
    """Problem details of requests that hold secrets and are wrong."""
    url, made = vault.echo.url, vault.service
    channel = {"name": "hook", "type": "webhook", "url": url, "secret": vault.secrets["secret"]}
    token = vault.secrets["token"]
    for method, path, body in (
        ("POST", "channels", channel), ("POST", "channels", {**channel, "name": "x", "colour": "red"}), ("POST", "channels", {**channel, "name": "x", "url": url.replace("http", "gopher")}),
        ("POST", "channels", {**channel, "name": "x", "secret": vault.secrets["secret"][:-3] + "!"}), ("POST", "channels", {**channel, "name": url}),
        ("POST", "channels", {**channel, "name": "x", "type": PATH}), ("POST", "channels", {**channel, "name": "x", "url": {"a": url}}), ("POST", "channels", [channel]),
        ("PATCH", "channels/hook", {"url": 5, "secret": vault.secrets["secret"], "rotate_secret": True}), ("POST", "channels", b'{"url": "' + url.encode()),
        ("POST", "session", {"token": token + "x"}), ("POST", "session", {"token": [token]}), ("POST", "session", b'{"token": "' + token.encode()),
    ):
        said = made.send(method, f"/api/v1/{path}", body, None)
        assert said["status"] >= 400, (path, body)
        yield f"{method} {path} {sorted(body) if isinstance(body, dict) else 'text'}", said


def fill(vault):
    """Has every secret come by once, and alerts, deliveries and audit records made of them."""
    vault.begin()
    made = vault.service
    shown = vault.channel()
    vault.secrets["secret"] = shown["secret"]
    assert vault.found(str(shown)) == {"secret"}, "the secret is shown this once"
    vault.secrets["given secret"] = "whsec_" + new_key()
    assert "given secret" not in vault.found(str(vault.channel("second", secret=vault.secrets["given secret"])))
    vault.secrets["rotated secret"] = made.send("PATCH", "/api/v1/channels/hook", {"rotate_secret": True})["secret"]
    vault.secrets["second token"] = made.send("POST", "/api/v1/tokens", {"name": "t", "role": "viewer"}, 201)["token"]
    _, headers = made.answer("POST", "/api/v1/session", {"token": vault.secrets["token"]}, 201)
    vault.secrets["session"] = headers["set-cookie"].partition(";")[0].partition("=")[2]
    vault.secrets["secret of the file"] = vault.receiver.secret
    said = made.send("POST", "/api/v1/channels/hook/test")
    assert said["delivered"] is False and said["status"] == 500
    vault.hosts[NAME].serve(vault.authority.issue(NAME)[0])
    peers.wait_until(lambda: [one for one in made.items("deliveries?channel=hook") if one["attempts"]], PERIOD + 15, "a try")
    assert set(vault.echo.asked) == {PATH}


def test_what_is_secret_is_found_nowhere(vault):
    fill(vault)
    for path, said in answers(vault):
        assert not vault.found(str(said)), path
    for what, said in provoke(vault):
        assert not vault.found(str(said)), what
    assert not vault.found(str(vault.service.items("audit?limit=200")))
    assert not vault.found(str(vault.service.get("/metrics")))
    assert not vault.found(vault.service.log.read_bytes())
    assert not vault.found(vault.database)
    copy = vault.folder / "copy.db"
    assert service.run("backup", copy, "--config", vault.service.config, environment=vault.service.environment)[0] == 0
    assert not vault.found(copy.read_bytes())
    for url in (vault.echo.url, vault.receiver.url):
        assert hashlib.sha256(url.encode()).digest() not in copy.read_bytes() + vault.database, "a guess could be tried"
    key = (vault.folder / "pinwatch.db.url-key").read_bytes()
    assert len(key) == 32 and key not in copy.read_bytes() + vault.database
    vault.service.stop()
    assert not vault.found(vault.database) and not vault.found(vault.service.log.read_bytes())


def sealed(vault):
    with sqlite3.connect(vault.folder / "pinwatch.db") as database:
        return database.execute("SELECT sealed_url, sealed_secret FROM channel WHERE name = 'hook'").fetchone()


def test_the_key_can_be_replaced(vault):
    vault.begin()
    vault.channel()
    first = sealed(vault)
    vault.again("new", "old")
    assert vault.service.send("POST", "/api/v1/channels/hook/test")["status"] == 500 and vault.echo.asked == [PATH]
    second = sealed(vault)
    assert all(one and other and one != other for one, other in zip(first, second))
    vault.again("new")
    assert vault.service.send("POST", "/api/v1/channels/hook/test")["status"] == 500 and len(vault.echo.asked) == 2


@pytest.mark.parametrize("keys", [["foreign"], []])
def test_under_a_foreign_key_nothing_is_sent_and_all_else_goes_on(vault, keys):
    vault.begin()
    vault.channel()
    vault.again(*keys)
    made = vault.service
    assert made.get("/api/v1/channels/hook")["state"] == "sealed"
    assert "secret_key" in made.send("POST", "/api/v1/channels/hook/test", status=409)["detail"]
    vault.hosts[NAME].serve(vault.authority.issue(NAME)[0])
    vault.receiver.wait(lambda message: message["type"] == "alert.opened", PERIOD + 10)
    assert not vault.echo.asked and made.logged("channel hook is not used")
    vault.again("old")
    assert vault.service.get("/api/v1/channels/hook")["state"] != "sealed"
    peers.wait_until(lambda: vault.echo.asked, 20, "what was owed meanwhile")


def test_without_a_key_no_channel_is_taken(world):
    world.start()
    said = world.service.send("POST", "/api/v1/channels", {"name": "x", "type": "webhook", "url": "https://example.com" + PATH}, 422)
    assert "openssl rand -base64 32" in str(said) and PATH not in str(said)
