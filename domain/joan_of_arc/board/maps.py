"""Maps: a board without pieces, as a file holds it (ledger 6.11), and the sky tiles (ledger 6.9)."""

from typing import Annotated, ClassVar, Final, Literal

import msgspec
from msgspec import Meta, Struct

from domain.joan_of_arc.board.terrain import BuildingType, Element, GroundTerrain, SkyTerrain
from domain.joan_of_arc.cards.packaged import load, names_in, read_file
from domain.joan_of_arc.cards.units import Name, Slug

FARTHEST: Final = 40
"""The largest distance of a hex from the middle; no table is larger."""
MOST_HEXES: Final = 400
"""The most hexes of a map."""

Coordinate = Annotated[int, Meta(ge=-FARTHEST, le=FARTHEST)]
Edge = Annotated[int, Meta(ge=0, le=5)]
Letter = Literal["a", "b", "c"]
SeatName = Annotated[str, Meta(pattern=r"^P[1-8]$")]
"""A seat as a scenario names it: P1 is the first of its list."""
TileName = Literal["sky1", "sky2", "sky3", "sky4", "sky5", "sky6"]
PlaceName = Literal["start_1", "start_2", "1st", "2nd", "3rd", "4th", "5th"]


class MapPart(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The base of everything that a map file holds."""

    rule: ClassVar[str] = "ledger 6.11"


class AreaPlan(MapPart, frozen=True):
    """An area of a hex: its terrain and contents, and the edges it owns (ledger 0.1)."""

    id: Letter
    terrain: GroundTerrain
    edges: Annotated[tuple[Edge, ...], Meta(min_length=1, max_length=6)]
    elements: dict[Element, Annotated[int, Meta(ge=1, le=8)]] = {}
    building: BuildingType | None = None
    impassable: bool = False


class HexPlan(MapPart, frozen=True):
    """A hex tile at axial coordinates, of one to three areas."""

    q: Coordinate
    r: Coordinate
    areas: Annotated[tuple[AreaPlan, ...], Meta(min_length=1, max_length=3)]


class EdgeFeature(MapPart, frozen=True):
    """JA-330, JA-335: stakes or a wall on an edge; stakes have an owner."""

    q: Coordinate
    r: Coordinate
    edge: Edge
    feature: Literal["stakes", "wall"]
    owner: SeatName | None = None


class SkyPlan(MapPart, frozen=True):
    """A sky board: drawn by chance, or of these tiles on the places of the layout in their order."""

    mode: Literal["random", "plan"]
    tiles: tuple[TileName, ...] = ()


class Map(MapPart, frozen=True):
    """A board without pieces."""

    id: Slug
    name: Name
    hexes: Annotated[tuple[HexPlan, ...], Meta(min_length=1, max_length=MOST_HEXES)]
    edge_features: tuple[EdgeFeature, ...] = ()
    sky: SkyPlan | None = None


class SkyTile(Struct, frozen=True, forbid_unknown_fields=True):
    """A sky tile: its areas as letter, edges and terrain."""

    id: TileName
    areas: tuple[tuple[Letter, tuple[Edge, ...], SkyTerrain], ...]


class SkyLayout(Struct, frozen=True, forbid_unknown_fields=True):
    """JA-Q74: the sky tiles, and their places, in the order of `places`."""

    tiles: tuple[SkyTile, ...]
    places: dict[PlaceName, tuple[int, int]]


SKY: Final = load("sky", SkyLayout)
SHIPPED_MAPS: Final = {name: msgspec.json.decode(read_file(f"maps/{name}"), type=Map) for name in names_in("maps")}
"""The maps that come with the game, by id."""
