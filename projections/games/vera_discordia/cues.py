"""The cues that a change of the Scene cannot show by itself: arrows, hits, flips, dice (docs/scene.md 5)."""

from domain.commons.rows import foe
from domain.kernel import DiceRolled, Event, MatchEnded
from domain.vera_discordia.state import events as e
from domain.vera_discordia.state.state import Phase, VeraState
from projections.blocks import cues as cues_of
from projections.blocks.cues import Cue
from projections.games.vera_discordia.words import tell
from projections.words import player


def cues(before: VeraState, event: Event) -> list[Cue]:
    """The cues of one redacted event; refs name pieces of the same viewer's Scene."""
    match event:
        case e.AttackDeclared(attacker=attacker, target=target):
            seat = before.units[attacker].seat
            return [cues_of.arrow(attacker, target, f"seat{seat}")]
        case e.UnitDamaged(unit=unit, lost=lost):
            return [cues_of.hit(unit, lost)]
        case e.UnitDestroyed(unit=unit):
            return [cues_of.death(unit, "destroyed"), _destroyed(before, event)]
        case e.UnitOpened(unit=unit):
            return [cues_of.flip(unit)]
        case e.OrderTurnedUp(unit=unit) | e.OrderExamined(unit=unit):
            return [cues_of.flip(f"o{unit}") | cues_of.BEFORE]
        case e.RanksClosed(unit=unit):
            return [cues_of.guard(unit, "Closed Ranks")]
        case e.LifeRegained(unit=unit, gained=gained) if gained:
            return [cues_of.gain(unit, f"+{gained}", "green", "drop")]
        case e.PhaseBegan(round=number, phase=Phase.BEGINNING):
            return [cues_of.banner(f"Round {number}")]
        case DiceRolled(dice=dice) if dice:
            return [cues_of.roll()]
        case MatchEnded(result=result):
            return [cues_of.over(before.players, result)]
    return []


def _destroyed(before: VeraState, event: e.UnitDestroyed) -> Cue:
    """A Unit that is destroyed, and the cost of the loss."""
    cost = f"{player(before, event.seat)} loses {event.cost} Motivation, {event.motivation} left." if event.cost else ""
    return cues_of.result(tell(before, event.unit, "is destroyed"), cost, foe(event.seat))
