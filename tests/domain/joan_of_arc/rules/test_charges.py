"""Rows of charges and of cavalry breakthrough."""

from typing import Any

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.rules.actions.charging import Charge
from domain.joan_of_arc.state.attack_events import AttackDeclared
from domain.joan_of_arc.state.events import UnitsMoved, UnitWaited
from tests.domain.joan_of_arc.fixtures import L0, L1, L2, L3
from tests.domain.joan_of_arc.table import GAME, Table, given


def charging(units: list[str], theirs: list[str], dice: str = "", at: str = L0, **position: Any) -> Table:
    seat0 = {"orders": "1 charge, 1 reactivation", "units": units}
    return given(dice, seat0=seat0, seat1={"units": theirs}, **position).do(f"PlayOrder charge {at}")


def charges(table: Table) -> list[Charge]:
    form = GAME.revive_decision(table.asked()).form(table.state)
    return [choice for choice in form if isinstance(choice, Charge)]


def test_ja_204_ja_206_ja_q41_cavalry_charges_over_two_areas_with_or_without_an_attack() -> None:
    riders = charging(["k: e_knights @L0"], ["f1: f_voulgiers @L3"])
    assert charges(riders) == [Charge((L1,)), Charge((L1, L2)), Charge((L1, L2), L3)]
    riders.answer(Charge((L1, L2)))
    assert [(event.kind, event.path) for event in riders.of(UnitsMoved)] == [("charge", (L1, L2))]


def test_ja_064_ja_208_no_charge_into_an_interior() -> None:
    areas = {"L1": {"terrain": "village", "building": "small_house"}}
    found = charges(charging(["k: e_knights @L0"], ["f1: f_voulgiers @L4"], areas=areas))
    assert not [charge for charge in found if "/" in "".join(charge.path)]


def test_ja_209_ja_302_ja_q40_no_charge_from_a_swamp_or_to_its_end_in_one_or_against_one() -> None:
    bog = {"terrain": "swamp"}
    assert not charges(charging(["k: e_knights @L0"], ["f1: f_voulgiers @L3"], areas={"L0": bog}))
    assert charges(charging(["k: e_knights @L0"], ["f1: f_voulgiers @L3"], areas={"L2": bog})) == [Charge((L1,))]
    assert Charge((L1, L2), L3) not in charges(
        charging(["k: e_knights @L0"], ["f1: f_voulgiers @L3"], areas={"L3": bog})
    )


def test_ja_303_ja_q40_a_swamp_on_the_way_stops_the_charge() -> None:
    table = charging(["k: e_knights @L0"], ["f1: f_voulgiers @L3"], areas={"L1": {"terrain": "swamp"}})
    table.answer(Charge((L1, L2), L3))
    assert (table.at("k"), table.of(AttackDeclared)) == ("L1", [])
    assert [(event.unit, event.rule) for event in table.of(UnitWaited)] == [("k", "JA-303")]


def test_ja_q42_ja_149_chargers_and_others_make_one_attack_after_the_charge() -> None:
    seat0 = {"orders": "1 charge, 1 reactivation", "units": ["k: e_knights @W", "b: e_billmen @W"]}
    table = given("red=S red=S red=S white=B", seat0=seat0, seat1={"units": ["f1: f_voulgiers @C"]}, map="flower")
    table.do("PlayOrder charge -1,0:a", "Melee 0,0:a")
    table.answer(Charge((AreaId("0,-1:a"),), AreaId("0,0:a")))
    declared = table.of(AttackDeclared)
    assert len(declared) == 1
    assert declared[0].starts == (("b", "-1,0:a"), ("k", "0,-1:a"))
    assert declared[0].charged == ("k",)


def test_ja_294_ja_q65_a_hill_on_the_way_gives_no_reroll() -> None:
    hill = {"L1": {"terrain": "hill"}}
    table = charging(["k: e_knights @L0"], ["f1: f_voulgiers @L3"], "red=S red=S white=B", areas=hill)
    table.answer(Charge((L1, L2), L3))
    assert table.of(AttackDeclared)[0].smooth == ()


def test_ja_345_ja_346_ja_q72_ja_d33_cavalry_breaks_through() -> None:
    rules = {"cavalry_breakthrough": True}
    table = charging(["k: e_knights @L0"], ["f1: f_voulgiers @L2"], "red=K red=S white=B", rules=rules)
    table.answer(Charge((L1,), L2)).do("LeaveDice")
    assert table.offers() == ["HoldBack", f"BreakThrough {L3}"]
    table.do(f"BreakThrough {L3}")
    assert (table.at("k"), table.of(UnitsMoved)[-1].kind) == ("L3", "breakthrough")


def test_ja_345_no_breakthrough_where_too_few_are_gone_or_without_the_rule() -> None:
    plain = charging(["k: e_knights @L0"], ["f1: f_voulgiers @L2"], "red=K red=S white=B")
    plain.answer(Charge((L1,), L2)).do("LeaveDice")
    assert plain.kinds() == ["0 FollowUpChoice"]


def test_ja_276_ja_q72_who_is_impetuous_follows_up_instead() -> None:
    rules = {"cavalry_breakthrough": True}
    table = charging(
        ["t: e_talbot @L0"], ["f1: f_voulgiers @L2", "x: f_peasants @L4"], "red=K red=S white=B", rules=rules
    )
    table.answer(Charge((L1,), L2)).do("LeaveDice")
    assert table.at("t") == "L2"


def test_ja_q72_who_has_ridden_on_does_not_follow_up_too() -> None:
    seat0 = {"orders": "1 charge, 1 reactivation", "units": ["k: e_knights @W"]}
    table = given(
        "red=K red=S white=B",
        map="flower",
        rules={"cavalry_breakthrough": True},
        seat0=seat0,
        seat1={"units": ["f1: f_voulgiers @C", "x: f_peasants @E"]},
    )
    table.do("PlayOrder charge -1,0:a").answer(Charge((AreaId("0,-1:a"),), AreaId("0,0:a")))
    table.do("LeaveDice", "BreakThrough 1,-1:a")
    assert (table.at("k"), table.kinds()) == ("NE", ["0 OrderChoice"])


def test_ja_345_who_dodges_was_attacked_and_who_stays_for_a_wound_was_not_pushed() -> None:
    rules = {"cavalry_breakthrough": True}
    theirs = ["s: e_skirmishers @L2", "t: f_voulgiers @L2", "u: f_voulgiers @L2", "v: f_peasants @L2"]
    table = charging(["k: e_knights @L0"], theirs, "red=K red=S yellow=B white=D white=D white=D yellow=D", rules=rules)
    table.answer(Charge((L1,), L2)).do(f"DodgeTo {L3}", "LeaveDice", "GiveResult t")
    assert table.kinds() == ["0 OrderChoice"]
    stays = charging(["k: e_knights @L0"], ["g: f_household_guard @L2"], "red=P red=S black=D", rules=rules)
    stays.answer(Charge((L1,), L2)).do("LeaveDice", "Stay g")
    assert (stays.kinds(), stays.unit("g").wounds) == (["0 OrderChoice"], 1)


def test_ja_276_where_room_is_short_the_owner_picks_who_must_follow_up() -> None:
    areas = {"L2": {"elements": {"bush": 7}}}
    ours = ["k1: f_knights @L1", "k2: f_knights @L1"]
    table = charging(ours, ["f1: f_voulgiers @L2"], "red=K red=S red=S red=S white=B", at=L1, areas=areas, rules={})
    table.do(f"Melee {L2}", f"Melee {L2}")
    assert (table.kinds(), table.offers()) == (["0 ImpetuousChoice"], ["FollowUp k1", "FollowUp k2"])
    table.do("FollowUp k2")
    assert (table.at("k1"), table.at("k2")) == ("L1", "L2")
