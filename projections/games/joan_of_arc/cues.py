"""What a change of the Scene cannot show by itself: attacks, wounds, dice, rounds (docs/scene.md 5)."""

from domain.joan_of_arc import attack_events as attacks
from domain.joan_of_arc import events as e
from domain.joan_of_arc.queries import setting_of
from domain.kernel import Event, MatchEnded
from projections.blocks import cues as cues_of
from projections.blocks.cues import Cue
from projections.games.joan_of_arc.refs import area_ref, is_shown
from projections.games.joan_of_arc.words import View, unit_ref


def cues(before: View, event: Event) -> list[Cue]:
    """The cues of one redacted event; refs name pieces and areas of the same viewer's Scene."""
    match event:
        case attacks.AttackDeclared(seat=seat, target=target, starts=starts):
            shown = [unit for unit, _ in starts if is_shown(before, unit)]
            return [cues_of.arrow(unit_ref(unit), area_ref(target), f"seat{seat}") for unit in shown]
        case e.UnitWounded(unit=unit, wounds=wounds) if is_shown(before, unit):
            taken = wounds - before.field.units[unit].wounds
            return [cues_of.hit(unit_ref(unit), taken)] if taken > 0 else []
        case attacks.DiceThrown() | attacks.DiceRerolled():
            return [cues_of.roll()]
        case e.RoundBegan(round=number):
            return [cues_of.banner(f"Round {number} of {len(setting_of(before).scenario.rounds)}")]
        case MatchEnded(result=result):
            return [cues_of.banner("The match is over", result.reason)]
    return []
