"""The routes of the overview and of targets, writes included."""

import re
import time

from fixture_server import Problem, editable, paged

CHANGEABLE = {"labels", "owner", "period_s", "trust_store", "paused", "addresses", "addresses_policy"}
TAKEN = CHANGEABLE | {"host", "port", "sni", "starttls"}
PORTS = (443, 8443, 993)


def install(world, routes):
    Targets(world).install(routes)


def understood(text):
    """Host and port of what a person pastes, or the reason against it."""
    found = re.fullmatch(r"(?:https?://)?(\[[0-9a-f:]+\]|[^/\s:\[\]]+)(?::(\d+))?\.?(?:/.*)?", text.strip().lower())
    if not found:
        return None, None, "is no host name, address or URL"
    host, port = found[1].strip("[]").rstrip("."), int(found[2] or 443)
    if "_" in host or ".." in host:
        return None, None, f"“{host}” is no host name: a label has letters, digits and hyphens"
    if not host.isascii():
        host = ".".join(label if label.isascii() else "xn--" + label.encode("punycode").decode() for label in host.split("."))
    if port not in PORTS:
        return None, None, f"port {port} is not among scan.allow_ports"
    return host, port, None


class Targets:
    def __init__(self, world):
        self.world = world
        self.removed = {}

    def install(self, routes):
        world = self.world
        routes.add("GET", "summary", "viewer", lambda call: world.summary())
        routes.add("GET", "findings", "viewer", self.findings)
        routes.add("GET", "events", "viewer", lambda call: paged([one for one in world.events() if call.one("target_id") in (None, one["target_id"])], call.query))
        routes.add("GET", r"certificates/([0-9a-f]{64})", "viewer", lambda call: world.certificate(call.match[1]))
        routes.add("GET", r"certificates/([0-9a-f]{64})\.(pem|der)", "viewer", self.download)
        routes.add("GET", "targets", "viewer", lambda call: paged(world.listed(call.query), call.query))
        routes.add("POST", "targets", "editor", self.create)
        routes.add("POST", "targets/preview", "editor", self.preview)
        routes.add("GET", r"targets/([^/]+)", "viewer", lambda call: world.by_id.get(call.match[1]))
        routes.add("PATCH", r"targets/([^/]+)", "editor", self.change)
        routes.add("DELETE", r"targets/([^/]+)", "editor", self.delete)
        routes.add("POST", r"targets/([^/]+)/scan", "editor", self.scan)
        for name, rows in (("spans", world.spans), ("observations", world.observations)):
            routes.add("GET", rf"targets/([^/]+)/{name}", "viewer", lambda call, rows=rows: paged(rows(self.find(call)), call.query))
        routes.add("GET", r"targets/([^/]+)/verdicts", "viewer", lambda call: world.verdicts(self.find(call)))

    def find(self, call):
        if call.match[1] not in self.world.by_id:
            raise Problem(404, "Not Found", "There is no target with this id; /api/v1/targets lists them.")
        return self.world.by_id[call.match[1]]

    def findings(self, call):
        wanted = call.query.get("target_id")
        return paged([one for one in self.world.findings() if not wanted or one["target_id"] in wanted], call.query)

    def download(self, call):
        return 200, b"certificate", {"Content-Disposition": f'attachment; filename="{call.match[1]}.{call.match[2]}"'}

    def known(self, host, port):
        return next((one for one in self.world.targets if (one["host"], one["port"]) == (host, port)), None)

    def create(self, call):
        many = isinstance(call.body, list)
        made = [self.made(one, f"[{index}]." if many else "") for index, one in enumerate(call.body if many else [call.body])]
        for target in made:
            self.world.targets.append(target)
            self.world.by_id[target["id"]] = target
        self.world.changed("targets")
        return (201, {"items": made}) if many else (201, made[0], {"Location": f"/api/v1/targets/{made[0]['id']}"})

    def made(self, wanted, place):
        odd = set(wanted) - TAKEN
        host, port, reason = understood(str(wanted.get("host", "")))
        if odd or reason:
            raise Problem(422, "Unprocessable Content", "Nothing was stored.", [{"field": place + "host", "message": reason or f"unknown: {odd}"}])
        port = wanted.get("port") or port
        if there := self.known(host, port):
            raise Problem(409, "Conflict", f"{host}:{port} is watched already, as target {there['id']}.")
        if back := self.removed.pop((host, port), None):
            return back
        number = max(map(int, list(self.world.by_id) + [one["id"] for one in self.removed.values()]), default=0) + 1
        fresh = self.world._target(number) | {"host": host, "host_unicode": host, "sni": host, "port": port, "managed_by": "api", "state": "unknown",
                                              "stale": False, "last_scan_at": None, "next_scan_at": None, "leaf": None, "labels": {}}
        return fresh | {name: value for name, value in wanted.items() if name in CHANGEABLE and value is not None}

    def preview(self, call):
        items, seen = [], set()
        for line, whole in enumerate(call.body["text"].split("\n"), 1):
            for text in re.split(r"[,\s]+", whole.split("#")[0].strip()):
                if text:
                    items.append(self.previewed(line, text, seen, call.body))
        names = ("new", "known", "removed", "duplicate", "refused")
        return {"items": items, "counts": {name: sum(one["status"] == name for one in items) for name in names}}

    def previewed(self, line, text, seen, body):
        host, port, reason = understood(text)
        there = self.known(host, port)
        status = "refused" if reason else "duplicate" if (host, port) in seen else "known" if there else "removed" if (host, port) in self.removed else "new"
        seen.add((host, port))
        target = None if reason else {"host": host, "host_unicode": host.encode().decode("idna"), "port": port, "sni": host,
                                      "labels": body.get("labels", {}), "owner": body.get("owner")}
        return {"line": line, "text": text, "status": status, "reason": reason, "target_id": there and there["id"], "target": target}

    def change(self, call):
        target = self.find(call)
        editable(call, target, "target")
        for name, value in call.body.items():
            if name not in CHANGEABLE:
                raise Problem(422, "Unprocessable Content", "Nothing was stored.", [{"field": name, "message": "cannot be changed"}])
            if name == "period_s" and value is not None and value < 30:
                raise Problem(422, "Unprocessable Content", "Nothing was stored.", [{"field": "period_s", "message": "is at least 30 s"}])
            if name == "labels":
                merged = target["labels"] | value
                value = {key: label for key, label in merged.items() if label is not None}
            target[name] = 300 if name == "period_s" and value is None else value
        target["revision"] += 1
        self.world.changed("targets")
        return target

    def delete(self, call):
        target = self.find(call)
        editable(call, target, "target")
        self.world.targets.remove(target)
        del self.world.by_id[target["id"]]
        self.removed[(target["host"], target["port"])] = target
        self.world.changed("targets")
        return 204, None

    def scan(self, call):
        target = self.find(call)
        time.sleep(self.world.slow)
        target["last_scan_at"] = self.world.time(self.world.clock())
        self.world.changed("targets")
        if not call.one("wait"):
            return 202, {"target_id": target["id"], "state": "queued"}
        return {"items": self.world.observations(target), "target": target}
