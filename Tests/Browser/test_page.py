#!/usr/bin/env python3
"""Drives the dashboard in headless Chromium.

    python3 test_page.py [NAME…]                         against invented data of fixture_server.py
    python3 test_page.py --base URL [--token TOKEN]      against a running service: the checks that hold for any data

Needs Debian's chromium, and playwright and axe-playwright-python from PyPI. Exits 1 if anything failed.
"""

import argparse
import contextlib
import os
import sys
import traceback

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

import fixture_server
from fixture_server import World

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
WATCH = """
window.violations = [];
document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI));
"""
SHOWN_AGAIN = "document.dispatchEvent(new Event('visibilitychange'))"
expect.set_options(timeout=10_000)
TESTS = []


def test(function=None, *, anywhere=False):
    """Registers a test; those that hold `anywhere` also run against a real service."""
    def register(function):
        TESTS.append((function, anywhere))
        return function
    return register(function) if function else register


class Visit:
    """A browser page on the dashboard, and what it complained of."""

    def __init__(self, browser, base, token=None, fragment="", **options):
        self.context = browser.new_context(**({"viewport": {"width": 1280, "height": 900}} | options))
        self.page = self.context.new_page()
        self.errors = []
        self.bytes = 0
        self.page.add_init_script(WATCH)
        if token:
            self.page.add_init_script(f"sessionStorage.setItem('pinwatch.token', {token!r})")
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda message: message.type == "error" and self.errors.append(message.text))
        network = self.context.new_cdp_session(self.page)
        network.send("Network.enable")
        network.on("Network.loadingFinished", self.count)
        self.page.goto(base + fragment)

    def count(self, event):
        self.bytes += event["encodedDataLength"]

    def ready(self):
        expect(self.page.locator("#sentence")).to_be_visible()
        return self.page

    def clean(self, allowed=()):
        """Nothing was refused by the policy and nothing was complained of, but for what the test provoked."""
        assert self.page.evaluate("violations") == [], self.page.evaluate("violations")
        left = [error for error in self.errors if not any(words in error for words in allowed)]
        assert left == [], left


class Bench:
    """What a test gets: visits to a world of its own, or to the service under test."""

    def __init__(self, browser, stack, base=None, token=None):
        self.browser, self.stack, self.base, self.token = browser, stack, base, token
        self.world = None

    def serve(self, **options):
        self.world = World(**options)
        server = fixture_server.serve(self.world)
        self.stack.callback(server.server_close)
        self.stack.callback(server.shutdown)
        self.base = f"http://127.0.0.1:{server.server_port}/"
        return self.world

    def visit(self, fragment="", **options):
        if self.base is None:
            self.serve()
        made = Visit(self.browser, self.base, self.token, fragment, **options)
        self.stack.callback(made.context.close)
        return made


# What is shown

@test(anywhere=True)
def the_answer_stands_first(bench):
    visit = bench.visit()
    page = visit.ready()
    assert page.locator("h1").count() == 1 and len(page.locator("#sentence").inner_text()) > 10
    for title in ("Broken now", "Ends next", "Recent changes", "Scanning", "Targets"):
        expect(page.get_by_role("heading", name=title).first).to_be_visible()
    assert page.locator(".under .chip").first.inner_text() in ("ok", "warning", "critical", "unknown")
    visit.clean()


@test
def broken_rows_say_who_what_since_when_and_what_to_do(bench):
    page = bench.visit().ready()
    expect(page.locator("#sentence")).to_have_text("Two releases are being rejected right now. Three more ends come within 30 days.")
    assert page.locator(".rows .finding").count() == 4
    first = page.locator(".finding").first.inner_text()
    for words in ("Shop iOS 5.1 rejects api.example.com", "3 of 8 addresses", "Move the 3 addresses back", "critical", "pin rejected", "31 % of users", "18 min"):
        assert words in first, (words, first)
    assert "stale: last known" in page.locator(".finding", has_text="silent.example").inner_text()
    assert page.title() == "(2) Pinwatch"
    since = page.locator(".finding .since time").first.get_attribute("title")
    assert since.endswith("UTC"), since


@test
def calm_is_said_in_words(bench):
    world = bench.serve()
    world.calm = True
    page = bench.visit().ready()
    expect(page.get_by_text("Nothing is broken: no open finding is critical or a warning.")).to_be_visible()
    assert page.title() == "Pinwatch"


@test
def an_empty_service_teaches_the_next_step(bench):
    bench.serve().empty = True
    visit = bench.visit()
    page = visit.ready()
    assert page.get_by_text("in the configuration file").count() == 2
    expect(page.get_by_text("Nothing has changed since watching began.")).to_be_visible()
    visit.clean()


@test
def the_runway_has_a_mark_and_words_for_each_end(bench):
    page = bench.visit().ready()
    assert page.locator(".runway svg .mark").count() == 5
    assert page.locator(".runway svg .near .mark").count() == 3
    assert "9 d · pinning turns off" in page.locator(".runway svg").text_content()
    starts = page.locator(".runway svg .track").evaluate_all("all => all.map(one => +one.getAttribute('x2'))")
    assert starts == sorted(starts) and len(set(starts)) == 5, starts
    right = page.evaluate("Math.max(...[...document.querySelectorAll('.runway .reason')].map(one => one.getBoundingClientRect().right))")
    assert right <= page.locator(".runway").evaluate("one => one.getBoundingClientRect().right")


@test
def the_runway_is_a_list_where_it_is_narrow(bench):
    page = bench.visit(viewport={"width": 360, "height": 740}).ready()
    expect(page.locator(".runway svg")).to_be_hidden()
    assert page.locator(".ends li").first.inner_text().startswith("9 days left")


@test
def quiet_changes_are_marked(bench):
    page = bench.visit().ready()
    assert page.locator(".feed > li").count() == 4
    assert page.locator(".feed > li", has_text="quiet").count() == 1
    assert "99.8 %" in page.locator(".numbers").inner_text()
    assert "same key" in page.locator(".feed > li", has_text="quiet").inner_text()


@test
def targets_show_both_spellings_and_page_on(bench):
    page = bench.visit().ready()
    rows = page.locator(".targets > tbody > tr")
    expect(rows).to_have_count(50)
    expect(page.locator(".paging")).to_contain_text("1–50 of 312 targets")
    page.get_by_role("link", name="Next").click()
    expect(page.locator(".paging")).to_contain_text("51–100 of 312 targets")
    assert "cursor=" in page.url
    page.go_back()
    expect(page.locator(".paging")).to_contain_text("1–50 of 312 targets")
    page.keyboard.press("/")
    page.keyboard.type("bücher")
    expect(rows).to_have_count(1)
    assert "bücher.example" in rows.inner_text() and "xn--bcher-kva.example" in rows.inner_text()
    assert "q=b%C3%BCcher" in page.url


@test
def state_and_order_are_chosen_and_stand_in_the_address(bench):
    page = bench.visit().ready()
    page.get_by_role("button", name="critical 2").click()
    expect(page.locator(".targets > tbody > tr")).to_have_count(2)
    page.get_by_role("button", name="Host").click()
    expect(page.locator(".targets > tbody > tr").first).to_contain_text("pay.partner.example")
    assert "state=critical" in page.url and "sort=-host" in page.url
    assert page.locator(".targets th[aria-sort=descending]").inner_text().startswith("Host")


@test
def what_is_unknown_is_said_to_be_unknown(bench):
    page = bench.visit("#/?q=service-010&open=10").ready()
    row = page.locator(".targets > tbody > tr").first
    assert "no certificate seen" in row.inner_text() and "not yet" in row.inner_text()
    expect(page.get_by_text("No certificate has been seen here yet")).to_be_visible()
    assert "1970" not in page.locator("main").inner_text()


# History

@test
def a_target_opens_to_its_history(bench):
    visit = bench.visit("#/?q=api.example")
    page = visit.ready()
    page.locator("#target-1").click()
    expect(page.locator(".timeline .bar")).to_have_count(5)
    assert "open=1" in page.url
    lanes = page.locator(".timeline .addresses").all_text_contents()
    assert lanes == ["5 addresses", "3 addresses", "8 addresses"], lanes
    colours = page.locator(".timeline .bar rect").evaluate_all("all => new Set(all.map(one => getComputedStyle(one).fill)).size")
    assert colours == 4, colours
    assert "back 1×" in page.locator(".timeline").text_content()
    now = page.locator(".timeline .today").evaluate("one => +one.getAttribute('x1')")
    for end in page.locator(".timeline .bar[id$=now] rect").evaluate_all("all => all.map(one => +one.getAttribute('x') + +one.getAttribute('width'))"):
        assert abs(end - now) < 0.5, (end, now)
    page.get_by_role("button", name="30 d").click()
    expect(page.locator(".timeline .bar")).to_have_count(4)
    assert "range=30d" in page.url
    page.get_by_text("As a table").click()
    assert page.locator("table.plain tbody tr").count() == 5
    assert "192.0.2.3" in page.locator("table.plain").inner_text()
    assert page.locator("ul.addresses > li").count() == 8
    visit.clean()


@test
def the_keyboard_reaches_everything(bench):
    page = bench.visit().ready()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    page.keyboard.type("api.example")
    expect(page.locator(".targets > tbody > tr")).to_have_count(1)
    walk(page, "document.activeElement.id === 'target-1'")
    page.keyboard.press("Enter")
    expect(page.locator(".timeline .bar")).to_have_count(5)
    assert page.locator("#target-1").get_attribute("aria-expanded") == "true"
    walk(page, "document.activeElement.id.startsWith('bar-1-')")
    page.keyboard.press("Home")
    oldest = focused(page)
    page.keyboard.press("ArrowRight")
    assert focused(page) != oldest
    page.keyboard.press("End")
    assert focused(page) == "bar-1-1-new", focused(page)
    page.keyboard.press("ArrowUp")
    assert focused(page) == "bar-1-1-now", focused(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert focused(page).startswith("bar-1-1-rsa"), focused(page)
    before = page.locator(".timeline .axis").text_content()
    page.keyboard.press("+")
    page.keyboard.press("+")
    page.keyboard.press("+")
    assert page.locator(".timeline .axis").text_content() != before
    page.keyboard.press("Enter")
    expect(page.locator(".details")).to_contain_text("Pin of the key")
    assert page.locator(".details").count() == 1 and focused(page).startswith("bar-1-1-rsa")
    assert page.locator(".timeline .bar[tabindex='0']").count() == 1


def walk(page, arrived, steps=25):
    for _ in range(steps):
        page.keyboard.press("Tab")
        if page.evaluate(arrived):
            return
    raise AssertionError(f"Tab does not lead to where {arrived}")


def focused(page):
    return page.evaluate("document.activeElement.id")


@test
def a_broken_row_leads_to_its_target_even_off_the_page_of_the_list(bench):
    page = bench.visit("#/?q=service-01").ready()
    page.get_by_role("link", name="Shop iOS 5.1 rejects api.example.com").click()
    expect(page.locator(".timeline .bar")).to_have_count(5)
    expect(page.locator("#target-1")).to_be_focused()
    expect(page.locator("#target-1")).to_be_in_viewport()


@test
def a_pin_is_copied(bench):
    visit = bench.visit("#/?q=api.example&open=1", permissions=["clipboard-read", "clipboard-write"])
    page = visit.ready()
    page.locator(".chain .name").first.click()
    page.locator(".details .copy button").first.click()
    expect(page.locator(".details .copy button").first).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("sha256/") and len(copied) == 51, copied


# Hostile text

@test
def hostile_text_stays_text(bench):
    visit = bench.visit("#/?q=hostile&open=6")
    page = visit.ready()
    page.locator(".chain .name").first.click()
    expect(page.locator(".details")).to_contain_text("Unreadable")
    assert page.evaluate("window.pwned") is None
    assert page.locator("main script, main img").count() == 0
    body = page.locator("main").text_content()
    for shown in ("<script>window.pwned = 1</script>", "\\u202e", "\\u0000", "\\u200b", "\\u2066", "https://odd.example/", "-05", "and 9,985 more"):
        assert shown in body, shown
    hidden = page.evaluate("""() => {
        const values = [document.body.textContent];
        for (const one of document.querySelectorAll('*')) for (const name of one.getAttributeNames()) values.push(one.getAttribute(name));
        return values.join('').match(/[\\u0000-\\u0008\\u000e-\\u001f\\u200b-\\u200f\\u202a-\\u202e\\u2066-\\u2069]/)?.length ?? 0;
    }""")
    assert hidden == 0
    assert "a" * 500 not in body and page.locator(".names > li").count() == 21
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    visit.clean()


@test(anywhere=True)
def the_policy_forbids_what_it_should(bench):
    visit = bench.visit()
    page = visit.ready()
    policy = page.request.get(bench.base).headers["content-security-policy"]
    for part in ("default-src 'none'", "script-src 'self'", "style-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"):
        assert part in policy, policy
    assert "unsafe" not in policy
    assert page.locator("[style], [onclick], script:not([src]), style").count() == 0
    visit.clean()


# Form

@test(anywhere=True)
def nothing_scrolls_sideways_on_a_phone(bench):
    page = bench.visit(viewport={"width": 360, "height": 740}).ready()
    expand_first(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    wide = page.evaluate("""[...document.querySelectorAll('main *')].filter(one => !one.closest('.scroll, svg, .hidden, .ends, thead')
        && one.getBoundingClientRect().right > 360.5).map(one => one.outerHTML.slice(0, 90))""")
    assert wide == [], wide


def expand_first(page):
    if page.locator(".expand[aria-expanded=true]").count() == 0:
        page.locator(".expand").first.click()
    expect(page.locator(".target").first).to_be_visible()


@test(anywhere=True)
def axe_finds_nothing(bench):
    for options in ({"color_scheme": "light"}, {"color_scheme": "dark"}, {"viewport": {"width": 360, "height": 740}}):
        page = bench.visit(**options).ready()
        expand_first(page)
        found = Axe().run(page)
        assert found.violations_count == 0, f"{options}: {found.generate_report()}"


@test
def axe_finds_nothing_in_details_of_hostile_text(bench):
    page = bench.visit("#/?q=hostile&open=6", color_scheme="dark").ready()
    page.locator(".chain .name").first.click()
    expect(page.locator(".details")).to_be_visible()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@test
def key_colours_can_be_seen_and_read_in_both_schemes(bench):
    for scheme in ("light", "dark"):
        page = bench.visit(color_scheme=scheme).ready()
        worst = page.evaluate("""() => {
            const light = (rgb) => rgb.match(/[\\d.]+/g).slice(0, 3).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
                .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
            const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
            const panel = getComputedStyle(document.querySelector('.panel')).backgroundColor;
            const probe = document.body.appendChild(document.createElement('span'));
            const values = [];
            for (const key of ['0', '1', '2', '3', '4', '5', '6', '7', 'none']) {
                probe.className = 'square key-' + key;
                probe.style.setProperty('color', 'var(--on-key)');
                const style = getComputedStyle(probe);
                values.push([ratio(style.backgroundColor, panel) / 3, ratio(style.backgroundColor, style.color) / 4.5]);
            }
            return Math.min(...values.flat());
        }""")
        assert worst >= 1, (scheme, worst)


@test
def the_scheme_can_be_chosen_and_is_kept(bench):
    page = bench.visit(color_scheme="light").ready()
    back = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(back)
    page.get_by_label("Colours").select_option("dark")
    dark = page.evaluate(back)
    assert light != dark
    page.reload()
    expect(page.locator("#sentence")).to_be_visible()
    assert page.evaluate(back) == dark
    assert page.get_by_label("Colours").input_value() == "dark"


@test(anywhere=True)
def the_first_view_is_small(bench):
    visit = bench.visit()
    page = visit.ready()
    expect(page.locator(".paging")).to_be_visible()
    page.wait_for_load_state("networkidle")
    nodes = page.evaluate("document.querySelectorAll('*').length")
    print(f"    {nodes} elements, {visit.bytes} bytes")
    assert nodes <= 2_000, nodes
    assert visit.bytes <= 100 * 1024, visit.bytes


# Living data

@test
def changes_arrive_without_moving_what_is_read(bench):
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


@test
def typing_is_never_disturbed(bench):
    page = bench.visit().ready()
    page.keyboard.press("/")
    for letter in "service-02":
        page.keyboard.type(letter)
        page.evaluate(SHOWN_AGAIN)
    expect(page.locator(".paging")).to_contain_text("1–10 of 10 targets")
    assert page.locator("#search").input_value() == "service-02"
    page.keyboard.press("Escape")
    expect(page.locator(".paging")).to_contain_text("of 312 targets")


@test
def unchanged_answers_are_not_sent_again(bench):
    visit = bench.visit()
    page = visit.ready()
    with page.expect_response(lambda response: "/summary" in response.url) as answered:
        pass
    assert answered.value.status == 304
    visit.clean()


@test
def a_hidden_tab_asks_nothing(bench):
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


@test
def a_lost_service_is_told_and_the_last_data_stay(bench):
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


@test
def a_token_is_asked_for_and_taken(bench):
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


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--base", help="a running service's address, such as http://127.0.0.1:8080/")
    arguments.add_argument("--token", help="a token for it")
    arguments.add_argument("names", nargs="*", help="only tests whose name contains one of these")
    chosen = arguments.parse_args()
    base = chosen.base and chosen.base.rstrip("/") + "/"
    passed = failed = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for function, anywhere in TESTS:
            if (base and not anywhere) or (chosen.names and not any(name in function.__name__ for name in chosen.names)):
                continue
            try:
                with contextlib.ExitStack() as stack:
                    function(Bench(browser, stack, base, chosen.token))
                passed += 1
                print(f"ok      {function.__name__.replace('_', ' ')}", flush=True)
            except Exception:
                failed += 1
                print(f"FAILED  {function.__name__.replace('_', ' ')}\n{traceback.format_exc()}", flush=True)
        browser.close()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
