"""Shared by `test_face` and other tests: OPTIONS, laid, pauses."""

from functools import cache
from typing import Any

from domain.kernel import DecisionsOpened, Event, MatchEnded, Seat
from domain.war_for_edadh import GAME
from domain.war_for_edadh.positions.positions import POSITIONS
from domain.war_for_edadh.state.state import WarState
from projections.games.war_for_edadh import FACE
from tests.projections.matches import play, walk

OPTIONS: tuple[dict[str, Any], ...] = ({}, {"quick_start": True}, {"game": "best_of_3"})


Pause = tuple[WarState, dict[str, Any]]


@cache
def match(number: int) -> tuple[Event, ...]:
    return tuple(play(GAME, 20 + number, OPTIONS[number]))


@cache
def pauses(number: int, viewer: Seat | None) -> tuple[Pause, ...]:
    return tuple(
        (view, FACE.scene(view, viewer))
        for _, event, view in walk(GAME, match(number), viewer)
        if isinstance(event, DecisionsOpened | MatchEnded)
    )


def laid(**fields: Any) -> WarState:
    """A round in which 9 attacks 4."""
    cards = [{"cv": 9}, {"cv": 4, "secondary": "mst"}]
    now = {"number": 1, "laid": cards, "values": [9, 4], "attacker": 0, "chosen": ["A1", "B1"], **fields}
    masters = {"combat_master": "CM02", "master_flipped": True, "battle_master": "BM02"}
    return POSITIONS.read({"round": now, "ground": "TE02", "seat0": masters}, {})[0]
