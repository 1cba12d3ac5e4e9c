"""Invented data behind the dashboard: targets and what was seen of them, among them some whose certificates say hostile things."""

import base64
import contextlib
import hashlib
import json
import queue
import threading
from datetime import datetime, timedelta, timezone

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)

SCRIPT = "<script>window.pwned = 1</script><img src=x onerror='window.pwned = 2'>"
HOSTILE_SUBJECT = "CN=good.example\u202egpj.live\u2066, O=" + SCRIPT + ", OU=nul\x00byte, L=zero\u200bwidth"
LONG_NAME = "a" * 9_988 + ".example.org"


def pin(text):
    return "sha256/" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


class World:
    """The state behind the API. Every change of a field shows in the next answer."""

    HOUR, DAY, MINUTE = HOUR, DAY, MINUTE

    def __init__(self, targets=312, token=None, role="admin"):
        self.start = datetime.now(timezone.utc).replace(microsecond=0)
        self.tokens = {token: {"name": "Anna", "role": role}} if token else {}
        self.failing = False
        self.calm = False
        self.empty = False
        self.scanning = {}
        self.slow = 0
        self.streaming = True
        self.extra_events = []
        self.requests = []
        self.calls = []
        self.listeners = []
        self.lock = threading.Lock()
        self.targets = [self._target(number) for number in range(1, targets + 1)]
        self.by_id = {target["id"]: target for target in self.targets}
        shop = self.release(2, "shop-ios", "5.1.0")
        self.judged = {"1": ([self.verdict(shop, f"192.0.2.{at}", "new") for at in (1, 2, 3)], [shop | {"count": 13}])}

    # MARK: the events stream

    @contextlib.contextmanager
    def listening(self):
        heard = queue.Queue()
        with self.lock:
            self.listeners.append(heard)
        try:
            yield heard
        finally:
            with self.lock:
                self.listeners.remove(heard)

    def _say(self, words):
        with self.lock:
            for heard in self.listeners:
                heard.put(words)

    def changed(self, *topics):
        """What the stream says after something of these topics was committed."""
        self._say(f"event: change\ndata: {json.dumps({'what': topics})}\n\n")

    def happened(self, summary, **members):
        """A new event, in the lists and on the stream."""
        event = {"id": str(200 + len(self.extra_events)), "kind": "key.changed", "at": self.time(self.clock()), "target_id": "2",
                 "subject": "cdn.example.com", "class": "returned", "quiet": True, "summary": summary, "evidence": {}} | members
        self.extra_events = [event] + self.extra_events
        self._say(f"id: {event['id']}\nevent: {event['kind']}\ndata: {json.dumps(event)}\n\n")

    def hang_up(self):
        self._say(None)

    def clock(self):
        """How long this world has been there."""
        return datetime.now(timezone.utc) - self.start

    def time(self, offset=timedelta()):
        """An instant as RFC 3339, relative to when this world began."""
        return (self.start + offset).strftime("%Y-%m-%dT%H:%M:%SZ")

    def _target(self, number):
        named = {1: "api.example.com", 2: "cdn.example.com", 3: "login.example.com", 4: "xn--bcher-kva.example",
                 5: "pay.partner.example", 6: "hostile.example", 7: "silent.example", 8: "::1"}
        host = named.get(number, f"service-{number:03}.example.net")
        state = {1: "critical", 3: "warning", 5: "critical", 7: "unknown"}.get(number, "ok")
        spki = {1: pin("api-1"), 6: pin("hostile")}.get(number, pin(host))
        leaf = {"sha256": sha256(f"{host}-leaf"), "spki": spki, "subject": f"CN={host}",
                "not_after": self.time((20 + number * 37 % 90) * DAY)}
        if number == 6:
            leaf["subject"] = HOSTILE_SUBJECT
        return {
            "id": str(number), "host": host, "host_unicode": "bücher.example" if number == 4 else host,
            "port": 8443 if number % 9 == 0 else 443, "sni": None if ":" in host else host, "starttls": None,
            "owner": "third_party" if number == 5 else "ours", "labels": {"app": "shop", "environment": "production"}, "period_s": 300,
            "addresses_policy": "all", "trust_store": "system", "paused": False, "managed_by": "config" if number % 2 else "api", "revision": 1, "created_at": self.time(-200 * DAY), "state": state, "addresses": [],
            "stale": number == 7, "last_scan_at": None if number == 10 else self.time(-(number % 60) * timedelta(seconds=5)),
            "next_scan_at": self.time(300 * timedelta(seconds=1)),
            "open_findings": {"critical": int(state == "critical"), "warning": int(state == "warning"), "info": 0},
            "leaf": None if number in (7, 10) else leaf,
        }

    # MARK: answers

    def findings(self):
        if self.calm or self.empty:
            return []
        base = {"stage": None, "pin_set_id": "1", "evidence": {}, "stale": False, "affected_share": None, "scope": None}
        return [
            base | {"key": "pin.rejected/1/1", "kind": "pin.rejected", "scope": {"affected": 3, "of": 8}, "severity": "critical",
                    "target_id": "1", "subject": "Shop iOS 5.1 rejects api.example.com",
                    "summary": "A new key is served on 3 of 8 addresses; neither pin of this release matches.",
                    "next_step": "Move the 3 addresses back to the pinned key, or release with the new pin before going on.",
                    "since": self.time(-18 * timedelta(minutes=1)), "affected_share": 0.31},
            base | {"key": "pin.rejected/5/2", "kind": "pin.rejected", "scope": {"affected": 2, "of": 2}, "severity": "critical",
                    "target_id": "5", "pin_set_id": "2", "subject": "Shop Android 8.0 rejects pay.partner.example",
                    "summary": "The leaf was renewed and this release pins the certificate itself, on all 2 addresses.",
                    "next_step": "Ask the partner for the previous certificate and plan a release that pins the key.",
                    "since": self.time(-12 * HOUR), "affected_share": 0.04},
            base | {"key": "scan.failing/7", "kind": "scan.failing", "scope": {"affected": 1, "of": 1}, "severity": "warning",
                    "target_id": "7", "pin_set_id": None, "subject": "silent.example", "stale": True,
                    "summary": "No address has answered in the last 4 scans: connecting takes longer than 10 s.",
                    "next_step": "Look whether the service is up and whether this machine may reach it.",
                    "since": self.time(-20 * timedelta(minutes=1))},
            base | {"key": "hostname.mismatch/6", "kind": "hostname.mismatch", "severity": "warning", "target_id": "6",
                    "pin_set_id": None, "subject": "hostile.example", "since": self.time(-3 * DAY),
                    "summary": f"The certificate is for {HOSTILE_SUBJECT} and not for hostile.example.",
                    "next_step": "Install the certificate that was issued for this name."},
        ]

    def runway(self):
        rows = [(9, "pin_set", "Shop iOS 5.2", "pinning turns off"), (17, "certificate", "cdn.example.com", "leaf certificate ends"),
                (26, "chain", "api.bank.example", "the intermediate on its path ends"),
                (58, "certificate", "api.example.com", "leaf certificate ends"), (97, "certificate", "login.example.com", "leaf certificate ends")]
        return [{"kind": kind, "at": self.time(days * DAY + HOUR), "days_left": days, "target_id": None if kind == "pin_set" else "2",
                 "pin_set_id": "1" if kind == "pin_set" else None, "subject": subject, "summary": summary}
                for days, kind, subject, summary in rows]

    def events(self):
        rows = [(18 * timedelta(minutes=1), "api.example.com", "to_pin_of_none", False, "api.example.com moved to a key that no release pins, on 3 of 8 addresses."),
                (3 * HOUR, "cdn.example.com", "same_key_renewed", True, "cdn.example.com renewed its certificate over the same key."),
                (2 * DAY, "login.example.com", "to_pin_of_all", False, "login.example.com moved to its backup pin on all addresses."),
                (3 * DAY, "hostile.example", None, False, "hostile.example now says it is \u202egpj.elif\u202c and " + SCRIPT + ".")]
        return self.extra_events + [
            {"id": str(100 - index), "kind": "key.changed", "at": self.time(-age), "target_id": "1", "subject": subject,
             "class": change, "quiet": quiet, "summary": summary, "evidence": {"from": {"spki": pin(f"{subject}-old")}, "to": {"spki": pin(f"{subject}-{'old' if quiet else 'new'}")}}}
            for index, (age, subject, change, quiet, summary) in enumerate(rows)]

    def summary(self):
        findings = self.findings()
        critical = sum(finding["severity"] == "critical" for finding in findings)
        calm = critical == 0
        total = 0 if self.empty else len(self.targets)
        return {
            "verdict": "ok" if calm else "critical",
            "sentence": "Every release is accepted by every target." if calm else "Two releases are being rejected right now. Three more ends come within 30 days.",
            "counts": {"targets": total, "addresses": total * 4 - 44 if total else 0, "ok": total - 4, "warning": 1, "critical": critical, "unknown": 1,
                       "findings": {"critical": critical, "warning": len(findings) - critical, "info": 1}, "alerts_open": critical, "pin_sets": 4},
            "broken": findings, "runway": [] if self.empty else self.runway(), "changes": [] if self.empty else self.events(),
            "scans": {"last_at": None if self.empty else self.time(-12 * timedelta(seconds=1)), "on_time": None if self.empty else 0.998, "failing": 3, "unscanned": 1, "waiting": 0, "under_way": 2, "oldest_wait_s": 0, **self.scanning},
        }

    def spans(self, target):
        number = int(target["id"])

        def span(name, family, key, first, last, addresses, flaps=0, scans=4_000):
            return {"id": f"{number}-{name}", "target_id": target["id"], "key_family": family, "spki": pin(key),
                    "chain": [sha256(f"{target['host']}-{'leaf' if name == 'now' else name}"), sha256("issuer")],
                    "first_seen": self.time(-first), "last_seen": self.time(-(last or timedelta())), "open": last is None, "scans": scans, "flaps": flaps,
                    "addresses": [{"address": f"192.0.2.{at}", "first_seen": self.time(-first), "last_seen": self.time(-(last or timedelta())), "current": last is None}
                                  for at in range(1, addresses + 1)]}

        if number == 1:
            before = span("now", "ecdsa", "api-1", 44 * DAY, None, 8, flaps=1)
            for moved in before["addresses"][:3]:
                moved |= {"last_seen": self.time(-23 * timedelta(minutes=1)), "current": False}
            return [span("new", "ecdsa", "api-2", 18 * timedelta(minutes=1), None, 3, scans=4), before, span("rsa-now", "rsa", "api-rsa-2", 20 * DAY, None, 8),
                    span("old", "ecdsa", "api-1", 150 * DAY, 44 * DAY, 8), span("rsa-old", "rsa", "api-rsa-1", 150 * DAY, 20 * DAY, 8)]
        if target["leaf"] is None:
            return [] if target["last_scan_at"] is None else [span("gone", "ecdsa", "silent", 30 * DAY, 20 * timedelta(minutes=1), 1)]
        key = "hostile" if number == 6 else target["host"]
        return [span("now", "ecdsa", key, 40 * DAY, None, 2), span("old", "ecdsa", key, 100 * DAY, 40 * DAY, 2)]

    def certificate(self, fingerprint):
        names = ("leaf", "old", "now", "new", "rsa-now", "rsa-old", "gone")
        known = {sha256(f"{target['host']}-{name}"): (target, name) for target in self.targets[:500] for name in names}
        issuer = "CN=Example Issuing CA E7,O=Example Trust,C=NL"
        shape = {"sha256": fingerprint, "serial": "03a7c2", "signature": "ecdsa-with-SHA384", "scts": 2, "ocsp_urls": [], "unreadable": [],
                 "aia_urls": ["http://ca.example/e7.der"], "lifetime_s": 90 * 86_400, "pem": "", "self_signed": False}
        if fingerprint == sha256("issuer"):
            return shape | {"spki": pin("issuer"), "subject": issuer, "issuer": "CN=Example Root X1,O=Example Trust,C=NL", "is_ca": True,
                            "not_before": self.time(-900 * DAY), "not_after": self.time(195 * DAY), "names": {"dns": [], "ip": []},
                            "key": {"type": "EC", "bits": 384, "curve": "P-384"}}
        if fingerprint not in known:
            return None
        target, name = known[fingerprint]
        key = {"old": "api-1", "now": "api-1", "new": "api-2", "rsa-now": "api-rsa-2", "rsa-old": "api-rsa-1"}.get(name)
        leaf = target["leaf"] or {}
        shape |= {"spki": pin(key) if key and target["id"] == "1" else leaf.get("spki"), "subject": f"CN={target['host']}", "issuer": issuer, "is_ca": False,
                  "not_before": self.time(-44 * DAY), "not_after": leaf.get("not_after"), "names": {"dns": [target["host"], "www." + target["host"]], "ip": []},
                  "key": {"type": "EC", "bits": 256, "curve": "P-256"}}
        if target["id"] == "6":
            shape |= {"subject": HOSTILE_SUBJECT, "not_before": None, "lifetime_s": None, "serial": "-05",
                      "names": {"dns": [LONG_NAME, "https://odd.example/", "evil.example\x00.good.example", SCRIPT] + [f"n{at}.example" for at in range(10_000)], "ip": ["::1"]},
                      "unreadable": [{"field": "not_before", "why": "the month is 13: \u202e" + SCRIPT}]}
        return shape

    def observations(self, target):
        base = {"target_id": target["id"], "port": target["port"], "sni": target["sni"], "starttls": None, "cipher": "TLS_AES_128_GCM_SHA256",
                "alpn": "h2", "key_family": "ecdsa", "weak": [], "stapled_ocsp": None, "scts": 0, "duration_ms": 31, "profile": "phone", "at": target["last_scan_at"]}
        if target["last_scan_at"] is None:
            return []
        if target["id"] == "7":
            return [base | {"address": "192.0.2.77", "outcome": "connect_timeout", "detail": {"message": "connecting to 192.0.2.77 port 443 took longer than 10 s"},
                            "tls_version": None, "chain": [], "first_at": self.time(-20 * timedelta(minutes=1)), "times": 4}]
        count = 8 if target["id"] == "1" else 2
        rows = [base | {"address": f"192.0.2.{at}", "outcome": "ok", "detail": None, "tls_version": "TLSv1.3",
                        "chain": [], "first_at": self.time(-40 * DAY), "times": 11_520} for at in range(1, count + 1)]
        if target["id"] == "6":
            rows[0] |= {"outcome": "not_tls", "detail": {"first_bytes": "3c", "text": SCRIPT + "\u202e"}}
        return rows

    def listed(self, query):
        """The targets that fit, sorted."""
        def fits(target):
            for name in ("state", "owner", "managed_by"):
                if name in query and target[name] not in query[name]:
                    return False
            for name in ("stale", "paused"):
                if name in query and target[name] != (query[name][0] == "true"):
                    return False
            labels = [f"{name}:{value}" for name, value in target["labels"].items()]
            return all(label in labels for label in query.get("label", [])) and query.get("host", [""])[0].lower() in target["host"]

        rows = [] if self.empty else [target for target in self.targets if fits(target)]
        sort = query.get("sort", ["host"])[0]
        value = {"host": lambda row: row["host"], "state": lambda row: row["state"], "last_scan_at": lambda row: row["last_scan_at"] or "",
                 "leaf.not_after": lambda row: (row["leaf"] or {}).get("not_after", "")}[sort.lstrip("-")]
        return sorted(rows, key=value, reverse=sort.startswith("-"))

    def verdicts(self, target):
        """What the releases that name it make of a target; those that accept are only counted."""
        rejected, accepted = self.judged.get(target["id"], ([], []))
        return {"items": rejected, "next": None, "total": len(rejected), "accepted": accepted}

    def release(self, number, app, release):
        return {"pin_set_id": str(number), "app": app, "release": release, "variant": "release"}

    def verdict(self, identity, address, span, **members):
        """One that is no acceptance, of the chain of the span with this name of target 1."""
        body = {"verdict": "reject_pin", "by": None, "code": "no_pin_matched", "reason": "no pin matched; 2 pins held", "notes": [], "matched": None} | members
        return identity | {"address": address, "key_family": "ecdsa", "chain": [sha256(f"api.example.com-{span}"), sha256("issuer")]} | body | {"layers": [body | {"client": "urlsession"}]}

    def more_releases(self):
        """Three more releases that pin api.example.com, for a target with a long story."""
        ios, android, old = self.release(11, "shop-ios", "5.2.0"), self.release(12, "shop-android", "8.2"), self.release(13, "shop-android", "8.0")
        rejected, accepted = self.judged["1"]
        paths = [self.verdict(ios, f"192.0.2.{at}", "new", verdict="depends_on_path", code="paths_differ", reason="accepted by way of Root X1 only") for at in (1, 2, 3)]
        expired = [self.verdict(old, f"192.0.2.{at}", "new" if at < 4 else "leaf", verdict="unpinned", by="trap", code="expired", reason="the pin set expired 49 days ago") for at in range(1, 9)]
        self.judged["1"] = (rejected + paths + expired, accepted + [ios | {"count": 13}, android | {"count": 16}, old | {"count": 8}])
        rows = ((ios, ["alamofire", "apple-pinned-domains"], 0.58, 40, None), (android, ["okhttp", "android-nsc"], 0.71, 66, None), (old, ["android-nsc"], 0.04, 140, -49))
        for identity, clients, share, since, ends in rows:
            pins = [pin("api-1"), pin("api-rsa-2"), pin("issuer"), pin("api-backup")] if ends is None else [pin("api-1")]
            hosts = [{"pattern": "api.example.com", "match": "any_in_path", "pins": pins, "expires": ends and self.time(ends * DAY)}]
            self.admin.pin_sets.append({"id": identity["pin_set_id"]} | identity | {
                "stack": "default", "share": share, "clients": clients, "trust_store": "system", "managed_by": "api", "origin": "api", "revision": 1,
                "created_at": self.time(-since * DAY), "updated_at": self.time(-since * DAY), "hosts": hosts, "target_count": 1,
                "verdicts": {"accept": 8, "reject": 0, "unknown": 0, "other": 0}, "source": "", "targets": [], "problems": []})
