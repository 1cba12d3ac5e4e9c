"""`kill -9` between any two steps from scan to settled delivery loses and doubles nothing.

Three hosts go out of their pins and come back, over and over, while the service that watches them is stopped at a
checkpoint, looked at, killed, and started again. Rounds are independent of each other, so many go side by side.
"""

import concurrent.futures
import contextlib
import os
import queue
import random

import pytest

import crash
import rounds
from rotation import Rotation
from tally import Tally

# At each place; CRASH_ROUNDS asks for more than every change can wait for.
ROUNDS = int(os.environ.get("CRASH_ROUNDS", "3"))
WORLDS = 12
RANDOM_WORLDS, RANDOM_KILLS = 8, 6
SEED = int(os.environ.get("PINWATCH_CRASH_SEED", random.randrange(1 << 32)))


@pytest.mark.timeout(900)
def test_a_service_killed_at_any_checkpoint_loses_and_doubles_nothing(tmp_path, capsys):
    work = [(point, number) for point in rounds.POINTS for number in range(ROUNDS)]
    random.Random(1).shuffle(work)
    waiting = queue.SimpleQueue()
    for one in work:
        if one[0] not in rounds.BY_TIME:
            waiting.put(one)
    tally = Tally()

    def world(folder, own):
        with begin(folder) as rotation:
            for point, number in own:
                if point in rounds.BY_FIRST_STARTS:
                    with Rotation(folder / f"{point}-{number}") as fresh:
                        rounds.first_round(fresh, point, tally)
                    continue
                if point in rounds.BY_TIME:
                    rounds.age_deliveries(rotation)
                rounds.one_round(rotation, point, number, tally)

    slow = [[one] for one in work if one[0] in rounds.BY_TIME]
    side_by_side(world, tmp_path, slow + [taken(waiting)] * WORLDS, tally, capsys)
    for point in rounds.POINTS:
        counts = tally.counts(point)
        assert counts.rounds == ROUNDS, f"{point} was hit {counts.rounds} times"
        assert crash.is_inside_a_transaction(point) in (None, counts.open == ROUNDS), f"{point}: {counts}"
        assert point not in rounds.AFTER_SENDING or counts.repeats >= ROUNDS, f"{point}: {counts}"


@pytest.mark.timeout(300)
def test_a_service_killed_at_any_time_loses_and_doubles_nothing(tmp_path, capsys):
    with capsys.disabled():
        print(f"\nPINWATCH_CRASH_SEED={SEED}")
    tally = Tally()

    def world(folder, chance):
        with begin(folder) as rotation:
            for _ in range(RANDOM_KILLS):
                rounds.one_kill(rotation, chance, tally)
            rotation.start()
            tally.settle("any time", rotation.settle())

    side_by_side(world, tmp_path, chances(RANDOM_WORLDS), tally, capsys)
    assert tally.counts("any time").rounds == RANDOM_WORLDS * RANDOM_KILLS


def side_by_side(world, folder, tasks, tally, capsys):
    """Plays the worlds at once, and shows the table whatever became of them."""
    with concurrent.futures.ThreadPoolExecutor(len(tasks)) as pool:
        futures = [pool.submit(world, folder / str(number), task) for number, task in enumerate(tasks)]
    with capsys.disabled():
        print(f"\n{tally}")
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


def chances(count):
    return [random.Random(SEED + number) for number in range(count)]


def begin(folder):
    """A world in which every host has been seen within its pins."""
    rotation = Rotation(folder)
    with contextlib.ExitStack() as leaving:
        leaving.enter_context(rotation)
        rotation.start()
        found = rotation.settle()
        assert found.is_settled, found
        rotation.service.stop()
        leaving.pop_all()
    return rotation
