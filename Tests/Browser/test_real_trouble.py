"""A real service that is restarted, refuses, or has ended somebody's session, and what its dashboard makes of that."""

import json
import urllib.request

import pytest
from browser import Bench
from newcomer_world import NewcomerWorld
from playwright.sync_api import expect
from signed import notice

# The world is made once, by who has these tests.
pytestmark = pytest.mark.xdist_group("trouble")
PAGES = ["#/", "#/targets", "#/targets/1", "#/pin-sets", "#/pin-sets/1", "#/preflight", "#/runway", "#/alerts", "#/alerts?state=silenced", "#/settings", "#/settings/tokens"]
# What reads, opens or leaves, and so is everybody's.
HARMLESS = {"Sign out", "Copy", "Export", "Export as pins", "Show the original files", "Ask", "all", "critical", "warning", "unknown", "ok", "30 d", "90 d", "1 y", "Host ↑", "State", "Leaf ends", "Last scan"}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A newcomer's world in its second week: hosts, pins, and somebody of each role."""
    made = NewcomerWorld(tmp_path_factory.mktemp("trouble"))
    try:
        made.start()
        write(made, "targets", [{"host": "localhost", "port": host.port, "trust_store": "lab"} for host in made.hosts[:-1]])
        write(made, "pin-sets", {"source": made.pin_file()})
        made.tokens = {role: write(made, "tokens", {"name": f"a {role}", "role": role}) for role in ("viewer", "editor", "admin")}
        yield made
    finally:
        made.stop()


def write(world, path, body=None, method="POST"):
    request = urllib.request.Request(
        f"{world.base}api/v1/{path}", method=method, data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {world.token}", "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.loads(answer.read() or "null")


def signed_in(browser, stack, world, fragment="", role="admin"):
    visit = Bench(browser, stack, world.base, world.tokens[role]["token"]).visit(fragment)
    expect(visit.page.locator("main h1").first).to_be_visible()
    return visit


def open_page(page, address):
    """Anew, so that what is seen is of this address and not of the one before."""
    page.goto("about:blank")
    page.goto(address)
    expect(page.locator("main[aria-busy='false'] h1").first).to_be_visible()


@pytest.mark.parametrize(("role", "offered"), [("viewer", set()), ("editor", {"Add targets", "Add a pin set", "Scan now", "Silence", "New silence", "Pause", "Edit", "Delete", "Replace the file"})])
def test_nobody_is_offered_or_asks_for_what_their_role_is_refused(browser, stack, world, role, offered):
    visit = signed_in(browser, stack, world, role=role)
    page = visit.page
    refused = []
    page.on("response", lambda answer: refused.append(answer.url) if answer.status == 403 else None)
    expect(page.get_by_role("link", name="Settings")).to_have_count(0)
    seen = set()
    for fragment in PAGES:
        open_page(page, world.base + fragment)
        seen |= set(page.locator("main button:visible, main a.primary").all_inner_texts())
    named = {words for words in seen - HARMLESS if not words.startswith(("localhost", "Show all"))}
    assert named == offered, named
    assert refused == []
    visit.clean()


def test_a_page_says_that_the_service_is_away_and_recovers_by_itself(browser, stack, world):
    visit = signed_in(browser, stack, world)
    page = visit.page
    page.evaluate("window.sameDocument = true")
    world.service.stop()
    expect(page.locator(".banner")).to_contain_text("The service cannot be reached. What you see is from", timeout=30_000)
    expect(page.locator("#sentence")).to_be_visible()
    world.service.start(listen=f"127.0.0.1:{world.service.port}")
    expect(page.locator(".banner")).to_have_count(0, timeout=40_000)
    assert page.evaluate("window.sameDocument"), "the page was not loaded again"
    visit.clean(allowed=["ERR_CONNECTION_REFUSED", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET", "ERR_INCOMPLETE_CHUNKED_ENCODING", "503"])


def test_what_was_typed_outlives_a_token_that_is_revoked(browser, stack, world):
    token = write(world, "tokens", {"name": "short-lived", "role": "editor"})
    visit = Bench(browser, stack, world.base, token["token"]).visit("#/targets")
    page = visit.page
    page.get_by_role("button", name="Add targets").click()
    typed = f"localhost:{world.hosts[-1].port}"
    page.get_by_label("Hosts").fill(typed)
    expect(page.get_by_role("button", name="Add 1 target")).to_be_visible()
    write(world, f"tokens/{token['id']}", method="DELETE")
    page.get_by_role("button", name="Add 1 target").click()
    page.get_by_role("textbox", name="Token").fill(world.tokens["editor"]["token"])
    page.keyboard.press("Enter")
    assert page.get_by_role("dialog").get_by_label("Hosts").input_value() == typed
    assert "Bearer" not in page.get_by_role("dialog").inner_text()
    page.get_by_role("button", name="Add 1 target").click()
    expect(notice(page)).to_contain_text("1 target added")
    visit.clean(allowed=["401"])


def test_the_search_leads_from_every_page_to_the_targets_and_back(browser, stack, world):
    visit = signed_in(browser, stack, world)
    page = visit.page
    for fragment in PAGES:
        open_page(page, world.base + fragment)
        heading = page.locator("main h1").first.inner_text()
        page.keyboard.press("/")
        page.keyboard.type("no-such-host")
        page.keyboard.press("Enter")
        expect(page.get_by_text("No target’s host contains")).to_be_visible()
        if fragment != "#/targets":
            page.go_back()
            expect(page.locator("main h1").first).to_have_text(heading)
    open_page(page, f"{world.base}#/?open=1")
    expect(page.get_by_role("heading", level=1)).to_contain_text("localhost")
    assert page.url.endswith("#/targets/1")
    visit.clean()
