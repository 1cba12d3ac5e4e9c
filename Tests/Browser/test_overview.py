"""The overview: the answer, what is broken, what ends next, and the list of targets."""

from playwright.sync_api import expect


def test_the_answer_stands_first(any_bench):
    visit = any_bench.visit()
    page = visit.ready()
    assert page.locator("h1").count() == 1 and len(page.locator("#sentence").inner_text()) > 10
    for title in ("Broken now", "Ends next", "Recent changes", "Scanning", "Targets"):
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
    assert page.title() == "(2) Pinwatch"
    since = page.locator(".finding .since time").first.get_attribute("title")
    assert since.endswith("UTC"), since


def test_calm_is_said_in_words(bench):
    world = bench.serve()
    world.calm = True
    page = bench.visit().ready()
    expect(page.get_by_text("Nothing is broken: no open finding is critical or a warning.")).to_be_visible()
    assert page.title() == "Pinwatch"


def test_an_empty_service_teaches_the_next_step(bench):
    bench.serve().empty = True
    visit = bench.visit()
    page = visit.ready()
    assert page.get_by_text("in the configuration file").count() == 2
    expect(page.get_by_text("Nothing has changed since watching began.")).to_be_visible()
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


def test_the_runway_is_a_list_where_it_is_narrow(bench):
    page = bench.visit(viewport={"width": 360, "height": 740}).ready()
    expect(page.locator(".runway svg")).to_be_hidden()
    assert page.locator(".ends li").first.inner_text().startswith("9 days left")


def test_quiet_changes_are_marked(bench):
    page = bench.visit().ready()
    assert page.locator(".feed > li").count() == 4
    assert page.locator(".feed > li", has_text="quiet").count() == 1
    assert "99.8 %" in page.locator(".numbers").inner_text()
    assert "same key" in page.locator(".feed > li", has_text="quiet").inner_text()


def test_targets_show_both_spellings_and_page_on(bench):
    page = bench.visit().ready()
    rows = page.locator(".targets > tbody > tr")
    expect(rows).to_have_count(50)
    expect(page.locator(".paging")).to_contain_text("1–50 of 312 targets")
    page.get_by_role("link", name="Next").click()
    expect(page.locator(".paging")).to_contain_text("51–100 of 312 targets")
    assert "cursor=" in page.url
    page.go_back()
    expect(page.locator(".paging")).to_contain_text("1–50 of 312 targets")
    page.keyboard.press("/")
    page.keyboard.type("bücher")
    expect(rows).to_have_count(1)
    assert "bücher.example" in rows.inner_text() and "xn--bcher-kva.example" in rows.inner_text()
    assert "q=b%C3%BCcher" in page.url


def test_state_and_order_are_chosen_and_stand_in_the_address(bench):
    page = bench.visit().ready()
    page.get_by_role("button", name="critical 2").click()
    expect(page.locator(".targets > tbody > tr")).to_have_count(2)
    page.get_by_role("button", name="Host").click()
    expect(page.locator(".targets > tbody > tr").first).to_contain_text("pay.partner.example")
    assert "state=critical" in page.url and "sort=-host" in page.url
    assert page.locator(".targets th[aria-sort=descending]").inner_text().startswith("Host")


def test_what_is_unknown_is_said_to_be_unknown(bench):
    page = bench.visit("#/?q=service-010&open=10").ready()
    row = page.locator(".targets > tbody > tr").first
    assert "no certificate seen" in row.inner_text() and "not yet" in row.inner_text()
    expect(page.get_by_text("No certificate has been seen here yet")).to_be_visible()
    assert "1970" not in page.locator("main").inner_text()
