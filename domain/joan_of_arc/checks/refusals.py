"""The ledger row that forbids a refused choice of Joan of Arc (`GameSpec.forbids`).

The forms alone decide which choices are legal. This module examines a refused choice again, to name the row.
It uses only the knowledge of the seat that is asked: its own hand and the board.
"""

from typing import Final

from domain.commons.forbidding import Reasons, first_of
from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.sight import melee_reach, shot_bar
from domain.joan_of_arc.board.table import Bar, entry_bar, furnishing, move_bar
from domain.joan_of_arc.cards.hooks import Attack as AttackKind
from domain.joan_of_arc.rules.actions.charging import Charge, may_start
from domain.joan_of_arc.rules.actions.declared import Declared, destination_taken
from domain.joan_of_arc.rules.actions.engineering import BuildBarricade, PutOut, SetFire
from domain.joan_of_arc.rules.actions.fighting import Melee, Shoot, open_target
from domain.joan_of_arc.rules.actions.gigantic_attacks import Trample
from domain.joan_of_arc.rules.actions.hastening import Haste
from domain.joan_of_arc.rules.actions.healing import HealOther
from domain.joan_of_arc.rules.actions.jumping import Jump
from domain.joan_of_arc.rules.actions.marching import March
from domain.joan_of_arc.rules.actions.praying import Pray
from domain.joan_of_arc.rules.actions.staking import PlantStakes
from domain.joan_of_arc.rules.actions.striding import Stride
from domain.joan_of_arc.rules.actions.walking import Move, level_barred
from domain.joan_of_arc.rules.attacks.targets import foes_in
from domain.joan_of_arc.rules.bonuses.commanding import Command, CommandTargets, CommandThese, in_range
from domain.joan_of_arc.rules.bonuses.discussing import AskQuestion, Discuss
from domain.joan_of_arc.rules.bonuses.upgrading import Upgrade
from domain.joan_of_arc.rules.phases.activation import Declaration, FinishActivation, Resolve
from domain.joan_of_arc.rules.phases.council import PayUpkeep, TakeCouncilCard
from domain.joan_of_arc.rules.phases.interrupts import Interrupt, InterruptOffer
from domain.joan_of_arc.rules.phases.orders import EndTurn, PlayOrder, allied_areas, costs_two, lying_on, takes
from domain.joan_of_arc.rules.phases.ransoming import PayRansom
from domain.joan_of_arc.rules.player_actions.intrigues import TriggerIntrigue
from domain.joan_of_arc.rules.player_actions.legends import PlayLegend
from domain.joan_of_arc.rules.pushing import PushTo
from domain.joan_of_arc.state.queries import (
    acting,
    area_of,
    card_of,
    held,
    optional_rules,
    orders_held,
    setting_of,
    side_of,
    standing,
    table_of,
    travelling,
)
from domain.joan_of_arc.state.state import Activation, JoanState, Unit, UnitId
from domain.kernel import Choice, Decision, Forbidden, Hidden, Seat

BARS: Final = {
    Bar.NOT_ADJACENT: ("JA-091", "That area is not adjacent."),
    Bar.IMPASSABLE: ("JA-095", "That area is impassable."),
    Bar.ENEMY_AREA: ("JA-092", "That is an enemy area."),
    Bar.CAPACITY: ("JA-092", "That area has no room for them."),
    Bar.INTERIOR_RESTRICTED: ("JA-097", "Only infantry without Big enters a building."),
    Bar.FLYING_ONLY: ("JA-354", "Only flying units move into or out of the sky."),
    Bar.GIGANTIC_BLOCKED: ("JA-372", "A gigantic creature needs a hex without units and buildings."),
}
"""Ledger 0.7: the row of the rule that keeps a group out of an area."""
SKILLS: Final[dict[type[Choice], str]] = {
    Haste: "haste",
    Jump: "jump",
    Pray: "prayer",
    HealOther: "heal",
    **dict.fromkeys((BuildBarricade, SetFire, PutOut), "engineer"),
}
"""JA-088: actions that require a skill."""


def forbids(state: JoanState, decision: Decision, choice: Choice) -> Forbidden | None:
    """The row that forbids the choice; None if it is the row of the question itself."""
    return first_of(_reasons(state, decision, choice))


def _reasons(state: JoanState, decision: Decision, choice: Choice) -> Reasons:
    seat = decision.by
    match choice:
        case PlayOrder(order=order, area=area, discard=discard):
            yield isinstance(decision, InterruptOffer), "JA-068", "An interrupt order breaks in, and no other."
            yield from _order(state, seat, order, area, spare=discard is not None)
        case Interrupt(area=area, discard=discard):
            yield (
                not isinstance(decision, InterruptOffer),
                "JA-069",
                "Interrupts are for the gap after another's order.",
            )
            yield from _order(state, seat, "interrupt", area, spare=discard is not None)
        case EndTurn():
            yield not state.played, "JA-054", "One order is played before a turn ends."
        case _ if isinstance(choice, Declared):
            yield not isinstance(decision, Declaration), "JA-081", "Actions are declared when an area is activated."
            if isinstance(decision, Declaration):
                yield from _action(state, state.field.units[decision.unit], choice)
        case Resolve(unit=unit) if state.activations:
            now = acting(state)
            yield unit in now.done, "JA-083", "That unit has acted."
            yield unit in now.units, "JA-082", "Those who act together are named by the first of them."
        case FinishActivation():
            yield True, "JA-053", "Every action that was declared is resolved first."
        case Command() | Discuss() | Upgrade() | CommandThese() | AskQuestion():
            yield from _bonus(state, decision, choice)
        case _:
            yield from _cards(state, seat, choice)


def _order(state: JoanState, seat: Seat, order: str, area: AreaId, *, spare: bool) -> Reasons:
    """JA-052 to JA-067, JA-369: an order on an area."""
    if area not in setting_of(state).board.areas:
        return
    orders = {each: held(state.boards[seat], each) for each in orders_held(state.boards[seat])}
    yield order not in orders, "JA-052", "That order is not held."
    yield area not in allied_areas(state, seat), "JA-052", "No unit of one's own can be activated there."
    lying = lying_on(state, area)
    reactivating = order == "reactivation"
    fits = any(takes(each, lying) for each in orders if each == order)
    yield not fits and reactivating, "JA-067", "Two orders lie there."
    yield not fits and order == "interrupt", "JA-073", "An order lies there."
    yield not fits, "JA-058", "An order lies there."
    giant = costs_two(state, area, seat)
    yield giant, "JA-369", "A gigantic creature costs a second order that is held beside the first."
    yield spare, "JA-369", "Only a gigantic creature costs a second order."


def _action(state: JoanState, unit: Unit, choice: Choice) -> Reasons:
    card, now = card_of(state, unit), acting(state)
    skill = SKILLS.get(type(choice))
    if skill is not None:
        yield not getattr(card.skills, skill), "JA-088", "That takes a skill that the unit does not have."
    areas = setting_of(state).board.areas
    match choice:
        case Move(area=area):
            yield card.gigantic, "JA-372", "A gigantic creature moves by whole hexes."
            yield "moved_machine" in unit.marks, "JA-385", "A war machine moves once a turn."
            yield from _into(state, unit, now, choice, area)
        case Stride():
            yield not card.gigantic, "JA-372", "Gigantic creatures alone move by whole hexes."
            yield "changed_level" in unit.marks, "JA-362", "A flying unit changes its level once a turn."
        case Melee(area=area):
            yield card.melee is None, "JA-110", "The unit has no melee attack."
            yield from _attack(state, unit, now, area, "melee")
        case Shoot(area=area):
            yield card.shoot is None, "JA-113", "The unit does not shoot."
            yield from _attack(state, unit, now, area, "shooting")
        case Trample(area=area):
            yield not card.skills.big and not card.gigantic, "JA-251", "Units with Big trample."
            yield "trampled" in unit.marks, "JA-251", "A unit tramples once a round."
            yield from _attack(state, unit, now, area, "melee")
        case Charge():
            yield from _charge(state, unit, choice)
        case Haste(path=path) | March(path=path):
            yield (
                isinstance(choice, March) and not optional_rules(state).forced_march,
                "JA-339",
                "No forced marches here.",
            )
            yield "war_machine" in card.traits, "JA-386", "A war machine is never moved farther."
            yield (
                bool(path) and path[-1] in areas and destination_taken(now, choice.plan(unit.id)),
                "JA-094",
                ("One movement action of an activation leads to one area."),
            )
            yield True, "JA-Q38", "Every area of the way is free or allied, adjacent to the one before, and has room."
        case Jump(area=area) if area in areas:
            bar = entry_bar(table_of(state), area, standing(state, (unit.id,)), side_of(state, unit.owner) or "")
            yield bar is not None, *(BARS[bar] if bar is not None else BARS[Bar.CAPACITY])
            yield True, "JA-201", "That area is too far."
        case _:
            yield from _work(state, unit, choice)


def _work(state: JoanState, unit: Unit, choice: Choice) -> Reasons:
    """Reasons against work in the area in which a unit stands."""
    match choice:
        case HealOther(other=other):
            yield other == unit.id, "JA-212", "The healer does not heal itself."
            yield True, "JA-211", "A wounded character of its side in its area is healed."
        case BuildBarricade():
            lying = furnishing(table_of(state), unit.area)
            yield lying.barricade is not None, "JA-215", "One barricade stands there."
            yield True, "JA-214", "A barricade is built in a forest, a village or a building, where a space is free."
        case SetFire():
            yield furnishing(table_of(state), unit.area).fire, "JA-223", "It burns there."
            yield bool(choice.plan(unit.id).path), "JA-092", "The unit cannot move there afterwards."
            yield True, "JA-223", "A fire is set there already."
        case PutOut():
            yield True, "JA-222", "Nothing burns there."
        case PlantStakes() if unit.owner is not None:
            yield "bowmen" not in card_of(state, unit).traits, "JA-Q70", "Bowmen plant stakes."
            yield not state.boards[unit.owner].stakes, "JA-Q70", "No stakes are in reserve."
            yield True, "JA-Q70", "That is no bare edge of the unit's hex."


def _into(state: JoanState, unit: Unit, now: Activation, choice: Move, area: AreaId) -> Reasons:
    if area not in setting_of(state).board.areas:
        return
    group = travelling(state, (unit.id,), choice.passenger) if choice.passenger in state.field.units else ()
    group = group or travelling(state, (unit.id,))
    bar = move_bar(table_of(state), unit.area, area, group, side_of(state, unit.owner) or "")
    if bar is not None:
        yield True, *BARS[bar]
    yield level_barred(state, unit, area), "JA-362", "A flying unit changes its level once a turn."
    yield destination_taken(now, choice.plan(unit.id)), "JA-094", "One movement action leads to one area."
    yield bool(choice.passenger), "JA-256", "A carrier takes a character or civilian without Big from its ground area."
    yield True, "JA-092", "That area has no room for all who move there."


def _attack(state: JoanState, unit: Unit, now: Activation, area: AreaId, kind: AttackKind) -> Reasons:
    table, card = table_of(state), card_of(state, unit)
    if area not in table.board.areas:
        return
    besieges = kind == "shooting" and "siege" in card.powers
    yield not foes_in(table, area, side_of(state, now.by) or "") and not besieges, "JA-103", "No enemy is there."
    yield area in now.attacked, "JA-104", "That area was attacked in this activation."
    yield not open_target(now, area, kind), "JA-Q15", "Melee and shooting at one area are two attacks."
    inside = "interior" in {table.board.areas[unit.area].level, table.board.areas[area].level}
    if kind == "melee":
        yield inside and not melee_reach(table, unit.area, area), "JA-109", "Walls are between."
        yield True, "JA-111", "Melee reaches adjacent areas."
    elif card.shoot is not None:
        yield inside and not melee_reach(table, unit.area, area), "JA-109", "Walls are between."
        bar = shot_bar(table, unit.area, area, card.shoot)
        yield bar is not None and "LINE" in bar.name, "JA-117", "Something stops the shot."
        yield bar is not None, "JA-114", "That area is out of range."


def _charge(state: JoanState, unit: Unit, choice: Charge) -> Reasons:
    card, now = card_of(state, unit), acting(state)
    here = area_of(state, unit.area)
    yield now.order != "charge", "JA-062", "A charge takes a charge order."
    yield not card.skills.charge, "JA-203", "The unit has no Charge."
    yield not may_start(state, unit) and here.level == "interior", "JA-064", "Nobody charges out of a building."
    yield not may_start(state, unit), "JA-209", "Nobody charges out of a swamp."
    most = 2 if card.arm == "cavalry" else 1
    yield not choice.path, "JA-Q41", "A charge enters an area."
    yield len(choice.path) > most, "JA-204" if most > 1 else "JA-205", f"It goes over {most} areas at most."
    known = setting_of(state).board.areas
    if all(area in known for area in choice.path):
        yield destination_taken(now, choice.plan(unit.id)), "JA-094", "One movement action leads to one area."
        yield any(known[area].terrain == "swamp" for area in choice.path), "JA-302", "A swamp stops charges."
    yield True, "JA-206", "The way is free or allied with room, and the attack is at an enemy area beside its end."


def _bonus(state: JoanState, decision: Decision, choice: Choice) -> Reasons:
    """JA-084 to JA-087: bonus actions."""
    if isinstance(choice, CommandThese) and isinstance(decision, CommandTargets):
        yield from _commanded(state, decision, choice)
    if isinstance(choice, AskQuestion):
        yield True, "JA-157", "That question is for a character with its banner, or with Charisma."
    if not isinstance(choice, Command | Discuss | Upgrade) or not state.activations:
        return
    unit, now = state.field.units.get(choice.unit), acting(state)
    if unit is None:
        return
    card = card_of(state, unit)
    yield unit.id not in now.units, "JA-084", "Only a unit that was activated takes a bonus action."
    yield f"{unit.id} {type(choice).__name__.lower()}" in now.bonuses, "JA-085", "It has taken that bonus action."
    match choice:
        case Command():
            yield card.command is None, "JA-164", "The unit has no command value."
            yield bool(now.commander), "JA-169", "A commanded unit does not command."
            yield now.order != "command", "JA-164", "Command takes a command order."
            yield True, "JA-165", "Nobody whom it could command is in range."
        case Discuss(civilian=civilian):
            other = state.field.units.get(civilian)
            yield card.kind != "character", "JA-087", "Characters discuss."
            yield "discussed" in unit.marks, "JA-153", "A character discusses once a turn."
            yield other is not None and not card_of(state, other).discussion, "JA-152", "With that unit nobody talks."
            yield other is not None and other.area != unit.area, "JA-152", "It is not in the same area."
        case Upgrade(card=name):
            yield bool(unit.closed) and unit.closed == name, "JA-185", "That side is closed for the whole game."
            yield not state.boards[now.by].xp, "JA-182", "It costs XP that are not there."
            yield True, "JA-182", "That is no level 2 card of the character that the XP pay for."


def _commanded(state: JoanState, decision: CommandTargets, choice: CommandThese) -> Reasons:
    commander = state.field.units[decision.commander]
    value, now = card_of(state, commander).command, acting(state)
    for name in choice.units:
        unit = state.field.units.get(UnitId(name))
        if unit is None or value is None:
            continue
        card = card_of(state, unit)
        yield unit.owner != now.by, "JA-165", "It is not one's own unit."
        yield card.kind != "troop" and not card.skills.mercenary, "JA-165", "Troops are commanded."
        yield "hired" in unit.marks, "JA-278", "That mercenary was hired this turn."
        yield name in state.activations[0].commanded, "JA-171", "It was commanded since the order was played."
        yield unit.area in {now.area, commander.area}, "JA-172", "It stands where the commander does or began."
        on_board = unit.spot == "board"
        yield on_board and not in_range(state, commander, unit.area, value), "JA-166", "It is out of range."
    yield value is not None and len(choice.units) > value.units, "JA-168", "That is more than the command value."


def _cards(state: JoanState, seat: Seat, choice: Choice) -> Reasons:
    board = state.boards[seat]
    match choice:
        case TakeCouncilCard():
            yield True, "JA-044", "The river does not show that card."
        case PayUpkeep():
            yield not board.xp, "JA-047", "Upkeep costs an XP, and there is none."
        case PayRansom():
            yield True, "JA-348", "The ransom's XP are not there."
        case PlayLegend(card=card):
            hand = () if isinstance(board.hand, Hidden) else board.hand
            index = setting_of(state).index.legend
            yield card not in hand, "JA-189", "That card is not in the hand."
            yield card in index and index[card].cost > board.legend, "JA-189", "Its legend tokens are not there."
        case TriggerIntrigue(slot=slot):
            yield not board.holds_intrigue, "JA-192", "There is no intrigue card."
            yield slot in {each.slot for each in board.slots}, "JA-194", "That effect was triggered."
            yield not board.intrigue, "JA-193", "There are no intrigue tokens."
        case PushTo(unit=name, area=area):
            unit = state.field.units.get(name)
            if unit is None or unit.spot != "board" or area not in setting_of(state).board.areas:
                return
            side = side_of(state, unit.owner) or ""
            bar = entry_bar(table_of(state), area, standing(state, (name,)), side)
            yield bar is not None, "JA-138", BARS[bar][1] if bar is not None else ""
            levels = {area_of(state, unit.area).level, area_of(state, area).level}
            yield "sky" in levels and len(levels) > 1, "JA-366", "A push does not change the level."
            yield True, "JA-138", "A unit is pushed to an adjacent area."
