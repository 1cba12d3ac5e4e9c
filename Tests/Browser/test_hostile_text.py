"""What certificates say stays text, and the policy forbids what it should."""

from playwright.sync_api import expect


def test_hostile_text_stays_text(bench):
    visit = bench.visit("#/targets/6")
    page = visit.ready()
    page.locator(".chain .name").first.click()
    expect(page.locator(".details")).to_contain_text("Unreadable")
    assert page.evaluate("window.pwned") is None
    assert page.locator("main script, main img").count() == 0
    body = page.locator("main").text_content()
    for shown in ("<script>window.pwned = 1</script>", "\\u202e", "\\u0000", "\\u200b", "\\u2066", "https://odd.example/", "-05", "and 9,985 more"):
        assert shown in body, shown
    hidden = page.evaluate("""() => {
        const values = [document.body.textContent];
        for (const one of document.querySelectorAll('*')) for (const name of one.getAttributeNames()) values.push(one.getAttribute(name));
        return values.join('').match(/[\\u0000-\\u0008\\u000e-\\u001f\\u200b-\\u200f\\u202a-\\u202e\\u2066-\\u2069]/)?.length ?? 0;
    }""")
    assert hidden == 0
    assert "a" * 500 not in body and page.locator(".names > li").count() == 21
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    visit.clean()


def test_letters_of_another_script_in_a_latin_word_are_told(bench):
    world = bench.serve()
    world.by_id["6"]["labels"] = {"team": "p\u0430yments", "town": "\u041c\u043e\u0441\u043a\u0432\u0430"}
    world.by_id["2"] |= {"host": "xn--pypal-4ve.example", "host_unicode": "p\u0430ypal.example"}
    page = bench.visit("#/targets/6").ready()
    assert "team: p\u0430\\u0430yments" in page.locator(".under").text_content()
    assert "town: \u041c\u043e\u0441\u043a\u0432\u0430" in page.locator(".under").text_content(), "a word of one script stays as it is"
    page.goto(bench.base + "#/targets/2")
    expect(page.locator("h1")).to_contain_text("xn--pypal-4ve.example")
    assert "\\u0430" in page.locator("h1").text_content() and "\\u0430" in page.title()


def test_the_policy_forbids_what_it_should(any_bench):
    visit = any_bench.visit()
    page = visit.ready()
    policy = page.request.get(any_bench.base).headers["content-security-policy"]
    for part in ("default-src 'none'", "script-src 'self'", "style-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"):
        assert part in policy, policy
    assert "unsafe" not in policy
    assert page.locator("[style], [onclick], script:not([src]), style").count() == 0
    visit.clean()
