"""What a seat is asked about is in its observation: the dice on the table, and the procedures that led to it."""

import random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from domain.kernel.state import plain
from projections.registry import faces
from server.bots.chance import SeededChance
from server.research.features import OF_A_ROLL, observed, seen
from server.research.position import Position, beginning

GAMES = sorted(faces())


def questions(game: str, seed: int) -> list[Position]:
    """The questions of a match played by lot."""
    source = random.Random(seed)
    chance = SeededChance(source)
    position, found = beginning(faces()[game], {}, chance), list[Position]()
    while position.step is not None:
        found.append(position)
        position = position.taken(source.randrange(len(position.step.options)), chance)
    return found


def changed(data: Any) -> Any:
    """Plain data with its numbers one more and its words others."""
    if isinstance(data, dict):
        return {name: changed(value) for name, value in data.items()}
    if isinstance(data, list):
        return [changed(value) for value in data]
    return data + 1 if isinstance(data, int) and not isinstance(data, bool) else f"{data}!"


@pytest.mark.parametrize("game", GAMES)
def test_nothing_that_a_seat_is_asked_about_is_missing_from_its_observation(game: str) -> None:
    """Every parameter of the question, of each procedure around it, and of the last roll, over all decisions."""
    kinds = set()
    for position in questions(game, 1):
        asked, world = position.asked, position.world
        kinds.add(asked.kind)
        told = seen(position, asked.seat)
        assert told["terms"] == asked.terms
        assert [frame["terms"] for frame in told["procedures"]] == [plain(frame.terms) for frame in world.stack]
        assert [frame["procedure"] for frame in told["procedures"]] == [frame.procedure for frame in world.stack]
        if world.roll is not None:
            roll = {name: value for name, value in plain(world.roll).items() if name not in OF_A_ROLL}
            assert told["roll"] == roll
    assert len(kinds) > 3


@pytest.mark.parametrize("game", GAMES)
def test_a_question_about_something_else_is_another_observation(game: str) -> None:
    """As a row of numbers too: each frame's parameters and the dice are counted in."""
    for position in questions(game, 2)[::7]:
        world, seat = position.world, position.asked.seat
        row = observed(position, seat)
        for at, frame in enumerate(world.stack):
            if frame.terms:
                other = replace(frame, terms=changed(plain(frame.terms)))
                stack = (*world.stack[:at], other, *world.stack[at + 1 :])
                assert not np.array_equal(observed(replace(position, world=replace(world, stack=stack)), seat), row)
        if world.roll is not None and world.roll.dice:
            dice = tuple(face + 1 for face in world.roll.dice)
            again = replace(world, roll=replace(world.roll, dice=dice))
            assert not np.array_equal(observed(replace(position, world=again), seat), row)


@pytest.mark.parametrize("game", GAMES)
def test_who_is_not_asked_is_told_nothing_of_the_question(game: str) -> None:
    for position in questions(game, 3)[::9]:
        other = (position.asked.seat + 1) % len(position.seats)
        assert "procedures" not in seen(position, other)
