"""Whole matches as a screen reader tells them: every control is named, every question and the result are said."""

import re
from pathlib import Path

import pytest

from tests.web.browser import Page
from tests.web.comforts import asked
from tests.web.node import ROOT
from tests.web.playing import FAST, WAR, against_bot
from tests.web.reader import GAMES, LISTEN, WORD, Reader, transcript, translated
from tests.web.serving import Served

KEPT = ROOT / "docs" / "transcripts"


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=pytest.mark.whole if game == WAR else pytest.mark.deep) for game in GAMES]
)
def test_a_whole_match_is_told(page: Page, served: Served, game: str) -> None:
    page.size(1280, 800)
    lines, faults = transcript(page, served.url, game)
    assert faults == []
    assert len(lines) > 60


@pytest.mark.whole
def test_what_has_no_name_or_says_no_word_is_found(page: Page, served: Served) -> None:
    page.before_load(LISTEN)
    page.goto(f"{served.url}/")
    reader = Reader(page)
    page.evaluate("document.querySelector('main').prepend(Object.assign(document.createElement('button'), {id: 'x'}))")
    page.evaluate("document.getElementById('x').focus()")
    reader.read_focus()
    reader.check_controls()
    page.evaluate("document.getElementById('live').textContent = '7 ›'")
    assert reader.hear() == ["7 ›"]
    assert [fault.partition(":")[0] for fault in reader.faults] == [
        "without a name",
        "control without a name",
        "says no word",
    ]


def test_a_node_is_read_by_role_name_and_states() -> None:
    node = {
        "role": {"value": "checkbox"},
        "name": {"value": "Guardians"},
        "description": {"value": "A Basic Unit"},
        "properties": [
            {"name": "checked", "value": {"value": "true"}},
            {"name": "disabled", "value": {"value": False}},
        ],
    }
    assert translated(node) == 'checkbox "Guardians", checked, A Basic Unit'


@pytest.mark.parametrize("path", sorted(KEPT.glob("*.txt")), ids=lambda path: path.stem)
def test_a_kept_transcript_is_a_whole_match_in_words(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    told = [line for line in lines if line.startswith("  ")]
    assert [line for line in told if not WORD.search(line)] == []
    assert any(re.search(" wins|is drawn| gewinnt|unentschieden", line) for line in told[-4:])


def test_each_game_has_its_transcript_and_one_is_in_german_and_one_of_a_phone() -> None:
    kept = {path.stem for path in KEPT.glob("*.txt")}
    assert {name.partition(".")[0] for name in kept} == set(GAMES) == {name for name in kept if "." not in name}
    assert {name.partition(".")[2] for name in kept} == {"", "de", "phone"}


@pytest.mark.whole
def test_what_two_notices_say_alike_is_read_once(page: Page, served: Served) -> None:
    page.before_load(f"{FAST}; {LISTEN}")
    against_bot(page, served)
    page.wait("window.herald?.prompt?.mine()")
    reader = Reader(page)
    reader.hear()
    put_up = "['one', 'two'].forEach(key => tell(key, 'It waits for Bo.'))"
    page.evaluate(f"import('/js/page.js').then(({{ tell }}) => {put_up})")
    assert reader.hear() == ["It waits for Bo."]


@pytest.mark.whole
def test_a_list_that_opens_is_read_with_its_keys(page: Page, served: Served) -> None:
    page.before_load(f"{FAST}; {LISTEN}")
    against_bot(page, served)
    keys = "123456789abef"
    places = [(piece, area) for piece in ("Golem", "Dryads") for area in range(1, 14)]
    options = [
        {"id": f"{p}{n}", "at": [p, f"area{n}"], "label": f"{p} to area {n}.", "sub": f"{n} left."} for p, n in places
    ]
    page.evaluate("['Golem', 'Dryads'].forEach(label => herald.scene.pieces[label] = { title: label })")
    asked(page, options, ask="Which Unit, and where?")
    reader = Reader(page)
    reader.hear()
    page.press("o")
    assert "1: Golem, then 13 options. 2: Dryads, then 13 options" in reader.hear()[-1]
    page.press("2")
    assert reader.hear()[-1] == "Dryads, " + ". ".join(
        f"{key}: Dryads to area {n}, {n} left" for n, key in enumerate(keys, 1)
    )
