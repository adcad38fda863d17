"""Seats that leave, in every game: the match goes on for the others to its end, or is over; and nobody learns more."""

import random
from typing import Any

import pytest

from domain.kernel import Resigned, Seat, carry_out, table_order
from server.conformance import checks
from server.conformance.comparing import received
from server.conformance.walks import PlayedGame, Walk, viewers
from tests.conformance.walks import tables

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
def test_the_others_play_on_to_the_end_or_have_won(table: PlayedGame) -> None:
    for seed in range(2):
        checks.a_seat_that_leaves_ends_nothing_else(table, seed)


@pytest.mark.parametrize("table", TABLES)
def test_who_leaves_is_told_alike_in_all_worlds_but_for_what_the_game_lays_open(table: PlayedGame) -> None:
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
        # Worlds may differ in the secrets opened at the end, but not in the number and kinds of lines that open them.
        opens = game.spec.opened_at_end
        opened = set() if opens is None else {type(event) for event in opens(walk.state)}
        shown = [
            [type(event) if type(event) in opened else received(game, event, viewer) for event in events]
            for events in made
        ]
        assert shown[0] == shown[1]
