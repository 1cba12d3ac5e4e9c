"""Settings: channels, routes, tokens, audit, and the configuration file."""

import pytest
from browser import walk
from playwright.sync_api import expect
from signed import accessible, notice, signed, stands, told

SECTIONS = ["channels", "routes", "tokens", "audit", "about"]


def add_channel(page, name="hooks", url="https://hooks.example/T0K3N"):
    page.get_by_role("button", name="Add a channel").click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("URL").fill(url)
    page.get_by_role("button", name="Add", exact=True).click()
    return page.get_by_role("dialog")


def row(page, name):
    return page.locator(".row", has=page.get_by_role("heading", name=name, exact=True))


@pytest.mark.parametrize("section", SECTIONS)
def test_every_section_is_accessible_and_fits(bench, section):
    stands(signed(bench, f"#/settings/{section}").page, section)


def test_every_section_has_at_most_one_primary_button_and_its_place_in_the_address(bench):
    visit = signed(bench, "#/settings")
    page = visit.page
    for name in ("Channels", "Routes", "Tokens", "Audit", "About"):
        page.get_by_role("navigation", name="Settings").get_by_role("link", name=name).click()
        expect(page.locator(".tabs [aria-current]")).to_have_text(name)
        page.wait_for_url(f"**/#/settings/{name.lower()}")
        assert page.locator("main .primary").count() <= 1
    visit.clean()


def test_channels_say_how_they_fare(bench):
    page = signed(bench, "#/settings/channels").page
    assert "last delivered 18 min ago" in row(page, "ops").inner_text()
    assert "from the configuration file" in row(page, "ops").inner_text()
    assert row(page, "ops").get_by_role("button").all_inner_texts() == ["Send a test"]
    assert "2 tries failed in a row: pager.example answered 503 Service Unavailable. Next try" in row(page, "pager").inner_text()
    for state, words in (("disabled", "The receiver says that it is gone"), ("sealed", "cannot be opened with the secret key in use")):
        bench.world.admin.channels[1]["state"] = state
        told(bench, page, "channels")
        expect(row(page, "pager")).to_contain_text(words)


def test_a_channel_is_added_and_tested_by_keyboard_alone(bench):
    visit = signed(bench, "#/settings/channels")
    page = visit.page
    walk(page, "document.activeElement.textContent === 'Add a channel'", steps=40)
    page.keyboard.press("Enter")
    walk(page, "document.activeElement.name === 'name'")
    page.keyboard.type("hooks")
    page.keyboard.press("Tab")
    page.keyboard.type("https://hooks.example/T0K3N")
    page.keyboard.press("Enter")
    expect(page.get_by_text("hooks was added.")).to_be_visible()
    assert page.evaluate("document.activeElement.textContent") == "Send a test"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_role("status")).to_contain_text(["", "The test arrived: the receiver took it in 84 ms."])
    walk(page, "document.activeElement.textContent === 'Done'")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.evaluate("document.activeElement.textContent") == "Add a channel"
    expect(row(page, "hooks")).to_contain_text("The test arrived")
    visit.clean()


def test_what_is_refused_is_shown_at_its_field_and_keeps_what_was_typed(bench):
    visit = signed(bench, "#/settings/channels")
    page = visit.page
    dialog = add_channel(page, "Bad Name", "ftp://x")
    expect(dialog.get_by_role("alert")).to_contain_text("Not added.")
    name = dialog.get_by_label("Name")
    assert name.input_value() == "Bad Name" and dialog.get_by_label("URL").input_value() == "ftp://x"
    assert name.get_attribute("aria-invalid") == "true"
    described = name.get_attribute("aria-describedby").split()
    assert any("small letters" in page.locator(f"#{one}").inner_text() for one in described if one.endswith("error"))
    assert page.evaluate("document.activeElement.name") == "name"
    accessible(page, "a refused form")
    dialog.get_by_role("alert").get_by_role("button", name="URL").click()
    assert page.evaluate("document.activeElement.name") == "url"
    name.fill("pager")
    dialog.get_by_label("URL").fill("https://hooks.example/")
    dialog.get_by_role("button", name="Add", exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text("There is a channel pager already.")
    assert dialog.get_by_label("URL").input_value() == "https://hooks.example/"
    visit.clean(allowed=["422", "409"])


def test_a_service_that_cannot_be_reached_keeps_what_was_typed(bench):
    page = signed(bench, "#/settings/channels").page
    page.route("**/api/v1/channels", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    dialog = add_channel(page)
    expect(dialog.get_by_role("alert")).to_contain_text("The service cannot be reached.")
    assert dialog.get_by_label("Name").input_value() == "hooks"


def test_a_secret_is_shown_once_and_is_gone_after(bench):
    visit = signed(bench, "#/settings/channels")
    page = visit.page
    dialog = add_channel(page)
    secret = dialog.get_by_label("Its secret").input_value()
    assert secret == bench.world.admin.secrets[-1]
    dialog.get_by_role("button", name="Copy").click()
    expect(dialog.get_by_role("button", name="Cop")).to_have_count(1)
    page.go_back()
    page.goto(bench.base + "#/settings/tokens")
    page.goto(bench.base + "#/settings/channels")
    expect(row(page, "hooks")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert secret not in page.content() + page.evaluate("[...document.querySelectorAll('input')].map(one => one.value).join()")


def test_a_form_on_its_way_is_not_left_lest_its_secret_be_lost(bench):
    page = signed(bench, "#/settings/channels").page
    held = []
    page.route("**/api/v1/channels", lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    dialog = add_channel(page)
    expect(dialog.get_by_role("button", name="Adding…")).to_be_visible()
    page.keyboard.press("Escape")
    dialog.get_by_role("button", name="Cancel").click()
    dialog.get_by_role("button", name="Adding…").dispatch_event("click")
    expect(dialog).to_be_visible()
    assert len(held) == 1
    held[0].continue_()
    expect(dialog.get_by_label("Its secret")).to_be_visible()


def test_a_new_secret_is_shown_once_beside_the_one_in_use(bench):
    visit = signed(bench, "#/settings/channels")
    page = visit.page
    page.get_by_role("button", name="New secret for pager").click()
    page.get_by_role("button", name="Make a new secret").click()
    dialog = page.get_by_role("dialog")
    secret = dialog.get_by_label("The new secret").input_value()
    assert secret == bench.world.admin.secrets[-1]
    expect(dialog).to_contain_text("signed with both secrets")
    page.keyboard.press("Escape")
    expect(row(page, "pager")).to_contain_text("two secrets are valid")
    assert secret not in page.content()
    visit.clean()


def test_a_test_that_does_not_arrive_says_why(bench):
    page = signed(bench, "#/settings/channels").page
    bench.world.admin.test_answer = {"delivered": False, "status": 404, "error": None, "ms": 12}
    page.get_by_role("button", name="Test ops").click()
    expect(row(page, "ops")).to_contain_text("The test did not arrive: the receiver answered 404.")
    bench.world.admin.test_answer = {"delivered": False, "status": None, "error": "hooks.example.com does not resolve", "ms": 12}
    page.get_by_role("button", name="Test ops").click()
    expect(row(page, "ops")).to_contain_text("hooks.example.com does not resolve")


def test_a_channel_is_edited_and_deleted(bench):
    visit = signed(bench, "#/settings/channels")
    page = visit.page
    page.get_by_role("button", name="Edit team-chat").click()
    page.get_by_label("URL").fill("https://chat.example/hook")
    page.get_by_role("button", name="Save").click()
    expect(row(page, "team-chat")).to_contain_text("Slack at chat.example")
    page.get_by_role("button", name="Delete team-chat").click()
    assert page.evaluate("document.activeElement.textContent") == "Cancel"
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("alert")).to_contain_text("A route sends to team-chat.")
    page.keyboard.press("Escape")
    bench.world.admin.routes.pop()
    page.get_by_role("button", name="Delete team-chat").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(row(page, "team-chat")).to_have_count(0)
    visit.clean(allowed=["409"])


def test_a_message_that_was_given_up_is_sent_again(bench):
    page = signed(bench, "#/settings/channels").page
    given_up = page.locator(".delivery")
    expect(given_up).to_contain_text("Given up after 2 tries: pager.example answered 503")
    given_up.get_by_text("2 tries", exact=True).click()
    assert given_up.locator(".tries li").count() == 2
    given_up.get_by_role("button", name="Send again").click()
    expect(notice(page)).to_contain_text("It is being sent to pager again.")
    expect(given_up).to_have_count(0)


def test_routes_are_sentences_and_are_added_changed_and_brought_back(bench):
    visit = signed(bench, "#/settings/routes")
    page = visit.page
    rows = page.locator(".row")
    assert "Critical alerts to ops and pager" in rows.first.inner_text()
    assert rows.first.get_by_role("button").count() == 0
    assert "Critical and warning alerts of “certificate ends” with app: shop, and events “key changed” to team-chat" in rows.nth(1).inner_text()
    page.get_by_role("button", name="Add a route").click()
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("Choose at least one channel.")
    page.get_by_label("pager").check()
    page.get_by_label("Labels of the target").fill("nonsense")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("“nonsense” is no label")
    assert page.get_by_label("pager").is_checked()
    page.get_by_label("Labels of the target").fill("environment: production")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(rows.nth(2)).to_contain_text("Critical alerts with environment: production to pager")
    rows.nth(2).get_by_role("button", name="Delete").click()
    expect(rows).to_have_count(2)
    notice(page).get_by_role("button", name="Undo").click()
    expect(rows.nth(2)).to_contain_text("Critical alerts with environment: production to pager")
    rows.nth(1).get_by_role("button", name="Edit").click()
    page.get_by_label("Labels of the target").fill("")
    page.get_by_label("target added").check()
    page.get_by_role("button", name="Save").click()
    expect(rows.nth(1)).to_contain_text("Critical and warning alerts of “certificate ends”, and events “key changed” and “target added” to team-chat")
    rows.nth(1).get_by_role("button", name="Edit").click()
    for name in ("critical", "warning", "certificate ends"):
        page.get_by_label(name, exact=True).uncheck()
    page.get_by_role("button", name="Save").click()
    expect(rows.nth(1)).to_contain_text("Only events “key changed” and “target added” to team-chat")
    visit.clean(allowed=["422"])


def test_a_token_is_shown_once_and_revoked_after_asking(bench):
    visit = signed(bench, "#/settings/tokens")
    page = visit.page
    assert "created" in row(page, "Anna").inner_text() and "does not expire" in row(page, "Anna").inner_text()
    assert "revoked 9 days ago" in row(page, "old laptop").inner_text()
    page.get_by_role("button", name="Create a token").click()
    page.get_by_role("button", name="Create", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("Give it a name")
    page.get_by_label("Name").fill("ci")
    page.get_by_label("Editor:").check()
    page.get_by_label("It expires").select_option("in 90 days")
    page.get_by_role("button", name="Create", exact=True).click()
    dialog = page.get_by_role("dialog")
    secret = dialog.get_by_label("The token").input_value()
    assert secret == bench.world.admin.secrets[-1]
    accessible(page, "a token shown")
    page.get_by_role("button", name="Done").click()
    expect(row(page, "ci")).to_contain_text("89 days left")
    assert secret not in page.content()
    page.get_by_role("button", name="Revoke ci").click()
    page.keyboard.press("Escape")
    assert row(page, "ci").get_by_text("editor").is_visible()
    page.get_by_role("button", name="Revoke ci").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(row(page, "ci")).to_contain_text("revoked")
    page.get_by_role("button", name="Revoke Anna").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("alert")).to_contain_text("Create another admin token first.")
    visit.clean(allowed=["422", "409"])


def test_the_audit_says_who_did_what_to_what(bench):
    visit = signed(bench, "#/settings/audit")
    page = visit.page
    entries = page.locator(".audit > li")
    first = entries.first.inner_text()
    for words in ("Anna changed the channel pager", "secret: a secret, changed", "allow private: no → yes", "in the dashboard", "from 192.0.2.4", "channel.update"):
        assert words in first, (words, first)
    assert "<secret>" not in page.content()
    assert entries.first.locator("time").first.get_attribute("title").endswith("UTC")
    assert "labels.app: shop → bank" in entries.nth(3).inner_text()
    assert "<script>window.pwned = 3</script>" in entries.nth(3).inner_text() and "\\u202e" in entries.nth(3).inner_text()
    assert page.evaluate("window.pwned") is None
    page.get_by_label("What was changed").select_option("token")
    expect(entries).to_have_count(1)
    assert "object_type=token" in page.url
    page.get_by_label("What was changed").select_option("session")
    page.get_by_role("link", name="Show everything").click()
    page.get_by_role("link", name="A. Ruiz").click()
    expect(entries).to_have_count(1)
    page.get_by_role("link", name="Only A. Ruiz").click()
    expect(entries).to_have_count(5)
    visit.clean()


def test_the_file_is_read_again_with_its_changes_or_its_faults(bench):
    visit = signed(bench, "#/settings/about")
    page = visit.page
    admin = bench.world.admin
    admin.reload_faults = [("/etc/pinwatch/pinwatch.yaml:12:5", "“perod” is no key of a target; did you mean period?")]
    page.get_by_role("button", name="Read the file again").click()
    expect(page.get_by_role("alert")).to_contain_text("The file was not taken over. The configuration has faults, so the one before stays in force.")
    expect(page.get_by_role("alert")).to_contain_text("/etc/pinwatch/pinwatch.yaml:12:5 “perod” is no key")
    accessible(page, "faults")
    admin.reload_faults = []
    page.get_by_role("button", name="Read the file again").click()
    expect(page.get_by_text("Nothing in it has changed.")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    admin.reload_changes = [{"section": "pin_sets", "name": "shop-ios 5.2", "what": "added", "detail": "2 hosts"}]
    admin.settings["restart_needed"] = ["listen"]
    page.get_by_role("button", name="Read the file again").click()
    expect(page.get_by_text("pin sets shop-ios 5.2 added: 2 hosts")).to_be_visible()
    expect(page.get_by_text("Restart the service to take them over: listen.")).to_be_visible()
    visit.clean(allowed=["422"])


@pytest.mark.parametrize(("section", "button"), [("channels", "Add a channel"), ("channels", "Edit pager"), ("channels", "Delete pager"), ("routes", "Add a route"), ("tokens", "Create a token")])
def test_the_dialogs_are_accessible_and_fit(bench, section, button):
    page = signed(bench, f"#/settings/{section}").page
    page.get_by_role("button", name=button).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    stands(page, button)


def test_empty_sections_teach_the_next_step(bench):
    visit = signed(bench, "#/settings/channels")
    page = visit.page
    bench.world.admin.channels, bench.world.admin.routes, bench.world.admin.audit = [], [], []
    told(bench, page, "channels", "routes")
    expect(page.get_by_text("No channel yet, so nobody is told when something breaks.")).to_be_visible()
    page.get_by_role("link", name="Routes").click()
    expect(page.get_by_text("A route leads to channels, and there is none yet.")).to_be_visible()
    page.get_by_role("link", name="Audit").click()
    expect(page.get_by_text("Nothing has been changed yet.")).to_be_visible()
    visit.clean()
