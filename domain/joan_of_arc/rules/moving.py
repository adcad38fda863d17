"""Moving units, and the effects of moving: civilians join and leave, barricades and stakes of enemies fall (section I).

Every movement of the game goes through `shift`: moves, haste, charges, pushes, follow-up, dodging, effects.
"""

from itertools import pairwise

from domain.joan_of_arc.board.hexes import AreaId, border, edge_to
from domain.joan_of_arc.board.losses import crosses_stakes, tears_down_barricade
from domain.joan_of_arc.board.table import furnishing, units_in
from domain.joan_of_arc.rules.losing import release_civilians
from domain.joan_of_arc.state.events import (
    BarricadeRemoved,
    CivilianRecruited,
    ElementsRemoved,
    MoveKind,
    PassengerSetDown,
    StakesRemoved,
    UnitsMoved,
)
from domain.joan_of_arc.state.queries import border_name, side_of, table_of, unit_of
from domain.joan_of_arc.state.state import JoanState, UnitId
from domain.kernel import Resolver, Seat


def shift(r: Resolver[JoanState], units: tuple[UnitId, ...], path: tuple[AreaId, ...], kind: MoveKind) -> None:
    """Units of one owner enter the areas of a path, one after the other; the caller has checked that they may."""
    first = unit_of(r.state, units[0])
    starts = dict.fromkeys(unit_of(r.state, unit).area for unit in units)
    r.emit(UnitsMoved(units, path, kind))
    side = side_of(r.state, first.owner)
    if side is not None and first.owner is not None:
        for start in starts:
            _tear_down(r, (start, *path), side)
        _set_down(r, units, path[-1])
        recruit(r, path[-1], first.owner)
    release_civilians(r)


def _set_down(r: Resolver[JoanState], units: tuple[UnitId, ...], area: AreaId) -> None:
    """JA-257: passengers stand where the movement ends on the ground, or in a building; JA-258: never in a sky hex."""
    if table_of(r.state).board.areas[area].level == "sky":
        return
    for unit in tuple(r.state.field.units.values()):
        if unit.carrier in units:
            r.emit(PassengerSetDown(unit.id))


def stride(r: Resolver[JoanState], unit: UnitId, area: AreaId, kind: MoveKind) -> None:
    """JA-368, JA-373: a gigantic creature moves by whole hexes; `area` is the first area of its new hex. All terrain
    elements there are removed before it moves; barricades of enemies (JA-220) and stakes that it crosses (JA-333) fall.
    """
    board = table_of(r.state).board
    at, came = board.areas[area], board.areas[unit_of(r.state, unit).area]
    side = side_of(r.state, unit_of(r.state, unit).owner) or ""
    across = edge_to(came.hex, at.hex) if came.level == at.level == "ground" else None
    stood = r.state.field.edges.get(border_name(border(came.hex, across))) if across is not None else None
    if across is not None and stood is not None and stood.feature == "stakes" and stood.side != side:
        r.emit(StakesRemoved(border_name(border(came.hex, across)), "JA-333"))
    for each in board.hexes[at.level][at.hex]:
        lying = furnishing(table_of(r.state), each)
        if lying.elements:
            r.emit(ElementsRemoved(each, lying.elements, "JA-373"))
        if each != area and tears_down_barricade(table_of(r.state), each, side):
            r.emit(BarricadeRemoved(each, "JA-220"))
    shift(r, (unit,), (area,), kind)


def _tear_down(r: Resolver[JoanState], way: tuple[AreaId, ...], side: str) -> None:
    """JA-220: a barricade of another side in an area entered; JA-333: stakes of another side that are crossed."""
    for start, end in pairwise(way):
        edge = crosses_stakes(table_of(r.state), start, end, side)
        if edge is not None:
            r.emit(StakesRemoved(border_name(edge), "JA-333"))
        if tears_down_barricade(table_of(r.state), end, side):
            r.emit(BarricadeRemoved(end, "JA-220"))


def recruit(r: Resolver[JoanState], area: AreaId, seat: Seat) -> None:
    """JA-098, JA-Q28: the owner of a unit that ends a movement in an area recruits all neutral civilians there."""
    neutral = tuple(UnitId(unit.unit) for unit in units_in(table_of(r.state), area) if unit.side is None)
    if neutral:
        r.emit(CivilianRecruited(seat, neutral))
