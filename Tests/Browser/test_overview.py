"""The overview: the answer, what is broken, what ends next, what changed."""

from playwright.sync_api import expect
from signed import stands


def test_the_answer_stands_first(any_bench):
    visit = any_bench.visit()
    page = visit.ready()
    assert page.locator("h1").count() == 1 and len(page.locator("#sentence").inner_text()) > 10
    for title in ("Broken now", "Ends next", "Recent changes", "Scanning"):
        expect(page.get_by_role("heading", name=title).first).to_be_visible()
    assert page.locator(".under .chip").first.inner_text() in ("ok", "warning", "critical", "unknown")
    visit.clean()


def test_broken_rows_say_who_what_since_when_and_what_to_do(bench):
    page = bench.visit().ready()
    expect(page.locator("#sentence")).to_have_text("Two releases are being rejected right now. Three more ends come within 30 days.")
    assert page.locator(".rows .finding").count() == 4
    first = page.locator(".finding").first.inner_text()
    for words in ("Shop iOS 5.1 rejects api.example.com", "3 of 8 addresses", "Move the 3 addresses back", "critical", "pin rejected", "31 % of users", "18 min"):
        assert words in first, (words, first)
    assert "stale: last known" in page.locator(".finding", has_text="silent.example").inner_text()
    assert page.title() == "(2) Overview · Pinwatch"
    since = page.locator(".finding .since time").first.get_attribute("title")
    assert since.endswith("UTC"), since


def test_calm_is_said_in_words(bench):
    world = bench.serve()
    world.calm = True
    page = bench.visit().ready()
    expect(page.get_by_text("Nothing is broken: no open finding is critical or a warning.")).to_be_visible()


def test_an_empty_service_teaches_the_next_step(bench):
    bench.serve().empty = True
    visit = bench.visit()
    page = visit.ready()
    expect(page.get_by_text("Paste the hosts that your apps speak to")).to_be_visible()
    page.get_by_role("button", name="Paste hosts").click()
    expect(page.get_by_role("dialog", name="Add targets")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="Ends next")).to_have_count(0)
    visit.clean()


def test_the_runway_has_a_mark_and_words_for_each_end(bench):
    page = bench.visit().ready()
    assert page.locator(".runway svg .mark").count() == 5
    assert page.locator(".runway svg .near .mark").count() == 3
    assert "9 d · pinning turns off" in page.locator(".runway svg").text_content()
    starts = page.locator(".runway svg .track").evaluate_all("all => all.map(one => +one.getAttribute('x2'))")
    assert starts == sorted(starts) and len(set(starts)) == 5, starts
    right = page.evaluate("Math.max(...[...document.querySelectorAll('.runway .reason')].map(one => one.getBoundingClientRect().right))")
    assert right <= page.locator(".runway").evaluate("one => one.getBoundingClientRect().right")


def test_the_whole_runway_stands_on_its_page_with_releases_and_their_hosts(bench):
    visit = bench.visit()
    page = visit.ready()
    page.get_by_role("link", name="The whole runway").click()
    expect(page.get_by_role("heading", name="What ends next")).to_be_focused()
    rows = page.locator(".runway svg [role=listitem]")
    expect(rows).to_have_count(9)
    first = rows.first.text_content()
    assert "shop-ios 5.2.0" in first and "login.example.com" in first and "9 d · pinning turns off · 58 % of users" in first, first
    shapes = page.locator(".runway svg path.mark").evaluate_all("all => all.map(one => one.getAttribute('d').includes('V') ? 'flag' : 'diamond')")
    assert shapes == ["flag", "flag"] + ["diamond"] * 7, shapes
    expect(page.locator(".runway svg")).to_contain_text("lead time 30 days")
    assert page.evaluate("window.pwned") is None
    stands(page, "the runway")
    page.get_by_label("Kind of end").select_option("release")
    page.get_by_label("App").select_option("shop-ios")
    expect(rows).to_have_count(2)
    assert page.url.endswith("#/runway?kind=release&app=shop-ios")
    page.get_by_label("App").select_option("shop-android")
    page.get_by_label("Kind of end").select_option("chain")
    expect(page.get_by_text("No end that is known fits these filters.")).to_be_visible()
    visit.clean()


def test_the_lead_time_is_the_services(bench):
    world = bench.serve()
    world.admin.settings["thresholds"]["lead_time_s"] = 14 * 86_400
    page = bench.visit("#/runway").ready()
    expect(page.locator(".runway svg")).to_contain_text("lead time 14 days")
    expect(page.locator(".runway svg .near")).to_have_count(2)


def test_the_runway_is_a_list_where_it_is_narrow(bench):
    page = bench.visit(viewport={"width": 360, "height": 740}).ready()
    expect(page.locator(".runway svg")).to_be_hidden()
    assert page.locator(".ends li").first.inner_text().startswith("9 days left")


def test_quiet_changes_are_marked(bench):
    page = bench.visit().ready()
    assert page.locator(".feed li").count() == 4
    assert page.locator(".feed li", has_text="quiet").count() == 1
    assert "99.8 %" in page.locator(".numbers").inner_text()
    assert "same key" in page.locator(".feed li", has_text="quiet").inner_text()


def test_a_broken_row_and_an_end_lead_to_their_target(bench):
    page = bench.visit().ready()
    page.get_by_role("link", name="Shop iOS 5.1 rejects api.example.com").click()
    expect(page.get_by_role("heading", name="api.example.com:443")).to_be_focused()
    page.go_back()
    page.locator(".runway svg a").nth(1).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="cdn.example.com:443")).to_be_focused()


def test_a_change_shows_from_which_key_to_which(bench):
    page = bench.visit().ready()
    keys = page.locator(".feed li").first.locator(".key code").all_text_contents()
    assert len(keys) == 2 and keys[0] != keys[1] and all(len(key) == 5 for key in keys), keys
    assert page.locator(".feed li").nth(1).locator(".key").count() == 1


def test_a_broken_list_without_end_is_cut(bench):
    world = bench.serve()
    first = world.findings()[0]
    world.findings = lambda: [first | {"key": f"pin.rejected/1/{at}", "subject": f"Release {at} rejects"} for at in range(400)]
    page = bench.visit().ready()
    expect(page.locator(".rows .finding")).to_have_count(6)
    page.get_by_role("button", name="Show 50 of 400").click()
    expect(page.locator(".rows .finding")).to_have_count(50)
    expect(page.get_by_role("link", name="All targets with something broken")).to_be_visible()
    assert page.evaluate("document.querySelectorAll('*').length") <= 2_000


def test_scans_that_are_overdue_are_told(bench):
    world = bench.serve()
    page = bench.visit().ready()
    expect(page.get_by_text("overdue")).to_have_count(0)
    world.scanning = {"waiting": 12, "oldest_wait_s": 120}
    page.reload()
    expect(page.get_by_text("12 scans overdue, the first by 2 min")).to_be_visible()
