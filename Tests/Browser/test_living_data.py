"""Data that change while they are read, a service that is lost, and signing in."""

import time

from axe_playwright_python.sync_playwright import Axe
from browser import SHOWN_AGAIN
from playwright.sync_api import expect


def test_a_change_arrives_without_reloading(bench):
    world = bench.serve()
    page = bench.visit().ready()
    page.wait_for_timeout(300)
    before = len(world.requests)
    page.wait_for_timeout(2_500)
    assert len(world.requests) == before, "nothing is asked while the stream is silent"
    world.happened("cdn.example.com went back to its earlier key.")
    expect(page.locator(".feed li").first).to_contain_text("went back to its earlier key", timeout=3_000)
    assert page.locator(".feed .pill").count() == 0


def test_a_burst_of_changes_is_asked_for_once_a_second(bench):
    world = bench.serve()
    page = bench.visit().ready()
    page.wait_for_timeout(1_500)
    before, began = world.requests.count("/api/v1/summary"), time.monotonic()
    for _ in range(60):
        world.changed("targets", "findings")
        page.wait_for_timeout(50)
    page.wait_for_timeout(1_500)
    asked = world.requests.count("/api/v1/summary") - before
    assert 2 <= asked <= time.monotonic() - began + 2, asked


def test_without_a_stream_it_is_asked_every_15_seconds(bench):
    world = bench.serve()
    page = bench.visit()
    page.page.clock.install()
    world.streaming = False
    page.page.reload()
    page.ready()
    page.page.wait_for_timeout(500)
    before = world.requests.count("/api/v1/summary")
    page.page.clock.fast_forward(16_000)
    page.page.wait_for_timeout(1_000)
    assert world.requests.count("/api/v1/summary") > before
    page.clean(allowed=["503"])


def test_new_rows_wait_while_the_feed_is_read(bench):
    world = bench.serve()
    page = bench.visit(viewport={"width": 1280, "height": 300}).ready()
    page.evaluate("document.querySelector('#feed li:nth-child(3)').scrollIntoView({block: 'start'})")
    page.evaluate("window.row = document.querySelector('#feed li:nth-child(4)'); window.place = row.getBoundingClientRect().top")
    world.happened("first of two.")
    world.happened("second of two.")
    expect(page.get_by_role("button", name="2 new")).to_be_visible()
    assert page.get_by_text("second of two.").count() == 0
    assert page.evaluate("Math.abs(row.getBoundingClientRect().top - place)") < 2
    page.get_by_role("button", name="2 new").click()
    expect(page.locator("#feed li").first).to_contain_text("second of two.")
    expect(page.locator(".pill")).to_have_count(0)


def test_changes_move_nothing_that_is_read(bench):
    world = bench.serve()
    page = bench.visit("#/targets/1").ready()
    expect(page.locator(".timeline .bar")).to_have_count(5)
    page.get_by_text("As a table").click()
    page.locator(".timeline .bar[tabindex='0']").focus()
    page.evaluate("window.bar = document.activeElement; window.place = bar.getBoundingClientRect().top")
    world.happened("api.example.com went back to its earlier key.", target_id="1")
    expect(page.get_by_text("went back to its earlier key")).to_be_attached()
    assert page.evaluate("document.activeElement === window.bar && bar.isConnected")
    assert page.locator("details", has_text="As a table").evaluate("one => one.open")
    moved = page.evaluate("Math.abs(bar.getBoundingClientRect().top - place)")
    assert moved < 2, moved


def test_typing_is_never_disturbed(bench):
    world = bench.serve()
    page = bench.visit("#/targets").ready()
    page.keyboard.press("/")
    for letter in "service-02":
        page.keyboard.type(letter)
        world.changed("targets")
    expect(page.locator(".paging")).to_contain_text("1–10 of 10 targets")
    assert page.locator("#search").input_value() == "service-02"
    page.keyboard.press("Escape")
    expect(page.locator(".paging")).to_contain_text("of 312 targets")


def test_unchanged_answers_are_not_sent_again(bench):
    world = bench.serve()
    visit = bench.visit()
    page = visit.ready()
    page.wait_for_timeout(1_200)
    with page.expect_response(lambda response: "/findings" not in response.url and "/alerts" in response.url) as answered:
        world.changed("alerts")
    assert answered.value.status == 304
    visit.clean()


def test_a_hidden_tab_asks_nothing(bench):
    world = bench.serve()
    page = bench.visit().ready()
    page.wait_for_timeout(500)
    page.evaluate("Object.defineProperty(document, 'hidden', { configurable: true, get: () => true }); " + SHOWN_AGAIN)
    page.wait_for_timeout(200)
    before = len(world.requests)
    world.changed("targets")
    page.wait_for_timeout(2_500)
    assert len(world.requests) == before
    page.evaluate("delete document.hidden; " + SHOWN_AGAIN)
    page.wait_for_timeout(1_000)
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


def test_a_token_is_asked_for_and_a_cookie_is_kept(bench):
    bench.serve(token="pw_correct")
    visit = bench.visit()
    page = visit.page
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    expect(page.get_by_label("Token", exact=True)).to_be_focused()
    assert Axe().run(page).violations_count == 0
    page.keyboard.type("pw_wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_text("This token is not accepted").first).to_be_visible()
    assert page.get_by_label("Token", exact=True).input_value() == "pw_wrong"
    page.get_by_label("Token", exact=True).fill("pw_correct")
    page.keyboard.press("Enter")
    expect(page.locator("#sentence")).to_be_visible()
    page.reload()
    expect(page.locator("#sentence")).to_be_visible()
    kept = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
    assert "pw_" not in kept and "session" not in kept, kept
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert page.locator("#sentence").count() == 0
    visit.clean(allowed=["401"])


def test_a_session_that_ends_keeps_what_was_typed(bench):
    world = bench.serve(token="pw_correct")
    bench.token = "pw_correct"
    page = bench.visit("#/targets/6").ready()
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Labels").fill("team: typed before")
    world.sessions.cookies.clear()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.get_by_label("Token", exact=True).fill("pw_correct")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_label("Labels")).to_have_value("team: typed before")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("link", name="team: typed before")).to_be_visible()
    assert world.by_id["6"]["labels"]["team"] == "typed before"
