"""Targets: found, added from a pasted list, changed, scanned, deleted and brought back."""

from browser import walk
from playwright.sync_api import expect

PASTED = "https://Shop.Example.org/path?x=1, bücher.example.org:8443\napi.example.com  # ours\nshop.example.org\nbad_host\nodd.example:99"


def rows(page):
    return page.locator(".targets tbody tr")


def opened(bench, **options):
    visit = bench.visit("#/targets", **options)
    visit.ready().get_by_role("button", name="Add targets").click()
    expect(visit.page.get_by_role("dialog")).to_be_visible()
    return visit


def test_both_spellings_are_shown_and_the_list_pages_on(bench):
    page = bench.visit("#/targets").ready()
    expect(rows(page)).to_have_count(50)
    expect(page.locator(".paging")).to_contain_text("1–50 of 312 targets")
    page.get_by_role("link", name="Next").click()
    expect(page.locator(".paging")).to_contain_text("51–100 of 312 targets")
    assert "cursor=" in page.url
    page.go_back()
    expect(page.locator(".paging")).to_contain_text("1–50 of 312 targets")
    page.keyboard.press("/")
    page.keyboard.type("bücher")
    expect(rows(page)).to_have_count(1)
    assert "bücher.example" in rows(page).inner_text() and "xn--bcher-kva.example" in rows(page).inner_text()
    assert "host=b%C3%BCcher" in page.url
    page.reload()
    expect(rows(page)).to_have_count(1)
    assert page.locator("#search").input_value() == "bücher"


def test_filters_and_order_stand_in_the_address(bench):
    page = bench.visit("#/targets").ready()
    page.get_by_role("button", name="critical").click()
    expect(rows(page)).to_have_count(2)
    page.get_by_role("button", name="Host").click()
    expect(rows(page).first).to_contain_text("pay.partner.example")
    assert "state=critical" in page.url and "sort=-host" in page.url
    assert page.locator(".targets th[aria-sort=descending]").inner_text().startswith("Host")
    page.get_by_label("Whose").select_option("third_party")
    expect(rows(page)).to_have_count(1)
    page.get_by_label("Paused").select_option("true")
    expect(page.get_by_text("No target fits these filters.")).to_be_visible()
    page.get_by_role("link", name="Show all").click()
    expect(rows(page)).to_have_count(50)
    assert page.url.endswith("#/targets?sort=-host")
    page.go_back()
    expect(page.get_by_text("No target fits these filters.")).to_be_visible()


def test_a_label_leads_to_all_that_have_it(bench):
    bench.serve().by_id["6"]["labels"] = {"team": "web"}
    page = bench.visit("#/targets/6").ready()
    page.get_by_role("link", name="team: web").click()
    expect(rows(page)).to_have_count(1)
    page.get_by_label("No longer only team:web").click()
    expect(rows(page)).to_have_count(50)


def test_a_pasted_list_is_shown_as_understood_and_added(bench):
    world = bench.serve()
    visit = opened(bench)
    page = visit.page
    dialog = page.get_by_role("dialog")
    page.keyboard.type("x")
    page.keyboard.press("Backspace")
    page.keyboard.insert_text(PASTED)
    expect(dialog.get_by_text("2 new · 1 there already · 1 twice · 2 not understood")).to_be_visible()
    words = dialog.locator(".understood").inner_text()
    for part in ("shop.example.org:443", "bücher.example.org:8443", "xn--bcher-kva.example.org", "is watched already", "stands above already",
                 "“bad_host” is no host name", "port 99 is not among scan.allow_ports"):
        assert part in words, (part, words)
    dialog.get_by_label("Environment").select_option("staging")
    dialog.get_by_label("Labels").fill("app: shop")
    dialog.get_by_role("button", name="Add 2 targets").click()
    expect(dialog).to_have_count(0)
    expect(page.locator("#notices")).to_contain_text("2 targets added")
    expect(page.locator(".paging")).to_contain_text("of 314 targets")
    added = [one for one in world.targets if one["host"] == "shop.example.org"]
    assert added[0]["labels"] == {"app": "shop", "environment": "staging"} and added[0]["owner"] == "ours"
    page.get_by_role("button", name="Add targets").click()
    assert page.locator("textarea").input_value() == "bad_host\nodd.example:99", "what was not understood is kept"
    visit.clean()


def test_one_added_target_is_shown_at_once(bench):
    visit = opened(bench)
    page = visit.page
    page.keyboard.insert_text("fresh.example.org")
    page.get_by_role("button", name="Add 1 target").click()
    expect(page.get_by_role("heading", name="fresh.example.org:443")).to_be_visible()
    expect(page.get_by_text("No certificate has been seen here yet")).to_be_visible()
    expect(page.get_by_text("not scanned yet", exact=True)).to_be_visible()
    visit.clean()


def test_a_list_is_added_by_keyboard_alone(bench):
    page = bench.visit("#/targets").ready()
    page.get_by_role("button", name="Add targets").focus()
    page.keyboard.press("Enter")
    expect(page.locator("textarea")).to_be_focused()
    page.keyboard.insert_text("keyboard.example.org")
    expect(page.get_by_role("button", name="Add 1 target")).to_be_visible()
    walk(page, "document.activeElement.textContent === 'Add 1 target'")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="keyboard.example.org:443")).to_be_visible()


def test_closing_the_dialog_or_a_failure_loses_nothing(bench):
    world = bench.serve()
    visit = opened(bench)
    page = visit.page
    page.keyboard.insert_text("kept.example.org")
    expect(page.get_by_role("button", name="Add 1 target")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Add targets").click()
    assert page.locator("textarea").input_value() == "kept.example.org"
    world.failing = True
    page.get_by_role("dialog").locator("button[type=submit]").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("the disk is full")
    assert page.locator("textarea").input_value() == "kept.example.org"
    world.failing = False
    page.get_by_role("dialog").locator("button[type=submit]").click()
    expect(page.get_by_role("heading", name="kept.example.org:443")).to_be_visible()
    visit.clean(allowed=["503"])


def test_nothing_to_add_is_said(bench):
    page = opened(bench).page
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("Paste at least one host first.").first).to_be_visible()
    page.locator("textarea").fill("api.example.com")
    page.get_by_role("dialog").locator("button[type=submit]").click()
    expect(page.get_by_text("Nothing here can be added").first).to_be_visible()


def test_what_is_wrong_in_an_edit_stands_beside_its_field_and_the_rest_is_kept(bench):
    world = bench.serve()
    visit = bench.visit("#/targets/6")
    page = visit.ready()
    page.get_by_role("button", name="Edit").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Labels").fill("team: web, app: bank")
    dialog.get_by_label("Seconds between scans").fill("5")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_text("is at least 30 s").first).to_be_visible()
    assert dialog.get_by_label("Labels").input_value() == "team: web, app: bank"
    assert dialog.get_by_label("Seconds between scans").get_attribute("aria-invalid") == "true"
    dialog.get_by_label("Seconds between scans").fill("60")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("link", name="team: web")).to_be_visible()
    assert world.by_id["6"]["labels"] == {"team": "web", "app": "bank"}, "a label that was taken away is gone"
    assert world.by_id["6"]["period_s"] == 60
    visit.clean(allowed=["422"])


def test_a_change_by_another_is_not_overwritten(bench):
    world = bench.serve()
    visit = bench.visit("#/targets/6")
    page = visit.ready()
    page.get_by_role("button", name="Edit").click()
    world.by_id["6"]["revision"] += 1
    page.get_by_label("Labels").fill("team: web")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("Somebody changed this in the meantime")
    assert page.get_by_label("Labels").input_value() == "team: web"
    assert "team" not in world.by_id["6"]["labels"]
    visit.clean(allowed=["412"])


def test_a_deleted_target_comes_back_with_its_history(bench):
    world = bench.serve()
    visit = bench.visit("#/targets/6")
    page = visit.ready()
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", name="Targets")).to_be_visible()
    expect(page.locator("#notices")).to_contain_text("hostile.example was deleted")
    assert "6" not in world.by_id
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="hostile.example:443")).to_be_visible()
    expect(page.locator(".timeline .bar")).to_have_count(2)
    assert "6" in world.by_id
    # The stream may tell of it before the page is left.
    visit.clean(allowed=["404"])


def test_pausing_can_be_taken_back(bench):
    world = bench.serve()
    page = bench.visit("#/targets/6").ready()
    page.get_by_role("button", name="Pause").click()
    expect(page.locator("main header .chip", has_text="paused")).to_be_visible()
    assert world.by_id["6"]["paused"]
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("main header .chip", has_text="paused")).to_have_count(0)
    assert not world.by_id["6"]["paused"]


def test_a_scan_is_awaited_and_can_be_left(bench):
    world = bench.serve()
    page = bench.visit("#/targets/2").ready()
    page.get_by_role("button", name="Scan now").click()
    expect(page.locator("#notices")).to_contain_text("cdn.example.com was scanned: 2 addresses answer.")
    assert ("POST", "/api/v1/targets/2/scan?wait=30s") in world.calls
    expect(page.get_by_role("button", name="Scan now")).to_be_visible()
    world.slow = 1.5
    page.get_by_role("button", name="Scan now").click()
    expect(page.get_by_role("button", name="Scanning…")).to_be_visible()
    page.get_by_role("link", name="Overview").click()
    expect(page.locator("#sentence")).to_be_visible()
    expect(page.locator("#notices")).to_contain_text("was scanned")


def test_what_is_unknown_is_said_to_be_unknown(bench):
    page = bench.visit("#/targets?host=service-010").ready()
    row = rows(page).first
    assert "no certificate seen" in row.inner_text() and "not yet" in row.inner_text()
    row.get_by_role("link").click()
    expect(page.get_by_text("No certificate has been seen here yet")).to_be_visible()
    assert "1970" not in page.locator("main").inner_text()


def test_an_empty_list_teaches_the_next_step(bench):
    bench.serve(targets=0)
    page = bench.visit("#/targets").ready()
    expect(page.get_by_text("Nothing is watched yet.")).to_be_visible()
    page.get_by_role("button", name="Paste hosts").click()
    expect(page.get_by_role("dialog", name="Add targets")).to_be_visible()
