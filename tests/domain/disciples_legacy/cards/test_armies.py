"""Sections C and D of the ledger: Army Decks and Reserves Decks."""

import msgspec
import pytest
from msgspec.structs import replace

from domain.disciples_legacy import GAME
from domain.disciples_legacy.cards.armies import army_cost, deck_defects, deck_findings, placeable
from domain.disciples_legacy.cards.cards import SHIPPED, CardId, Deck, DeckParty, SlotName, index_of

INDEX = index_of(None)
DECK = INDEX.decks["empire_a"]


def party(
    leader: CardId, units: dict[SlotName, CardId] | None = None, items: tuple[CardId, ...] = (), slot: int = 2
) -> DeckParty:
    return DeckParty(leader, slot, units or {}, items)


BARE = (party("knight_captain"), party("longbow_ranger"), party("high_prelate"))


def army(*parties: DeckParty, capital: CardId = "sunspire") -> Deck:
    return replace(DECK, capital=capital, parties=parties)


def first(units: dict[SlotName, CardId] | None = None, items: tuple[CardId, ...] = (), slot: int = 2) -> Deck:
    """The bare army with these cards in its first Party."""
    return army(party("knight_captain", units, items, slot), *BARE[1:])


def reserves(*cards: CardId) -> Deck:
    return replace(DECK, reserves=cards)


def without(*cards: CardId) -> tuple[CardId, ...]:
    return tuple(card for card in DECK.reserves if card not in cards)


def advice(deck: Deck) -> list[str]:
    return [str(defect) for defect in deck_findings(deck, INDEX) if defect.advice]


def rules(deck: Deck) -> list[str]:
    return [defect.rule for defect in deck_defects(deck, INDEX)]


@pytest.mark.parametrize("deck", SHIPPED.decks, ids=lambda deck: str(deck.id))
def test_every_ready_deck_keeps_every_rule_and_costs_exactly_18(deck: Deck) -> None:
    assert rules(deck) == []
    assert advice(deck) == []
    assert army_cost(deck, INDEX) == 18
    assert len(deck.reserves) == 12


def test_dl_021_an_army_has_one_capital() -> None:
    assert rules(army(*BARE)) == []
    assert "DL-021" in rules(army(*BARE, capital="market_town"))
    assert "DL-021" in rules(first(items=("sunspire",)))


def test_dl_014_dl_022_an_army_has_three_major_leaders_each_with_a_party() -> None:
    assert rules(army(*BARE[:2])) == ["DL-022", "DL-014"]
    assert rules(army(*BARE, party("banner_herald"))) == ["DL-022", "DL-014"]


def test_dl_023_the_major_leaders_are_three_different_cards() -> None:
    assert rules(army(*BARE[:2], party("knight_captain"))) == ["DL-023"]


def test_dl_024_every_card_has_the_race_of_the_capital() -> None:
    assert rules(first({"1": "squire"})) == []
    assert rules(first({"1": "possessed"})) == ["DL-024"]
    assert rules(first(items=("fire_orb",))) == ["DL-024"]
    assert rules(army(*BARE[:2], party("dread_duke"))) == ["DL-024"]
    assert rules(replace(DECK, race="hordes")) == ["DL-024"]


def test_dl_025_eighteen_c_are_allowed_and_nineteen_are_not() -> None:
    eighteen = army(
        party("knight_captain", {"1": "knight", "3": "knight", "5": "knight"}),
        party("longbow_ranger", {"2": "marksman"}, slot=5),
        BARE[2],
    )
    assert army_cost(eighteen, INDEX) == 18
    assert rules(eighteen) == []
    nineteen = army(*eighteen.parties[:2], party("high_prelate", items=("tower_shield",)))
    assert army_cost(nineteen, INDEX) == 19
    assert rules(nineteen) == ["DL-025"]


def test_dl_026_the_capital_costs_nothing() -> None:
    assert army_cost(army(*BARE), INDEX) == 9


def test_dl_q01_an_army_below_18_is_legal_with_a_warning() -> None:
    assert rules(army(*BARE)) == []
    assert [said.endswith("(DL-Q01)") for said in advice(army(*BARE))] == [True]


def test_dl_027_units_and_items_may_be_none_or_several_copies() -> None:
    assert rules(army(*BARE)) == []
    twice = army(
        party("knight_captain", {"1": "squire", "3": "squire"}, ("tower_shield",)),
        party("longbow_ranger", items=("tower_shield",)),
        BARE[2],
    )
    assert rules(twice) == []


@pytest.mark.parametrize(
    ("rule", "card"),
    [("DL-028", "market_town"), ("DL-029", "white_mana"), ("DL-030", "rally"), ("DL-031", "empire_thief")],
)
def test_dl_028_dl_029_dl_030_dl_031_some_types_are_not_in_armies(rule: str, card: CardId) -> None:
    assert rules(first(items=(card,))) == [rule, "DL-015"]


def test_dl_014_dl_015_each_card_stands_where_its_type_does() -> None:
    assert rules(first(items=("squire",))) == ["DL-015"]
    assert rules(first({"1": "tower_shield"})) == ["DL-014"]
    assert rules(army(*BARE[:2], party("squire"))) == ["DL-022", "DL-014"]
    assert rules(first({"1": "banner_herald"})) == ["DL-022", "DL-014"]


def test_dl_016_dl_045_dl_x03_leadership_three_takes_three_units() -> None:
    three: dict[SlotName, CardId] = {"1": "squire", "3": "squire", "4": "squire"}
    assert rules(first(three)) == []
    assert rules(first({**three, "5": "squire"})) == ["DL-045"]


def test_dl_016_dl_089_one_member_on_a_slot() -> None:
    assert rules(first({"2": "squire"}, slot=1)) == []
    assert rules(first({"2": "squire"}, slot=2)) == ["DL-089"]


@pytest.mark.parametrize("slot", ["1", "2", "3"])
def test_dl_057_dl_x08_a_giant_takes_a_column(slot: SlotName) -> None:
    other = int(slot) % 3 + 1
    assert rules(first({slot: "titan"}, slot=other)) == []
    assert rules(first({slot: "titan"}, slot=int(slot) + 3)) == ["DL-089"]


def test_dl_058_a_giant_is_named_by_its_front_slot() -> None:
    assert rules(first({"4": "titan"})) == ["DL-058"]


def test_dl_059_dl_061_dl_234_dl_x11_two_giants_and_another_unit_fill_a_party() -> None:
    full: dict[SlotName, CardId] = {"1": "titan", "3": "titan", "5": "squire"}
    assert rules(first(full)) == []


def test_dl_059_three_giants_are_too_many_for_a_party() -> None:
    assert "DL-059" in rules(first({"1": "titan", "2": "titan", "3": "titan"}, slot=6))


def test_dl_071_two_copies_of_an_item_under_one_leader_are_a_warning() -> None:
    deck = first(items=("tower_shield", "tower_shield"))
    assert rules(deck) == []
    assert any("DL-071" in said for said in advice(deck))


def test_dl_q02_units_must_find_room_under_the_three_leaders() -> None:
    squire, titan = INDEX.units["squire"], INDEX.units["titan"]
    assert placeable((2, 3, 4), [squire] * 9)
    assert not placeable((2, 3, 4), [squire] * 10)
    assert placeable((5, 0, 0), [titan, titan, squire])
    assert not placeable((5, 0, 0), [titan, titan, squire, squire])
    assert placeable((1, 1, 4), [titan] * 4)
    assert not placeable((1, 1, 4), [titan] * 5)
    assert not placeable((1, 1, 1), [titan, titan, titan, squire])


def test_dl_q02_an_army_without_room_for_its_units_is_told_so() -> None:
    legions = INDEX.decks["legions_b"]
    crowd = tuple(
        replace(p, leader=leader, leader_slot=2, units=dict.fromkeys(("1", "3", "4", "5"), "possessed"), items=())
        for p, leader in zip(legions.parties, ("dread_duke", "arch_fiend", "imp_herald"), strict=True)
    )
    assert "DL-Q02" in rules(replace(legions, parties=crowd))
    moved = (*crowd[:2], replace(crowd[2], leader="whispering_baroness"))
    assert "DL-Q02" in rules(replace(legions, parties=moved))
    fewer = (replace(crowd[0], units={"1": "possessed"}), crowd[1], moved[2])
    assert "DL-Q02" not in rules(replace(legions, parties=fewer))


def test_dl_032_twelve_cards_no_more_and_no_fewer() -> None:
    assert rules(reserves(*DECK.reserves)) == []
    assert rules(reserves(*DECK.reserves[:11])) == ["DL-032"]
    assert rules(reserves(*DECK.reserves, "matron")) == ["DL-032"]


def test_dl_033_twelve_different_cards() -> None:
    assert rules(reserves(*without("paladin"), "knight")) == ["DL-033"]


def test_dl_033_dl_q03_two_thieves_of_two_races_are_two_cards() -> None:
    assert rules(reserves(*without("paladin"), "clans_thief")) == []


def test_dl_034_at_least_one_city() -> None:
    assert rules(reserves(*without("market_town"), "matron")) == []
    assert rules(reserves(*without("market_town", "abbey_town"), "matron", "battle_mage")) == ["DL-034"]


def test_dl_035_dl_036_dl_037_neither_major_leaders_nor_capitals() -> None:
    kinds = {type(INDEX.cards[card]).__name__ for card in DECK.reserves}
    assert kinds == {"CityCard", "ManaCard", "MinorLeader", "Unit", "Item", "Spell"}
    assert rules(reserves(*without("paladin"), "court_magus")) == ["DL-036"]
    assert rules(reserves(*without("paladin"), "sunspire")) == ["DL-037"]


def test_dl_f11_a_summoned_minor_leader_is_no_reserve() -> None:
    assert rules(reserves(*without("paladin"), "iron_guardian")) == ["DL-F11"]


def test_dl_038_reserves_may_mix_races() -> None:
    mixed = ("grave_town", "possessed", "hill_giant", "red_mana", "clans_thief", "wyvern", "dark_pact", "plague")
    assert rules(reserves(*mixed, "fire_orb", "ale_flask", "rally", "squire")) == []


def test_unknown_cards_are_named_wherever_they_are() -> None:
    deck = replace(first({"1": "squirrel"}), reserves=(*without("paladin"), "dragon"))
    found = [(defect.field, defect.found) for defect in deck_defects(deck, INDEX)]
    assert found == [("army", "squirrel, which does not exist"), ("reserves", "dragon, which does not exist")]


def test_all_broken_rules_are_told_at_once() -> None:
    deck = replace(first({"1": "possessed", "2": "titan"}, ("rally",)), reserves=("sunspire", "sunspire"))
    assert set(rules(deck)) == {"DL-024", "DL-030", "DL-089", "DL-015", "DL-032", "DL-033", "DL-034", "DL-037"}


def test_dl_d01_a_match_begins_with_legal_decks_of_ids_of_their_own() -> None:
    mine = replace(DECK, id="mine")
    GAME.assert_playable({"armies": [msgspec.to_builtins(mine)]})
    for decks, said in (
        ((DECK,), "empire_a: there is another deck of that id"),
        ((mine, mine), "mine: there is another deck of that id"),
        ((replace(mine, reserves=mine.reserves[1:]),), "11 cards; allowed: exactly 12"),
    ):
        with pytest.raises(msgspec.ValidationError, match=said):
            GAME.assert_playable({"armies": msgspec.to_builtins(decks)})


def test_dl_d01_a_match_without_any_deck_does_not_begin() -> None:
    bare = msgspec.to_builtins(replace(SHIPPED, decks=()))
    with pytest.raises(msgspec.ValidationError, match="nobody could choose one"):
        GAME.assert_playable({"cards": bare})
    GAME.assert_playable({"cards": bare, "armies": [msgspec.to_builtins(DECK)]})
