"""Rows of gigantic creatures that move and are pushed."""

from typing import Any

from domain.joan_of_arc.rules.pushing import retreats
from domain.joan_of_arc.state.events import ElementsRemoved, UnitsMoved
from domain.joan_of_arc.state.state import UnitId
from tests.domain.joan_of_arc.fixtures import NE, SA
from tests.domain.joan_of_arc.table import Table, given

ORDERS = "2 command, 2 reactivation"


def dragon(at: str, ground: str = "flower", **position: Any) -> Table:
    """A dragon of the first player, activated."""
    seat0 = {"orders": ORDERS, "units": [f"d: m_dragon @{at}"]}
    table = given(**{"map": ground, "seat0": seat0, "seat1": {"units": ["f1: f_voulgiers @E"]}, **position})
    return table.do(next(text for text in table.offers() if text.startswith("PlayOrder command")))


def strides(table: Table) -> list[str]:
    return [text.partition(" ")[2] for text in table.offers() if text.startswith("Stride")]


def test_ja_368_ja_372_a_gigantic_creature_moves_to_hexes_without_units_and_buildings() -> None:
    table = dragon("C", areas={"W": {"terrain": "village", "building": "keep"}})
    assert strides(table) == ["0,-1:a", "1,-1:a", "-1,1:a", "0,1:a"]


def test_ja_373_terrain_elements_are_removed_before_it_moves() -> None:
    areas = {"Sa": {"terrain": "forest", "elements": {"tree": 2}}, "Sc": {"elements": {"well": 1}}}
    table = dragon("NE", "split", areas=areas).do(f"Stride {SA}")
    assert [(event.area, event.elements) for event in table.of(ElementsRemoved)] == [
        (SA, ("tree", "tree")),
        ("0,0:c", ("well",)),
    ]
    assert [(event.path, event.kind) for event in table.of(UnitsMoved)] == [((SA,), "stride")]
    assert table.at("d") == "Sa"


def test_ja_q88_a_gigantic_flyer_changes_level_by_whole_hexes_once_a_turn() -> None:
    sky: dict[str, Any] = {"sky": ["sky3", "sky2"]}
    table = dragon("C", **sky)
    assert [area for area in strides(table) if "sky" in area] == ["sky:0,0:a", "sky:1,0:a"]
    table.do("Stride sky:0,0:a", "PlayOrder reactivation sky:0,0:a reactivation")
    assert strides(table) == ["sky:1,0:a"]


def test_ja_q52_a_push_moves_it_by_whole_hexes_that_it_could_move_to() -> None:
    around = [f"f{number}: f_voulgiers @{spot}" for number, spot in enumerate(("E", "NW", "W", "SW"))]
    table = dragon("C", seat1={"units": around}, areas={"SE": {"terrain": "village", "building": "keep"}})
    assert retreats(table.state, UnitId("d")) == (NE,)
