"""The cues that a change of the Scene cannot show by itself: attacks, dice, ways, losses (docs/scene.md 5)."""

from domain.joan_of_arc.cards.dice import Face
from domain.joan_of_arc.state import attack_events as a
from domain.joan_of_arc.state import events as e
from domain.joan_of_arc.state.queries import setting_of
from domain.joan_of_arc.state.state import JoanState, UnitId
from domain.kernel import DiceRolled, Event, MatchEnded, Seat
from projections.blocks import cues as cues_of
from projections.blocks.cues import Cue
from projections.games.joan_of_arc.narration import narrate
from projections.games.joan_of_arc.refs import area_ref
from projections.games.joan_of_arc.texts import FACES, RESOURCES
from projections.games.joan_of_arc.words import side_name, unit_ref
from projections.words import player

GLYPHS = {"xp": "heraldic-sun", "legend": "open-book", "intrigue": "cloak-dagger", "vp": "laurels"}


def cues(before: JoanState, event: Event) -> list[Cue]:
    """The cues of one redacted event; refs name pieces and areas of the same viewer's Scene."""
    match event:
        case a.AttackDeclared(seat=seat, target=target, starts=starts):
            return [cues_of.arrow(unit_ref(unit), area_ref(target), f"seat{seat}") for unit, _ in starts]
        case a.ResultsCancelled(shields=shields) if shields and before.attack is not None:
            return [cues_of.guard(area_ref(before.attack.target), f"{shields} cancelled")]
        case a.ResultAllocated(given=given):
            # what a kill or a disrupt does is told where the unit stood; it may be away by now
            is_push = given.face == Face.PUSH
            return [cues_of.gain(unit_ref(given.unit), FACES[given.face], "red", "")] if is_push else []
        case a.UnitDodged(unit=unit):
            return [cues_of.guard(unit_ref(unit), "dodges")]
        case e.OrderPlayed(area=area):
            return [cues_of.pulse(area_ref(area))]
        case e.UnitsMoved(units=units, path=path) if len(path) > 1:
            return [cues_of.walk(unit_ref(unit), [area_ref(area) for area in path]) for unit in units]
        case DiceRolled(dice=dice) if dice:
            return [cues_of.roll()]
    return _fate(before, event) or _won(before, event)


def _fate(before: JoanState, event: Event) -> list[Cue]:
    """The fate of a unit."""
    match event:
        case e.UnitWounded(unit=unit, wounds=wounds):
            return [cues_of.hit(unit_ref(unit), max(1, wounds - _wounds(before, unit)))]
        case e.UnitDestroyed(unit=unit):
            return [cues_of.death(unit_ref(unit), "destroyed"), _fall(before, unit, event, event.by)]
        case e.UnitDisrupted(unit=unit):
            return [cues_of.death(unit_ref(unit), "disrupted")]
        case e.CharacterCaptured(unit=unit, captor=captor):
            return [cues_of.death(unit_ref(unit), "captured"), _fall(before, unit, event, captor)]
        case e.UnitHealed(unit=unit, wounds=wounds):
            return [cues_of.gain(unit_ref(unit), f"+{_wounds(before, unit) - wounds}", "green", "drop")]
        case e.UnitRallied(unit=unit):
            return [cues_of.gain(unit_ref(unit), "rallies", "green", "rally-the-troops")]
        case e.BuildingCollapsed(area=area):
            return [cues_of.gain(area_ref(area), "collapses", "red", "")]
    return []


def _wounds(before: JoanState, unit: UnitId) -> int:
    return before.field.units[unit].wounds


def _told(before: JoanState, event: Event, seat: Seat | None) -> Cue:
    """The chronicle's sentence on an event, shown to everybody."""
    return cues_of.result(narrate(before, before, event, None), seat=seat)


def _fall(before: JoanState, unit: UnitId, event: Event, seat: Seat | None) -> Cue:
    """The loss of a unit, shown to everybody; the loss of a character may decide the match."""
    card = before.field.units[unit].card
    is_loss = setting_of(before).index.units[card].kind == "character"
    return cues_of.result(narrate(before, before, event, None), seat=seat, is_loss=is_loss)


def _won(before: JoanState, event: Event) -> list[Cue]:
    """The gains of a player, and the moments of a match."""
    match event:
        case e.ResourceGained(seat=seat, resource=resource, count=count):
            return [cues_of.gain(f"board{seat}", f"+{count} {RESOURCES[resource]}", "gold", GLYPHS[resource])]
        case e.PointsScored(side=side, points=points):
            seats = [seat for seat, each in enumerate(setting_of(before).sides) if each == side]
            gains = [cues_of.gain(f"board{seat}", f"+{points} VP", "gold", "laurels") for seat in seats]
            return [*gains, _told(before, event, Seat(seats[0]))]
        case e.RoundBegan(round=number):
            return [cues_of.banner(f"Round {number}")]
        case e.TurnBegan(seat=seat):
            return [cues_of.banner(f"{player(before, seat)}'s turn", side_name(setting_of(before).sides[seat]))]
        case MatchEnded(result=result):
            return [cues_of.over(before.players, result)]
    return []
