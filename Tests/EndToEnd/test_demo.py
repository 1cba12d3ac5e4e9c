"""The demonstration tells its whole story, ends by Ctrl-C, and says when it was cut short."""

import signal
import subprocess

import service

PUBLIC = str(service.ROOT / "Public")
STORY = [
    "scanned, and nothing to tell", "nobody is told; recorded: api.shop.test", "no alert; webhook event.key.changed",
    "webhook alert.opened, signature verified: critical pin.rejected: shop 1.0 rejects pay.shop.test",
    "webhook alert.resolved, signature verified: pin.rejected is over", "that is the whole story",
]


def test_the_demonstration_tells_its_whole_story_within_a_minute():
    process = subprocess.Popen(
        [service.BINARY, "demo", "--port", "0", "--seconds", "60", "--public", PUBLIC],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    told = []
    for line in process.stdout:
        told.append(line)
        if STORY[-1] in line:
            process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 0, process.stderr.read()
    places = ["".join(told).find(words) for words in STORY]
    assert -1 not in places and places == sorted(places), told
    process.stdout.close()
    process.stderr.close()


def test_a_demonstration_cut_short_says_so():
    status, _, errors = service.run("demo", "--port", "0", "--seconds", "1", "--public", PUBLIC, timeout=60)
    assert status == 1
    assert "time was up before the story was told" in errors
