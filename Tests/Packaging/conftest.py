import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The service and the hosts that it watches are those of the end-to-end tests.
sys.path.append(str(ROOT / "Tests/EndToEnd"))


@pytest.fixture
def world(tmp_path):
    from world import World
    made = World(tmp_path)
    yield made
    made.stop()
