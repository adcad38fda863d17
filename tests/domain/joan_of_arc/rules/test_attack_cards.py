"""Legend cards and equipment in attacks (ledger 6.6, 6.7)."""

from typing import Any

from domain.joan_of_arc.state.attack_events import BonusDiceAdded, DiceRerolled, DiceThrown, ResultsRemoved
from domain.joan_of_arc.state.events import LegendPlayed, SkillGranted
from tests.domain.joan_of_arc.fixtures import L1, L2, L3
from tests.domain.joan_of_arc.table import Table, given


def fight(dice: str, ours: list[str], theirs: list[str], mine: dict[str, Any], other: dict[str, Any]) -> Table:
    seat0 = {"orders": "1 command, 1 reactivation", "units": ours, **mine}
    return given(dice, seat0=seat0, seat1={"units": theirs, **other}).do(f"PlayOrder command {L1}")


def test_ja_189_ja_196_ja_197_ja_x18_a_volley_and_the_reroll_token() -> None:
    ours, mine = ["b1: e_bowmen @L1", "b2: e_bowmen @L1"], {"legend": 1, "reroll": True, "hand": ["lt_volley"]}
    table = fight("yellow=B white=B yellow=B white=P red=S yellow=S", ours, ["f1: f_peasants @L3"], mine, {})
    table.do(f"Shoot {L3}", f"Shoot {L3}", "PlayLegend lt_volley")
    assert [(die.unit, die.colour) for die in table.of(DiceThrown)[0].dice][-1] == ("", "red")
    table.roll("yellow=D white=S red=K").do("UseToken", "RollThese 0 1 4", "UseShields 1")
    board = table.state.boards[0]
    assert (table.at("f1"), board.legend, board.reroll) == ("disrupted", 0, False)
    assert table.state.piles["legend"].discards == ("lt_volley",)


def test_ja_d17_a_shield_wall_adds_a_die_to_the_defence() -> None:
    other = {"legend": 1, "hand": ["lt_shieldwall"]}
    table = fight("red=K white=B black=S", ["e1: e_billmen @L1"], ["f1: f_voulgiers @L2"], {}, other)
    table.do(f"Melee {L2}")
    assert table.kinds() == ["1 LegendOffer"]
    table.do("PlayLegend lt_shieldwall", "UseShields 1")
    assert [(event.roll, event.dice.black) for event in table.of(BonusDiceAdded)] == [("defence", 1)]
    assert table.at("f1") == "L2"


def test_ja_d17_a_blessing_rerolls_and_a_curse_makes_the_attacker_reroll() -> None:
    mine, other = {"legend": 1, "hand": ["lm_bless"]}, {"legend": 1, "hand": ["lm_curse"]}
    table = fight("red=S red=S white=B", ["k1: e_knights @L1"], ["f1: f_voulgiers @L2"], mine, other)
    table.do(f"Melee {L2}", "KeepLegends", "KeepLegends")
    table.roll("red=K red=K").do("PlayLegend lm_bless", "RerollByCard 0 1")
    table.roll("red=S").do("PlayLegend lm_curse", "RerollByCard 1")
    assert [event.at for event in table.of(DiceRerolled)] == [(0, 1), (1,)]
    assert [event.card for event in table.of(LegendPlayed)] == ["lm_bless", "lm_curse"]
    assert table.at("f1") == "graveyard"


def test_ja_d17_a_feigned_flight_takes_a_kill_out_of_a_melee() -> None:
    other = {"legend": 2, "hand": ["lt_feigned_flight"]}
    table = fight("red=K white=B", ["e1: e_billmen @L1"], ["f1: f_voulgiers @L2"], {}, other)
    table.do(f"Melee {L2}", "KeepLegends", "KeepLegends", "PlayLegend lt_feigned_flight")
    assert [(event.roll, event.at) for event in table.of(ResultsRemoved)] == [("attack", (0,))]
    assert table.at("f1") == "L2"


def test_ja_288_ja_d02_dread_gives_terror_for_one_attack() -> None:
    other = {"legend": 2, "hand": ["lm_dread"]}
    ours, theirs = ["k1: e_knights @L1"], ["f1: f_voulgiers @L2", "f2: f_voulgiers @L2"]
    table = fight("black=S red=S white=B white=B", ours, theirs, {}, other)
    table.do(f"Melee {L2}", "PlayLegend lm_dread", "Embolden f2", "Frighten k1")
    assert [(event.unit, event.grant.x) for event in table.of(SkillGranted)] == [("f2", 1)]
    assert len(table.of(DiceThrown)[0].dice) == 1
    assert table.unit("f2").grants == ()


def test_ja_180_a_war_hammer_and_a_great_shield_add_dice_of_their_wearers() -> None:
    ours, theirs = ["t: e_talbot @L1 +et_warhammer"], ["g: f_gilles_1 @L2 +et_great_shield"]
    table = fight("red=S red=S red=S black=S white=S", ours, theirs, {}, {}).do(f"Melee {L2}", "LeaveDice")
    assert [(die.unit, die.colour) for die in table.of(DiceThrown)[0].dice] == [("t", "red")] * 3
    assert [(die.unit, die.colour) for die in table.of(DiceThrown)[1].dice] == [("g", "black"), ("g", "white")]


def test_ja_q82_after_a_card_of_the_defender_the_attacker_is_asked_again_until_all_pass_in_a_row() -> None:
    seat1 = {"orders": "1 command", "hand": ["lt_volley"], "legend": 2, "units": ["x: f_crossbowmen @L1"]}
    seat0 = {"units": ["e1: e_billmen @L2"], "hand": ["lt_shieldwall"], "legend": 2}
    turn: dict[str, Any] = {"with": {"seat": 1}}
    table = given(seat0=seat0, seat1=seat1, **turn).do(f"PlayOrder command {L1}", f"Shoot {L2}")
    assert table.kinds() == ["1 LegendOffer"]
    table.do("KeepLegends")
    assert table.kinds() == ["0 LegendOffer"]
    table.do("PlayLegend lt_shieldwall")
    assert (table.kinds(), table.offers()) == (["1 LegendOffer"], ["KeepLegends", "PlayLegend lt_volley"])


def test_ja_q84_a_team_mate_of_the_attacker_is_asked_too() -> None:
    seats: dict[str, Any] = {
        "seat0": {"orders": "1 command", "units": ["e1: e_billmen @L1"]},
        "seat1": {"units": ["f1: f_voulgiers @L2"]},
        "seat2": {"units": ["e2: e_billmen @L0"], "hand": ["lt_volley"], "legend": 1},
    }
    table = given(**seats).do(f"PlayOrder command {L1}", f"Melee {L2}")
    assert (table.kinds(), table.offers()) == (["2 LegendOffer"], ["KeepLegends"])
