"""Ranges (JA-033), lines of sight for direct shots (JA-Q18), and reach in melee, on both levels."""

from enum import StrEnum

from domain.joan_of_arc.board.hexes import AreaId, across, distance
from domain.joan_of_arc.board.table import Table, adjacent, high, stops_shots
from domain.joan_of_arc.cards.units import Shooting


class ShotBar(StrEnum):
    """The reasons that bar a shot: the refusals of ledger 0.7."""

    OUT_OF_RANGE = "OUT_OF_RANGE"
    LINE_BLOCKED = "LINE_BLOCKED"
    WALLS_BETWEEN = "NOT_A_TARGET"


def in_range(table: Table, start: AreaId, end: AreaId, range_hexes: int) -> bool:
    """JA-033, JA-Q05: whether the target's hex is in range on the same level; an adjacent area always is."""
    board = table.board
    return board.touch(start, end) or distance(board.areas[start].hex, board.areas[end].hex) <= range_hexes


def melee_reach(table: Table, start: AreaId, end: AreaId) -> bool:
    """JA-111: whether melee reaches from an area to another: adjacent ones. JA-030: those inside one building reach
    each other. JA-363: it never reaches the other level. JA-112: terrain does not matter.
    """
    if start == end:
        return table.board.areas[start].level == "interior"
    return end in adjacent(table, start)


def shot_bar(table: Table, start: AreaId, end: AreaId, shooting: Shooting) -> ShotBar | None:
    """The reason why a shooting attack does not reach one area from another; None if it does. Owners do not matter.

    JA-109, JA-Q16: nobody shoots into or out of a building, except between it and the ground around it; shots within it
    are possible. JA-364, JA-365, JA-Q75: range 1 or more reaches every area of the other level, from the sky every sky
    area too.
    """
    here, there = table.board.areas[start], table.board.areas[end]
    if "interior" in {here.level, there.level}:
        return None if melee_reach(table, start, end) else ShotBar.WALLS_BETWEEN
    if "sky" in {here.level, there.level}:
        return None
    reach = shooting.range_hexes + (1 if high(table, start) else 0)  # JA-300
    if not in_range(table, start, end, reach):
        return ShotBar.OUT_OF_RANGE
    if shooting.mode == "arcing" or clear(table, start, end):  # JA-116
        return None
    return ShotBar.LINE_BLOCKED


def clear(table: Table, start: AreaId, end: AreaId) -> bool:
    """JA-117, JA-Q18: whether some shortest chain of adjacent ground areas has nothing between its ends that
    stops shots. The shooter's own area stops nothing; the shot reaches the target's area.
    """
    seen, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        for there in _nearer(table, here, end):
            if there == end:
                return True
            if there not in seen and not stops_shots(table, there):
                seen.add(there)
                waiting.append(there)
    return False


def _nearer(table: Table, here: AreaId, end: AreaId) -> list[AreaId]:
    """The adjacent areas of the same hex, and those of hexes nearer to the target's."""
    areas, goal = table.board.areas, table.board.areas[end].hex
    at = areas[here].hex
    allowed = {at} | {across(at, edge) for edge in areas[here].edges}
    near = {spot for spot in allowed if spot == at or distance(spot, goal) < distance(at, goal)}
    return [there for there in table.board.beside[here] if areas[there].hex in near]
