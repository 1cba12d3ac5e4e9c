"""Visits of somebody who is signed in, and what every page of theirs has to stand."""

from axe_playwright_python.sync_playwright import Axe, AxeResults
from browser import PHONE, WIDE, until
from playwright.sync_api import expect

TOKEN = "pw_of_the_test"
AXE = Axe()
ALL = {"resultTypes": ["violations"]}
# The rules that a colour scheme may break.
COLOURS = ALL | {"runOnly": ["color-contrast", "link-in-text-block"]}


def signed(bench, fragment, role="admin", **options):
    """A visit with a token of `role`, once the page named by the fragment is drawn."""
    if bench.world is None:
        bench.serve(token=TOKEN, role=role)
        bench.token = TOKEN
    visit = bench.visit(fragment, **options)
    expect(visit.page.locator("main h1")).to_be_visible()
    return visit


def accessible(page, what, options=ALL):
    # What slides in is fainter until it has arrived.
    page.evaluate("""Promise.race([
        Promise.allSettled(document.getAnimations().map((one) => one.finished)),
        new Promise((done) => setTimeout(done, 2000))])""")
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(AXE.axe_script)
    found = AxeResults(page.evaluate("(options) => axe.run(options)", options))
    assert found.violations_count == 0, f"{what}: {found.generate_report()}"


def accessible_in_both_schemes(page, what):
    page.emulate_media(color_scheme="dark")
    accessible(page, f"{what}, dark", COLOURS)
    page.emulate_media(color_scheme="light")
    accessible(page, f"{what}, light")


def fits(page, what):
    """Nothing reaches beyond a narrow screen."""
    width = page.evaluate("innerWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= width, what
    wide = page.evaluate("""(width) => [...document.querySelectorAll('main *, dialog *, .toast *, #gate *')].filter(one => !one.closest('.hidden, .scroll, svg, thead, pre, textarea, option')
        && one.getBoundingClientRect().right > width + 0.5).map(one => one.outerHTML.slice(0, 90))""", width)
    assert wide == [], (what, wide)


def stands(page, what):
    """What is shown is accessible in light and in dark, and fits a phone."""
    accessible_in_both_schemes(page, what)
    page.set_viewport_size(PHONE)
    fits(page, f"{what}, on a phone")
    page.set_viewport_size(WIDE)


def listening(bench, page):
    """The world, once the page hears its stream."""
    until(page, lambda: bench.world.listeners, "the page opened the stream")
    return bench.world


def told(bench, page, *topics):
    """Tells the page by the stream, once it listens, that something of these topics was committed."""
    listening(bench, page).changed(*topics)


def notice(page):
    return page.locator(".toast")
