"""The other ends of a test: a TLS host whose certificate can be swapped, and a webhook receiver."""

import base64
import datetime
import http.server
import json
import os
import socket
import ssl
import tempfile
import threading
import time

from standardwebhooks import Webhook


class Host:
    """A TLS server on loopback that shakes hands and hangs up."""

    def __init__(self, identity, address=("127.0.0.1", 0)):
        self._context = None
        self.connections = 0
        # Seconds before it answers a hello.
        self.pause = 0
        self.serve(identity)
        family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        self._socket = socket.create_server(address, family=family, backlog=512)
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def serve(self, *identities):
        """Shows these certificates (PEM of certificate and key), one of each kind of key, to every connection from now on."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        for identity in identities:
            with tempfile.NamedTemporaryFile(delete=False) as file:
                file.write(identity)
            context.load_cert_chain(file.name)
            os.unlink(file.name)
        self._context = context

    def stop(self):
        self._socket.close()

    def _accept(self):
        while True:
            try:
                client, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._shake, args=(client, self._context, self.pause), daemon=True).start()

    @staticmethod
    def _shake(client, context, pause):
        client.settimeout(5)
        time.sleep(pause)
        try:
            with context.wrap_socket(client, server_side=True) as session:
                session.recv(1)
        except OSError:
            pass
        finally:
            client.close()


class Receiver:
    """Takes webhooks, verifies each with the official library, and answers what it is told to."""

    def __init__(self, secret=None):
        self.secret = secret or "whsec_" + base64.b64encode(os.urandom(32)).decode()
        self.messages = []
        self.refused = []
        self.status = 204
        self.headers = {}
        self.lock = threading.Condition()
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                owner._take(dict(self.headers), body)
                self.send_response(owner.status)
                self.send_header("content-length", "0")
                for name, value in owner.headers.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/hook"

    def _take(self, headers, body):
        headers = {name.lower(): value for name, value in headers.items()}
        with self.lock:
            try:
                Webhook(self.secret).verify(body, headers)
            except Exception as error:  # the library has one class per fault
                self.refused.append((repr(error), headers, body))
            else:
                message = json.loads(body)
                assert message["id"] == headers["webhook-id"]
                self.messages.append(message)
            self.lock.notify_all()

    def wait(self, predicate, seconds):
        """The first message that `predicate` accepts; fails after `seconds`."""
        end = time.monotonic() + seconds
        with self.lock:
            while True:
                for message in self.messages:
                    if predicate(message):
                        return message
                left = end - time.monotonic()
                if left <= 0:
                    types = [(m["type"], (m["data"].get("finding") or {}).get("kind")) for m in self.messages]
                    raise AssertionError(f"no such message within {seconds} s; came: {types}; refused: {self.refused}")
                self.lock.wait(left)

    def stop(self):
        self._server.shutdown()
        self._server.server_close()


def seconds(time):
    """An instant of the API in Unix seconds."""
    return datetime.datetime.fromisoformat(time).timestamp()


def wait_until(question, seconds, what):
    """The first true answer of `question`; fails after `seconds`."""
    end = time.monotonic() + seconds
    answer = None
    while time.monotonic() < end:
        answer = question()
        if answer:
            return answer
        time.sleep(0.05)
    raise AssertionError(f"{what} did not happen within {seconds} s; last answer: {answer}")
