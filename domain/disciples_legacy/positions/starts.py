"""The start of a position: a procedure of the rules, and the procedures around it, as in a match."""

from typing import Final

from domain.commons.notation import Fields
from domain.commons.starts import by_name, frames_around, read_start
from domain.disciples_legacy.rules.attacking import Assaulting
from domain.disciples_legacy.rules.battle.rounds import BattleRound, FreeActions
from domain.disciples_legacy.rules.battle.steps import Battling
from domain.disciples_legacy.rules.healing import Healing
from domain.disciples_legacy.rules.match import Match
from domain.disciples_legacy.rules.strategic import StrategicPhase
from domain.disciples_legacy.rules.turn import Turn
from domain.disciples_legacy.state.state import Attack, DisciplesState, Phase
from domain.kernel import Frame, Procedure

STARTS: Final = by_name(Match, Turn, Healing, StrategicPhase, Assaulting, Battling, BattleRound, FreeActions)
"""The procedures a position may start with."""
PHASES: Final[dict[str, Phase]] = {"Match": "setup", "Turn": "end", "Healing": "healing"}
"""The phase of a procedure; the procedures not listed are in the Strategic Phase."""
IN_ATTACKS: Final = ("Assaulting", "Battling", "BattleRound", "FreeActions")
IN_BATTLES: Final = ("BattleRound", "FreeActions")


def procedure_of(state: DisciplesState, name: str, terms: object) -> Procedure:
    """The procedure, with the parameters of the attack that it is part of. Raises `ValueError`."""
    if name in IN_ATTACKS and state.attack is None:
        raise ValueError(f"start: {name} needs an attack, such as attack = {{ leader = 'A1', target = 'B1' }}")
    if name in IN_BATTLES and state.battle is None:
        raise ValueError(f"start: {name} needs a battle, such as battle = {{ round = 1 }}")
    return read_start(STARTS, name, terms, {} if state.attack is None else _terms(state.attack))


def _terms(attack: Attack) -> Fields:
    """The parameters of the procedures of an attack, by their names."""
    sides = {"attacker": attack.leader, "defender": attack.blocker or attack.target, "attacking": attack.seat}
    return {"seat": attack.seat, "leader": attack.leader, "target": attack.target, **sides}


def around(state: DisciplesState, procedure: Procedure) -> tuple[Frame, ...]:
    """The procedures around the one that a position starts with, outermost first, each at its next step."""
    attack = state.attack

    def caller(called: Procedure) -> tuple[Procedure, str] | None:
        match called:
            case Match():
                return None
            case Turn():
                return Match(), "DL-105"
            case Healing():
                return Turn(), "DL-108"
            case StrategicPhase():
                return Turn(), "DL-121"
            case Assaulting():
                return StrategicPhase(), "DL-123"
        assert attack is not None, "other procedures are parts of attacks"
        if isinstance(called, Battling):
            assaulting = Assaulting(attack.seat, attack.leader, attack.target)
            return assaulting, "DL-162" if attack.blocker else "DL-154"
        battling = read_start(STARTS, "Battling", {}, _terms(attack))
        return battling, "DL-176" if isinstance(called, BattleRound) else "DL-218"

    return frames_around(procedure, caller)
