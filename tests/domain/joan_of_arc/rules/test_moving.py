"""Rows of declaring and moving; recruiting civilians."""

from typing import Any

from domain.joan_of_arc.state.events import (
    ActionDeclared,
    BarricadeRemoved,
    CivilianRecruited,
    CivilianReleased,
    StakesRemoved,
    UnitsMoved,
    UnitWaited,
)
from tests.domain.joan_of_arc.fixtures import L0, L1, L2, SA, SB
from tests.domain.joan_of_arc.table import Table, given

FOE = {"units": ["f1: f_voulgiers @L4"]}


def ordered(units: list[str], at: str = L0, **position: Any) -> Table:
    """The first player orders an area."""
    orders = {"orders": "3 command, 1 reactivation", "units": units}
    return given(**{"seat0": orders, "seat1": FOE, **position}).do(f"PlayOrder command {at}")


def test_ja_081_ja_082_ja_083_ja_086_ja_093_ja_d06_ja_d07_all_is_declared_before_anything_is_resolved() -> None:
    table = ordered(["e1: e_billmen @L0", "e2: e_billmen @L0", "e3: e_billmen @L0"])
    table.do(f"Move {L1}", "Wait")
    assert not table.of(UnitsMoved)
    table.do(f"Move {L1}")
    assert [event.plan.action for event in table.of(ActionDeclared)] == ["move", "wait", "move"]
    assert table.offers() == ["Resolve e1", "Resolve e2"]
    table.do("Resolve e1")
    assert [(event.units, event.path) for event in table.of(UnitsMoved)] == [(("e1", "e3"), (L1,))]
    assert [(event.unit, event.rule) for event in table.of(UnitWaited)] == [("e2", "JA-089")]


def test_ja_020_ja_022_ja_092_ja_094_ja_x06_a_group_needs_room_for_all_of_it() -> None:
    units = [f"e{number}: e_billmen @Sb" for number in (1, 2, 3, 4)]
    position: dict[str, Any] = {"map": "split", "areas": {"Sa": {"terrain": "forest", "elements": {"tree": 1}}}}
    table = ordered(units, SB, seat1={"units": ["f1: f_voulgiers @E"]}, **position)
    table.do(f"Move {SA}", f"Move {SA}", f"Move {SA}")
    assert f"Move {SA}" not in table.offers()
    table.do("Wait", "Resolve e1")
    assert [table.at(f"e{number}") for number in (1, 2, 3, 4)] == ["Sa", "Sa", "Sa", "Sb"]


def test_ja_098_ja_099_ja_101_ja_q29_ja_x07_recruiting_and_releasing() -> None:
    civilians = ["c1: c_villager @L1", "c2: c_priest @L1"]
    table = ordered(["e1: e_billmen @L0"], civilians=civilians).do(f"Move {L1}")
    assert [(event.seat, event.units) for event in table.of(CivilianRecruited)] == [(0, ("c1", "c2"))]
    table.do(f"PlayOrder command {L1}", "Wait", f"Move {L2}", f"Move {L2}", "Resolve c2")
    assert [event.units for event in table.of(CivilianReleased)] == [("c1",)]
    assert (table.unit("c1").owner, table.unit("c2").owner, table.at("c2")) == (None, 0, "L2")


def test_ja_091_ja_095_ja_024_ja_x08_only_over_a_border_and_not_where_nobody_may_go() -> None:
    areas = {"E": {"impassable": True}}
    table = ordered(["e1: e_billmen @Sa"], SA, map="split", areas=areas, seat1={"units": ["f1: f_voulgiers @W"]})
    assert table.offers() == ["Wait", "Move 1,-1:a", "Move 0,0:b", "Move 0,0:c"]


def test_ja_096_ja_097_ja_029_infantry_enters_the_house_of_its_area_and_riders_do_not() -> None:
    areas = {"L0": {"terrain": "village", "building": "small_house"}}
    inside = "Move 0,0:a/small_house"
    assert inside in ordered(["e1: e_billmen @L0"], areas=areas).offers()
    assert inside not in ordered(["e1: e_knights @L0"], areas=areas).offers()
    table = ordered(["e1: e_billmen @L0/small_house"], "0,0:a/small_house", areas=areas)
    assert table.offers() == ["Wait", f"Move {L0}"]


def test_ja_220_ja_333_who_enters_tears_down_enemy_barricades_and_stakes() -> None:
    areas = {"L1": {"terrain": "forest", "barricade": "french"}}
    table = ordered(["e1: e_billmen @L0"], areas=areas, edges={"L0-L1": "stakes french"}).do(f"Move {L1}")
    assert [event.area for event in table.of(BarricadeRemoved)] == [L1]
    assert [event.edge for event in table.of(StakesRemoved)] == ["0,0/0"]
    own = ordered(["e1: e_billmen @L0"], edges={"L0-L1": "stakes english"}).do(f"Move {L1}")
    assert not own.of(StakesRemoved)


def test_ja_385_a_war_machine_moves_once_a_turn() -> None:
    table = ordered(["tr: e_trebuchet @L0"]).do(f"Move {L1}", f"PlayOrder reactivation {L1}")
    assert table.offers() == ["Wait", "Shoot 4,0:a"]


def test_ja_355_ja_361_ja_362_ja_q81_a_flyer_changes_level_once_a_turn() -> None:
    sky: dict[str, Any] = {
        "map": "wyrm_of_rougemont",
        "sky": ["sky1", "sky2"],
        "seat1": {"units": ["f1: f_voulgiers @2,0:a"]},
    }
    table = ordered(["i: m_imps @0,-1:a"], "0,-1:a", **sky)
    assert "Move sky:0,0:a" in table.offers()
    assert "Move 2,0:a" not in table.offers()
    table.do("Move sky:0,0:a", "PlayOrder reactivation sky:0,0:a")
    assert table.offers() == ["Wait", "Move sky:1,0:a"]
    walker = ordered(["e: e_billmen @0,-1:a"], "0,-1:a", **sky)
    assert not [text for text in walker.offers() if "sky" in text]


def test_ja_333_stakes_that_any_unit_of_a_group_crosses_are_removed() -> None:
    units = ["bp: e_black_prince_1 @W", "e1: e_billmen @NW", "e2: e_billmen @SW"]
    table = given(
        map="flower",
        seat0={"orders": "1 command", "units": units},
        seat1={"units": ["f1: f_voulgiers @E"]},
        edges={"SW-C": "stakes french"},
    )
    table.do("PlayOrder command -1,0:a", "Wait", "Command bp", "CommandThese e1 e2", "Move 0,0:a", "Move 0,0:a")
    assert (table.at("e1"), table.at("e2"), table.state.field.edges) == ("C", "C", {})
