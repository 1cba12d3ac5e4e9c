"""The dashboard in headless Chromium, and what a test does there."""

import json
import os

from playwright.sync_api import expect

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 740}
WATCH = """
window.violations = [];
document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI));
"""
SHOWN_AGAIN = "document.dispatchEvent(new Event('visibilitychange'))"


class Visit:
    """A browser page on the dashboard, and what it complained of; `weighed`, what it loaded too."""

    def __init__(self, browser, weighed=False, **options):
        self.context = browser.new_context(**({"viewport": WIDE} | options))
        self.page = self.context.new_page()
        self.errors = []
        self.bytes = 0
        self.page.add_init_script(WATCH)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda message: message.type == "error" and self.errors.append(message.text))
        if weighed:
            network = self.context.new_cdp_session(self.page)
            network.send("Network.enable")
            network.on("Network.loadingFinished", self.count)

    def to(self, base, fragment="", token=None):
        self.errors.clear()
        self.bytes = 0
        if token:
            self.context.request.post(base + "api/v1/session", data={"token": token}, headers={"Origin": base.rstrip("/")})
        self.page.goto(base + fragment)
        return self

    def count(self, event):
        self.bytes += event["encodedDataLength"]

    def ready(self):
        """The page, once what the fragment names is drawn."""
        expect(self.page.locator("main h1")).to_be_visible()
        return self.page

    def clean(self, allowed=()):
        """Nothing was refused by the policy and nothing was complained of, but for what the test provoked."""
        assert self.page.evaluate("violations") == [], self.page.evaluate("violations")
        left = [error for error in self.errors if not any(words in error for words in allowed)]
        assert left == [], left


class Seat:
    """A visit that is handed on from test to test, each with a server of its own: a new page costs more than most tests do on it."""

    def __init__(self, browser):
        self.browser, self.visit, self.taken = browser, None, False

    def take(self, viewport=WIDE, color_scheme="light"):
        self.taken = True
        self.visit = self.visit or Visit(self.browser)
        self.visit.page.set_viewport_size(viewport)
        self.visit.page.emulate_media(color_scheme=color_scheme)
        return self.visit

    def leave(self):
        """Nothing of this test runs on, and nothing that it left is found by the next; a page that does not let itself be left
        so is not handed on."""
        if not self.taken:
            return
        left, self.visit, self.taken = self.visit, None, False
        left.page.unroute_all(behavior="ignoreErrors")
        left.page.mouse.move(0, 0)
        # Ports come again, and with them what was stored at an address.
        left.page.evaluate("localStorage.clear(); sessionStorage.clear()")
        left.page.goto("about:blank")
        left.context.clear_cookies()
        left.context.clear_permissions()
        self.visit = left

    def give_up(self):
        """Who comes next has a new page."""
        if self.visit:
            self.visit.context.close()
        self.visit, self.taken = None, False


class Bench:
    """Visits to one service, each closed with the test."""

    def __init__(self, browser, stack, base, token=None):
        self.browser, self.stack, self.base, self.token = browser, stack, base, token

    def visit(self, fragment="", **options):
        made = Visit(self.browser, **options)
        self.stack.callback(made.context.close)
        return made.to(self.base, fragment, self.token)


def quiet(page):
    """Once nothing was asked for half a second; the stream does not count."""
    page.wait_for_load_state("networkidle")


def until(page, true, what):
    """Waits for what a server was asked or told."""
    for _ in range(1_500):
        if true():
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"in 30 s it never came to be that {what}")


def walk(page, arrived, steps=25):
    for _ in range(steps):
        page.keyboard.press("Tab")
        if page.evaluate(arrived):
            return
    raise AssertionError(f"Tab does not lead to where {arrived}")


def focused(page):
    return page.evaluate("document.activeElement.id")


def reach_target(bench, identifier="1", **options):
    """A visit to a target's page, once its history stands there."""
    made = bench.visit(f"#/targets/{identifier}", **options)
    expect(made.page.get_by_role("heading", level=1)).to_be_visible()
    expect(made.page.locator("#keys")).to_be_visible()
    return made


def longest_task(visit, address):
    """The longest task of the main thread on the way to an address, in milliseconds of processor time: on a machine that
    others use too, time on the clock says how long it waited for them."""
    browser = visit.context.browser
    browser.start_tracing(page=visit.page, categories=["toplevel", "devtools.timeline", "v8", "blink"])
    visit.page.goto(address)
    visit.page.wait_for_timeout(1_500)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    threads = {(one["pid"], one["tid"]) for one in events if one.get("name") == "thread_name" and one["args"]["name"] == "CrRendererMain"}
    return max(one.get("tdur", 0) for one in events if one.get("ph") == "X" and (one["pid"], one["tid"]) in threads) / 1_000
