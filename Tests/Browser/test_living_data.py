"""Data that change while they are read, a service that is lost, and a session that ends."""

import time

from browser import SHOWN_AGAIN, quiet, until
from playwright.sync_api import expect
from signed import listening, told


def test_a_change_arrives_without_reloading(bench):
    page = bench.visit().ready()
    world = listening(bench, page)
    quiet(page)
    before = len(world.requests)
    page.wait_for_timeout(1_500)
    assert len(world.requests) == before, "nothing is asked while the stream is silent"
    world.happened("cdn.example.com went back to its earlier key.")
    expect(page.locator(".feed li").first).to_contain_text("went back to its earlier key")
    assert page.locator(".feed .pill").count() == 0


def test_a_burst_of_changes_is_asked_for_once_a_second(bench):
    page = bench.visit().ready()
    world = listening(bench, page)
    quiet(page)
    before, began = world.requests.count("/api/v1/summary"), time.monotonic()
    for _ in range(60):
        world.changed("targets", "findings")
        page.wait_for_timeout(50)
    page.wait_for_timeout(1_500)
    asked = world.requests.count("/api/v1/summary") - before
    assert 2 <= asked <= time.monotonic() - began + 2, asked


def test_without_a_stream_it_is_asked_every_15_seconds(bench):
    world = bench.serve()
    # A clock that was taken over is not given back.
    visit = bench.visit(alone=True)
    page = visit.page
    page.clock.install()
    world.streaming = False
    page.reload()
    visit.ready()
    quiet(page)
    before = world.requests.count("/api/v1/summary")
    page.clock.fast_forward(16_000)
    until(page, lambda: world.requests.count("/api/v1/summary") > before, "it was asked again")
    visit.clean(allowed=["503"])


def test_new_rows_wait_while_the_feed_is_read(bench):
    page = bench.visit(viewport={"width": 1280, "height": 300}).ready()
    world = listening(bench, page)
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
    page = bench.visit("#/targets/1").ready()
    world = listening(bench, page)
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
    page = bench.visit("#/targets").ready()
    world = listening(bench, page)
    page.keyboard.press("/")
    for letter in "service-02":
        page.keyboard.type(letter)
        world.changed("targets")
    expect(page.locator(".paging")).to_contain_text("1–10 of 10 targets")
    assert page.locator("#search").input_value() == "service-02"
    page.keyboard.press("Escape")
    expect(page.locator(".paging")).to_contain_text("of 312 targets")


def test_unchanged_answers_are_not_sent_again(bench):
    visit = bench.visit()
    page = visit.ready()
    quiet(page)
    with page.expect_response(lambda response: "/findings" not in response.url and "/alerts" in response.url) as answered:
        told(bench, page, "alerts")
    assert answered.value.status == 304
    visit.clean()


def test_a_hidden_tab_asks_nothing(bench):
    page = bench.visit().ready()
    world = listening(bench, page)
    quiet(page)
    page.evaluate("Object.defineProperty(document, 'hidden', { configurable: true, get: () => true }); " + SHOWN_AGAIN)
    before = len(world.requests)
    world.changed("targets")
    page.wait_for_timeout(1_500)
    assert len(world.requests) == before
    page.evaluate("delete document.hidden; " + SHOWN_AGAIN)
    until(page, lambda: len(world.requests) > before, "a tab that is shown again asked")


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
