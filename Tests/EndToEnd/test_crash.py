"""`kill -9` between any two steps from scan to settled delivery loses and doubles nothing.

Three hosts go out of their pins and come back, over and over, while the service that watches them is stopped at a
checkpoint, looked at, killed, and started again. Rounds are independent of each other, so many go side by side.
"""

import concurrent.futures
import itertools
import os
import queue
import random
import signal
import sqlite3
import time

import pytest

import audit
import crash
from rotation import Rotation
from tally import Tally

ROUNDS = 10
WORLDS = int(os.environ.get("PINWATCH_CRASH_WORLDS", "12"))
SEED = int(os.environ.get("PINWATCH_CRASH_SEED", random.randrange(1 << 32)))
RANDOM_WORLDS, RANDOM_KILLS = 8, 6
PATIENCE = 30
# The first pruning comes a minute after the start.
FIRST_PRUNING = 60

# Every scan, or every start, gets there: the change must be there before the service is.
BY_SCANS = {
    "monitor.submitted", "monitor.scanned", "monitor.assessed", "store.record.after_begin", "store.record.after_spans",
    "store.record.after_observations", "store.record.before_commit", "store.record.after_commit",
}
BY_STARTS = {point for point in crash.points() if point.startswith(("store.judge.", "store.synchronize.", "store.schedule."))}
# Only a scan of a new key gets there, and only a judgement by the clock.
BY_KEYS = {"monitor.recorded", "store.record.after_chain", "store.record.after_events", "store.record.after_upcoming"}
BY_PINS = {"monitor.judged"}
BY_TIME = {point for point in crash.points() if point.startswith("store.prune.")}


def test_a_service_killed_at_any_checkpoint_loses_and_doubles_nothing(tmp_path):
    rounds = [(point, number) for point in crash.points() for number in range(ROUNDS)]
    random.Random(1).shuffle(rounds)
    slow = [one for one in rounds if one[0] in BY_TIME]
    work = queue.SimpleQueue()
    for one in rounds:
        if one not in slow:
            work.put(one)
    tally = Tally()

    def world(number, own):
        rotation = begin(tmp_path / f"{number}")
        try:
            for point, number in own:
                one_round(rotation, point, number, tally)
        finally:
            rotation.stop()

    tasks = [[one] for one in slow] + [taken(work)] * WORLDS
    side_by_side(world, tasks, tally)
    for point in crash.points():
        assert tally.rounds(point) >= ROUNDS, f"{point} was hit {tally.rounds(point)} times"
    assert tally.total.open >= ROUNDS * sum(bool(crash.is_inside_a_transaction(point)) for point in crash.points())


def test_a_service_killed_at_any_time_loses_and_doubles_nothing(tmp_path):
    print(f"\nPINWATCH_CRASH_SEED={SEED}")
    tally = Tally()

    def world(number, chance):
        rotation = begin(tmp_path / f"{number}")
        try:
            for _ in range(RANDOM_KILLS):
                one_kill(rotation, chance, tally)
            rotation.start()
            tally.settle("any time", rotation.settle())
        finally:
            rotation.stop()

    side_by_side(world, [random.Random(SEED + number) for number in range(RANDOM_WORLDS)], tally)
    assert tally.rounds("any time") == RANDOM_WORLDS * RANDOM_KILLS


def side_by_side(world, tasks, tally):
    with concurrent.futures.ThreadPoolExecutor(len(tasks)) as pool:
        futures = [pool.submit(world, number, task) for number, task in enumerate(tasks)]
    print(tally)
    for future in futures:
        future.result()
    total = tally.total
    assert (total.lost, total.doubled, total.broken, tally.faults) == (0, 0, 0, [])


def taken(work):
    """What is left of a queue that others take from too."""
    def take():
        try:
            return work.get_nowait()
        except queue.Empty:
            return None
    return iter(take, None)


def begin(folder):
    """A world in which every host has been seen within its pins."""
    rotation = Rotation(folder)
    rotation.start()
    found = rotation.settle()
    assert found.is_settled, found
    rotation.service.stop()
    return rotation


def one_round(rotation, point, number, tally):
    before = audit.of(rotation)
    by_pins = point in BY_PINS or (number % 3 == 2 and not point in BY_KEYS | BY_SCANS | BY_TIME)
    if point in BY_STARTS:
        by_pins = number % 3 != 0
    live = point in BY_TIME or (number % 2 == 0 and not by_pins and not point in BY_SCANS | BY_STARTS)
    if point in BY_TIME:
        age_deliveries(rotation)
    if not live:
        change(rotation, number, by_pins)
    seen = rotation.connections
    service = rotation.start(stop_at=point)
    if point in BY_TIME:
        time.sleep(FIRST_PRUNING - 1)
    if live:
        crash.wait_until(lambda: rotation.connections > seen, PATIENCE, "a first scan")
        change(rotation, number, by_pins)
    crash.wait_until(lambda: crash.is_stopped(service.process), PATIENCE, point)
    is_open = crash.holds_write_lock(rotation.database, service.process)
    assert crash.is_inside_a_transaction(point) in (None, is_open), f"{point}: transaction open is {is_open}"
    crash.kill(service)
    connection, broken = crash.remains(rotation.database)
    connection.close()
    rotation.start()
    tally.add(point, before, rotation.settle(), is_open, broken)
    rotation.service.stop(kill=number % 2 == 1)


def change(rotation, number, by_pins):
    """Moves one host, or in every fifth round all. The one that returns to its old certificate keeps its pins."""
    hosts = rotation.hosts[1:] if by_pins else rotation.hosts
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
    """Moves what the database has caught up with, some of it while the service runs, and kills at no chosen place."""
    with audit.reading(rotation.database) as rows:
        caught_up = [host for host in rotation.hosts if audit.served(host, rows) == host.leaves[-1]]
    moving = [host for host in caught_up if chance.random() < 0.6]
    service = rotation.start(wait=False)
    time.sleep(chance.uniform(0, 1))
    for host in moving:
        host.swap_key()
    time.sleep(chance.uniform(0, 2))
    service.process.send_signal(signal.SIGSTOP)
    crash.wait_until(lambda: crash.is_stopped(service.process), PATIENCE, "the stop")
    is_open = crash.holds_write_lock(rotation.database, service.process)
    crash.kill(service)
    connection, broken = crash.remains(rotation.database)
    connection.close()
    tally.add("any time", audit.Audit(), audit.Audit(), is_open, broken)
