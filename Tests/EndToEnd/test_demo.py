"""The demonstration tells its whole story, and says so by its exit status."""

import service


def test_the_demonstration_tells_its_whole_story():
    status, told, errors = service.run(
        "demo", "--port", "0", "--seconds", "50", "--public", str(service.ROOT / "Public"), timeout=90)
    assert status == 0, errors
    order = [
        "scanned, and nothing to tell", "nobody is told; recorded: api.shop.test", "no alert; webhook event.key.changed",
        "webhook alert.opened, signature verified: critical pin.rejected: shop 1.0 rejects pay.shop.test",
        "webhook alert.resolved, signature verified: pin.rejected is over", "that is the whole story",
    ]
    places = [told.find(words) for words in order]
    assert -1 not in places and places == sorted(places), told


def test_a_demonstration_cut_short_says_so():
    status, _, errors = service.run(
        "demo", "--port", "0", "--seconds", "1", "--public", str(service.ROOT / "Public"), timeout=60)
    assert status == 1
    assert "time was up before the story was told" in errors
