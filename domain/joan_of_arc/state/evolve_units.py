"""The effect of unit events and board events on the state."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.joan_of_arc.board.hexes import AreaId, interior_id
from domain.joan_of_arc.board.table import EdgeStanding, collapsed
from domain.joan_of_arc.state import events as e
from domain.joan_of_arc.state.evolve_state import less, with_board, with_field, with_lying, with_units
from domain.joan_of_arc.state.state import NO_UNIT, NOWHERE, ROUND_MARKS, JoanState, Spot, UnitId
from domain.kernel import Event


def board_laid(s: JoanState, event: e.BoardLaid) -> JoanState:
    """The board is built."""
    return with_field(replace(s, sky=event.sky), lying=event.lying, edges=event.edges)


def units_placed(s: JoanState, event: e.UnitsPlaced) -> JoanState:
    """The units are on the board."""
    return with_field(s, units={**s.field.units, **{unit.id: unit for unit in event.units}})


def units_moved(s: JoanState, event: e.UnitsMoved) -> JoanState:
    """The units and their passengers stand in the last area (JA-256)."""
    known = s.field.units
    carried = [unit.id for unit in known.values() if unit.carrier in event.units]
    if s.attack is not None and event.kind == "breakthrough":
        s = replace(s, attack=replace(s.attack, rode=(*s.attack.rode, *event.units)))
    return with_units(s, (*event.units, *carried), area=event.path[-1])


def passenger_taken(s: JoanState, event: e.PassengerTaken) -> JoanState:
    """The passenger moves with its carrier."""
    return with_units(s, (event.unit,), carrier=event.carrier)


def passenger_set_down(s: JoanState, event: e.PassengerSetDown) -> JoanState:
    """The passenger stands by itself."""
    return with_units(s, (event.unit,), carrier=NO_UNIT)


def civilian_recruited(s: JoanState, event: e.CivilianRecruited) -> JoanState:
    """They are the player's."""
    return with_units(s, event.units, owner=event.seat)


def civilian_released(s: JoanState, event: e.CivilianReleased) -> JoanState:
    """The civilians have no owner."""
    return with_units(s, event.units, owner=None)


def barricade_built(s: JoanState, event: e.BarricadeBuilt) -> JoanState:
    """The barricade belongs to the side."""
    return with_lying(s, event.area, barricade=event.side)


def barricade_removed(s: JoanState, event: e.BarricadeRemoved) -> JoanState:
    """The barricade is gone."""
    return with_lying(s, event.area, barricade=None)


def stakes_placed(s: JoanState, event: e.StakesPlaced) -> JoanState:
    """A piece leaves the reserve."""
    s = with_board(s, event.seat, stakes=s.boards[event.seat].stakes - 1)
    return with_field(s, edges={**s.field.edges, event.edge: EdgeStanding("stakes", event.side)})


def stakes_removed(s: JoanState, event: e.StakesRemoved) -> JoanState:
    """The stakes are gone."""
    return with_field(s, edges=less(s.field.edges, event.edge))


def fire_placed(s: JoanState, event: e.FirePlaced) -> JoanState:
    """The seat that placed the fire is recorded (JA-Q45)."""
    s = with_lying(s, event.area, fire=True)
    return with_field(s, fires={**s.field.fires, event.area: event.seat})


def fire_put_out(s: JoanState, event: e.FirePutOut) -> JoanState:
    """The token is gone."""
    return _quenched(s, event.area)


def _quenched(s: JoanState, area: AreaId) -> JoanState:
    if area not in s.field.fires:
        return s
    return with_field(with_lying(s, area, fire=False), fires=less(s.field.fires, area))


def elements_removed(s: JoanState, event: e.ElementsRemoved) -> JoanState:
    """The elements are gone, each once."""
    left = list(s.field.lying[event.area].elements)
    for element in event.elements:
        left.remove(element)
    return with_lying(s, event.area, elements=tuple(left))


def building_damaged(s: JoanState, event: e.BuildingDamaged) -> JoanState:
    """The tokens lie on it."""
    return with_lying(s, event.area, damage=s.field.lying[event.area].damage + event.count)


def building_collapsed(s: JoanState, event: e.BuildingCollapsed) -> JoanState:
    """Rubble, and no fire inside or around."""
    lying = s.field.lying[event.area]
    inside = interior_id(event.area, lying.building or "")
    s = _quenched(_quenched(s, event.area), inside)
    return with_field(s, lying={**s.field.lying, event.area: collapsed(s.field.lying[event.area])})


def building_removed(s: JoanState, event: e.BuildingRemoved) -> JoanState:
    """Nothing is left of it, nor of its contents."""
    inside = interior_id(event.area, s.field.lying[event.area].building or "")
    s = with_field(s, lying=less(s.field.lying, inside), fires=less(s.field.fires, inside))
    return with_lying(s, event.area, building=None, damage=0, rubble=False)


def unit_wounded(s: JoanState, event: e.UnitWounded | e.UnitHealed) -> JoanState:
    """This many tokens lie on its card."""
    return with_units(s, (event.unit,), wounds=event.wounds)


def _away(s: JoanState, unit: UnitId, spot: Spot, **fields: Any) -> JoanState:
    """A unit leaves the board; separate events settle its carrier and its passenger."""
    return with_units(s, (unit,), spot=spot, area=NOWHERE, carrier=NO_UNIT, grants=(), **fields)


def unit_disrupted(s: JoanState, event: e.UnitDisrupted) -> JoanState:
    """The unit keeps its equipment (JA-Q37)."""
    return _away(s, event.unit, "disrupted", wounds=event.wounds, sent_by=event.by)


def unit_destroyed(s: JoanState, event: e.UnitDestroyed) -> JoanState:
    """The unit is in the graveyard."""
    return _away(s, event.unit, "graveyard", sent_by=None)


def equipment_gained(s: JoanState, event: e.EquipmentGained) -> JoanState:
    """From the top of its deck onto the character."""
    pile = s.piles[event.deck]
    piles = {**s.piles, event.deck: replace(pile, cards=pile.cards[1:], left=pile.left - 1)}
    equipment = (*s.field.units[event.unit].equipment, event.card)
    return with_units(replace(s, piles=piles), (event.unit,), equipment=equipment)


def equipment_discarded(s: JoanState, event: e.EquipmentDiscarded) -> JoanState:
    """Onto the discards of its deck."""
    pile = s.piles[event.deck]
    piles = {**s.piles, event.deck: replace(pile, discards=(*pile.discards, event.card))}
    return _laid_down(replace(s, piles=piles), event.unit, event.card)


def _laid_down(s: JoanState, unit: UnitId, card: str) -> JoanState:
    left = list(s.field.units[unit].equipment)
    left.remove(card)
    return with_units(s, (unit,), equipment=tuple(left))


def equipment_handed(s: JoanState, event: e.EquipmentHanded) -> JoanState:
    """From one to the other, which cannot hand it on at once."""
    s = replace(s, handed=(*s.handed, f"{event.to} {event.card}"))
    s = _laid_down(s, event.unit, event.card)
    return with_units(s, (event.to,), equipment=(*s.field.units[event.to].equipment, event.card))


def unit_removed(s: JoanState, event: e.UnitRemoved) -> JoanState:
    """The unit is no longer in any section."""
    return _away(s, event.unit, "removed", owner=None)


def character_captured(s: JoanState, event: e.CharacterCaptured) -> JoanState:
    """The character is neither destroyed nor in the infirmary (JA-Q78)."""
    return _away(s, event.unit, "captive", captor=event.captor)


def character_ransomed(s: JoanState, event: e.CharacterRansomed) -> JoanState:
    """The price goes from the owner to the captor."""
    unit = s.field.units[event.unit]
    assert unit.owner is not None, "a captive is a player's"
    assert unit.captor is not None, "a captive is somebody's"
    s = with_board(s, unit.owner, xp=s.boards[unit.owner].xp - event.price)
    s = with_board(s, unit.captor, xp=s.boards[unit.captor].xp + event.price)
    return with_units(s, (event.unit,), spot="waiting", captor=None)


def unit_rallied(s: JoanState, event: e.UnitRallied) -> JoanState:
    """It stands there."""
    return with_units(s, (event.unit,), spot="board", area=event.area, wounds=event.wounds, sent_by=None)


def unit_waiting(s: JoanState, event: e.UnitWaiting) -> JoanState:
    """The unit comes back later without a roll (JA-232)."""
    return with_units(s, (event.unit,), spot="waiting")


def unit_marked(s: JoanState, event: e.UnitMarked) -> JoanState:
    """The mark is recorded."""
    return with_units(s, (event.unit,), marks=(*s.field.units[event.unit].marks, event.mark))


def without_marks(s: JoanState, gone: frozenset[Any]) -> JoanState:
    """No unit has such marks any longer."""
    marked = [unit for unit in s.field.units.values() if gone & set(unit.marks)]
    changed = {unit.id: replace(unit, marks=tuple(m for m in unit.marks if m not in gone)) for unit in marked}
    return with_field(s, units={**s.field.units, **changed}) if changed else s


def round_marks_cleared(s: JoanState, event: e.RoundMarksCleared) -> JoanState:
    """JA-251: once a round."""
    return without_marks(s, ROUND_MARKS)


def skill_granted(s: JoanState, event: e.SkillGranted) -> JoanState:
    """The skill is added to the printed ones."""
    return with_units(s, (event.unit,), grants=(*s.field.units[event.unit].grants, event.grant))


def grants_ended(s: JoanState, event: e.GrantsEnded) -> JoanState:
    """Those that last longer stay."""
    found = [unit for unit in s.field.units.values() if unit.grants]
    changed = {u.id: replace(u, grants=tuple(g for g in u.grants if g.until != event.until)) for u in found}
    return with_field(s, units={**s.field.units, **changed}) if changed else s


def character_shown(s: JoanState, event: e.CharacterReverted | e.CharacterUpgraded) -> JoanState:
    """JA-183: all tokens stay."""
    closed = event.closed if isinstance(event, e.CharacterUpgraded) else ""
    closed = closed or s.field.units[event.unit].closed
    return with_units(s, (event.unit,), card=event.card, closed=closed)


UNIT_EVOLVE: dict[type[Event], Callable[[JoanState, Any], JoanState]] = {
    e.BoardLaid: board_laid,
    e.UnitsPlaced: units_placed,
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
    e.UnitHealed: unit_wounded,
    e.UnitDisrupted: unit_disrupted,
    e.UnitDestroyed: unit_destroyed,
    e.EquipmentGained: equipment_gained,
    e.EquipmentDiscarded: equipment_discarded,
    e.EquipmentHanded: equipment_handed,
    e.UnitRemoved: unit_removed,
    e.CharacterCaptured: character_captured,
    e.CharacterRansomed: character_ransomed,
    e.UnitRallied: unit_rallied,
    e.UnitWaiting: unit_waiting,
    e.UnitMarked: unit_marked,
    e.RoundMarksCleared: round_marks_cleared,
    e.SkillGranted: skill_granted,
    e.GrantsEnded: grants_ended,
    e.CharacterReverted: character_shown,
    e.CharacterUpgraded: character_shown,
}
