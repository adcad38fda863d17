"""Checks lessons: each is played as scenarios, once along the expected choices and once for every accepted other."""

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel import Game
from projections.ledger import has_ledger, ledger
from replay.scenarios.comparison import Difference
from replay.scenarios.errors import ScenarioInvalid
from replay.scenarios.format import Begin, Scenario, Then, When
from replay.scenarios.lesson_format import Lesson, LessonStep
from replay.scenarios.play import Playing

Way = dict[int, int]
"""By step, the accepted choice to take; both count from 0, and a step that is not named takes the first choice."""


class _Told(Struct, frozen=True):
    """A lesson as a scenario: its choices, and for each its place in the lesson."""

    scenario: Scenario
    places: tuple[str, ...]


def check(game: Game[Any], lesson: Lesson) -> list[Difference]:
    """Play the lesson and return the differences from its text, in order.

    Every choice that the lesson accepts must be offered and lead to its end, every mistake must be offered, or refused
    as the lesson says, and every named row must be in the ledger. Raises `ScenarioInvalid` for a lesson that cannot be
    played.
    """
    found = list(_unknown_rows(lesson))
    if not 0 <= lesson.seat < game.seats_of(lesson.options):
        raise ScenarioInvalid(f"seat: {game.name} has no seat {lesson.seat}")
    for way in _ways(lesson):
        for difference in _played(game, _told(lesson, way)):
            if difference not in found:
                found.append(difference)
    return found


def _unknown_rows(lesson: Lesson) -> Iterator[Difference]:
    known = ledger(lesson.game).rows if has_ledger(lesson.game) else {}
    for place, row in lesson.rows():
        if row not in known:
            yield Difference(place, "a row of the ledger", row)


def _ways(lesson: Lesson) -> list[Way]:
    """The expected way, and one for every other choice that a step accepts."""
    others = [{number: at} for number, step in enumerate(lesson.step) for at in range(1, len(step.expect))]
    return [{}, *others]


def _told(lesson: Lesson, way: Way) -> _Told:
    begin, choices, places = Begin(lesson.begin.dice, lesson.begin.shuffles), list[When](), list[str]()
    for number, step in enumerate(lesson.step):
        if not step.expect:
            continue
        where = f"step {number + 1}"
        may = [mistake.choice for mistake in step.unless if not mistake.refused]
        then = Then(offered={f"seat{lesson.seat}": [*step.expect, *may]})
        if choices:
            choices[-1] = replace(choices[-1], then=then)
        else:
            begin = replace(begin, then=then)
        told = [*_mistakes(lesson, step, where), *_done(lesson, step, where, way.get(number, 0))]
        choices += [when for _, when in told]
        places += [place for place, _ in told]
    return _Told(replace(lesson.scenario(), begin=begin, when=choices), tuple(places))


def _mistakes(lesson: Lesson, step: LessonStep, where: str) -> Iterator[tuple[str, When]]:
    for at, mistake in enumerate(step.unless, 1):
        if mistake.refused:
            yield f"{where}.unless {at}", When(lesson.seat, choice=mistake.choice, refused=mistake.refused)


def _done(lesson: Lesson, step: LessonStep, where: str, taken: int) -> Iterator[tuple[str, When]]:
    choice = step.expect[taken]
    yield where, When(lesson.seat, choice, decision=step.decision, dice=step.dice, shuffles=step.shuffles)
    for at, reply in enumerate(step.reply, 1):
        said = When(reply.seat, choice=reply.choice, dice=reply.dice, shuffles=reply.shuffles)
        yield f"{where}.reply {at}", said


def _played(game: Game[Any], told: _Told) -> Iterator[Difference]:
    def placed(text: str) -> str:
        return re.sub(r"when (\d+)", lambda found: told.places[int(found[1]) - 1], text)

    try:
        differences = Playing(game, told.scenario).run()
    except ScenarioInvalid as wrong:
        raise ScenarioInvalid(placed(str(wrong))) from wrong
    for difference in differences:
        yield Difference(placed(difference.place), difference.expected, difference.got)
