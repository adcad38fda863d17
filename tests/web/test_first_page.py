"""The first page: one thing to do is marked, each game shows its table, and a name is asked for once."""

from tests.web.browser import Page
from tests.web.playing import VERA, card_of
from tests.web.serving import Served

MARKED = "[...document.querySelectorAll('main .go')].filter(e => e.checkVisibility() && !e.closest('#now')).length"
BOTTOM = "document.querySelector('main .go').getBoundingClientRect().bottom"
COLUMNS = "new Set([...document.querySelectorAll('.gamecard')].map(e => e.getBoundingClientRect().x)).size"
SHOWN = "[...document.querySelectorAll('.picture img')].filter(e => e.complete && e.naturalWidth > 400).length"


def test_one_thing_to_do_is_marked_and_a_name_is_asked_for_once(page: Page, served: Served) -> None:
    for width, height in ((1280, 800), (390, 844)):
        page.size(width, height)
        page.goto(f"{served.url}/")
        page.evaluate("localStorage.clear()")
        assert page.evaluate(MARKED) == 1
        assert page.evaluate(BOTTOM) < height
        assert page.wait(f"{SHOWN} === 4")
        assert 4 % page.evaluate(COLUMNS) == 0
    page.click("#begin .go")
    page.wait("document.querySelector('#dialog').open")
    page.press("Escape")
    page.wait("!document.querySelector('#dialog').open && !document.querySelector('#begin .go').disabled")
    page.click("#begin .go")
    page.wait("document.activeElement.matches('#dialog input')")
    for key in "Ada":
        page.press(key)
    page.press("Enter")
    page.wait("Object.values(window.herald?.scene?.seats ?? {}).some(seat => seat.name === 'Ada')")
    page.goto(f"{served.url}/")
    page.wait("!document.querySelector('#mine').hidden")
    assert page.evaluate(MARKED) == 1
    assert page.evaluate("document.querySelector('#begin').childElementCount") == 0
    page.click(f"{card_of(VERA)} .acts .bot")
    page.wait("Object.values(window.herald?.scene?.seats ?? {}).some(seat => seat.name === 'Ada')")
    assert page.errors == []
