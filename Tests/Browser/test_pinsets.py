"""Pin sets: the list, adding from a native file, where one applies, replacing and deleting it."""

import pytest
from browser import PHONE
from dropped import PLIST, drop
from fixture_admin_data import HOSTILE, SOURCE
from playwright.sync_api import expect
from signed import accessible, fits, notice, signed, stands, told

NEW = SOURCE.replace("5.1.0", "5.3.0")


def source(page):
    return page.get_by_role("textbox", name="Pin file")


@pytest.mark.parametrize("fragment", ["#/pin-sets", "#/pin-sets/2", "#/pin-sets/3", "#/pin-sets?add=1"])
def test_every_page_is_accessible_and_fits(bench, fragment):
    stands(signed(bench, fragment).page, fragment)


def test_releases_stand_under_their_app_with_how_they_are_taken(bench):
    visit = signed(bench, "#/pin-sets")
    page = visit.page
    assert [words.split()[0] for words in page.locator("main h2").all_inner_texts()[:2]] == ["shop-ios", "shop-android"]
    rows = page.locator(".pinset")
    assert rows.count() == 5
    first = rows.first.inner_text()
    for words in ("5.2.0", "URLSession", "58 % of users", "login.example.com", "9 days left · pinning turns off", "accepted on all 4 addresses"):
        assert words in first, (words, first)
    assert "rejected on 3 of 8 addresses" in rows.nth(1).inner_text()
    assert "debug" in rows.nth(3).inner_text() and "unknown on 2 of 62 addresses" in rows.nth(3).inner_text()
    assert "17 days left · rejected: its pinned certificate ends" in rows.nth(1).inner_text()
    assert "applies to no target yet" in rows.nth(4).inner_text() and "120 days left" in rows.nth(4).inner_text()
    assert "<script>window.pwned = 3</script>" in page.locator("main").inner_text() and page.evaluate("window.pwned") is None
    visit.clean()


def test_what_is_pinned_or_watched_and_not_both_stands_in_one_panel(bench):
    visit = signed(bench, "#/pin-sets")
    page = visit.page
    expect(page.get_by_role("heading", name="Coverage")).to_have_count(0)
    pins = bench.world.pins
    pins.unpinned = [{"target_id": str(at), "label": f"service-{at:03}.example.net:443"} for at in range(11, 260)]
    pins.unscanned = [{"host": "pay.example.com", "pin_sets": [{"id": "2", "label": "shop-ios 5.1.0"}]}, {"host": "*.example.org", "pin_sets": [{"id": "5", "label": f"{HOSTILE} 1"}]}]
    told(bench, page, "pin_sets")
    panel = page.locator("section[aria-labelledby=coverage]")
    for words in ("Pinned by a release, but not watched", "pay.example.com", "shop-ios 5.1.0", "a pattern: add the hosts behind it", "Watched, but pinned by no release", "249", "service-011.example.net:443"):
        expect(panel).to_contain_text(words)
    panel.get_by_role("button", name="Show 200 of 249").click()
    expect(panel.locator("section[aria-labelledby=unpinned] li")).to_have_count(200)
    panel.get_by_role("button", name="Show fewer").click()
    stands(page, "the coverage")
    assert page.evaluate("window.pwned") is None
    panel.get_by_role("button", name="Add pay.example.com as a target").click()
    dialog = page.get_by_role("dialog", name="Add targets")
    assert dialog.get_by_label("Hosts").input_value() == "pay.example.com"
    dialog.get_by_role("button", name="Add 1 target").click()
    expect(page.get_by_role("heading", name="pay.example.com:443")).to_be_visible()
    visit.clean()


def test_an_empty_list_teaches_the_next_step(bench):
    page = signed(bench, "#/pin-sets").page
    bench.world.admin.pin_sets = []
    told(bench, page, "pin_sets")
    expect(page.get_by_text("A pin set says which keys one release of an app accepts.")).to_be_visible()
    assert page.locator("main .primary").count() == 1


def test_a_file_is_understood_before_it_is_added(bench):
    visit = signed(bench, "#/pin-sets")
    page = visit.page
    page.get_by_role("link", name="Add a pin set").click()
    source(page).fill(NEW)
    page.get_by_role("button", name="Read the file").click()
    understood = page.locator("#main section[aria-labelledby=shape]")
    for words in ("shop-ios 5.3.0", "URLSession", "api.example.com", "2 pins", "sha256/8sGmQ0wR1vVd6y1zXr6N3u9o0J2kq5pC7hT4bYfLxWE="):
        expect(understood).to_contain_text(words)
    assert not any(one["release"] == "5.3.0" for one in bench.world.admin.pin_sets)
    accessible(page, "a preview")
    source(page).press("End")
    source(page).press_sequentially(" ")
    expect(page.get_by_role("button", name="Read the file")).to_be_visible()
    page.get_by_role("button", name="Read the file").click()
    page.get_by_role("button", name="Add this pin set").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("shop-ios 5.3.0")
    expect(notice(page)).to_contain_text("shop-ios 5.3.0 was added.")
    expect(page.locator(".places")).to_contain_text("api.example.com:443")
    visit.clean()


def test_a_faulty_file_is_kept_and_its_places_are_shown(bench):
    visit = signed(bench, "#/pin-sets?add=1")
    page = visit.page
    source(page).fill("pinwatch: 1\nrelease: 1")
    page.get_by_role("button", name="Read the file").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Line 1, column 1: app is missing.")
    assert source(page).input_value() == "pinwatch: 1\nrelease: 1" and source(page).get_attribute("aria-invalid") == "true"
    source(page).fill(NEW + "        - file:pin.pem\n")
    page.get_by_role("button", name="Read the file").click()
    expect(alert).to_contain_text("file: pins are read only by the command line")
    alert.get_by_role("button", name="Line 9, column 11").click()
    caret = page.evaluate("document.activeElement.selectionStart")
    assert NEW[:caret].count("\n") == 8 and len(NEW[:caret].split("\n")[-1]) == 10
    visit.clean(allowed=["422"])


def test_what_is_there_already_is_said_and_replaced(bench):
    page = signed(bench, "#/pin-sets?add=1").page
    source(page).fill(SOURCE.replace("share: 0.31", "share: 0.4"))
    page.get_by_role("button", name="Read the file").click()
    expect(page.get_by_text("This release is there already")).to_be_visible()
    page.get_by_role("button", name="Replace").click()
    expect(notice(page)).to_contain_text("shop-ios 5.1.0 was replaced.")
    assert page.url.endswith("#/pin-sets/2")
    expect(page.locator("main pre")).to_contain_text("share: 0.4")


@pytest.mark.parametrize("how", ["choose", "drop", "paste"])
def test_a_file_comes_by_choosing_dropping_or_pasting(bench, how):
    visit = signed(bench, "#/pin-sets?add=1")
    page = visit.page
    if how == "choose":
        page.locator("#pinset-file").set_input_files({"name": "shop.yaml", "mimeType": "text/yaml", "buffer": NEW.encode()})
    elif how == "drop":
        source(page).evaluate("""(box, words) => {
            const data = new DataTransfer();
            data.items.add(new File([words], 'shop.yaml'));
            for (const kind of ['dragover', 'drop']) box.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
        }""", NEW)
    else:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.evaluate("(words) => navigator.clipboard.writeText(words)", NEW)
        source(page).focus()
        page.keyboard.press("Control+V")
    expect(page.get_by_role("button", name="Add this pin set")).to_be_visible()
    assert source(page).input_value() == NEW
    visit.clean()


def test_leaving_forgets_what_was_pasted_but_a_change_elsewhere_does_not(bench):
    page = signed(bench, "#/pin-sets?add=1").page
    source(page).fill("pinwatch: 1 # half")
    with page.expect_response("**/api/v1/alerts**"):
        told(bench, page, "pin_sets")
    assert source(page).input_value() == "pinwatch: 1 # half"
    page.get_by_role("link", name="Cancel").click()
    page.get_by_role("link", name="Add a pin set").click()
    assert source(page).input_value() == ""


def test_one_says_what_it_pins_and_where_it_applies(bench):
    visit = signed(bench, "#/pin-sets/2")
    page = visit.page
    body = page.locator("main").inner_text()
    for words in ("shop-ios 5.1.0", "31 % of users", "2 pins for any certificate of the path", "sha256/Lw0cE8uN2mVq4tZs7RkX1yJ6pBfDhGaT9oCiWlKe3SU=", "rejected on 3 of 8 addresses",
                  "neither of its 2 pins is in the path that 3 addresses serve.", "no_pin_matched", "client: urlsession"):
        assert words in body, (words, body)
    page.locator(".places").get_by_role("link", name="api.example.com:443").first.click()
    page.wait_for_url("**/#/targets/1")


def test_one_of_the_configuration_file_says_where_it_is_changed(bench):
    page = signed(bench, "#/pin-sets/3").page
    expect(page.get_by_text("It comes from /etc/pinwatch/pins/shop-android-8.0.yaml and is changed there.")).to_be_visible()
    assert page.locator("main").get_by_role("button").all_inner_texts() == ["Export"]


def test_what_lint_says_and_the_original_files_stand_with_a_pin_set(bench):
    visit = signed(bench, "#/pin-sets?add=1")
    page = visit.page
    drop(page, ["Info.plist", PLIST], ["Other.plist", PLIST + HOSTILE])
    page.get_by_label("Release", exact=True).fill("9.0")
    expect(page.get_by_role("heading", name="Info.plist 9.0")).to_be_visible()
    page.get_by_role("button", name="Add these 2 pin sets").click()
    page.locator(".pinset", has_text="9.0").first.get_by_role("link", name="9.0").click()
    lint = page.locator("section[aria-labelledby=lint]")
    for words in ("1 error", "1 warning", "1 note", "One pin alone", "Instead: Add the pin", "Info.plist:3:5"):
        expect(lint).to_contain_text(words)
    page.get_by_role("button", name="Show the original files").click()
    dialog = page.get_by_role("dialog", name="The original files")
    expect(dialog.get_by_role("region", name="Info.plist")).to_contain_text(PLIST)
    expect(dialog).to_contain_text(PLIST + HOSTILE[:28])
    stands(page, "the original files")
    assert page.evaluate("window.pwned") is None
    visit.clean()


def test_pins_are_exported_in_the_clients_formats(bench):
    visit = signed(bench, "#/pin-sets/2", role="viewer", permissions=["clipboard-read", "clipboard-write"])
    page = visit.page
    page.get_by_role("button", name="Export").click()
    dialog = page.get_by_role("dialog", name="Export shop-ios 5.1.0")
    words = dialog.get_by_role("region", name="The exported text")
    expect(words).to_contain_text("// native")
    dialog.get_by_label("Format").select_option("okhttp-kotlin")
    expect(words).to_contain_text("// okhttp-kotlin")
    stands(page, "an export")
    dialog.get_by_role("button", name="Copy").click()
    expect(dialog.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").startswith("// okhttp-kotlin\nsha256/")
    with page.expect_download() as started:
        dialog.get_by_role("link", name="Download").click()
    assert started.value.suggested_filename == "shop-ios-5.1.0.kt"
    dialog.get_by_label("Format").select_option("curl")
    expect(dialog.get_by_text("curl takes one list of pins for all hosts")).to_be_visible()
    assert page.evaluate("window.pwned") is None
    visit.clean(allowed=["422"])


def test_the_file_is_replaced_and_a_refusal_keeps_it(bench):
    visit = signed(bench, "#/pin-sets/2")
    page = visit.page
    page.get_by_role("button", name="Replace the file").click()
    box = page.get_by_role("dialog").get_by_role("textbox", name="Pin file")
    assert box.input_value() == SOURCE
    box.fill(NEW)
    page.get_by_role("button", name="Replace", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("This is another release")
    assert box.input_value() == NEW
    box.fill(SOURCE.replace("share: 0.31", "share: 0.31 # new"))
    accessible(page, "replacing")
    page.get_by_role("button", name="Replace", exact=True).click()
    expect(page.locator("main pre")).to_contain_text("share: 0.31 # new")
    expect(notice(page)).to_contain_text("The file was replaced.")
    visit.clean(allowed=["422"])


def test_deleting_can_be_undone_by_keyboard(bench):
    visit = signed(bench, "#/pin-sets/2")
    page = visit.page
    page.get_by_role("button", name="Delete").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".pinset")).to_have_count(4)
    expect(notice(page)).to_contain_text("shop-ios 5.1.0 was deleted.")
    page.keyboard.press("Shift+Tab")
    page.get_by_role("button", name="Undo").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("shop-ios 5.1.0")
    assert page.url.endswith("#/pin-sets/2")
    visit.clean()


def test_dialog_and_notice_fit_on_a_phone(bench):
    page = signed(bench, "#/pin-sets/2", viewport=PHONE).page
    page.get_by_role("button", name="Replace the file").click()
    fits(page, "the dialog")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Delete").click()
    expect(notice(page)).to_be_visible()
    # The list has arrived too: before it, the page has no heading.
    expect(page.get_by_role("heading", level=1, name="Pin sets")).to_be_visible()
    fits(page, "the notice")
    accessible(page, "the notice")
