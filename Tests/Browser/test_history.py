"""A target's history, by mouse and by keyboard."""

from browser import focused, reach_target, walk
from fixture_admin_data import HOSTILE
from playwright.sync_api import expect
from signed import stands


def test_a_target_opens_to_its_history(bench):
    visit = bench.visit("#/targets?host=api.example")
    page = visit.ready()
    page.locator("#target-1").click()
    expect(page.locator(".timeline .bar")).to_have_count(5)
    assert page.url.endswith("#/targets/1")
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
    assert page.locator("table.plain").first.locator("tbody tr").count() == 5
    assert "192.0.2.3" in page.locator("table.plain").first.inner_text()
    assert page.locator("ul.addresses > li").count() == 8
    visit.clean()


def test_the_keyboard_reaches_everything(bench):
    page = bench.visit("#/targets").ready()
    page.keyboard.press("/")
    assert focused(page) == "search"
    page.keyboard.type("api.example")
    expect(page.locator(".targets tbody tr")).to_have_count(1)
    walk(page, "document.activeElement.id === 'target-1'")
    page.keyboard.press("Enter")
    expect(page.locator(".timeline .bar")).to_have_count(5)
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


def test_a_pin_and_a_hash_are_copied(bench):
    page = reach_target(bench, permissions=["clipboard-read", "clipboard-write"]).page
    page.locator(".chain .name").first.click()
    page.locator(".details .copy button").first.click()
    expect(page.locator(".details .copy button").first).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("sha256/") and len(copied) == 51, copied


def test_a_certificate_is_downloaded_in_both_forms(bench):
    page = reach_target(bench).page
    page.locator(".chain .name").first.click()
    for form in ("PEM", "DER"):
        with page.expect_download() as started:
            page.get_by_role("link", name=form).click()
        assert started.value.suggested_filename.endswith(f".{form.lower()}")


def test_a_change_of_key_and_a_rollout_under_way_are_marked(bench):
    world = bench.serve()
    spans = {one["id"]: one for one in world.spans(world.by_id["1"])}
    world.happened("api.example.com moved to its backup key.", target_id="1", **{"class": "to_pin_of_all", "at": world.time(-20 * world.DAY)},
                   evidence={"from": {"spki": spans["1-rsa-old"]["spki"]}, "to": {"spki": spans["1-rsa-now"]["spki"]}})
    page = reach_target(bench).page
    expect(page.locator(".timeline .turn")).to_have_count(1)
    assert page.locator(".timeline .turn text").text_content() == "to a key that all pin"
    thin = page.locator("[id='bar-1-1-new'] rect").get_attribute("height")
    assert int(thin) < int(page.locator("[id='bar-1-1-now'] rect").get_attribute("height"))


def test_time_in_which_nobody_looked_is_hatched_and_not_drawn_as_absence(bench):
    world = bench.serve()
    page = reach_target(bench, "7").page
    gaps = page.locator(".timeline .gap")
    expect(gaps).to_have_count(1)
    assert gaps.locator("title").text_content().startswith("Nothing was seen from ")
    plain = world.spans

    def interrupted(target):
        return [one | {"last_seen": world.time(-60 * world.DAY)} if one["id"] == "2-old" else one for one in plain(target)]

    world.spans = interrupted
    bench.serve_again()
    page = reach_target(bench, "2").page
    expect(page.locator(".timeline .gap")).to_have_count(1)


def test_addresses_are_told_on_demand(bench):
    page = reach_target(bench).page
    page.locator("[id='bar-1-1-new']").click()
    picked = page.locator(".picked")
    expect(picked.locator("summary")).to_contain_text("on 3 addresses")
    expect(picked.get_by_text("192.0.2.3")).to_be_hidden()
    picked.locator("summary").click()
    expect(picked.get_by_text("192.0.2.3")).to_be_visible()


def test_each_release_stands_with_its_verdict_and_its_reason(bench):
    bench.serve().more_releases()
    visit = reach_target(bench)
    page = visit.page
    table = page.locator(".matrix")
    expect(table.locator("tbody tr")).to_have_count(4)
    assert table.locator("thead th").all_text_contents()[3].startswith("ECDSA, 3 addresses")
    rejected = table.locator("tr", has_text="shop-ios 5.1.0").inner_text()
    assert "rejected" in rejected and "no pin matched; 2 pins held" in rejected and "accepted" in rejected
    assert "trap" in table.locator("tr", has_text="shop-android 8.0").inner_text()
    expect(table.locator("tr", has_text="shop-ios 5.1.0").get_by_role("rowheader")).to_contain_text("17 days left · rejected: its pinned certificate ends")
    expect(page.locator("main header .chip").first).to_have_text("rejected by 1 of 4 releases")
    pins = page.locator(".pins li")
    assert "backup, not served" in pins.last.inner_text()
    expect(page.locator(".timeline .pinned")).to_have_count(4)
    assert "pin set ended" in page.locator(".timeline").text_content()
    page.get_by_text("As a table").click()
    expect(page.get_by_role("table", name="Which release pinned which of these keys when").locator("tbody tr")).to_have_count(4)
    visit.clean()


def test_where_there_is_no_room_for_columns_each_release_is_a_list(bench):
    world = bench.serve()
    world.more_releases()
    whole = world.pins.matrix

    def split(call):
        made = whole(call)
        made["rows"][0]["cells"][0] |= {"layers": [{"client": "okhttp", "verdict": "accept", "reason": "the leaf's key is pinned"}, {"client": "android-nsc", "verdict": "reject_pin", "reason": HOSTILE}], "reason": HOSTILE}
        columns = [made["columns"][0] | {"addresses": [f"192.0.2.{at}"]} for at in range(12)]
        return {"columns": columns, "rows": [one | {"cells": one["cells"][:1] * 11 + [None]} for one in made["rows"]]}

    world.pins.matrix = split
    page = reach_target(bench).page
    row = page.locator(".matrix.stacked tbody tr").first
    expect(row.locator(".verdict")).to_have_count(12)
    expect(row.locator(".verdict").last).to_contain_text("not judged yet")
    row.get_by_text("Client by client").first.click()
    expect(row).to_contain_text("network security config")
    assert page.evaluate("window.pwned") is None
    stands(page, "a matrix of twelve columns")


def test_the_chain_stands_as_sent_and_as_verified(bench):
    world = bench.serve()
    page = reach_target(bench, "2").page
    verified = page.locator(".verified")
    expect(verified).to_contain_text("no objection")
    expect(verified.locator(".anchor")).to_contain_text("Example Root X1")
    plain = world.observations

    def told(target):
        path = {"certificates": world.spans(target)[0]["chain"], "anchor": {"subject": "CN=Example Root X9", "sha256": "ab" * 32}}
        verification = {"trust_store": "system", "valid": False, "code": "expired", "reason": "The leaf ended yesterday.", "host_matches": True,
                        "paths": [path], "stray": [], "missing_issuer": None}
        return [one | {"chain": world.spans(target)[0]["chain"], "verification": verification} for one in plain(target)]

    world.observations = told
    bench.serve_again()
    page = reach_target(bench, "2").page
    expect(page.locator(".verified")).to_contain_text("The leaf ended yesterday.")
    expect(page.locator(".verified .anchor")).to_contain_text("Example Root X9")


def test_ranges_are_chosen_and_stand_in_the_address(bench):
    page = reach_target(bench).page
    page.get_by_role("button", name="1 y").click()
    page.wait_for_url("**/#/targets/1?range=1y")
    assert page.get_by_role("button", name="1 y").get_attribute("aria-pressed") == "true"
    page.reload()
    expect(page.get_by_role("button", name="1 y")).to_have_attribute("aria-pressed", "true")


def test_the_keys_that_are_served_are_exported_as_pins(bench):
    visit = reach_target(bench)
    page = visit.page
    page.get_by_role("button", name="Export as pins").click()
    dialog = page.get_by_role("dialog", name="Export the keys of api.example.com as pins")
    dialog.get_by_label("The issuers’ keys too").check()
    dialog.get_by_label("Format").select_option("android-nsc")
    expect(dialog.get_by_role("region", name="The exported text")).to_contain_text("// android-nsc")
    assert "/api/v1/targets/1/export?format=android-nsc&issuers=true" in bench.world.requests
    visit.clean()
