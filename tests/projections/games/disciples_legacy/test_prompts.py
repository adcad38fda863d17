"""Options of Disciples: Legacy say what they lead to."""

import re
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from domain.disciples_legacy.cards.cards import index_of
from domain.disciples_legacy.rules.attacking import Assault
from domain.disciples_legacy.rules.battle.rounds import FinishRound, PassRound
from domain.disciples_legacy.rules.battle.skills import UseItem, UseSkill
from domain.disciples_legacy.rules.battle.steps import Retreat
from domain.disciples_legacy.rules.battle.striking import Strike
from domain.disciples_legacy.rules.founding import RecruitCity
from domain.disciples_legacy.rules.healing import ConfirmHeals, ConfirmRevives
from domain.disciples_legacy.rules.paying import TapCity
from domain.disciples_legacy.rules.rearranging import Move
from domain.disciples_legacy.rules.recruiting import RecruitMinor, RecruitUnit
from domain.disciples_legacy.rules.shopping import Shop
from domain.disciples_legacy.rules.strategic import Finish
from domain.disciples_legacy.rules.trading import GiveItem
from domain.disciples_legacy.state.events import (
    BattleEnded,
    BattleSkipped,
    CostPaid,
    Hurt,
    ItemMoved,
    MembersDied,
    SurplusLost,
    UnitRecruited,
)
from domain.disciples_legacy.state.queries import decks_of
from domain.disciples_legacy.state.state import Attack, Effect, MemberId
from domain.disciples_legacy.state.state import Battle as BattleState
from domain.disciples_legacy.state.stats import max_hp
from domain.kernel import Asked, Seat
from projections.games.disciples_legacy import FACE
from projections.games.disciples_legacy.hints import at_stake, out_of_reach, setting
from projections.games.disciples_legacy.pieces import discards, members
from projections.games.disciples_legacy.prompts import MORE, army_figures, more
from projections.games.disciples_legacy.scene import scene
from projections.games.disciples_legacy.texts import abilities_of
from projections.i18n.language import language_of
from tests.domain.disciples_legacy.table import choice_of, fight, given

INDEX = index_of(None)
ITEMS = sorted(INDEX.items)
OURS: Any = {"parties": [{"2": "K: knight_captain"}], "cities": ["market_town"], "hand": ITEMS}


def bought(*items: str) -> str:
    table = given(OURS, {"parties": [{"2": "T: arch_fiend"}]})
    said: str = MORE[Shop](table.state, Seat(0), Shop(MemberId("K"), items))["sub"]
    return said


def test_who_buys_reads_what_the_items_do_and_whether_they_last() -> None:
    banner = abilities_of(INDEX, "battle_standard")[0]
    draught = abilities_of(INDEX, "healing_draught")[0]
    assert bought("battle_standard").endswith(f" to pay. {banner}")
    assert bought("healing_draught").endswith(f" to pay. {draught} Discarded after use.")
    both = bought("battle_standard", "healing_draught")
    assert both.endswith(f" to pay. Battle Standard: {banner} Healing Draught: {draught} Discarded after use.")


def test_who_gives_an_item_away_reads_what_it_does() -> None:
    table = given(OURS)
    said = MORE[GiveItem](table.state, Seat(0), GiveItem(MemberId("K"), "fire_orb"))["sub"]
    assert said == f"{abilities_of(INDEX, 'fire_orb')[0]} Discarded after use."


@pytest.mark.parametrize("item", ITEMS)
def test_each_item_is_explained_in_german(item: str) -> None:
    german = language_of("disciples_legacy", "de")
    assert german is not None
    others = [other for other in ITEMS if other != item]
    for number in (0, 1, 2):
        said = bought(item, *others[:number])
        assert german.has(said), said
        assert "Costs" not in german.text(said)


def asked(kind: str, view: Any, seat: int = 0) -> str:
    return at_stake(view, Asked(1, Seat(seat), kind, {}))


def test_in_the_last_turn_it_is_said_what_decides_and_how_it_stands() -> None:
    table = given(
        {"parties": [{"2": "K: knight_captain"}, {"2": "L: longbow_ranger"}]}, {"parties": [{"2": "arch_fiend"}]}
    )
    last = replace(table.state, turn=table.state.options.turn_limit)
    assert "Last turn" not in asked("StrategicAction", table.state)
    mine, theirs = (
        sum(INDEX.bodies[card].cost for card in cards)
        for cards in (("knight_captain", "longbow_ranger"), ("arch_fiend",))
    )
    assert asked("StrategicAction", last) == (
        "Last turn: more living Major Leaders win, you have 2, the enemy 1. "
        f"If equal, what the living cost decides: yours {mine} (C), the enemy's {theirs} (C)."
    )
    german = language_of("disciples_legacy", "de")
    assert german is not None
    assert german.has(asked("StrategicAction", last))


def test_who_is_asked_in_the_healing_phase_reads_that_all_who_live_heal() -> None:
    table = given(OURS)
    german = language_of("disciples_legacy", "de")
    assert german is not None
    for kind, said in (
        ("Revival", "Next, everybody alive heals 1 HP, the revived too."),
        ("HealingPurchase", "Everybody alive has just healed 1 HP."),
    ):
        assert asked(kind, table.state).startswith(said)
        assert german.has(asked(kind, table.state))


def test_who_acts_with_the_last_leader_reads_that_nobody_can_block_then() -> None:
    table = given({"parties": [{"2": "K: knight_captain"}]}, {"parties": [{"2": "T: arch_fiend"}]})
    alone = asked("StrategicAction", table.state)
    assert alone == "Knight Captain is your last Leader who can block."
    assert setting(table.state, Asked(1, Seat(0), "StrategicAction", {}))["hint"].startswith(
        "It is done at once. Once spent,"
    )
    spent = {**table.state.members, MemberId("T"): replace(table.state.members[MemberId("T")], spent=True)}
    assert asked("StrategicAction", replace(table.state, members=spent)) == "", "nobody is left to attack"
    two = given({"parties": [{"2": "knight_captain"}, {"2": "longbow_ranger"}]}, {"parties": [{"2": "arch_fiend"}]})
    assert asked("StrategicAction", two.state) == ""


def test_who_may_retreat_reads_who_acts_first_in_the_round() -> None:
    table = given({"parties": [{"2": "K: knight_captain"}]}, {"parties": [{"2": "T: arch_fiend"}]})
    for number, first in ((0, "The enemy acts"), (1, "You act")):
        battle = BattleState(attacking=Seat(0), attacker=MemberId("K"), defender=MemberId("T"), round=number)
        told = asked("RetreatOffer", replace(table.state, battle=battle))
        assert told == f"{first} first."


def test_dl_096_in_a_battle_one_reads_who_of_the_enemy_stands_in_which_row_in_german_too() -> None:
    """Those who live: on a phone the half of the board with them may lie out of sight."""
    german = language_of("disciples_legacy", "de")
    assert german is not None
    table = given(
        {"parties": [{"2": "K: knight_captain"}]},
        {"parties": [{"1": "S: squire", "3": "Z: zombie dead", "5": "T: arch_fiend"}]},
    )
    battle = BattleState(attacking=Seat(0), attacker=MemberId("K"), defender=MemberId("T"), round=1)
    for kind, who, rows in (
        ("BattleAction", Seat(0), "In the enemy's front row: Squire S. In its back row: Arch-Fiend."),
        ("BattleAction", Seat(1), "In the enemy's front row: Knight Captain."),
        ("RetreatOffer", Seat(0), "In the enemy's front row: Squire S. In its back row: Arch-Fiend."),
    ):
        told = setting(replace(table.state, battle=battle), Asked(1, who, kind, {}))["hint"]
        assert told.endswith(rows)
        assert german.has(told)


def test_an_attack_changed_for_a_time_is_marked_on_the_card() -> None:
    table = given({"parties": [{"2": "K: knight_captain"}]}, {"parties": [{"2": "T: arch_fiend"}]})
    weak = replace(table.state.members[MemberId("K")], effects=(Effect("atk", -1, "round"),))
    view = replace(table.state, members={**table.state.members, MemberId("K"): weak})
    (mark,) = members(view, Seat(0))["K"]["badges"]
    assert (mark["n"], mark["tone"], mark["label"]) == (-1, "red", "Attack −1 for a time")


def test_cities_do_not_lie_over_each_other() -> None:
    for number in (1, 2, 3, 4):
        cities = ["market_town", "abbey_town", "grave_town", "ash_town"][:number]
        table = given({"parties": [{"2": "knight_captain"}], "cities": cities})
        shown = scene(table.state, Seat(0))
        there = sum(city.seat == 0 for city in table.state.cities.values())
        for name in ("wide", "tall"):
            geom = {
                **shown["zones"]["city0"]["geom"],
                **(shown["zones"]["city0"]["geom"]["tall"] if name == "tall" else {}),
            }
            _, _, room, high = shown["layouts"][name]["at"]["city0"]
            each = min(high * geom["aspect"], geom.get("max", room))
            assert there * each + (there - 1) * geom["gap"] <= room + 0.1


def test_armies_can_be_compared_by_what_they_bring() -> None:
    deck = next(iter(decks_of(given(OURS).state).values()))
    said = army_figures(given(OURS).state, deck)
    assert re.match(r"\d+ members, \d+ HP, Attack \d+; \d can strike any enemy, \d all enemies at once$", said)


def test_an_army_says_how_many_strike_beyond_the_front_row() -> None:
    view = given(OURS).state
    said = {key: army_figures(view, deck).partition("; ")[2] for key, deck in decks_of(view).items()}
    assert said["empire_a"] == "1 can strike any enemy, 1 all enemies at once"
    assert said["clans_a"] == "2 can strike any enemy, 0 all enemies at once"


def test_what_is_at_stake_is_said_in_german() -> None:
    german = language_of("disciples_legacy", "de")
    assert german is not None
    table = given(OURS, {"parties": [{"2": "T: arch_fiend"}]})
    last = replace(table.state, turn=table.state.options.turn_limit)
    for kind in ("DeckSelection", "Revival", "StrategicAction"):
        said = asked(kind, last)
        assert german.has(said), said
        assert "Leader" not in german.text(said)


def test_who_recruits_a_minor_leader_reads_the_figures_in_german() -> None:
    german = language_of("disciples_legacy", "de")
    assert german is not None
    for said in (
        "Costs 1 (C). HP 4, Attack 1 melee. Alone in its Party; Thief A is discarded for it.",
        "Empire: Knight Captain and Banner Herald; 7 members, 46 HP, Attack 17; 1 can strike any enemy, "
        "1 all enemies at once",
    ):
        assert german.has(said), said
        assert "Attack" not in german.text(said)
    assert german.text("Rearrange Knight Captain's Party") == "Umstellen: Trupp von Knight Captain"


def test_who_forms_up_reads_whose_place_reaches_nobody() -> None:
    ours = {"parties": [{"2": "K: knight_captain", "4": "S: squire"}]}
    table = given(ours, {"parties": [{"2": "T: arch_fiend"}]})
    battle = BattleState(attacking=Seat(0), attacker=MemberId("K"), defender=MemberId("T"), round=0)
    view = replace(table.state, battle=battle)
    told = asked("BattleFormation", view)
    assert told == "The enemy acts first. Behind your own front row Squire S can strike nobody."
    assert len(told) <= SEEN
    german = language_of("disciples_legacy", "de")
    assert german is not None
    assert german.has(told), told
    assert german.text(told).startswith("Der Feind handelt zuerst. Hinter der eigenen")
    front = given({"parties": [{"2": "K: knight_captain"}]}, {"parties": [{"2": "T: arch_fiend"}]})
    assert asked("BattleFormation", replace(front.state, battle=battle)) == "The enemy acts first."


def test_who_is_attacked_reads_by_whom() -> None:
    state = given({"parties": [{"2": "K: knight_captain"}]}, {"parties": [{"2": "T: arch_fiend"}]}).state
    battle = BattleState(attacking=Seat(1), attacker=MemberId("T"), defender=MemberId("K"), round=0)
    german = language_of("disciples_legacy", "de")
    assert german is not None
    told = asked("BattleFormation", replace(state, battle=battle))
    assert told == "Arch-Fiend's Party attacks. You act first."
    assert german.has(told), told
    attack = Attack(Seat(1), MemberId("T"), "K")
    offered = asked("BlockOffer", replace(state, attack=attack))
    assert offered == f"The attackers have {INDEX.bodies['arch_fiend'].hp} HP."
    assert german.has(offered), offered


def test_who_meets_a_blocker_reads_when_the_attack_goes_on() -> None:
    german = language_of("disciples_legacy", "de")
    assert german is not None
    ours = {"parties": [{"2": "K: knight_captain", "4": "S: squire"}]}
    state = given(ours, {"parties": [{"2": "T: arch_fiend"}, {"2": "U: imp_herald"}]}).state
    battle = BattleState(attacking=Seat(0), attacker=MemberId("K"), defender=MemberId("U"), round=0)
    attack = Attack(Seat(0), MemberId("K"), "T", blocker=MemberId("U"))
    blocks = "Imp Herald's Party blocks."
    why = "Your attack goes on only if the blocker flees or is wiped out."
    view = replace(state, battle=battle, attack=attack)
    told = asked("BattleFormation", view)
    assert told == f"{blocks} The enemy acts first. Behind your own front row Squire S can strike nobody."
    assert setting(view, Asked(1, Seat(0), "BattleFormation", {}))["hint"] == why
    assert german.has(why), why
    alone = {**view.parties, MemberId("K"): replace(view.parties[MemberId("K")], slots=("", "K", "", "", "", ""))}
    first = asked("BattleFormation", replace(view, parties=alone))
    assert first == f"{blocks} The enemy acts first."
    for said in (told, first):
        assert len(said) <= SEEN
        assert german.has(said), said
    assert "blocks" not in asked("BattleFormation", view, 1), "who blocks knows it"
    meant = replace(battle, defender=MemberId("T"))
    assert "blocks" not in asked("BattleFormation", replace(view, battle=meant)), "the Party that was meant"


def test_nobody_but_who_stands_behind_its_own_front_row_reaches_nobody() -> None:
    for near in product(range(1, 7), repeat=2):
        for far in product(range(1, 7), repeat=2):
            if len(set(near)) < 2 or len(set(far)) < 2:
                continue
            ours = {str(near[0]): "K: knight_captain", str(near[1]): "S: squire"}
            theirs = {str(far[0]): "T: dread_duke", str(far[1]): "B: berserker"}
            state = given({"parties": [ours]}, {"parties": [theirs]}).state
            battle = BattleState(attacking=Seat(0), attacker=MemberId("K"), defender=MemberId("T"), round=0)
            front = any(slot <= 3 for slot in near)
            behind = [id_ for id_, slot in zip("KS", near, strict=True) if front and slot > 3]
            assert sorted(out_of_reach(replace(state, battle=battle), Seat(0))) == behind


def test_the_name_of_the_discards_says_how_many_lie_there_and_no_number_covers_the_top_card() -> None:
    state = given(OURS).state
    side = replace(state.sides[0], discard=("fire_orb", "healing_draught"))
    view = replace(state, sides=(side, state.sides[1]))
    shown = scene(view, Seat(0))["zones"]["disc0"]
    assert (shown["label"], shown["geom"]["count"], shown["geom"]["open"]) == ("Discard", 2, True)
    assert "badges" not in discards(view)["d0"]


SEEN = 145
"""About so many letters of what is at stake are seen; the rest would have to be looked for."""


def test_what_is_at_stake_in_the_last_turn_is_seen_whole() -> None:
    german = language_of("disciples_legacy", "de")
    assert german is not None
    one, two = [{"2": "knight_captain"}], [{"2": "knight_captain"}, {"2": "longbow_ranger"}]
    for parties in (one, two):
        state = given({"parties": parties}, {"parties": [{"2": "T: arch_fiend"}]}).state
        last = replace(state, turn=state.options.turn_limit)
        for kind in ("Revival", "HealingPurchase", "StrategicAction"):
            said = asked(kind, last)
            assert said.startswith("Last turn: more living Major Leaders win, ")
            assert len(said) <= SEEN
            assert german.has(said), said


def test_the_dead_may_be_revived_in_a_next_turn_only_where_there_is_one() -> None:
    state = given(OURS).state
    question = Asked(1, Seat(0), "Revival", {})
    assert "next turn" in more(state, question, ConfirmRevives())["sub"]
    last = replace(state, turn=state.options.turn_limit)
    assert more(last, question, ConfirmRevives())["sub"] == "The dead stay in their Party"


def test_a_unit_that_costs_less_or_takes_a_place_says_so_and_is_asked_twice() -> None:
    german = language_of("disciples_legacy", "de")
    assert german is not None
    legions = {"hand": ["possessed", "infernal_knight"]}
    full = {"1": "possessed", "2": "I: imp_herald", "3": "possessed"}
    for party, room in ((full, "one must go"), ({"2": "I: imp_herald"}, "Unit 1 of 2")):
        view = given({**legions, "parties": [party]}).state
        told = MORE[RecruitUnit](view, Seat(0), RecruitUnit(MemberId("I"), "infernal_knight"))
        assert told["sub"].startswith("Costs ")
        assert told["sub"].endswith(room)
        assert ("confirm" in told) == (party is full)
    less = "Costs 2 (C), 1 less for the first Unit of a turn. HP 8, Attack 5 melee; Unit 2 of 2"
    assert german.text(less).startswith("Kostet 2 (C), 1 weniger für die erste Einheit eines Zugs.")


def struck(theirs: dict[str, str], *, target: str, last: bool = False, free: int = 0) -> str:
    """What stands under a strike of the Knight Captain, whose Attack is 3."""
    state = given({"parties": [{"2": "K: knight_captain"}]}, {"parties": [theirs]}).state
    found = state.members[MemberId(target)]
    nearly = replace(found, damage=max_hp(state, found.id) - 3)
    battle = BattleState(attacking=Seat(0), attacker=MemberId("K"), defender=MemberId("T"), round=1, free=free)
    turn = state.options.turn_limit if last else 1
    view = replace(state, members={**state.members, found.id: nearly}, battle=battle, turn=turn)
    said: str = MORE[Strike](view, Seat(0), Strike("K", target)).get("sub", "")
    return said


def test_who_kills_reads_whether_the_row_behind_is_freed_and_the_dead_come_back() -> None:
    german = language_of("disciples_legacy", "de")
    assert german is not None
    freed = "The front row is then empty: those behind it can strike and be struck."
    leader = "While its Party lives it may be revived next turn, for 2 (C)."
    unit = leader.replace("2 (C)", "1 (C)")
    shielded = {"2": "B: berserker", "5": "T: arch_fiend"}
    assert struck(shielded, target="B") == f"{freed} {unit}"
    assert struck(shielded, target="B", last=True) == freed
    assert struck(shielded, target="B", free=1) == unit, "who escapes strikes nobody"
    assert struck({"1": "P: possessed", **shielded}, target="B") == unit
    assert struck({"2": "T: arch_fiend", "5": "B: berserker", "1": "P: possessed"}, target="T") == leader
    assert struck({"2": "T: arch_fiend"}, target="T") == "", "its Party does not live"
    for said in (freed, leader, unit):
        assert german.has(said), said


@pytest.mark.parametrize("card", sorted(INDEX.minors))
def test_who_recruits_a_minor_leader_reads_what_it_is_good_for(card: str) -> None:
    german = language_of("disciples_legacy", "de")
    assert german is not None
    view = given({"parties": [{"2": "K: knight_captain"}], "hand": [card]}).state
    said = MORE[RecruitMinor](view, Seat(0), RecruitMinor(MemberId("K"), card))["sub"]
    assert said.endswith(" ".join(("Alone in its Party.", *abilities_of(INDEX, card))))
    assert german.has(said), said


def test_who_attacks_reads_that_a_party_may_retreat_and_at_what_price() -> None:
    german = language_of("disciples_legacy", "de")
    assert german is not None
    view = given({"parties": [{"2": "K: knight_captain"}]}, {"parties": [{"2": "T: arch_fiend"}]}).state
    said = MORE[Assault](view, Seat(0), Assault(MemberId("K"), MemberId("T")))["sub"]
    assert said.endswith("; nobody can block; whoever retreats suffers two blows first")
    assert german.text(said).startswith("Eine Schlacht gegen 1")


def test_who_attacks_what_may_be_blocked_reads_what_a_block_leads_to() -> None:
    german = language_of("disciples_legacy", "de")
    assert german is not None
    parties = [{"2": "T: arch_fiend"}, {"2": "U: imp_herald"}, {"2": "dread_duke"}]
    for others, leaders, most in ((2, "1 enemy Leader", "6"), (3, "2 enemy Leaders", "up to 8")):
        theirs: Any = {"parties": parties[:others], "cities": ["C: ash_town"]}
        view = given({"parties": [{"2": "K: knight_captain"}]}, theirs).state
        said = MORE[Assault](view, Seat(0), Assault("K", "T"))["sub"]
        first = "you then fight the blocker's Party first, and go on only if it flees or is wiped out"
        assert f"; {leaders} may block, with {most} HP: {first}; " in said
        assert german.has(said), said
        assert german.text(said).startswith("Eine Schlacht gegen 1")
    (city,) = (place.id for place in view.cities.values() if place.card == "ash_town")
    said = MORE[Assault](view, Seat(0), Assault("K", city))["sub"]
    assert said == (
        "It is yours at once if nobody blocks; 3 enemy Leaders may block, with up to 8 HP: you then fight the "
        "blocker's Party first, and go on only if it flees or is wiped out"
    )
    assert german.has(said), said


def test_who_founds_a_city_reads_that_it_may_be_taken() -> None:
    german = language_of("disciples_legacy", "de")
    assert german is not None
    view = given({"parties": [{"2": "K: knight_captain"}], "hand": ["market_town"]}).state
    last = replace(view, turn=view.options.turn_limit)
    for state, when in ((view, "a turn"), (last, "this turn")):
        said = MORE[RecruitCity](state, Seat(0), RecruitCity(MemberId("K"), "market_town"))["sub"]
        assert said == f"Free; gives 2 (C) {when} while it is yours: an attack nobody blocks takes it."
        assert german.has(said), said


def healer(*, credit: int, damage: int, tapped: bool = False, last: bool = False) -> Any:
    """A table with a Knight Captain who has so much damage, and so many (C) at hand."""
    state = given(OURS).state
    side = replace(state.sides[0], credit=credit)
    hurt = {**state.members, MemberId("K"): replace(state.members[MemberId("K")], damage=damage)}
    cities = {id_: replace(city, tapped=tapped) for id_, city in state.cities.items()}
    turn = state.options.turn_limit if last else 1
    return replace(state, sides=(side, state.sides[1]), members=hurt, cities=cities, turn=turn)


def test_who_has_revived_reads_what_becomes_of_what_is_left() -> None:
    german = language_of("disciples_legacy", "de")
    assert german is not None
    question = Asked(1, Seat(0), "Revival", {})
    stay, next_ = "The dead stay in their Party", " and may be revived next turn"
    for view, said in (
        (healer(credit=0, damage=3), stay + next_),
        (healer(credit=2, damage=3), f"{stay}{next_}; your 2 (C) stay for healing"),
        (healer(credit=2, damage=3, last=True), f"{stay}; your 2 (C) stay for healing"),
        # DL-113: 1 HP heals for nothing
        (healer(credit=2, damage=1), f"{stay}{next_}; your 2 (C) find nobody to heal"),
        (healer(credit=1, damage=0, last=True), f"{stay}; your 1 (C) find nobody to heal"),
    ):
        assert more(view, question, ConfirmRevives())["sub"] == said
        assert german.has(said), said


def test_who_taps_to_revive_reads_that_what_is_left_can_heal() -> None:
    german = language_of("disciples_legacy", "de")
    assert german is not None
    view = healer(credit=0, damage=3)
    (city,) = (place.id for place in view.cities.values() if place.card == "market_town")
    said = more(view, Asked(1, Seat(0), "Revival", {}), TapCity(city))["sub"]
    then = "You then have 2 (C): a Unit costs 1, a Leader 2, each left can heal 2 HP next"
    assert said == f"{then}; it pays for no recruits and Items this turn"
    assert german.has(said), said


def test_who_has_healed_reads_what_is_lost_where_something_is() -> None:
    german = language_of("disciples_legacy", "de")
    assert german is not None
    question = Asked(1, Seat(0), "HealingPurchase", {})
    for view, said in (
        (healer(credit=2, damage=3), "Your 2 (C) are lost, untapped Cities stay untapped"),
        (healer(credit=1, damage=3, tapped=True), "Your 1 (C) is lost"),
        (healer(credit=0, damage=3), "Untapped Cities stay untapped"),
    ):
        assert more(view, question, ConfirmHeals())["sub"] == said
        assert german.has(said), said


def test_who_is_asked_in_the_healing_phase_reads_how_many_c_there_are() -> None:
    german = language_of("disciples_legacy", "de")
    assert german is not None
    prices = {"Revival": "A Unit costs 1 (C), a Leader 2 (C).", "HealingPurchase": "1 (C) heals 2 HP."}
    for kind, price in prices.items():
        for last in (False, True):
            said = asked(kind, healer(credit=2, damage=3, last=last))
            assert said.endswith("You have 2 (C).")
            assert len(said) <= SEEN
            assert german.has(said), said
            without = asked(kind, healer(credit=0, damage=3, last=last))
            assert without.endswith(price)
            assert german.has(without), without
            alone = asked(kind, healer(credit=0, damage=3, tapped=True, last=last))
            assert price not in alone, "no City is left to tap"


def test_who_takes_no_further_action_in_the_last_turn_reads_that_the_match_ends() -> None:
    german = language_of("disciples_legacy", "de")
    assert german is not None
    for last, end in ((False, "stay unspent and do nothing"), (True, "do nothing more, and the match ends")):
        told = more(healer(credit=0, damage=0, last=last), Asked(1, Seat(0), "StrategicAction", {}), Finish())
        assert told == {"sub": f"Your unspent Leaders {end}", "confirm": "Finish"}
        assert german.has(told["sub"]), told["sub"]


def test_who_is_moved_before_a_battle_reads_who_strikes_nobody_from_there() -> None:
    german = language_of("disciples_legacy", "de")
    assert german is not None
    ours = {"parties": [{"1": "S: squire", "2": "K: knight_captain", "6": "A: archer"}]}
    table = given(ours, {"parties": [{"2": "T: arch_fiend"}]})
    battle = BattleState(attacking=Seat(0), attacker=MemberId("K"), defender=MemberId("T"), round=0)
    view = replace(table.state, battle=battle)
    forming, resting = (Asked(1, Seat(0), kind, {}) for kind in ("BattleFormation", "Arrangement"))
    idle = "behind the front row Knight Captain could then strike nobody"
    for choice, said in (
        (Move("K", 5), idle),
        (Move("K", 6), f"Archer A changes places; {idle}"),
        (Move("K", 1), "Squire S changes places"),
        # an Archer strikes from everywhere
        (Move("A", 4), None),
        (Move("S", 6), "Archer A changes places; behind the front row Squire S could then strike nobody"),
    ):
        assert more(view, forming, choice).get("sub") == said
        assert said is None or german.has(said), said
    assert "sub" not in more(table.state, resting, Move("K", 5)), "no enemy stands there"


def test_what_is_told_last_of_a_player_is_what_came_of_it() -> None:
    state = given(OURS, {"parties": [{"2": "T: arch_fiend", "5": "B: berserker"}]}).state
    dead = MembersDied((Hurt(MemberId("B"), 7),))
    joined = UnitRecruited(state.members[MemberId("B")], state.parties[MemberId("T")])
    for told in (dead, joined, BattleEnded(MemberId("T"))):
        assert FACE.speaker(state, told) == 1
    for frame in (SurplusLost(Seat(1), 1), CostPaid(Seat(1), 1, "DL-138"), BattleSkipped(Seat(1))):
        assert FACE.speaker(state, frame) is None


def test_a_pass_and_taking_no_further_action_have_not_one_key() -> None:
    state = given(OURS).state
    question = Asked(1, Seat(0), "BattleAction", {})
    assert more(state, question, PassRound())["key"] == "0"
    assert "key" not in more(state, question, FinishRound())


def test_who_uses_an_item_or_ability_in_a_battle_reads_that_it_costs_the_strike() -> None:
    german = language_of("disciples_legacy", "de")
    assert german is not None
    ours = [{"2": "K: knight_captain +fire_orb", "5": "A: acolyte"}]
    table = fight(ours, [{"2": "D: arch_fiend", "5": "B: berserker"}])
    used = []
    for offer in table.offers():
        choice = choice_of(offer)
        if isinstance(choice, UseItem | UseSkill):
            who = choice.leader if isinstance(choice, UseItem) else choice.member
            said = more(table.state, table.asked(), choice)["sub"]
            name = "Knight Captain" if who == "K" else f"Acolyte {who}"
            assert said.endswith(f" It taps {name}, as a strike does.")
            assert german.has(said), said
            used.append(who)
    assert "K" in used


def retreat(leader: str) -> dict[str, Any]:
    state = given({"parties": [{"1": "S: squire", "2": f"K: knight_captain {leader}".strip()}]}, {}).state
    battle = BattleState(attacking=Seat(1), attacker=MemberId("T"), defender=MemberId("K"), round=0)
    question = Asked(1, Seat(0), "RetreatOffer", {})
    return more(replace(state, battle=battle), question, Retreat())


def test_dl_q30_who_may_retreat_reads_that_its_leader_is_not_spent_for_it() -> None:
    german = language_of("disciples_legacy", "de")
    assert german is not None
    price = "The enemy has two Battle Actions first; whoever lives then escapes"
    assert retreat("")["sub"] == f"{price}; Knight Captain is not spent for it"
    assert retreat("spent")["sub"] == retreat("dead")["sub"] == price
    for leader in ("", "spent"):
        assert german.has(retreat(leader)["sub"])


def test_dl_213_an_item_captured_is_told_last_and_one_stolen_by_its_ability() -> None:
    state = given(OURS, {"parties": [{"2": "T: arch_fiend"}]}).state
    captured = ItemMoved("tower_shield", MemberId("T"), MemberId("K"), "DL-213")
    assert FACE.speaker(state, captured) == 0
    assert FACE.speaker(state, replace(captured, rule="DL-Q68")) is None
