"""`docs/cards.md` says what the checks say."""

import json
import re
from pathlib import Path

import msgspec

from domain.disciples_legacy.cards.cards import Unit
from domain.disciples_legacy.cards.hooks import parse
from domain.disciples_legacy.checks.card_checks import SHAPES, check_army, read_card_file
from domain.disciples_legacy.checks.hook_checks import CARD_WINDOWS, ONLY_AT, WINDOWS

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "cards.md").read_text(encoding="utf-8")
TEXT = PAGE.partition("\n## Disciples: Legacy\n")[2].partition("\n## ")[0]
ROWS = [[cell.strip() for cell in row.split("|")[1:-1]] for row in re.findall(r"^\| `[A-Z]` \|.*$", TEXT, re.MULTILINE)]
BLOCKS = re.findall(r"^```json\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def words(cell: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", cell))


def test_every_window_is_documented_with_what_may_stand_in_it() -> None:
    assert [row[0].strip("`") for row in ROWS] == list(WINDOWS)
    for row, allowed in zip(ROWS, WINDOWS.values(), strict=True):
        assert words(row[3]) == allowed.ops
        assert words(row[4]) == allowed.selectors
        assert words(row[5]) == set(allowed.durations)


def test_the_cards_of_a_window_are_those_of_the_checks() -> None:
    names = {"Leaders": "MajorLeader", "Units": "Unit", "Items": "Item", "Spells": "Spell", "Cities": "CityCard"}
    types = {kind.__name__: windows for kind, windows in CARD_WINDOWS.items()}
    for row in ROWS:
        for word, kind in names.items():
            assert (word in row[2]) == (row[0].strip("`") in types[kind]), (row[0], word)


def test_what_goes_together_alone_is_named() -> None:
    (sentence,) = re.findall(
        r"^Some operations and selectors go only with each other: (.*?)\. Only", TEXT, re.MULTILINE | re.DOTALL
    )
    assert words(sentence) == set(ONLY_AT) | {selector for selectors in ONLY_AT.values() for selector in selectors}


def test_every_file_is_named() -> None:
    assert set(SHAPES) <= words(TEXT)


def test_the_unit_of_the_example_is_a_sound_one() -> None:
    unit = msgspec.json.decode(BLOCKS[0], type=Unit)
    assert parse(unit.abilities[0]).window == "H"
    read_card_file(json.dumps({"units": [*shipped_units(unit.id), json.loads(BLOCKS[0])]}).encode(), "own.json")


def shipped_units(without: str) -> list[object]:
    path = Path(__file__).resolve().parents[3] / "domain" / "disciples_legacy" / "data" / "units.json"
    return [found for found in json.loads(path.read_text(encoding="utf-8")) if found["id"] != without]


def test_the_deck_of_the_example_keeps_every_rule_without_advice() -> None:
    assert check_army(BLOCKS[1].encode(), "mine.json", {}) == ()
