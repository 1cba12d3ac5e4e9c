"""The HTTP edge: who may ask, under which name, and how a refusal is said."""

import json
import re
import socket

import pytest
import service

POLICY = ["default-src 'none'", "script-src 'self'", "style-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]


def configuration(listen="127.0.0.1:0", more=""):
    return f"listen: {listen}\ndatabase: pinwatch.db\ntargets: []\n{more}"


@pytest.fixture(scope="module")
def edge(tmp_path_factory):
    made = service.Service(
        tmp_path_factory.mktemp("edge"), configuration(more="public_url: https://pins.example.com/watch\n")).start()
    yield made
    made.stop()


def exchange(port, text, host="127.0.0.1"):
    """What comes back for these bytes: status, headers by lower-case name, body."""
    with socket.create_connection((host, port), timeout=10) as peer:
        try:
            peer.sendall(text.encode("latin-1") if isinstance(text, str) else text)
        except ConnectionError:
            pass  # refused early; the answer counts
        data = b""
        while b"\r\n\r\n" not in data:
            more = peer.recv(65536)
            assert more, f"no answer, only {data!r}"
            data += more
        head, _, body = data.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        while len(body) < int(headers.get("content-length", 0)) and not text.startswith(b"HEAD" if isinstance(text, bytes) else "HEAD"):
            body += peer.recv(65536)
    return int(lines[0].split()[1]), headers, body


def ask(port, path="/api/v1/summary", method="GET", host="127.0.0.1", more=""):
    return exchange(port, f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n")


def is_problem(answer, status):
    code, headers, body = answer
    assert code == status, (code, body[:300])
    assert headers["content-type"].startswith("application/problem+json")
    said = json.loads(body)
    assert said["status"] == status and said["title"] and len(said["detail"]) > 20 and said["type"]
    return said


def token(made, *arguments):
    status, out, err = service.run("token", *arguments, "--config", made.config)
    return status, out.strip(), err


# Hosts

@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST:9", "[::1]:8080", "pins.example.com", "Pins.Example.com:443"])
def test_known_names_are_answered(edge, host):
    assert ask(edge.port, "/healthz", host=host)[0] == 200


@pytest.mark.parametrize("host", ["pins.example.com", "Pins.Example.com:443"])
def test_what_is_open_to_this_machine_is_not_under_the_public_name(edge, host):
    is_problem(ask(edge.port, host=host), 401)


@pytest.mark.parametrize("header", ["X-Forwarded-For: 127.0.0.1", "Forwarded: for=127.0.0.1", "X-Real-IP: 127.0.0.1", "Via: 1.1 proxy"])
def test_what_is_open_to_this_machine_is_not_to_a_proxy_on_it(edge, header):
    code, _, body = exchange(edge.port, f"GET /api/v1/summary HTTP/1.1\r\nHost: localhost\r\n{header}\r\nConnection: close\r\n\r\n")
    assert code == 401, body


@pytest.mark.parametrize("path", ["/", "/api/v1/summary", "/healthz", "/readyz", "/metrics", "/app.css", "/nothing"])
@pytest.mark.parametrize("host", ["rebound.attacker.test", "127.0.0.1.attacker.test", "localhost.attacker.test", "192.0.2.7", "[::2]"])
def test_a_name_that_was_rebound_to_this_address_is_refused(edge, path, host):
    is_problem(ask(edge.port, path, host=host), 421)


@pytest.mark.parametrize("lines", ["", "Host: localhost\r\nHost: localhost\r\n", "Host: \r\n", "Host: local host\r\n", "Host: u@localhost\r\n", "Host: [::1\r\n"])
def test_a_request_needs_one_host(edge, lines):
    code, _, _ = exchange(edge.port, f"GET /api/v1/summary HTTP/1.1\r\n{lines}\r\n")
    assert code == 400


def test_the_absolute_form_counts_in_place_of_the_header(edge):
    is_problem(ask(edge.port, "http://attacker.test/api/v1/summary", host="localhost"), 421)
    assert ask(edge.port, "http://localhost/healthz", host="attacker.test")[0] == 200


# Refusals

@pytest.mark.parametrize("path", ["/nothing", "/api", "/api/v1/nothing", "/api/v1/targets/999", "/api/v1/targets/x",
                                  "/api/v1/targets/1/nothing", "/api/v1/certificates/zz", "/api/v1/alerts/5", "/api/v2/summary", "/index.htm"])
def test_what_is_not_there_is_a_problem_in_words(edge, path):
    is_problem(ask(edge.port, path), 404)


@pytest.mark.parametrize("path", ["/../etc/passwd", "/app/../../config", "/%2e%2e/etc/passwd", "/app%2f..%2f..", "/a%00b", "/%", "/%zz", "/a%5c..%5cb"])
def test_a_path_with_two_readings_is_refused(edge, path):
    code, _, body = ask(edge.port, path)
    assert code in (400, 404) and b"root:" not in body


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"])
@pytest.mark.parametrize("path, allowed", [("/api/v1/summary", "GET"), ("/healthz", "GET"), ("/", "GET"), ("/api/v1/targets", "GET, POST"),
                                           ("/api/v1/targets/1", "GET, PATCH, DELETE"), ("/api/v1/targets/1/scan", "POST")])
def test_what_a_path_does_not_take_is_refused_with_what_it_does(edge, path, allowed, method):
    if method in allowed:
        return
    answer = ask(edge.port, path, method, more="Content-Length: 0\r\n")
    is_problem(answer, 405)
    expected = set(allowed.split(", ")) | {"OPTIONS"} | ({"HEAD"} if "GET" in allowed else set())
    assert set(answer[1]["allow"].split(", ")) == expected


def test_head_and_options_are_answered(edge):
    code, headers, body = ask(edge.port, method="HEAD")
    assert code == 200 and int(headers["content-length"]) > 100 and body == b""
    code, headers, _ = ask(edge.port, method="OPTIONS")
    assert code == 204 and headers["allow"] == "GET, HEAD, OPTIONS"
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize("accept, status", [("text/html", 406), ("application/json;q=0", 406), ("image/*, text/*;q=0.5", 406), ("*/*", 200),
                                            ("application/*", 200), ("text/html, application/json;q=0.1", 200)])
def test_json_is_given_or_nothing(edge, accept, status):
    answer = ask(edge.port, more=f"Accept: {accept}\r\n")
    assert answer[0] == status
    if status == 406:
        is_problem(answer, 406)


def test_too_much_is_refused_and_the_service_lives(edge):
    body = b"x" * (2 << 20)
    request = f"POST /api/v1/targets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
    is_problem(exchange(edge.port, request), 413)
    is_problem(ask(edge.port, more="Content-Length: 99999999999\r\n", method="POST"), 413)
    is_problem(ask(edge.port, more="X-Long: " + "a" * 15_000 + "\r\n"), 431)
    is_problem(ask(edge.port, more="".join(f"X-{n}: {'b' * 900}\r\n" for n in range(15))), 431)
    for headers in ("X-Long: " + "a" * 200_000 + "\r\n", "".join(f"X-{n}: {'b' * 90}\r\n" for n in range(400))):
        assert ask(edge.port, more=headers)[0] == 431, "in the library's own words"
    is_problem(ask(edge.port, "/" + "a" * 9_000), 414)
    is_problem(ask(edge.port, "/api/v1/targets?" + "&".join(f"host=a{n}" for n in range(101))), 400)
    is_problem(ask(edge.port, more="Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", method="POST"), 400)
    assert ask(edge.port)[0] == 200


@pytest.mark.parametrize("query, field", [("limit=0", "limit"), ("limit=201", "limit"), ("limit=x", "limit"), ("limit=1&limit=2", "limit"), ("cursor=zz", "cursor"),
                                          ("sort=weather", "sort"), ("colour=red", "colour"), ("state=fine", "state")])
def test_a_list_says_which_field_is_wrong(edge, query, field):
    said = is_problem(ask(edge.port, "/api/v1/targets?" + query), 400)
    assert [error["field"] for error in said["errors"]] == [field]


# What the page may do

def test_the_page_has_nothing_inline_and_the_policy_forbids_it(edge):
    for path in ("/", "/index.html", "/app.css", "/app/main.js", "/mark.svg", "/api/v1/summary", "/nothing"):
        _, headers, body = ask(edge.port, path)
        policy = headers["content-security-policy"]
        assert all(part in policy for part in POLICY) and "unsafe" not in policy and "*" not in policy
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
        if path in ("/", "/index.html"):
            page = body.decode()
            assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:|https?://", page)
            assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", page))


def test_an_unchanged_answer_is_not_sent_again(edge):
    _, headers, _ = ask(edge.port, "/api/v1/targets")
    code, _, body = ask(edge.port, "/api/v1/targets", more=f"If-None-Match: {headers['etag']}\r\n")
    assert (code, body) == (304, b"")
