"""Hexes, edges and the names of areas, as ledger 0.1 writes them: axial coordinates, pointy top, edge 0 to the east."""

from typing import Final, NewType

Hex = tuple[int, int]
"""Axial coordinates q, r."""
AreaId = NewType("AreaId", str)
"""`q,r:a` on the ground, `q,r:a/church` inside a building, `sky:q,r:a` in the sky."""
Border = tuple[Hex, int]
"""An edge between two hexes, with one name: by the hex that has it as edge 0, 1 or 2."""

STEPS: Final[tuple[Hex, ...]] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""The direction of each edge: E, NE, NW, W, SW, SE."""
EDGES: Final = tuple(range(len(STEPS)))


def across(at: Hex, edge: int) -> Hex:
    """The hex on the other side of an edge."""
    q, r = STEPS[edge]
    return at[0] + q, at[1] + r


def opposite(edge: int) -> int:
    """The number of the same edge in the hex on the other side."""
    return (edge + 3) % 6


def border(at: Hex, edge: int) -> Border:
    """The edge by its one name."""
    return (at, edge) if edge < opposite(edge) else (across(at, edge), opposite(edge))


def edge_to(at: Hex, other: Hex) -> int | None:
    """The edge that two hexes share, as the first numbers it; None if they share none."""
    step = (other[0] - at[0], other[1] - at[1])
    return STEPS.index(step) if step in STEPS else None


def distance(at: Hex, other: Hex) -> int:
    """JA-Q05: hexes from one to the other, 0 inside one hex."""
    q, r = other[0] - at[0], other[1] - at[1]
    return (abs(q) + abs(r) + abs(q + r)) // 2


def consecutive(edges: tuple[int, ...]) -> bool:
    """Whether these edges are neighbours round the hex, named in any order, each once."""
    known = set(edges)
    if not known or len(known) < len(edges) or not known <= set(EDGES):
        return False
    gaps = sum((edge + 1) % 6 not in known for edge in known)
    return gaps == 1 or len(known) == len(EDGES)


def ground_id(at: Hex, letter: str) -> AreaId:
    """An area of the ground."""
    return AreaId(f"{at[0]},{at[1]}:{letter}")


def sky_id(at: Hex, letter: str) -> AreaId:
    """An area of the sky."""
    return AreaId(f"sky:{at[0]},{at[1]}:{letter}")


def interior_id(around: AreaId, building: str) -> AreaId:
    """The inside of a building that stands in an area."""
    return AreaId(f"{around}/{building}")
