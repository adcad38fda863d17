"""Ways of several areas (JA-Q38): haste, charges, forced marches, effects that move units."""

from collections.abc import Collection, Iterator

from domain.commons.identity_cache import once_of
from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.table import Standing, Table, adjacent, move_bar

Way = tuple[AreaId, ...]


def ways(table: Table, start: AreaId, group: Collection[Standing], side: str, most: int) -> Iterator[Way]:
    """The ways of one area up to `most`, no area twice: each entered is free or allied, enterable, and has room for
    the whole group; the start does not count. Levels are not changed on the way.
    """
    waiting: list[Way] = [(start,)]
    while waiting:
        way = waiting.pop(0)
        for end in table.board.in_order(adjacent(table, way[-1])):
            if end not in way and move_bar(table, way[-1], end, group, side) is None:
                yield (*way[1:], end)
                if len(way) < most:
                    waiting.append((*way, end))


Known = dict[tuple[AreaId, str, bool, str, int], tuple[Way, ...]]


def _none_known(_: Table) -> Known:
    """The cache of the ways of single units over a table."""
    return {}


_known = once_of(_none_known)


def ways_alone(table: Table, start: AreaId, unit: Standing, side: str, most: int) -> tuple[Way, ...]:
    """The ways of one unit by itself, computed once for all units of a card that start in one area."""
    known = _known(table)
    key = (start, unit.card.id, unit.card.skills.big, side, most)
    found = known.get(key)
    if found is None:
        found = known[key] = tuple(ways(table, start, (unit,), side, most))
    return found
