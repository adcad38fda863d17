"""Terrain, terrain elements and buildings, and their effects (sections U and V, ledger 6.10)."""

from typing import Annotated, ClassVar, Final, Literal, get_args

from msgspec import Meta, Struct

from domain.joan_of_arc.cards.packaged import load

GroundTerrain = Literal["plain", "field", "forest", "village", "hill", "rocks", "swamp"]
SkyTerrain = Literal["blue_sky", "clouds", "rainbow"]
Terrain = GroundTerrain | SkyTerrain
Element = Literal["tree", "bush", "rocky_outcrop", "ruins", "shrine", "well"]
ELEMENTS: Final[tuple[Element, ...]] = get_args(Element)
BuildingType = Literal[
    "small_house",
    "big_house",
    "church",
    "small_cottage",
    "big_cottage",
    "shop",
    "watermill",
    "inn",
    "keep",
    "ramparts",
    "gatehouse",
    "isolated_tower",
]

ELEMENT_SIZE: Final = 1
"""JA-304: the size of a terrain element."""
ELEMENT_RESISTANCE: Final = 1
"""JA-304: the damage that removes a terrain element."""
RUBBLE_SIZE: Final = 1
"""JA-322, JA-326: the spaces that rubble uses in its ground area."""
BARRICADE_SIZE: Final = 1
"""JA-216, JA-328: the spaces that a barricade uses where it stands."""
AREA_CAPACITY: Final = {1: 8, 2: 6, 3: 4}
"""JA-018, JA-019, JA-020: the spaces of an area, by the number of areas of its hex."""

HIGH: Final = frozenset[Terrain]({"hill", "rocks"})
"""JA-299, JA-300: terrain that stops direct shots, and terrain that extends their range."""


class Construction(Struct, frozen=True, forbid_unknown_fields=True):
    """JA-305 `size`, JA-306 `capacity`, JA-307 `resistance` of a building."""

    rule: ClassVar[str] = "ledger 6.10"

    size: Annotated[int, Meta(ge=1, le=8)]
    capacity: Annotated[int, Meta(ge=1, le=8)]
    resistance: Annotated[int, Meta(ge=1, le=8)]


BUILDINGS: Final = load("buildings", dict[BuildingType, Construction])
"""JA-310 to JA-321: every kind of building."""
