"""Seats that leave, in every game: the match goes on for the others to its end, or is over; and nobody learns more."""

import random
from typing import Any

import pytest

from domain.kernel import MatchEnded, Resigned, Seat, SeatLeft, carry_out, sides_of, table_order
from tests.conformance.moments import received
from tests.conformance.walks import Table, Walk, tables, viewers

TABLES = tables()
BEFORE = 40
"""Choices before somebody leaves, at most."""


def leave(walk: Walk, seat: int) -> Any:
    """The seat resigns."""
    play = carry_out(walk.game, walk.state, None, Resigned(Seat(seat)), 0, walk.chance)
    walk.events += play.events
    walk.state = play.state
    return play


@pytest.mark.parametrize("table", TABLES)
def test_the_others_play_on_to_the_end_or_have_won(table: Table) -> None:
    game, rng = table.game, random.Random(4)
    for seed in range(2):
        walk = table.walk(seed)
        list(walk.steps(rng.randrange(BEFORE)))
        while not walk.over:
            seat = rng.choice(table_order(walk.state))
            standing = [side for side in sides_of(walk.state) if {*side} - {*walk.state.table.left, seat}]
            play = leave(walk, seat)
            if len(standing) < 2:
                assert isinstance(play.events[-1], MatchEnded)
                assert play.events[-1].result.won == standing[0]
                break
            assert any(isinstance(event, SeatLeft) for event in play.events)
            assert not {asked.seat for asked in walk.state.asked} & {*walk.state.table.left}
            assert not list(game.spec.invariants(walk.state))
            list(walk.steps(rng.randrange(6)))
        assert walk.over
        assert game.fold(walk.events) == walk.state


@pytest.mark.parametrize("table", TABLES)
def test_who_leaves_is_told_alike_in_all_worlds_but_for_what_the_game_lays_open(table: Table) -> None:
    game, rng = table.game, random.Random(5)
    walk = table.walk(3)
    list(walk.steps(rng.randrange(BEFORE)))
    if walk.over:
        return
    seat = rng.choice(table_order(walk.state))
    for viewer in viewers(game, table.options):
        world = game.spec.resample(walk.state, viewer, rng.randrange, frozenset({f"hand{seat}", f"army{seat}"}))
        made = [
            carry_out(game, state, None, Resigned(Seat(seat)), 0, type(walk.chance)(1)).events
            for state in (walk.state, world)
        ]
        shown = [[received(game, event, viewer) for event in events] for events in made]
        assert shown[0] == shown[1]
