"""A target's history, by mouse and by keyboard."""

from browser import focused, walk
from playwright.sync_api import expect


def test_a_target_opens_to_its_history(bench):
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


def test_the_keyboard_reaches_everything(bench):
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


def test_a_broken_row_leads_to_its_target_even_off_the_page_of_the_list(bench):
    page = bench.visit("#/?q=service-01").ready()
    page.get_by_role("link", name="Shop iOS 5.1 rejects api.example.com").click()
    expect(page.locator(".timeline .bar")).to_have_count(5)
    expect(page.locator("#target-1")).to_be_focused()
    expect(page.locator("#target-1")).to_be_in_viewport()


def test_a_pin_is_copied(bench):
    visit = bench.visit("#/?q=api.example&open=1", permissions=["clipboard-read", "clipboard-write"])
    page = visit.ready()
    page.locator(".chain .name").first.click()
    page.locator(".details .copy button").first.click()
    expect(page.locator(".details .copy button").first).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("sha256/") and len(copied) == 51, copied
