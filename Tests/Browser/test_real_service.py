"""The page over a real service: what is broken stands there, what ends next, and the history of a key that moved."""

import pytest
from browser import PHONE, focused, quiet, walk
from playwright.sync_api import expect
from signed import accessible, fits
from small_world import EXPIRED, HEALTHY, HOSTILE, MOVED

# The world is made once, by who has these tests.
pytestmark = pytest.mark.xdist_group("small_world")


def test_what_is_broken_and_what_ends_next_is_shown(real_bench):
    visit = real_bench.visit()
    page = visit.ready()
    broken = page.locator(".rows .finding")
    expect(broken.filter(has_text=MOVED).filter(has_text="wallet")).to_have_count(1)
    expect(broken.filter(has_text=EXPIRED).filter(has_text="certificate ended")).to_have_count(1)
    expect(broken.filter(has_text=HEALTHY)).to_have_count(0)
    assert page.locator(".under .chip").first.inner_text() == "critical"
    expect(page.locator(".runway")).to_contain_text(HOSTILE)
    expect(page.locator(".feed li").filter(has_text=MOVED).first).to_be_visible()
    page.get_by_role("link", name="Targets", exact=True).click()
    expect(page.locator(".targets > tbody > tr")).to_have_count(4)
    visit.clean()


def test_the_history_of_a_swap_has_two_spans(real_bench):
    visit = real_bench.visit(f"#/targets/{real_bench.world.target(MOVED)}")
    page = visit.ready()
    expect(page.locator(".timeline .bar")).to_have_count(2)
    page.get_by_text("As a table").click()
    assert page.get_by_role("table", name="Keys served, one row per span").locator("tbody tr").count() == 2
    fills = page.locator(".timeline .bar rect").evaluate_all("all => new Set(all.map(one => getComputedStyle(one).fill)).size")
    assert fills == 2, "each key has its colour"
    visit.clean()


def test_the_keyboard_leads_from_the_search_to_a_certificate(real_bench):
    visit = real_bench.visit("#/targets")
    page = visit.ready()
    page.keyboard.press("/")
    page.keyboard.type(MOVED)
    expect(page.locator(".targets > tbody > tr")).to_have_count(1)
    target = real_bench.world.target(MOVED)
    walk(page, f"document.activeElement.id === 'target-{target}'")
    page.keyboard.press("Enter")
    expect(page.locator(".timeline .bar")).to_have_count(2)
    walk(page, f"document.activeElement.id.startsWith('bar-{target}-')")
    page.keyboard.press("End")
    newest = focused(page)
    page.keyboard.press("Enter")
    expect(page.locator(".details")).to_contain_text("Pin of the key")
    assert focused(page) == newest
    visit.clean()


def test_what_a_certificate_says_stays_text_and_fits(real_bench):
    visit = real_bench.visit(f"#/targets/{real_bench.world.target(HOSTILE)}")
    page = visit.ready()
    expect(page.get_by_role("heading", name="Worth knowing")).to_be_visible()
    page.locator(".chain .name").first.click()
    expect(page.locator(".details")).to_contain_text("<img src=x onerror=")
    assert page.evaluate("window.pwned") is None and page.locator("main img, main script").count() == 0
    assert "\u202e" not in page.locator("body").text_content()
    accessible(page, "a hostile certificate")
    page.set_viewport_size(PHONE)
    fits(page, "a hostile certificate, on a phone")
    visit.clean()


@pytest.mark.parametrize("page_of", ["overview", "targets", "target"])
def test_the_first_view_is_at_most_100_kilobytes(real_bench, page_of):
    fragment = {"overview": "", "targets": "#/targets", "target": f"#/targets/{real_bench.world.target(MOVED)}"}[page_of]
    visit = real_bench.visit(fragment, weighed=True)
    quiet(visit.ready())
    print(f"    {page_of}: {visit.bytes} bytes")
    assert 0 < visit.bytes <= 102_400, visit.bytes
