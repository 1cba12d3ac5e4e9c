"""The dashboard in headless Chromium, and what a test does there."""

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
        expect(self.page.locator("#sentence")).to_be_visible()
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


def expand_first(page):
    if page.locator(".expand[aria-expanded=true]").count() == 0:
        page.locator(".expand").first.click()
    expect(page.locator(".target").first).to_be_visible()
