"""What a newcomer has: ten hosts that serve TLS, a receiver for alerts, and a service that knows nothing of them yet."""

import base64
import os
import pathlib

import peers
import pki
import service

HOSTS = 10


class NewcomerWorld:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.authority = pki.Authority()
        (self.folder / "root.pem").write_bytes(self.authority.pem)
        (self.folder / "secret.key").write_bytes(base64.b64encode(os.urandom(32)))
        self.identity, self.key = self.authority.issue("localhost")
        self.hosts = [peers.Host(self.identity) for _ in range(HOSTS)]
        self.receiver = peers.Receiver()
        self.service = None

    def start(self):
        ports = ", ".join(str(host.port) for host in self.hosts)
        self.service = service.Service(
            self.folder,
            "listen: 127.0.0.1:0\ndatabase: pinwatch.db\nsecret_key: {file: secret.key}\n"
            f"scan: {{period: 2s, timeout: 2s, allow_ports: [{ports}]}}\n"
            "trust_stores: {system: system, lab: {file: root.pem}}\n",
        )
        status, token, errors = service.run(
            "token", "create", "--name", "newcomer", "--role", "admin", "--config", self.service.config)
        assert status == 0, errors
        self.token = self.service.token = token.strip()
        self.service.start()
        self.base = f"http://127.0.0.1:{self.service.port}/"
        return self

    @property
    def moved(self):
        """The host that `rotate` moves, as the service calls it."""
        return f"localhost:{self.hosts[0].port}"

    def pasted(self):
        """The list as somebody might have it: names with ports, URLs, capitals, a dot at the end, commas and a comment."""
        forms = ["localhost:{}", "https://localhost:{}/", "LOCALHOST.:{}", "https://localhost:{}"]
        lines = [forms[index % len(forms)].format(host.port) for index, host in enumerate(self.hosts)]
        return "# our hosts\n" + "\n".join(lines[:-2]) + "\n" + ", ".join(lines[-2:]) + "\n"

    def pin_file(self):
        return (
            "pinwatch: 1\napp: shop\nrelease: \"1.0\"\nclient: generic\npolicy:\n  hosts:\n    - host: localhost\n"
            f"      pins: [\"{pki.pin(self.key)}\", \"{pki.pin(pki.new_key())}\"]\n")

    def rotate(self):
        """One host moves to a key that nobody pinned."""
        identity, _ = self.authority.issue("localhost")
        self.hosts[0].serve(identity)

    def stop(self):
        if self.service:
            self.service.stop()
        for host in self.hosts:
            host.stop()
        self.receiver.stop()
