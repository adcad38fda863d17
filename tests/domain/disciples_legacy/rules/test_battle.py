"""Sections M, N and Z to AF of the ledger: Battles."""

import pytest

from domain.disciples_legacy.rules.attacking import Engagement
from domain.disciples_legacy.rules.battle.rounds import BattleAction
from domain.disciples_legacy.rules.battle.steps import BattleFormation, RetreatOffer
from domain.disciples_legacy.state.events import (
    AttackEnded,
    BattleEnded,
    BattleRoundBegan,
    BattleSkipped,
    EffectsEnded,
    ItemMoved,
    ItemsDiscarded,
    MembersDamaged,
    MembersDied,
    MembersTapped,
    PartyRearranged,
    PartyWipedOut,
)
from tests.domain.disciples_legacy.table import Table, fight, given

OURS = {"parties": [{"2": "K: knight_captain"}, {"2": "R: longbow_ranger"}]}
FOE = {"parties": [{"2": "D: dread_duke"}, {"2": "E: imp_herald spent"}]}


def begun(ours: dict[str, object] | None = None, theirs: dict[str, object] | None = None) -> Table:
    """K attacks D, and nobody blocks."""
    return given(ours or OURS, theirs or FOE).do("Assault K D")


def test_dl_087_dl_171_dl_194_only_the_two_battle_parties_are_in_it() -> None:
    table = begun({"parties": [{"2": "K: knight_captain", "5": "A: archer"}, {"2": "R: longbow_ranger"}]})
    table.do("Keep", "Keep", "Stand", "Stand", "Strike D K")
    assert table.offers() == ["Strike K D", "Strike A D", "PassRound", "FinishRound"]


def test_dl_172_dl_173_dl_d16_dl_d17_first_the_attacker_rearranges_then_the_defender() -> None:
    table = begun()
    assert table.kinds() == ["0 BattleFormation"]
    table.do("Move K 1", "Keep")
    assert table.kinds() == ["1 BattleFormation"]
    assert table.one(PartyRearranged).slots[0] == "K"
    table.do("Move D 6", "Keep")
    assert table.party("D").slots[5] == "D"


def test_dl_091_no_formation_is_changed_after_steps_1_and_2() -> None:
    table = begun().do("Keep", "Keep")
    for text in ("Stand", "Stand", "Strike D K"):
        assert not any(offer.startswith(("Move", "Rearrange")) for offer in table.offers())
        table.do(text)
    assert not any(offer.startswith(("Move", "Rearrange")) for offer in table.offers())


def test_dl_174_dl_175_dl_224_dl_d18_dl_d19_the_attacker_is_asked_to_retreat_first() -> None:
    table = begun().do("Keep", "Keep")
    assert table.kinds() == ["0 RetreatOffer"]
    table.do("Stand")
    assert table.kinds() == ["1 RetreatOffer"]
    assert table.offers() == ["Stand", "Retreat"]


def test_the_safe_defaults_keep_stand_and_cancel() -> None:
    table = begun()
    seat = table.state.first
    assert type(BattleFormation(seat).default(table.state)).__name__ == "Keep"
    table.do("Keep", "Keep")
    assert type(RetreatOffer(seat).default(table.state)).__name__ == "Stand"
    assert type(Engagement(seat).default(table.state)).__name__ == "Cancel"


def test_dl_q27_a_retreat_before_round_2() -> None:
    table = begun().do("Keep", "Keep", "Stand", "Stand", "Strike D K", "Strike K D", "Stand", "Retreat", "Strike K D")
    assert table.one(BattleEnded).escaped == "D"
    assert table.hp("D") == 2


def test_dl_170_dl_q53_the_blockers_owner_is_the_defending_player() -> None:
    theirs = {"parties": [{"2": "D: dread_duke"}, {"2": "E: imp_herald"}]}
    table = given(OURS, theirs).do("Assault K D", "Block E", "Keep")
    assert table.kinds() == ["1 BattleFormation"]
    table.do("Keep", "Stand", "Stand")
    assert table.kinds() == ["1 BattleAction"]
    assert table.offers() == ["Strike E K", "PassRound"]


def test_dl_186_dl_188_dl_187_a_battle_has_two_rounds() -> None:
    table = begun().do("Keep", "Keep", "Stand", "Stand", "Strike D K", "Strike K D", "Stand", "Stand")
    assert [event.round for event in table.all(BattleRoundBegan)] == [1, 2]
    table.do("Strike K D", "Strike D K")
    assert table.one(AttackEnded).rule == "DL-193"
    assert table.state.battle is None


def test_dl_q30_who_has_defended_may_still_act() -> None:
    table = begun().do("Keep", "Keep", "Stand", "Retreat", "FinishRound")
    assert table.kinds() == ["1 StrategicAction"]
    assert "Assault D K" in table.offers()


def test_dl_042_dl_041_dl_195_a_leader_taps_to_attack_and_shields_its_back_row() -> None:
    table = fight([{"2": "K: knight_captain"}], [{"2": "D: dread_duke", "5": "P: possessed"}])
    assert table.offers() == ["Strike K D", "PassRound"]
    table.do("Strike K D")
    assert table.one(MembersTapped).members == ("K",)
    assert table.hp("D") == 5


def test_dl_060_dl_207_a_giant_takes_damage_and_dies_like_any_unit() -> None:
    theirs = [{"1": "G: devil hp:3", "2": "D: arch_fiend"}]
    table = fight([{"2": "K: knight_captain"}], theirs).do("Strike K G")
    assert table.member("G").dead
    assert table.party("D").slots[0] == table.party("D").slots[3] == "G"


def test_dl_196_dl_200_an_adj_attack_hurts_one_and_nothing_comes_back() -> None:
    table = fight([{"2": "K: knight_captain"}], [{"1": "P: possessed", "2": "D: dread_duke"}]).do("Strike K P")
    (hurt,) = table.one(MembersDamaged).hurt
    assert (hurt.member, hurt.damage) == ("P", 3)
    assert table.hp("K") == 8


def test_dl_199_who_dies_before_acting_does_not_act() -> None:
    table = fight([{"2": "K: knight_captain"}], [{"1": "P: possessed hp:1", "2": "D: dread_duke"}]).do("Strike K P")
    assert table.offers() == ["Strike D K", "PassRound", "FinishRound"]


def test_dl_205_damage_stays_after_the_battle() -> None:
    table = begun().do("Keep", "Keep", "Retreat", "Strike D K")
    assert table.state.battle is None
    assert table.hp("K") == 5


def test_dl_208_a_dead_member_neither_acts_nor_is_hit() -> None:
    table = fight(
        [{"1": "S: squire", "2": "K: knight_captain dead"}], [{"1": "P: possessed dead", "2": "D: dread_duke"}]
    )
    assert table.offers() == ["Strike S D", "PassRound"]


def test_dl_210_a_party_with_a_dead_leader_fights_with_its_units() -> None:
    table = fight([{"2": "K: knight_captain"}], [{"1": "P: possessed", "2": "D: dread_duke dead"}], to_act=1)
    assert table.offers() == ["Strike P K", "PassRound"]


def test_dl_179_dl_182_dl_q14_dl_q17_dl_d20_who_runs_out_is_skipped_and_the_other_may_finish() -> None:
    ours = [{"1": "S: squire", "2": "K: knight_captain"}]
    table = fight(ours, [{"2": "D: dread_duke tapped"}]).do("Strike S D")
    assert table.one(BattleSkipped).seat == 1
    assert table.offers() == ["Strike K D", "PassRound", "FinishRound"]
    decision = BattleAction(table.state.first)
    assert decision.default(table.state).target == "D"  # type: ignore[attr-defined]
    table.do("FinishRound")
    assert table.kinds() == ["0 RetreatOffer"]
    assert table.hp("D") == 6


def test_dl_q17_the_round_may_be_finished_as_soon_as_the_opponent_has_used_the_last_member() -> None:
    ours = [{"1": "S: squire", "2": "K: knight_captain"}]
    theirs = [{"1": "P: possessed", "2": "D: dread_duke"}]
    table = fight(ours, theirs, to_act=1).do("Strike D S")
    assert "FinishRound" not in table.offers()
    table.do("Strike K P", "Strike P K")
    assert not table.all(BattleSkipped)
    assert "FinishRound" in table.offers()


def test_dl_q16_who_alone_can_act_may_pass_once_in_the_round() -> None:
    ours = [{"1": "S: squire", "2": "K: knight_captain"}]
    table = fight(ours, [{"2": "D: dread_duke tapped"}]).do("Strike S D", "PassRound")
    assert table.offers() == ["Strike K D", "FinishRound"]


def test_dl_184_dl_185_the_dead_untap_too() -> None:
    theirs = [{"1": "P: possessed tapped hp:1", "2": "D: dread_duke"}]
    table = fight([{"2": "K: knight_captain"}], theirs).do("Strike K P", "Strike D K")
    assert table.member("P").dead
    assert not any(member.tapped for member in table.state.members.values())


def test_dl_183_a_party_without_the_living_ends_the_round_at_once() -> None:
    theirs = {"parties": [{"2": "D: dread_duke hp:3"}, {"2": "E: imp_herald"}]}
    ours = [{"1": "S: squire", "2": "K: knight_captain"}]
    table = fight(ours, [], seat1=theirs).do("Strike K D")
    assert table.one(PartyWipedOut).party == "D"
    assert table.kinds() == ["1 StrategicAction"]


def test_dl_218_dl_219_dl_q28_dl_d21_two_free_actions_of_untapped_members() -> None:
    ours = [{"1": "S: squire", "2": "K: knight_captain", "3": "T: squire"}]
    table = begun({"parties": ours}).do("Keep", "Keep", "Stand", "Retreat", "Strike S D")
    assert table.offers() == ["Strike K D", "Strike T D", "FinishRound"]
    table.do("Strike T D")
    assert table.state.battle is None
    assert table.hp("D") == 4


def test_dl_189_dl_q56_dl_223_the_attackers_units_go_on_without_their_leader() -> None:
    theirs = {"parties": [{"2": "D: dread_duke hp:2"}, {"2": "F: arch_fiend"}]}
    ours = {"parties": [{"1": "S: squire", "2": "K: knight_captain dead spent"}, {"2": "R: longbow_ranger"}]}
    table = given(
        ours, theirs, start="BattleRound", attack={"leader": "K", "target": "F", "blocker": "D"}, battle={"round": 1}
    )
    table.do("Strike S D")
    assert table.kinds() == ["0 Engagement"]


def test_dl_223_dl_d22_the_blocker_escapes_and_the_attacker_may_engage_the_target() -> None:
    theirs = {"parties": [{"2": "D: dread_duke"}, {"2": "F: arch_fiend"}]}
    table = given(OURS, theirs).do("Assault K F", "Block D", "Keep", "Keep", "Stand", "Retreat", "FinishRound")
    assert table.kinds() == ["0 Engagement"]
    assert table.do("Engage").kinds() == ["0 BattleFormation"]


def test_dl_213_dl_q36_without_a_living_leader_of_the_victors_items_are_discarded() -> None:
    ours = [{"1": "S: squire", "2": "K: knight_captain dead"}]
    theirs = {"parties": [{"2": "D: imp_herald hp:2 +fire_orb"}, {"2": "E: dread_duke"}]}
    table = fight(ours, [], seat1=theirs).do("Strike S D")
    assert table.all(ItemMoved) == []
    assert table.one(ItemsDiscarded).items == ("fire_orb",)
    assert table.side(1).discard == ("fire_orb", "imp_herald")


def test_dl_q36_a_minor_leader_as_victor_takes_the_items() -> None:
    ours = [{"2": "K: iron_guardian"}]
    theirs = {"parties": [{"2": "D: imp_herald hp:3 +fire_orb"}, {"2": "E: dread_duke"}]}
    table = fight(ours, [], seat1=theirs).do("Strike K D")
    assert table.member("K").items == ("fire_orb",)


def test_dl_216_a_minor_leader_that_dies_is_discarded_at_once() -> None:
    theirs = {"parties": [{"2": "D: legions_thief hp:1"}, {"2": "E: dread_duke"}]}
    table = fight([{"2": "K: knight_captain"}], [], seat1=theirs).do("Strike K D")
    assert "D" not in table.state.members
    assert table.side(1).discard == ("legions_thief",)


def test_dl_225_dl_227_only_the_living_count() -> None:
    theirs = {"parties": [{"2": "D: imp_herald hp:3"}, {"2": "H: legions_thief"}], "capital": "none"}
    table = fight([{"2": "K: knight_captain"}], [], seat1=theirs).do("Strike K D")
    assert table.state.result is None
    last = fight([{"2": "K: knight_captain"}], [{"2": "D: imp_herald hp:3"}]).do("Strike K D")
    assert last.state.result is not None
    assert (last.state.result.winner, last.state.result.rule) == (0, "DL-225")


def test_dl_q29_who_escapes_untaps() -> None:
    table = begun().do("Keep", "Keep", "Stand", "Stand", "Strike D K", "Strike K D", "Stand", "Retreat", "FinishRound")
    assert not any(member.tapped for member in table.state.members.values())


def test_dl_211_dl_209_dl_q57_a_member_revived_in_battle_may_still_act() -> None:
    theirs = [{"1": "P: skeleton dead", "2": "D: death_captain +grave_dust"}]
    seat1 = {"deck": "hordes_a", "parties": theirs}
    table = fight([{"2": "K: knight_captain"}], [], to_act=1, seat1=seat1)
    assert "UseItem D grave_dust P" in table.offers()
    table.do("UseItem D grave_dust P")
    assert (table.hp("P"), table.member("P").damage) == (1, 4)
    table.do("Strike K D")
    assert table.offers() == ["Strike P K", "PassRound", "FinishRound"]


def test_dl_q39_damage_beyond_max_hp_is_not_kept() -> None:
    table = fight([{"2": "K: knight_captain"}], [{"1": "P: possessed hp:1", "2": "D: dread_duke"}]).do("Strike K P")
    assert table.member("P").damage == 5
    assert table.one(MembersDied).dead[0].damage == 5


def test_dl_q58_temporary_effects_end_with_death() -> None:
    theirs = [{"1": "P: possessed hp:1 atk:+1/battle poison:1x2 ward:1/battle", "2": "D: dread_duke"}]
    table = fight([{"2": "K: knight_captain"}], theirs).do("Strike K P")
    member = table.member("P")
    assert member.dead
    assert (member.effects, member.ward, member.poison) == ((), None, None)


@pytest.mark.parametrize(("until", "left"), [("round", ()), ("battle", ("battle",)), ("turn", ("turn",))])
def test_effects_of_a_round_end_in_step_6(until: str, left: tuple[str, ...]) -> None:
    ours = [{"2": f"K: knight_captain atk:+1/{until}"}]
    table = fight(ours, [{"2": "D: dread_duke"}]).do("Strike K D", "Strike D K")
    assert table.hp("D") == 4
    assert tuple(effect.until for effect in table.member("K").effects) == left
    assert len(table.all(EffectsEnded)) == (1 if until == "round" else 0)
