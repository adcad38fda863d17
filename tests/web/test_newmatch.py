"""The form for a new match: what a game's options say there, and what is asked of the server."""

import pytest

from tests.web.browser import Page
from tests.web.hand import hand, seen
from tests.web.playing import FAST, JOAN, VERA, card_of
from tests.web.serving import Served

pytestmark = pytest.mark.timeout(300)

WAR = "war_for_edadh"
LABELS = "[...document.querySelectorAll('#options label')]"
SIZE = f"{LABELS}.find(l => l.textContent.includes('Army size')).querySelector('select')"
OTHER = f"{LABELS}.find(l => l.textContent.startsWith('another cost')).querySelector('input')"
OFFERED = "Object.values(herald.prompt.fields()[0].options).map(o => o.label)"


@pytest.mark.parametrize(("size", "other", "offered"), [("24", "", 2), ("80", "", 6), ("other", "23", 0)])
def test_the_size_of_armies_is_chosen_in_the_form(
    page: Page, served: Served, size: str, other: str, offered: int
) -> None:
    page.size(1280, 800)
    page.before_load(FAST)
    page.goto(f"{served.url}/")
    form = f"{card_of(WAR)} .acts .new"
    page.wait(f"!!document.querySelector({form!r})")
    hand(page, seen(page, form))
    page.wait("document.querySelector('#create').open")
    assert page.evaluate(f"{SIZE}.value") == "80"
    assert page.evaluate(f"{OTHER}.closest('label').hidden")
    page.evaluate(f"{SIZE}.scrollIntoView({{ block: 'center' }})")
    page.evaluate(f"{SIZE}.focus()")
    page.press("End" if other else "Home" if size == "24" else "Tab")
    assert page.evaluate(f"{SIZE}.value") == size
    if other:
        page.press("Tab")
        page.evaluate(f"{OTHER}.select()")
        for key in other:
            page.press(key)
        page.screenshot("form-army-size")
        page.click(".create .go")
        assert "cap" in page.wait("document.querySelector('.create .problem').textContent")
        return
    page.click(".create .go")
    page.wait("window.herald?.prompt?.mine()")
    assert page.evaluate(f"{OFFERED}.filter(label => /Dzaa|Ang/.test(label)).length") == offered
    assert page.errors == []


def test_the_words_beside_the_field_for_a_scenario_have_room_on_a_phone(page: Page, served: Served) -> None:
    page.size(390, 844, touch=True)
    page.goto(f"{served.url}/")
    page.click(f"{card_of(WAR)} .acts .new")
    page.wait("document.querySelector('#create').open")
    wide = "document.querySelector('#create [data-s=scenario]').getBoundingClientRect().width"
    assert page.evaluate(wide) > 120
    assert page.evaluate("(e => e.scrollWidth - e.clientWidth)(document.querySelector('#create'))") <= 0


STANDING = """
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) {
    const made = animate.apply(this, how);
    if (this.matches(".banner")) made.pause();
    return made;
};
"""
"""Banners that never go away."""


@pytest.mark.whole
def test_the_first_question_waits_for_no_banner(page: Page, served: Served) -> None:
    page.before_load(STANDING + "; try { localStorage['herald.name'] ??= '\"Bo\"' } catch {}")
    page.goto(f"{served.url}/")
    page.click(f"{card_of(JOAN)} .acts .bot")
    page.wait("window.herald?.prompt?.mine() && document.querySelectorAll('.banner').length === 1")
    assert page.evaluate("herald.fx.speed") == 1
    assert page.errors == []


LEGACY = "disciples_legacy"
TURNS = f"{LABELS}.find(l => l.textContent.startsWith('Turns at most')).querySelector('input')"


def opened(page: Page, served: Served, game: str) -> None:
    """The form for a new match of a game."""
    page.goto(f"{served.url}/")
    page.click(f"{card_of(game)} .acts .new")
    page.wait("document.querySelector('#create').open")


def test_how_long_a_match_lasts_is_told_before_it_is_begun(page: Page, served: Served) -> None:
    page.goto(f"{served.url}/")
    told = page.evaluate(f"document.querySelector({card_of(LEGACY)!r}).innerText")
    assert "First match: about 4 turns, 80 decisions, 20 minutes" in told
    assert "Against a bot: about 12 turns, 360 decisions, 85 minutes" in told
    opened(page, served, LEGACY)
    length = "document.querySelector('#length').innerText"
    assert "12 turns" in page.evaluate(length)
    page.evaluate(f"{TURNS}.select()")
    page.press("3")
    assert (
        page.wait(f"{length}.includes('3 turns') && {length}")
        == "Against a bot: about 3 turns, 75 decisions, 15 minutes"
    )
    assert page.evaluate("document.querySelector('#length').role") == "status"
    assert page.errors == []


BOTS = ("steady", "gentle", "random", *(f"strong-{level}" for level in range(1, 6)))
EXPLAINED = """
[...document.querySelectorAll('#options :is(input, select)')].filter(e => e.checkVisibility()).map(e => {
    const said = document.getElementById(e.getAttribute('aria-describedby') ?? '');
    const low = e.getBoundingClientRect().bottom;
    return said?.checkVisibility() && said.getBoundingClientRect().top >= low - 4 ? said.innerText : '';
})
"""


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("game", ["disciples_legacy", JOAN, VERA, WAR])
def test_every_option_and_every_bot_is_explained_beneath_its_field(
    page: Page, served: Served, game: str, language: str
) -> None:
    page.before_load(f"try {{ localStorage['herald.language'] = '{language}' }} catch {{}}")
    opened(page, served, game)
    explained = page.evaluate(EXPLAINED)
    assert explained
    assert all(len(said) > len("Too short.") for said in explained), explained
    seat = "document.querySelectorAll('#seats select')[1]"
    said = []
    for bot in BOTS:
        page.evaluate(f"({seat}.value = 'bot:{bot}', {seat}.dispatchEvent(new Event('change', {{ bubbles: true }})))")
        said.append(page.evaluate(f"document.getElementById({seat}.getAttribute('aria-describedby')).innerText"))
        label = page.evaluate(f"{seat}.selectedOptions[0].textContent")
        assert not label.endswith(f": {bot}"), "a name alone explains nothing"
    assert len(set(said)) == len(BOTS)
    assert "" not in said
    assert page.errors == []


def test_matches_are_listed_by_the_names_of_their_games(page: Page, served: Served) -> None:
    page.before_load(FAST)
    page.goto(f"{served.url}/")
    page.click(f"{card_of(VERA)} .acts .bot")
    page.wait("window.herald?.prompt?.mine()")
    page.goto(f"{served.url}/")
    page.wait("document.body.dataset.ready && document.querySelectorAll('#running .ttl').length")
    named = page.evaluate("[...document.querySelectorAll('#running .ttl')].map(e => e.textContent)")
    assert "Vera Discordia" in named
    assert not [name for name in named if "_" in name]
    assert page.errors == []


HANDS = "document.querySelector('.create [name=hands]')"
COST = "document.querySelector('#hands-cost')"
AGREED = "fetch(`/api/record/${new URLSearchParams(location.hash.slice(1)).get('m')}`).then(r => r.text())"


def test_open_cards_are_asked_for_in_the_form_which_says_what_they_cost(page: Page, served: Served) -> None:
    page.before_load(FAST)
    page.goto(f"{served.url}/")
    page.click(f"{card_of(VERA)} .acts .new")
    page.wait("document.querySelector('#create').open")
    assert page.evaluate(f"{COST}.hidden")
    page.evaluate("document.querySelectorAll('.create details').forEach(one => { one.open = true })")
    page.evaluate(f"{HANDS}.value = '30'; {HANDS}.dispatchEvent(new Event('input', {{ bubbles: true }}))")
    told = page.evaluate(f"{COST}.textContent")
    assert "the Closed Units of an army" in told
    assert "120 s" in told
    page.click(".create .go")
    assert "insist" in page.wait("document.querySelector('.create .problem').textContent")
    page.evaluate("document.querySelector('.create [name=sooner]').click()")
    page.evaluate("document.querySelector('.create [name=phase]').click()")
    page.screenshot("form-open-cards")
    page.click(".create .go")
    page.wait("window.herald?.scene && document.body.dataset.ready")
    assert '"open_cards":{"s":30,"events":0,"phase":true}' in page.evaluate(AGREED).replace('\\"', '"')
    assert page.errors == []
