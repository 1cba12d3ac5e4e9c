"""What a service's database and its receiver hold, set against the steps that its hosts took."""

import dataclasses
import sqlite3


@dataclasses.dataclass
class Audit:
    """What is wrong."""

    lost: int = 0
    doubled: int = 0
    repeats: int = 0
    faults: list = dataclasses.field(default_factory=list)

    @property
    def is_settled(self):
        return not self.lost and not self.faults


def of(rotation):
    """Looks at the database first: what it calls delivered has arrived by then."""
    audit = Audit()
    with reading(rotation.database) as rows:
        for table in ["outbox", "delivery WHERE state <> 'delivered'"]:
            if count := rows(f"SELECT count(*) FROM {table}")[0][0]:
                audit.faults.append(f"{count} in {table}")
        told = audit_messages(rotation.receiver, audit)
        for host in rotation.hosts:
            audit_alerts(host, rows, told, audit)
            audit.faults += [f"{host.name}: {fault}" for fault in history_faults(host, rows)]
        strays = rows("SELECT key FROM finding WHERE kind <> 'pin.rejected'")
        audit.faults += [f"stray finding {key}" for key, in strays]
        for alert, type in told:
            kinds = rows("SELECT kind FROM alert WHERE id = ?", alert)
            audit.faults.append(f"stray message {type} of alert {alert}, {kinds}")
    return audit


def audit_messages(receiver, audit):
    """The ids under which each change of an alert was told."""
    with receiver.lock:
        messages = list(receiver.messages)
        bodies = {key: len(value) for key, value in receiver.bodies.items()}
        audit.faults += [f"refused: {error}" for error, *_ in receiver.refused]
    audit.repeats = len(messages) - len(bodies)
    audit.faults += [f"{key} came with {count} bodies" for key, count in bodies.items() if count != 1]
    told = {}
    for message in messages:
        for alert in message["data"]["alerts"]:
            told.setdefault((int(alert), message["type"]), set()).add(message["id"])
    return told


def audit_alerts(host, rows, told, audit):
    """Takes from `told` what must have been told of a host: each change once, under one id."""
    alerts = [id for id, in rows(
        "SELECT alert.id FROM alert JOIN target ON finding_key LIKE 'pin.rejected/' || target.id || '/%'"
        " WHERE target.host = ? ORDER BY alert.id", host.name)]
    audit.doubled += max(0, len(alerts) - host.opened)
    for kind, count in ("alert.opened", host.opened), ("alert.resolved", host.resolved):
        audit.lost += max(0, count - len(alerts))
        for alert in alerts[:count]:
            ids = told.pop((alert, kind), set())
            audit.lost += not ids
            audit.doubled += max(0, len(ids) - 1)


def history_faults(host, rows):
    """Spans, events, findings and their alerts, each once for every step."""
    events = rows(
        "SELECT evidence ->> '$.from.sha256', evidence ->> '$.to.sha256'"
        " FROM event JOIN target ON target.id = target_id WHERE host = ? AND kind IN ('key.changed', 'chain.changed') ORDER BY event.id", host.name)
    steps = list(zip(host.leaves, host.leaves[1:]))
    if events != steps:
        yield f"{len(events)} events for {len(steps)} changes of key"
    if served(host, rows) != host.leaves[-1]:
        yield "the newest key is not recorded"
    spans, flaps = rows(
        "SELECT count(*), sum(flaps) FROM span JOIN target ON target.id = target_id WHERE host = ?", host.name)[0]
    if (spans, flaps) != (len(set(host.leaves)), host.returned):
        yield f"{spans} spans and {flaps} flaps for {len(set(host.leaves))} chains and {host.returned} returns"
    findings = rows(
        "SELECT alert.state, alert.resolved_at FROM finding JOIN target ON target.id = finding.target_id"
        " LEFT JOIN alert ON alert.id = alert_id WHERE host = ?", host.name)
    if findings != ([("open", None)] if host.rejected else []):
        yield f"findings {findings} where rejected is {host.rejected}"
    open_alerts, = rows(
        "SELECT count(*) FROM alert JOIN target ON finding_key LIKE 'pin.rejected/' || target.id || '/%'"
        " WHERE host = ? AND resolved_at IS NULL", host.name)[0]
    if open_alerts != host.rejected:
        yield f"{open_alerts} open alerts where rejected is {host.rejected}"


def served(host, rows):
    """The leaf that the database takes the host to serve to phones."""
    found = rows(
        "SELECT lower(hex(sha256)) FROM observation JOIN target ON target.id = target_id"
        " JOIN chain_certificate link ON link.chain_id = observation.chain_id AND position = 0"
        " WHERE host = ? AND current = 1 AND profile = 'phone'", host.name)
    return found[0][0] if len(found) == 1 else None


class reading:
    """A database opened for reading, beside whoever writes it."""

    def __init__(self, path):
        self.connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=5)

    def __enter__(self):
        self.connection.execute("BEGIN")
        return lambda sql, *values: self.connection.execute(sql, values).fetchall()

    def __exit__(self, *_):
        self.connection.close()
