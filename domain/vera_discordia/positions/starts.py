"""The start of a position: a procedure of the rules, and the procedures around it, as in a match."""

from collections.abc import Callable
from typing import Final

from domain.commons import starts
from domain.commons.notation import Fields
from domain.commons.rows import foe
from domain.kernel import Frame, Procedure, Seat
from domain.vera_discordia.cards.cards import Moment
from domain.vera_discordia.rules import (
    aerial_attack,
    attack,
    counterattack,
    deployment,
    direct_attack,
    generals,
    indirect_attack,
    interception,
    issuing,
    launch,
    maneuver,
    match,
    reaction,
    recruiting,
    resolution,
    round,  # noqa: A004 - the rulebook's word
    strategy,
)
from domain.vera_discordia.state.state import AttackKind, Phase, VeraState

STARTS: Final = starts.by_name(
    match.Match,
    generals.ChoiceOfGenerals,
    recruiting.Recruiting,
    deployment.Examination,
    deployment.Placement,
    deployment.Redeploying,
    round.Round,
    strategy.DiamondMoment,
    issuing.Issuing,
    issuing.Keeping,
    resolution.Resolution,
    resolution.Turn,
    strategy.Strategy,
    maneuver.Maneuver,
    maneuver.Castling,
    attack.AttackOrder,
    direct_attack.DirectAttack,
    indirect_attack.IndirectAttack,
    aerial_attack.AerialAttack,
    interception.Interception,
    reaction.Reaction,
    launch.Launch,
    counterattack.Counterattack,
)
"""The procedures a position may start with."""

PHASES: Final = {
    "Match": Phase.GENERALS,
    "ChoiceOfGenerals": Phase.GENERALS,
    "Recruiting": Phase.RECRUITING,
    "Examination": Phase.EXAMINING,
    "Placement": Phase.DEPLOYMENT,
    "Redeploying": Phase.DEPLOYMENT,
    "Round": Phase.BEGINNING,
    "DiamondMoment": Phase.BEGINNING,
    "Issuing": Phase.ISSUING,
    "Keeping": Phase.KEEPING,
}
"""The phase of a procedure; the procedures not listed are in the Resolution phase."""

MOMENTS: Final = {
    Moment.ROUND_BEGIN: "VD-131",
    Moment.DRAW: "VD-137",
    Moment.KEPT: "VD-146/kept",
    Moment.CLEAN_UP: "VD-156",
}
MOMENT_OF: Final = {
    Phase.BEGINNING: Moment.ROUND_BEGIN,
    Phase.DRAWING: Moment.DRAW,
    Phase.KEEPING: Moment.KEPT,
    Phase.CLEAN_UP: Moment.CLEAN_UP,
}
ATTACKS: Final[dict[AttackKind, Callable[[], Procedure]]] = {
    AttackKind.DIRECT: direct_attack.DirectAttack,
    AttackKind.INDIRECT: indirect_attack.IndirectAttack,
    AttackKind.AERIAL: aerial_attack.AerialAttack,
}
CALLED: Final[dict[tuple[AttackKind, str], str]] = {
    (AttackKind.DIRECT, "Reaction"): "VD-210",
    (AttackKind.DIRECT, "Launch"): "VD-217",
    (AttackKind.DIRECT, "Counterattack"): "VD-227",
    (AttackKind.INDIRECT, "Reaction"): "VD-210",
    (AttackKind.INDIRECT, "Launch"): "VD-247",
    (AttackKind.AERIAL, "Interception"): "VD-260",
    (AttackKind.AERIAL, "Reaction"): "VD-277",
    (AttackKind.AERIAL, "Launch"): "VD-278",
    (AttackKind.AERIAL, "Counterattack"): "VD-280",
}
"""The step of an attack that calls a part of it."""


def read_start(state: VeraState, name: str, terms: Fields, by: Seat) -> tuple[Procedure, tuple[Frame, ...]]:
    """The procedure that a position starts with and the frames around it. Raises `ValueError`.

    `terms` are its parameters; the acting seat is `by` unless they name another.
    """
    procedure = starts.read_start(STARTS, name, terms, _defaults(state, name, by))
    return procedure, starts.frames_around(procedure, lambda inner: _caller(state, inner))


def _defaults(state: VeraState, name: str, by: Seat) -> Fields:
    terms: Fields = {"number": state.round}
    if name in {"Examination", "Placement", "Redeploying"} and state.initiative is not None:
        by = foe(state.initiative)
    if name == "Redeploying":
        terms["left"] = deployment.swaps_of(state, by)
    if name == "AttackOrder":
        terms["closed"] = False
    if name == "Launch":
        terms["counter"] = False
    if name == "Maneuver":
        terms |= {"rage": False, "rear": False}
    return terms if name == "DiamondMoment" else {**terms, "by": by}


def _caller(state: VeraState, procedure: Procedure) -> tuple[Procedure, str] | None:
    """The caller of the procedure, and the step at which it calls."""
    this_round = round.Round(state.round)
    in_match: dict[type[Procedure], str] = {
        generals.ChoiceOfGenerals: "VD-091",
        recruiting.Recruiting: "VD-100",
        deployment.Placement: "VD-121",
        round.Round: "VD-131",
    }
    in_round: dict[type[Procedure], str] = {
        issuing.Issuing: "VD-141",
        issuing.Keeping: "VD-146",
        resolution.Resolution: "VD-151",
    }
    kind = type(procedure)
    if kind in in_match:
        return match.Match(), in_match[kind]
    if kind in in_round:
        return this_round, in_round[kind]
    match procedure:
        case deployment.Examination(by):
            return match.Match(), "VD-117" if by == state.initiative else "VD-115"
        case deployment.Redeploying(by):
            return match.Match(), "VD-K05/holder" if by == state.initiative else "VD-K05"
        case strategy.DiamondMoment(moment):
            return this_round, MOMENTS[moment]
        case resolution.Turn(by):
            return resolution.Resolution(foe(by)), "VD-154"
        case maneuver.Castling(active):
            unit = state.units[active]
            return maneuver.Maneuver(active, rage=False, rear=unit.space[0] == "R"), "VD-162"
        case match.Match():
            return None
    return _attack_caller(state, procedure)


def _strategy_caller(state: VeraState, procedure: strategy.Strategy, turn: Seat) -> tuple[Procedure, str]:
    """The caller of a Strategy: a diamond's moment, the Turn whose Tactic carries it, or the attack it waited for."""
    by = procedure.by
    if procedure.unit is None and state.phase in MOMENT_OF:
        whose = None if by == state.initiative else by
        return strategy.DiamondMoment(MOMENT_OF[state.phase], whose), "VD-065"
    if procedure.unit is None:
        return resolution.Turn(by), "VD-152"
    if by != turn:
        return attack.AttackOrder(procedure.unit, closed=False), "VD-064"
    return resolution.Turn(by, procedure.unit, order=state.sides[by].declared, tactic=True), "VD-064"


def _attack_caller(state: VeraState, procedure: Procedure) -> tuple[Procedure, str]:
    """The caller of a part of a turn."""
    turn = Seat(0) if state.turn is None else state.turn
    name = type(procedure).__name__
    if isinstance(procedure, strategy.Strategy):
        return _strategy_caller(state, procedure, turn)
    if isinstance(procedure, maneuver.Maneuver | attack.AttackOrder):
        return resolution.Turn(turn), "VD-158"
    if state.attack is None:
        raise ValueError(f"start: {name} is part of an attack; say which in [position.attack]")
    if type(procedure) in ATTACKS.values():
        return attack.AttackOrder(state.attack.attacker, state.attack.closed_attacker), "VD-211"
    if isinstance(procedure, launch.Launch) and procedure.counter:
        return counterattack.Counterattack(), "VD-238"
    kind = ATTACKS[state.attack.kind]
    if isinstance(procedure, counterattack.Counterattack) and direct_attack.strikes_first(state):
        return kind(), "VD-351"
    called = CALLED.get((state.attack.kind, name))
    if called is None:
        raise ValueError(f"start: {name} is no part of this kind of attack: {state.attack.kind.value}")
    return kind(), called
