"""A gigantic creature and its hex: attacked, pushed, shooting (JA-368, JA-Q52)."""

from typing import Any

from domain.joan_of_arc.state.attack_events import DiceThrown
from domain.joan_of_arc.state.events import UnitsMoved
from tests.domain.joan_of_arc.fixtures import L1, SA, W
from tests.domain.joan_of_arc.table import Table, given


def hunt(dice: str, hunters: list[str], dragon: str, **position: Any) -> Table:
    """SPLIT: units on W hunt the dragon that fills the hex of three areas, of which W touches the second."""
    seat0 = {"orders": "2 command", "units": hunters}
    table = given(dice, **{"map": "split", "seat0": seat0, "seat1": {"units": [dragon]}, **position})
    return table.do(f"PlayOrder command {W}", *[f"Melee {SA}" for _ in hunters])


def test_ja_148_ja_q52_who_killed_it_follows_up_into_the_area_that_it_touches() -> None:
    dice = "black=D black=D red=K red=S red=S red=S black=D black=D"
    table = hunt(dice, ["k1: e_knights @W", "k2: e_knights @W"], "d: m_dragon @Sa wounds:8")
    assert (table.at("d"), table.kinds()) == ("graveyard", ["0 FollowUpChoice"])
    table.do("FollowUp k1")
    assert (table.at("k1"), table.at("k2")) == ("Sb", "W")
    assert [(event.units, event.kind) for event in table.of(UnitsMoved)] == [(("k1",), "follow_up")]


def test_ja_276_ja_q52_the_impetuous_must_follow_up_into_it() -> None:
    dice = "black=D black=D red=K red=S black=D black=D"
    table = hunt(dice, ["k1: f_knights @W"], "d: m_dragon @Sa wounds:8")
    assert table.at("k1") == "Sb"


def test_ja_q52_it_is_pushed_by_whole_hexes_where_the_attacker_says_unless_it_stays() -> None:
    dice = "black=D black=D red=P red=S black=D black=D"
    table = hunt(dice, ["k1: e_knights @W"], "d: m_dragon @Sa wounds:7")
    assert (table.kinds(), table.offers()) == (["1 StayOffer"], ["GiveWay d", "Stay d"])
    table.do("GiveWay d")
    assert table.kinds() == ["0 PushDestination"]
    ring = ["0,-1:a", "1,-1:a", "1,0:a", "-1,1:a", "0,1:a"]
    assert sorted(table.offers()) == sorted(f"PushTo d {area}" for area in ring)
    stays = hunt(dice, ["k1: e_knights @W"], "d: m_dragon @Sa wounds:7").do("Stay d")
    assert (stays.unit("d").wounds, stays.at("d")) == (8, "Sa")


def test_ja_139_ja_q52_without_a_hex_to_go_to_it_takes_a_wound_or_its_last() -> None:
    dice = "black=D black=D red=P red=S black=D black=D"
    crowd = ["k1: e_knights @W"] + [f"c{at}: e_billmen @{at}" for at in ("E", "NE", "NW", "SW", "SE")]

    def beset(wounds: int) -> Table:
        seat0 = {"orders": "2 command", "units": crowd}
        table = given(
            dice,
            map="split",
            seat0=seat0,
            seat1={"units": [f"d: m_dragon @Sa wounds:{wounds}", "i: m_imps @sky:0,0:a"]},
            sky=["sky1", "sky2"],
        )
        return table.do(f"PlayOrder command {W}", f"Melee {SA}", "GiveWay d")

    assert (beset(7).unit("d").wounds, beset(7).at("d")) == (8, "Sa")
    assert beset(8).at("d") == "graveyard"


def test_ja_358_ja_q52_clouds_do_not_help_it() -> None:
    seat0 = {"orders": "1 command", "units": ["b: e_bowmen @L1"]}
    foes = {"units": ["d: m_dragon @sky:1,0:a"]}
    table = given("yellow=B white=B black=K black=K", sky=["sky1", "sky2"], seat0=seat0, seat1=foes)
    table.do(f"PlayOrder command {L1}", "Shoot sky:1,0:a")
    assert [len(event.dice) for event in table.of(DiceThrown)] == [2, 2]


def test_ja_380_ja_q52_a_trample_on_any_area_of_its_hex_pushes_it() -> None:
    seat0 = {"orders": "2 command", "units": ["d: m_dragon @NE"]}
    terror = "black=S black=S"
    dice = f"{terror} gigantic=D gigantic=T gigantic=D"
    table = given(dice, map="split", seat0=seat0, seat1={"units": ["e: m_dragon @Sa"]})
    table.do("PlayOrder command 1,-1:a command", f"Trample {SA}")
    table.roll("black=S black=S").do("AssignDice disrupt trample disrupt", "UseShields 1")
    assert (table.kinds(), table.offers()) == (["1 StayOffer"], ["GiveWay e", "Stay e"])


def test_ja_368_ja_117_it_shoots_from_any_area_of_its_hex() -> None:
    seat0 = {"orders": "2 command", "units": ["d: m_dragon @Sa"]}
    hill = {"Sb": {"terrain": "hill"}, "Sc": {"terrain": "hill"}}
    table = given(map="split", areas=hill, seat0=seat0, seat1={"units": ["e: f_peasants @W"]})
    table.do(f"PlayOrder command {SA} command")
    assert f"Shoot {W}" in table.offers()
