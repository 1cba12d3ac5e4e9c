"""Widths, colours, and what assistive technology finds."""

from axe_playwright_python.sync_playwright import Axe
from browser import expand_first
from playwright.sync_api import expect


def test_nothing_scrolls_sideways_on_a_phone(any_bench):
    page = any_bench.visit(viewport={"width": 360, "height": 740}).ready()
    expand_first(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    wide = page.evaluate("""[...document.querySelectorAll('main *')].filter(one => !one.closest('.scroll, svg, .hidden, .ends, thead')
        && one.getBoundingClientRect().right > 360.5).map(one => one.outerHTML.slice(0, 90))""")
    assert wide == [], wide


def test_axe_finds_nothing(any_bench):
    for options in ({"color_scheme": "light"}, {"color_scheme": "dark"}, {"viewport": {"width": 360, "height": 740}}):
        page = any_bench.visit(**options).ready()
        expand_first(page)
        found = Axe().run(page)
        assert found.violations_count == 0, f"{options}: {found.generate_report()}"


def test_axe_finds_nothing_in_details_of_hostile_text(bench):
    page = bench.visit("#/?q=hostile&open=6", color_scheme="dark").ready()
    page.locator(".chain .name").first.click()
    expect(page.locator(".details")).to_be_visible()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_key_colours_can_be_seen_and_read_in_both_schemes(bench):
    for scheme in ("light", "dark"):
        page = bench.visit(color_scheme=scheme).ready()
        worst = page.evaluate("""() => {
            const light = (rgb) => rgb.match(/[\\d.]+/g).slice(0, 3).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
                .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
            const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
            const panel = getComputedStyle(document.querySelector('.panel')).backgroundColor;
            const probe = document.body.appendChild(document.createElement('span'));
            const values = [];
            for (const key of ['0', '1', '2', '3', '4', '5', '6', '7', 'none']) {
                probe.className = 'square key-' + key;
                probe.style.setProperty('color', 'var(--on-key)');
                const style = getComputedStyle(probe);
                values.push([ratio(style.backgroundColor, panel) / 3, ratio(style.backgroundColor, style.color) / 4.5]);
            }
            return Math.min(...values.flat());
        }""")
        assert worst >= 1, (scheme, worst)


def test_the_scheme_can_be_chosen_and_is_kept(bench):
    page = bench.visit(color_scheme="light").ready()
    back = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(back)
    page.get_by_label("Colours").select_option("dark")
    dark = page.evaluate(back)
    assert light != dark
    page.reload()
    expect(page.locator("#sentence")).to_be_visible()
    assert page.evaluate(back) == dark
    assert page.get_by_label("Colours").input_value() == "dark"


def test_the_first_view_is_small(any_bench):
    visit = any_bench.visit()
    page = visit.ready()
    expect(page.locator(".paging")).to_be_visible()
    page.wait_for_load_state("networkidle")
    nodes = page.evaluate("document.querySelectorAll('*').length")
    print(f"    {nodes} elements, {visit.bytes} bytes")
    assert nodes <= 2_000, nodes
    assert visit.bytes <= 100 * 1024, visit.bytes
