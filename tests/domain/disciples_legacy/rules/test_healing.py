"""Section P of the ledger: the Healing Phase."""

from domain.disciples_legacy.state.events import CreditGiven, MemberRevived, MembersHealed, SurplusLost
from tests.domain.disciples_legacy.table import Table, given

FOE = {"parties": [{"2": "D: dread_duke"}]}


def healing(*parties: dict[str, str], **side: object) -> Table:
    return given({"deck": "clans_a", "parties": list(parties), **side}, FOE, start="Healing")


def test_dl_108_dl_q08_dl_q67_dl_d04_both_revive_in_any_order_and_step_2_waits_for_both() -> None:
    ours = {"parties": [{"1": "S: squire dead", "2": "K: knight_captain"}]}
    theirs = {"parties": [{"1": "P: possessed dead", "2": "D: dread_duke"}]}
    table = given(ours, theirs, start="Healing")
    assert table.kinds() == ["0 Revival", "1 Revival"]
    table.do("1: TapCity C2", "0: ConfirmRevives")
    assert table.all(MembersHealed) == []
    assert table.kinds() == ["1 Revival"]
    table.do("1: Revive P")
    assert table.hp("P") == 2
    assert table.member("S").dead


def test_dl_109_dl_114_a_revived_member_of_one_max_hp_stands_at_one() -> None:
    cards = {"units": {"wisp": {"hp": 1}}}
    ours = {"parties": [{"1": "W: wisp dead", "2": "K: knight_captain"}]}
    table = given(ours, FOE, start="Healing", cards=cards).do("TapCity C1", "Revive W")
    assert table.hp("W") == 1
    assert table.one(MemberRevived).damage == 0


def test_dl_112_nobody_in_a_discard_pile_is_revived() -> None:
    table = healing({"1": "T: tunnel_dwarf dead", "2": "W: road_warden"}, discard=["tunnel_dwarf", "hold_guardian"])
    assert table.offers() == ["ConfirmRevives", "TapCity C1"]
    table.do("TapCity C1")
    assert table.offers() == ["ConfirmRevives", "Revive T"]


def test_dl_113_dl_115_everybody_living_heals_1_and_the_dead_nothing() -> None:
    ours = {"1": "T: tunnel_dwarf damage:2", "2": "W: road_warden damage:1", "4": "X: axe_thrower dead"}
    table = healing(ours, capital="deephold tapped")
    assert (table.hp("T"), table.member("W").damage, table.member("X").damage) == (5, 0, 4)


def test_dl_113_dl_q09_minor_leaders_heal_like_everyone() -> None:
    table = healing({"2": "W: road_warden"}, {"2": "T: clans_thief damage:4"})
    assert table.hp("T") == 2
    assert "TapCity C1" in table.offers()
    table.do("TapCity C1", "Heal T")
    assert table.hp("T") == 4


def test_dl_111_a_dead_leader_costs_2() -> None:
    table = healing(
        {"1": "T: tunnel_dwarf", "2": "W: road_warden dead"}, capital="deephold tapped", cities=["mine_fort"]
    )
    assert not any(offer.startswith("Revive") for offer in table.offers())
    both = healing({"1": "T: tunnel_dwarf", "2": "W: road_warden dead"})
    assert both.do("TapCity C1").offers() == ["ConfirmRevives", "Revive W"]


def test_dl_116_dl_d05_dl_q66_only_who_has_damage_is_healed_for_c() -> None:
    table = healing({"1": "T: tunnel_dwarf damage:3", "2": "W: road_warden"}).do("TapCity C1")
    assert table.offers() == ["ConfirmHeals", "Heal T"]


def test_dl_118_two_c_on_one_target() -> None:
    table = healing({"1": "T: tunnel_dwarf damage:5", "2": "W: road_warden"}).do("TapCity C1", "Heal T", "Heal T")
    assert table.member("T").damage == 0


def test_dl_119_dl_206_healing_never_takes_more_than_the_damage() -> None:
    table = healing({"1": "T: tunnel_dwarf damage:2", "2": "W: road_warden"}).do("TapCity C1", "Heal T")
    assert table.member("T").damage == 0
    assert table.one(SurplusLost).amount == 2


def test_dl_085_a_city_tapped_for_healing_stays_tapped_in_the_strategic_phase() -> None:
    table = healing({"1": "T: tunnel_dwarf damage:2", "2": "W: road_warden"}).do("TapCity C1", "Heal T")
    assert table.kinds() == ["0 StrategicAction"]
    assert table.city("C1").tapped


def test_dl_120_a_capitals_c_of_step_3_is_given_in_step_3_alone() -> None:
    ours = {"parties": [{"1": "S: squire dead", "2": "K: knight_captain damage:4"}]}
    table = given(ours, FOE, start="Healing")
    assert table.all(CreditGiven) == []
    table.do("ConfirmRevives")
    assert table.one(CreditGiven).amount == 1
    assert "Heal K" in table.offers()


def test_dl_q57_a_leader_that_died_spent_is_revived_spent() -> None:
    ours = {"parties": [{"1": "squire", "2": "K: knight_captain dead spent"}]}
    table = given(ours, FOE, start="Healing").do("TapCity C1", "Revive K")
    assert table.member("K").spent


def test_dl_q58_a_revived_bearer_counts_its_own_bonus() -> None:
    ours = {"parties": [{"1": "squire", "2": "K: knight_captain dead +tower_shield"}]}
    table = given(ours, FOE, start="Healing").do("TapCity C1", "Revive K")
    assert table.one(MemberRevived).damage == 9
    assert table.hp("K") == 2
