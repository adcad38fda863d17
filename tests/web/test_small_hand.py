"""What is held in Vera Discordia can be read and chosen on a phone: whole names, the chosen, the board beside it."""

import pytest

from tests.web.browser import Page
from tests.web.hand import seen, tap
from tests.web.playing import FAST, against_bot, play
from tests.web.serving import Served

pytestmark = pytest.mark.timeout(400)
CUT = """[...document.querySelectorAll('.pieces .pc.up .nm')].filter(e => e.checkVisibility())
    .filter(e => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1).map(e => e.textContent)"""
PAST = """[...document.querySelectorAll('.pieces .pc.up .bar')]
    .filter(e => e.getBoundingClientRect().right > e.closest('.pc').getBoundingClientRect().right + 2).length"""
HIDDEN = """(host => [...document.querySelectorAll(SELECTOR)].filter(e => {
    const r = e.getBoundingClientRect();
    return r.top + r.height / 2 < host.top || r.bottom - 8 > host.bottom;
}).length)(document.querySelector('#stagehost').getBoundingClientRect())"""


@pytest.fixture
def phone(page: Page, served: Served) -> Page:
    """At the question which Units are kept Closed."""
    page.size(390, 844, touch=True)
    page.before_load(FAST)
    against_bot(page, served, quick=True)
    play([page], 2)
    page.wait("herald.prompt.mine() && herald.prompt.p.ask.includes('keep Closed')")
    return page


def hidden(page: Page, selector: str) -> int:
    """How many are not in sight on the board as it is scrolled now."""
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    found: int = page.evaluate(HIDDEN.replace("SELECTOR", repr(selector)))
    return found


def test_a_chosen_piece_is_filled_and_the_others_are_not(phone: Page) -> None:
    tap(phone, seen(phone, ".pieces .pc.can[data-ref='c2']"))
    phone.wait("document.querySelectorAll('.pieces .pc.sel').length")
    filled = phone.evaluate(
        "[...document.querySelectorAll('.pieces .pc.can')]"
        ".map(e => [e.dataset.ref, getComputedStyle(e).boxShadow.includes('inset')])"
    )
    assert len(filled) == 8
    assert [ref for ref, is_filled in filled if is_filled] == ["c2"]


def test_names_and_life_of_the_cards_held_are_whole_and_the_board_stays_in_sight(phone: Page) -> None:
    while not phone.evaluate("herald.prompt.p.ask.startsWith('Which Unit do you place')"):
        play([phone], 1)
        phone.wait("herald.prompt.mine()")
    phone.screenshot("small-hand")
    assert phone.evaluate("document.querySelectorAll('.pieces .pc.can').length") >= 7
    assert (phone.evaluate(CUT), phone.evaluate(PAST)) == ([], 0)
    assert hidden(phone, ".pieces .pc.can") == 0
    places = "[data-ref^='terrain#'], [data-ref^='army0#'], .pc[data-ref^='t']"
    before = hidden(phone, places)
    phone.evaluate("document.querySelector('#ask').style.paddingBottom = '90px'")
    assert hidden(phone, ".pieces .pc.can") == 0, "a question that grows takes the room of the board behind"
    phone.evaluate("document.querySelector('#ask').style.paddingBottom = ''")
    assert hidden(phone, places) == before, "the board is again where it was"
    assert hidden(phone, "[data-ref^='army0#']") == 0


def test_a_finger_beside_everything_that_can_be_read_leaves_the_question_standing(phone: Page) -> None:
    beside = """(host => {
        for (let y = host.top + 4; y < host.bottom; y += 6) {
            for (let x = 4; x < innerWidth; x += 6) {
                const ref = document.elementFromPoint(x, y)?.closest('.stage [data-ref]')?.dataset.ref;
                const [zone, slot] = ref?.split('#') ?? [];
                const { geom, tip } = herald.scene.zones[zone] ?? {};
                if (geom && !tip && !geom.areas?.[slot]) {
                    return [x, y];
                }
            }
        }
    })(document.querySelector('#stagehost').getBoundingClientRect())"""
    tap(phone, phone.wait(beside))
    phone.evaluate("new Promise(done => setTimeout(done, 100))")
    assert phone.evaluate("document.querySelector('#ask').checkVisibility()")
    assert not phone.evaluate("document.querySelector('#info').checkVisibility()")


def test_what_follows_is_said_itself_where_it_is_short(page: Page, served: Served) -> None:
    page.before_load(FAST)
    against_bot(page, served, quick=True)
    play([page], 1)
    page.wait("herald.prompt.p.ask.startsWith('Do you exchange') && document.querySelectorAll('.opt .fs').length > 1")
    said = page.evaluate("[...document.querySelectorAll('.opt .fs')].map(e => e.textContent)")
    assert sum("cannot be taken back" in text for text in said) > 1
    assert not any("the same as with" in text for text in said)
