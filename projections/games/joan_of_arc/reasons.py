"""Why a bot's move in Joan of Arc makes sense, judged only by the view before the move."""

from collections.abc import Sequence

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.cards.dice import Dice
from domain.joan_of_arc.cards.hooks import GainOrder
from domain.joan_of_arc.state.attack_events import AttackDeclared
from domain.joan_of_arc.state.events import ActionDeclared, CharacterUpgraded, UpkeepPaid, WarCouncilChosen
from domain.joan_of_arc.state.queries import card_of, setting_of, unit_of, units_of
from domain.joan_of_arc.state.state import JoanState, Plan, UnitId
from domain.kernel import Event, Seat
from projections.games.joan_of_arc.words import area_name, unit_name
from projections.words import count


def reason(view: JoanState, event: Event) -> str:
    """A sentence about a player's event; empty if the event is clear by itself."""
    match event:
        case WarCouncilChosen(seat=seat, card=card):
            return _council(view, seat, card)
        case ActionDeclared(plan=plan):
            return _declared(view, plan)
        case AttackDeclared():
            return _attack(view, event)
        case CharacterUpgraded() | UpkeepPaid():
            return "Why: at level 2 a character bears more wounds and has more dice."
    return ""


def _council(view: JoanState, seat: Seat, card: str) -> str:
    effects = setting_of(view).index.war_council[card].effects
    gained = {effect.type for effect in effects if isinstance(effect, GainOrder)}
    if "command" in gained:
        return "Why: an order more lets one more area act."
    if "charge" in gained and any(card_of(view, unit).skills.charge for unit in units_of(view, seat)):
        return "Why: it has units that can charge."
    if "interrupt" in gained:
        return "Why: with an interrupt order it can act between the orders of others."
    return ""


def _declared(view: JoanState, plan: Plan) -> str:
    if any(other.path == plan.path and other.action == plan.action for now in view.activations for other in now.plans):
        return ""
    unit = unit_of(view, plan.unit)
    end = plan.path[-1] if plan.path and not plan.target else AreaId("")
    if end and _scores(view, end) and not _scores(view, unit.area):
        return f"Why: who holds {area_name(view, end)} in the camp phase scores."
    if plan.action == "wait" and _scores(view, unit.area):
        return f"Why: {area_name(view, unit.area)} scores in the camp phase, as long as it is held."
    return ""


def _attack(view: JoanState, event: AttackDeclared) -> str:
    if _scores(view, event.target):
        return f"Why: who holds {area_name(view, event.target)} in the camp phase scores."
    named = [unit for unit in event.defenders if card_of(view, unit_of(view, unit)).kind == "character"]
    if named:
        return f"Why: a character is worth more than a troop, and {unit_name(view, named[0])} stands there."
    mine = _dice(view, [unit for unit, _ in event.starts], event.kind)
    theirs = _dice(view, event.defenders, "defence")
    if mine > theirs:
        return f"Why: {count(mine, 'die', 'dice')} against {theirs}."
    if event.kind == "shooting":
        return "Why: nobody strikes back at those who shoot."
    return ""


def _scores(view: JoanState, area: AreaId) -> bool:
    """Whether the scenario gives VP for holding an area."""
    scored = setting_of(view).scenario.victory.camp
    return any(area in {each.when.area_held, each.when.interior_held} for each in scored)


def _dice(view: JoanState, units: Sequence[UnitId], roll: str) -> int:
    """The number of dice that the units' cards print for the roll."""
    total = 0
    for unit in units:
        card = card_of(view, unit_of(view, unit))
        shot = card.shoot.dice if card.shoot else None
        found: Dice | None = {"melee": card.melee, "shooting": shot}.get(roll, card.defence)
        total += len(found.in_order()) if found else 0
    return total
