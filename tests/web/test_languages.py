"""Two players at one table who read two languages, and a replay in its reader's language."""

import re
from pathlib import Path

import pytest

from domain.vera_discordia.cards.shipped import SHIPPED
from tests.web.agreements import ANSWERS, choose
from tests.web.browser import Browser, Page
from tests.web.languages import language
from tests.web.playing import DISCIPLES, FAST, VERA, against_bot, card_of
from tests.web.serving import Served

pytestmark = [pytest.mark.timeout(400), pytest.mark.whole]
"""As in `test_browser`."""

CHRONICLE = "[...document.querySelectorAll('#lines > *')].map(line => line.textContent)"


def test_a_player_in_german_and_one_in_english_sit_at_one_table(browser: Browser, served: Served) -> None:
    ada, bo = browser.page(), browser.page()
    ada.before_load(FAST + ANSWERS + language("en"))
    bo.before_load(FAST + ANSWERS + language("de"))
    for page in (ada, bo):
        page.size(1440, 900)
    ada.goto(f"{served.url}/")
    ada.click(f"{card_of(VERA)} .acts .new")
    ada.evaluate("document.querySelectorAll('.create fieldset select')[1].value = 'invited'")
    ada.evaluate("document.querySelector('.create [name=name]').value = 'Ada'")
    ada.click(".create .go")
    link = ada.wait("document.querySelector('.linkrow input')?.value")
    ada.click("#dialog a.go")
    ada.wait("window.herald?.scene && document.body.dataset.ready")
    bo.sit_down(link)
    bo.wait("window.herald?.scene && document.body.dataset.ready")
    ada.wait("herald.prompt.p.mode !== 'none'")
    for _ in range(3):
        page = ada if ada.evaluate("Boolean(herald.prompt.mine())") else bo
        choose(page)
        ada.wait("herald.prompt.p.mode !== 'none'")
    seq = ada.evaluate("herald.scene.seq")
    bo.wait(f"herald.scene.seq >= {seq}")
    assert bo.evaluate("document.documentElement.lang") == "de"
    german, english = bo.evaluate(CHRONICLE), ada.evaluate(CHRONICLE)
    assert "Die Partie beginnt." in german
    assert "The match begins." in english
    assert len(german) >= len(english) > 3
    names = re.compile(
        "|".join(unit.name for faction in SHIPPED.factions for unit in faction.unit_types)
    )  # which stay as they are
    assert not [line for line in german if " commands " in line or "The " in names.sub("", line)]
    asked = {page.evaluate("document.querySelector('#prompt').innerText") for page in (ada, bo)}
    assert len(asked) == 2
    assert bo.evaluate("herald.scene.crumbs[0]") == "Vorbereitung"
    assert not bo.evaluate("herald.scene.english ?? null")
    bo.evaluate("import('/js/untranslated.js').then(marks => marks.mark([herald.scene.crumbs[0]]))")
    bo.wait("[...document.querySelectorAll('[lang=en]')].some(el => el.textContent === herald.scene.crumbs[0])")
    bo.screenshot("german")


UNMARKED = """(words => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
    for (let at = walk.nextNode(); at; at = walk.nextNode()) {
        const el = at.parentElement;
        if (el.checkVisibility() && !el.closest("[lang=en],h2,option,.ttl") && words.test(at.data)) found.push(at.data);
    }
    return found;
})(/\\b(the|and|of|each|with|is|by|are|or)\\b/i)"""
"""Texts that are seen and have English words, where nothing says that they are English; titles of games apart."""


def test_the_first_page_in_german_has_no_english_that_is_not_marked(page: Page, served: Served, tmp_path: Path) -> None:
    """What each game is, and how matches ended; of what is refused the language is told."""
    page.before_load(f"{FAST}; window.confirm = () => true" + language("de"))
    against_bot(page, served)
    page.click("#tools [data-ico=flag]")
    page.click("#acts [value=resign]")
    page.wait("herald.scene.prompt.mode === 'over'")
    page.goto(f"{served.url}/")
    ended = page.wait("document.querySelector('#finished .who .quiet')?.textContent")
    assert "gewonnen" in ended
    assert ended.endswith("aufgegeben")
    assert page.evaluate(UNMARKED) == []
    page.screenshot("german-lobby")
    page.evaluate("document.querySelector('.acts .new').click()")
    page.wait("document.querySelector('.create [name=scenario]') !== null")
    file = tmp_path / "wrong.toml"
    file.write_text("no scenario")
    page.open_file(file, ".create [name=scenario]")
    page.evaluate("document.querySelector('.create .go').click()")
    page.wait("document.querySelector('.problem').textContent")
    assert page.evaluate(UNMARKED) == []
    assert page.evaluate("document.querySelector('.problem span').lang") == "en"


def test_an_army_is_built_in_german_and_its_faults_lead_to_their_rules(page: Page, served: Served) -> None:
    page.before_load(FAST + language("de"))
    page.goto(f"{served.url}/army#g={DISCIPLES}")
    page.wait("document.querySelectorAll('#faults li').length > 0")
    assert page.evaluate(UNMARKED) == []
    page.screenshot("german-army")
    page.click("#draft .place")
    page.wait("document.querySelector('#pick').open")
    assert page.evaluate(UNMARKED) == []
    page.screenshot("german-army-cards")
    page.press("Escape")
    page.click("#faults .rid")
    page.wait("document.querySelector('#book .row.on') !== null")
    page.screenshot("army-rule")
    assert page.errors == []


def test_what_would_follow_is_marked_where_it_is_left_in_english(page: Page, served: Served) -> None:
    """A table whose own texts have some English too leaves those marks alone."""
    page.before_load(FAST + language("de"))
    against_bot(page, served)
    lost = "The match would be lost: nobody wrote this in German."
    page.evaluate(f"herald.prompt.refused({lost!r}, 'en', 'Noch einmal wählen')")
    page.evaluate("import('/js/untranslated.js').then(marks => marks.mark([herald.scene.crumbs[0]]))")
    page.wait("[...document.querySelectorAll('[lang=en]')].some(el => el.textContent === herald.scene.crumbs[0])")
    page.evaluate("import('/js/untranslated.js').then(marks => marks.mark([]))")
    page.wait("![...document.querySelectorAll('[lang=en]')].some(el => el.textContent === herald.scene.crumbs[0])")
    assert page.evaluate("document.querySelector('.refused [lang=en]').textContent") == lost
    assert page.evaluate("document.querySelector('.refused').textContent") == f"{lost} Noch einmal wählen"
