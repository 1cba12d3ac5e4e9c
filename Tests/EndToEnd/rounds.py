"""One round of a crash test: something moves, the service is stopped, looked at, killed, and started again."""

import signal
import sqlite3
import time

import audit
import crash

PATIENCE = 30
# The first pruning comes a minute after the start.
FIRST_PRUNING = 60

# Changes by the API alone get to the first place left out, where the store's own tests stop; and many hosts behind another
# authority to the others, where the tests of that do.
ELSEWHERE = {"store.manage.after_audit", "store.record.after_authority", "store.record.after_suspicion"}
POINTS = [point for point in crash.points() if point not in ELSEWHERE]
# Every scan, or every start, gets there: the change must be there before the service is.
BY_SCANS = {
    "monitor.submitted", "monitor.scanned", "monitor.assessed", "store.record.after_begin", "store.record.after_spans",
    "store.record.after_observations", "store.record.before_commit", "store.record.after_commit",
}
BY_STARTS = {point for point in POINTS if point.startswith(("store.synchronize.", "store.schedule.", "store.manage."))}
# Only a scan of a new key gets there, and only a judgement by the clock, which new pins make due.
BY_KEYS = {"monitor.recorded", "store.record.after_chain", "store.record.after_events", "store.record.after_upcoming"}
BY_PINS = {point for point in POINTS if point.startswith(("monitor.judged", "store.judge."))}
BY_FIRST_STARTS = {point for point in POINTS if point.startswith("store.open.")}
BY_TIME = {point for point in POINTS if point.startswith("store.prune.")}
# A message has arrived, and nothing says so yet: it must come again.
AFTER_SENDING = {
    "courier.after_send", "courier.before_record", "store.attempt.after_begin", "store.attempt.after_attempt",
    "store.attempt.after_delivery", "store.attempt.before_commit",
}


def first_round(rotation, point, tally):
    """Kills at a checkpoint while the database is being made."""
    service = rotation.start(stop_at=point)
    crash.wait_until(lambda: crash.is_stopped(service.process), PATIENCE, point)
    is_open, broken = finish(rotation, point)
    rotation.start()
    tally.add(point, audit.Audit(), rotation.settle(), is_open, broken)


def one_round(rotation, point, number, tally):
    """Kills at a checkpoint. Rounds differ in what moves, how much of it, and whether before the start or after."""
    before = audit.of(rotation)
    assert before.is_settled, before
    by_pins = point in BY_PINS or (number % 3 == 2 and point not in BY_KEYS | BY_SCANS | BY_TIME)
    if point in BY_STARTS:
        by_pins = number % 3 != 0
    is_live = point in BY_TIME or (number % 2 == 0 and not by_pins and point not in BY_SCANS | BY_STARTS)
    if not is_live:
        change(rotation, point, number, by_pins)
    seen = rotation.connections
    service = rotation.start(stop_at=point)
    if point in BY_TIME:
        time.sleep(FIRST_PRUNING - 1)
    if is_live:
        crash.wait_until(lambda: rotation.connections > seen, PATIENCE, "a first scan")
        change(rotation, point, number, by_pins)
    crash.wait_until(lambda: crash.is_stopped(service.process), PATIENCE, point)
    is_open, broken = finish(rotation, point)
    rotation.start()
    tally.add(point, before, rotation.settle(), is_open, broken)
    rotation.service.stop(kill=number % 2 == 1)


def change(rotation, point, number, by_pins):
    """Moves one host, or in every fifth round all."""
    hosts = rotation.hosts
    # The host that returns to its old certificate keeps its pins, and that certificate's end stays the first to come.
    if by_pins or point == "store.record.after_upcoming":
        hosts = hosts[1:]
    for host in hosts if number % 5 == 0 else [hosts[number % len(hosts)]]:
        host.swap_pins() if by_pins else host.swap_key()


def age_deliveries(rotation):
    """Gives pruning something to remove."""
    rotation.hosts[1].swap_key()
    rotation.start()
    assert rotation.settle().is_settled
    rotation.service.stop()
    with sqlite3.connect(rotation.database) as connection:
        assert connection.execute("UPDATE delivery SET created_at = created_at - 100 * 86400").rowcount


def one_kill(rotation, chance, tally):
    """Kills at no chosen place, after moving some of what the database has caught up with: at any time, or, as often,
    soon after a scan, where more is under way."""
    with audit.reading(rotation.database) as rows:
        caught_up = [host for host in rotation.hosts if audit.served(host, rows) == host.leaves[-1]]
    moving = [host for host in caught_up if chance.random() < 0.6]
    rotation.start(wait=False)
    time.sleep(chance.uniform(0, 1))
    for host in moving:
        host.swap_key()
    if chance.random() < 0.5:
        time.sleep(chance.uniform(0, 2))
    else:
        seen = rotation.connections
        crash.wait_until(lambda: rotation.connections > seen, PATIENCE, "a scan")
        time.sleep(chance.uniform(0, 0.1))
    stop(rotation)
    is_open, broken = finish(rotation)
    tally.add("any time", audit.Audit(), audit.Audit(), is_open, broken)


def stop(rotation):
    process = rotation.service.process
    process.send_signal(signal.SIGSTOP)
    crash.wait_until(lambda: crash.is_stopped(process), PATIENCE, "the stop")


def finish(rotation, point=None):
    """Kills the stopped service: whether it had a transaction open, and whether it leaves a broken database."""
    is_open = crash.holds_write_lock(rotation.database, rotation.service.process)
    place = point and crash.is_inside_a_transaction(point)
    assert place in (None, is_open), f"{point}: transaction open is {is_open}"
    assert rotation.service.stop(kill=True) == -signal.SIGKILL
    return is_open, crash.leaves_broken(rotation.database)
