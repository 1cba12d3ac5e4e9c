"""Preflight: whether every release would accept a key, asked before it is installed."""

import pytest
from browser import until, walk
from dropped import drop
from fixture_admin_data import HOSTILE
from playwright.sync_api import expect
from signed import accessible, signed, stands

CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"
KEY = "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----"


def candidate(page):
    return page.get_by_label("New certificate, chain, signing request or public key")


def test_from_a_target_the_question_is_asked_and_answered_by_keyboard(bench):
    visit = signed(bench, "#/targets/1", role="viewer")
    page = visit.page
    page.get_by_role("link", name="May we rotate?").click()
    expect(page.get_by_role("heading", name="Preflight")).to_be_focused()
    assert page.get_by_label("Host", exact=True).input_value() == "api.example.com"
    accessible(page, "a question")
    walk(page, "document.activeElement.id === 'preflight-candidate'")
    page.keyboard.insert_text(CERTIFICATE)
    walk(page, "document.activeElement.textContent === 'Ask'")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Stop: one release would reject this key.")).to_be_focused()
    answer = page.locator("section[aria-labelledby=answer]")
    expect(answer.get_by_text("Rejected for 31 % of iOS users of shop-ios")).to_be_visible()
    rows = answer.get_by_role("table", name="Release by release").locator("tbody tr")
    expect(rows).to_have_count(3)
    for words in ("shop-ios 5.1.0", "31 %", "of iOS", "accepted", "rejected", "neither of its 2 pins"):
        expect(rows.first).to_contain_text(words)
    expect(answer).to_contain_text("The certificate is issued by the issuer that api.example.com has now.")
    assert HOSTILE[:10] in answer.inner_text() and page.evaluate("window.pwned") is None
    assert bench.world.pins.bodies == [{"host": "api.example.com", "candidate": CERTIFICATE}]
    stands(page, "an answer")
    visit.clean()


@pytest.mark.parametrize(("go", "words", "chip"), [(True, "Go: every release accepts this key.", "go"), (None, "It cannot be told", "could not tell")])
def test_go_and_not_knowing_are_said_in_words(bench, go, words, chip):
    page = signed(bench, "#/preflight?host=login.example.com").page
    bench.world.pins.go = go
    candidate(page).fill(CERTIFICATE)
    page.get_by_role("button", name="Ask").click()
    expect(page.locator("#answer")).to_contain_text(words)
    expect(page.locator(".preflight .under .chip")).to_have_text(chip)
    candidate(page).fill(CERTIFICATE + "\n")
    expect(page.locator("#answer")).to_have_count(0)


@pytest.mark.parametrize("how", ["paste", "drop"])
def test_a_private_key_stays_on_this_computer(bench, how):
    visit = signed(bench, "#/preflight?host=api.example.com")
    page = visit.page
    if how == "paste":
        candidate(page).fill(KEY)
        page.get_by_role("button", name="Ask").click()
    else:
        drop(page, ["server.key", KEY])
    expect(page.get_by_text("private key, so it was not sent anywhere").first).to_be_visible()
    page.wait_for_timeout(100)
    assert bench.world.pins.bodies == []
    visit.clean()


def test_a_file_of_bytes_is_asked_about_and_a_refusal_keeps_what_was_given(bench):
    visit = signed(bench, "#/preflight")
    page = visit.page
    page.get_by_role("button", name="Ask").click()
    expect(page.get_by_role("alert")).to_contain_text("Say which host is to serve it.")
    page.get_by_label("Host", exact=True).fill("pay.")
    expect(page.locator("#preflight-hosts option")).to_have_count(1)
    page.get_by_label("Host", exact=True).fill("api.example.com")
    drop(page, ["new.cer", [0x30, 0x82, 0xFF, 0xFE]])
    expect(page.get_by_text("It is asked about new.cer.")).to_be_visible()
    page.get_by_role("button", name="Ask").click()
    until(page, lambda: bench.world.pins.bodies, "the service was asked")
    assert bench.world.pins.bodies[0]["candidate"] == "MIL//g=="
    expect(page.get_by_role("alert")).to_contain_text("This is no certificate, public key or signing request.")
    expect(page.get_by_text("It is asked about new.cer.")).to_be_visible()
    visit.clean(allowed=["422"])
