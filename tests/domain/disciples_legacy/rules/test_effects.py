"""Section 6.2 of the ledger: what card texts do, each operation, selector and modifier."""

from typing import Any

import pytest

from domain.disciples_legacy.state.events import (
    AbilityUsed,
    CityTapped,
    CostPaid,
    HandPeeked,
    ItemMoved,
    ItemsDiscarded,
    MembersDamaged,
    MembersTapped,
    PlaceCaptured,
    Poisoned,
    SpellCast,
)
from domain.disciples_legacy.state.queries import mana_owned
from domain.disciples_legacy.state.state import MemberId
from domain.disciples_legacy.state.stats import attack, max_hp, style
from tests.domain.disciples_legacy.table import Table, fight, given

FOE = {"parties": [{"1": "P: possessed", "2": "D: dread_duke"}, {"2": "E: imp_herald"}]}
MANA = {"empire": "white_mana", "clans": "blue_mana", "legions": "red_mana", "hordes": "black_mana"}


def caster(race: str, *parties: dict[str, str], **side: Any) -> dict[str, Any]:
    """A side of a race with three Mana, a Rod Planter P0 and every Spell of its race in hand."""
    spells = {
        "empire": ["mending_light", "rally", "return_to_duty", "sunlance"],
        "clans": ["stone_skin", "runes_of_might", "rockfall", "snowblind"],
        "legions": ["fire_bolt", "weaken", "dark_pact", "firestorm"],
        "hordes": ["wither", "unholy_vigor", "plague", "raise_dead"],
    }
    return {
        "deck": f"{race}_a",
        "mana": [MANA[race]] * 3,
        "hand": ["market_town", *spells[race]],
        "parties": [*parties, {"2": f"P0: {race}_rod_planter"}],
        **side,
    }


def cast(race: str, text: str, *parties: dict[str, str], foe: dict[str, Any] | None = None) -> Table:
    return given(caster(race, *parties), foe or FOE).do(f"Cast P0 {text}")


def test_dl_074_dl_d24_a_spell_is_cast_by_a_rod_planter_on_a_target() -> None:
    table = cast("legions", "fire_bolt P", {"2": "K: dread_duke"})
    assert table.one(SpellCast).target == "P"
    assert table.hp("P") == 3
    assert table.member("P0").spent


@pytest.mark.parametrize("spell", ["firestorm D", "firestorm E"])
def test_a_spell_on_a_party_hits_all_its_living(spell: str) -> None:
    foe = {"parties": [{"1": "P: possessed dead", "2": "D: dread_duke", "3": "Q: possessed"}, {"2": "E: imp_herald"}]}
    table = cast("legions", spell, {"2": "K: dread_duke"}, foe=foe)
    hurt = {each.member: each.damage for each in table.one(MembersDamaged).hurt}
    assert hurt == ({"D": 2, "Q": 2} if spell.endswith("D") else {"E": 2})


def test_heal_needs_a_living_target_with_damage() -> None:
    ours = {"1": "S: squire damage:3", "2": "K: knight_captain", "3": "T: squire dead"}
    table = given(caster("empire", ours), FOE)
    assert [offer for offer in table.offers() if "mending" in offer] == ["Cast P0 mending_light S"]
    assert table.do("Cast P0 mending_light S").member("S").damage == 0


def test_revive_gives_so_many_hp_and_no_more_than_max_hp() -> None:
    table = cast("hordes", "raise_dead S", {"1": "S: skeleton dead", "2": "K: death_captain"})
    assert table.hp("S") == 3
    wisp = given(
        caster("hordes", {"1": "S: wisp dead", "2": "K: death_captain"}), FOE, cards={"units": {"wisp": {"hp": 2}}}
    )
    assert wisp.do("Cast P0 raise_dead S").hp("S") == 2


def test_dl_q57_dl_q61_unspend_and_spend() -> None:
    table = cast("legions", "dark_pact K", {"2": "K: dread_duke spent"})
    assert not table.member("K").spent
    snow = cast("clans", "snowblind D", {"2": "K: hold_guardian"})
    assert snow.member("D").spent
    again = given(caster("clans", {"2": "K: hold_guardian"}), {"parties": [{"2": "D: dread_duke spent"}]})
    assert not any("snowblind" in offer for offer in again.offers())


def test_attack_changes_for_the_turn_add_up_and_never_fall_below_0() -> None:
    table = cast("empire", "rally K", {"1": "S: squire", "2": "K: knight_captain"})
    assert [attack(table.state, MemberId(name)) for name in "SK"] == [3, 4]
    foe = {"parties": [{"2": "D: dread_duke", "4": "C: cultist atk:-1/turn"}]}
    weak = cast("legions", "weaken D", {"2": "K: dread_duke"}, foe=foe)
    assert [attack(weak.state, MemberId(name)) for name in "DC"] == [2, 0]


def test_turn_effects_end_at_end_of_turn_and_may_kill() -> None:
    ours = {"parties": [{"1": "S: squire maxhp:+2/turn damage:5", "2": "K: knight_captain spent"}]}
    table = given(ours, {"parties": [{"2": "D: dread_duke"}]}, to_act=1)
    assert table.hp("S") == 2
    table.do("RecruitCity D ash_town")
    assert table.member("S").dead


def test_dl_203_dl_204_less_max_hp_keeps_the_damage_and_may_kill() -> None:
    foe = {"parties": [{"1": "P: possessed damage:3", "2": "D: dread_duke damage:2"}]}
    table = cast("hordes", "wither D", {"2": "K: death_captain"}, foe=foe)
    assert (table.hp("D"), max_hp(table.state, MemberId("D"))) == (4, 6)
    killed = cast("hordes", "wither P", {"2": "K: death_captain"}, foe=foe)
    assert killed.member("P").dead


def test_max_hp_is_never_below_1() -> None:
    foe = {"parties": [{"1": "P: wisp", "2": "D: dread_duke"}]}
    table = given(
        caster("hordes", {"2": "K: death_captain"}), foe, cards={"units": {"wisp": {"hp": 1, "race": "legions"}}}
    )
    table.do("Cast P0 wither P")
    assert (table.hp("P"), table.member("P").dead) == (1, False)


def test_a_ward_absorbs_point_by_point_and_the_larger_pool_stays() -> None:
    table = cast("clans", "stone_skin K", {"2": "K: hold_guardian ward:1/battle"})
    assert table.member("K").ward is not None
    assert table.member("K").ward.points == 3  # type: ignore[union-attr]
    kept = cast("clans", "stone_skin K", {"2": "K: hold_guardian ward:3/battle"})
    assert kept.member("K").ward.until == "battle"  # type: ignore[union-attr]
    hit = fight([{"2": "K: knight_captain"}], [{"2": "D: dread_duke ward:2/turn"}]).do("Strike K D")
    (hurt,) = hit.one(MembersDamaged).hurt
    assert (hurt.damage, hurt.absorbed) == (1, 2)
    assert hit.member("D").ward is None


def test_dl_f09_dl_d26_a_thief_steals_an_item_for_a_leader_of_the_owners_choice() -> None:
    ours = {
        "parties": [
            {"2": "K: knight_captain"},
            {"2": "R: longbow_ranger dead", "1": "S: squire"},
            {"2": "T: empire_thief"},
        ]
    }
    foe = {"parties": [{"2": "D: dread_duke +fire_orb"}, {"2": "E: imp_herald dead +hell_mail", "1": "possessed"}]}
    table = given(ours, foe)
    steals = [offer for offer in table.offers() if offer.startswith("UseAbility T 0")]
    assert steals == ["UseAbility T 0 D/fire_orb K", "UseAbility T 0 E/hell_mail K"]
    table.do("UseAbility T 0 E/hell_mail K")
    assert table.one(ItemMoved).receiver == "K"
    assert max_hp(table.state, MemberId("K")) == 11


def test_a_stolen_second_copy_is_discarded() -> None:
    ours = {"parties": [{"2": "K: knight_captain +fire_orb"}, {"2": "T: empire_thief"}]}
    table = given(ours, {"parties": [{"2": "D: dread_duke +fire_orb"}]}).do("UseAbility T 0 D/fire_orb K")
    assert table.member("K").items == ("fire_orb",)
    assert table.one(ItemsDiscarded).rule == "DL-071"


def test_a_thief_of_the_hordes_takes_mana_and_one_of_the_clans_taps_a_city() -> None:
    foe = {"parties": [{"2": "D: dread_duke"}], "mana": ["M: red_mana"], "cities": ["A: ash_town"]}
    horde = given({"deck": "hordes_a", "parties": [{"2": "K: death_captain"}, {"2": "T: hordes_thief"}]}, foe)
    assert horde.do("UseAbility T 1 M").one(PlaceCaptured).seat == 0
    clan = given({"deck": "clans_a", "parties": [{"2": "K: hold_guardian"}, {"2": "T: clans_thief"}]}, foe)
    clan.do("UseAbility T 1 A")
    assert clan.city("A").tapped
    assert clan.one(CityTapped).gives == 0
    assert clan.side(1).credit == 0


def test_dl_054_a_thief_of_the_legions_hurts_a_unit_outside_battle() -> None:
    ours = {"deck": "legions_a", "parties": [{"2": "K: dread_duke"}, {"2": "T: legions_thief"}]}
    table = given(ours, FOE)
    assert [offer for offer in table.offers() if offer.startswith("UseAbility T 1")] == ["UseAbility T 1 P"]
    assert table.do("UseAbility T 1 P").hp("P") == 3


def test_peek_shows_no_more_than_there_is() -> None:
    cards = {"minor_leaders": {"spy": {"like": "empire_thief", "abilities": ["S: peek(3)@enemy_hand"]}}}
    ours = {"parties": [{"2": "K: knight_captain"}, {"2": "T: spy"}]}
    table = given(ours, FOE, cards=cards).do("UseAbility T 0")
    assert table.one(HandPeeked).count == 3
    assert len(table.side(0).peeked) == 3  # type: ignore[arg-type]


def test_dl_043_dl_072_dl_q38_dl_f13_a_leader_taps_to_use_an_item_and_a_consumable_one_is_gone() -> None:
    ours = [{"1": "S: squire", "2": "K: knight_captain +fire_orb"}]
    table = fight(ours, [{"2": "D: dread_duke", "5": "P: possessed"}])
    assert [offer for offer in table.offers() if "fire_orb" in offer] == [
        "UseItem K fire_orb D",
        "UseItem K fire_orb P",
    ]
    table.do("UseItem K fire_orb P")
    assert table.hp("P") == 2
    assert table.all(MembersTapped)[0].members == ("K",)
    assert table.one(AbilityUsed).item == "fire_orb"
    assert table.member("K").items == ()
    table.do("Strike D S")
    assert not any(offer.startswith(("Strike K", "UseItem K")) for offer in table.offers())


def test_dl_q38_an_item_that_is_not_consumable_stays() -> None:
    ours = [{"1": "S: possessed tapped", "2": "K: dread_duke +whip_of_command"}]
    table = fight(ours, [{"2": "D: dread_duke"}], seat0={"deck": "legions_a"})
    assert [offer for offer in table.offers() if "whip" in offer] == ["UseItem K whip_of_command S"]
    table.do("UseItem K whip_of_command S")
    assert table.member("K").items == ("whip_of_command",)
    assert not table.member("S").tapped


def test_dl_q61_the_items_of_a_dead_leader_do_nothing() -> None:
    ours = [{"1": "S: squire", "2": "K: knight_captain dead +battle_standard +fire_orb"}]
    table = fight(ours, [{"2": "D: dread_duke"}])
    assert attack(table.state, MemberId("S")) == 2
    assert not any("fire_orb" in offer for offer in table.offers())
    alive = fight([{"1": "S: squire", "2": "K: knight_captain +battle_standard"}], [{"2": "D: dread_duke"}])
    assert attack(alive.state, MemberId("S")) == 3


def test_a_held_style_changes_whom_the_holder_reaches() -> None:
    ours = [{"1": "S: tunnel_dwarf", "2": "K: hold_guardian +throwing_axes"}]
    table = fight(ours, [{"2": "D: dread_duke", "5": "P: possessed"}], seat0={"deck": "clans_a"})
    assert style(table.state, MemberId("K")) == "any"
    assert [offer for offer in table.offers() if offer.startswith("Strike K")] == ["Strike K D", "Strike K P"]


def test_dl_003_a_skill_taps_its_bearer_and_other_ally_is_not_the_bearer() -> None:
    ours = [{"1": "T: tunnel_dwarf", "2": "K: elder_smith", "5": "W: ward_smith"}]
    table = fight(ours, [{"2": "D: dread_duke"}], seat0={"deck": "clans_b"})
    skills = [offer for offer in table.offers() if offer.startswith("UseSkill")]
    assert skills == ["UseSkill K 0 T", "UseSkill K 0 W", "UseSkill W 0 T", "UseSkill W 0 K", "UseSkill W 0 W"]
    table.do("UseSkill K 0 T", "Strike D T")
    assert attack(table.state, MemberId("T")) == 3
    assert table.member("K").tapped


def test_tap_needs_an_untapped_living_enemy() -> None:
    theirs = [{"1": "P: possessed tapped", "2": "D: dread_duke", "3": "Q: possessed dead"}]
    ours = [{"2": "K: dread_duke", "5": "W: witch"}]
    table = fight(ours, theirs, seat0={"deck": "legions_b"})
    assert [offer for offer in table.offers() if offer.startswith("UseSkill")] == ["UseSkill W 0 D"]
    table.do("UseSkill W 0 D")
    assert table.member("D").tapped
    assert table.kinds() == ["0 BattleAction"]


def test_dl_048_battle_abilities_leave_minor_leaders_alone() -> None:
    table = fight(
        [{"2": "K: dread_duke +fire_orb", "5": "W: witch"}], [{"2": "D: iron_guardian"}], seat0={"deck": "legions_a"}
    )
    assert table.offers() == ["Strike K D", "PassRound"]


def test_weakening_all_enemies_for_the_round() -> None:
    ours = [{"1": "Z: zombie", "5": "K: wailing_queen"}]
    table = fight(ours, [{"1": "P: possessed", "2": "D: dread_duke"}], seat0={"deck": "hordes_b"}).do("UseSkill K 0")
    assert [attack(table.state, MemberId(name)) for name in "PD"] == [1, 2]


def test_drain_heals_the_attacker_once_an_attack() -> None:
    ours = [{"5": "K: pale_count damage:3"}]
    table = fight(ours, [{"2": "D: dread_duke"}], seat0={"deck": "hordes_a"}).do("Strike K D")
    assert table.member("K").damage == 2
    absorbed = fight(ours, [{"2": "D: dread_duke ward:5/battle"}], seat0={"deck": "hordes_a"}).do("Strike K D")
    assert absorbed.member("K").damage == 3


def test_drain_counts_a_target_that_dies() -> None:
    ours = [{"5": "K: pale_count damage:3"}]
    theirs = [{"1": "P: possessed hp:1", "2": "D: dread_duke"}]
    assert fight(ours, theirs, seat0={"deck": "hordes_a"}).do("Strike K P").member("K").damage == 2


@pytest.mark.parametrize(("before", "after"), [("2x1", (2, 1)), ("1x1", (1, 2))])
def test_a_new_poison_replaces_one_that_is_not_stronger(before: str, after: tuple[int, int]) -> None:
    ours = [{"1": "H: hellhound", "2": "K: dread_duke"}]
    table = fight(ours, [{"2": f"D: dread_duke poison:{before}"}], seat0={"deck": "legions_a"}).do("Strike H D")
    poison = table.member("D").poison
    assert poison is not None
    assert (poison.amount, poison.left) == after
    assert len(table.all(Poisoned)) == (0 if before == "2x1" else 1)


def test_dl_q23_minor_leaders_take_damage_but_no_poison() -> None:
    ours = [{"1": "H: hellhound", "2": "K: dread_duke"}]
    table = fight(ours, [{"2": "D: iron_guardian"}], seat0={"deck": "legions_a"}).do("Strike H D")
    assert table.hp("D") == 6
    assert table.member("D").poison is None


def test_dl_q63_what_works_when_a_battle_begins_comes_after_step_2() -> None:
    ours = {"deck": "clans_a", "parties": [{"2": "K: hold_guardian +stone_totem"}]}
    theirs = {"parties": [{"1": "G: gargoyle", "2": "D: dread_duke"}, {"2": "E: imp_herald spent"}]}
    table = given(ours, theirs).do("Assault K D", "Keep")
    assert table.member("K").ward is None
    table.do("Keep")
    assert [table.member(name).ward.points for name in "KG"] == [2, 2]  # type: ignore[union-attr]
    table.do("Stand", "Retreat", "FinishRound")
    assert table.member("K").ward is None


def test_dl_q51_recruit_discount_for_the_first_unit_of_the_turn() -> None:
    ours = {
        "deck": "legions_a",
        "parties": [{"2": "K: dread_duke"}, {"2": "C: pit_counsellor"}],
        "cities": ["ash_town"],
    }
    table = given(ours, FOE).do("RecruitUnit K berserker", "TapCity C1", "PlaceUnit 5", "Pass")
    table.do("RecruitUnit C berserker", "PlaceUnit 1")
    assert [event.amount for event in table.all(CostPaid)] == [1, 2]


def test_shop_bonus_of_deephold() -> None:
    ours = {"deck": "clans_a", "parties": [{"2": "K: hold_guardian"}], "hand": ["mine_fort", "rune_hammer"]}
    table = given({**ours, "capital": "deephold"}, FOE).do("Shop K rune_hammer")
    assert not table.city("C1").tapped
    assert table.member("K").items == ("rune_hammer",)


@pytest.mark.parametrize(("damage", "dead"), [(6, False), (7, True)])
def test_a_garrison_hurts_the_leader_who_takes_the_city(damage: int, dead: bool) -> None:
    ours = {"parties": [{"1": "S: squire", "2": f"K: high_prelate damage:{damage - 3}"}]}
    foe = {"deck": "clans_a", "parties": [{"2": "D: road_warden spent"}], "cities": ["F: mine_fort"]}
    table = given(ours, foe).do("Assault K F")
    assert table.member("K").dead is dead
    assert table.city("F").seat == 0


def test_dl_075_a_city_may_count_as_mana() -> None:
    side = {"deck": "legions_a", "cities": ["ember_shrine", "ember_shrine"], "mana": ["red_mana"]}
    table = given({**side, "parties": [{"2": "K: dread_duke"}]}, FOE)
    assert mana_owned(table.state, 0, "R") == 2
    assert mana_owned(table.state, 0, "B") == 0


def test_free_revives_count_units_alone() -> None:
    ours = {
        "deck": "hordes_a",
        "parties": [{"1": "S: skeleton", "2": "K: death_captain dead"}],
        "capital": "bone_throne tapped",
    }
    table = given(ours, FOE, start="Healing")
    assert table.kinds() == ["1 StrategicAction"]
    unit = {"1": "S: skeleton dead", "2": "K: death_captain"}
    assert given({**ours, "parties": [unit]}, FOE, start="Healing").offers() == ["ConfirmRevives", "Revive S"]


BANES = {
    "units": {
        "bane": {"cost": 1, "abilities": ["P: maxhp(-2,held)@allies"]},
        "boon": {"cost": 1, "abilities": ["P: maxhp(2,held)@allies"]},
    },
    "items": {"curse": {"like": "tower_shield", "abilities": ["P: maxhp(-3,held)@allies"]}},
}


def test_dl_204_dl_207_a_recruit_whose_passive_lowers_max_hp_may_kill() -> None:
    ours = {"parties": [{"1": "S: squire damage:3", "2": "K: knight_captain"}], "hand": ["market_town", "bane"]}
    table = given(ours, FOE, cards=BANES).do("RecruitUnit K bane", "PlaceUnit 3")
    assert table.member("S").dead
    assert not table.member("K").dead
    assert table.hp("A3") == 3


def test_dl_204_dl_207_a_revived_member_whose_passive_lowers_max_hp_may_kill() -> None:
    party = {"1": "S: squire damage:3", "2": "K: knight_captain", "3": "B: bane dead"}
    table = given({"parties": [party]}, {"parties": [{"2": "D: dread_duke"}]}, start="Healing", cards=BANES)
    table.do("TapCity C1", "Revive B")
    assert table.member("S").dead


def test_dl_204_dl_207_who_lived_by_a_passive_dies_when_its_bearer_is_discarded() -> None:
    party = {"1": "S: squire damage:5", "2": "K: banner_herald", "3": "B: boon"}
    table = given({"parties": [party], "hand": ["market_town", "squire"]}, FOE, cards=BANES)
    assert table.hp("S") == 2
    table.do("RecruitUnit K squire", "PlaceUnit 4", "DiscardUnits B")
    assert table.member("S").dead


def test_dl_204_dl_207_a_bought_item_that_lowers_max_hp_may_kill() -> None:
    ours = {
        "parties": [{"1": "S: squire damage:3", "2": "K: knight_captain damage:4"}],
        "hand": ["market_town", "curse"],
    }
    table = given(ours, FOE, cards=BANES).do("Shop K curse")
    assert table.member("S").dead
    assert table.hp("K") == 1
