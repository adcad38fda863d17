"""A bot that looks ahead never peeks: it answers alike in all worlds that its seat cannot tell apart."""

import random
from typing import Any

import pytest

from domain.kernel import Choice, Seat
from domain.kernel.history import views_of
from domain.kernel.position import Views
from projections.redaction import Viewer
from replay.playback.branch import drawn
from replay.playback.errors import CannotBranch
from server.bots import RandomBot, with_procedures
from server.bots.strong.bot import Level, StrongBot
from server.bots.strong.search import Budget
from server.conformance.walks import AnyGame, PlayedGame, Walk
from tests.conformance.walks import tables

LEVEL = Level(Budget(trials=60), most=3, visible_head=4)
MOMENTS = 2


def answer(game: AnyGame, views: Views[Any], seat: Seat) -> Choice:
    """What the bot answers to the first question of a seat."""
    view = with_procedures(views.seats[seat], views.world)
    asked = next(asked for asked in view.asked if asked.seat == seat)
    form = game.revive_decision(asked).form(view)
    return StrongBot(game, RandomBot, LEVEL).choose(view, asked, form, random.Random(1).randrange)


def moments(walk: Walk, source: random.Random, most: int) -> list[tuple[Views[Any], Seat]]:
    """Moments of a walk, and a seat that is asked there."""
    found = []
    for _ in range(most):
        for _ in walk.steps(1 + source.randrange(12)):
            pass
        if walk.over:
            break
        found.append((views_of(walk.game, walk.events), walk.state.asked[0].seat))
    return found


def compare(table: PlayedGame, seed: int, most: int) -> int:
    """How many moments were compared in two worlds."""
    source, compared = random.Random(seed), 0
    for views, seat in moments(table.walk(seed), source, most):
        try:
            other = drawn(table.game, views, Viewer(seat), source.randrange)
        except CannotBranch:
            continue
        assert answer(table.game, other, seat) == answer(table.game, views, seat)
        compared += 1
    return compared


@pytest.mark.parametrize("table", [param for param in tables() if "-" not in str(param.id)])
def test_the_answer_is_the_same_in_every_world_that_the_seat_cannot_tell_apart(table: PlayedGame) -> None:
    assert compare(table, 3, MOMENTS)


@pytest.mark.deep
@pytest.mark.parametrize("table", tables())
@pytest.mark.parametrize("seed", range(4))
def test_the_answer_is_the_same_with_all_options_all_through_a_match(table: PlayedGame, seed: int) -> None:
    assert compare(table, seed, 12)
