"""Everybody can use the web client: nothing serious for axe, named controls, sizes from phone to wall, text first."""

import pytest

from tests.web.access import SMALL, UNNAMED, axe
from tests.web.browser import Page
from tests.web.playing import (
    CUT,
    DISCIPLES,
    FAST,
    JOAN,
    VERA,
    WAR,
    WIDE,
    against_bot,
    answer_by_keys,
    card_of,
    match_that_asks,
    play,
    tab_to,
    until_asked,
)
from tests.web.serving import Served

pytestmark = [pytest.mark.timeout(400), pytest.mark.whole]


@pytest.mark.parametrize(
    ("width", "dark", "game"),
    [
        (1440, False, VERA),
        pytest.param(390, True, WAR, marks=pytest.mark.whole),
        pytest.param(1440, False, WAR, marks=pytest.mark.deep),
        pytest.param(390, True, VERA, marks=pytest.mark.deep),
        pytest.param(1440, True, DISCIPLES, marks=pytest.mark.deep),
        pytest.param(390, False, DISCIPLES, marks=pytest.mark.deep),
        pytest.param(1440, True, JOAN, marks=pytest.mark.deep),
        pytest.param(390, False, JOAN, marks=pytest.mark.deep),
    ],
)
def test_axe_finds_nothing_serious(page: Page, served: Served, width: int, dark: bool, game: str) -> None:
    """On the first page, at the table, in a replay, and in each dialog of them."""
    page.call("Page.setBypassCSP", enabled=True)
    page.before_load(FAST)
    page.size(width, 900, touch=width < 700, dark=dark)
    page.goto(f"{served.url}/")
    axe(page, "lobby")
    page.click(f"{card_of(game)} .acts .new")
    axe(page, "new match")
    against_bot(page, served, game)
    for choices in (6, 20):
        play([page], choices)
        axe(page, "table")
    for opens in ("[data-ico=link]", "[data-ico=flag]", "[data-ico=gear]"):
        page.click(f"#tools {opens}")
        page.wait("!!document.querySelector('dialog[open]')")
        axe(page, opens)
        page.press("Escape")
    for opens in ("#seal", ".branch"):
        page.click(opens)
        page.wait("document.getElementById('dialog').open")
        axe(page, opens)
        page.press("Escape")
    page.press("?")
    page.wait("document.getElementById('dialog').open")
    axe(page, "keys")
    page.press("Escape")
    page.press("t")
    axe(page, "text")
    page.press("t")
    if width < 700:
        for name in ("info", "log"):
            page.click(f"#sheet [aria-controls={name}]")
            axe(page, name)
    page.goto(f"{served.url}/replay#m={page.evaluate('herald.check.verifier.match')}")
    axe(page, "the first step of a replay")
    for _ in range(3):
        page.press("]")
    axe(page, "replay")
    page.click(".moment")
    axe(page, "link to a moment")


SIZES = [(320, 640), (390, 844), (844, 390), (820, 1100), (1440, 900), (3840, 2160)]


def resized(page: Page, width: int, height: int) -> None:
    page.size(width, height, touch=width < 900, dark=width % 20 == 0)


def fits(page: Page, place: str) -> None:
    """Nothing is too wide, cut off or too small, and every control has a name."""
    width, height = page.evaluate("[innerWidth, innerHeight]")
    where = f"{place}-{width}x{height}"
    assert not page.evaluate(WIDE), f"{where} is wider than the window"
    assert page.evaluate(UNNAMED) == [], where
    assert page.evaluate(SMALL) == [], where
    assert page.evaluate(CUT) == [], where
    page.screenshot(where)


@pytest.mark.parametrize(
    ("game", "language", "sizes"),
    [
        (VERA, "en", SIZES),
        (WAR, "en", SIZES[:2]),
        (WAR, "de", SIZES[:2]),
        (DISCIPLES, "en", [*SIZES[:2], SIZES[4]]),
        (JOAN, "en", SIZES[:1]),
        (JOAN, "de", SIZES[1:2]),
    ],
)
def test_pages_fit_and_name_their_controls_at_every_size(
    page: Page, served: Served, game: str, language: str, sizes: list[tuple[int, int]]
) -> None:
    """First page and form before anything is played; then one match, whose table is opened at each size."""
    page.before_load(FAST + f"; try {{ localStorage.setItem('herald.language', '{language}') }} catch {{}}")
    for size in sizes:
        resized(page, *size)
        page.goto(f"{served.url}/")
        fits(page, f"lobby-{game}-{language}")
        page.click(f"{card_of(game)} .acts .new")
        fits(page, f"new match-{game}-{language}")
    against_bot(page, served, game)
    play([page], 16)
    table = page.evaluate("location.href")
    for size in sizes:
        resized(page, *size)
        page.goto(table)
        page.wait("herald.prompt.mine() || herald.prompt.p.mode === 'over'")
        fits(page, f"table-{game}-{language}")
    assert page.errors == []


KEPT = """(() => {
    const battle = Object.entries(herald.scene.zones).filter(([, zone]) => zone.style === "none").map(([id]) => id);
    const fighting = Object.entries(herald.scene.pieces).filter(([, piece]) => battle.includes(piece.zone));
    return fighting.map(([id, piece]) => [
        piece.stats.map(stat => String(stat.v)),
        [...document.querySelectorAll(`[data-ref="${id}"] .st b`)].map(number => number.textContent),
    ]);
})()"""
"""Of each card in a Battle the numbers that it must show, and those that are drawn."""


def test_cards_in_a_battle_show_attack_and_hp_on_a_phone(page: Page, served: Served) -> None:
    page.before_load(FAST)
    page.size(390, 844, touch=True)
    match_that_asks(page, served, "herald.scene.crumbs.includes('Battle')", DISCIPLES)
    shown = page.evaluate(KEPT)
    assert len(shown) > 1
    assert [numbers for numbers, drawn in shown if numbers != drawn] == []
    page.screenshot("battle-phone")


@pytest.mark.parametrize(
    "game", [VERA, *(pytest.param(game, marks=pytest.mark.whole) for game in (WAR, DISCIPLES, JOAN))]
)
def test_text_first_says_what_the_board_shows_and_can_choose(page: Page, served: Served, game: str) -> None:
    page.before_load(FAST)
    full = "Object.keys(herald.scene.pieces).length > 12 && herald.prompt.sets().can.size > 1"
    match_that_asks(page, served, full, game)
    page.press("t")
    page.wait("!document.getElementById('textfirst').hidden && document.getElementById('stagehost').hidden")
    page.wait("document.getElementById('textfirst').innerText")
    text = page.evaluate("document.getElementById('textfirst').innerText")
    labels = page.evaluate("Object.values(herald.scene.pieces).flatMap(p => [p, ...p.ends ?? []]).map(p => p.label)")
    assert labels
    assert [label for label in labels if label not in text] == []
    page.screenshot(f"text-first-{game}")
    can = page.evaluate("[...herald.prompt.sets().can]")
    picks = page.evaluate("[...document.querySelectorAll('#textfirst .tpick')].map(e => e.dataset.pick)")
    assert sorted(set(picks)) == sorted(can)
    for _ in range(2):
        question = page.evaluate("herald.prompt.p.id")
        tab_to(page, "#textfirst .tpick")
        page.press("Enter")
        chosen = (
            "herald.prompt.v[herald.prompt.fields()[0].id] != null || herald.prompt.path.length || herald.prompt.held"
        )
        page.wait(f"herald.prompt.p.id !== '{question}' || {chosen}")
        assert page.evaluate("document.activeElement.closest('#textfirst') !== null"), "the keyboard stays in the text"
        while page.evaluate(f"herald.prompt.p.id === '{question}' && !herald.prompt.sent"):
            answer_by_keys(page, on_board=False)
        until_asked(page, "herald.prompt.sets().can.size > 1")
    page.press("t")
    page.wait("!document.getElementById('stagehost').hidden && herald.board.node(Object.keys(herald.scene.pieces)[0])")
