#!/usr/bin/env python3
"""Serves the dashboard with an API of invented data, under the headers of the real service.

For the browser tests, and for looking at the page by hand:

    python3 fixture_server.py --port 8090 [--targets 312] [--token TOKEN]

The data are `World`'s, which can be changed under way. Each `fixture_….py` beside this file adds routes by its `install(world)`.
"""

import argparse
import functools
import gzip
import hashlib
import importlib
import json
import queue
import re
import sys
import threading
import uuid
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from fixture_admin import Admin
from invented import World

HERE = Path(__file__).resolve().parent
PUBLIC = HERE.parents[1] / "Public"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; font-src 'none'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".svg": "image/svg+xml"}
COMPRESSED = (".html", ".js", ".css")
RANKS = {"viewer": 1, "editor": 2, "admin": 3}
HEARTBEAT = 15
# What `fixture_admin` answers, and of it what takes an admin.
ADMIN = {"channels", "routes", "tokens", "settings", "audit"}
MANAGED = ADMIN | {"pin-sets", "alerts", "silences", "deliveries"}


class Problem(Exception):
    """A refusal: `raise Problem(422, "Unprocessable Content", "A sentence.", [{"field": "host", "message": "…"}])`."""

    def __init__(self, status, title, detail="", errors=(), headers=None):
        super().__init__(title)
        self.status, self.title, self.detail, self.errors, self.headers = status, title, detail, list(errors), headers or {}


class Call:
    """What a route is given: `match` of its pattern, `query` of lists, `body`, `headers`, and who asks."""

    def __init__(self, match, query, body, headers, actor):
        self.match, self.query, self.body, self.headers, self.actor = match, query, body, headers, actor

    def one(self, name, default=None):
        return self.query.get(name, [default])[0]


class Routes:
    """Who may do what: `add("POST", r"targets", "editor", work)`; `work(call)` gives a body, `(status, body[, headers])` or bytes."""

    def __init__(self):
        self.all = []

    def add(self, method, pattern, role, work):
        self.all.append((method, re.compile(pattern), role, work))

    def find(self, method, path):
        allowed = set()
        for known, pattern, role, work in self.all:
            if match := pattern.fullmatch(path):
                if known == method:
                    return match, role, work
                allowed.add(known)
        if path.split("/")[0] in MANAGED:
            return None, "admin" if path.split("/")[0] in ADMIN else "viewer" if method == "GET" else "editor", None
        if allowed:
            raise Problem(405, "Method Not Allowed", f"{path} takes {', '.join(sorted(allowed))}", headers={"Allow": ", ".join(sorted(allowed))})
        raise Problem(404, "Not Found", f"There is no {path}.")


def paged(items, query, default=50):
    """A page of a list, as every list answers."""
    limit, start = int(query.get("limit", [default])[0]), int(query.get("cursor", ["0"])[0])
    return {"items": items[start:start + limit], "next": str(start + limit) if start + limit < len(items) else None, "total": len(items)}


def editable(call, resource, name):
    """Refuses what the configuration file sets, and an `If-Match` that does not fit the revision."""
    if resource["managed_by"] == "config":
        raise Problem(409, "Conflict", f"This {name} is set in the configuration file /etc/pinwatch/pinwatch.yaml; change it there and reload.")
    wanted = call.headers.get("If-Match")
    if wanted and wanted != "*" and wanted.strip('"').split(".")[0] != str(resource["revision"]):
        raise Problem(412, "Precondition Failed", f"This {name} has changed meanwhile; load it again.")


@functools.cache
def compressed(data):
    return gzip.compress(data, mtime=0)


class Sessions:
    """`GET`, `POST` and `DELETE /session`, by a cookie."""

    def __init__(self, world):
        self.world, self.cookies = world, {}

    def install(self, routes):
        routes.add("GET", "session", "viewer", lambda call: call.actor)
        routes.add("POST", "session", None, self.sign_in)
        routes.add("DELETE", "session", "viewer", self.sign_out)

    def shape(self, via, name, role):
        return {"open": not self.world.tokens, "authenticated": True, "via": via, "name": name, "role": role,
                "expires_at": self.world.time(12 * self.world.HOUR) if via == "session" else None, "environments": ["production", "staging"], "version": "1.0.0"}

    def who(self, headers):
        if not self.world.tokens:
            return self.shape("loopback", None, "admin")
        token = self.world.tokens.get(self.cookies.get(self.cookie(headers)))
        return self.shape("session", token["name"], token["role"]) if token else None

    @staticmethod
    def cookie(headers):
        found = re.search(r"pinwatch_session=([^;]+)", headers.get("Cookie", ""))
        return found[1] if found else None

    def sign_in(self, call):
        token = (call.body or {}).get("token")
        known = self.world.tokens.get(token)
        if not known:
            raise Problem(401, "Unauthorized", "This token is unknown, revoked or expired.")
        key = uuid.uuid4().hex
        self.cookies[key] = token
        cookie = f"pinwatch_session={key}; HttpOnly; SameSite=Strict; Path=/; Max-Age=43200"
        return 201, self.shape("session", known["name"], known["role"]), {"Set-Cookie": cookie}

    def sign_out(self, call):
        self.cookies.pop(self.cookie(call.headers), None)
        return 204, None, {"Set-Cookie": "pinwatch_session=; Path=/; Max-Age=0"}


def install(world):
    """All routes of this world: those of the modules beside this file."""
    routes = Routes()
    world.admin = Admin(world)
    world.sessions = Sessions(world)
    world.sessions.install(routes)
    for file in sorted(HERE.glob("fixture_*.py")):
        module = None if file.stem == "fixture_server" else importlib.import_module(file.stem)
        if hasattr(module, "install"):
            module.install(world, routes)
    return routes


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    world: World
    routes: Routes

    def respond(self):
        parts = urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        data = self.rfile.read(length) if length else b""
        self.world.requests.append(self.path)
        self.world.calls.append((self.command, self.path))
        if not parts.path.startswith("/api/v1/"):
            return self.file(parts.path)
        try:
            self.api(unquote(parts.path.removeprefix("/api/v1/")), parse_qs(parts.query), data)
        except Problem as problem:
            self.problem(problem)

    do_GET = do_POST = do_PATCH = do_DELETE = respond

    def api(self, path, query, data):
        if self.world.failing:
            raise Problem(503, "Service Unavailable", "The store cannot be read: the disk is full.")
        actor = self.world.sessions.who(self.headers)
        match, role, work = self.routes.find(self.command, path) if path != "events/stream" else (None, "viewer", None)
        if role and actor is None:
            raise Problem(401, "Unauthorized", "A token is needed: sign in, or send Authorization: Bearer.")
        if role and RANKS[actor["role"]] < RANKS[role]:
            raise Problem(403, "Forbidden", f"Your role does not allow this; it takes {role}.")
        if path == "events/stream":
            return self.stream()
        if data and "json" not in self.headers.get("Content-Type", ""):
            raise Problem(415, "Unsupported Media Type", "Send JSON with Content-Type: application/json.")
        body = json.loads(data) if data else None
        if work is None:
            status, answer, headers = self.world.admin.answer(self.command, path, query, body, self.headers) or (404, None, {})
            return self.answer(status, answer, headers)
        answer = work(Call(match, query, body, self.headers, actor))
        status, body, headers = (answer + ({},))[:3] if isinstance(answer, tuple) else (200, answer, {})
        if body is None and status == 200:
            raise Problem(404, "Not Found", f"There is no {path}.")
        self.answer(status, body, headers)

    def answer(self, status, body, headers):
        if isinstance(body, bytes):
            return self.send(status, "application/octet-stream", body, headers)
        data = b"" if body is None else json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
        digest = hashlib.sha256(data).hexdigest()[:16]
        revision = f"{body['revision']}." if isinstance(body, dict) and "revision" in body else ""
        etag = f'"{revision}{digest}"'
        if self.command == "GET" and self.headers.get("If-None-Match") == etag:
            return self.send(304, "application/json", b"", {"ETag": etag})
        self.send(status, "application/json", data, ({"ETag": etag} if status == 200 else {}) | headers)

    def problem(self, problem):
        # The service's titles are the statuses' own phrases, and its details whole sentences.
        detail = f"{problem.title}: {problem.detail}." if problem.detail else f"{problem.title}."
        body = {"type": "about:blank", "title": HTTPStatus(problem.status).phrase, "status": problem.status, "detail": detail, "errors": problem.errors}
        self.send(problem.status, "application/problem+json", json.dumps(body).encode(), problem.headers)

    def stream(self):
        """What is put into the world's queues, as Server-Sent Events."""
        if not self.world.streaming:
            raise Problem(503, "Service Unavailable", "There is no stream now.")
        self.close_connection = True
        self.head(200, {"Content-Type": "text/event-stream", "Connection": "close"})
        with self.world.listening() as heard:
            self.wfile.write(b"retry: 3000\n\n")
            while True:
                try:
                    item = heard.get(timeout=HEARTBEAT)
                except queue.Empty:
                    item = ": heartbeat\n\n"
                if item is None:
                    return
                try:
                    self.wfile.write(item.encode())
                    self.wfile.flush()
                except OSError:
                    return

    def file(self, path):
        target = (PUBLIC / ("index.html" if path == "/" else path.lstrip("/"))).resolve()
        if not target.is_relative_to(PUBLIC) or not target.is_file():
            return self.problem(Problem(404, "Not Found", "There is no such file."))
        data, headers = target.read_bytes(), {}
        if target.suffix in COMPRESSED and "gzip" in self.headers.get("Accept-Encoding", ""):
            data, headers = compressed(data), {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        self.send(200, TYPES.get(target.suffix, "application/octet-stream"), data, headers)

    def send(self, status, kind, data, headers):
        length = {} if status in (204, 304) else {"Content-Length": str(len(data))}
        self.head(status, {"Content-Type": kind} | length | headers)
        self.wfile.write(data)

    def head(self, status, headers):
        self.send_response_only(status)
        self.send_header("Date", self.date_time_string())
        for name, value in ({"Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
                             "Cache-Control": "no-cache"} | headers).items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        # A browser that leaves in the middle of an answer is no fault of the test's.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    def server_close(self):
        self.RequestHandlerClass.world.hang_up()
        super().server_close()


def serve(world, port=0):
    """Starts serving on loopback; gives the server, whose `server_port` tells where."""
    handler = type("WorldHandler", (Handler,), {"world": world, "routes": install(world)})
    server = Server(("127.0.0.1", port), handler)
    # It looks this often whether it is to end, and who ends it waits for that.
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    return server


if __name__ == "__main__":
    sys.modules["fixture_server"] = sys.modules["__main__"]
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--port", type=int, default=8090)
    arguments.add_argument("--targets", type=int, default=312)
    arguments.add_argument("--token")
    chosen = arguments.parse_args()
    running = serve(World(chosen.targets, chosen.token), chosen.port)
    print(f"http://127.0.0.1:{running.server_port}/", flush=True)
    threading.Event().wait()
