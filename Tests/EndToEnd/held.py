"""Which tests hold a case: each is named by its file, from Tests, and its own name."""

import ast
import functools

from service import ROOT


@functools.cache
def python_tests(path):
    return {node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)}


def missing(tests):
    """Those of the tests that are not there."""
    return [test for test in tests if not is_there(*test.split(":", 1))]


def is_there(file, name):
    path = ROOT / "Tests" / file
    return name in (python_tests(path) if path.suffix == ".py" else path.read_text())
