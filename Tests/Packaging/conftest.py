import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The service and the hosts that it watches are those of the end-to-end tests.
sys.path.append(str(ROOT / "Tests/EndToEnd"))
