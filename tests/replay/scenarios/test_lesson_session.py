"""A lesson while it is taken: nothing but what it expects is carried out, and the learner sees what his seat sees."""

from typing import Any

import pytest

from domain.kernel import Hidden
from projections.registry import games
from replay.scenarios.errors import ScenarioInvalid
from replay.scenarios.lesson_format import Lesson, lessons, parse
from replay.scenarios.lesson_session import LessonSession
from replay.scenarios.text import read_choice
from tests.replay.scenarios.lesson_format import ANSWERED
from tests.skirmish.game import GAME

GAMES = games()


def course() -> LessonSession[Any]:
    begun = LessonSession(GAME, parse(ANSWERED))
    begun.read_on()
    return begun


def test_a_step_that_is_to_be_done_is_not_read_over() -> None:
    begun = course()
    begun.read_on()
    assert begun.step is not None
    assert begun.step.say == "Play your 6."


def test_a_mistake_is_answered_with_its_row_and_changes_nothing() -> None:
    begun = course()
    before = begun.state
    heard = begun.choose(read_choice(GAME, "Play 2"))
    assert (heard.done, heard.say, heard.rules) == (False, ("You do not hold it.",), ("SK-02",))
    assert begun.state is before


def test_any_other_choice_is_answered_and_changes_nothing() -> None:
    begun = course()
    before = begun.state
    assert begun.choose(read_choice(GAME, "Play 1")).say == ("Any of yours.",)
    assert begun.state is before


def test_what_is_expected_is_carried_out_with_the_replies_and_their_dice() -> None:
    begun = course()
    heard = begun.choose(begun.expected()[0])
    assert heard.done
    assert heard.say == ("Now the other.",)
    assert "DiceRolled" in {type(each.event).__name__ for each in heard.seen}
    assert begun.step is None
    assert not begun.choose(read_choice(GAME, "Play 1")).done


def test_the_learner_sees_no_more_than_his_seat() -> None:
    assert isinstance(course().view.hands[1], Hidden)


def test_a_lesson_that_does_not_begin_as_it_says_is_refused() -> None:
    with pytest.raises(ScenarioInvalid, match="begin"):
        LessonSession(GAME, parse(ANSWERED.replace("[position]", "[begin]\ndice = [3]\n[position]")))


@pytest.mark.parametrize(
    ("game", "lesson"), [pytest.param(name, each, id=f"{name}-{each.name}") for name in GAMES for each in lessons(name)]
)
def test_every_lesson_that_comes_with_a_game_can_be_taken_to_its_end(game: str, lesson: Lesson) -> None:
    taken = LessonSession(GAMES[game], lesson)
    for _ in lesson.step:
        expected = taken.expected()
        if expected:
            assert taken.choose(expected[0]).done
        else:
            taken.read_on()
    assert taken.step is None
