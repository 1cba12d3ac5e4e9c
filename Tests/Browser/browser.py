"""The dashboard in headless Chromium, and what a test does there."""

import json
import os

from playwright.sync_api import expect

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
WATCH = """
window.violations = [];
document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI));
"""
SHOWN_AGAIN = "document.dispatchEvent(new Event('visibilitychange'))"


class Visit:
    """A browser page on the dashboard, and what it complained of."""

    def __init__(self, browser, base, token=None, fragment="", **options):
        self.context = browser.new_context(**({"viewport": {"width": 1280, "height": 900}} | options))
        self.page = self.context.new_page()
        self.errors = []
        self.bytes = 0
        self.page.add_init_script(WATCH)
        if token:
            self.context.request.post(base + "api/v1/session", data={"token": token}, headers={"Origin": base.rstrip("/")})
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda message: message.type == "error" and self.errors.append(message.text))
        network = self.context.new_cdp_session(self.page)
        network.send("Network.enable")
        network.on("Network.loadingFinished", self.count)
        self.page.goto(base + fragment)

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


class Bench:
    """Visits to one service, each closed with the test."""

    def __init__(self, browser, stack, base, token=None):
        self.browser, self.stack, self.base, self.token = browser, stack, base, token

    def visit(self, fragment="", **options):
        made = Visit(self.browser, self.base, self.token, fragment, **options)
        self.stack.callback(made.context.close)
        return made


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
