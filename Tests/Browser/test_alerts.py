"""Alerts: by state, one of them, taking it, silences and who was told."""

from datetime import datetime, timedelta, timezone

import pytest
from playwright.sync_api import expect
from signed import accessible, notice, signed, stands, told


def alert(page, subject):
    return page.locator(".finding", has=page.get_by_role("link", name=subject))


@pytest.mark.parametrize("fragment", ["#/alerts", "#/alerts?state=acknowledged", "#/alerts?state=silenced", "#/alerts?state=resolved", "#/alerts/1", "#/alerts/2", "#/alerts/3", "#/alerts/4", "#/alerts/5"])
def test_every_page_is_accessible_and_fits(bench, fragment):
    stands(signed(bench, fragment).page, fragment)


def test_states_stand_in_the_address(bench):
    visit = signed(bench, "#/alerts")
    page = visit.page
    tabs = page.get_by_role("navigation", name="Alerts by state")
    expect(page.locator("main .finding")).to_have_count(2)
    expect(page.locator(".tabs [aria-current]")).to_have_text("Open")
    for name, words in (("Acknowledged", "taken by Anna"), ("Silenced", "silenced until"), ("Resolved", "resolved 2 days ago")):
        tabs.get_by_role("link", name=name).click()
        expect(page.locator("main .finding")).to_have_count(1)
        expect(page.locator("main .finding")).to_contain_text(words)
        assert f"state={name.lower()}" in page.url
    page.go_back()
    expect(page.locator(".tabs [aria-current]")).to_have_text("Silenced")
    visit.clean()


def test_filters_stand_in_the_address_and_can_be_left(bench):
    page = signed(bench, "#/alerts?kind=scan.failing").page
    expect(page.get_by_text("No alert fits these filters.")).to_be_visible()
    page.get_by_role("link", name="Show all").click()
    page.get_by_label("Severity").select_option("critical")
    expect(page.locator("main .finding")).to_have_count(1)
    page.get_by_label("Kind").select_option("pin.rejected")
    assert "severity=critical" in page.url and "kind=pin.rejected" in page.url
    page.goto(bench.base + "#/alerts?target_id=6")
    page.get_by_role("link", name="Only one target: show all").click()
    expect(page.locator("main .finding")).to_have_count(2)


def test_empty_states_say_what_they_are_for(bench):
    page = signed(bench, "#/alerts").page
    bench.world.admin.alerts, bench.world.admin.silences = [], []
    told(bench, page, "alerts")
    expect(page.get_by_text("No alert is open. When something breaks it stands here")).to_be_visible()
    for name, words in (("Acknowledged", "Nobody has taken an alert."), ("Silenced", "Nothing is silenced. A silence keeps"), ("Resolved", "No alert has been resolved yet.")):
        page.get_by_role("link", name=name).click()
        expect(page.get_by_text(words)).to_be_visible()


def test_one_says_what_is_wrong_on_what_it_rests_and_who_was_told(bench):
    visit = signed(bench, "#/alerts/1")
    page = visit.page
    body = page.locator("main").inner_text()
    for words in ("Shop iOS 5.1 rejects api.example.com", "A new key is served on 3 of 8 addresses", "Move the 3 addresses back", "31 % of users", "No certificate of the path has a pinned key.",
                  "ECDSA key q7VfXW1o… on 3 addresses: 192.0.2.1, 192.0.2.2, 192.0.2.3", "no_pin_matched", "ops was told that it opened", "Delivered 18 min ago.",
                  "pager is to be told that it opened", "Not yet: connecting to pager.example took longer than 10 s.", "pin.rejected/1/1"):
        assert words in body, (words, body)
    page.get_by_text("2 tries").click()
    assert "answered 503" in page.locator(".tries").inner_text() and "10,000 ms" in page.locator(".tries").inner_text()
    assert page.title().endswith("Shop iOS 5.1 rejects api.example.com · Pinwatch")
    visit.clean()


def test_evidence_that_is_hostile_stays_text(bench):
    visit = signed(bench, "#/alerts/2")
    page = visit.page
    assert page.evaluate("window.pwned") is None and page.locator("main script, main img").count() == 0
    assert "<script>window.pwned = 3</script>" in page.locator("main dl").inner_text() and "\\u202e" in page.locator("main dl").inner_text()
    visit.clean()


def test_an_alert_is_taken_with_a_note_and_given_back(bench):
    visit = signed(bench, "#/alerts")
    page = visit.page
    page.get_by_role("button", name="Acknowledge Shop iOS").click()
    assert page.evaluate("document.activeElement.name") == "note"
    page.get_by_label("Note").fill("x" * 501)
    page.get_by_role("dialog").get_by_role("button", name="Acknowledge").click()
    expect(page.get_by_role("alert")).to_contain_text("at most 500 characters")
    assert len(page.get_by_label("Note").input_value()) == 501
    page.get_by_label("Note").fill("Rolling it back.")
    page.get_by_role("dialog").get_by_role("button", name="Acknowledge").click()
    expect(alert(page, "Shop iOS 5.1")).to_have_count(0)
    notice(page).get_by_role("button", name="Undo").click()
    expect(alert(page, "Shop iOS 5.1")).to_have_count(1)
    visit.clean(allowed=["422"])


def test_the_note_is_changed_and_the_alert_opened_again_on_its_page(bench):
    visit = signed(bench, "#/alerts/3")
    page = visit.page
    expect(page.locator(".aside")).to_contain_text("Anna took it 11 h ago: Asked the partner, they answer tomorrow.")
    page.get_by_role("button", name="Change the note").click()
    assert page.get_by_label("Note").input_value() == "Asked the partner, they answer tomorrow."
    page.get_by_label("Note").fill("They answered.")
    page.get_by_role("dialog").get_by_role("button", name="Acknowledge").click()
    expect(page.locator(".aside")).to_contain_text("They answered.")
    page.get_by_role("button", name="Open it again").click()
    expect(page.locator("main .head .chip")).to_have_text("open")
    assert bench.world.admin.alerts[2]["state"] == "open"
    visit.clean()


def test_a_message_is_sent_again_from_the_alert(bench):
    page = signed(bench, "#/alerts/3").page
    page.get_by_role("button", name="Send again").click()
    expect(notice(page)).to_contain_text("It is being sent to pager again.")
    expect(page.locator(".delivery")).to_contain_text("on its way")


def ends_in(world, hours):
    end = datetime.fromisoformat(world.admin.silences[0]["ends_at"].replace("Z", "+00:00"))
    return abs(end - datetime.now(timezone.utc) - timedelta(hours=hours)) < timedelta(minutes=2)


def test_a_silence_from_an_alert_shows_what_it_would_silence(bench):
    visit = signed(bench, "#/alerts/1")
    page = visit.page
    page.get_by_role("button", name="Silence").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("status")).to_contain_text("It would silence 1 open alert now:")
    expect(dialog.get_by_role("status")).to_contain_text("Shop iOS 5.1 rejects api.example.com")
    expect(dialog.get_by_role("status")).to_contain_text("It covers 1 target: api.example.com:443")
    dialog.get_by_label("4 hours").check()
    dialog.get_by_label("Why").fill("Rollback under way")
    dialog.get_by_role("button", name="Silence").click()
    expect(notice(page)).to_contain_text("Silenced: 1 alert for now.")
    expect(page.locator("main .head .chip")).to_have_text("silenced")
    made = bench.world.admin.silences[0]
    assert made["matchers"]["targets"] == ["1"] and made["matchers"]["kind"] == ["pin.rejected"] and made["comment"] == "Rollback under way"
    assert ends_in(bench.world, 4)
    visit.clean()


def test_a_silence_of_everything_is_refused_and_one_by_host_is_previewed(bench):
    visit = signed(bench, "#/alerts?state=silenced")
    page = visit.page
    page.get_by_role("button", name="New silence").click()
    dialog = page.get_by_role("dialog")
    status = dialog.get_by_role("status")
    expect(status).to_contain_text("Say what it silences: a kind, a host")
    dialog.get_by_label("Host").fill("not a host")
    expect(status).to_contain_text("“not a host” is no host name")
    dialog.get_by_role("button", name="Silence").click()
    expect(dialog.get_by_role("alert")).to_contain_text("“not a host” is no host name")
    assert dialog.get_by_label("Host").input_value() == "not a host"
    dialog.get_by_label("Host").fill("*.partner.example")
    expect(status).to_contain_text("It would silence 1 open alert now:")
    dialog.get_by_label("until tomorrow, 09:00").check()
    dialog.get_by_role("button", name="Silence").click()
    expect(page.locator(".row").first).to_contain_text("Everything at *.partner.example")
    end = page.evaluate("(end) => { const at = new Date(end); return [at.getHours(), at.getMinutes(), at > new Date()]; }", bench.world.admin.silences[0]["ends_at"])
    assert end == [9, 0, True]
    visit.clean(allowed=["422"])


def test_a_silence_lasts_until_a_date_or_comes_every_week(bench):
    visit = signed(bench, "#/alerts?state=silenced")
    page = visit.page
    page.get_by_role("button", name="New silence").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Labels").fill("app: shop")
    dialog.get_by_label("until a date").check()
    dialog.get_by_label("Until", exact=True).fill("2020-01-01T10:00")
    dialog.get_by_role("button", name="Silence").click()
    expect(dialog.get_by_role("alert")).to_contain_text("That has passed already.")
    dialog.get_by_label("every week").check()
    dialog.get_by_label("Sun").uncheck()
    dialog.get_by_label("Fri").check()
    dialog.get_by_label("From").fill("21:30")
    dialog.get_by_label("To", exact=True).fill("03:00")
    dialog.get_by_label("Time zone").fill("Europe/Vienna")
    accessible(page, "every week")
    dialog.get_by_role("button", name="Silence").click()
    expect(page.locator(".row").first).to_contain_text("Fridays, Saturdays from 21:30 to 03:00 (Europe/Vienna)")
    made = bench.world.admin.silences[0]
    assert made["weekly"] == {"weekdays": ["fri", "sat"], "from": "21:30", "to": "03:00", "zone": "Europe/Vienna"} and made["ends_at"] is None
    assert made["matchers"]["labels"] == {"app": "shop"}
    visit.clean(allowed=["422"])


def test_silences_are_listed_and_ended(bench):
    visit = signed(bench, "#/alerts?state=silenced")
    page = visit.page
    rows = page.locator("section[aria-label=Silences] > ul > .row")
    assert "Everything at silent.example" in rows.first.inner_text() and "silences 1 alert" in rows.first.inner_text()
    assert "Warning and info alerts with environment: staging" in rows.nth(1).inner_text() and rows.nth(1).get_by_role("button").count() == 0
    page.get_by_text("1 silence that ended").click()
    expect(page.get_by_text("Renewal was on its way.")).to_be_visible()
    rows.first.get_by_role("button", name="End it").click()
    expect(page.get_by_role("dialog")).to_contain_text("1 alert that it holds back will be open again")
    page.get_by_role("dialog").get_by_role("button", name="End it").click()
    expect(page.locator("main .finding")).to_have_count(0)
    assert bench.world.admin.alerts[3]["state"] == "open"
    visit.clean()


@pytest.mark.parametrize(("fragment", "button"), [("#/alerts/1", "Acknowledge"), ("#/alerts/1", "Silence"), ("#/alerts?state=silenced", "New silence")])
def test_dialogs_are_accessible_and_fit(bench, fragment, button):
    page = signed(bench, fragment).page
    page.get_by_role("button", name=button).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    stands(page, button)


def test_a_new_alert_appears_by_itself(bench):
    page = signed(bench, "#/alerts").page
    again = dict(bench.world.admin.alerts[0], id="77", finding=dict(bench.world.admin.alerts[0]["finding"], subject="A second release rejects it"))
    bench.world.admin.alerts.insert(0, again)
    told(bench, page, "alerts")
    expect(alert(page, "A second release rejects it")).to_be_visible()


def test_a_new_alert_does_not_move_what_is_read(bench):
    page = signed(bench, "#/alerts", viewport={"width": 1280, "height": 300}).page
    first = bench.world.admin.alerts[0]
    bench.world.admin.alerts += [dict(first, id=str(200 + at)) for at in range(20)]
    told(bench, page, "alerts")
    expect(page.locator("main .finding")).to_have_count(22)
    page.mouse.wheel(0, 700)
    page.wait_for_function("scrollY > 500")
    bench.world.admin.alerts.insert(0, dict(first, id="300", finding=dict(first["finding"], subject="The newest")))
    told(bench, page, "alerts")
    pill = page.get_by_role("button", name="1 new")
    expect(pill).to_be_visible()
    assert alert(page, "The newest").count() == 0
    pill.click()
    expect(alert(page, "The newest")).to_be_visible()
