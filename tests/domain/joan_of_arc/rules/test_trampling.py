"""Rows of gigantic attacks, of gigantic creatures and of Big units."""

from typing import Any

from domain.joan_of_arc.state.attack_events import DiceThrown, GiganticDiceAssigned, ResultAllocated
from domain.joan_of_arc.state.events import BuildingRemoved, ElementsRemoved, UnitMarked, UnitsMoved
from tests.domain.joan_of_arc.fixtures import L1, L2, NE, SA
from tests.domain.joan_of_arc.table import Table, given

COTTAGE = {"terrain": "village", "building": "small_house"}


def dragon(dice: str, theirs: list[str], **position: Any) -> Table:
    """SPLIT: a dragon on NE, beside the hex of three areas."""
    seat0 = {"orders": "2 command, 2 reactivation", "units": ["d: m_dragon @NE"]}
    table = given(dice, **{"map": "split", "seat0": seat0, "seat1": {"units": theirs}, **position})
    return table.do(next(text for text in table.offers() if text.startswith("PlayOrder command")))


def test_ja_374_ja_376_ja_377_ja_378_ja_379_ja_380_ja_381_ja_d34_ja_x25_gigantic_attack() -> None:
    areas = {"Sa": {"elements": {"tree": 1}}, "Sb": COTTAGE}
    dice = "gigantic=D gigantic=T gigantic=P"
    table = dragon(dice, ["e1: f_voulgiers @Sa", "e2: f_voulgiers @Sa", "x: f_peasants @W"], areas=areas)
    table.do(f"Trample {SA}")
    assert (table.kinds(), len(table.offers())) == (["0 DiceAssignment"], 6)
    table.roll("white=S white=B").do("AssignDice disrupt trample push", "UseShields 1", "GiveResult e1")
    assert [str(face) for face in table.of(GiganticDiceAssigned)[0].faces] == ["disrupt", "trample", "push"]
    assert [event.given.unit for event in table.of(ResultAllocated)] == ["e1"]
    assert [event.area for event in table.of(ElementsRemoved)] == [SA]
    assert [event.area for event in table.of(BuildingRemoved)] == ["0,0:b"]
    assert (table.at("e1"), table.at("e2"), table.at("d")) == ("disrupted", "Sa", "NE")


def test_ja_380_ja_383_ja_d36_a_trample_pushes_everybody_without_a_defence() -> None:
    table = dragon("gigantic=T gigantic=T gigantic=T", ["e1: f_voulgiers @Sa", "x: f_peasants @W"]).do(f"Trample {SA}")
    assert next(event.dice for event in table.of(DiceThrown) if event.roll == "defence") == ()
    assert table.kinds() == ["0 PushDestination"]
    table.do("PushTo e1 1,0:a")
    assert (table.kinds(), table.offers()) == (["0 StrideIn"], ["HoldBackGiant", "TakeGround"])
    table.do("TakeGround")
    assert table.at("d") == "Sa"
    assert [event.kind for event in table.of(UnitsMoved)] == ["push", "follow_up"]


def test_ja_q53_shields_that_cancel_all_spare_the_trees_too() -> None:
    areas = {"Sa": {"elements": {"tree": 1}}}
    table = dragon("gigantic=D gigantic=D gigantic=D white=S", ["e1: f_voulgiers @Sa", "x: f_peasants @W"], areas=areas)
    table.do(f"Trample {SA}", "UseShields 1")
    assert not table.of(ElementsRemoved)


def test_ja_382_a_push_breaks_nothing() -> None:
    areas = {"Sb": COTTAGE}
    table = dragon("gigantic=P gigantic=P gigantic=P", ["x: f_peasants @W"], areas=areas).do(f"Trample {SA}")
    assert not table.of(BuildingRemoved)


def test_ja_375_from_the_sky_it_reaches_any_ground_hex() -> None:
    seat0 = {"orders": "2 command", "units": ["d: m_dragon @sky:0,0:a"]}
    seat1 = {"units": ["e1: f_voulgiers @SW", "e2: f_voulgiers @E"]}
    table = given(map="split", sky=["sky1", "sky2", "sky6"], seat0=seat0, seat1=seat1)
    table.do("PlayOrder command sky:0,0:a command")
    assert {"Trample 1,0:a", "Trample -1,1:a"} <= set(table.offers())
    assert f"Trample {NE}" not in table.offers()


def test_ja_251_ja_252_ja_d14_ja_q51_big_rolls_a_gigantic_die_once_a_round_together_with_others() -> None:
    units = ["m: m_tarasque @L1", "e1: e_billmen @L1"]
    seat0 = {"orders": "1 command, 1 reactivation", "units": units}
    theirs = ["f1: f_voulgiers @L2", "f2: f_voulgiers @L2"]
    dice = "red=S gigantic=D white=B white=B"
    table = given(dice, seat0=seat0, seat1={"units": theirs})
    table.do(f"PlayOrder command {L1}", f"Melee {L2}", f"Trample {L2}")
    assert [(die.unit, die.colour) for die in table.of(DiceThrown)[0].dice] == [("e1", "red"), ("m", "gigantic")]
    table.do("GiveResult f1")
    assert [event.given.unit for event in table.of(ResultAllocated)] == ["f1", "f2"]
    assert (table.at("f1"), table.at("f2"), table.unit("m").marks) == ("disrupted", "disrupted", ("trampled",))


def test_ja_374_in_the_sky_it_attacks_the_adjacent_sky_hex() -> None:
    seat0 = {"orders": "2 command", "units": ["d: m_dragon @sky:0,0:a"]}
    seat1 = {"units": ["i: m_imps @sky:1,0:a", "j: m_imps @sky:1,1:a"]}
    sky = ["sky1", "sky2", "sky6", "sky3", "sky4"]
    table = given("gigantic=P yellow=D", map="split", sky=sky, seat0=seat0, seat1=seat1)
    table.do("PlayOrder command sky:0,0:a command")
    assert "Trample sky:1,0:a" in table.offers()
    assert "Trample sky:1,1:a" not in table.offers()
    table.do("Trample sky:1,0:a")
    assert table.kinds() == ["0 PushDestination"]


def test_ja_333_a_gigantic_creature_removes_stakes_that_it_crosses() -> None:
    table = given(
        map="split",
        seat0={"orders": "2 command", "units": ["d: m_dragon @SE"]},
        seat1={"units": ["x: f_peasants @W"]},
        edges={"Sc-SE": "stakes french"},
    )
    table.do("PlayOrder command 0,1:a command", f"Stride {SA}")
    assert (table.at("d"), table.state.field.edges) == ("Sa", {})


def test_ja_q53_what_lay_in_a_building_goes_with_it() -> None:
    areas = {"Sb": COTTAGE, "Sb/small_house": {"fire": 1, "barricade": "french"}}
    table = dragon("gigantic=T gigantic=T gigantic=T", ["x: f_peasants @W"], areas=areas).do(f"Trample {SA}")
    assert [event.area for event in table.of(BuildingRemoved)] == ["0,0:b"]
    assert table.state.field.fires == {}


def test_ja_q89_walls_and_stakes_count_across_the_edge_of_the_hex_and_not_from_the_sky() -> None:
    seat0 = {"orders": "2 command", "units": ["d: m_dragon @Sa"]}
    theirs = {"units": ["b: e_bowmen @SE"]}
    edges = {"Sc-SE": "stakes french"}
    table = given("gigantic=D white=B yellow=B", map="split", seat0=seat0, seat1=theirs, edges=edges)
    table.do("PlayOrder command 0,0:a command", "Trample 0,1:a")
    assert [die.colour for die in table.of(DiceThrown)[2].dice] == ["white", "yellow"]
    sky = given(
        "gigantic=D white=B",
        map="split",
        sky=["sky1", "sky2", "sky6"],
        seat0={"orders": "2 command", "units": ["d: m_dragon @sky:0,0:a"]},
        seat1=theirs,
        edges=edges,
    )
    sky.do("PlayOrder command sky:0,0:a command", "Trample 0,1:a")
    assert [die.colour for die in sky.of(DiceThrown)[2].dice] == ["white"]


def test_ja_q89_ja_143_retaliation_strikes_the_creature_and_the_other_areas_are_still_trampled() -> None:
    seat0 = {"orders": "2 command", "units": ["d: m_dragon @NE wounds:8"]}
    theirs = ["lh: f_la_hire @Sa", "f1: f_voulgiers @Sb", "x: f_peasants @W"]
    table = given("gigantic=P gigantic=P gigantic=P", map="split", seat0=seat0, seat1={"units": theirs})
    table.do(next(text for text in table.offers() if text.startswith("PlayOrder command")))
    table.roll("black=K white=B white=D").do(f"Trample {SA}", "ReturnThese 0")
    while table.kinds() in (["1 StayOffer"], ["0 PushDestination"]):
        table.do(table.offers()[0])
    assert table.at("d") == "graveyard"


def test_ja_q77_ja_196_the_reroll_token_rolls_gigantic_dice_again_before_they_are_assigned() -> None:
    seat0 = {"orders": "2 command", "reroll": True, "units": ["d: m_dragon @W"]}
    table = given("gigantic=P", map="flower", seat0=seat0, seat1={"units": ["f1: f_voulgiers @C"]})
    table.do("PlayOrder command -1,0:a command", "Trample 0,0:a")
    assert table.kinds() == ["0 RollEffects"]
    table.roll("gigantic=K white=D").do("UseToken", "RollThese 0")
    assert (table.at("f1"), table.state.boards[0].reroll) == ("graveyard", False)


def test_ja_q82_cards_at_the_declaration_of_a_gigantic_attack() -> None:
    seat1 = {"units": ["f1: f_voulgiers @C"], "hand": ["lt_shieldwall"], "legend": 1}
    seat0 = {"orders": "2 command", "units": ["d: m_dragon @W"]}
    table = given("gigantic=K white=B black=S", map="flower", seat0=seat0, seat1=seat1)
    table.do("PlayOrder command -1,0:a command", "Trample 0,0:a", "PlayLegend lt_shieldwall", "UseShields 1")
    assert table.at("f1") == "C"


def test_ja_383_ja_362_from_the_sky_it_comes_down_into_a_hex_that_is_empty() -> None:
    table = given(
        "gigantic=K white=B",
        map="flower",
        sky=["sky1", "sky2", "sky6"],
        seat0={"orders": "2 command", "units": ["d: m_dragon @sky:0,0:a"]},
        seat1={"units": ["f1: f_voulgiers @C", "f2: f_voulgiers @W"]},
    )
    table.do("PlayOrder command sky:0,0:a command", "Trample 0,0:a", "TakeGround")
    assert (table.at("d"), [event.mark for event in table.of(UnitMarked)]) == ("C", ["changed_level"])
