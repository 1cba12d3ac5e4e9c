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


def test_the_build_context_has_what_the_build_stage_asks_for(tmp_path):
    """All but the compiler's work: the packages to install, the manifest with every folder that it names, and what is installed."""
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        if line.startswith("!"):
            copy(ROOT / line[1:], tmp_path / line[1:])
    described = subprocess.run(["swift", "package", "describe"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert described.returncode == 0, described.stderr
    for target in ("build", "install"):
        command = ["make", "--no-print-directory", target, "SWIFT=true", f"PROGRAM={service.BINARY}", f"DESTDIR={tmp_path}/image"]
        made = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
        assert made.returncode == 0, made.stdout + made.stderr
    assert (tmp_path / "image/usr/bin/pinwatch").exists()


def copy(source, place):
    place.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, place)
    else:
        shutil.copy(source, place)
