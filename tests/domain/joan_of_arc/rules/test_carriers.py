"""Rows of carriers, of ransom, and of the Reroll skill."""

from typing import Any

from domain.joan_of_arc.state.events import (
    CharacterRansomed,
    PassengerSetDown,
    PassengerTaken,
    RansomRefused,
    RerollTokenTaken,
)
from tests.domain.joan_of_arc.fixtures import L2, L3, L4
from tests.domain.joan_of_arc.table import Table, given

SKY = "sky:0,0:a"
ARC = ["arc: m_archangel @L4", "joan: f_joan_1 @L4"]


def flight(units: list[str] = ARC, at: str = L4, **position: Any) -> Table:
    """LINE with a sky board; the French order an area."""
    seat1 = {"orders": "2 command, 1 reactivation", "units": units}
    table = given(**{"sky": ["sky1", "sky2"], "seat0": {"units": ["e1: e_billmen @L0"]}, "seat1": seat1, **position})
    return table.do(f"PlayOrder command {at}")


def test_ja_256_ja_258_ja_259_ja_d37_ja_d38_ja_x24_a_carrier_takes_a_character_into_the_sky() -> None:
    table = flight()
    assert f"Move {SKY} joan" in table.offers()
    table.do(f"Move {SKY} joan")
    table.do("Wait", "Resolve arc")
    assert [(event.carrier, event.unit) for event in table.of(PassengerTaken)] == [("arc", "joan")]
    assert (table.at("arc"), table.at("joan"), table.unit("joan").carrier) == (SKY, SKY, "arc")
    table.do(f"PlayOrder reactivation {SKY}")
    assert not [text for text in table.offers() if text.startswith("Move") and "sky" not in text]


def test_ja_257_ja_x24_a_passenger_is_set_down_where_the_movement_ends_on_the_ground() -> None:
    units = [f"arc: m_archangel @{SKY}", f"joan: f_joan_1 @{SKY} carrier:arc"]
    table = flight(units, SKY).do(f"Move {L2}")
    assert [event.unit for event in table.of(PassengerSetDown)] == ["joan"]
    assert (table.at("arc"), table.at("joan"), table.unit("joan").carrier) == ("L2", "L2", "")


def test_ja_259_ja_q55_both_need_room_where_they_land() -> None:
    units = [f"arc: m_archangel @{SKY}", f"joan: f_joan_1 @{SKY} carrier:arc"]
    table = flight(units, SKY, areas={"L3": {"elements": {"bush": 7}}})
    assert f"Move {L3}" not in table.offers()


def test_ja_260_ja_q56_who_is_carried_is_not_activated_and_not_hit() -> None:
    units = ["arc: m_archangel @L4", "joan: f_joan_1 @L4 carrier:arc", "f1: f_voulgiers @L3"]
    table = flight(units)
    assert table.state.activations[0].units == ("arc",)


def test_ja_261_ja_q83_a_passenger_dies_with_its_carrier_and_pays_whoever_did_it() -> None:
    units = ["arc: m_archangel @L1 wounds:3", "joan: f_joan_1 @L1 carrier:arc"]
    seat0 = {"orders": "1 command", "units": ["e1: e_knights @L0", "e2: e_billmen @L2"]}
    table = given("red=K red=S black=S black=S", seat0=seat0, seat1={"units": units})
    table.do("PlayOrder command 0,0:a", "Melee 1,0:a", "UseShields 0")
    assert (table.at("arc"), table.at("joan"), table.state.scores["english"]) == ("graveyard", "graveyard", 6)


def camp(**theirs: Any) -> Table:
    seat1 = {"units": ["f1: f_voulgiers @L4", "joan: f_joan_1 captive captor:0 wounds:2"], **theirs}
    return given(start="Camp", seat0={"units": ["e1: e_billmen @L0"]}, seat1=seat1, rules={"ransom": True})


def test_ja_348_ja_349_ja_350_ja_d55_ja_x27_a_captive_is_paid_for_and_waits() -> None:
    table = camp(xp=3)
    assert table.offers() == ["KeepPurse", "PayRansom"]
    table.do("PayRansom")
    assert [(event.unit, event.price) for event in table.of(CharacterRansomed)] == [("joan", 3)]
    assert (table.at("joan"), [board.xp for board in table.state.boards]) == ("waiting", [3, 0])


def test_ja_348_ja_q78_who_does_not_pay_is_asked_again_later() -> None:
    table = camp(xp=2, intrigue=1)
    assert table.offers() == ["KeepPurse", "ExchangeForXp", "ExchangeForLegend"]
    table.do("KeepPurse")
    assert [event.unit for event in table.of(RansomRefused)] == ["joan"]
    assert table.at("joan") == "captive"


def friar(**board: Any) -> Table:
    seat1 = {"orders": "2 command, 1 reactivation", "units": ["fr: f_friar @L4"], **board}
    return given(seat0={"units": ["e1: e_billmen @L0"]}, seat1=seat1).do(f"PlayOrder command {L4}")


def test_ja_282_ja_d51_ja_198_the_reroll_skill_takes_the_token_back_once_a_game() -> None:
    table = friar()
    assert table.offers() == ["TakeToken", "LeaveToken"]
    table.do("TakeToken")
    assert [(event.seat, event.rule) for event in table.of(RerollTokenTaken)] == [(1, "JA-282")]
    assert table.kinds() == ["1 Declaration"]
    table.do("Wait", f"PlayOrder reactivation {L4}")
    assert table.kinds() == ["1 Declaration"]
    assert friar(reroll=True).kinds() == ["1 Declaration"]


def test_ja_q55_a_follow_up_of_a_carrier_needs_room_for_its_passenger_too() -> None:
    units = ["arc: m_archangel @sky:0,0:a", "joan: f_joan_1 @sky:0,0:a carrier:arc"]
    units += [f"i{number}: m_imps @sky:0,0:a" for number in (1, 2, 3)]
    seat0 = {"units": ["d: m_imps @sky:1,0:b", "e: e_billmen @L0"]}
    dice = "red=K red=S yellow=B yellow=B yellow=B yellow=D"
    table = given(dice, sky=["sky1", "sky5"], seat0=seat0, seat1={"orders": "1 command", "units": units})
    table.do("PlayOrder command sky:0,0:a", *["Melee sky:1,0:b"] * 4)
    assert table.kinds() == ["1 FollowUpChoice"]
    assert "FollowUp arc i1 i2 i3" not in table.offers()
    table.do("FollowUp arc i1 i2")
    assert (table.at("joan"), table.at("i3")) == ("sky:1,0:b", "sky:0,0:a")


def test_ja_260_who_was_picked_up_no_longer_acts() -> None:
    table = flight(["arc: m_archangel @L4", "joan: f_joan_1 @L4", "z: f_peasants @L4"])
    table.do(f"Move {SKY} joan", "Pray xp", "Wait", "Resolve arc")
    assert "Resolve joan" in table.offers()
    table.do("Resolve joan")
    assert table.state.boards[1].xp == 0


def test_ja_257_a_passenger_is_set_down_in_a_building_too() -> None:
    areas = {"L1": {"terrain": "village", "building": "church"}}
    units = ["arc: m_archangel @L1", "joan: f_joan_1 @L1"]
    table = given(areas=areas, seat0={"units": ["e1: e_billmen @L4"]}, seat1={"orders": "1 command", "units": units})
    table.do("PlayOrder command 1,0:a", "Move 1,0:a/church joan", "Wait")
    while table.kinds() == ["1 NextAction"]:
        table.do(table.offers()[0])
    assert (table.at("arc"), table.at("joan"), table.unit("joan").carrier) == ("L1/church", "L1/church", "")
