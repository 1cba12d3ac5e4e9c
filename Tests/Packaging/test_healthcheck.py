"""What the image asks for its health: 200 in clear or by TLS is healthy, and nothing else is."""

import contextlib
import http.server
import socket
import ssl
import subprocess
import threading
import time

import pki
import pytest
from conftest import ROOT


def healthy(port):
    done = subprocess.run([ROOT / "packaging/healthcheck", str(port)], capture_output=True, text=True, timeout=20)
    assert (done.returncode, done.stderr == "") in ((0, True), (1, False)), done
    return done.returncode == 0


@contextlib.contextmanager
def answering(status, identity=None):
    class Answer(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            self.send_response(status if (self.path, self.headers["Host"]) == ("/healthz", "localhost") else 404)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    if identity:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(identity)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(params=["in clear", "by TLS"])
def identity(request, tmp_path):
    if request.param == "in clear":
        return None
    file = tmp_path / "identity.pem"
    file.write_bytes(pki.Authority().issue("localhost")[0])
    return file


@pytest.mark.parametrize("status, expected", [(200, True), (503, False), (421, False)])
def test_only_an_answer_of_200_is_healthy(identity, status, expected):
    with answering(status, identity) as port:
        assert healthy(port) is expected


def test_a_port_where_nothing_listens_is_not_healthy():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert not healthy(port)


def test_a_service_that_says_nothing_is_given_up_before_the_engine_does():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        started = time.monotonic()
        assert not healthy(silent.getsockname()[1])
        assert time.monotonic() - started < 5
