"""Files become pin sets: dropped, chosen or pasted, understood, asked about, and added."""

import pytest
from browser import PHONE, walk
from dropped import OKHTTP, PLIST, drop
from fixture_admin_data import SOURCE
from playwright.sync_api import expect
from signed import accessible, accessible_in_both_schemes, fits, notice, signed

def shape(page):
    return page.locator("section[aria-labelledby=shape]")


def test_files_dropped_on_any_page_of_pin_sets_are_understood_asked_about_and_added(bench):
    visit = signed(bench, "#/pin-sets")
    page = visit.page
    drop(page, ["Info.plist", PLIST], ["api.cer", [0x30, 0x82, 0xFF, 0xFE]])
    expect(page.get_by_role("heading", name="Add a pin set")).to_be_visible()
    expect(page.get_by_role("heading", name="What was understood")).to_be_focused()
    for words in ("Read as an Info.plist: Info.plist", "Apple pinned domains", "api.example.com", "2 pins", "Info.plist:9:3", "NSExceptionAllowsInsecureHTTPLoads", "1 error", "Instead: Add the pin of a key",
                  "Info.plist:3:5", "1 warning", "certificate in api.cer", "11 days left", "Which is the oldest system"):
        expect(shape(page)).to_contain_text(words)
    sent = bench.world.pins.bodies[0]["files"]
    assert sent == [{"name": "Info.plist", "text": PLIST}, {"name": "api.cer", "base64": "MIL//g=="}], sent
    assert page.evaluate("window.pwned") is None and "<script>window.pwned = 3</script>" in shape(page).inner_text()
    accessible_in_both_schemes(page, "what was understood")
    app, release = page.get_by_label("App", exact=True), page.get_by_label("Release", exact=True)
    assert app.input_value() == "Info.plist" and release.input_value() == ""
    expect(page.get_by_text("The files do not say it.")).to_be_visible()
    app.fill("shop-ios")
    release.fill("6.0")
    page.get_by_label("Share of users in %").fill("12.5")
    expect(shape(page).get_by_role("heading", name="shop-ios 6.0")).to_be_visible()
    page.get_by_role("button", name="Add this pin set").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("shop-ios 6.0")
    expect(notice(page)).to_contain_text("shop-ios 6.0 was added.")
    assert bench.world.pins.bodies[-1] | {"files": 0} == {"files": 0, "app": "shop-ios", "release": "6.0", "share": 0.125, "replace": False}
    visit.clean()


def test_files_of_several_systems_become_several_releases(bench):
    visit = signed(bench, "#/pin-sets?add=1")
    page = visit.page
    page.locator("#pinset-file").set_input_files([{"name": name, "mimeType": "text/plain", "buffer": words.encode()} for name, words in (("Info.plist", PLIST), ("Pins.kt", OKHTTP))])
    expect(page.locator(".reading")).to_have_count(2)
    page.get_by_text("4 more questions that can be left open").click()
    expect(page.get_by_text("Which is the app's minSdkVersion?")).to_be_visible()
    page.get_by_label("Release", exact=True).fill("6.1")
    page.get_by_label("Which version of OkHttp is it?").select_option("okhttp3")
    expect(page.get_by_role("heading", name="Pins.kt 6.1")).to_be_visible()
    page.set_viewport_size(PHONE)
    fits(page, "two releases on a phone")
    page.get_by_role("button", name="Add these 2 pin sets").click()
    expect(notice(page)).to_contain_text("2 pin sets were added.")
    expect(page.locator(".pinset")).to_have_count(7)
    visit.clean()


def test_by_keyboard_alone_what_must_be_known_is_asked_and_a_refusal_keeps_all(bench):
    visit = signed(bench, "#/pin-sets?add=1")
    page = visit.page
    walk(page, "document.activeElement.id === 'pinset-source'", steps=40)
    page.keyboard.insert_text('Public-Key-Pins: pin-sha256="abc"')
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Which host sends the header?")).to_be_visible()
    walk(page, "document.activeElement.textContent === 'Add this pin set'", steps=40)
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Which host sends the header?: This has to be known first.")
    expect(page.get_by_label("Which host sends the header?")).to_be_focused()
    accessible(page, "a question that is open")
    page.keyboard.insert_text("api.example.com")
    expect(shape(page).locator(".pinhosts")).to_contain_text("api.example.com")
    walk(page, "document.activeElement.textContent === 'Add this pin set'", steps=40)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("pasted.txt")
    visit.clean(allowed=["422"])


def test_the_native_text_can_be_mended_and_alone_is_stored(bench):
    visit = signed(bench, "#/pin-sets?add=1")
    page = visit.page
    drop(page, ["Info.plist", PLIST])
    page.get_by_role("button", name="Answer it in the text").click()
    box = page.get_by_label("Native text")
    expect(box).to_be_focused()
    box.fill("pinwatch: 1\nrelease: 1")
    expect(page.get_by_text("It cannot be taken as it stands.")).to_be_visible()
    expect(page.get_by_label("App", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Line 1, column 1").first.click()
    expect(box).to_be_focused()
    page.get_by_role("button", name="Add this pin set").click()
    expect(page.get_by_role("alert")).to_contain_text("app is missing")
    box.fill(SOURCE.replace("5.1.0", "7.0"))
    expect(shape(page).get_by_role("heading", name="shop-ios 7.0")).to_be_visible()
    page.get_by_role("button", name="Add this pin set").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("shop-ios 7.0")
    visit.clean(allowed=["422"])


def test_what_cannot_be_read_is_said_and_the_rest_is_kept(bench):
    visit = signed(bench, "#/pin-sets?add=1")
    page = visit.page
    drop(page, ["notes.txt", "nothing that pins"])
    expect(page.get_by_role("alert")).to_contain_text("notes.txt is of no format that pins are kept in.")
    expect(page.get_by_role("list", name="Files handed over")).to_contain_text("notes.txt")
    asked = len(bench.world.pins.bodies)
    drop(page, ["key.pem", "-----BEGIN EC PRIVATE KEY-----\nabc"])
    expect(page.get_by_text("key.pem holds a private key, so it was not sent anywhere")).to_be_visible()
    assert len(bench.world.pins.bodies) == asked
    page.get_by_role("button", name="Take away notes.txt").click()
    expect(page.get_by_role("list", name="Files handed over")).to_have_count(0)
    visit.clean(allowed=["422"])


@pytest.mark.parametrize("role", ["viewer"])
def test_who_may_not_add_cannot_drop_either(bench, role):
    page = signed(bench, "#/pin-sets", role=role).page
    drop(page, ["Info.plist", PLIST])
    expect(page.get_by_role("heading", name="Pin sets")).to_be_visible()
    assert "add" not in page.url and bench.world.pins.bodies == []
