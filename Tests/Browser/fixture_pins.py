"""The routes of pins: importing and reading files, lint, exports, the matrix, the runway, preflight and coverage."""

import re
from datetime import timedelta

from fixture_admin import Refused
from fixture_admin_data import HOSTILE
from fixture_server import Problem, paged
from invented import pin, sha256

DAY = timedelta(days=1)
EXPORTS = ["native", "info-plist", "okhttp-kotlin", "android-nsc", "curl"]
NATIVE = """\
pinwatch: 1
app: {app}
release: "{release}"
client: {client}
policy:
  hosts:
    {host}:
      pins:
        - {first}
        - {second}
"""
WORDS = {"info-plist": "an Info.plist", "okhttp-source": "source with an OkHttp CertificatePinner", "native": "a native pin file", "hpkp-header": "an HPKP header"}


def install(world, routes):
    world.pins = Pins(world)
    world.pins.install(routes)


def lint(rule, severity, message, advice, **members):
    return {"rule": rule, "severity": severity, "client": None, "host": None, "file": "Info.plist", "line": None, "column": None, "message": message, "advice": advice} | members


class Pins:
    """What a test may change: `unpinned` and `unscanned` of the coverage, `go` of a preflight; `bodies` are what was sent."""

    def __init__(self, world):
        self.world = world
        self.unpinned, self.unscanned = [], []
        self.go = False
        self.bodies = []
        self.originals = {}

    def install(self, routes):
        for method, pattern, role, name in (
            ("POST", "pin-sets/import", "editor", "imported"), ("GET", r"pin-sets/([^/]+)/originals", "viewer", "original"),
            ("GET", r"pin-sets/([^/]+)/export", "viewer", "export"), ("GET", r"targets/([^/]+)/export", "viewer", "export"),
            ("GET", r"targets/([^/]+)/matrix", "viewer", "matrix"), ("GET", "runway", "viewer", "runway"),
            ("POST", "preflight", "viewer", "preflight"), ("GET", "coverage", "viewer", "coverage"),
        ):
            # Looked up when it is called, so that a test may replace it under way.
            routes.add(method, pattern, role, lambda call, name=name: getattr(self, name)(call))

    # MARK: import

    def imported(self, call):
        self.bodies.append(call.body)
        readings = self.readings(call.body)
        if call.one("preview") == "true":
            return {"items": readings}
        if call.body.get("source") and len(readings) > 1:
            raise Problem(422, "Unprocessable Content", "Edited text is for one release alone.", [{"field": "source", "message": "several releases result"}])
        open_questions = [one for reading in readings for one in reading["questions"] if one["must_answer"]]
        if open_questions and not call.body.get("source"):
            raise Problem(422, "Unprocessable Content", "Nothing was stored.", [{"field": one["id"], "message": one["words"]} for one in open_questions])
        return 201, {"items": [self.stored(reading, call.body) for reading in readings]}

    def stored(self, reading, body):
        admin = self.world.admin
        made = self.native(body.get("source") or reading["source"])
        there = next((one for one in admin.pin_sets if admin.same(one, made)), None)
        if there and not body.get("replace"):
            raise Problem(409, "Conflict", f"{made['app']} {made['release']} is there already")
        made["id"] = there["id"] if there else admin.id()
        admin.pin_sets = [made] + [one for one in admin.pin_sets if one is not there]
        made |= {"lint": reading["lint"], "has_originals": reading["format"] != "native"}
        self.originals[made["id"]] = [one for one in body["files"] if "text" in one]
        return made

    def native(self, source):
        try:
            return self.world.admin.understood({"source": source})
        except Refused as refused:
            raise Problem(422, "Unprocessable Content", "The text cannot be taken.", refused.body["errors"]) from refused

    def readings(self, body):
        found = [reading for file in body["files"] if (reading := self.reading(file, body))]
        if not found:
            name = body["files"][0]["name"]
            raise Problem(422, "Unprocessable Content", "The files cannot be read.", [{"field": name, "message": f"{name} is of no format that pins are kept in."}])
        return found

    def reading(self, file, body):
        """By its content, loosely: enough for a page to show each kind of answer."""
        words = file.get("text", "")
        kind = next((kind for mark, kind in (("pinwatch", "native"), ("NSPinnedDomains", "info-plist"), ("CertificatePinner", "okhttp-source"), ("pin-sha256", "hpkp-header")) if mark in words), None)
        if kind is None:
            return None
        base = {"format": kind, "format_words": WORDS[kind], "origin": file["name"], "source": words, "pin_set": None, "exists": None, "problems": [], "remarks": [], "questions": [], "keys": [], "lint": []}
        if kind == "native":
            return self.judged(base)
        base |= getattr(self, kind.split("-")[0])(file, body)
        return self.judged(base) if not any(one["must_answer"] for one in base["questions"]) else base

    def judged(self, reading):
        """With the pin set that its text says, or why it says none."""
        admin = self.world.admin
        try:
            made = admin.understood({"source": reading["source"]})
        except Refused as refused:
            return reading | {"problems": refused.body["errors"]}
        made["origin"] = reading["origin"]
        there = next((one["id"] for one in admin.pin_sets if admin.same(one, made)), None)
        return reading | {"pin_set": made, "exists": there}

    def text(self, body, file, client, host):
        return NATIVE.format(app=body.get("app", file["name"]), release=body.get("release", "unknown"), client=body.get("client", client), host=host, first=pin("api-1"), second=pin("api-backup"))

    def info(self, file, body):
        key = {"file": "api.cer", "kind": "certificate", "subject": f"CN=api.example.com, O={HOSTILE}", "not_after": self.world.time(12 * DAY), "spki": pin("api-1"), "spki_sha1": None,
               "certificate_sha256": sha256("api"), "certificate_sha1": None, "raw_key_sha256": None}
        return {
            "source": self.text(body, file, "apple-pinned-domains", "api.example.com"),
            "remarks": [{"file": file["name"], "line": 9, "column": 3, "message": "NSExceptionAllowsInsecureHTTPLoads is nothing that pins."}],
            "questions": [{"id": "platform", "words": "Which is the oldest system that the release supports (MinimumOSVersion of the built app)?", "key": "platform", "must_answer": False}],
            "keys": [key] if any(one["name"] == "api.cer" for one in body["files"]) else [],
            "lint": [lint("no_backup", "error", "One pin alone: once that key is lost or ends, every user is locked out.", "Add the pin of a key that is kept offline.", host="api.example.com", line=3, column=5),
                     lint("expires_soon", "warning", f"The pinned certificate ends in 12 days. {HOSTILE}", "Pin the key, not the certificate.", client="apple-pinned-domains"),
                     lint("subdomains", "note", "Subdomains are not pinned.", "Set NSIncludesSubdomains.")],
        }

    def okhttp(self, file, body):
        version = {"id": "client_version", "words": "Which version of OkHttp is it? Below 4.3 patterns with ** never match.", "key": "client", "must_answer": False}
        stack = {"id": "stack", "words": "Is this pinner given to every OkHttpClient that the app calls with?", "key": "stack", "must_answer": False}
        more = [{"id": name, "words": f"Which is the app's {name}?", "key": "platform", "must_answer": False} for name in ("minSdkVersion", "targetSdkVersion")]
        return {"source": self.text(body, file, "okhttp", "pay.example.com"), "questions": [version, stack] + more}

    def hpkp(self, file, body):
        if body.get("host"):
            return {"source": self.text(body, file, "hpkp", body["host"])}
        return {"source": self.text(body, file, "hpkp", "HOST"), "questions": [{"id": "host", "words": "Which host sends the header?", "key": "policy.hosts", "must_answer": True}]}

    # MARK: what is kept

    def original(self, call):
        kept = self.originals.get(call.match[1])
        return {"items": kept} if kept else None

    def export(self, call):
        form = call.one("format")
        if form not in EXPORTS:
            raise Problem(400, "Bad Request", f"format is one of {', '.join(EXPORTS)}")
        if form == "curl":
            raise Problem(422, "Unprocessable Content", "curl takes one list of pins for all hosts, and these differ by host")
        return 200, f"// {form}\n{pin('api-1')}\n{HOSTILE}\n".encode(), {"Content-Type": "text/plain; charset=utf-8"}

    # MARK: what releases make of what is served

    def matrix(self, call):
        target = self.world.by_id.get(call.match[1])
        if target is None:
            raise Problem(404, "Not Found", "There is no target with this id; /api/v1/targets lists them.")
        verdicts = self.world.verdicts(target)
        columns = self.columns(target)
        known = {one["pin_set_id"]: one for one in verdicts["items"] + verdicts["accepted"]}
        return {"columns": columns, "rows": [self.row(one, verdicts["items"], columns) for one in known.values()]}

    def columns(self, target):
        made = []
        for span in self.world.spans(target):
            newer = {address for other in made if other["key_family"] == span["key_family"] for address in other["addresses"]}
            addresses = [one["address"] for one in span["addresses"] if one["address"] not in newer]
            if span["open"] and addresses:
                made.append({"key_family": span["key_family"], "chain": span["chain"], "spki": span["spki"], "addresses": addresses, "not_after": self.world.time(58 * DAY)})
        return made

    def row(self, release, verdicts, columns):
        pin_set = next((one for one in self.world.admin.pin_sets if one["id"] == release["pin_set_id"]), {})
        own = [one for one in verdicts if one["pin_set_id"] == release["pin_set_id"]]
        accepted = {"verdict": "accept", "by": None, "code": "pin_matched", "reason": "the leaf's key is pinned", "notes": [], "matched": {"pin": pin("api-1"), "position": "leaf", "certificate": sha256("api")}}
        cells = []
        for column in columns:
            found = next((one for one in own if (one["key_family"], one["chain"][0]) == (column["key_family"], column["chain"][0])), accepted)
            cell = {name: found[name] for name in accepted}
            cells.append(cell | {"layers": [cell | {"client": client} for client in pin_set.get("clients", [])]})
        at = next((one for one in self.ends() if one["pin_set_id"] == release["pin_set_id"]), None)
        return {name: release[name] for name in ("pin_set_id", "app", "release", "variant")} | {
            "stack": "default", "share": pin_set.get("share"), "clients": pin_set.get("clients", []), "runs_out": at, "cells": cells}

    def ends(self):
        rows = [(9, "1", "3", "shop-ios 5.2.0 on login.example.com", "unpinned: its pinning ends", 0.58), (17, "2", "1", "shop-ios 5.1.0 on api.example.com", "rejected: its pinned certificate ends", 0.31),
                (64, "3", "5", "shop-android 8.0 on pay.partner.example", "rejected: the pinned path ends", 0.04), (120, "5", "6", f"{HOSTILE} on nowhere.example", HOSTILE, None)]
        return [{"kind": "release", "at": self.world.time(days * DAY + self.world.HOUR), "days_left": days, "pin_set_id": pin_set, "target_id": target, "subject": subject, "summary": summary, "share": share}
                for days, pin_set, target, subject, summary, share in rows]

    def runway(self, call):
        rows = [] if self.world.empty else sorted(self.ends() + [one | {"share": None} for one in self.world.runway() if one["kind"] != "release"], key=lambda one: one["at"])
        kinds, apps = call.query.get("kind"), call.query.get("app")
        return paged([one for one in rows if (not kinds or one["kind"] in kinds) and (not apps or any(one["subject"].startswith(app + " ") for app in apps))], call.query)

    def coverage(self, call):
        return {"unpinned": {"items": self.unpinned[:200], "total": len(self.unpinned)}, "unscanned": {"items": self.unscanned[:200], "total": len(self.unscanned)}}

    # MARK: preflight

    def preflight(self, call):
        self.bodies.append(call.body)
        host = call.body["host"]
        if "BEGIN" not in call.body["candidate"]:
            raise Problem(422, "Unprocessable Content", "The body cannot be used; see errors.", [{"field": "candidate", "message": "This is no certificate, public key or signing request."}])
        bad = {"verdict": "reject_pin", "by": None, "code": "no_pin_matched", "reason": f"neither of its 2 pins is in the new path {HOSTILE}", "now": "accept"}
        good = {"verdict": "accept", "by": None, "code": "pin_matched", "reason": "the new key is its backup pin", "now": "accept"}
        unknown = {"verdict": "unknown", "by": None, "code": "version_needed", "reason": "Android's version decides, and the pin set does not say it", "now": "accept"}
        shown = {False: [bad, good, unknown], None: [good, unknown], True: [good]}[self.go]
        names = [("2", "shop-ios", "5.1.0", 0.31, "ios", "urlsession"), ("1", "shop-ios", "5.2.0", 0.58, "ios", "urlsession"), ("3", "shop-android", "8.0", 0.04, "android", "okhttp")]
        items = [verdict | {"pin_set_id": number, "app": app, "release": release, "variant": "release", "stack": "default", "share": share, "os": system, "client": client, "host": host, "notes": [], "paths": [], "matched": None}
                 for verdict, (number, app, release, share, system, client) in zip(shown, names)]
        sentences = {False: "Stop: one release would reject this key.", None: "It cannot be told whether every release accepts this key.", True: "Go: every release accepts this key."}
        users = [{"app": "shop-ios", "os": "ios", "rejected": 0.31, "unknown": None, "sentence": "rejected for 31 % of iOS users of shop-ios"}] if self.go is False else []
        return {"host": host, "go": self.go, "sentence": sentences[self.go], "users": users, "items": items, "assumed": [f"The certificate is issued by the issuer that {host} has now."],
                "candidate": {"kind": "request" if re.search("REQUEST", call.body["candidate"]) else "chain", "subject": f"CN={host}", "spki": pin("api-3"), "sha256": None, "not_before": None, "not_after": None, "certificates": 1}}
