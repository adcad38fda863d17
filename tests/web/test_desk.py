"""A director's desk: what it shows is followed on another page, also after a crash; a commentary plays along."""

import json
from pathlib import Path
from urllib.request import urlopen

import anyio
import pytest

from tests.web.access import axe
from tests.web.browser import Browser, Page
from tests.web.directing import NOTE, begun, resign, typed
from tests.web.playing import CHOOSE, FAST
from tests.web.serving import Served

VOICE = """if (navigator.mediaDevices) navigator.mediaDevices.getUserMedia = async () => {
    const sound = new AudioContext(), out = sound.createMediaStreamDestination(), tone = sound.createOscillator();
    tone.connect(out);
    tone.start();
    return out.stream;
};"""
"""A microphone that hears a tone."""
RING = "document.querySelector('rect.ln-cast')?.checkVisibility()"
MARKED = "getComputedStyle(document.querySelector('#frame'), '::after').content.includes('Replay')"
"""Whether the picture for streaming software says that it is a replay."""
ENDED = "document.querySelector('#headline .why').textContent"
LARGEST = "parseFloat(getComputedStyle(document.querySelector('#headline .event')).fontSize)"
PIECE = "document.querySelector('#frame .pc').focus()"
PRESSED = "document.querySelector('#speak').getAttribute('aria-pressed')"


def some_choices(ada: Page, many: int) -> None:
    ada.wait("window.herald?.scene && document.body.dataset.ready")
    for _ in range(many):
        ada.wait("herald.prompt.mine()")
        ada.evaluate(CHOOSE)
        ada.rest()


@pytest.mark.whole
def test_a_desk_shows_viewers_a_moment_marks_and_notes_and_a_commentary_plays_along(
    browser: Browser, tmp_path: Path
) -> None:
    served = Served(tmp_path)
    served.start()
    match, token, directs = anyio.run(begun, served.url)
    ada, desk, viewer = browser.page(), browser.page(), browser.page()
    ada.before_load(FAST)
    ada.goto(f"{served.url}/play#m={match}&t={token}")
    some_choices(ada, 3)
    desk.before_load(VOICE)
    desk.size(1400, 900)
    desk.goto(f"{served.url}/desk#m={match}&t={directs}")
    viewer.goto(f"{served.url}/follow#m={match}")
    typed(desk, "#note", "#say", "Look at Ada")
    viewer.wait(f"{NOTE} === 'Look at Ada'")
    desk.click("#draw")
    for _ in range(2):
        desk.evaluate(PIECE)
        desk.press("Enter")
    viewer.wait(RING)
    desk.evaluate("document.querySelector('#slider').value = 0; document.querySelector('#slider').oninput()")
    desk.click("#show")
    viewer.wait("Number(document.querySelector('#slider').value) === 0")
    desk.click("#addinset")
    viewer.wait("document.querySelector('#inset').checkVisibility()")
    for page, name in ((desk, "desk"), (viewer, "follow")):
        page.screenshot(name)
        axe(page, name)
    viewer.click("#latest")
    viewer.wait("document.querySelector('#following').getAttribute('aria-pressed') === 'false'")
    desk.click("#speak")
    desk.wait(f"{PRESSED} === 'true'")
    typed(desk, "#remark", "#write", "Ada has begun")
    served.kill()
    desk.wait("document.querySelector('#trouble').checkVisibility()")
    served.start()
    late = browser.page()
    late.goto(f"{served.url}/follow#m={match}&clean=overlay")
    late.wait(f"{NOTE} === 'Look at Ada'")
    assert late.evaluate(MARKED), "the moment that the director shows is not the latest"
    desk.click("#latest")
    desk.click("#show")
    late.wait(f"!{MARKED}")
    desk.click("#speak")
    desk.wait(f"{PRESSED} === 'false'")
    anyio.run(resign, served.url, match, token)
    with urlopen(f"{served.url}/api/commentary/{match}") as answer:
        (track,) = json.load(answer)["tracks"]
    assert track["sound"] > 1000
    heard = browser.page()
    heard.size(1280, 720)
    heard.goto(f"{served.url}/overlay/{match}?lang=en")
    assert heard.wait(ENDED) == "Resigned."
    assert heard.evaluate(LARGEST) > 40
    heard.goto(f"{served.url}/replay#m={match}")
    heard.wait("document.querySelector('#lead').checkVisibility()")
    heard.goto(f"{served.url}/follow#m={match}&talk={track['track']}")
    heard.wait("document.querySelector('#play').checkVisibility()")
    heard.click("#play")
    heard.wait(f"{NOTE} === 'Ada has begun'")
    heard.screenshot("commentary")
    served.kill()
    assert desk.errors == [] or all("ERR_CONNECTION_REFUSED" in error for error in desk.errors)
