"""Visits of somebody who is signed in, and what every page of theirs has to stand."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

TOKEN = "pw_of_the_test"
SCHEMES = ({"color_scheme": "light"}, {"color_scheme": "dark"})
PHONE = {"viewport": {"width": 360, "height": 740}}


def signed(bench, fragment, role="admin", **options):
    """A visit with a token of `role`, once the page named by the fragment is drawn."""
    if bench.world is None:
        bench.serve(token=TOKEN, role=role)
        bench.token = TOKEN
    visit = bench.visit(fragment, **options)
    expect(visit.page.locator("main h1")).to_be_visible()
    return visit


def accessible(page, what):
    found = Axe().run(page)
    assert found.violations_count == 0, f"{what}: {found.generate_report()}"


def fits(page, what):
    """Nothing reaches beyond a narrow screen."""
    width = page.evaluate("innerWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= width, what
    wide = page.evaluate("""(width) => [...document.querySelectorAll('main *, dialog *, .toast *, #gate *')].filter(one => !one.closest('.hidden, pre, textarea, option')
        && one.getBoundingClientRect().right > width + 0.5).map(one => one.outerHTML.slice(0, 90))""", width)
    assert wide == [], (what, wide)


def everywhere(bench, fragments, role="admin"):
    """Every page by light, by dark and on a phone."""
    for fragment in fragments:
        for options in (*SCHEMES, PHONE):
            page = signed(bench, fragment, role, **options).page
            accessible(page, f"{fragment} {options}")
            fits(page, f"{fragment} {options}")


def notice(page):
    return page.locator(".toast")
