"""Where a position starts: a procedure of the rules, and the procedures around it, as a match would have them."""

from typing import Any, Final

from msgspec import Struct

from domain.disciples_legacy.rules.attacking import Assaulting
from domain.disciples_legacy.rules.battle.rounds import BattleRound, FreeActions
from domain.disciples_legacy.rules.battle.steps import Battling
from domain.disciples_legacy.rules.healing import Healing
from domain.disciples_legacy.rules.match import Match
from domain.disciples_legacy.rules.strategic import StrategicPhase
from domain.disciples_legacy.rules.turn import Turn
from domain.disciples_legacy.state import DisciplesState, Phase
from domain.kernel import Frame, Procedure

Fields = dict[str, Any]


class Start(Struct, frozen=True):
    """A procedure that a position may start with, the phase it is in, and what it needs of an attack."""

    procedure: type[Procedure]
    phase: Phase = "strategic"
    attack: bool = False
    battle: bool = False


STARTS: Final[dict[str, Start]] = {
    "Match": Start(Match, "setup"),
    "Turn": Start(Turn, "end"),
    "Healing": Start(Healing, "healing"),
    "StrategicPhase": Start(StrategicPhase),
    "Assaulting": Start(Assaulting, attack=True),
    "Battling": Start(Battling, attack=True),
    "BattleRound": Start(BattleRound, attack=True, battle=True),
    "FreeActions": Start(FreeActions, attack=True, battle=True),
}
"""The procedures a position may start with."""


def parameters(state: DisciplesState, name: str, given: Fields) -> Fields:
    """The parameters of the procedure: those of the attack where it is part of one. Raises `ValueError`."""
    start, attack = STARTS[name], state.attack
    if start.attack and attack is None:
        raise ValueError(f"start: {name} needs an attack, such as attack = {{ leader = 'A1', target = 'B1' }}")
    if start.battle and state.battle is None:
        raise ValueError(f"start: {name} needs a battle, such as battle = {{ round = 1 }}")
    if attack is None or name not in {"Assaulting", "Battling"}:
        return given
    if name == "Assaulting":
        return {"seat": attack.seat, "leader": attack.leader, "target": attack.target, **given}
    return {**_sides(state), **given}


def _sides(state: DisciplesState) -> Fields:
    attack = state.attack
    assert attack is not None
    return {"attacker": attack.leader, "defender": attack.blocker or attack.target, "attacking": attack.seat}


def around(state: DisciplesState, name: str) -> tuple[Frame, ...]:
    """The procedures around the one that a position starts with, outermost first, each at the step it goes on with."""
    match, turn = Frame("Match", "DL-130", {}), Frame("Turn", "DL-130", {})
    outer: dict[str, tuple[Frame, ...]] = {
        "Match": (),
        "Turn": (match,),
        "Healing": (match, Frame("Turn", "DL-121", {})),
        "StrategicPhase": (match, turn),
    }
    if name in outer:
        return outer[name]
    attack = state.attack
    assert attack is not None
    assaulting = {"seat": attack.seat, "leader": attack.leader, "target": attack.target}
    frames = (
        match,
        turn,
        Frame("StrategicPhase", "DL-122", {"arranging": ""}),
        Frame("Assaulting", "DL-189" if attack.blocker else "DL-193", assaulting),
        Frame("Battling", "DL-184" if name == "BattleRound" else "DL-188", _sides(state)),
    )
    return frames[: {"Assaulting": 3, "Battling": 4}.get(name, 5)]
