"""One service that watches a host for each fault that people have reported of watching."""

import itertools
import ssl
import warnings

import misbehaving
import peers
import pki
import service
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.x509.oid import NameOID
from hearing import HearingHost

COUNTS = (1_000, 7_000, 10_000)
LONG = "O" * 20_000


class Alternating(peers.Host):
    """Two nodes behind one address: connections get the one certificate and the other in turn."""

    def __init__(self, *identities):
        self._turns = itertools.cycle(identities)
        super().__init__(next(self._turns))

    def _shake(self, client, context, pause):
        super()._shake(client, context, pause)
        self.serve(next(self._turns))


class Watch:
    def __init__(self, folder):
        self.root = pki.Authority("Cases Root")
        self.below = self.root.subordinate("Cases Issuing")
        (folder / "root.pem").write_bytes(self.root.pem)
        self.receiver = peers.Receiver()
        self.hosts, self.targets, self.pins = {}, {}, {}
        self.prepare()
        self.service = service.Service(
            folder, self.configuration(folder), environment={"OPS_URL": self.receiver.url, "OPS_SECRET": self.receiver.secret}).start()

    def watch(self, name, host, addresses="127.0.0.1"):
        self.hosts[name] = host
        self.targets[name] = f"  - {{host: {name}, port: {host.port}, addresses: [{addresses}], trust_store: lab}}\n"
        return host

    def issue(self, name, **options):
        return self.root.issue(name, **options)[0]

    def prepare(self):
        for count in COUNTS:
            name = f"many-{count}.shop.test"
            self.watch(name, peers.Host(self.issue(name, others=[f"h{number}.shop.test" for number in range(count)])))
        self.watch("long.shop.test", peers.Host(self.long_named("long.shop.test")))
        self.watch("dot.shop.test.", HearingHost(self.issue("dot.shop.test"), knows="dot.shop.test"))
        self.watch("bücher.test", HearingHost(self.issue("xn--bcher-kva.test"), knows="xn--bcher-kva.test"))
        self.watch("stalled.shop.test", misbehaving.Misbehaving(misbehaving.says(last=misbehaving.wait)))
        self.watch("selfsigned.shop.test", peers.Host(pki.self_signed("selfsigned.shop.test")))
        self.watch("expired.shop.test", peers.Host(self.issue("expired.shop.test", days=-1, started=60)))
        cross = pki.Authority("Cases Root", issuer=pki.Authority("Cases Old Root"), key=self.root.key, days=-1)
        self.watch("cross.shop.test", peers.Host(self.below.issue("cross.shop.test")[0] + self.below.pem + cross.pem))
        for version in ("TLSv1_2", "TLSv1_3"):
            name = version.lower().replace("_", "-") + ".shop.test"
            self.watch(name, HearingHost(self.issue(name), version=ssl.TLSVersion[version]))
        self.watch("half.shop.test", peers.Host(self.issue("half.shop.test")), "127.0.0.1, 127.0.0.2")
        good = self.watch("worse.shop.test", peers.Host(self.issue("worse.shop.test")), "127.0.0.1, 127.0.0.2")
        self.hosts["worse"] = peers.Host(self.issue("worse.shop.test", days=-1, started=60), ("127.0.0.2", good.port))
        pinned, self.pins["turns.shop.test"] = self.root.issue("turns.shop.test")
        self.watch("turns.shop.test", Alternating(pinned, self.issue("turns.shop.test")))
        self.first, self.pins["third.shop.test"] = self.root.issue("third.shop.test")
        self.watch("third.shop.test", peers.Host(self.first))

    def long_named(self, name):
        """A certificate whose country is no code and whose organization fills a page."""
        identity, key = self.root.issue(name)
        plain = x509.load_pem_x509_certificate(identity)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            subject = x509.Name([x509.NameAttribute(NameOID.COUNTRY_NAME, "Internet", _validate=False),
                                 x509.NameAttribute(NameOID.ORGANIZATION_NAME, LONG, _validate=False)])
        builder = (x509.CertificateBuilder().subject_name(subject).issuer_name(plain.issuer).public_key(key.public_key()).serial_number(7)
                   .not_valid_before(plain.not_valid_before_utc).not_valid_after(plain.not_valid_after_utc))
        for extension in plain.extensions:
            builder = builder.add_extension(extension.value, extension.critical)
        made = builder.sign(self.root.key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
        return made + identity[identity.index(b"-----BEGIN PRIVATE KEY-----"):]

    def configuration(self, folder):
        for name, key in self.pins.items():
            (folder / f"{name}.yaml").write_text(
                f"pinwatch: 1\napp: {name.split('.')[0]}\nrelease: '1'\nclient: generic\npolicy:\n  hosts:\n    - host: {name}\n      match: leaf\n"
                f"      pins: ['{pki.pin(key)}', 'sha256/{'A' * 43}=']\n")
        return (
            "listen: 127.0.0.1:0\ndatabase: pinwatch.db\n"
            f"scan: {{period: 1s, timeout: 2s, allow_ports: [{', '.join(str(host.port) for host in self.hosts.values())}]}}\n"
            "trust_stores: {system: system, lab: {file: root.pem}}\n"
            f"targets:\n{''.join(self.targets.values())}pin_sets: [{', '.join(f'{name}.yaml' for name in self.pins)}]\n"
            "channels:\n  - {name: ops, type: webhook, url: {env: OPS_URL}, secret: {env: OPS_SECRET}, allow_private: true}\n"
            "routes:\n  - {severity: [critical, warning], channels: [ops]}\n")

    def target(self, name):
        return next(one for one in self.service.items("targets?limit=200") if one["host"] == name)

    def of(self, name, what):
        return self.service.items(f"targets/{self.target(name)['id']}/{what}")

    def scans(self, name):
        return sum(one["times"] for one in self.of(name, "observations") if one["profile"] == "phone")

    def until_scanned(self, name, times):
        peers.wait_until(lambda: self.scans(name) >= times, 30, f"scan {times} of {name}")

    def findings(self, name):
        number = self.target(name)["id"]
        return {one["kind"]: one for one in self.service.items("findings?limit=200") if one["target_id"] == number and one["severity"] != "info"}

    def messages(self, kind, name):
        with self.receiver.lock:
            return [one["type"] for one in self.receiver.messages if (one["data"].get("finding") or {}).get("kind") == kind
                    and any(subject["host"] == name for subject in one["data"]["subjects"])]

    def alerts(self, kind, name):
        """The newest first."""
        found = [one for one in self.service.items("alerts?limit=200") if one["finding_key"].startswith(kind) and str(one["subjects"]).count(name)]
        return sorted(found, key=lambda one: -int(one["id"]))

    def events(self, name, kind="key.changed"):
        """The newest first."""
        return [one for one in self.service.items("events?limit=200") if one["kind"] == kind and one["subject"].startswith(name)]

    def stop(self):
        self.service.stop()
        for host in self.hosts.values():
            host.stop()
        self.receiver.stop()
