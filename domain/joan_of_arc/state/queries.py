"""Questions that several rules ask of a state. They are pure; frequent answers are computed once for each
`Field`.
"""

from collections.abc import Iterable, Iterator
from typing import Final, Literal

from msgspec.structs import replace

from domain.joan_of_arc.board.board import Area
from domain.joan_of_arc.board.hexes import AreaId, Border
from domain.joan_of_arc.board.maps import TileName
from domain.joan_of_arc.board.scenarios import OptionalRules
from domain.joan_of_arc.board.table import Standing, Table, gigantic_destinations, hex_is_empty
from domain.joan_of_arc.cards.dice import NONE, Dice
from domain.joan_of_arc.cards.hooks import ORDERS, AddDie, Attack, GrantSkill, Order, Roll
from domain.joan_of_arc.cards.units import UnitCard
from domain.joan_of_arc.state.options import Options, rules_of
from domain.joan_of_arc.state.setting import Setting, setting_for
from domain.joan_of_arc.state.state import Activation, Field, JoanState, PlayerBoard, Unit, UnitId
from domain.kernel import Seat

KEPT: Final = 256
"""The number of tables that are cached."""


_LATEST: list[tuple[Options, tuple[TileName, ...], Setting]] = []


def setting_of(state: JoanState) -> Setting:
    """The setting of a match; the setting of the last match is cached."""
    if _LATEST:
        options, sky, setting = _LATEST[0]
        if options is state.options and sky is state.sky:
            return setting
    found = setting_for(state.options, state.sky)
    _LATEST[:] = [(state.options, state.sky, found)]
    return found


def optional_rules(state: JoanState) -> OptionalRules:
    """JA-338: the optional rules that are on."""
    return rules_of(state.options)


def side_of(state: JoanState, seat: Seat | None) -> str | None:
    """The side of a seat; None for no seat, as for neutral civilians."""
    return None if seat is None else setting_of(state).sides[seat]


def unit_of(state: JoanState, unit: str) -> Unit:
    """A unit by its id."""
    return state.field.units[UnitId(unit)]


def card_of(state: JoanState, unit: Unit) -> UnitCard:
    """The card of a unit with the skills that equipment and effects give it (JA-180)."""
    return carded(setting_of(state), unit)


_CARDS: dict[tuple[int, str, tuple[object, ...]], tuple[Setting, UnitCard]] = {}


def carded(setting: Setting, unit: Unit) -> UnitCard:
    """The card of a unit in a setting, with the skills that it has besides those printed."""
    printed = setting.index.units[unit.card]
    if not unit.equipment and not unit.grants:
        return printed
    key = (id(setting), unit.card, (*unit.equipment, *unit.grants))
    found = _CARDS.get(key)
    if found is None or found[0] is not setting:
        if len(_CARDS) >= KEPT:
            _CARDS.clear()
        found = _CARDS[key] = (setting, _with_skills(setting, printed, unit))
    return found[1]


def _with_skills(setting: Setting, printed: UnitCard, unit: Unit) -> UnitCard:
    given = [(grant.skill, grant.x) for grant in unit.grants]
    for name in unit.equipment:
        effects = setting.index.equipment[name].effects
        given += [(effect.skill, effect.x or 1) for effect in effects if isinstance(effect, GrantSkill)]
    skills = printed.skills
    for skill, x in given:
        had = getattr(skills, skill)
        skills = replace(skills, **{skill: True if isinstance(had, bool) else max(had, x)})
    return replace(printed, skills=skills)


def worn_dice(state: JoanState, unit: Unit, roll: Roll, kind: Attack | None) -> Dice:
    """JA-180: the dice that permanent equipment adds to a wearer's own, in an attack of a kind or outside attacks."""
    found = NONE
    for name in unit.equipment:
        card = setting_of(state).index.equipment[name]
        for effect in card.effects if card.use == "permanent" else ():
            if isinstance(effect, AddDie) and effect.roll == roll and effect.attack in {None, kind}:
                found += Dice(**{effect.colour: effect.n})
    return found


_TABLES: dict[int, tuple[Field, Setting, Table]] = {}


def table_of(state: JoanState) -> Table:
    """The board with everything on it; computed once for each `Field`."""
    setting, field = setting_of(state), state.field
    found = _TABLES.get(id(field))
    if found is None or found[0] is not field or found[1] is not setting:
        if len(_TABLES) >= KEPT:
            _TABLES.clear()
        found = _TABLES[id(field)] = (field, setting, _laid(setting, field))
    return found[2]


def _laid(setting: Setting, field: Field) -> Table:
    standing: dict[AreaId, tuple[Standing, ...]] = {}
    for unit in field.units.values():
        if unit.spot == "board":
            found = standing_of(setting, unit)
            for area in areas_under(setting, unit, found.card):
                standing[area] = (*standing.get(area, ()), found)
    edges = {border_of(name): edge for name, edge in field.edges.items()}
    return Table(setting.board, field.lying, edges, standing)


def standing_of(setting: Setting, unit: Unit) -> Standing:
    """A unit in the form that the board's functions use."""
    side = None if unit.owner is None else setting.sides[unit.owner]
    return Standing(unit.id, carded(setting, unit), side, bool(unit.carrier))


def standing(state: JoanState, units: Iterable[str]) -> tuple[Standing, ...]:
    """Units in the form that the board's functions use."""
    setting = setting_of(state)
    return tuple(standing_of(setting, state.field.units[UnitId(unit)]) for unit in units)


def travelling(state: JoanState, units: Iterable[str], *picked: str) -> tuple[Standing, ...]:
    """Units that move, with passengers they carry or pick up (JA-256, JA-259): a passenger needs room, not flight."""
    setting, known = setting_of(state), state.field.units
    movers = tuple(units)
    carried = {UnitId(unit) for unit in picked if unit}
    if any(carded(setting, known[UnitId(unit)]).skills.carrier for unit in movers):
        carried |= {unit.id for unit in known.values() if unit.carrier in movers}
    if not carried:
        return standing(state, movers)
    riding = (replace(standing_of(setting, known[unit]), carried=True) for unit in sorted(carried))
    return (*standing(state, movers), *riding)


def areas_under(setting: Setting, unit: Unit, card: UnitCard) -> tuple[AreaId, ...]:
    """The areas in which a unit stands: JA-368: a gigantic creature in all of its hex."""
    if not card.gigantic:
        return (unit.area,)
    at = setting.board.areas[unit.area]
    return setting.board.hexes[at.level][at.hex]


def stands_in(state: JoanState, unit: Unit, area: AreaId) -> bool:
    """Whether a unit stands in an area, a gigantic creature with a part of it (JA-368)."""
    return unit.area == area or area in areas_under(setting_of(state), unit, card_of(state, unit))


def border_name(found: Border) -> str:
    """An edge as state and events name it: `0,-1/2`."""
    (q, r), edge = found
    return f"{q},{r}/{edge}"


def border_of(name: str) -> Border:
    """The edge of such a name."""
    at, _, edge = name.partition("/")
    q, _, r = at.partition(",")
    return (int(q), int(r)), int(edge)


def area_of(state: JoanState, area: AreaId) -> Area:
    """The board's area of this id."""
    return setting_of(state).board.areas[area]


def units_of(state: JoanState, seat: Seat) -> Iterator[Unit]:
    """A player's units on the board, by id."""
    return (unit for unit in state.field.units.values() if unit.owner == seat and unit.spot == "board")


def own_units_in(state: JoanState, area: AreaId, seat: Seat) -> tuple[UnitId, ...]:
    """JA-052, JA-Q08: the units of one player in an area that an order activates, by id; JA-101, JA-Q30: recruited
    civilians too; JA-Q55: not carried units.
    """
    units = state.field.units
    found = (units[UnitId(each.unit)] for each in table_of(state).standing.get(area, ()) if not each.carried)
    return tuple(sorted(unit.id for unit in found if unit.owner == seat))


def held(board: PlayerBoard, order: Order) -> int:
    """How many orders of a type a player has on the player board."""
    return int(getattr(board.orders, order))


def orders_held(board: PlayerBoard) -> tuple[Order, ...]:
    """The types of the orders that a player has."""
    return tuple(order for order in ORDERS if held(board, order))


def acting(state: JoanState) -> Activation:
    """The innermost activation. Raises `IndexError` where nothing is activated."""
    return state.activations[-1]


def opponents(state: JoanState, seat: Seat) -> tuple[Seat, ...]:
    """The seats of other sides, the first player first."""
    return setting_of(state).foes(seat)


def strides(state: JoanState, unit: Unit) -> tuple[AreaId, ...]:
    """JA-372: the hexes next to a gigantic creature that it could move to, each by its first area."""
    table = table_of(state)
    at = table.board.areas[unit.area]
    level: Literal["ground", "sky"] = "sky" if at.level == "sky" else "ground"
    return tuple(table.board.hexes[level][there][0] for there in gigantic_destinations(table, at.hex, level))


def descents(state: JoanState, unit: Unit) -> tuple[AreaId, ...]:
    """JA-Q88: the hexes of the other level that a gigantic flyer could go to, each by its first area."""
    table = table_of(state)
    if not card_of(state, unit).flying:
        return ()
    level: Literal["ground", "sky"] = "ground" if table.board.areas[unit.area].level == "sky" else "sky"
    return tuple(areas[0] for areas in table.board.hexes[level].values() if hex_is_empty(table, areas))
