"""The options of actions, by action and then by place, with the units there and the dice that the action adds."""

from typing import Any, Final

from domain.joan_of_arc.board.board import Area
from domain.joan_of_arc.board.hexes import AreaId, border
from domain.joan_of_arc.board.table import status
from domain.joan_of_arc.cards.hooks import Attack as AttackKind
from domain.joan_of_arc.rules.actions import (
    charging,
    fighting,
    gigantic_attacks,
    hastening,
    jumping,
    marching,
    staking,
    striding,
    waiting,
    walking,
)
from domain.joan_of_arc.rules.actions.declared import MOVEMENTS, undeclared
from domain.joan_of_arc.rules.attacks import dodging, following
from domain.joan_of_arc.state.queries import border_name, card_of, side_of, table_of
from domain.joan_of_arc.state.state import Activation, Unit, UnitId
from domain.kernel import Asked, Choice, Seat
from projections.games.joan_of_arc.dice_shown import pooled
from projections.games.joan_of_arc.goals import scored_in
from projections.games.joan_of_arc.ground import edge_key, standing_words
from projections.games.joan_of_arc.odds import odds
from projections.games.joan_of_arc.refs import area_ref, is_shown
from projections.games.joan_of_arc.words import (
    View,
    area_name,
    areas_named,
    side_name,
    unit_name,
    unit_ref,
    units_named,
)
from projections.words import join, sentence

More = dict[str, Any]
GROUPS: Final[dict[type[Choice], str]] = {
    walking.Move: "Move",
    striding.Stride: "Stride",
    jumping.Jump: "Jump",
    fighting.Melee: "Melee",
    gigantic_attacks.Trample: "Trample",
    dodging.DodgeTo: "Dodge",
    following.BreakThrough: "Ride on",
}
"""Actions that name one area."""
HELD: Final = frozenset({"Move", "Stride", "Jump", "Haste", "Forced march"})
"""Groups of actions after which a unit may hold an area."""
ACTS: Final = {"Shoot": "Shoot", "Melee": "Fight", "Trample": "Trample"}
"""The verb for an attack on the units in an area, by the group."""
EARLY: Final[tuple[type[Choice], ...]] = (fighting.Melee, fighting.Shoot, gigantic_attacks.Trample, charging.Charge)
"""Attacks come before moves. If nothing can be attacked, they are not offered."""
LATE: Final = frozenset(GROUPS) - frozenset(EARLY) | {hastening.Haste, marching.March}
WAYS: Final[dict[type[Choice], str]] = {hastening.Haste: "Haste", marching.March: "Forced march"}
"""Actions that name a way."""


def acting(view: View, asked: Asked, choice: Choice) -> More:
    """The details of an action's option, by its group; nothing for other choices."""
    if isinstance(choice, charging.Charge):
        return _way(view, asked, "Charge", (*choice.path, *((choice.target,) if choice.target else ())))
    if type(choice) in WAYS:
        return _way(view, asked, WAYS[type(choice)], choice.path)  # type: ignore[attr-defined]
    if isinstance(choice, fighting.Shoot):
        return _shooting(view, asked, choice)
    if isinstance(choice, staking.PlantStakes):
        return {"at": [f"map#{edge_key(choice.edge)}"], "grp": "Wait, with stakes"} | _from(view, asked)
    if type(choice) not in GROUPS:
        return {}
    told = _there(view, asked, GROUPS[type(choice)], choice.area)  # type: ignore[attr-defined]
    if isinstance(choice, walking.Move) and choice.passenger:
        told["at"] = [unit_ref(choice.passenger), *told["at"]]
        told["sub"] = f"with {unit_name(view, choice.passenger)}"
    return told | (_melee(view, asked, choice, told["sub"]) if isinstance(choice, fighting.Melee) else {})


def rank(view: View, asked: Asked, choice: Choice) -> int:
    """The position of an option: a unit's immediate acts come before its moves, waiting comes last."""
    del view
    if asked.kind != "Declaration":
        return 0
    if isinstance(choice, waiting.Wait):
        return 3
    return 1 if type(choice) in EARLY else 2 if type(choice) in LATE else 0


def acting_unit(view: View, asked: Asked) -> str:
    """The unit that a question is about, if it is shown."""
    unit = str(asked.terms.get("unit", ""))
    return unit if is_shown(view, unit) else ""


def _from(view: View, asked: Asked) -> More:
    unit = acting_unit(view, asked)
    return {"from": unit_ref(unit)} if unit else {}


def _there(view: View, asked: Asked, group: str, area: str) -> More:
    """An area as a row: the act there and its target, else the area's name; and the units in it."""
    place, who = area_name(view, area), join(standing_words(view, AreaId(area)))
    act = ACTS.get(group.partition(",")[0])
    label = f"{act} {who}, {place}" if act and who else sentence(place).removesuffix(".")
    there = who or "nobody there"
    if group in HELD:
        there += _denied(view, asked, AreaId(area)) + _declared(view, AreaId(area))
    worth = scored_in(view, area)
    if worth and group in HELD:
        there = f"{there}; holding it scores {worth} VP in each camp phase"
    return {"grp": group, "label": label, "sub": there, "at": [area_ref(area)], **_from(view, asked)}


def _denied(view: View, asked: Asked, area: AreaId) -> str:
    """The side that owns the rally point of a free area, and is kept out while a unit holds it (JA-027, JA-228)."""
    side, table = side_of(view, Seat(asked.seat)) or "", table_of(view)
    if table.board.areas[area].level == "interior" or status(table, area, side) != "free":
        return ""
    theirs = [other for other, areas in view.rallies.items() if other != side and area in areas]
    return f"; while you hold it {side_name(theirs[0])} cannot rally there" if theirs else ""


def _declared(view: View, area: AreaId) -> str:
    """The units that have declared a move to an area and have not moved yet (JA-082, JA-093)."""
    going = [
        plan.unit
        for now in view.activations
        for plan in now.plans
        if plan.action in MOVEMENTS and plan.path[-1:] == (area,) and plan.unit not in now.done
    ]
    return f"; declared to go there: {units_named(view, going)}" if going else ""


def _way(view: View, asked: Asked, group: str, areas: tuple[str, ...]) -> More:
    """A way as a row: its end, and the areas on it."""
    told = _there(view, asked, group, areas[-1])
    over = {"sub": f"over {areas_named(view, areas[:-1])}; {told['sub']}"} if len(areas) > 1 else {}
    return {**told, **over, "at": [area_ref(area) for area in areas]}


def _melee(view: View, asked: Asked, choice: fighting.Melee, there: str) -> More:
    unit = acting_unit(view, asked)
    found = card_of(view, view.field.units[UnitId(unit)]).melee if unit else None
    if found is None:
        return {}
    kept = _kept_from(view, unit, choice.area, "shooting")
    return {"dice": pooled(found), "sub": f"{there}{kept}{_odds(view, asked, unit, choice)}"}


def _odds(view: View, asked: Asked, unit: str, choice: fighting.Melee | fighting.Shoot) -> str:
    kind: AttackKind = "melee" if isinstance(choice, fighting.Melee) else "shooting"
    told = odds(view, Seat(asked.seat), UnitId(unit), choice.area, kind)
    return f"; {told}" if told else ""


def _kept_from(view: View, unit: str, area: str, kind: AttackKind) -> str:
    """The units that this declaration keeps from attacking the area later (JA-102, JA-105, JA-Q15)."""
    now = view.activations[-1] if view.activations else None
    if now is None or any(plan.target == area for plan in now.plans):
        return ""
    rest = (view.field.units[each] for each in undeclared(now) if each != unit)
    kept = [each.id for each in rest if AreaId(area) in targets_of(view, each, now, kind)]
    how = "melee" if kind == "melee" else "shots"
    return f"; this rules out {how} there by {units_named(view, kept)} in this activation" if kept else ""


def targets_of(view: View, unit: Unit, now: Activation, kind: AttackKind) -> set[AreaId]:
    """The areas that a unit may declare to attack in melee (including a charge) or to shoot at."""
    offered = [*fighting.offers(view, unit, now), *charging.offers(view, unit, now)]
    if kind == "shooting":
        return {each.area for each in offered if isinstance(each, fighting.Shoot)}
    struck = {each.area for each in offered if isinstance(each, fighting.Melee)}
    return struck | {each.target for each in offered if isinstance(each, charging.Charge) and each.target}


def _shooting(view: View, asked: Asked, choice: fighting.Shoot) -> More:
    unit = acting_unit(view, asked)
    found = card_of(view, view.field.units[UnitId(unit)]).shoot if unit else None
    if found is None:
        return _there(view, asked, "Shoot", choice.area)
    group = f"Shoot, {found.mode}, range {found.range_hexes}"
    told = _there(view, asked, group, choice.area) | {"dice": pooled(found.dice)}
    kept = _kept_from(view, unit, choice.area, "melee")
    return told | {"sub": f"{told['sub']}{kept}{_odds(view, asked, unit, choice)}"}


def edges_beside(view: View, unit: str) -> list[str]:
    """The edges of a unit's area."""
    found = view.field.units.get(UnitId(unit))
    area: Area | None = None if found is None else table_of(view).board.areas.get(found.area)
    if area is None or area.level != "ground":
        return []
    return [border_name(border(area.hex, edge)) for edge in area.edges]


def activated(view: View, asked: Asked, area: str) -> str:
    """The units that an order on an area activates."""
    units = view.field.units.values()
    there = [unit for unit in units if unit.owner == asked.seat and unit.area == area and unit.spot == "board"]
    return join([unit_name(view, unit.id) for unit in there if not unit.carrier]) or "nobody"
