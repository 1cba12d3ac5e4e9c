"""What somebody does on their first day, by keyboard alone: signs in, pastes hosts, adds pins and a channel, and sees a
host leave its pins on a page that they do not touch."""

import os
import pathlib

import pytest
from browser import Bench
from newcomer_world import HOSTS, NewcomerWorld
from playwright.sync_api import expect
from signed import accessible, notice

# Where each step is kept as a picture; nowhere unless asked for.
PICTURES = os.environ.get("PINWATCH_PICTURES")
# Until a host that moved is scanned again, judged and told of.
TOLD = 30_000


class Newcomer:
    """Somebody at the dashboard whose hand never leaves the keyboard."""

    def __init__(self, visit, scheme):
        self.visit, self.page, self.scheme = visit, visit.page, scheme
        self.steps = 0

    def reach(self, found, steps=60):
        """Tab by Tab to what stands there."""
        expect(found).to_be_visible()
        for _ in range(steps):
            if found.evaluate("one => one === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {found}")

    def press(self, role, name, within=None):
        self.reach((within or self.page).get_by_role(role, name=name, exact=True))
        self.page.keyboard.press("Enter")

    def write(self, label, words, within=None):
        self.reach((within or self.page).get_by_label(label, exact=True))
        self.page.keyboard.insert_text(words)

    def seen(self, name):
        """What is on the page now has nothing that keeps anybody out, and is kept as a picture where that is asked for."""
        self.steps += 1
        accessible(self.page, name)
        if PICTURES:
            self.page.screenshot(path=pathlib.Path(PICTURES) / f"{self.scheme}-{self.steps:02}-{name}.png")

    def sign_in(self, token):
        page = self.page
        expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
        self.seen("sign-in")
        self.write("Token", token)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Begin here")).to_be_visible()
        self.seen("first-step")

    def paste_hosts(self, words):
        page = self.page
        self.press("button", "Paste hosts")
        dialog = page.get_by_role("dialog", name="Add targets")
        self.write("Hosts", words, dialog)
        expect(dialog.get_by_role("status")).to_contain_text(f"{HOSTS} new")
        self.reach(dialog.get_by_label("Trust store"))
        page.keyboard.type("lab")
        self.seen("hosts-understood")
        self.press("button", f"Add {HOSTS} targets", dialog)
        expect(notice(page)).to_contain_text(f"{HOSTS} targets added")
        expect(page.locator(".targets > tbody > tr")).to_have_count(HOSTS)
        expect(page.locator(".targets").get_by_text("ok", exact=True)).to_have_count(HOSTS)
        self.seen("hosts-watched")

    def add_pins(self, words):
        page = self.page
        self.press("link", "Pin sets")
        self.press("link", "Add a pin set")
        self.write("Pin file", words)
        self.seen("pins-pasted")
        self.press("button", "Read the file")
        expect(page.get_by_role("heading", name="What was understood")).to_be_visible()
        self.seen("pins-understood")
        self.press("button", "Add this pin set")
        expect(page.get_by_role("heading", name="shop 1.0")).to_be_visible()
        expect(page.locator(".places > li").filter(has_text="accepted")).to_have_count(HOSTS)
        self.seen("pins-applied")

    def add_channel(self, receiver):
        """The secret that is shown this once goes to the receiver, which takes nothing that is not signed with it."""
        page = self.page
        self.press("link", "Settings")
        self.press("button", "Add a channel")
        dialog = page.get_by_role("dialog", name="Add a channel")
        self.write("Name", "ops", dialog)
        self.write("URL", receiver.url, dialog)
        self.reach(dialog.get_by_label("Allow private addresses"))
        page.keyboard.press("Space")
        self.seen("channel-written")
        self.press("button", "Add", dialog)
        secret = dialog.get_by_label("Its secret, to verify signatures with")
        expect(secret).to_be_visible()
        self.seen("channel-secret")
        receiver.secret = secret.input_value()
        self.press("button", "Send a test", dialog)
        expect(dialog.get_by_text("The test arrived")).to_be_visible()
        self.seen("channel-tested")
        assert receiver.refused == [] and [message["type"] for message in receiver.messages] == ["channel.test"]
        self.press("button", "Done", dialog)
        assert receiver.secret not in page.content()

    def see_the_drift(self, world):
        """From the moment when the host moves until what is wrong stands there, nothing is pressed."""
        page = self.page
        self.press("link", "Overview")
        expect(page.locator("#sentence")).to_contain_text("Nothing is broken")
        page.evaluate("window.sameDocument = true")
        self.seen("all-well")
        world.rotate()
        broken = page.locator(".rows .finding").filter(has_text=world.moved)
        expect(broken).to_contain_text(f"shop 1.0 rejects {world.moved}", timeout=TOLD)
        expect(page.locator("#sentence")).not_to_contain_text("Nothing is broken")
        expect(page.locator(".feed li").filter(has_text=world.moved).first).to_contain_text("moved to a key that no release pins")
        expect(page.get_by_role("link", name="Alerts 1 open")).to_be_visible()
        assert page.evaluate("window.sameDocument"), "it came without loading the page again"
        self.seen("drift")
        told = world.receiver.wait(lambda message: message["type"] == "alert.opened", 20)
        assert told["data"]["finding"]["kind"] == "pin.rejected" and world.receiver.refused == []

    def follow_it(self, world):
        page = self.page
        self.reach(page.locator(".rows .finding").get_by_role("link").first)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_contain_text(world.moved)
        expect(page.get_by_text("rejected by 1 of 1 release")).to_be_visible()
        expect(page.locator(".timeline .bar")).to_have_count(2)
        self.seen("target")


@pytest.fixture
def world(tmp_path):
    made = NewcomerWorld(tmp_path)
    try:
        yield made.start()
    finally:
        made.stop()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_first_day_by_keyboard_ends_with_a_drift_that_nobody_had_to_ask_for(browser, stack, world, scheme):
    visit = Bench(browser, stack, world.base).visit(color_scheme=scheme)
    newcomer = Newcomer(visit, scheme)
    newcomer.sign_in(world.token)
    newcomer.paste_hosts(world.pasted())
    newcomer.add_pins(world.pin_file())
    newcomer.add_channel(world.receiver)
    newcomer.see_the_drift(world)
    newcomer.follow_it(world)
    visit.clean(allowed=["401"])
