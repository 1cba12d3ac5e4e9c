"""`pinwatch backup` beside a service at work, and what a restore brings back."""

import contextlib
import shutil
import sqlite3

import peers
import pki
import service
from world import World

COUNT = 50


class Fleet(World):
    """Many names at one host, scanned every second, some of which come by the API."""

    def __init__(self, folder):
        super().__init__(folder)
        self.first, self.key = self.authority.issue("*.shop.test")
        self.server = peers.Host(self.first)
        self.names = [f"h{number}.shop.test" for number in range(COUNT)]
        self.pin_file(pki.pin(self.key))

    def pin_file(self, pin):
        self.pins("shop", "h0.shop.test", pin, pki.pin(pki.new_key()))

    def configuration(self):
        targets = "".join(f"  - {{host: {name}, port: {self.server.port}, addresses: [127.0.0.1], trust_store: lab}}\n" for name in self.names)
        return super().configuration().replace("targets: []\n", f"targets:\n{targets}").replace(
            "period: 2s, timeout: 2s", f"period: 1s, timeout: 2s, allow_ports: [{self.server.port}]")

    def add(self, number):
        return self.service.send("POST", "/api/v1/targets", {
            "host": f"a{number}.shop.test", "port": self.server.port, "addresses": ["127.0.0.1"], "trust_store": "lab", "period_s": 3600}, 201)

    def backup(self, file, *more):
        return service.run("backup", file, "--config", self.service.config, *more,
                           environment={"OPS_URL": self.receiver.url, "OPS_SECRET": self.receiver.secret})

    def stop(self):
        self.server.stop()
        super().stop()


def rows(database, query):
    with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return connection.execute(query).fetchall()


def is_sound(database):
    return rows(database, "PRAGMA integrity_check") == [("ok",)] and not rows(database, "PRAGMA foreign_key_check")


def told(fleet):
    return [message["id"] for message in fleet.receiver.messages]


def state(made):
    """What a restore must bring back, as the API shows it."""
    alerts = [(one["id"], one["finding_key"], one["state"], one["opened_at"]) for one in made.items("alerts?limit=200")]
    # Hosts that came last are judged unpinned in their own time, after the copy it may be.
    findings = [(one["key"], one["since"]) for one in made.items("findings?limit=200") if one["kind"] != "host.unpinned"]
    target = next(one for one in made.items("targets?host=h0.shop.test") if one["host"] == "h0.shop.test")
    spans = [(one["id"], one["chain"], one["first_seen"]) for one in made.items(f"targets/{target['id']}/spans")]
    return {"alerts": alerts, "findings": findings, "spans": spans, "total": made.get("/api/v1/targets?limit=1")["total"]}


def test_a_backup_under_load_is_whole_and_restores(tmp_path):
    fleet = Fleet(tmp_path)
    try:
        made = fleet.start()
        # One that was never scanned is not stale either.
        peers.wait_until(lambda: sum(one["last_scan_at"] is not None for one in made.items("targets?limit=200")) == COUNT, 30, "the first scans")
        fleet.server.serve(fleet.authority.issue("*.shop.test")[0])
        fleet.receiver.wait(lambda message: message["type"] == "alert.opened", 10)
        peers.wait_until(lambda: all(one["state"] == "delivered" for one in made.items("deliveries")), 10, "the deliveries")
        copies = []
        for number in range(8):
            fleet.add(number)
            copies.append(tmp_path / f"copy{number}.db")
            status, out, err = fleet.backup(copies[-1])
            assert (status, err) == (0, "") and copies[-1].name in out
        for number, copy in enumerate(copies):
            assert is_sound(copy) and copy.stat().st_mode & 0o077 == 0
            names = {name for name, in rows(copy, "SELECT host FROM target")}
            assert {f"a{other}.shop.test" for other in range(number + 1)} <= names, "what was there before is in it"
        before, known = state(made), told(fleet)
        assert before["findings"] and before["alerts"] and len(before["spans"]) == 2
        made.send("DELETE", f"/api/v1/targets/{made.items('targets?host=a0.shop.test')[0]['id']}", status=204)

        assert made.stop() == 0
        for suffix in ("-wal", "-shm"):
            (tmp_path / f"pinwatch.db{suffix}").unlink(missing_ok=True)
        shutil.copyfile(copies[-1], tmp_path / "pinwatch.db")
        scans = fleet.server.connections
        fleet.start()
        assert state(fleet.service) == before
        peers.wait_until(lambda: fleet.server.connections > scans + 2 * COUNT, 20, "two rounds of scans")
        assert state(fleet.service)["alerts"] == before["alerts"] and told(fleet) == known, "what was delivered is not told again"
        fleet.server.serve(fleet.first)
        fleet.receiver.wait(lambda message: message["type"] == "alert.resolved", 10)
    finally:
        fleet.stop()


def test_a_backup_overwrites_only_when_told(world):
    world.host("api.shop.test")
    made = world.start()
    file = world.folder / "copy.db"
    arguments = ("--config", made.config)
    environment = {"OPS_URL": world.receiver.url, "OPS_SECRET": world.receiver.secret}
    file.write_text("somebody's")
    status, out, err = service.run("backup", file, *arguments, environment=environment)
    assert (status, out) == (2, "") and "copy.db" in err and err.count("\n") == 1 and file.read_text() == "somebody's"
    assert service.run("backup", file, *arguments, "--replace", environment=environment)[0] == 0 and is_sound(file)
    assert [one.name for one in world.folder.iterdir() if one.name.startswith("copy")] == ["copy.db"], "nothing is left beside it"
    for wrong in ([], [file, file], ["/nonexistent/copy.db"], [world.folder], [world.folder / "pinwatch.db", "--replace"]):
        status, out, err = service.run("backup", *wrong, *arguments, environment=environment)
        assert (status, out) == (2, "") and err.startswith("pinwatch: backup: ") and err.count("\n") == 1, wrong
    assert made.get("/readyz")["status"] == "ready" and is_sound(world.folder / "pinwatch.db")


def test_without_a_database_there_is_nothing_to_copy(tmp_path):
    (tmp_path / "pinwatch.yaml").write_text("database: pinwatch.db\ntargets: []\n")
    status, out, err = service.run("backup", tmp_path / "copy.db", "--config", tmp_path / "pinwatch.yaml")
    assert (status, out) == (2, "") and "pinwatch.db" in err
    assert [one.name for one in tmp_path.iterdir()] == ["pinwatch.yaml"]
