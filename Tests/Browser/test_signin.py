"""Signing in and out, what a role is offered, and the time before the first token."""

import pytest
from browser import quiet
from playwright.sync_api import expect
from signed import TOKEN, notice, signed, stands


def asked(bench, fragment="", **options):
    if bench.world is None:
        bench.serve(token=TOKEN)
    visit = bench.visit(fragment, **options)
    expect(visit.page.get_by_role("heading", name="Sign in")).to_be_visible()
    return visit


def sign_in(page, token=TOKEN):
    page.get_by_role("textbox", name="Token").fill(token)
    page.keyboard.press("Enter")


def test_a_token_leads_to_where_one_was_going(bench):
    visit = asked(bench, "#/settings/routes")
    page = visit.page
    assert page.evaluate("document.activeElement.name") == "token"
    expect(page.locator("#gate")).to_contain_text("pinwatch token create --name NAME --role admin --config FILE")
    sign_in(page)
    expect(page.get_by_role("heading", name="Routes")).to_be_visible()
    assert page.url.endswith("#/settings/routes")
    visit.clean(allowed=["401"])


@pytest.mark.parametrize(("typed", "words"), [("", "Paste a token first."), ("pw_wrong", "This token is not accepted. It may be mistyped, expired or revoked."),
                                              ("pw with blanks", "A token has no blanks"), ("pw_ümlaut", "no accents")])
def test_a_token_that_is_refused_is_said_to_be_so(bench, typed, words):
    visit = asked(bench)
    sign_in(visit.page, typed)
    expect(visit.page.get_by_role("alert")).to_contain_text(words)
    box = visit.page.get_by_role("textbox", name="Token")
    assert box.input_value() == typed and box.get_attribute("aria-invalid") == "true"
    assert visit.page.evaluate("document.activeElement.name") == "token"
    assert visit.page.locator("main").is_hidden()


def test_a_token_is_kept_nowhere_in_the_page_and_a_cookie_that_it_cannot_read_outlives_it(bench):
    visit = asked(bench)
    page = visit.page
    page.keyboard.type(TOKEN)
    page.keyboard.press("Enter")
    expect(page.locator("#sentence")).to_be_visible()
    stores = "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])"
    assert TOKEN not in page.evaluate(stores + " + document.documentElement.outerHTML")
    page.reload()
    expect(page.locator("#sentence")).to_be_visible()
    kept = page.evaluate(stores)
    assert "pw_" not in kept and "session" not in kept, kept
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert page.locator("#sentence").count() == 0
    visit.clean(allowed=["401"])


def test_signing_out_asks_again(bench):
    page = signed(bench, "#/settings").page
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_what_was_typed_outlives_a_session_that_ends(bench):
    visit = signed(bench, "#/settings/channels")
    page = visit.page
    page.get_by_role("button", name="Add a channel").click()
    page.get_by_label("Name").fill("half-written")
    page.get_by_label("URL").fill("https://hooks.example/path")
    bench.world.sessions.cookies.clear()
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    sign_in(page)
    expect(page.get_by_role("dialog")).to_be_visible()
    assert page.get_by_label("Name").input_value() == "half-written"
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("half-written was added.")).to_be_visible()
    visit.clean(allowed=["401"])


def test_the_question_is_accessible_and_fits(bench):
    page = asked(bench).page
    stands(page, "the question")
    sign_in(page, "pw_wrong")
    expect(page.get_by_role("alert")).to_be_visible()
    stands(page, "a refusal")


def test_while_all_is_open_the_settings_say_so_and_the_first_token_ends_it(bench):
    visit = bench.visit("#/settings/channels")
    page = visit.page
    expect(page.get_by_text("No token exists yet, so everybody on this machine may do everything")).to_be_visible()
    expect(page.get_by_role("button", name="Sign out")).to_have_count(0)
    page.get_by_role("link", name="create the first token").click()
    page.get_by_role("button", name="Create the first token").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Role")).to_have_count(0)
    dialog.get_by_label("Name").fill("Anna")
    dialog.get_by_role("button", name="Create", exact=True).click()
    expect(dialog.get_by_text("You are signed in with it now.")).to_be_visible()
    secret = dialog.get_by_label("The token").input_value()
    assert secret.startswith("pw_")
    dialog.get_by_role("button", name="Done").click()
    expect(page.get_by_text("You are Anna, admin")).to_be_visible()
    expect(page.get_by_text("No token exists yet")).to_have_count(0)
    assert secret not in page.content()
    assert [token["role"] for token in bench.world.tokens.values()] == ["admin"]
    visit.clean()


@pytest.mark.parametrize("fragment", ["#/pin-sets", "#/pin-sets/2", "#/alerts", "#/alerts/1", "#/alerts/3", "#/alerts?state=silenced", "#/pin-sets?add=1", "#/settings"])
def test_a_viewer_is_offered_nothing_that_is_refused(bench, fragment):
    visit = signed(bench, fragment, role="viewer")
    page = visit.page
    quiet(page)
    words = page.locator("main button, main a.primary, main textarea").all_inner_texts()
    assert [one for one in words if one not in ("Sign out", "Create the first token", "Export")] == [], words
    assert not [call for call in bench.world.calls if call[1].split("?")[0].split("/")[3:4] in (["channels"], ["tokens"], ["settings"], ["audit"])]
    visit.clean()


def test_a_viewer_at_the_settings_is_told_who_may(bench):
    page = signed(bench, "#/settings/tokens", role="viewer").page
    expect(page.get_by_text("Settings are for admins.")).to_be_visible()
    expect(page.get_by_text("You are Anna, viewer")).to_be_visible()


def test_an_editor_is_not_led_to_the_settings(bench):
    page = signed(bench, "#/alerts/1", role="editor").page
    expect(page.locator("main").get_by_role("button", name="Acknowledge")).to_be_visible()
    expect(page.get_by_role("link", name="Settings")).to_have_count(0)
    expect(notice(page)).to_have_count(0)
