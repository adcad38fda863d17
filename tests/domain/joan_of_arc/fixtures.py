"""The fixtures of ledger 0.2: LINE, FLOWER, SPLIT, and units by their card."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from domain.joan_of_arc.board.board import Board, Layout
from domain.joan_of_arc.board.hexes import AreaId, border
from domain.joan_of_arc.board.maps import AreaPlan, EdgeFeature, HexPlan, Map, TileName
from domain.joan_of_arc.board.table import EdgeStanding, Furnishing, Standing, Table, laid_out
from domain.joan_of_arc.cards.cards import index_of

ALL = (0, 1, 2, 3, 4, 5)
SPOTS = {"C": (0, 0), "E": (1, 0), "NE": (1, -1), "NW": (0, -1), "W": (-1, 0), "SW": (-1, 1), "SE": (0, 1)}
L0, L1, L2, L3, L4 = (AreaId(f"{q},0:a") for q in range(5))
C, E, NE, NW, W, SW, SE = (AreaId(f"{q},{r}:a") for q, r in SPOTS.values())
SA, SB, SC = (AreaId(f"0,0:{letter}") for letter in "abc")


def plain(q: int, r: int, **area: Any) -> HexPlan:
    """A hex of one area."""
    return HexPlan(q, r, (AreaPlan("a", area.pop("terrain", "plain"), ALL, **area),))


def line(**areas: Mapping[str, Any]) -> Map:
    """LINE; `L1={"terrain": "hill"}` says otherwise of an area."""
    return Map("line", "Line", tuple(plain(q, 0, **areas.get(f"L{q}", {})) for q in range(5)))


FLOWER = Map("flower", "Flower", tuple(plain(*spot) for spot in SPOTS.values()))
PARTS = tuple(
    AreaPlan(letter, "plain", edges)  # type: ignore[arg-type]  # a letter is one
    for letter, edges in (("a", (0, 1)), ("b", (2, 3)), ("c", (4, 5)))
)
SPLIT = Map("split", "Split", (HexPlan(0, 0, PARTS), *(plain(*spot) for name, spot in SPOTS.items() if name != "C")))


def unit(name: str, side: str | None = "english") -> Standing:
    """`e1 e_billmen`: a unit of a card."""
    number, _, card = name.partition(" ")
    return Standing(number, index_of(None).units[card], side)


def table(
    ground: Map,
    english: Mapping[AreaId, str] | None = None,
    french: Mapping[AreaId, str] | None = None,
    sky: tuple[TileName, ...] = (),
    **lying: Furnishing,
) -> Table:
    """A table; `english` and `french` name cards by area: `{L0: "e_bowmen 2 e_billmen"}`."""
    standing: dict[AreaId, tuple[Standing, ...]] = {}
    for side, forces in (("english", english or {}), ("french", french or {})):
        for area, cards in forces.items():
            standing[area] = (*standing.get(area, ()), *_units(cards, side, str(area)))
    bare = laid_out(Board(Layout(ground, sky)), {"P1": "english", "P2": "french"})
    return replace(bare, standing=standing)


def _units(cards: str, side: str, area: str) -> Iterable[Standing]:
    number = 1
    for word in cards.split():
        if word.isdecimal():
            number = int(word)
            continue
        for one in range(number):
            yield unit(f"{word}@{area}#{one} {word}", side)
        number = 1


def lie(found: Table, area: AreaId, **fields: Any) -> Table:
    """The table with other things lying in an area."""
    there = replace(found.furnishings.get(area, Furnishing()), **fields)
    return replace(found, furnishings={**found.furnishings, area: there})


def stand(found: Table, q: int, r: int, edge: int, feature: EdgeStanding) -> Table:
    """The table with stakes or a wall on an edge."""
    return replace(found, edges={**found.edges, border((q, r), edge): feature})


def feature(q: int, r: int, edge: int, kind: Any, owner: str | None = None) -> EdgeFeature:
    """Stakes or a wall of a map."""
    return EdgeFeature(q, r, edge, kind, owner)
