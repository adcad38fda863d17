"""Sections B, E, F and AG of the ledger: setup, Leaders and Units, and who knows what."""

import pytest

from domain.disciples_legacy import GAME
from domain.disciples_legacy.cards.cards import index_of
from domain.disciples_legacy.rules.setup import BringDeck, Deploy, arranging_of
from domain.disciples_legacy.state.events import (
    ArmyDeployed,
    DeckChosen,
    HandPeeked,
    ReservesDrawn,
    ReservesShown,
    TurnBegan,
)
from domain.disciples_legacy.state.queries import is_giant, leadership
from domain.disciples_legacy.state.state import MemberId
from domain.kernel import HIDDEN, Hidden, Mask, NotOffered
from tests.domain.disciples_legacy.table import Table, given

INDEX = index_of(None)
ALONE = [{"2": "K: knight_captain"}]


def deployed(first_turn: int = 2) -> Table:
    setup = given(start="Match", dice=[first_turn])
    return setup.do("0: ChooseDeck empire_a", "1: ChooseDeck legions_a", "0: DeployAsListed", "1: DeployAsListed")


def test_dl_011_dl_d01_both_players_hand_in_a_deck_in_secret() -> None:
    table = given(start="Match")
    assert table.kinds() == ["0 DeckSelection", "1 DeckSelection"]
    assert len(table.offers(0)) == len(INDEX.decks)
    table.do("0: ChooseDeck empire_a")
    assert table.kinds() == ["1 DeckSelection"]
    assert table.all(DeckChosen) == []


def test_dl_011_a_deck_of_ones_own_is_checked() -> None:
    table = given(start="Match")
    own = INDEX.decks["empire_a"]
    with pytest.raises(NotOffered, match="DL-032"):
        table.answer(BringDeck(type(own)(own.id, own.name, own.race, own.capital, own.parties, own.reserves[:11])), 0)
    table.answer(BringDeck(own), 0).do("1: ChooseDeck hordes_a")
    assert table.side(0).deck == own


def test_dl_012_dl_019_turn_1_begins_once_both_have_deployed() -> None:
    table = given(start="Match", dice=[2]).do("0: ChooseDeck empire_a", "1: ChooseDeck legions_a")
    assert table.kinds() == ["0 Deployment", "1 Deployment"]
    table.do("1: DeployAsListed")
    assert table.all(ArmyDeployed) == []
    assert table.all(TurnBegan) == []
    table.do("0: DeployAsListed")
    assert len(table.all(ArmyDeployed)) == 2
    assert table.one(TurnBegan).turn == 1


def test_dl_013_dl_020_the_whole_army_enters_play_whole_unspent_and_untapped() -> None:
    table = deployed()
    for seat, name in enumerate(("empire_a", "legions_a")):
        deck = INDEX.decks[name]
        members = [member for member in table.state.members.values() if member.seat == seat]
        in_play = [member.card for member in members] + [item for member in members for item in member.items]
        capitals = [city.card for city in table.state.cities.values() if city.seat == seat and city.capital]
        assert sorted(in_play + capitals) == sorted(deck.army)
        assert all(not (m.damage or m.dead or m.tapped or m.spent) for m in members)


def test_dl_014_dl_d02_every_card_of_the_army_is_deployed_as_the_player_likes() -> None:
    table = given(start="Match", dice=[2]).do("0: ChooseDeck empire_a", "1: ChooseDeck legions_a")
    deck = INDEX.decks["empire_a"]
    first, second, third = deck.parties
    fewer = type(first)(first.leader, first.leader_slot, {"3": "squire"}, first.items)
    with pytest.raises(NotOffered, match="DL-013"):
        table.answer(Deploy((fewer, second, third)), 0)
    moved = type(third)(third.leader, third.leader_slot, {**third.units, "1": "knight"}, third.items)
    table.answer(Deploy((fewer, second, moved)), 0).do("1: DeployAsListed")
    assert [len([m for m in table.state.members.values() if m.party == leader]) for leader in ("A1", "A3", "A5")] == [
        2,
        2,
        3,
    ]


def test_dl_014_a_deployment_is_arranged_member_by_member_each_leader_in_his_own_party() -> None:
    table = given(start="Match", dice=[2]).do("0: ChooseDeck empire_a", "1: ChooseDeck legions_a")
    deck = INDEX.decks["empire_a"]
    found = arranging_of(deck, INDEX)
    assert found.read(found.lie) == Deploy(deck.parties)
    assert {place.split(".")[0] for place in found.allowed["0.0"]} == {"0"}
    assert {place.split(".")[0] for place in found.allowed["0.1"]} == {"0", "1", "2"}
    free = next(place for place in found.allowed["0.1"] if place[0] == "2" and place not in found.lie.values())
    made = found.read({**found.lie, "0.1": free})
    assert isinstance(made, Deploy)
    assert made.parties[2].units[free[2:]] == deck.parties[0].places[1][1]  # type: ignore[index]
    table.answer(made, 0).do("1: DeployAsListed")
    assert len([m for m in table.state.members.values() if m.party == "A1"]) == len(deck.parties[0].places) - 1


def test_dl_055_a_giant_is_arranged_by_his_front_slot() -> None:
    for name, deck in INDEX.decks.items():
        allowed = arranging_of(deck, INDEX).allowed
        for number, party in enumerate(deck.parties):
            for at, (_, card) in enumerate(party.places):
                slots = {place.split(".")[1] for place in allowed[f"{number}.{at}"]}
                assert (slots == set("123")) == is_giant(INDEX, card), (name, card)


@pytest.mark.parametrize(
    "wrong",
    [{}, {"0.0": "1.1"}, {"0.1": "0.7"}, {"0.1": "0.2", "0.0": "0.2"}, {"9.9": "0.1"}],
)
def test_what_cannot_be_arranged_is_no_answer(wrong: dict[str, str]) -> None:
    found = arranging_of(INDEX.decks["empire_a"], INDEX)
    assert found.read({**found.lie, **wrong} if wrong else {}) is None


def test_dl_016_a_deployment_that_breaks_a_rule_is_refused() -> None:
    table = given(start="Match").do("0: ChooseDeck empire_a", "1: ChooseDeck legions_a")
    first, second, third = INDEX.decks["empire_a"].parties
    crowded = type(first)(first.leader, 1, first.units, first.items)
    with pytest.raises(NotOffered, match="DL-089"):
        table.answer(Deploy((crowded, second, third)), 0)


def test_dl_017_the_reserves_are_the_hand_and_there_is_no_other_draw() -> None:
    table = deployed()
    assert table.side(0).hand == INDEX.decks["empire_a"].reserves
    assert [event.count for event in table.all(ReservesDrawn)] == [12, 12]


def test_dl_018_dl_d08_a_hand_card_stays_in_the_hand_and_may_be_used_again() -> None:
    table = given().do("RecruitCity A1 market_town", "Pass", "RecruitCity A4 market_town")
    assert table.side(0).hand == INDEX.decks["empire_a"].reserves
    assert [city.card for city in table.state.cities.values() if not city.capital] == ["market_town"] * 2


@pytest.mark.parametrize(("face", "seat"), [(1, 1), (2, 0)])
def test_dl_q04_a_die_names_the_first_player_and_turns_alternate(face: int, seat: int) -> None:
    table = deployed(face)
    assert table.kinds() == [f"{seat} StrategicAction"]
    later = given({"parties": [{"2": "K: knight_captain spent"}]}, {"parties": [{"2": "D: dread_duke"}]}, to_act=1)
    later.do("RecruitCity D ash_town")
    assert later.one(TurnBegan) == TurnBegan(2, type(later.state.first)(1))


def test_dl_040_a_party_has_exactly_one_leader() -> None:
    with pytest.raises(ValueError, match="2 Leaders"):
        given({"parties": [{"1": "knight_captain", "2": "court_magus"}]})


def test_dl_053_a_unit_is_always_in_a_party_with_a_leader() -> None:
    with pytest.raises(ValueError, match="0 Leaders"):
        given({"parties": [{"1": "squire"}]})


def test_dl_086_dl_087_dl_089_six_slots_hold_a_leader_and_five_units() -> None:
    cards = {"major_leaders": {"marshal": {"leadership": 5}}}
    squires = dict.fromkeys("13456", "squire")
    table = given({"parties": [{"2": "K: marshal", **squires}]}, cards=cards)
    assert all(table.party("K").slots)
    assert not any(offer.startswith("RecruitUnit") for offer in table.offers() if "squire" in offer)
    with pytest.raises(ValueError, match="'7' is not known here"):
        given({"parties": [{"2": "K: marshal", "7": "squire"}]}, cards=cards)


def test_dl_044_dl_046_dl_047_thief_rod_planter_and_summons_are_minor_leaders_without_units() -> None:
    table = given(
        {
            "deck": "legions_a",
            "mana": ["red_mana", "red_mana"],
            "parties": [{"2": "K: dread_duke"}, {"2": "P: legions_rod_planter"}],
        }
    )
    table.do("Cast P summon_pit_beast", "Pass")
    for name in ("P", "A3"):
        assert table.member(name).kind == "minor"
        assert leadership(table.state, MemberId(name)) == 0
    assert not any(offer.startswith(("RecruitUnit A3", "Trade K A3", "Trade A3")) for offer in table.offers())


def test_dl_047_a_unit_under_a_minor_leader_is_no_position() -> None:
    with pytest.raises(ValueError, match="too many Units"):
        given({"parties": [*ALONE, {"1": "squire", "2": "empire_thief"}]})


def test_dl_045_a_party_over_its_leadership_is_no_position() -> None:
    assert given({"parties": [{"1": "squire", "2": "K: banner_herald", "3": "squire"}]}).party("K").leader == "K"
    with pytest.raises(ValueError, match="too many Units"):
        given({"parties": [{"1": "squire", "2": "K: banner_herald", "3": "squire", "4": "squire"}]})


def test_dl_228_dl_q47_the_decks_are_secret_until_both_are_deployed() -> None:
    table = given(start="Match").do("0: ChooseDeck empire_a", "1: ChooseDeck legions_a")
    mine, theirs = table.all(DeckChosen)
    assert GAME.redact(theirs, Mask(0b01)).deck == HIDDEN  # type: ignore[attr-defined]
    assert GAME.redact(mine, Mask(0b01)) == mine
    assert GAME.redact(mine, Mask(0)).deck == HIDDEN  # type: ignore[attr-defined]


def test_dl_229_dl_230_armies_are_public_and_reserves_are_not() -> None:
    table = deployed()
    for event in table.all(ArmyDeployed):
        assert GAME.redact(event, Mask(0)) == event
    mine = table.all(ReservesDrawn)[0]
    hidden = GAME.redact(mine, Mask(0b10))
    assert isinstance(hidden, ReservesDrawn)
    assert (hidden.count, hidden.cards) == (12, HIDDEN)


def test_dl_231_dl_q50_a_card_is_known_once_a_copy_enters_play_or_is_cast() -> None:
    side = {
        "deck": "legions_a",
        "cities": ["ash_town"],
        "mana": ["red_mana"],
        "parties": [{"2": "K: dread_duke"}, {"2": "C: pit_counsellor"}, {"2": "P: legions_rod_planter"}],
    }
    table = given(side, {"parties": [{"2": "D: dread_duke"}, {"2": "E: imp_herald"}, {"2": "F: arch_fiend"}]})
    assert table.side(0).known == ()
    table.do("Cast P fire_bolt D", "Pass", "RecruitUnit C possessed", "PlaceUnit 1")
    assert set(table.side(0).known) == {"fire_bolt", "possessed"}


def test_dl_232_dl_q44_a_thief_sees_the_hand_and_nobody_else_does() -> None:
    table = given({"parties": [*ALONE, {"2": "T: empire_thief"}]})
    table.do("UseAbility T 1")
    peek = table.one(HandPeeked)
    assert peek.cards == tuple(sorted(INDEX.decks["legions_a"].reserves))
    for viewer in (Mask(0b10), Mask(0)):
        seen = GAME.redact(peek, viewer)
        assert isinstance(seen, HandPeeked)
        assert (seen.count, seen.cards) == (12, HIDDEN)
    assert table.side(0).peeked == peek.cards
    assert table.side(0).peeked_count == 12


def test_dl_q59_when_the_game_is_over_both_hands_and_decks_are_public() -> None:
    table = given(
        {"parties": ALONE},
        {"parties": [{"2": "D: imp_herald hp:3"}]},
        start="BattleRound",
        attack={"leader": "K", "target": "D"},
        battle={"round": 1},
    )
    table.do("Strike K D")
    assert [(event.seat, event.deck) for event in table.all(ReservesShown)] == [(0, "empire_a"), (1, "legions_a")]
    assert all(GAME.redact(event, Mask(0)) == event for event in table.all(ReservesShown))


def test_dl_q59_a_view_of_a_position_holds_the_own_hand_only() -> None:
    table = given()
    view = GAME.spec.positions.view(table.state, type(table.state.first)(0))  # type: ignore[union-attr]
    assert view.sides[0].hand == table.side(0).hand
    assert isinstance(view.sides[1].hand, Hidden)
    public = GAME.spec.positions.view(table.state, None)  # type: ignore[union-attr]
    assert all(isinstance(side.hand, Hidden) and isinstance(side.deck, Hidden) for side in public.sides)
