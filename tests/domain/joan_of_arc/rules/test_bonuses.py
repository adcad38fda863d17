"""Rows of bonus actions: command, discuss, upgrade; equipment handed over."""

from typing import Any

from domain.joan_of_arc.state.events import (
    AnswerRevealed,
    CharacterUpgraded,
    DiscussionCardDrawn,
    DiscussionStarted,
    EffectSkipped,
    EquipmentDiscarded,
    EquipmentHanded,
    ResourceGained,
    UnitMarked,
    UnitRemoved,
    UnitsActivated,
)
from tests.domain.joan_of_arc.fixtures import L0, L4, NW, SW, W
from tests.domain.joan_of_arc.table import Table, given

FOE = {"units": ["f1: f_voulgiers @L4"]}
PRINCE = ["bp: e_black_prince_1 @W", "e0: e_billmen @W", "e1: e_billmen @NW", "e2: e_billmen @SW", "e3: e_billmen @C"]


def ring(units: list[str], order: str = "command", **board: Any) -> Table:
    """FLOWER, with an order on W."""
    seat0 = {"orders": f"2 {order}, 1 reactivation", "units": units, **board}
    table = given(map="flower", seat0=seat0, seat1={"units": ["f1: f_voulgiers @E"]})
    return table.do(f"PlayOrder {order} {W}")


def test_ja_084_ja_087_ja_d08_ja_164_ja_166_ja_168_ja_169_ja_170_ja_172_ja_x16_ja_d12_command_with_range_a() -> None:
    table = ring(PRINCE).do("Wait", "Wait", "Command bp")
    assert table.kinds() == ["0 CommandTargets"]
    assert table.refused("CommandThese e1 e2 e3") == "JA-168"
    assert table.refused("CommandThese e0") == "JA-172"
    table.do("CommandThese e1 e2")
    activated = table.of(UnitsActivated)[1]
    assert (activated.order, activated.units, activated.commander) == ("command", ("e1", "e2"), "bp")
    assert (NW in table.state.placed, SW in table.state.placed) == (False, False)
    table.do("Wait", "Move -1,0:a" if "Move -1,0:a" in table.offers() else "Wait")
    assert "Command bp" not in "".join(table.offers())


def test_ja_171_ja_175_ja_q36_a_command_is_an_activation_of_its_own_and_once_for_each_unit() -> None:
    units = ["bp: e_black_prince_1 @W", "la: f_la_hire @W", "e1: e_billmen @NW", "e2: e_billmen @C"]
    table = ring(units).do("Wait", "Wait", "Command bp", "CommandThese e1 e2", "Wait", "Wait", "Resolve e1")
    assert "Command la" not in table.offers()


def test_ja_060_ja_061_ja_164_only_a_command_order_lets_command() -> None:
    table = ring(PRINCE, "charge").do("Wait", "Wait")
    assert table.offers() == ["Resolve bp", "Resolve e0"]


def test_ja_165_ja_278_ja_q34_troops_and_mercenaries_once_a_turn_and_nobody_else() -> None:
    units = ["bp: e_black_prince_1 @W", "fa: e_fastolf @C", "t: e_talbot @C", "c: c_villager @C", "e3: e_billmen @C"]
    table = ring(units).do("Wait", "Command bp")
    assert table.offers() == ["CommandThese e3", "CommandThese fa", "CommandThese e3 fa"]
    table.do("CommandThese fa")
    assert [(event.unit, event.mark) for event in table.of(UnitMarked)] == [("fa", "hired")]


def test_ja_167_ja_173_ja_q35_a_number_reaches_so_many_hexes_from_where_the_commander_is() -> None:
    units = ["t: e_talbot @L0", "e1: e_billmen @L1", "e2: e_billmen @L2", "e0: e_billmen @L0"]
    table = given(seat0={"orders": "1 command", "units": units}, seat1=FOE).do(
        f"PlayOrder command {L0}", "Wait", "Wait"
    )
    table.do("Command t")
    assert table.offers() == ["CommandThese e1"]


def test_ja_360_from_the_sky_a_commander_reaches_all_of_the_ground() -> None:
    seat1 = {"orders": "1 command", "units": ["a: m_archangel @sky:0,0:a", "f1: f_voulgiers @SE", "f2: f_voulgiers @E"]}
    seat0 = {"units": ["e1: e_billmen @W"]}
    table = given(map="flower", sky=["sky1", "sky2"], seat0=seat0, seat1=seat1)
    table.do("PlayOrder command sky:0,0:a", "Wait", "Command a")
    assert "CommandThese f1 f2" in table.offers()


FIRST = ["d_priest_1a", "d_priest_1b", "d_priest_1c", "d_priest_1d"]


def talk(*choices: str, card: str = "d_priest_1d", unit: str = "tal: e_talbot @C", **board: Any) -> Table:
    """A character beside a priest; the shuffle leaves a card at the bottom."""
    others = [name for name in FIRST if name != card]
    seat0 = {"orders": "1 command, 1 reactivation", "units": [unit, "c1: c_priest @C tokens:2"], **board}
    table = given(
        map="flower", seat0=seat0, seat1={"units": ["f1: f_voulgiers @E"]}, decks={"c_priest:1": [*others, card]}
    )
    return table.do("PlayOrder command 0,0:a", "Wait", "Wait", f"Discuss {unit.partition(':')[0]} c1", *choices)


def test_ja_152_ja_154_ja_155_ja_156_ja_157_ja_159_ja_160_ja_163_ja_d43_ja_q31_ja_q32_ja_x15_a_discussion() -> None:
    table = talk()
    assert [(event.unit, event.civilian) for event in table.of(DiscussionStarted)] == [("tal", "c1")]
    assert [(event.resource, event.count) for event in table.of(ResourceGained)] == [("intrigue", 2)]
    assert [event.card for event in table.of(DiscussionCardDrawn)] == ["d_priest_1d"]
    assert table.offers() == ["AskQuestion A", "AskQuestion B", "AskQuestion D"]
    assert table.refused("AskQuestion C") == "JA-157"
    table.do("AskQuestion D")
    assert [(event.reader, event.letter, len(event.answer)) for event in table.of(AnswerRevealed)] == [(1, "D", 2)]
    board = table.state.boards[0]
    assert (board.intrigue, board.xp, table.at("c1")) == (1, 2, "removed")
    assert [event.unit for event in table.of(UnitRemoved)] == ["c1"]


def test_ja_153_ja_q81_ja_x15_a_character_talks_once_a_turn() -> None:
    table = talk("AskQuestion D", "PlayOrder reactivation 0,0:a")
    assert "discussed" in table.unit("tal").marks
    units = ["tal: e_talbot @C", "c1: c_priest @C", "c2: c_blacksmith @C"]
    seat0 = {"orders": "1 command, 1 reactivation", "units": units}
    both = given(map="flower", seat0=seat0, seat1={"units": ["f1: f_voulgiers @E"]}, decks={"c_priest:1": FIRST})
    both.do("PlayOrder command 0,0:a", "Wait", "Wait", "Wait", "Discuss tal c1", "AskQuestion A")
    assert not [text for text in both.offers() if "Discuss" in text]


def test_ja_161_ja_q33_an_answer_takes_nothing_that_is_not_there() -> None:
    table = talk(card="d_priest_1a")
    table.roll("yellow=D").do("AskQuestion D")
    assert [(event.effect, event.rule) for event in table.of(EffectSkipped)] == [("lose", "JA-161")]


def test_ja_263_charisma_asks_whatever_the_banner() -> None:
    assert talk(unit="j: f_joan_1 @C").offers() == [f"AskQuestion {letter}" for letter in "ABCD"]


def test_ja_162_an_answer_leads_on_to_a_card_of_level_2() -> None:
    table = talk(card="d_priest_1c")
    table.roll("black=D").do("AskQuestion D")
    assert [(event.card, event.level) for event in table.of(DiscussionCardDrawn)] == [
        ("d_priest_1c", 1),
        ("d_priest_2a", 2),
    ]
    assert table.at("c1") == "C"
    table.do("AskQuestion B")
    assert (table.state.boards[0].xp, table.at("c1")) == (2, "removed")


def gilles(*more: str, **board: Any) -> Table:
    seat1 = {"orders": "1 command, 1 reactivation", "units": ["gi: f_gilles_1 @L4 wounds:1", *more], **board}
    return given(seat0={"units": ["e1: e_billmen @L0"]}, seat1=seat1).do(f"PlayOrder command {L4}", "Wait")


def test_ja_182_ja_183_ja_184_ja_185_ja_x17_ja_d46_a_two_sided_upgrade() -> None:
    table = gilles(xp=3)
    assert [text for text in table.offers() if "Upgrade" in text] == [
        "Upgrade gi f_gilles_2_holy",
        "Upgrade gi f_gilles_2_unholy",
    ]
    table.do("Upgrade gi f_gilles_2_holy")
    assert [(event.card, event.closed) for event in table.of(CharacterUpgraded)] == [
        ("f_gilles_2_holy", "f_gilles_2_unholy")
    ]
    assert (table.unit("gi").card, table.unit("gi").wounds, table.state.boards[1].xp) == ("f_gilles_2_holy", 1, 1)


def test_ja_185_a_closed_side_stays_closed() -> None:
    seat1 = {"orders": "1 command", "xp": 3, "units": ["gi: f_gilles_1 @L4 closed:f_gilles_2_unholy"]}
    table = given(seat0={"units": ["e1: e_billmen @L0"]}, seat1=seat1).do(f"PlayOrder command {L4}", "Wait")
    assert [text for text in table.offers() if "Upgrade" in text] == ["Upgrade gi f_gilles_2_holy"]


def test_ja_182_an_upgrade_needs_the_xp_printed() -> None:
    assert not [text for text in gilles("f9: f_peasants @L4", xp=1).offers() if "Upgrade" in text]


def test_ja_188_an_intrigue_token_is_swapped_between_actions_to_pay_an_upgrade() -> None:
    table = gilles(xp=1, intrigue=1)
    assert table.offers() == ["Resolve gi", "ExchangeForXp"]
    table.do("ExchangeForXp", "Upgrade gi f_gilles_2_holy")
    assert (table.state.boards[1].xp, table.state.boards[1].intrigue) == (0, 0)


def test_ja_188_a_swap_that_pays_for_nothing_is_not_asked_about_between_actions() -> None:
    assert gilles(xp=0, intrigue=1).kinds() == ["1 OrderChoice"]


WEARERS = ["t: e_talbot @L0 +et_great_shield", "b: e_fastolf @L0"]


def test_ja_q37_equipment_is_handed_over_between_actions() -> None:
    table = given(seat0={"orders": "1 command", "units": WEARERS}, seat1=FOE)
    table.do(f"PlayOrder command {L0}", "Wait", "Wait", "GiveEquipment t b et_great_shield")
    assert (table.unit("b").equipment, table.kinds()) == (("et_great_shield",), ["0 NextAction"])


def test_ja_q37_equipment_is_handed_over_after_the_last_order_and_when_one_may_break_in() -> None:
    mine = {"orders": "1 command", "units": [unit.replace("L0", "L4") for unit in WEARERS]}
    theirs = {"orders": "1 interrupt", "units": ["j: f_joan_1 @L0 +em_relic", "g: f_gilles_1 @L0"]}
    table = given(seat0=mine, seat1=theirs).do(f"PlayOrder command {L4}", "Wait", "Wait")
    while table.kinds() == ["0 NextAction"]:
        table.do(table.offers()[0])
    assert table.kinds() == ["1 InterruptOffer"]
    table.do("GiveEquipment j g em_relic")
    assert (table.unit("g").equipment, table.kinds()) == (("em_relic",), ["1 InterruptOffer"])
    table.do("LetPass")
    assert table.kinds() == ["0 OrderChoice"]
    table.do("GiveEquipment t b et_great_shield")
    assert table.unit("b").equipment == ("et_great_shield",)


def test_ja_179_equipment_is_handed_over_or_discarded() -> None:
    units = ["t: e_talbot @L0 +em_relic", "b: e_fastolf @L0 +et_great_shield +et_warhammer"]
    table = given(seat0={"orders": "1 command", "units": units}, seat1=FOE)
    assert "GiveEquipment t b em_relic" not in table.offers()
    table.do("DropEquipment b et_warhammer", "GiveEquipment t b em_relic")
    assert [event.card for event in table.of(EquipmentDiscarded)] == ["et_warhammer"]
    assert [(event.unit, event.to) for event in table.of(EquipmentHanded)] == [("t", "b")]
    assert table.unit("b").equipment == ("et_great_shield", "em_relic")


def test_ja_179_ja_q37_who_was_given_equipment_does_not_hand_it_on_before_somebody_has_acted() -> None:
    table = given(seat0={"orders": "2 command", "units": WEARERS}, seat1=FOE)
    assert "GiveEquipment t b et_great_shield" in table.offers()
    table.do("GiveEquipment t b et_great_shield")
    assert not [text for text in table.offers() if text.startswith("GiveEquipment")]
    assert "DropEquipment b et_great_shield" in table.offers()
    table.do(f"PlayOrder command {L0}", "Wait", "Wait")
    assert "GiveEquipment b t et_great_shield" not in table.offers()
    table.do(next(text for text in table.offers() if text.startswith("Resolve")))
    assert "GiveEquipment b t et_great_shield" in table.offers()
