"""Addresses of pages, the way back, and what a role is offered."""

import pytest
from browser import focused, walk
from playwright.sync_api import expect

PAGES = [("#/", "Overview", None), ("#/targets", "Targets", "Targets"), ("#/targets/1", "api.example.com", "Targets"),
         ("#/pin-sets", "Pin sets", "Pin sets"), ("#/preflight", "Preflight", "Preflight"), ("#/alerts", "Alerts", "Alerts"), ("#/settings/channels", None, "Settings")]


@pytest.mark.parametrize(("fragment", "title", "name"), PAGES)
def test_each_page_has_its_address_its_title_and_its_place_in_the_bar(bench, fragment, title, name):
    visit = bench.visit(fragment)
    page = visit.ready()
    if title:
        assert page.title().endswith(f"{title} · Pinwatch"), page.title()
    current = page.locator(".pages [aria-current]")
    expect(current).to_have_count(1)
    assert current.inner_text().startswith(name or "Overview")
    assert page.locator("main h1").count() == 1
    visit.clean()


@pytest.mark.parametrize(("old", "new"), [("#/?open=1", "#/targets/1"), ("#/?q=api&open=3,1&range=1y", "#/targets/1?range=1y"),
                                          ("#/?q=api", "#/targets?host=api"), ("#/?state=critical&sort=-host", "#/targets?state=critical&sort=-host")])
def test_links_of_the_first_version_still_lead_there(bench, old, new):
    page = bench.visit(old).ready()
    page.wait_for_url(f"**/{new}")


@pytest.mark.parametrize("fragment", ["#/nowhere", "#/targets/99999", "#/targets/%E0%A4%A"])
def test_what_is_not_there_is_said_with_a_way_on(bench, fragment):
    visit = bench.visit(fragment)
    expect(visit.page.get_by_role("heading", name="Nothing is here")).to_be_visible()
    visit.page.get_by_role("link", name="Go to the overview").click()
    expect(visit.page.locator("#sentence")).to_be_visible()
    visit.clean(allowed=["404"])


def test_going_back_finds_the_place_that_was_left(bench):
    page = bench.visit("#/targets").ready()
    link = page.locator(".targets tbody a").nth(40)
    link.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    assert before > 500
    link.click()
    expect(page.locator("#keys")).to_be_visible()
    assert page.evaluate("scrollY") == 0
    assert page.evaluate("document.activeElement.tagName") == "H1"
    page.go_back()
    expect(page.locator(".targets tbody tr")).to_have_count(50)
    page.wait_for_function(f"Math.abs(scrollY - {before}) < 3")


def test_a_page_that_cannot_be_loaded_says_so_and_is_tried_again(bench):
    world = bench.serve()
    world.failing = True
    visit = bench.visit("#/targets")
    expect(visit.page.get_by_role("heading", name="This could not be loaded")).to_be_visible()
    expect(visit.page.get_by_text("The store cannot be read: the disk is full.")).to_be_visible()
    world.failing = False
    visit.page.get_by_role("button", name="Try again").click()
    expect(visit.page.locator(".targets tbody tr")).to_have_count(50)
    visit.clean(allowed=["503"])


@pytest.mark.parametrize(("role", "pages", "offered"), [("viewer", 5, False), ("editor", 5, True), ("admin", 6, True)])
def test_what_one_may_not_do_is_not_offered(bench, role, pages, offered):
    bench.serve(token="pw_right", role=role)
    bench.token = "pw_right"
    page = bench.visit("#/targets").ready()
    expect(page.locator(".pages a")).to_have_count(pages)
    expect(page.get_by_role("button", name="Add targets")).to_have_count(int(offered))
    page.goto(bench.base + "#/targets/6")
    expect(page.locator("#keys")).to_be_visible()
    for name in ("Scan now", "Edit", "Pause", "Delete"):
        expect(page.get_by_role("button", name=name)).to_have_count(int(offered))
    page.locator(".menu summary").click()
    expect(page.locator(".menu")).to_contain_text("Anna")
    expect(page.locator(".menu")).to_contain_text(role)


def test_what_the_file_sets_is_not_offered_for_change(bench):
    page = bench.visit("#/targets/1").ready()
    expect(page.get_by_text("set in the configuration file")).to_be_visible()
    expect(page.get_by_role("button", name="Scan now")).to_be_visible()
    for name in ("Edit", "Pause", "Delete"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)


def test_the_pages_are_reached_by_keyboard(bench):
    bench.serve(targets=5)
    page = bench.visit().ready()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    walk(page, "document.activeElement.textContent === 'Targets'")
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle + getComputedStyle(document.activeElement).outlineWidth")
    assert outline == "solid2px", outline
    page.keyboard.press("Enter")
    expect(page.locator(".targets tbody tr")).to_have_count(5)
    walk(page, "document.activeElement.matches('.menu summary')", steps=60)
    page.keyboard.press("Enter")
    expect(page.get_by_role("group", name="Colours")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("group", name="Colours")).to_be_hidden()
    assert page.evaluate("document.activeElement.matches('.menu summary')")
    page.keyboard.press("/")
    assert focused(page) == "search"


def test_the_search_leads_to_the_list_from_anywhere(bench):
    page = bench.visit("#/targets/1").ready()
    page.keyboard.press("/")
    page.keyboard.type("login")
    page.keyboard.press("Enter")
    expect(page.locator(".targets tbody tr")).to_have_count(1)
    assert page.url.endswith("#/targets?host=login")


def test_on_a_phone_the_pages_stand_at_the_bottom(bench):
    page = bench.visit("#/targets", viewport={"width": 360, "height": 740}).ready()
    box = page.locator(".pages").bounding_box()
    assert box["y"] + box["height"] == 740 and box["width"] == 360
    shown = page.locator(".pages a:visible")
    assert shown.count() == 5 and all(height >= 40 for height in shown.evaluate_all("all => all.map(one => one.getBoundingClientRect().height)"))
    assert shown.evaluate_all("all => Math.max(...all.map(one => one.getBoundingClientRect().right))") <= 360
    last = page.locator(".paging a").last
    last.scroll_into_view_if_needed()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert last.bounding_box()["y"] + 20 < box["y"], "the bar covers nothing of the page's end"
