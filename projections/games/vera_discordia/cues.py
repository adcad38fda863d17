"""What a change of the Scene cannot show by itself: arrows, hits, flips, dice (docs/scene.md 5)."""

from typing import Any

from domain.kernel import DiceRolled, Event, MatchEnded
from domain.vera_discordia import events as e
from domain.vera_discordia.state import Phase, VeraState

Cue = dict[str, Any]


def cues(before: VeraState, event: Event) -> list[Cue]:
    """The cues of one redacted event; refs name pieces of the same viewer's Scene."""
    match event:
        case e.AttackDeclared(attacker=attacker, target=target):
            seat = before.units[attacker].seat
            return [{"k": "arrow", "from": attacker, "to": target, "tone": f"seat{seat}", "ms": 900, "when": "pre"}]
        case e.UnitDamaged(unit=unit, lost=lost):
            return [{"k": "hit", "ref": unit, "n": lost, "when": "pre"}]
        case e.UnitOpened(unit=unit):
            return [{"k": "flip", "ref": unit}]
        case e.OrderTurnedUp(unit=unit) | e.OrderExamined(unit=unit):
            return [{"k": "flip", "ref": f"o{unit}", "when": "pre"}]
        case e.RanksClosed(unit=unit):
            return [{"k": "guard", "ref": unit, "t": "Closed Ranks", "when": "pre"}]
        case e.LifeRegained(unit=unit, gained=gained) if gained:
            return [{"k": "gain", "ref": unit, "t": f"+{gained}", "tone": "green", "g": "drop"}]
        case e.PhaseBegan(round=number, phase=Phase.BEGINNING):
            return [{"k": "banner", "t": f"Round {number}"}]
        case DiceRolled(dice=dice) if dice:
            return [{"k": "roll", "zone": "tray"}]
        case MatchEnded(result=result):
            return [{"k": "banner", "t": "The match is over", "sub": result.reason}]
    return []
