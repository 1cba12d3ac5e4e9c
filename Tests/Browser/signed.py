"""Visits of somebody who is signed in, and what every page of theirs has to stand."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

TOKEN = "pw_of_the_test"
PHONE = {"viewport": {"width": 360, "height": 740}}
WIDE = {"width": 1280, "height": 900}


def signed(bench, fragment, role="admin", **options):
    """A visit with a token of `role`, once the page named by the fragment is drawn."""
    if bench.world is None:
        bench.serve(token=TOKEN, role=role)
        bench.token = TOKEN
    visit = bench.visit(fragment, **options)
    expect(visit.page.locator("main h1")).to_be_visible()
    return visit


def accessible(page, what):
    # What slides in is fainter until it has arrived.
    page.evaluate("""Promise.race([
        Promise.allSettled(document.getAnimations().map((one) => one.finished)),
        new Promise((done) => setTimeout(done, 2000))])""")
    found = Axe().run(page)
    assert found.violations_count == 0, f"{what}: {found.generate_report()}"


def fits(page, what):
    """Nothing reaches beyond a narrow screen."""
    width = page.evaluate("innerWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= width, what
    wide = page.evaluate("""(width) => [...document.querySelectorAll('main *, dialog *, .toast *, #gate *')].filter(one => !one.closest('.hidden, pre, textarea, option')
        && one.getBoundingClientRect().right > width + 0.5).map(one => one.outerHTML.slice(0, 90))""", width)
    assert wide == [], (what, wide)


def stands(page, what):
    """What is shown is accessible in light and in dark, and fits a phone."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        accessible(page, f"{what}, {scheme}")
    page.set_viewport_size(PHONE["viewport"])
    fits(page, f"{what}, on a phone")
    page.set_viewport_size(WIDE)


def told(bench, page, *topics):
    """Tells the page by the stream, once it listens, that something of these topics was committed."""
    for _ in range(500):
        if bench.world.listeners:
            return bench.world.changed(*topics)
        page.wait_for_timeout(20)
    raise AssertionError("the page never opened the stream")


def notice(page):
    return page.locator(".toast")
