"""The losses of the board to fire (JA-239) and to enemies that enter or cross. Events carry them as values."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from domain.joan_of_arc.board.hexes import AreaId, Border, border
from domain.joan_of_arc.board.table import Standing, Table, edge_between, furnishing, units_in
from domain.joan_of_arc.board.terrain import Element

BURNING: Final[tuple[Element, ...]] = ("tree", "bush")


class Burnt(Struct, frozen=True):
    """JA-239: the things that a fire token consumes in one camp phase; JA-242: the building that it damages by one.

    `stakes`: the edge on which a piece burns; `building`: the ground area in which the damaged building stands.
    """

    elements: tuple[Element, ...] = ()
    barricade: bool = False
    stakes: Border | None = None
    building: AreaId | None = None


def burns(table: Table, area: AreaId) -> Burnt:
    """JA-239, JA-242, JA-Q45: the fire in an area consumes one of each kind present.

    A fire inside a building damages it too; rubble takes no more damage.
    """
    here, lying = table.board.areas[area], furnishing(table, area)
    standing_in = area if here.around is None else here.around
    built = furnishing(table, standing_in)
    return Burnt(
        tuple(kind for kind in BURNING if kind in lying.elements),
        lying.barricade is not None,
        next(_stakes_of(table, area), None),
        standing_in if built.building is not None and not built.rubble else None,
    )


def _stakes_of(table: Table, area: AreaId) -> Iterator[Border]:
    """The stakes on the edges of an area, from edge 0 on."""
    here = table.board.areas[area]
    for edge in sorted(here.edges) if here.level == "ground" else ():
        found = table.edges.get(border(here.hex, edge))
        if found is not None and found.feature == "stakes":
            yield border(here.hex, edge)


def in_the_fire(table: Table, area: AreaId) -> tuple[Standing, ...]:
    """JA-240, JA-Q45: the units that a fire token in this very area burns, by id; JA-270: not fireproof units.

    JA-Q56: nor carried units.
    """
    found = (unit for unit in units_in(table, area) if not unit.card.skills.fireproof and not unit.carried)
    return tuple(sorted(found, key=lambda unit: unit.unit))


def tears_down_barricade(table: Table, end: AreaId, side: str) -> bool:
    """JA-220, JA-Q43: whether a unit of this side removes a barricade of another side by entering."""
    built_by = furnishing(table, end).barricade
    return built_by is not None and built_by != side


def crosses_stakes(table: Table, start: AreaId, end: AreaId, side: str) -> Border | None:
    """JA-333: the edge whose stakes, of another side, a unit of this side removes by crossing it."""
    found = edge_between(table, start, end)
    shared = table.board.shared_edge(start, end)
    if found is None or shared is None or found.feature != "stakes" or found.side == side:
        return None
    return border(*shared)
