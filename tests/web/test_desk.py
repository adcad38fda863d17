"""A director's desk: what it shows is followed on another page, also after a crash; a commentary plays along."""

import json
from pathlib import Path
from urllib.request import urlopen

import anyio
import pytest

import herald_client
from tests.web.access import axe
from tests.web.browser import Browser, Page
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
PIECE = "document.querySelector('#frame .pc').focus()"
PRESSED = "document.querySelector('#speak').getAttribute('aria-pressed')"


async def begun(url: str) -> tuple[str, str, str]:
    """A match of a person and a bot: its id, the token of the seat, and a director's."""
    made = await herald_client.Server(url).create(
        "vera_discordia", [herald_client.me("Ada"), herald_client.bot("steady")]
    )
    async with herald_client.Match(f"ws{url[4:]}/ws", made.match, made.tokens["0"], scenes=False) as match:
        return made.match, made.tokens["0"], await match.grant(directs=True)


async def resign(url: str, match: str, token: str) -> None:
    async with herald_client.Match(f"ws{url[4:]}/ws", match, token, scenes=False) as held:
        await held.resign()


def typed(page: Page, field: str, form: str, text: str) -> None:
    """Write into a field and send its form."""
    page.evaluate(f"document.querySelector('{field}').value = {json.dumps(text)}")
    page.evaluate(f"document.querySelector('{form}').requestSubmit()")


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
    viewer.wait("document.querySelector('#note').textContent === 'Look at Ada'")
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
    late.goto(f"{served.url}/follow#m={match}")
    late.wait("document.querySelector('#note').textContent === 'Look at Ada'")
    desk.click("#speak")
    desk.wait(f"{PRESSED} === 'false'")
    anyio.run(resign, served.url, match, token)
    with urlopen(f"{served.url}/api/commentary/{match}") as answer:
        (track,) = json.load(answer)["tracks"]
    assert track["sound"] > 1000
    heard = browser.page()
    heard.goto(f"{served.url}/replay#m={match}")
    heard.wait("document.querySelector('#lead').checkVisibility()")
    heard.goto(f"{served.url}/follow#m={match}&talk={track['track']}")
    heard.wait("document.querySelector('#play').checkVisibility()")
    heard.click("#play")
    heard.wait("document.querySelector('#note').textContent === 'Ada has begun'")
    heard.screenshot("commentary")
    served.kill()
    assert desk.errors == [] or all("ERR_CONNECTION_REFUSED" in error for error in desk.errors)
