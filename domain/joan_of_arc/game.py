"""The game: its rules, events and questions put together."""

from typing import Final

from domain.commons.class_discovery import classes_of
from domain.joan_of_arc import rules
from domain.joan_of_arc.checks.invariants import invariants
from domain.joan_of_arc.checks.refusals import forbids
from domain.joan_of_arc.checks.scenario_checks import option_defects
from domain.joan_of_arc.positions.positions import POSITIONS
from domain.joan_of_arc.positions.resample import resample
from domain.joan_of_arc.rules.phases import match
from domain.joan_of_arc.state import attack_events, events
from domain.joan_of_arc.state.evolve import EVOLVE
from domain.joan_of_arc.state.options import Options, seats_of, sides_of
from domain.joan_of_arc.state.state import JoanState, PlayerBoard
from domain.kernel import Game, GameSpec, SeatCount


def start(options: Options) -> JoanState:
    """The state before set-up: an empty player board for every seat."""
    return JoanState(options=options, boards=tuple(PlayerBoard() for _ in range(seats_of(options))))


GAME: Final = Game(
    GameSpec(
        name="joan_of_arc",
        title="Time of Legends: Joan of Arc",
        about="Two sides on hexes with buildings and a sky: orders activate areas, opponents interrupt, dice decide.",
        rules="2",
        seats=SeatCount(2, 4, seats_of),
        sides=sides_of,
        options=Options,
        start=start,
        opening=lambda _: match.Match(),
        evolve=EVOLVE,
        resample=resample,
        positions=POSITIONS,
        invariants=invariants,
        forbids=forbids,
        unplayable=option_defects,
        **classes_of(rules, events, attack_events),
    )
)
