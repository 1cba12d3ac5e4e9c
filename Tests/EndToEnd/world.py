"""A pinned host, a receiver and the service that watches the one for the other."""

import peers
import pki
import service

PERIOD = 2


class World:
    def __init__(self, folder):
        self.folder = folder
        self.authority = pki.Authority()
        (folder / "root.pem").write_bytes(self.authority.pem)
        self.receiver = peers.Receiver()
        self.hosts = {}
        self.keys = {}
        self.pin_sets = {}
        self.extra = ""
        self.service = None

    def host(self, name, identity=None):
        if identity is None:
            identity, self.keys[name] = self.authority.issue(name)
        self.hosts[name] = peers.Host(identity)
        return self.hosts[name]

    def pins(self, app, host, *pins, more=""):
        lines = [f"pinwatch: 1\napp: {app}\nrelease: \"1.0\"\nclient: generic\npolicy:\n  hosts:\n    - host: {host}\n"]
        lines += ["      pins:\n"] + [f"        - {pin}\n" for pin in pins] + [more]
        (self.folder / f"{app}.yaml").write_text("".join(lines))
        self.pin_sets[app] = f"{app}.yaml"

    def configuration(self):
        targets = "".join(
            f"  - {{host: {name}, port: {host.port}, addresses: [127.0.0.1], trust_store: lab}}\n"
            for name, host in self.hosts.items()
        )
        pin_sets = "".join(f"  - {file}\n" for file in self.pin_sets.values())
        return (
            "listen: 127.0.0.1:0\ndatabase: pinwatch.db\n"
            f"scan: {{period: {PERIOD}s, timeout: 2s}}\n"
            "trust_stores: {system: system, lab: {file: root.pem}}\n"
            + (f"targets:\n{targets}" if targets else "targets: []\n")
            + (f"pin_sets:\n{pin_sets}" if pin_sets else "pin_sets: []\n")
            + "channels:\n"
            "  - {name: ops, type: webhook, url: {env: OPS_URL}, secret: {env: OPS_SECRET}, allow_private: true}\n"
            "routes:\n  - {severity: [critical, warning], channels: [ops]}\n"
            + self.extra
        )

    def start(self, **options):
        self.service = service.Service(
            self.folder,
            self.configuration(),
            environment={"OPS_URL": self.receiver.url, "OPS_SECRET": self.receiver.secret},
            **options,
        ).start()
        return self.service

    def scanned(self, name):
        """The target once it has been scanned."""
        def ask():
            for target in self.service.items("targets"):
                if target["host"] == name and target["last_scan_at"]:
                    return target
        return peers.wait_until(ask, 15, f"the first scan of {name}")

    def stop(self):
        if self.service:
            self.service.stop()
        for host in self.hosts.values():
            host.stop()
        self.receiver.stop()
