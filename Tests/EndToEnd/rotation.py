"""Hosts whose keys and pins move in known steps, and the service that watches them."""

import threading

from cryptography import x509
from cryptography.hazmat.primitives import hashes

import audit
import peers
import pki
import service

SETTLING_SECONDS = 40


class RotatingHost:
    """A pinned host. Every step takes it out of its pins or back into them."""

    def __init__(self, authority, name, returns):
        self.name = name
        self.authority = authority
        self.returns = returns
        self.key = self.pinned = pki.new_key()
        self.backup = pki.new_key()
        self.home, _ = authority.issue(name, key=self.key)
        self.server = peers.Host(self.home)
        self.leaves = [fingerprint(self.home)]
        self.opened = self.resolved = self.returned = 0

    @property
    def rejected(self):
        return self.key is not self.pinned

    def swap_key(self):
        """To a key that nobody pinned, or back to the pinned one: the first time with the certificate that it had
        before if the host is one that returns, else with a new one."""
        if self.rejected:
            self.key = self.pinned
            if self.returns and not self.returned:
                identity, self.returned = self.home, 1
            else:
                identity, _ = self.authority.issue(self.name, key=self.key)
        else:
            identity, self.key = self.authority.issue(self.name)
        self.server.serve(identity)
        self.leaves.append(fingerprint(identity))
        self._count()

    def swap_pins(self):
        """The app's pins move away from the key that is served, or to it."""
        self.pinned = self.key if self.rejected else pki.new_key()
        self._count()

    def _count(self):
        if self.rejected:
            self.opened += 1
        else:
            self.resolved += 1


class Ledger(peers.Receiver):
    """A receiver that keeps the bytes of every message too."""

    def __init__(self):
        super().__init__()
        self.bodies = {}

    def _take(self, headers, body):
        with self.lock:
            super()._take(headers, body)
            if self.messages:
                self.bodies.setdefault(self.messages[-1]["id"], set()).add(body)


class Rotation:
    """Three rotating hosts with a service and a receiver of their own."""

    def __init__(self, folder):
        folder.mkdir()
        self.folder = folder
        self.database = folder / "pinwatch.db"
        authority = pki.Authority()
        (folder / "root.pem").write_bytes(authority.pem)
        self.receiver = Ledger()
        names = ["api.shop.test", "login.shop.test", "media.shop.test"]
        self.hosts = [RotatingHost(authority, name, returns=index == 0) for index, name in enumerate(names)]
        self.service = None

    def start(self, stop_at=None, wait=True):
        """With `stop_at` it returns at once: the service may stop before it says where it listens."""
        for host in self.hosts:
            pins = "".join(f"        - {pki.pin(key)}\n" for key in (host.pinned, host.backup))
            (self.folder / f"{host.name}.yaml").write_text(
                f'pinwatch: 1\napp: {host.name}\nrelease: "1.0"\nclient: generic\n'
                f"policy:\n  hosts:\n    - host: {host.name}\n      pins:\n{pins}")
        self.service = service.Service(
            self.folder, self._configuration(), binary=service.DEBUG_BINARY,
            environment={"OPS_URL": self.receiver.url, "OPS_SECRET": self.receiver.secret})
        return self.service.start({"PINWATCH_STOP_AT": stop_at} if stop_at else None, wait=wait and not stop_at)

    def _configuration(self):
        return (
            "listen: 127.0.0.1:0\ndatabase: pinwatch.db\nscan: {period: 1s, timeout: 10s}\n"
            # A machine that is too busy to answer its own scans is none of this test's matter.
            "thresholds: {failing_after: 1000}\n"
            "trust_stores: {lab: {file: root.pem}}\ntargets:\n"
            + "".join(
                f"  - {{host: {host.name}, port: {host.server.port}, addresses: [127.0.0.1], trust_store: lab}}\n"
                for host in self.hosts)
            + "pin_sets:\n" + "".join(f"  - {host.name}.yaml\n" for host in self.hosts)
            + "channels:\n"
            "  - {name: ops, type: webhook, url: {env: OPS_URL}, secret: {env: OPS_SECRET}, allow_private: true}\n"
            "routes:\n  - {severity: [critical, warning], channels: [ops]}\n")

    def settle(self):
        """Waits until all is as it must be; then, or when patience ends, the last audit."""
        patience = threading.Event()
        for _ in range(SETTLING_SECONDS * 6):
            found = audit.of(self)
            if found.is_settled:
                break
            patience.wait(1 / 6)
        return found

    @property
    def connections(self):
        return sum(host.server.connections for host in self.hosts)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.service:
            self.service.stop(kill=True)
        for host in self.hosts:
            host.server.stop()
        self.receiver.stop()


def fingerprint(identity):
    return x509.load_pem_x509_certificate(identity).fingerprint(hashes.SHA256()).hex()
