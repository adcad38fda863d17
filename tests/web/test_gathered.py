"""People who do not know each other gather tables of three and four, and each says at each who may know who one is."""

import json

import pytest

from tests.web.browser import Browser, Page
from tests.web.hand import hand, seen
from tests.web.playing import FAST, JOAN, play
from tests.web.serving import Served
from tests.web.signing_up import signed_up

pytestmark = [pytest.mark.timeout(400), pytest.mark.whole]

SIZES = ((1280, 800, False), (390, 844, True), (1280, 800, False), (390, 844, True))
NOW = "document.querySelector('#now form')"
SAID = "document.querySelector('#now [role=status]').innerText"
CHOOSE = """(([part, label, value]) => {
    const named = e => e.innerText.startsWith(label) && e.querySelector("select");
    const list = [...document.querySelectorAll(`${part} label.set`)].find(named).querySelector("select");
    list.value = value;
    list.dispatchEvent(new Event("change", { bubbles: true }));
    return list.value === value;
})"""
OTHER_CHANCE = "crypto.getRandomValues(new Uint8Array(7))"
"""What a page draws here is the same with each load; no two searches have one token."""
PERSONS = "[...document.querySelectorAll('.seat .per')].map(e => e.ariaLabel ?? e.innerText).join()"
OVER_EACH_OTHER = """[...document.querySelectorAll("#seats-top .seat")].filter(seat => {
    const all = [...seat.children].map(e => e.getBoundingClientRect()).filter(r => r.width && r.height);
    const {left, right, bottom} = seat.getBoundingClientRect();
    const meet = (from, to, a, b) => a[from] < b[to] - 1 && b[from] < a[to] - 1;
    const cross = (a, b) => meet("left", "right", a, b) && meet("top", "bottom", a, b);
    return all.some((a, i) => all.slice(i + 1).some(b => cross(a, b)))
        || all.some(r => r.left < left - 1 || r.right > right + 1 || r.bottom > bottom + 1);
}).map(seat => seat.innerText)"""
AT_THE_TABLE = "location.pathname === '/play' && window.herald?.scene && document.body.dataset.ready"


def chooses(page: Page, part: str, label: str, value: str) -> None:
    """Choose from the list with a label."""
    page.wait(f"{CHOOSE}({json.dumps([part, label, value])})")


def asks_for(page: Page, served: Served, seats: int, shows: str = "") -> None:
    """Fill in the form of Play now, for so many seats; it is not sent yet."""
    page.goto(f"{served.url}/")
    page.wait("!document.querySelector('#now').hidden")
    chooses(page, "#now", "Game", JOAN)
    chooses(page, "#now .players", "Players", str(seats))
    page.evaluate(f"{NOW}.elements.rated.checked = false")
    page.click("#now details summary")
    chooses(page, "#now .options", "Who may know", shows)


def at_one_table(pages: list[Page]) -> None:
    for page in pages:
        page.wait(AT_THE_TABLE)
    assert len({page.evaluate("herald.check.verifier?.match ?? location.hash.slice(3, 25)") for page in pages}) == 1
    assert sorted(page.evaluate("herald.scene.viewer.seat") for page in pages) == list(range(len(pages)))


def test_three_and_four_strangers_gather_tables_and_say_at_each_who_may_know_them(
    browser: Browser, served: Served
) -> None:
    pages = [browser.page() for _ in SIZES]
    for page, (wide, high, touch) in zip(pages, SIZES, strict=True):
        page.size(wide, high, touch=touch)
        page.before_load(FAST)
    names = [signed_up(page, served)[0] for page in pages]
    ada, bo, cleo, dan = pages

    asks_for(ada, served, 3)
    ada.click("#now form > .go")
    ada.wait(f"{SAID}.includes('A table for 3 is gathering: 1 person is there')")
    asks_for(bo, served, 3)
    bo.screenshot("gather-390")
    bo.click("#now form > .go")
    ada.wait(f"{SAID}.includes('2 people are there')")
    ada.screenshot("gather-1280")
    cleo.goto(f"{served.url}/")
    cleo.wait("document.querySelector('#offers ul').innerText.includes('3 seats')")
    cleo.click("#offers .row .go")
    at_one_table([ada, bo, cleo])
    play([ada, bo, cleo], 3)

    for page in pages:
        page.before_load(OTHER_CHANCE)
    for page, shows in zip(pages, ("everybody", "noted", "opponents", ""), strict=True):
        asks_for(page, served, 4, shows)
        page.click("#now form > .go")
    at_one_table(pages)
    play(pages, 4)
    for page in (bo, dan):
        page.wait(f"{PERSONS}.includes({json.dumps(names[0])}) && {PERSONS}.includes({json.dumps(names[2])})")
    shown = dan.evaluate(PERSONS)
    assert names[1] not in shown
    assert "guest" in shown
    dan.screenshot("gathered-390")
    for page in (bo, dan):
        page.wait(f"{OVER_EACH_OTHER}.length === 0")
    stranger = browser.page()
    stranger.goto(ada.evaluate("location.href.split('&')[0].replace('/play', '/watch')"))
    stranger.wait(f"{PERSONS}.includes({json.dumps(names[0])})")
    assert names[2] not in stranger.evaluate(PERSONS)

    hand(bo, seen(bo, "#tools [data-ico=flag]"))
    hand(bo, seen(bo, "#acts [value=shown]"))
    bo.wait("document.querySelector('#dialog').open")
    chooses(bo, "#dialog", "Who may know", "opponents")
    bo.screenshot("shown-390")
    bo.click("#dialog footer .go")
    bo.wait("JSON.parse(localStorage['herald.matches'])[0].claim?.shown === 'opponents'")
    dan.goto(dan.evaluate("location.href"))
    dan.wait(f"{PERSONS}.includes({json.dumps(names[1])})")
    stranger.goto(stranger.evaluate("location.href"))
    stranger.wait(f"{PERSONS}.includes({json.dumps(names[0])})")
    assert names[1] not in stranger.evaluate(PERSONS)
    for page in (*pages, stranger):
        assert page.errors == []
