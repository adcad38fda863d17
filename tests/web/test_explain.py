"""What one points at is explained there, and ids of rules open the rules beside the table."""

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import sleep

import pytest

from projections.glossary import glossary
from tests.web.browser import Page
from tests.web.chromium import Chromium
from tests.web.hand import ask, hand, seen, tap
from tests.web.node import ROOT
from tests.web.playing import FAST, VERA, WAR, against_bot, play
from tests.web.serving import Served

pytestmark = pytest.mark.timeout(400)

CARD = "document.querySelector('#explain')"
SHOWN = f"{CARD} && !{CARD}.hidden && {CARD}.innerText"
ROW = "document.querySelector('#book .row.on')?.innerText"
UNIT = "Object.keys(herald.scene.pieces).find(k => herald.scene.pieces[k].kind === 'unit' && FACE)"
TERMS = glossary(VERA)
HOVER = 0.9


def point(page: Page, at: tuple[float, float]) -> None:
    """Move the mouse there and leave it."""
    page.call("Input.dispatchMouseEvent", type="mouseMoved", x=at[0], y=at[1], button="none")


def piece(page: Page, face: str) -> tuple[str, tuple[float, float]]:
    """A Unit that lies so, and where it is seen."""
    ref = page.evaluate(UNIT.replace("FACE", face))
    return ref, seen(page, f'[data-ref="{ref}"]')


def begin(page: Page, served: Served) -> None:
    """Play on until both have Units."""
    page.size(1280, 800)
    page.before_load(FAST)
    against_bot(page, served)
    for _ in range(40):
        if page.evaluate(UNIT.replace("FACE", "herald.scene.pieces[k].face === 'down'")):
            break
        play([page], 1)
    page.wait("herald.prompt.mine()")


def begin_edadh(page: Page, served: Served) -> None:
    """A match of War for Edaðh with one click."""
    page.size(1280, 800)
    page.before_load(FAST)
    against_bot(page, served, "war_for_edadh", quick=True)


@pytest.fixture(scope="module")
def seat(chromium: Chromium, served: Served) -> str:
    """The link of a seat at a table at which both have Units, and its player is asked."""
    browser = chromium.browser()
    page = browser.page()
    begin(page, served)
    link: str = page.evaluate("location.href")
    browser.close_pages()
    return link


@pytest.fixture
def table(page: Page, seat: str) -> Page:
    """That table, looked at: who plays on there plays for the tests that follow."""
    page.size(1280, 800)
    page.before_load(FAST)
    page.goto(seat)
    page.wait("herald.prompt.mine()")
    return page


def test_a_pointer_that_rests_is_told_what_lies_there(table: Page) -> None:
    ref, at = piece(table, "herald.scene.pieces[k].zone === 'army0'")
    point(table, at)
    said = " ".join(table.wait(SHOWN).split())
    first = TERMS[table.evaluate(f"herald.scene.pieces[{ref!r}].terms[0]")]
    assert first.name in said
    assert first.text in said
    assert first.rules[0] in said
    point(table, (2, 2))
    table.wait(f"{CARD}.hidden")
    assert table.errors == []


@pytest.mark.whole
def test_no_arrow_or_figure_is_drawn_over_what_explains(table: Page) -> None:
    point(table, piece(table, "herald.scene.pieces[k].face === 'up'")[1])
    table.wait(SHOWN)
    heights = table.evaluate(
        "['#explain', '.stage .over', '.stage .fx'].map(at => +getComputedStyle(document.querySelector(at)).zIndex)"
    )
    assert heights[0] > max(heights[1:])


def test_what_comes_to_lie_under_a_mouse_that_pressed_is_not_explained(table: Page) -> None:
    _, at = piece(table, "herald.scene.pieces[k].face === 'down'")
    hand(table, at)
    sleep(HOVER)
    assert not table.evaluate(SHOWN)
    point(table, (at[0] + 3, at[1]))
    assert table.wait(SHOWN)


@pytest.mark.whole
def test_the_cards_beside_the_one_explained_can_be_pointed_at(table: Page) -> None:
    refs = table.evaluate("Object.keys(herald.scene.pieces).filter(k => herald.scene.pieces[k].zone === 'hand')")
    point(table, seen(table, f'[data-ref="{refs[0]}"]'))
    table.wait(SHOWN)
    box = "(e => [e.left, e.top, e.right, e.bottom])({}.getBoundingClientRect())"
    left, top, right, bottom = table.evaluate(box.format(CARD))
    for ref in refs[1:]:
        x, y = seen(table, f'[data-ref="{ref}"]')
        assert not (left <= x <= right and top <= y <= bottom)


def test_of_what_is_hidden_nothing_is_named(table: Page) -> None:
    point(table, piece(table, "herald.scene.pieces[k].face === 'down'")[1])
    said = table.wait(SHOWN)
    named = [term.name for key, term in TERMS.items() if key.islower() and f"\n{term.name}\n" in f"\n{said}\n"]
    assert TERMS["closed"].text in said
    assert set(named) <= {"Closed", "Unit", "Closed Unit"}
    table.press("9")
    table.wait(f"{CARD}.hidden", 10)  # who answers by keys has read it


def test_the_keyboard_asks_with_a_question_mark_and_goes_back(table: Page) -> None:
    ref, _ = piece(table, "herald.scene.pieces[k].zone === 'army0'")
    table.press("Tab")
    table.evaluate(f"herald.board.focus({ref!r})")
    table.wait("!!document.querySelector('#book')")
    table.press("?")
    table.wait(SHOWN)
    assert table.evaluate("document.activeElement.id") == "explain"
    table.press("Escape")
    assert table.evaluate("document.activeElement.dataset.ref") == ref
    table.evaluate("document.activeElement.blur()")
    table.press("?")
    table.wait("document.querySelector('#dialog').open")


def test_an_id_opens_its_row_and_words_find_others(table: Page) -> None:
    assert not table.evaluate("document.querySelector('#prompt .why').getBoundingClientRect().height > 2")
    hand(table, seen(table, "#prompt .wi"))
    hand(table, seen(table, "#prompt .why .rid"))
    id_ = table.evaluate("document.querySelector('#prompt .why .rid').textContent")
    assert id_ in table.wait(ROW)
    assert table.evaluate("document.querySelectorAll('#book .row').length") > 1
    hand(table, seen(table, "#book input"))
    for key in "riposte":
        table.press(key)
    said = table.wait(
        "document.querySelector('#book .body').innerText.includes('Strikes back without') && book.innerText"
    )
    assert "VD-355" in said
    hand(table, seen(table, "#book .body .rid", text="VD-355"))
    assert "VD-355" in table.wait(f"{ROW}?.includes('VD-355') && {ROW}")
    table.press("Escape")
    table.wait("document.querySelector('#book').hidden")
    assert table.errors == []


SEARCH = """(f => {
    f.value = "WORDS";
    f.focus();
    f.dispatchEvent(new Event("input"));
})(document.querySelector("#book input"))"""
ENTRIES = "[...document.querySelectorAll('#book :is(summary, dt, .row)')].map(e => e.tagName)"
SAID = "document.querySelector('#book .body').textContent"


def sought(table: Page, words: str, until: str) -> list[str]:
    """The kinds of what the panel shows once a text stands there: parts of the guide, words, rows."""
    table.evaluate(SEARCH.replace("WORDS", words))
    table.wait(f"{SAID}.includes({until!r})")
    found: list[str] = table.evaluate(ENTRIES)
    return found


def test_the_rules_open_in_plain_words_and_a_question_in_plain_words_finds_them(table: Page) -> None:
    hand(table, seen(table, "#tools [data-ico=book]"))
    table.wait(f"{SAID}.includes('Two armies of up to eight Units')")
    assert table.evaluate("document.querySelector('#book .row')") is None
    links = table.evaluate("[...document.querySelectorAll('#book a')].map(e => [e.pathname, e.target])")
    assert links == [["/guide", "_blank"], ["/learn", "_blank"]]
    assert table.evaluate("document.querySelector('#ask').getBoundingClientRect().bottom < book.offsetTop")
    kinds = sought(table, "how do I win", "the match is lost")
    assert kinds == sorted(kinds, key=["SUMMARY", "DT", "DIV"].index)
    assert sought(table, "roll", "Roll all its dice")[0] == "SUMMARY"
    assert "DT" in sought(table, "die", "Melee die")
    whole = table.evaluate("document.querySelector('#book summary').textContent")
    assert whole == "Attacks and dice", "a whole word comes before a part of one"
    assert table.wait("document.querySelector('#book details').open")


OPTIONS = "herald.prompt.fields()[0].options"
GENERAL = "/with the General/.test(o.label)"
LEAST = f"""(() => {{
    const f = herald.prompt.fields()[0], p = herald.prompt.p.id;
    const elite = new Set({OPTIONS}.filter(o => {GENERAL}).map(o => o.at[0]));
    const left = {OPTIONS}.find(o => elite.has(o.at[0]) && !{GENERAL});
    window.chosen = (left ?? f.options[0]).id;
    herald.prompt.choose(f, window.chosen);
    return p;
}})()"""
"""Deploy an Elite Unit without the General; the question that was asked."""


def test_a_choice_that_loses_the_match_is_asked_for_once_more(page: Page, served: Served) -> None:
    page.before_load(FAST)
    against_bot(page, served)
    while page.wait("herald.prompt.mine() && herald.prompt.p.terms[0]") != "Deployment":
        play([page], 1)
    while not page.evaluate("herald.prompt.refusal"):
        asked = page.evaluate(LEAST)
        page.wait(f"herald.prompt.refusal || herald.prompt.mine() && herald.prompt.p.id !== {asked!r}")
    said = "The match would be lost: the General was not deployed (VD-129). Choose it again to do it anyway."
    assert page.evaluate("document.querySelector('#prompt [role=alert]').textContent") == said
    page.evaluate("herald.prompt.choose(herald.prompt.fields()[0], window.chosen)")
    page.wait(f"herald.prompt.p.id !== {asked!r} || herald.prompt.sent")
    assert page.errors == []


@pytest.mark.whole
def test_who_confirms_a_choice_under_which_the_warning_stands_is_not_asked_once_more(
    page: Page, served: Served
) -> None:
    page.size(390, 844, touch=True)
    page.before_load(FAST)
    against_bot(page, served)
    while page.wait("herald.prompt.mine() && herald.prompt.p.terms[0]") != "Deployment":
        play([page], 1)
    while True:
        page.wait("herald.prompt.mine() && herald.prompt.p.terms[0] === 'Deployment'")
        asked = page.evaluate(LEAST.replace("window.chosen)", "window.chosen, true)"))
        page.wait("herald.prompt.armed")
        page.evaluate("new Promise(done => setTimeout(done, 1000))")
        said = page.evaluate("document.querySelector('#prompt .opt.on .fs')?.className ?? ''")
        tap(page, seen(page, "#prompt footer .go"))
        page.wait(f"herald.prompt.refusal || herald.prompt.p.id !== {asked!r} || herald.prompt.p.mode === 'over'")
        if "bad" in said:
            break
    assert not page.evaluate("herald.prompt.refusal")
    assert page.errors == []


@pytest.mark.whole
def test_a_choice_is_sent_where_nothing_can_be_foreseen(page: Page, served: Served) -> None:
    page.call("Network.enable")
    page.call("Network.setBlockedURLs", urls=["*/js/explain.js"])
    page.before_load(FAST)
    against_bot(page, served)
    asked = page.evaluate("herald.prompt.p.id")
    play([page], 1)
    page.wait(f"herald.prompt.mine() && herald.prompt.p.id !== {asked!r}")
    assert not page.evaluate("document.querySelector('#book')")


def test_under_an_option_stands_what_would_follow(page: Page, served: Served) -> None:
    table = page
    begin(table, served)
    told = "document.querySelectorAll('#prompt .fs').length"
    for _ in range(160):
        asked = table.wait(
            "herald.prompt.p.mode === 'over' ? 'over' : herald.prompt.mine() && herald.prompt.p.terms[0]"
        )
        if asked == "over":  # who answers by lot may lose before the first order, the General not deployed
            against_bot(table, served)
        elif asked == "OrderExecution":
            with suppress(AssertionError):  # not of every order something follows that its words do not say
                table.wait(told, seconds=4)
                break
        play([table], 1)
    assert table.evaluate(told)
    said = table.evaluate("[...document.querySelectorAll('#prompt .fs')].map(e => e.textContent)")
    assert all(text.endswith(".") for text in said)


def test_a_long_press_is_told_what_lies_there(page: Page, served: Served) -> None:
    page.size(390, 844, touch=True)
    page.before_load(FAST)
    against_bot(page, served, "war_for_edadh", quick=True)
    page.wait("!!document.querySelector('#book')")
    ref = page.evaluate("Object.keys(herald.scene.pieces).find(k => herald.scene.pieces[k].kind === 'troop')")
    x, y = seen(page, f'[data-ref="{ref}"]')
    page.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    assert "Level 1" in page.wait(SHOWN)
    link = f"{CARD}.querySelector('[data-rid]')"
    page.evaluate(f"{link}.dispatchEvent(new MouseEvent('click', {{ bubbles: true, detail: 1 }}))")
    assert not page.evaluate(ROW), "the finger that is lifted from the card chooses nothing on it"
    page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tap(page, seen(page, "#explain [data-rid]"))
    page.wait(ROW)


@pytest.mark.whole
def test_a_long_press_on_an_option_reads_and_does_not_choose(page: Page, served: Served) -> None:
    page.size(390, 844, touch=True)
    page.before_load(FAST)
    against_bot(page, served, "war_for_edadh", quick=True)
    told = next(term.name for key, term in glossary(WAR).items() if key.islower() and key.isalpha())
    page.wait("!!document.querySelector('#book') && herald.prompt.mine()")
    ask(page, [{"id": "0", "label": told}, {"id": "1", "label": "Nothing"}])
    x, y = seen(page, "#prompt [data-o='choice|0']")
    page.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    page.wait(SHOWN)
    page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    page.evaluate("new Promise(done => setTimeout(done, 300))")
    assert page.evaluate("given.length") == 0
    tap(page, seen(page, "#seats-top .nm"))
    page.wait(f"{CARD}.hidden")
    x, y = seen(page, "#prompt [data-o='choice|1']")
    page.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    page.evaluate("new Promise(done => setTimeout(done, 700))")
    page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    page.evaluate("new Promise(done => setTimeout(done, 300))")
    assert page.evaluate("given.length") == 0, "where there is nothing to be read, too"
    tap(page, seen(page, "#prompt [data-o='choice|0']"))
    page.wait("given.length === 1")


def asked_with_foresight(page: Page, served: Served) -> None:
    """A question with three options; `told` writes under them what would follow."""
    page.size(1280, 800)
    page.before_load(FAST)
    against_bot(page, served, "war_for_edadh", quick=True)
    page.wait("herald.prompt.mine() && herald.view.seen.length")
    hand(page, seen(page, "#prompt header"))
    page.wait("document.querySelector('#explain') !== null")
    page.evaluate("import('/js/explain.js').then(m => { window.told = m.explainer().foresight; })")
    page.wait("window.told !== undefined")
    ask(page, [{"id": str(n), "label": f"Option {n}"} for n in range(3)])


@pytest.mark.whole
def test_no_press_chooses_what_was_not_there_a_moment_before(page: Page, served: Served) -> None:
    """Another question comes to stand where a finger is on its way to."""
    asked_with_foresight(page, served)
    meant = seen(page, "#prompt [data-o='choice|2']")
    ask(page, [{"id": str(n), "label": f"Other {n}"} for n in range(3)], id="4711")
    hand(page, meant)
    assert page.evaluate("given") == []
    hand(page, seen(page, "#prompt [data-o='choice|2']"))
    page.wait("given.length === 1 && given[0][1] === '2'")


@pytest.mark.whole
def test_what_follows_is_shown_beside_the_option_that_is_pointed_at_and_moves_no_other(
    page: Page, served: Served
) -> None:
    asked_with_foresight(page, served)
    where = "[...document.querySelectorAll('#prompt .opt')].map(e => e.getBoundingClientRect().top)"
    before = page.evaluate(where)
    page.evaluate("told.write(document.querySelector('#prompt .opt'), {}, ['A sentence that is long. '.repeat(12)])")
    point(page, seen(page, "#prompt [data-o='choice|0']"))
    assert "A sentence that is long" in page.wait(
        "document.querySelector('#info h3') && document.querySelector('#info').innerText"
    )
    assert page.evaluate(where) == before
    assert "A sentence" in page.evaluate("document.querySelector('#prompt .opt').textContent"), "it is read aloud"


@pytest.mark.whole
def test_an_exported_match_explains_without_a_server(table: Page, served: Served, tmp_path: Path) -> None:
    match, file = table.evaluate("herald.check.verifier.match"), tmp_path / "replay.html"
    export = [sys.executable, "-m", "server.cli", "export", match, "--format", "html", "-o", str(file)]
    subprocess.run([*export, "--db", str(served.db)], check=True, capture_output=True, cwd=ROOT)
    table.goto(file.as_uri())
    table.press("End")
    table.evaluate("document.querySelector('#tools [data-ico=book]').click()")
    table.wait("document.querySelectorAll('#book .section').length > 20")
    assert table.evaluate("getComputedStyle(book).position") == "fixed"
    assert table.errors == []


@pytest.mark.whole
def test_a_german_page_explains_in_german_with_the_name_that_the_question_has(page: Page, served: Served) -> None:
    page.size(1280, 800)
    page.before_load(FAST + "; try { localStorage.setItem('herald.language', 'de') } catch {}")
    against_bot(page, served)
    page.wait("herald.prompt.mine()")
    key = page.evaluate("herald.prompt.p.terms[0]")
    point(page, seen(page, "#prompt .ask"))
    said = page.wait(SHOWN)
    assert glossary(VERA, "de")[key].text in said
    assert TERMS[key].name in said
    assert page.evaluate(f"{CARD}.querySelector('dt small').lang") == "en"
    page.screenshot("german-explained")
    assert page.errors == []


@pytest.mark.whole
def test_a_note_leaves_the_question_free_and_a_number_tells_of_its_card(page: Page, served: Served) -> None:
    begin_edadh(page, served)
    page.wait("!!document.querySelector('#book') && !!document.querySelector('#prompt .chips .opt')")
    at = seen(page, "#prompt .chips .opt:nth-child(3)")
    point(page, at)
    assert "Counts otherwise" in page.wait(SHOWN)
    edges = "[document.querySelector('#explain'), document.querySelector('#rail')].map(e => e.getBoundingClientRect())"
    assert page.evaluate(f"(([note, rail]) => note.right <= rail.left)({edges})")
    assert "15 against 10, 11, 12" in page.wait("document.querySelector('#info').innerText")


@pytest.mark.whole
def test_the_chronicle_stays_at_its_end_when_the_question_grows(page: Page, served: Served) -> None:
    begin_edadh(page, served)
    page.wait("herald.view.seen.length && document.querySelector('#lines').children.length > 5")
    left = "(lines => lines.scrollHeight - lines.scrollTop - lines.clientHeight)(document.querySelector('#lines'))"
    page.evaluate("void document.querySelector('#lines').scrollTo(0, 1e6)")
    page.evaluate("void (document.querySelector('#prompt').style.minHeight = '520px')")
    page.wait(f"document.querySelector('#prompt').offsetHeight >= 520 && {left} < 2")


@pytest.mark.whole
def test_dice_in_a_question_and_their_faces_in_an_option_are_explained(page: Page, served: Served) -> None:
    page.size(1280, 800)
    page.before_load(FAST)
    against_bot(page, served, "joan_of_arc")
    dice = [{"label": "Attack", "owner": 0, "dice": [{"t": "red", "f": 3, "label": "red kill, Voulgiers 1"}]}]
    lie: dict[str, object] = {
        "id": "0",
        "label": "Let the dice lie",
        "sub": "As they lie: 1 kill and 2 pushes against 1 shield",
    }
    ask(page, [lie], dice=dice)
    point(page, seen(page, "#prompt .rg .die"))
    assert page.wait(SHOWN).splitlines()[0] == "Kill"
    point(page, seen(page, "#prompt .opt .lb"))
    page.wait(f"{SHOWN} && {CARD}.innerText.includes('Shield')")
    assert [name for name in ("Kill", "Push", "Shield") if name in page.evaluate(SHOWN).splitlines()] == [
        "Kill",
        "Push",
        "Shield",
    ]


FORETOLD = """(async told => {
    const { foresight } = (await import("/js/explain.js")).explainer();
    foresight.ask = (_, choice) => Promise.resolve({ lines: told[choice], lost: choice === "4" ? "All is lost." : "" });
})"""
FOLLOWS = "[...document.querySelectorAll('#prompt .opt')].map(e => e.querySelector('.fs')?.textContent ?? '')"
LOSSES = "Cards lost: 1 to 0, which makes the Unit Shaken; Shaken once more it would Rout."
CHOICES = ["Discard Gunners A1", "Discard Gunners A2", "Discard Spears A4", "Keep all as they are", "Give up the field"]


def test_under_an_option_stands_no_word_of_its_own(page: Page, served: Served) -> None:
    begin_edadh(page, served)
    page.wait("!!document.querySelector('#book') && herald.prompt.mine()")
    told = {
        "0": [CHOICES[0], "Bo Discards Gunners A1 (column 1, rank 1).", LOSSES],
        "1": [CHOICES[1], "Bo Discards Gunners A2 (column 2, rank 1).", LOSSES],
        "2": ["Spears A4 are Discarded.", "Spears A4 were worth more."],
        "3": ["Bo takes 3 Damage.", "Cards lost: none."],
        "4": ["Bo takes 3 Damage.", "Cards lost: none."],
    }
    page.evaluate(f"{FORETOLD}({json.dumps(told)})")
    ask(page, [{"id": str(i), "label": label} for i, label in enumerate(CHOICES)], id="4711")
    page.wait(f"{FOLLOWS}.every(Boolean)")
    assert page.evaluate(FOLLOWS) == [
        f"Bo Discards Gunners A1 (column 1, rank 1). {LOSSES}",
        f"Bo Discards Gunners A2 (column 2, rank 1). {LOSSES}",
        "Spears A4 were worth more.",
        "Bo takes 3 Damage. Cards lost: none.",
        "All is lost.",
    ]
    page.screenshot("same-follows")
    assert page.errors == []


def test_what_follows_from_a_piece_that_a_finger_chose_is_read_before_it_is_confirmed(
    page: Page, served: Served
) -> None:
    begin_edadh(page, served)
    page.size(390, 844, touch=True)
    page.wait("!!document.querySelector('#book') && herald.prompt.mine()")
    page.evaluate(f"{FORETOLD}({json.dumps({'0': ['', 'Bo takes 3 Damage.'], '1': ['', LOSSES]})})")
    at = page.evaluate("Object.keys(herald.scene.pieces).filter(id => herald.scene.pieces[id].owner === 0).slice(0, 2)")
    ask(page, [{"id": str(i), "label": f"Piece {i}", "at": [ref]} for i, ref in enumerate(at)], why="Why. " * 60)
    page.evaluate(f"herald.view.pick({at[1]!r}, true)")
    page.wait("document.querySelector('#prompt .opt .fs')?.textContent.startsWith('Cards lost')")
    shown = "document.querySelector('#prompt .fs').getBoundingClientRect()"
    assert page.evaluate(f"{shown}.bottom <= document.querySelector('#prompt .go').getBoundingClientRect().top + 1")
