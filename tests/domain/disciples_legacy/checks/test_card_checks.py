"""Section 6.3 of the ledger: a card set and a deck of one's own, and everything wrong with them at once."""

import json
from typing import Any

import msgspec
import pytest

from domain.disciples_legacy.cards.cards import FILES, SHIPPED, CardSet, index_of, read_file
from domain.disciples_legacy.checks.card_checks import read_army_file, read_card_file, read_cards
from domain.disciples_legacy.errors import CardsInvalid

Json = Any
INDEX = index_of(None)


def shipped(name: str) -> list[Json]:
    cards: list[Json] = json.loads(read_file(name))
    return cards


def changed(name: str, card: str, **fields: Json) -> bytes:
    """The shipped file of a section with one card changed."""
    cards = [found | fields if found["id"] == card else found for found in shipped(name)]
    return json.dumps({name: cards}).encode()


def refused(text: bytes, name: str = "own.json") -> list[str]:
    """The lines that refuse a card file; none when it can be played with."""
    try:
        read_card_file(text, name)
    except ValueError as wrong:
        return str(wrong).splitlines()
    return []


def deck(**fields: Json) -> bytes:
    (found,) = [found for found in shipped("decks") if found["id"] == "empire_a"]
    return json.dumps({**found, "id": "mine", "name": "Mine", **fields}).encode()


def deck_refused(text: bytes, **options: Json) -> list[str]:
    try:
        read_army_file(text, "mine.json", options)
    except ValueError as wrong:
        return str(wrong).splitlines()
    return []


def test_the_shipped_files_make_the_shipped_set() -> None:
    assert read_cards({name: read_file(name) for name in FILES}) == SHIPPED


def test_a_set_of_ones_own_replaces_the_sections_that_it_names() -> None:
    plain = read_card_file(changed("units", "squire", hp=6), "own.json")
    own = msgspec.convert(plain, CardSet)
    assert index_of(own).units["squire"].hp == 6
    assert own.decks == SHIPPED.decks


def test_a_file_named_like_a_section_may_hold_its_array_alone() -> None:
    squires = json.dumps(json.loads(changed("units", "squire", hp=6))["units"]).encode()
    assert refused(squires, "folder/units.json") == []
    (line,) = refused(squires, "folder/squires.json")
    assert line.startswith("folder/squires.json: list; allowed: an object with any of capitals, cities,")


@pytest.mark.parametrize("text", [b"", b"{", b"\xff", b"[" * 100_000, b"3", b"{}", b'{"dragons": []}', b"null"])
def test_what_is_no_card_file_is_refused_with_its_name(text: bytes) -> None:
    (line,) = refused(text)
    assert line.startswith("own.json: ")


def test_every_defect_of_every_file_is_told_at_once() -> None:
    units = [
        found | {"hp": 0, "style": "near", "wings": 2} if found["id"] == "squire" else found
        for found in shipped("units")
    ]
    spells = [found | {"mana": {"W": 6}} if found["id"] == "rally" else found for found in shipped("spells")]
    cities = [7, {"name": "Nowhere"}]
    lines = refused(json.dumps({"units": units, "spells": spells, "cities": cities}).encode())
    assert [line.partition(";")[0] for line in lines] == [
        "cities.json: object 1: 7",
        "cities.json: Nowhere: id: nothing",
        "cities.json: Nowhere: race: nothing",
        "cities.json: Nowhere: yield_c: nothing",
        "cities.json: Nowhere: abilities: nothing",
        "units.json: squire: wings: a field that there is not",
        "units.json: squire: hp: 0",
        "units.json: squire: style: 'near'",
        "spells.json: rally: mana.W: 6",
    ]


def test_what_is_allowed_is_said() -> None:
    (line,) = refused(changed("units", "squire", style="near"))
    assert line == "units.json: squire: style: 'near'; allowed: adj, any, all"


def test_a_section_that_is_no_array_is_refused() -> None:
    assert refused(b'{"mana": {}}') == ["mana.json: no array; allowed: an array of objects"]


@pytest.mark.parametrize(
    ("name", "card", "fields", "said"),
    [
        ("units", "squire", {"abilities": ["T: fly()@self"]}, "'T: fly()@self'; allowed: there is no op 'fly'"),
        ("units", "squire", {"abilities": ["S: cast()@none"]}, "S: cast()@none: window S; allowed: T, P, B, H"),
        ("units", "squire", {"abilities": ["T: heal(1)@ally"] * 3}, "abilities: "),
        ("units", "squire", {"abilities": [3]}, "abilities[0]: 3"),
        ("units", "squire", {"id": "archer"}, "units.json: archer: id: used 2 times; allowed: each id once"),
        ("items", "tower_shield", {"consumable": True}, "consumable: true; allowed: true with window T alone (DL-Q38)"),
        ("spells", "rally", {"mana": {}}, "rally: mana: 0 symbols; allowed: 1 to 5"),
        ("spells", "rally", {"mana": {"W": 5, "B": 1}}, "rally: mana: 6 symbols; allowed: 1 to 5"),
        ("spells", "rally", {"mana": {"G": 1}}, "rally: mana.G: 'G'; allowed: "),
        ("spells", "summon_pit_beast", {"race": "hordes"}, "pit_beast; allowed: a summoned Minor Leader of the hordes"),
        ("spells", "rally", {"abilities": ["C: summon(empire_thief)@none"]}, "empire_thief; allowed: a summoned"),
        ("spells", "rally", {"abilities": ["C: summon(dragon)@none"]}, "dragon; allowed: a summoned"),
        ("capitals", "sunspire", {"abilities": []}, "sunspire: abilities: []"),
        ("major_leaders", "knight_captain", {"leadership": 6}, "leadership: 6"),
        ("minor_leaders", "iron_guardian", {"cost": -1}, "cost: -1"),
        ("minor_leaders", "iron_guardian", {"abilities": []}, "iron_guardian: abilities: []"),
        ("mana", "white_mana", {"race": "empire"}, "white_mana: race: a field that there is not"),
        ("decks", "empire_a", {"capital": "deephold"}, "empire_a: race: empire; allowed: clans, the race of deephold"),
    ],
)
def test_every_constraint_of_the_schema_refuses_a_set(name: str, card: str, fields: Json, said: str) -> None:
    lines = refused(changed(name, card, **fields))
    assert any(said in line for line in lines), lines


def test_a_race_with_units_has_every_style_and_one_or_two_giants() -> None:
    def lines(*gone: str) -> list[str]:
        units = [found for found in shipped("units") if found["id"] not in gone]
        return [line for line in refused(json.dumps({"units": units, "decks": []}).encode()) if "hordes" in line]

    assert lines("vampire") == []
    assert lines("wyvern") == ["units.json: giant: 0 among the hordes; allowed: 1 or 2 (6.3)"]
    assert lines("initiate", "wyvern") == [
        "units.json: style: no all among the hordes; allowed: one at least (6.3)",
        "units.json: giant: 0 among the hordes; allowed: 1 or 2 (6.3)",
    ]


def test_a_third_giant_of_a_race_is_one_too_many() -> None:
    (line,) = refused(changed("units", "crossbow_dwarf", giant=True))
    assert line == "units.json: giant: 3 among the clans; allowed: 1 or 2 (6.3)"


def test_ids_are_unique_over_all_files() -> None:
    (line,) = refused(changed("spells", "rally", id="squire"))[:1]
    assert line == "units.json, spells.json: squire: id: used 2 times; allowed: each id once (6.3)"


def test_a_missing_file_is_told_beside_the_others() -> None:
    with pytest.raises(CardsInvalid) as wrong:
        read_cards({"units": b"[", "decks": read_file("decks")})
    assert {defect.file for defect in wrong.value.defects} == {f"{name}.json" for name in FILES if name != "decks"}


def test_a_deck_of_ones_own_becomes_an_entry_of_the_option() -> None:
    plain = read_army_file(deck(), "mine.json", {})
    assert plain["id"] == "mine"
    assert plain["parties"][0]["units"] == {"1": "knight", "3": "squire"}
    assert deck_refused(deck()) == []


def test_every_broken_rule_of_a_deck_is_told_at_once_with_its_place() -> None:
    parties = json.loads(deck())["parties"]
    parties[0]["units"] = {"1": "titan", "4": "squire", "3": "possessed"}
    lines = deck_refused(deck(parties=parties, reserves=["market_town"]))
    assert lines == [
        "mine.json: mine: army: possessed of the legions; allowed: cards of the empire (DL-024)",
        "mine.json: mine: army: 21 (C); allowed: 18 (C) at most (DL-025)",
        "mine.json: mine: party 1: units: titan and squire on slot 4; allowed: one on a slot (DL-089)",
        "mine.json: mine: reserves: 1 card; allowed: exactly 12 (DL-032)",
    ]


def test_every_field_of_a_deck_and_its_parties_is_checked() -> None:
    parties = [{"leader": 3, "leader_slot": 7, "units": {"9": "squire"}}, "party"]
    assert [line.partition(";")[0] for line in deck_refused(deck(parties=parties, race="elves", colour=1))] == [
        "mine.json: mine: colour: a field that there is not",
        "mine.json: mine: race: 'elves'",
        "mine.json: mine: party 1: leader: 3",
        "mine.json: mine: party 1: leader_slot: 7",
        "mine.json: mine: party 1: units.9: '9'",
        "mine.json: mine: party 1: items: nothing",
        "mine.json: mine: party 2: 'party'",
    ]


@pytest.mark.parametrize("text", [b"", b"[]", b"null", b'{"parties": 3}', b"[" * 100_000])
def test_what_is_no_deck_is_refused_with_its_name(text: bytes) -> None:
    assert all(line.startswith("mine.json: ") for line in deck_refused(text))
    assert deck_refused(text)


def test_a_deck_is_checked_by_the_cards_of_its_match() -> None:
    dear = json.loads(changed("units", "squire", cost=2))
    cards = read_card_file(json.dumps({**dear, "decks": []}).encode(), "own.json")
    assert deck_refused(deck()) == []
    assert deck_refused(deck(), cards=cards) == ["mine.json: mine: army: 19 (C); allowed: 18 (C) at most (DL-025)"]
