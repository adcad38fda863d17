"""The board is read with the eyes: no small letters, no covered or missing names, states that are told apart."""

from functools import cache
from itertools import islice

import pytest

from tests.web.asked import Question, kept, questions
from tests.web.browser import Browser, Page
from tests.web.eyes import GAMES, SIZES
from tests.web.legible import LEAST, Board, look
from tests.web.playing import DISCIPLES, against_bot
from tests.web.serving import Served

pytestmark = pytest.mark.timeout(400)
SOME = 5
"""So many questions of each game."""
EACH = {"vera_discordia": 61, "war_for_edadh": 67, "disciples_legacy": 19, "joan_of_arc": 97}
"""So far apart in the longest match."""


@cache
def some(game: str) -> list[Question]:
    return list(islice(questions(kept(game)[0], each=EACH[game]), SOME))


@pytest.mark.parametrize("size", SIZES)
def test_nothing_on_the_board_is_too_small_to_be_read_and_no_name_is_covered(
    browser: Browser, served: Served, size: str
) -> None:
    boards: list[Board] = []
    for game in GAMES:
        boards += look(browser.page(), served, game, size, some(game))
        browser.close_pages()
    assert len(boards) == SOME * len(GAMES)
    assert sum(len(board.texts) for board in boards) > 1000
    for board in boards:
        asked = board.question.scene["prompt"]["ask"]
        assert board.small(LEAST[size]) == [], asked
        assert (board.covered, board.missing, board.cut) == ([], [], []), asked
        assert board.asked, asked


MARKED = """(states => {
    const {view} = herald;
    const [id] = Object.entries(view.scene.pieces).find(([, p]) => p.shape === "card" && p.kind === "unit");
    const looks = states.map(state => {
        const scene = structuredClone(view.scene);
        scene.pieces[id].state = state ? [state] : [];
        view.board.render(scene, {instant: true});
        const node = view.board.node(id);
        const corner = getComputedStyle(node, "::before");
        return [corner.content !== "none" && corner.clipPath.startsWith("polygon"), !!node.querySelector(".skull"),
            getComputedStyle(node).outlineStyle === "dashed"];
    });
    view.board.render(view.scene, {instant: true});
    return looks;
})(["", "used", "dead", "dim"])"""
BARRED = """(() => {
    const {board} = herald;
    const isOwn = ([, p]) => p.kind === "unit" && p.owner === 0 && !p.state?.length;
    const all = Object.entries(herald.scene.pieces).filter(isOwn).map(([id]) => id);
    board.mark({can: new Set([all[0]])});
    const dashed = all.map(id => getComputedStyle(board.node(id)).outlineStyle === "dashed");
    board.mark({can: new Set()});
    return [dashed, all.some(id => board.node(id).matches(".no"))];
})()"""


def test_spent_dead_and_not_possible_differ_in_more_than_colour(browser: Browser, served: Served) -> None:
    page = browser.page()
    for _ in look(page, served, DISCIPLES, "1280x800", some(DISCIPLES)[1:2]):
        assert page.evaluate(MARKED) == [
            [False, False, False],
            [True, False, False],
            [False, True, False],
            [False, False, True],
        ]
        dashed, after = page.evaluate(BARRED)
        assert (dashed[0], all(dashed[1:]), len(dashed) > 1, after) == (False, True, True, False)


NAMED = "try { localStorage['herald.name'] ??= '\"Bo\"' } catch {}"
RESULT = """void herald.view.fx.run(
    [{k: "result", t: "Ada wins the Battle.", sub: "Dead: Squire A2. +2 (C)", seat: 1}], "post")"""
SHOWN = "document.querySelector('.result')?.textContent"


def test_a_result_stands_over_the_board_until_a_press_and_the_chronicle_takes_the_rail(
    page: Page, served: Served
) -> None:
    page.before_load(NAMED)
    page.size(1280, 800)
    against_bot(page, served, DISCIPLES, quick=True)
    page.wait("!!herald.view.fx.kinds")
    page.evaluate("herald.view.setSpeed(0.05)")  # it would be over before a busy machine looks
    for motion in ("", "off"):
        page.evaluate(f"document.documentElement.dataset.motion = '{motion}'")
        page.evaluate(RESULT)
        page.wait("!!document.querySelector('.result .coin')")
        assert page.evaluate(SHOWN) == "Ada wins the Battle. Dead: Squire A2. +2 (C)", "a picture leaves the text"
        page.press("s")
        page.wait(f"!{SHOWN}")
    assert page.evaluate("document.querySelector('#lines').clientHeight") >= 6 * 23
    page.press("L")
    page.wait("!document.querySelector('#prompt').checkVisibility()")
    assert page.evaluate("document.querySelector('#lines').clientHeight") > 400
    page.press("Escape")
    page.wait("document.querySelector('#prompt').checkVisibility()")
    assert page.errors == []
