"""What people manage, invented: pin sets, alerts, silences, deliveries, channels, routes, tokens, audit, settings.

`Admin.answer` speaks for `fixture_server`: it gives (status, body, headers), or None for what is not its own. Times are
relative to the world's beginning, and what is written shows in the next answer.
"""

import json
import re
from datetime import timedelta
from http import HTTPStatus

from fixture_admin_data import CONFIG_FILE, ROLES, invented, verdicts_of

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


class Refused(Exception):
    """An answer that is no success; its title is the status's phrase, as the service's own."""

    def __init__(self, status, detail, errors=()):
        super().__init__(detail)
        self.status = status
        self.body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail, "errors": list(errors)}


def wrong(*errors):
    """422 for (field, message) pairs."""
    return Refused(422, "The body cannot be used; see errors.", [{"field": field, "message": message} for field, message in errors])


class Admin:
    """Everything behind the second half of the dashboard."""

    def __init__(self, world):
        self.world = world
        self.time = world.time
        self.__dict__.update(invented(world))
        self.reload_faults = []
        self.reload_changes = []
        self.test_answer = {"delivered": True, "status": 204, "error": None, "ms": 84}
        self.secrets = []
        self.made = 100

    def answer(self, method, path, query, body, headers=None):
        for pattern, handle in self.table():
            if match := re.fullmatch(pattern, path):
                try:
                    return handle(method, query, body, *match.groups())
                except Refused as refused:
                    return refused.status, refused.body, {}
        return None

    def table(self):
        return [
            (r"pin-sets", self.pin_set_list), (r"pin-sets/([^/]+)", self.pin_set_one),
            (r"alerts", self.alert_list), (r"alerts/([^/]+)", self.alert_one), (r"alerts/([^/]+)/acknowledge", self.acknowledge),
            (r"silences", self.silence_list), (r"silences/preview", self.silence_preview), (r"silences/([^/]+)", self.silence_one),
            (r"deliveries", self.delivery_list), (r"deliveries/([^/]+)/retry", self.retry), (r"deliveries/([^/]+)", self.delivery_one),
            (r"channels", self.channel_list), (r"channels/([^/]+)/test", self.channel_test), (r"channels/([^/]+)", self.channel_one),
            (r"routes", self.route_list), (r"routes/([^/]+)", self.route_one),
            (r"tokens", self.token_list), (r"tokens/([^/]+)", self.token_one),
            (r"audit", self.audit_list), (r"settings", self.settings_one), (r"settings/reload", self.reload),
        ]

    # MARK: what all share

    def listed(self, items, query, filters=()):
        for name in filters:
            if wanted := query.get(name):
                items = [item for item in items if str(item.get(name)) in wanted]
        limit, start = int(query.get("limit", ["50"])[0]), int(query.get("cursor", ["0"])[0])
        more = start + limit < len(items)
        return 200, {"items": items[start:start + limit], "next": str(start + limit) if more else None, "total": len(items)}, {}

    def found(self, items, identifier):
        for item in items:
            if item["id"] == identifier:
                return item
        raise Refused(404, f"There is nothing with the id {identifier}.")

    def own(self, item):
        if item.get("managed_by") == "config":
            raise Refused(409, f"This is set in the configuration file {CONFIG_FILE}; change it there and reload.")
        return item

    def id(self):
        self.made += 1
        return str(self.made)

    def note(self, action, kind, identifier, name, changes=None):
        self.audit.insert(0, {"id": self.id(), "at": self.time(), "actor": {"name": "Anna", "via": "session", "role": "admin"}, "address": "192.0.2.4",
                              "action": action, "object": {"type": kind, "id": identifier, "name": name}, "changes": changes or {}})

    def created(self, kind, item, **shown):
        self.note(f"{kind}.create", kind, item["id"], item.get("name", item["id"]))
        return 201, item | shown, {"Location": f"/api/v1/{kind}s/{item['id']}"}

    # MARK: pin sets

    def pin_set_list(self, method, query, body):
        if method == "GET":
            status, page, headers = self.listed(self.pin_sets, query, ("app", "release", "variant", "managed_by"))
            page["items"] = [{name: value for name, value in item.items() if name not in ("source", "targets", "problems")} for item in page["items"]]
            return status, page, headers
        made = self.understood(body)
        if query.get("preview") == ["true"]:
            return 200, {name: value for name, value in made.items() if name not in ("id", "targets", "target_count", "verdicts", "revision", "created_at", "updated_at")}, {}
        if any(self.same(one, made) for one in self.pin_sets):
            raise Refused(409, f"{made['app']} {made['release']} {made['variant']} is there already. Replace its source instead.")
        back = next((one for one in self.deleted if self.same(one, made)), None)
        made["id"] = back["id"] if back else self.id()
        self.pin_sets.insert(0, made)
        return self.created("pin_set", made)

    def pin_set_one(self, method, query, body, identifier):
        found = self.found(self.pin_sets, identifier)
        if method == "GET":
            return 200, found, {}
        self.own(found)
        if method == "DELETE":
            self.pin_sets.remove(found)
            self.deleted.append(found)
            return 204, None, {}
        made = self.understood(body)
        if not self.same(found, made):
            raise wrong(("1:1", "This is another release; it must stay the same app, release, variant and stack."))
        found |= made | {"id": identifier, "revision": found["revision"] + 1}
        return 200, found, {}

    @staticmethod
    def same(one, other):
        return all(one[name] == other[name] for name in ("app", "release", "variant", "stack"))

    def understood(self, body):
        """What a native file says, read loosely: enough for a page to show."""
        source = body.get("source") or json.dumps(body)
        value = {name: (re.search(rf'^\s*"?{name}"?\s*:\s*"?([^"\n,]+)', source, re.M) or [None, None])[1] for name in ("app", "release", "variant", "client", "host")}
        value["host"] = value["host"] or (re.search(r"hosts:\s+([\w.*-]+):", source) or [None, None])[1]
        if "pinwatch" not in source:
            raise wrong(("1:1", "This is no native pin file: it begins with pinwatch: 1."))
        missing = [("1:1", f"{name} is missing.") for name in ("app", "release", "client") if not value[name]]
        if missing:
            raise wrong(*missing)
        if "file:" in source:
            raise wrong(("9:11", "file: pins are read only by the command line and the configuration file; write the pin itself."))
        pins = re.findall(r"sha256/[A-Za-z0-9+/]+=*", source)
        targets = [one for one in self.world.targets if one["host"] == value["host"]]
        rows = [{"id": one["id"], "label": f"{one['host']}:{one['port']}", "verdict": "accept", "code": "pin_matched", "reason": "the leaf's key is the first pin.", "addresses": 4} for one in targets]
        return {"id": None, "app": value["app"].strip(), "release": value["release"].strip(), "variant": (value["variant"] or "release").strip(), "stack": "default", "share": None,
                "clients": [value["client"].strip()], "trust_store": "system", "managed_by": "api", "origin": "api", "revision": 1, "created_at": self.time(), "updated_at": self.time(),
                "hosts": [{"pattern": value["host"], "match": "any_in_path", "pins": pins, "expires": None}], "target_count": len(targets),
                "verdicts": verdicts_of(accept=4 * len(targets)), "source": source, "targets": rows, "problems": []}

    # MARK: alerts and silences

    def alert_list(self, method, query, body):
        wanted = query.get("target_id", [None])[0]
        kinds = query.get("kind")
        items = [one for one in self.alerts if not wanted or one["finding"]["target_id"] == wanted]
        items = [one for one in items if not kinds or one["finding"]["kind"] in kinds]
        return self.listed(items, query, ("state", "severity"))

    def alert_one(self, method, query, body, identifier):
        return 200, self.found(self.alerts, identifier), {}

    def acknowledge(self, method, query, body, identifier):
        found = self.found(self.alerts, identifier)
        if found["state"] == "resolved":
            raise Refused(409, "This alert was resolved; there is nothing left to acknowledge.")
        note = (body or {}).get("note")
        if note and len(note) > 500:
            raise wrong(("note", "A note has at most 500 characters."))
        taken = method == "POST"
        found["state"] = "acknowledged" if taken else "open"
        found["acknowledged"] = {"by": "Anna", "at": self.time(), "note": note} if taken else None
        self.note("alert.acknowledge" if taken else "alert.unacknowledge", "alert", identifier, found["finding"]["subject"])
        return 200, found, {}

    def silence_list(self, method, query, body):
        if method == "GET":
            return self.listed(self.silences, query, ("state",))
        self.check_silence(body)
        made = {"id": self.id(), "starts_at": body.get("starts_at") or self.time(), "ends_at": body.get("ends_at"), "weekly": body.get("weekly"), "comment": body.get("comment", ""),
                "matchers": {"targets": [], "host": None, "labels": {}, "kind": [], "severity": []} | body["matchers"], "created_by": "Anna", "created_at": self.time(),
                "state": "active", "managed_by": "api", "revision": 1, "alerts": 0}
        for alert in self.matching(made["matchers"]):
            alert |= {"state": "silenced", "silenced_by": made["id"]}
            made["alerts"] += 1
        self.silences.insert(0, made)
        return self.created("silence", made)

    def check_silence(self, body):
        matchers = {name: value for name, value in (body.get("matchers") or {}).items() if value}
        errors = []
        if not matchers:
            errors.append(("matchers", "Say what it silences: at least one of target, host, label, kind or severity."))
        if re.search(r"[^a-z0-9.*:-]", matchers.get("host") or ""):
            errors.append(("matchers.host", f"“{matchers['host']}” is no host name. Write a name, or *. and a suffix."))
        if not body.get("ends_at") and not body.get("weekly"):
            errors.append(("ends_at", "Say until when."))
        if body.get("ends_at") and body["ends_at"] <= self.time():
            errors.append(("ends_at", "That has passed already."))
        if errors:
            raise wrong(*errors)

    def matching(self, matchers):
        def fits(alert):
            finding = alert["finding"]
            target = self.world.by_id.get(finding["target_id"]) or {"host": "", "labels": {}}
            host = matchers.get("host")
            return (alert["state"] in ("open", "acknowledged") and (not matchers.get("targets") or finding["target_id"] in matchers["targets"])
                    and (not host or (target["host"].endswith(host[1:]) if host.startswith("*.") else target["host"] == host))
                    and (not matchers.get("kind") or finding["kind"] in matchers["kind"]) and (not matchers.get("severity") or alert["severity"] in matchers["severity"])
                    and all(target["labels"].get(name) == value for name, value in (matchers.get("labels") or {}).items()))
        return [alert for alert in self.alerts if fits(alert)]

    def silence_preview(self, method, query, body):
        self.check_silence(body)
        matchers = body["matchers"]
        found = self.matching(matchers)
        ids = sorted({alert["finding"]["target_id"] for alert in found if alert["finding"]["target_id"]} | set(matchers.get("targets") or []))
        targets = [{"id": one, "label": f"{self.world.by_id[one]['host']}:{self.world.by_id[one]['port']}"} for one in ids if one in self.world.by_id]
        return 200, {"alerts": found[:50], "alert_count": len(found), "targets": targets[:50], "target_count": len(targets)}, {}

    def silence_one(self, method, query, body, identifier):
        found = self.found(self.silences, identifier)
        if method == "DELETE":
            self.own(found)
            found |= {"state": "ended", "ends_at": self.time(), "alerts": 0}
            for alert in self.alerts:
                if alert["silenced_by"] == identifier:
                    alert |= {"state": "open", "silenced_by": None}
            return 204, None, {}
        if method == "PATCH":
            self.own(found)
            found |= body
        return 200, found, {}

    # MARK: deliveries

    def delivery_list(self, method, query, body):
        return self.listed(self.deliveries, query, ("state", "channel", "alert_id", "type"))

    def delivery_one(self, method, query, body, identifier):
        return 200, self.found(self.deliveries, identifier) | {"message": {"type": "alert.opened"}}, {}

    def retry(self, method, query, body, identifier):
        found = self.found(self.deliveries, identifier)
        if found["state"] in ("delivered", "dropped"):
            raise Refused(409, f"This message was {found['state']}.")
        found |= {"state": "pending", "next_attempt_at": self.time()}
        self.note("delivery.retry", "delivery", identifier, identifier)
        return 202, found, {}

    # MARK: channels and routes

    def secret(self):
        made = f"whsec_{'c2VjcmV0' * 4}{len(self.secrets):02}"
        self.secrets.append(made)
        return made

    def channel_list(self, method, query, body):
        if method == "GET":
            return self.listed(self.channels, query)
        errors = []
        name = body.get("name") or ""
        if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", name):
            errors.append(("name", "A name is of small letters, digits and hyphens, such as ops."))
        if not re.match(r"https?://[^/\s]+", body.get("url") or ""):
            errors.append(("url", "A URL begins with https:// and names a host."))
        if errors:
            raise wrong(*errors)
        if any(one["id"] == name for one in self.channels):
            raise Refused(409, f"There is a channel {name} already.")
        made = {"id": name, "name": name, "type": body["type"], "url_host": body["url"].split("/")[2], "allow_private": bool(body.get("allow_private")), "secret_set": body["type"] == "webhook",
                "secrets": int(body["type"] == "webhook"), "managed_by": "api", "revision": 1, "created_at": self.time(), "state": "ok", "failures": 0, "last_error": None,
                "paused_until": None, "last_delivery_at": None}
        self.channels.append(made)
        shown = {"secret": self.secret()} if body["type"] == "webhook" and not body.get("secret") else {}
        return self.created("channel", made, **shown)

    def channel_test(self, method, query, body, name):
        self.found(self.channels, name)
        self.note("channel.test", "channel", name, name)
        return 200, self.test_answer, {}

    def channel_one(self, method, query, body, name):
        found = self.found(self.channels, name)
        if method == "GET":
            return 200, found, {}
        self.own(found)
        if method == "DELETE":
            if any(name in route["channels"] for route in self.routes):
                raise Refused(409, f"A route sends to {name}. Change or delete the route first.")
            self.channels.remove(found)
            self.note("channel.delete", "channel", name, name)
            return 204, None, {}
        if "url" in body and not re.match(r"https?://[^/\s]+", body["url"]):
            raise wrong(("url", "A URL begins with https:// and names a host."))
        if "url" in body:
            found["url_host"] = body["url"].split("/")[2]
        found["allow_private"] = body.get("allow_private", found["allow_private"])
        found["revision"] += 1
        if body.get("rotate_secret"):
            found["secrets"] = 2
            self.note("channel.update", "channel", name, name, {"secret": {"from": "<secret>", "to": "<secret>"}})
            return 200, found | {"secret": self.secret()}, {}
        return 200, found, {}

    def check_route(self, body):
        unknown = [name for name in body["channels"] if not any(one["id"] == name for one in self.channels)]
        if not body["channels"] or unknown:
            raise wrong(("channels", f"There is no channel {unknown[0]}." if unknown else "Choose at least one channel."))

    def route_list(self, method, query, body):
        if method == "GET":
            return self.listed(self.routes, query)
        self.check_route(body)
        made = {"severity": [], "kind": [], "labels": {}, "events": []} | body | {"id": self.id(), "managed_by": "api", "revision": 1}
        self.routes.append(made)
        return self.created("route", made)

    def route_one(self, method, query, body, identifier):
        found = self.found(self.routes, identifier)
        if method == "GET":
            return 200, found, {}
        self.own(found)
        if method == "DELETE":
            self.routes.remove(found)
            return 204, None, {}
        self.check_route(found | body)
        body["labels"] = {name: value for name, value in (found["labels"] | body.get("labels", {})).items() if value is not None}
        found |= body | {"revision": found["revision"] + 1}
        return 200, found, {}

    # MARK: tokens, audit, settings

    def token_list(self, method, query, body):
        if method == "GET":
            return self.listed(self.tokens, query)
        name = (body.get("name") or "").strip()
        if not name:
            raise wrong(("name", "Give it a name, so that it can be told from others."))
        if body.get("role") not in ROLES:
            raise wrong(("role", "A role is viewer, editor or admin."))
        made = {"id": self.id(), "name": name, "role": body["role"], "created_at": self.time(), "expires_at": body.get("expires_at"), "revoked_at": None, "last_used_at": None, "state": "valid"}
        self.tokens.insert(0, made)
        secret = f"pw_{'K7' * 20}{made['id']}"
        self.secrets.append(secret)
        self.world.tokens[secret] = {"name": name, "role": made["role"], "id": made["id"]}
        return self.created("token", made, token=secret)

    def token_one(self, method, query, body, identifier):
        found = self.found(self.tokens, identifier)
        if method != "DELETE":
            return 200, found, {}
        admins = [one for one in self.tokens if one["state"] == "valid" and one["role"] == "admin"]
        if admins == [found]:
            raise Refused(409, "Nobody could change anything without it. Create another admin token first.")
        found |= {"state": "revoked", "revoked_at": self.time()}
        self.world.tokens = {secret: token for secret, token in self.world.tokens.items() if token.get("id") != identifier}
        self.note("token.revoke", "token", identifier, found["name"])
        return 204, None, {}

    def audit_list(self, method, query, body):
        items = self.audit
        if kinds := query.get("object_type"):
            items = [one for one in items if one["object"]["type"] in kinds]
        if names := query.get("actor"):
            items = [one for one in items if one["actor"]["name"] in names]
        return self.listed(items, query, ("action",))

    def settings_one(self, method, query, body):
        return 200, self.settings, {}

    def reload(self, method, query, body):
        if self.reload_faults:
            raise Refused(422, "The configuration has faults, so the one before stays in force; see errors.",
                          [{"field": field, "message": message} for field, message in self.reload_faults])
        self.settings["loaded_at"] = self.time()
        return 200, {"changed": bool(self.reload_changes), "changes": self.reload_changes, "restart_needed": self.settings["restart_needed"], "loaded_at": self.time()}, {}
