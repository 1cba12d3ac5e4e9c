"""Runs `pinwatch serve` as a user would, on a port of its own."""

import json
import os
import pathlib
import re
import signal
import subprocess
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("PINWATCH_BINARY", str(ROOT / ".build/release/pinwatch"))
DEBUG_BINARY = os.environ.get("PINWATCH_DEBUG_BINARY", str(ROOT / ".build/debug/pinwatch"))


def run(*arguments, environment=None, timeout=60, stdin=None):
    """One command to its end: (exit status, stdout, stderr)."""
    done = subprocess.run(
        [BINARY, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=timeout,
        input=stdin,
        env={**os.environ, **(environment or {})},
    )
    return done.returncode, done.stdout, done.stderr


class Service:
    def __init__(self, folder, configuration, binary=BINARY, environment=None, token=None):
        self.folder = pathlib.Path(folder)
        self.config = self.folder / "pinwatch.yaml"
        self.config.write_text(configuration)
        self.binary = binary
        self.environment = {**os.environ, **(environment or {})}
        self.token = token
        self.process = None
        self.log = self.folder / "log.txt"
        self.port = None
        # Whom to believe where it serves TLS.
        self.trust = None

    def start(self, environment=None, wait=True, listen="127.0.0.1:0", prefix=()):
        log = open(self.log, "ab")
        self.process = subprocess.Popen(
            [*prefix, self.binary, "serve", "--config", str(self.config), "--listen", listen,
             "--public", str(ROOT / "Public")],
            stdout=subprocess.PIPE,
            stderr=log,
            env={**self.environment, **(environment or {})},
        )
        log.close()
        if wait:
            line = self.process.stdout.readline().decode()
            found = re.search(r"https?://\S+?:(\d+)/", line)
            assert found, f"no address in {line!r}; log: {self.log.read_text()[-2000:]}"
            self.port = int(found.group(1))
        return self

    def send(self, method, path, body=None, status=200, headers=None):
        """One request; the answer's body as JSON where it is that, else as text."""
        return self.answer(method, path, body, status, headers)[0]

    def answer(self, method, path, body=None, status=200, headers=None):
        """One request: the answer's body, as JSON where it is that, and its headers."""
        request = urllib.request.Request(f"{self.base}{path}", method=method, headers=headers or {})
        if body is not None:
            request.data = body if isinstance(body, bytes) else json.dumps(body).encode()
            if not request.has_header("Content-type"):
                request.add_header("Content-Type", "application/json")
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            answer = urllib.request.urlopen(request, timeout=40, context=self.trust)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            code, body = answer.status, answer.read()
        assert status in (code, None), f"{method} {path}: {code} {body[:500]!r}"
        return json.loads(body) if body[:1] in (b"{", b"[") else body.decode(), answer.headers

    def get(self, path, status=200, headers=None):
        return self.send("GET", path, None, status, headers)

    @property
    def base(self):
        return f"{'https' if self.trust else 'http'}://{'localhost' if self.trust else '127.0.0.1'}:{self.port}"

    def logged(self, text):
        """The log's lines that say this."""
        return [line for line in self.log.read_text().splitlines() if text in line]

    def configure(self, configuration):
        self.config.write_text(configuration)

    def signal(self, number=signal.SIGHUP):
        self.process.send_signal(number)

    def items(self, path):
        return self.get("/api/v1/" + path)["items"]

    def stop(self, kill=False):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL if kill else signal.SIGTERM)
            self.process.wait(timeout=30)
        if self.process and self.process.stdout:
            self.process.stdout.close()
        return self.process.returncode if self.process else None


def clock():
    return time.monotonic()
