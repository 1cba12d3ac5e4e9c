"""A network that is left through an HTTP proxy only: what goes through it, what does not, and what it refuses."""

import base64
import json
import socket
import threading

import peers
import pki
import pytest
import service
import switching

HOST = "api.shop.test"


class Proxy:
    """A proxy on loopback that takes CONNECT, and answers as it is told to."""

    def __init__(self, answer=b"HTTP/1.1 200 Connection established\r\n\r\n", user=None):
        self.answer, self.user = answer, user
        self.asked = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def stop(self):
        # A thread that waits in accept would still take one more from a socket that was only closed.
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _accept(self):
        while True:
            try:
                client, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        client.settimeout(10)
        with client:
            try:
                self._connect(client)
            except OSError:
                pass

    def _connect(self, client):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += client.recv(1) or b"\r\n\r\n"
        lines = head.decode().split("\r\n")
        method, target, version = lines[0].split(" ")
        assert (method, version) == ("CONNECT", "HTTP/1.1")
        headers = dict(line.split(": ", 1) for line in lines[1:] if line)
        self.asked.append((target, headers))
        if self.answer is None:
            return client.recv(1)
        if self.user and headers.get("Proxy-Authorization") != "Basic " + base64.b64encode(self.user.encode()).decode():
            return client.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"x\"\r\n\r\n")
        if not self.answer.startswith(b"HTTP/1.1 2"):
            return client.sendall(self.answer)
        address, _, port = target.rpartition(":")
        with socket.create_connection((address.strip("[]"), int(port)), 5) as server:
            client.sendall(self.answer)
            back = threading.Thread(target=self._pour, args=(server, client), daemon=True)
            back.start()
            self._pour(client, server)
            back.join(10)

    @staticmethod
    def _pour(source, to):
        try:
            while data := source.recv(65536):
                to.sendall(data)
            to.shutdown(socket.SHUT_WR)
        except OSError:
            pass


class Network:
    """A host, a proxy, and the service between them."""

    def __init__(self, folder):
        self.folder = folder
        self.authority = pki.Authority()
        (folder / "root.pem").write_bytes(self.authority.pem)
        self.identity = self.authority.issue(HOST)[0]
        self.host = peers.Host(self.identity)
        self.service = None

    def start(self, proxy, more="", addresses="127.0.0.1", port=None, starttls="", environment=None):
        self.service = service.Service(self.folder, (
            "listen: 127.0.0.1:0\ndatabase: pinwatch.db\n"
            f"scan:\n  period: 60s\n  timeout: 2s\n  proxy: {proxy}\n{more}"
            "trust_stores: {system: system, lab: {file: root.pem}}\n"
            f"targets:\n  - {{host: {HOST}, port: {port or self.host.port}, addresses: [{addresses}], trust_store: lab{starttls}}}\n"),
            environment=environment).start()
        return peers.wait_until(
            lambda: next((one for one in self.service.items("targets") if one["last_scan_at"]), None), 15, "the first scan")

    def observations(self, target):
        found = self.service.send("POST", f"/api/v1/targets/{target['id']}/scan?wait=15s", {})["items"]
        return sorted(found, key=lambda one: (one["address"], ["phone", "ecdsa", "rsa", "legacy"].index(one["profile"])))

    def stop(self):
        self.host.stop()
        if self.service:
            self.service.stop()


@pytest.fixture
def network(tmp_path):
    network = Network(tmp_path)
    yield network
    network.stop()


def test_a_host_behind_a_proxy_is_seen_and_its_user_is_shown_nowhere(network):
    proxy = Proxy(user="ops:hunter2 ü")
    url = f"http://ops:hunter2%20%C3%BC@127.0.0.1:{proxy.port}"
    target = network.start("{url: {env: PROXY_URL}, no_proxy: [10.0.0.0/8]}", environment={"PROXY_URL": url})
    assert target["state"] == "ok" and target["leaf"]
    assert [one["outcome"] for one in network.observations(target)] == ["ok", "ok", "no_such_key_family"]
    assert {asked for asked, _ in proxy.asked} == {f"127.0.0.1:{network.host.port}"}
    assert len(proxy.asked) == network.host.connections and proxy.asked[0][1]["Host"] == proxy.asked[0][0]
    shown = network.service.get("/api/v1/settings")
    assert shown["scan"]["proxy"] == {"url": f"http://127.0.0.1:{proxy.port}", "authenticated": True, "no_proxy": ["10.0.0.0/8"]}
    assert "hunter2" not in json.dumps(shown) and not network.service.logged("hunter2")
    proxy.stop()


def test_a_mail_server_behind_a_proxy_is_spoken_to_until_it_switches(network):
    certificate, _, key = network.identity.partition(b"-----BEGIN PRIVATE KEY-----")
    (network.folder / "mail.crt").write_bytes(certificate)
    (network.folder / "mail.key").write_bytes(b"-----BEGIN PRIVATE KEY-----" + key)
    proxy = Proxy()
    with switching.SwitchingHost(switching.AGREEING["smtp"], network.folder / "mail.crt", network.folder / "mail.key") as mail:
        target = network.start(f"{{url: 'http://127.0.0.1:{proxy.port}'}}", port=mail.port, starttls=", starttls: smtp")
        assert target["state"] == "ok"
    assert {asked for asked, _ in proxy.asked} == {f"127.0.0.1:{mail.port}"}
    proxy.stop()


@pytest.mark.parametrize("answer, user, outcome, words", [
    (b"HTTP/1.1 200 OK\r\n\r\n", "ops:x", "proxy_refused", "wants a user and password (407)"),
    (b"HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno", None, "proxy_refused", 'does not allow a connection to {place} (403 "Forbidden")'),
    (b"HTTP/1.1 503 Down\r\n\r\n", None, "proxy_refused", 'could not connect to {place} (503 "Down")'),
    (b"SSH-2.0-x\r\n", None, "proxy_refused", "it is no HTTP proxy"),
    (None, None, "connect_timeout", "neither opened a way to {place} nor refused one within 2 s"),
    (b"HTTP/1.1 200 OK\r\n\r\nEVIL", None, "not_tls", "EVIL"),
    (b"HTTP/1.1 200 OK\r\n\r\n\x16\x03\x03", None, "proxy_refused", "before any hello was sent"),
], ids=["407", "403", "503", "no proxy", "silent", "injected", "injected TLS"])
def test_what_a_proxy_refuses_is_told_in_its_words(network, answer, user, outcome, words):
    proxy = Proxy(answer, user)
    target = network.start(f"{{url: 'http://127.0.0.1:{proxy.port}'}}")
    seen, = network.observations(target)
    assert (seen["outcome"], seen["chain"]) == (outcome, [])
    told = seen["detail"].get("message") or seen["detail"]["text"]
    assert words.replace("{place}", f"127.0.0.1:{network.host.port}") in told
    assert outcome == "not_tls" or f"proxy 127.0.0.1:{proxy.port}" in told
    assert target["leaf"] is None
    proxy.stop()


def test_a_proxy_that_is_not_there_says_nothing_of_the_host(network):
    proxy = Proxy()
    proxy.stop()
    target = network.start(f"{{url: 'http://localhost:{proxy.port}'}}")
    seen, = network.observations(target)
    assert seen["outcome"] == "proxy_refused" and "says nothing about" in seen["detail"]["message"]
    assert f"proxy localhost:{proxy.port} cannot be reached" in seen["detail"]["message"] and not network.host.connections


@pytest.mark.parametrize("entry", ["127.0.0.0/8", HOST, ".shop.test"])
def test_what_is_excepted_is_connected_to_directly(network, entry):
    proxy = Proxy()
    target = network.start(f"{{url: 'http://127.0.0.1:{proxy.port}', no_proxy: [{entry}]}}")
    assert target["state"] == "ok" and not proxy.asked
    proxy.stop()


def test_denied_addresses_are_not_asked_for(network):
    proxy = Proxy()
    target = network.start(f"{{url: 'http://127.0.0.1:{proxy.port}'}}", more="  deny_addresses: [127.0.0.2]\n", addresses="127.0.0.1, 127.0.0.2")
    seen = network.observations(target)
    assert [(one["address"], one["outcome"]) for one in seen if one["profile"] == "phone"] == [
        ("127.0.0.1", "ok"), ("127.0.0.2", "blocked_by_policy")]
    assert {asked.partition(":")[0] for asked, _ in proxy.asked} == {"127.0.0.1"}
    proxy.stop()


def test_a_reload_takes_the_proxy_up_and_the_command_line_uses_none(network):
    target = network.start("{url: 'http://127.0.0.1:9'}")
    assert network.observations(target)[0]["outcome"] == "proxy_refused"
    proxy = Proxy()
    text = network.service.config.read_text()
    network.service.configure(text.replace("127.0.0.1:9'", f"127.0.0.1:{proxy.port}'"))
    report = network.service.send("POST", "/api/v1/settings/reload", {})
    assert [(one["name"], one["detail"]) for one in report["changes"]] == [("proxy", f"127.0.0.1:9 → 127.0.0.1:{proxy.port}")]
    assert network.observations(target)[0]["outcome"] == "ok" and proxy.asked
    asked = len(proxy.asked)
    status, out, _ = service.run(
        "scan", f"{HOST}:{network.host.port}", "--address", "127.0.0.1", "--ca-file", network.folder / "root.pem", "--json",
        environment={name: f"http://127.0.0.1:{proxy.port}" for name in ("http_proxy", "https_proxy", "HTTPS_PROXY", "ALL_PROXY")})
    assert status == 0 and json.loads(out)[0]["outcome"] == "ok" and len(proxy.asked) == asked
    proxy.stop()


@pytest.mark.parametrize("url, words", [
    ("https://p.test:1", "over TLS, and those are not supported"), ("socks5://p.test:1", "SOCKS proxy"),
    ("http://ops:hunter2@p.test:1", "{file: PATH} or {env: NAME}"), ("http://p.test", "port"),
])
def test_urls_that_cannot_be_meant_are_refused_in_words(tmp_path, url, words):
    (tmp_path / "p.yaml").write_text(f"scan: {{proxy: {{url: '{url}'}}}}\n")
    status, _, err = service.run("config", "check", tmp_path / "p.yaml")
    assert status == 2 and words in err and "hunter2" not in err and ":1:21: scan.proxy.url" in err
