"""Benches: the dashboard over invented data, and over a real service that watches a small world."""

import contextlib
import pathlib
import sys

import fixture_server
import pytest
from browser import CHROMIUM, Bench, Seat
from playwright.sync_api import expect, sync_playwright

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "EndToEnd"))
expect.set_options(timeout=10_000)


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield made
        made.close()


@pytest.fixture(scope="session")
def seat(browser):
    made = Seat(browser)
    yield made
    made.give_up()


class InventedBench(Bench):
    """Over invented data, which a test may change before and between its visits. They take one seat in turn."""

    def __init__(self, browser, stack, seat):
        super().__init__(browser, stack, base=None)
        self.seat, self.world = seat, None

    def serve(self, **options):
        self.world = fixture_server.World(**options)
        self.serve_again()
        return self.world

    def serve_again(self):
        """A new server over the same world, whose methods a test has replaced."""
        server = fixture_server.serve(self.world)
        self.stack.callback(server.server_close)
        self.stack.callback(server.shutdown)
        self.base = f"http://127.0.0.1:{server.server_port}/"

    def visit(self, fragment="", alone=False, **options):
        """With a page of its own where it is to be `alone`, or asks for what a page has for good."""
        if self.world is None:
            self.serve()
        if alone or options.keys() - {"viewport", "color_scheme"}:
            return super().visit(fragment, **options)
        # Before the server is gone, which the page would miss.
        self.stack.callback(self.seat.leave)
        return self.seat.take(**options).to(self.base, fragment, self.token)


@pytest.fixture
def stack():
    with contextlib.ExitStack() as made:
        yield made


@pytest.fixture
def bench(request, browser, stack, seat):
    failed = request.session.testsfailed
    yield InventedBench(browser, stack, seat)
    if request.session.testsfailed > failed:
        seat.give_up()


@pytest.fixture(scope="session")
def real_world(tmp_path_factory):
    """Hosts on loopback and the service that watches them, after one of them moved to a key that nobody pinned."""
    from small_world import SmallWorld
    made = SmallWorld(tmp_path_factory.mktemp("world"))
    try:
        made.start()
        yield made
    finally:
        made.stop()


@pytest.fixture
def real_bench(browser, stack, real_world):
    made = Bench(browser, stack, base=real_world.base)
    made.world = real_world
    return made


@pytest.fixture(params=["invented", pytest.param("real", marks=pytest.mark.xdist_group("small_world"))])
def any_bench(request):
    """For what holds for any data: over the invented, then over a real service."""
    made = request.getfixturevalue("bench" if request.param == "invented" else "real_bench")
    if request.param == "invented":
        made.serve()
    return made
