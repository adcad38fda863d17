"""The targets of an attack from an area (section J)."""

from collections.abc import Iterator

from domain.commons.identity_cache import once_of
from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.sight import melee_reach, shot_bar
from domain.joan_of_arc.board.table import Standing, Table, furnishing, units_in
from domain.joan_of_arc.cards.hooks import Attack as AttackKind
from domain.joan_of_arc.cards.units import UnitCard
from domain.joan_of_arc.state.queries import side_of, table_of
from domain.joan_of_arc.state.state import JoanState
from domain.kernel import Seat


def foes_in(table: Table, area: AreaId, side: str) -> tuple[Standing, ...]:
    """JA-108, JA-Q16: the enemy units in an area, by id; JA-Q56: not carried units; nor neutral civilians. Computed
    once for each area of a table.
    """
    known = _foes(table)
    found = known.get((area, side))
    if found is None:
        there = (unit for unit in units_in(table, area) if unit.side not in {None, side} and not unit.carried)
        found = known[area, side] = tuple(sorted(there, key=lambda unit: unit.unit))
    return found


def _nobody_known(_: Table) -> dict[tuple[AreaId, str], tuple[Standing, ...]]:
    """The cache of the enemies in the areas of a table."""
    return {}


_foes = once_of(_nobody_known)


def _gigantic_in(table: Table) -> frozenset[AreaId]:
    """JA-368: the areas of gigantic creatures."""
    return frozenset(area for area, units in table.standing.items() if any(unit.card.gigantic for unit in units))


_under_gigantic = once_of(_gigantic_in)


def whole(table: Table, area: AreaId) -> tuple[AreaId, ...]:
    """JA-Q52: the areas that are one target with this one: the whole hex of a gigantic creature, else itself."""
    if area in _under_gigantic(table):
        at = table.board.areas[area]
        return table.board.hexes[at.level][at.hex]
    return (area,)


def enemy_areas(state: JoanState, seat: Seat) -> tuple[AreaId, ...]:
    """JA-103: the areas that can be targets, each once, a gigantic creature's hex by its first area."""
    table, side = table_of(state), side_of(state, seat) or ""
    known = _targets(table)
    found = known.get(side)
    if found is None:
        areas = {whole(table, area)[0] for area in table.standing if foes_in(table, area, side)}
        found = known[side] = table.board.in_order(areas)
    return found


def _no_targets(_: Table) -> dict[str, tuple[AreaId, ...]]:
    """The cache of the targets of each side on a table."""
    return {}


_targets = once_of(_no_targets)


def reaches(table: Table, start: AreaId, target: AreaId, card: UnitCard, kind: AttackKind) -> bool:
    """JA-110, JA-111, JA-113, JA-114: whether a card's attack of a kind reaches a target from an area; JA-368: for a
    gigantic creature from any area of its hex.
    """
    areas, starts = whole(table, target), whole(table, start) if card.gigantic else (start,)
    if kind == "melee":
        return card.melee is not None and any(melee_reach(table, here, area) for here in starts for area in areas)
    shooting = card.shoot
    if shooting is None:
        return False
    return any(shot_bar(table, here, area, shooting) is None for here in starts for area in areas)


def besieged(table: Table, card: UnitCard) -> Iterator[AreaId]:
    """Ledger 6.3, siege: areas with a building that can be shot at without an enemy there."""
    if "siege" in card.powers:
        for area, lying in table.furnishings.items():
            if lying.building is not None and not lying.rubble:
                yield area


def is_building(table: Table, area: AreaId) -> bool:
    """Whether a building stands in an area that is no rubble."""
    lying = furnishing(table, area)
    return lying.building is not None and not lying.rubble
