"""Lessons: read strictly, played along every way that they accept, their mistakes offered or refused as they say."""

from functools import partial

import pytest

from projections.registry import games
from replay.scenarios import lesson_check
from replay.scenarios.errors import ScenarioInvalid
from replay.scenarios.guides import first
from replay.scenarios.lesson_format import Lesson, lessons, line_of, parse
from tests.replay.scenarios.lesson_format import ANSWERED, LESSON
from tests.skirmish.game import GAME

GAMES = games()


def told(text: str) -> list[str]:
    """Differences, but for rows: the example game has no ledger."""
    return [str(found) for found in lesson_check.check(GAME, parse(text)) if "ledger" not in str(found)]


def test_a_lesson_that_is_as_told_has_no_difference() -> None:
    assert told(ANSWERED) == []


def test_every_other_way_that_it_accepts_is_played_to_the_end() -> None:
    text = LESSON + '[[step]]\nsay = "Press."\nexpect = ["Press"]\ndice = [4]\n'
    assert told(text.replace(', "Play 1"]', "]")) == []
    assert any("step 3" in line for line in told(text)), "with the 1 the other seat is asked"


def test_a_choice_that_is_not_offered_is_named_with_its_step() -> None:
    found = told(ANSWERED.replace('["Play 6"]', '["Play 5"]'))
    assert any("offered: Play 5" in line for line in found)
    assert any("step 2" in line for line in found)


def test_a_mistake_is_refused_by_the_row_it_says_or_may_be_chosen() -> None:
    assert any("step 2.unless 1" in line for line in told(ANSWERED.replace('refused = "SK-02"', 'refused = "SK-05"')))
    assert any("offered: Play 2" in line for line in told(ANSWERED.replace('refused = "SK-02"\n', "")))
    allowed = ANSWERED.replace('choice = "Play 2"\nsay', 'choice = "Play 1"\nsay')
    assert told(allowed.replace('refused = "SK-02"\n', "")) == []


def test_dice_that_are_missing_are_a_difference() -> None:
    assert any("step 2.reply 1" in line for line in told(ANSWERED.replace("SK-03: 3 4", "SK-03: 3")))


def test_a_row_that_is_in_no_ledger_is_a_difference() -> None:
    (found,) = [str(each) for each in lesson_check.check(GAME, parse(ANSWERED))]
    assert "SK-02" in found
    assert "step 2.unless 1" in found


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('say = "Play your 6."', 'say = "Play your 6."\nsya = "x"', r"l:18: \[step 2\].*`sya` is not known.*expect"),
        ("seat = 1\n", "", r"l:29: \[step 2.reply 1\].*`seat` is missing"),
        ("seat = 1\n", 'seat = "one"\n', r"l:30: \[step 2.reply 1.seat\].*number"),
        ('rules = ["SK-02"]\n', "", r"l:23: \[step 2.unless 1.rules\].*row"),
        ('expect = ["Play 6", "Play 1"]\n', "", r"nothing is to be done"),
        ('at the same time."', 'at."\notherwise = "x"', r"l:15: \[step 1.otherwise\]"),
        ("seat = 0", "seat = ", r"not TOML.*line 6"),
        ("about", 'name = "x"\nabout', r"l:5: \[name\]"),
    ],
)
def test_what_is_wrong_is_named_with_file_line_and_key(old: str, new: str, said: str) -> None:
    with pytest.raises(ScenarioInvalid, match=said):
        parse(LESSON.replace(old, new, 1), "l")


def test_a_seat_that_the_game_does_not_have_is_refused() -> None:
    with pytest.raises(ScenarioInvalid, match="no seat 7"):
        lesson_check.check(GAME, parse(LESSON.replace("seat = 0", "seat = 7", 1)))


def test_a_choice_that_the_game_does_not_have_is_named_with_its_step() -> None:
    with pytest.raises(ScenarioInvalid, match=r"Smite"):
        lesson_check.check(GAME, parse(ANSWERED.replace('choice = "Play 2"\ndice', 'choice = "Smite"\ndice')))


def test_a_line_is_found_by_the_place_of_its_table() -> None:
    line = partial(line_of, LESSON)
    assert [line(place) for place in ("title", "position.deck", "step 1", "step 2.unless 1.say")] == [2, 11, 13, 25]


@pytest.mark.parametrize(
    ("game", "lesson"), [pytest.param(name, each, id=f"{name}-{each.name}") for name in GAMES for each in lessons(name)]
)
def test_every_lesson_that_comes_with_a_game_is_as_told(game: str, lesson: Lesson) -> None:
    assert lesson.game == game
    assert [str(found) for found in lesson_check.check(GAMES[game], lesson)] == []
    assert set(lesson.after) <= {each.name for each in lessons(game)}


def test_the_whole_round_of_joan_of_arc_is_that_of_the_first_match() -> None:
    begun = first("joan_of_arc")
    assert begun is not None
    assert lessons("joan_of_arc")[-1].options == begun.options


def test_a_game_without_lessons_has_none() -> None:
    assert lessons("skirmish") == ()
