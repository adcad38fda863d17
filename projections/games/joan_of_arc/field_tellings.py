"""Sentences about events on the board of Joan of Arc: declarations, movement, building, fire, losses, attacks."""

from typing import Final

from domain.joan_of_arc.state import attack_events as a
from domain.joan_of_arc.state import events as e
from domain.joan_of_arc.state.attack_state import RolledDie
from domain.joan_of_arc.state.state import NOWHERE, Plan, UnitId
from domain.kernel import Event
from projections.blocks.narration import Telling, silent
from projections.games.joan_of_arc.texts import FACES, dice, faces, skill
from projections.games.joan_of_arc.words import (
    View,
    area_name,
    areas_named,
    edge_name,
    side_name,
    unit_name,
    units_named,
)
from projections.words import count, join, player

ACTIONS: Final = {
    "wait": "will wait",
    "move": "will move",
    "stride": "will stride",
    "march": "will march by force",
    "haste": "will hasten",
    "jump": "will jump",
    "charge": "will charge",
    "melee": "will fight",
    "shooting": "will shoot",
    "trample": "will trample",
    "prayer": "will pray",
    "heal": "will heal",
    "barricade": "will build a barricade",
    "set_fire": "will set fire here",
    "put_out": "will put a fire out",
    "stakes": "will put stakes up",
}
AT: Final = {"melee": " against", "shooting": " at", "trample": ""}
"""The word before the area that is attacked."""
MOVES: Final = {
    "move": "moved",
    "stride": "strode",
    "march": "marched by force",
    "haste": "hastened",
    "jump": "jumped",
    "charge": "charged",
    "follow_up": "followed up",
    "push": "pushed",
    "dodge": "dodged",
    "breakthrough": "rode on",
    "fire_set": "moved on from the fire",
    "effect": "moved by a card",
}
WAITED: Final = {"JA-090": "can no longer do what was declared"}


def plan_words(view: View, plan: Plan) -> str:
    """The declared action of a unit: "Knights 1 will charge to the plain 0,1, against the hill 0,2 a"."""
    told = f"{unit_name(view, plan.unit)} {ACTIONS[plan.action]}"
    if plan.path:
        told += f"{', then move' if plan.action == 'set_fire' else ''} to {area_name(view, plan.path[-1])}"
    if plan.target != NOWHERE:
        told += f"{AT.get(plan.action, ', against')} {area_name(view, plan.target)}"
    if plan.aim and UnitId(plan.aim) in view.field.units:
        told += f"{'' if plan.action == 'heal' else ' with'} {unit_name(view, plan.aim)}"
    return told


def action_declared(_: View, view: View, event: e.ActionDeclared) -> str:
    return f"Declared: {plan_words(view, event.plan)}."


def unit_waited(_: View, view: View, event: e.UnitWaited) -> str:
    told = unit_name(view, event.unit)
    return f"{told} {WAITED[event.rule]}." if event.rule in WAITED else f"Waiting: {told}."


def skill_granted(_: View, view: View, event: e.SkillGranted) -> str:
    until = event.grant.until.replace("end_of_", "the end of the ")
    return f"{unit_name(view, event.unit)} has {skill(event.grant.skill)} until {until}."


def units_moved(_: View, view: View, event: e.UnitsMoved) -> str:
    over = f", over {areas_named(view, event.path[:-1])}" if len(event.path) > 1 else ""
    to = area_name(view, event.path[-1])
    return f"{MOVES[event.kind].capitalize()} to {to}{over}: {units_named(view, event.units)}."


def passenger_taken(_: View, view: View, event: e.PassengerTaken) -> str:
    return f"{unit_name(view, event.carrier)} picks {unit_name(view, event.unit)} up."


def passenger_set_down(_: View, view: View, event: e.PassengerSetDown) -> str:
    return f"{unit_name(view, event.unit)} is set down."


def civilian_recruited(_: View, view: View, event: e.CivilianRecruited) -> str:
    return f"{player(view, event.seat)} recruits {units_named(view, event.units)}."


def civilian_released(_: View, view: View, event: e.CivilianReleased) -> str:
    return f"Nobody's any more: {units_named(view, event.units)}."


def barricade_built(_: View, view: View, event: e.BarricadeBuilt) -> str:
    return f"A barricade of {side_name(event.side)} stands in {area_name(view, event.area)}."


def barricade_removed(_: View, view: View, event: e.BarricadeRemoved) -> str:
    return f"The barricade in {area_name(view, event.area)} is gone."


def stakes_placed(_: View, view: View, event: e.StakesPlaced) -> str:
    return f"{player(view, event.seat)} puts stakes on {edge_name(event.edge)}."


def stakes_removed(_: View, __: View, event: e.StakesRemoved) -> str:
    return f"The stakes on {edge_name(event.edge)} are gone."


def fire_placed(_: View, view: View, event: e.FirePlaced) -> str:
    return f"{player(view, event.seat)} sets {area_name(view, event.area)} on fire."


def fire_put_out(_: View, view: View, event: e.FirePutOut) -> str:
    return f"The fire in {area_name(view, event.area)} is out."


def elements_removed(_: View, view: View, event: e.ElementsRemoved) -> str:
    gone = join([element.replace("_", " ") for element in event.elements])
    return f"Gone from {area_name(view, event.area)}: {gone or 'nothing'}."


def building_damaged(_: View, view: View, event: e.BuildingDamaged) -> str:
    return f"The building in {area_name(view, event.area)} takes {count(event.count, 'damage', 'damage')}."


def building_collapsed(_: View, view: View, event: e.BuildingCollapsed) -> str:
    return f"The building in {area_name(view, event.area)} collapses."


def building_removed(_: View, view: View, event: e.BuildingRemoved) -> str:
    return f"The building in {area_name(view, event.area)} is broken and gone."


def unit_wounded(_: View, view: View, event: e.UnitWounded) -> str:
    return f"{unit_name(view, event.unit)} is wounded: {count(event.wounds, 'wound')} now."


def unit_healed(_: View, view: View, event: e.UnitHealed) -> str:
    return f"{unit_name(view, event.unit)} is healed: {count(event.wounds, 'wound')} now."


def unit_disrupted(_: View, view: View, event: e.UnitDisrupted) -> str:
    by = "" if event.by is None else f" by {player(view, event.by)}"
    return f"Disrupted{by}, now in the infirmary: {unit_name(view, event.unit)}."


def unit_destroyed(_: View, view: View, event: e.UnitDestroyed) -> str:
    by = "" if event.by is None else f" by {player(view, event.by)}"
    why = ", for it is in the infirmary at the end" if event.rule == "JA-233" else ""
    return f"Destroyed{by}{why}: {unit_name(view, event.unit)}."


def unit_removed(before: View, _: View, event: e.UnitRemoved) -> str:
    return f"{unit_name(before, event.unit)} leaves the game."


def attack_declared(_: View, view: View, event: a.AttackDeclared) -> str:
    who = units_named(view, tuple(unit for unit, _ in event.starts))
    defending = f", held by {units_named(view, event.defenders)}," if event.defenders else ""
    kind = "by shooting" if event.kind == "shooting" else "in melee"
    return f"{player(view, event.seat)} attacks {area_name(view, event.target)}{defending} {kind} with {who}."


def gigantic_dice_assigned(_: View, view: View, event: a.GiganticDiceAssigned) -> str:
    told = [f"{FACES[face]} to {area_name(view, area)}" for face, area in zip(event.faces, event.areas, strict=False)]
    return f"{unit_name(view, event.unit)} sends {join(told) or 'nothing'}."


def bonus_dice_added(_: View, __: View, event: a.BonusDiceAdded) -> str:
    return f"Added to the {event.roll} roll: {dice(event.dice)}."


def terror_applied(_: View, view: View, event: a.TerrorApplied) -> str:
    what = "waits in terror" if event.die is None else f"is frightened and rolls one {event.die} die only"
    return f"{unit_name(view, event.unit)} {what}."


def rolled_words(rolled: tuple[RolledDie, ...]) -> str:
    """Dice with what they show: "red kill, white shield"."""
    return ", ".join(f"{die.colour} {FACES[die.face]}" for die in rolled) or "no dice"


def result_changed(_: View, __: View, event: a.ResultChanged) -> str:
    return f"A die of the attack roll counts as a {FACES[event.face]}."


def results_removed(_: View, __: View, event: a.ResultsRemoved) -> str:
    return f"{count(len(event.at), 'die', 'dice')} of the {event.roll} roll put away."


def unit_dodged(_: View, view: View, event: a.UnitDodged) -> str:
    return f"Out of the attack by a dodge: {unit_name(view, event.unit)}."


def results_cancelled(_: View, __: View, event: a.ResultsCancelled) -> str:
    walls = f" and {count(event.walls, 'wall')}" if event.walls else ""
    used = count(event.shields, "shield") if event.shields or walls else "No shield"
    return f"{used}{walls} used. The attack comes to {rolled_words(event.left)}."


def results_spent(_: View, view: View, event: a.ResultsSpent) -> str:
    return f"{unit_name(view, event.unit)} turns on the building: {rolled_words(event.spent)}."


def result_allocated(_: View, view: View, event: a.ResultAllocated) -> str:
    return f"{unit_name(view, event.given.unit)} takes the {FACES[event.given.face]}."


def result_reassigned(_: View, view: View, event: a.ResultReassigned) -> str:
    return f"{unit_name(view, event.to)} takes the {FACES[event.face]} for {unit_name(view, event.unit)}."


def results_discarded(_: View, __: View, event: a.ResultsDiscarded) -> str:
    return f"No unit can take more: {faces(event.faces)} without effect."


def losses_counted(_: View, __: View, event: a.LossesCounted) -> str:
    gone = count(event.gone, "defender is", "defenders are") if event.gone else "No defender is"
    return f"{gone} pushed, disrupted or destroyed."


def attack_ended(_: View, view: View, event: a.AttackEnded) -> str:
    return f"The attack on {area_name(view, event.target)} is over."


SENTENCES: Final[dict[type[Event], Telling]] = {
    e.ActionDeclared: action_declared,
    e.UnitWaited: unit_waited,
    e.SkillGranted: skill_granted,
    e.UnitsMoved: units_moved,
    e.PassengerTaken: passenger_taken,
    e.PassengerSetDown: passenger_set_down,
    e.CivilianRecruited: civilian_recruited,
    e.CivilianReleased: civilian_released,
    e.BarricadeBuilt: barricade_built,
    e.BarricadeRemoved: barricade_removed,
    e.StakesPlaced: stakes_placed,
    e.StakesRemoved: stakes_removed,
    e.FirePlaced: fire_placed,
    e.FirePutOut: fire_put_out,
    e.ElementsRemoved: elements_removed,
    e.BuildingDamaged: building_damaged,
    e.BuildingCollapsed: building_collapsed,
    e.BuildingRemoved: building_removed,
    e.UnitWounded: unit_wounded,
    e.UnitHealed: unit_healed,
    e.UnitDisrupted: unit_disrupted,
    e.UnitDestroyed: unit_destroyed,
    e.UnitRemoved: unit_removed,
    a.AttackDeclared: attack_declared,
    a.GiganticDiceAssigned: gigantic_dice_assigned,
    a.BonusDiceAdded: bonus_dice_added,
    a.TerrorApplied: terror_applied,
    **dict.fromkeys((a.DiceThrown, a.DiceRerolled), silent),  # the rolls themselves are told
    a.ResultChanged: result_changed,
    a.ResultsRemoved: results_removed,
    a.UnitDodged: unit_dodged,
    a.ResultsCancelled: results_cancelled,
    a.ResultsSpent: results_spent,
    a.ResultAllocated: result_allocated,
    a.ResultReassigned: result_reassigned,
    a.ResultsDiscarded: results_discarded,
    a.LossesCounted: losses_counted,
    a.AttackEnded: attack_ended,
}
