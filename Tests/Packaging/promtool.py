"""Prometheus' own tool for rules, as .ci/promtool brings it."""

import subprocess

import pytest
from conftest import ROOT

PROMTOOL = ROOT / ".build/promtool"
needed = pytest.mark.skipif(not PROMTOOL.exists(), reason="promtool is not here; .ci/promtool brings it where apt-get does")


def promtool(*arguments, stdin=None):
    """What it says; fails unless it is content."""
    done = subprocess.run([PROMTOOL, *arguments], input=stdin, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
