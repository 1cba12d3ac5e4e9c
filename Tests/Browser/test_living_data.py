"""Data that change while they are read, a service that is lost, and signing in."""

from axe_playwright_python.sync_playwright import Axe
from browser import SHOWN_AGAIN
from playwright.sync_api import expect


def test_changes_arrive_without_moving_what_is_read(bench):
    world = bench.serve()
    page = bench.visit("#/?q=api.example&open=1").ready()
    expect(page.locator(".timeline .bar")).to_have_count(5)
    page.locator(".timeline .bar[tabindex='0']").focus()
    page.get_by_text("As a table").click()
    page.locator(".timeline .bar[tabindex='0']").focus()
    page.evaluate("window.bar = document.activeElement; window.place = bar.getBoundingClientRect().top")
    world.extra_events = [{"id": "200", "kind": "key.changed", "at": world.time(), "target_id": "2", "subject": "cdn.example.com", "class": "returned",
                           "quiet": True, "summary": "cdn.example.com went back to its earlier key.", "evidence": {}}]
    expect(page.get_by_text("went back to its earlier key")).to_be_attached()
    assert page.locator(".feed > li").first.inner_text().find("went back") > 0
    assert page.evaluate("document.activeElement === window.bar && bar.isConnected")
    assert page.locator("details").evaluate("one => one.open")
    moved = page.evaluate("Math.abs(bar.getBoundingClientRect().top - place)")
    assert moved < 2, moved


def test_typing_is_never_disturbed(bench):
    page = bench.visit().ready()
    page.keyboard.press("/")
    for letter in "service-02":
        page.keyboard.type(letter)
        page.evaluate(SHOWN_AGAIN)
    expect(page.locator(".paging")).to_contain_text("1–10 of 10 targets")
    assert page.locator("#search").input_value() == "service-02"
    page.keyboard.press("Escape")
    expect(page.locator(".paging")).to_contain_text("of 312 targets")


def test_unchanged_answers_are_not_sent_again(bench):
    visit = bench.visit()
    page = visit.ready()
    with page.expect_response(lambda response: "/summary" in response.url) as answered:
        pass
    assert answered.value.status == 304
    visit.clean()


def test_a_hidden_tab_asks_nothing(bench):
    world = bench.serve()
    page = bench.visit().ready()
    page.wait_for_load_state("networkidle")
    page.evaluate("Object.defineProperty(document, 'hidden', { configurable: true, get: () => true }); " + SHOWN_AGAIN)
    before = len(world.requests)
    page.wait_for_timeout(6_500)
    assert len(world.requests) == before
    page.evaluate("delete document.hidden; " + SHOWN_AGAIN)
    page.wait_for_load_state("networkidle")
    assert len(world.requests) > before


def test_a_lost_service_is_told_and_the_last_data_stay(bench):
    world = bench.serve()
    visit = bench.visit()
    page = visit.ready()
    expect(page.locator(".banner")).to_have_count(0)
    world.failing = True
    page.evaluate(SHOWN_AGAIN)
    expect(page.locator(".banner")).to_contain_text("The store cannot be read: the disk is full")
    expect(page.locator(".banner")).to_contain_text("What you see is from")
    expect(page.locator("#sentence")).to_be_visible()
    world.failing = False
    page.get_by_role("button", name="Try now").click()
    expect(page.locator(".banner")).to_have_count(0)
    visit.clean(allowed=["503"])


def test_a_token_is_asked_for_and_taken(bench):
    bench.serve(token="pw_correct")
    visit = bench.visit()
    page = visit.page
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    expect(page.locator("#token")).to_be_focused()
    assert Axe().run(page).violations_count == 0
    page.keyboard.type("pw_wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_text("That token was not accepted.")).to_be_visible()
    assert page.locator("#token").input_value() == "pw_wrong"
    page.locator("#token").fill("pw_correct")
    page.keyboard.press("Enter")
    expect(page.locator("#sentence")).to_be_visible()
    page.reload()
    expect(page.locator("#sentence")).to_be_visible()
    assert page.evaluate("Object.keys(localStorage).length") == 0
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert page.evaluate("sessionStorage.length") == 0 and page.locator("#sentence").count() == 0
    visit.clean(allowed=["401"])
