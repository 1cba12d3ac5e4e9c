"""docs/clients.md is true: its files are written, its commands are run, and they print what stands there.

Every section has a folder of its own with the chains of docs/examples. A fenced block with `file=NAME` is that file; in a
`console` block each line after `$ ` is a command, and what follows is what it prints, stderr included.
"""

import os
import pathlib
import re
import shutil
import subprocess

import pytest
from service import BINARY, ROOT

DOCUMENT = ROOT / "docs/clients.md"
CLIENTS = {
    "generic", "alamofire", "alamofire4", "trustkit-ios", "trustkit-android", "apple-pinned-domains", "android-nsc", "okhttp", "okhttp3",
    "curl", "wget", "urlsession", "afnetworking", "wultra-ios", "wultra-android", "hpkp"}
BLOCK = re.compile(r"^```(\S[^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECTIONS = re.split(r"^(?=## )", DOCUMENT.read_text(), flags=re.MULTILINE)


def title(section):
    return section.partition("\n")[0].strip("# ")


def commands(block):
    """Each command of a console block with what stands below it."""
    for one in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, printed = one.partition("\n")
        yield command, printed


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(ROOT / "docs/examples", tmp_path / "examples")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/pinwatch").symlink_to(pathlib.Path(BINARY).resolve())
    return tmp_path / "examples"


@pytest.mark.parametrize("section", SECTIONS, ids=title)
def test_a_section_prints_what_it_says(section, folder):
    status, ran = 0, 0
    for info, block in BLOCK.findall(section):
        name = re.search(r"file=(\S+)", info)
        if name:
            (folder / name[1]).write_text(block)
        for command, printed in commands(block) if info == "console" else ():
            # `$?` is the command's before it, as in a shell.
            done = subprocess.run(
                ["bash", "-c", f"(exit {status}); {command}"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                timeout=60, env={**os.environ, "PATH": f"{folder.parent / 'bin'}:{os.environ['PATH']}"})
            status, ran = done.returncode, ran + 1
            assert done.stdout == printed, command
    assert ran, "a section without a command"


def test_every_client_with_rules_has_a_section_with_an_answer_of_each_kind():
    sections = {title(section).rpartition("`")[0].rpartition("`")[2]: section for section in SECTIONS[1:]}
    assert set(sections) == CLIENTS
    for client, section in sections.items():
        verdicts = {line.split("  ")[0] for _, block in BLOCK.findall(section) for _, printed in commands(block) for line in printed.splitlines()}
        assert "accept" in verdicts, client
        assert verdicts & {"reject_pin", "reject_chain", "config_error", "unpinned by trap"}, client
        assert "**The trap" in section, client


def test_no_key_is_in_the_examples():
    for file in (ROOT / "docs/examples").iterdir():
        assert b"PRIVATE KEY" not in file.read_bytes()
