"""The game: its rules, events and questions put together."""

from typing import Final

from domain.commons.doors import classes_in
from domain.joan_of_arc import attack_events, events
from domain.joan_of_arc.evolve import EVOLVE
from domain.joan_of_arc.invariants import invariants
from domain.joan_of_arc.options import Options, seats_of, sides_of
from domain.joan_of_arc.positions import POSITIONS
from domain.joan_of_arc.refusals import forbids
from domain.joan_of_arc.resample import resample
from domain.joan_of_arc.rules import (
    activation,
    burning,
    camp,
    capturing,
    council,
    exchanging,
    interrupts,
    intrigues,
    legends,
    match,
    orders,
    pushing,
    rallying,
    ransoming,
    rerolling,
    setup,
    turn,
    wearing,
)
from domain.joan_of_arc.rules.actions import (
    charging,
    engineering,
    fighting,
    hastening,
    healing,
    jumping,
    marching,
    praying,
    staking,
    striding,
    waiting,
    walking,
)
from domain.joan_of_arc.rules.actions import trampling as actions_trampling
from domain.joan_of_arc.rules.attacks import (
    allocating,
    applying,
    attacking,
    besieging,
    dodging,
    following,
    improving,
    retaliating,
    swamps,
    terror,
    trampling,
    wrecking,
)
from domain.joan_of_arc.rules.bonuses import commanding, discussing, upgrading
from domain.joan_of_arc.rules.effects import (
    banners,
    battle,
    characters,
    infirmary,
    mustering,
    running,
    shifting,
    tokens,
)
from domain.joan_of_arc.scenario_checks import option_defects
from domain.joan_of_arc.state import JoanState, PlayerBoard
from domain.kernel import Choice, Decision, Event, Game, GameSpec, Procedure, SeatCount


def start(options: Options) -> JoanState:
    """The state before set-up: an empty player board for every seat."""
    return JoanState(options=options, boards=tuple(PlayerBoard() for _ in range(seats_of(options))))


RULES: Final = (
    match,
    setup,
    council,
    turn,
    orders,
    interrupts,
    activation,
    waiting,
    walking,
    fighting,
    charging,
    attacking,
    trampling,
    wrecking,
    actions_trampling,
    terror,
    dodging,
    improving,
    swamps,
    allocating,
    besieging,
    retaliating,
    applying,
    capturing,
    following,
    striding,
    hastening,
    jumping,
    marching,
    praying,
    healing,
    engineering,
    staking,
    rerolling,
    pushing,
    rallying,
    ransoming,
    camp,
    burning,
    exchanging,
    legends,
    intrigues,
    wearing,
    running,
    commanding,
    discussing,
    upgrading,
    banners,
    battle,
    characters,
    infirmary,
    mustering,
    shifting,
    tokens,
)

GAME: Final = Game(
    GameSpec(
        name="joan_of_arc",
        title="Time of Legends: Joan of Arc",
        about="Two sides on hexes with buildings and a sky: orders activate areas, opponents interrupt, dice decide.",
        rules="1",
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
        events=classes_in(Event, events, attack_events),
        procedures=classes_in(Procedure, *RULES),
        decisions=classes_in(Decision, *RULES),
        choices=classes_in(Choice, *RULES),
    )
)
