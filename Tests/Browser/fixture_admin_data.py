"""The invented things that `fixture_admin` begins with."""

from datetime import timedelta

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
CONFIG_FILE = "/etc/pinwatch/pinwatch.yaml"
ROLES = ("viewer", "editor", "admin")
HOSTILE = "<script>window.pwned = 3</script>\u202egpj"

SOURCE = """\
pinwatch: 1
app: shop-ios
release: "5.1.0"
variant: release
share: 0.31
client: urlsession
policy:
  hosts:
    api.example.com:
      compare: spki
      match: any
      pins:
        - sha256/8sGmQ0wR1vVd6y1zXr6N3u9o0J2kq5pC7hT4bYfLxWE=
        - sha256/Lw0cE8uN2mVq4tZs7RkX1yJ6pBfDhGaT9oCiWlKe3SU=
"""


def verdicts_of(accept=0, reject=0, unknown=0, other=0):
    return {"accept": accept, "reject": reject, "unknown": unknown, "other": other}


def invented(world):
    """The beginning of an Admin, by the names of its fields."""
    return {
        "pin_sets": pin_sets(world), "deleted": [], "alerts": alerts(world), "silences": silences(world), "deliveries": deliveries(world),
        "channels": channels(world), "routes": routes(), "tokens": tokens(world), "audit": audit(world), "settings": settings(world),
    }


def pin_sets(world):
    first = "sha256/8sGmQ0wR1vVd6y1zXr6N3u9o0J2kq5pC7hT4bYfLxWE="
    second = "sha256/Lw0cE8uN2mVq4tZs7RkX1yJ6pBfDhGaT9oCiWlKe3SU="

    def one(number, app, release, client, host, share, by, verdicts, targets, expires=None, variant="release", origin="api"):
        return {"id": str(number), "app": app, "release": release, "variant": variant, "stack": "default", "share": share, "clients": [client], "trust_store": "system", "managed_by": by,
                "origin": origin, "revision": 3, "created_at": world.time(-90 * DAY), "updated_at": world.time(-3 * DAY),
                "hosts": [{"pattern": host, "match": "any_in_path", "pins": [first, second], "expires": expires}], "target_count": len(targets), "verdicts": verdicts,
                "source": SOURCE.replace("5.1.0", release).replace("shop-ios", app).replace("api.example.com", host), "targets": targets, "problems": []}

    def row(target, verdict, code, reason, addresses):
        return {"id": target, "label": f"{world.by_id[target]['host']}:443" if target in world.by_id else f"target {target}", "verdict": verdict, "code": code, "reason": reason, "addresses": addresses}

    matched = "the leaf's key is the first of its 2 pins."
    return [
        one(1, "shop-ios", "5.2.0", "urlsession", "login.example.com", 0.58, "api", verdicts_of(accept=4), [row("3", "accept", "pin_matched", matched, 4)], expires=world.time(9 * DAY)),
        one(2, "shop-ios", "5.1.0", "urlsession", "api.example.com", 0.31, "api", verdicts_of(accept=5, reject=3),
            [row("1", "reject_pin", "no_pin_matched", "neither of its 2 pins is in the path that 3 addresses serve.", 3), row("1", "accept", "pin_matched", matched, 5)]),
        one(3, "shop-android", "8.0", "generic", "pay.partner.example", 0.04, "config", verdicts_of(reject=2), [row("5", "reject_pin", "no_pin_matched", "the leaf was renewed with another key.", 2)],
            origin="/etc/pinwatch/pins/shop-android-8.0.yaml"),
        one(4, "shop-android", "8.1", "generic", "*.example.net", 0.71, "config", verdicts_of(accept=60, unknown=2), [row("11", "accept", "pin_matched", matched, 4)], variant="debug",
            origin="/etc/pinwatch/pins/shop-android-8.1.yaml"),
        one(5, HOSTILE, "1", "generic", "nowhere.example", None, "api", verdicts_of(), []),
    ]


def alerts(world):
    findings = {finding["key"]: finding for finding in world.findings()}
    evidence = {
        "code": "no_pin_matched", "reason": "No certificate of the path has a pinned key.", "notes": [], "pins": ["sha256/8sGmQ0wR1vVd6y1zXr6N3u9o0J2kq5pC7hT4bYfLxWE="],
        "served": [{"chain": ["ab" * 32, "cd" * 32], "sha256": "ab" * 32, "spki": "sha256/q7VfXW1oK2mN8uJr5tYx0cZbEaDgHiLpQsTvWnAo4RM=", "key_family": "ecdsa", "addresses": ["192.0.2.1", "192.0.2.2", "192.0.2.3"]}],
    }

    def subject(identifier):
        return f"{world.by_id[identifier]['host']}:{world.by_id[identifier]['port']}" if identifier in world.by_id else None

    def one(number, key, state, opened, resolved=None, silenced_by=None, acknowledged=None, **changes):
        finding = findings.get(key, {}) | {"key": key, "evidence": evidence if key.startswith("pin") else {}} | changes
        subjects = [made for made in [subject(finding.get("target_id"))] if made]
        return {"id": str(number), "finding_key": key, "state": state, "severity": finding["severity"], "opened_at": world.time(-opened), "acknowledged": acknowledged, "silenced_by": silenced_by,
                "resolved_at": resolved and world.time(-resolved), "subjects": subjects, "subject_count": len(subjects), "reminders": 0, "finding": finding}

    failing = {"addresses": [{"address": "192.0.2.77", "outcome": "connect_timeout", "message": "connecting to 192.0.2.77 port 443 took longer than 10 s", "since": world.time(-20 * MINUTE)}]}
    ended = {"kind": "certificate.expiry", "stage": "soon", "scope": None, "severity": "warning", "target_id": "2", "pin_set_id": None, "subject": "cdn.example.com", "since": world.time(-6 * DAY), "stale": False,
             "affected_share": None, "summary": "The leaf certificate of cdn.example.com ended in 9 days and was renewed.", "next_step": "Renew it.",
             "evidence": {"sha256": "ab" * 32, "spki": "sha256/q7VfXW1oK2mN8uJr5tYx0cZbEaDgHiLpQsTvWnAo4RM=", "not_before": world.time(-80 * DAY), "not_after": world.time(9 * DAY), "addresses": ["192.0.2.9"]}}
    return [
        one(1, "pin.rejected/1/1", "open", 18 * MINUTE),
        one(2, "hostname.mismatch/6", "open", 3 * DAY, evidence={"reason": "ok", "detail": HOSTILE, "trust_store": "system", "served": [], "names": [HOSTILE, "good.example"]}),
        one(3, "pin.rejected/5/2", "acknowledged", 12 * HOUR, acknowledged={"by": "Anna", "at": world.time(-11 * HOUR), "note": "Asked the partner, they answer tomorrow."}),
        one(4, "scan.failing/7", "silenced", 20 * MINUTE, silenced_by="1", evidence=failing),
        one(5, "certificate.expiry/2", "resolved", 6 * DAY, resolved=2 * DAY, **ended),
    ]


def silences(world):
    def one(number, matchers, state, by="api", starts=-HOUR, ends=None, weekly=None, comment="", alerts=0):
        return {"id": str(number), "matchers": {"targets": [], "host": None, "labels": {}, "kind": [], "severity": []} | matchers, "starts_at": world.time(starts), "ends_at": ends and world.time(ends),
                "weekly": weekly, "comment": comment, "created_by": "Anna" if by == "api" else None, "created_at": world.time(starts), "state": state, "managed_by": by, "revision": 1, "alerts": alerts}
    night = {"weekdays": ["sat", "sun"], "from": "22:00", "to": "02:00", "zone": "Europe/Berlin"}
    return [
        one(1, {"host": "silent.example"}, "active", ends=3 * HOUR, comment="The provider moves racks.", alerts=1),
        one(2, {"labels": {"environment": "staging"}, "severity": ["warning", "info"]}, "pending", by="config", weekly=night),
        one(3, {"targets": ["2"], "kind": ["certificate.expiry"]}, "ended", starts=-3 * DAY, ends=-2 * DAY, comment="Renewal was on its way."),
    ]


def deliveries(world):
    def one(number, alert, kind, channel, state, *attempts, following=None):
        rows = [{"at": world.time(-age), "status": status, "error": error, "ms": ms} for age, status, error, ms in attempts]
        return {"id": str(number), "alert_id": alert, "type": kind, "channel": channel, "state": state, "attempts": rows, "next_attempt_at": following and world.time(following)}
    refused = "pager.example answered 503 Service Unavailable"
    return [
        one(1, "1", "alert.opened", "ops", "delivered", (18 * MINUTE, 204, None, 84)),
        one(2, "1", "alert.opened", "pager", "pending", (18 * MINUTE, 503, refused, 120), (17 * MINUTE, None, "connecting to pager.example took longer than 10 s", 10_000), following=9 * MINUTE),
        one(3, "3", "alert.opened", "pager", "dead", (12 * HOUR, 503, refused, 110), (11 * HOUR, 503, refused, 95)),
        one(4, "5", "alert.resolved", "team-chat", "dropped"),
    ]


def channels(world):
    def one(name, kind, host, by, **changes):
        return {"id": name, "name": name, "type": kind, "url_host": host, "allow_private": False, "secret_set": kind == "webhook", "secrets": int(kind == "webhook"), "managed_by": by, "revision": 1,
                "created_at": world.time(-90 * DAY), "state": "ok", "failures": 0, "last_error": None, "paused_until": None, "last_delivery_at": world.time(-18 * MINUTE)} | changes
    return [
        one("ops", "webhook", "hooks.example.com", "config"),
        one("pager", "webhook", "pager.example", "api", state="failing", failures=2, last_error="pager.example answered 503 Service Unavailable", paused_until=world.time(9 * MINUTE)),
        one("team-chat", "slack", "hooks.slack.example", "api", last_delivery_at=None),
    ]


def routes():
    return [
        {"id": "1", "severity": ["critical"], "kind": [], "labels": {}, "events": [], "channels": ["ops", "pager"], "managed_by": "config", "revision": 1},
        {"id": "2", "severity": ["warning", "critical"], "kind": ["certificate.expiry"], "labels": {"app": "shop"}, "events": ["key.changed"], "channels": ["team-chat"], "managed_by": "api", "revision": 2},
    ]


def tokens(world):
    def one(number, name, role, state, expires=None, revoked=None, used=None):
        return {"id": str(number), "name": name, "role": role, "created_at": world.time(-40 * DAY), "expires_at": expires and world.time(expires), "revoked_at": revoked and world.time(revoked),
                "last_used_at": used and world.time(used), "state": state}
    if not world.tokens:
        return []
    return [one(1, "Anna", "admin", "valid", used=-2 * MINUTE), one(2, "wall screen", "viewer", "valid", expires=30 * DAY), one(3, "old laptop", "editor", "revoked", revoked=-9 * DAY, used=-10 * DAY)]


def audit(world):
    def one(number, age, name, via, role, action, kind, identifier, title, changes):
        return {"id": str(number), "at": world.time(-age), "actor": {"name": name, "via": via, "role": role}, "address": "192.0.2.4" if via == "session" else None, "action": action,
                "object": {"type": kind, "id": identifier, "name": title}, "changes": changes}
    return [
        one(9, 4 * MINUTE, "Anna", "session", "admin", "channel.update", "channel", "pager", "pager", {"secret": {"from": "<secret>", "to": "<secret>"}, "allow_private": {"from": False, "to": True}}),
        one(8, HOUR, "Anna", "session", "admin", "silence.create", "silence", "1", "silent.example", {"ends_at": {"from": None, "to": world.time(3 * HOUR)}}),
        one(7, 5 * HOUR, "SIGHUP", "signal", "admin", "settings.reload", "settings", "settings", CONFIG_FILE,
            {"configuration": {"from": None, "to": [{"section": "targets", "name": "old.example.com:443", "what": "removed", "detail": ""}, {"section": "scan", "name": "period", "what": "changed", "detail": "5m → 10m"}]}}),
        one(6, 2 * DAY, "A. Ruiz", "token", "editor", "target.update", "target", "1", HOSTILE, {"labels.app": {"from": "shop", "to": "bank"}, "paused": {"from": False, "to": True}}),
        one(5, 40 * DAY, "command line", "command", "admin", "token.create", "token", "1", "Anna", {}),
    ]


def settings(world):
    return {
        "managed_by": "config", "config_file": CONFIG_FILE, "version": "0.2.0", "listen": "127.0.0.1:8080", "public_url": None, "database": "/var/lib/pinwatch/pinwatch.db", "tls": False, "trusted_proxies": [],
        "secret_key": True, "environments": ["production", "staging"],
        "scan": {"period_s": 300, "timeout_s": 10, "addresses": "all", "max_addresses": 16, "in_flight": 512, "allow_ports": [443, 8443], "deny_addresses": ["169.254.0.0/16", "fe80::/10"]},
        "trust_stores": ["system", "corp"], "thresholds": {"near_s": 21 * 86400, "soon_s": 10 * 86400, "imminent_s": 3 * 86400, "lead_time_s": 30 * 86400, "failing_after": 3, "flap_window_s": 3600},
        "retention": {"spans_s": 730 * 86400, "events_s": 365 * 86400, "deliveries_s": 90 * 86400}, "loaded_at": world.time(-5 * HOUR), "restart_needed": [],
    }
