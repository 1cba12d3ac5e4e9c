"""The image's last stage runs, as packaging/prove-image makes it without a container engine."""

import os
import shutil
import subprocess

import pytest
import service
from conftest import ROOT


def reason_not_to():
    if os.geteuid() != 0:
        return "making another root folder wants root"
    if shutil.which("mmdebstrap") is None:
        return "mmdebstrap is not installed"
    spaces = subprocess.run(["unshare", "--mount", "--pid", "--net", "--fork", "true"], capture_output=True, text=True)
    return f"no namespaces of its own: {spaces.stderr.strip()}" if spaces.returncode != 0 else None


@pytest.mark.timeout(600)
def test_the_image_is_made_and_runs_with_a_read_only_root():
    if reason := reason_not_to():
        pytest.skip(reason)
    done = subprocess.run([ROOT / "packaging/prove-image", "--program", service.BINARY], capture_output=True, text=True, timeout=590)
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("The image runs.\n")
