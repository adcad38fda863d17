"""Shared by `test_foresight` and other tests: course."""

from domain.joan_of_arc import GAME
from domain.joan_of_arc.state.state import JoanState
from replay.scenarios.lesson_format import lessons
from replay.scenarios.lesson_session import LessonSession


def course(number: int, kind: str) -> LessonSession[JoanState]:
    """A lesson at its first question of a kind."""
    found = LessonSession(GAME, lessons(GAME.name)[number - 1])
    while found.step is not None and found.state.asked[0].kind != kind:
        if found.step.expect:
            found.choose(found.expected()[0])
        else:
            found.read_on()
    return found
