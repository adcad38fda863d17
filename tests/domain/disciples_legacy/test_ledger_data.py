"""The data files are sections 6.4 and 6.5 of the ledger: every card, every figure, every deck."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.disciples_legacy.cards.cards import read_file

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "rules" / "disciples_legacy.md").read_text(encoding="utf-8")
CARDS = PAGE.partition("### 6.4 ")[2].partition("### 6.5 ")[0]
DECKS = PAGE.partition("### 6.5 ")[2].partition("\n## 7")[0]
HEADS = {
    "capitals": "Capital / City",
    "cities": "Capital / City",
    "major_leaders": "Major Leader",
    "minor_leaders": "Minor Leader",
    "units": "Unit",
    "items": "Item",
    "spells": "Spell",
    "mana": "Mana",
}
MEMBER = re.compile(r"`(\w+)` \(([\d+]+), \d+\)")
Row = list[str]


def rows(head: str) -> Iterator[tuple[str, Row]]:
    """The rows of the tables that begin with this word, each with the race whose heading it stands under."""
    race = table = ""
    for line in CARDS.splitlines():
        heading = re.match(r"#### (\w+)", line)
        if heading:
            race = heading[1].lower()
        if not line.startswith("| ") or line.startswith("|---"):
            table = table if line.startswith("|") else ""
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not table:
            table = cells[0]
        elif table == head:
            yield race, cells


def texts(cell: str) -> list[str]:
    return [] if cell == "-" else [text.strip("`") for text in cell.split("<br>")]


def body(cell: str) -> dict[str, Any]:
    hp, attack, style = re.fullmatch(r"(\d+) / (\d+) (\w+)", cell).groups()  # type: ignore[union-attr]
    return {"hp": int(hp), "attack": int(attack), "style": style}


def mana(cell: str) -> dict[str, int]:
    return {symbol: cell.split().count(symbol) for symbol in cell.split()}


def card(kind: str, race: str, cells: Row) -> dict[str, Any]:
    """A row of the ledger as its file holds it."""
    name, id_, *rest = cells
    made: dict[str, Any] = {
        "id": id_.strip("`"),
        "name": re.sub(r" \((Capital|City|summoned)\)$", "", name),
        "race": race,
    }
    match kind:
        case "capitals" | "cities":
            return made | {"yield_c": int(rest[0]), "abilities": texts(rest[1])}
        case "major_leaders":
            figures = {"leadership": int(rest[1]), "cost": int(rest[2]), "abilities": texts(rest[3])}
            return made | body(rest[0]) | figures
        case "minor_leaders":
            cost = 0 if rest[1] == "-" else int(rest[1])
            return made | body(rest[0]) | {"cost": cost, "summoned": "(summoned)" in name, "abilities": texts(rest[2])}
        case "units":
            return made | body(rest[0]) | {"cost": int(rest[1]), "giant": rest[2] == "G", "abilities": texts(rest[3])}
        case "items":
            return made | {"cost": int(rest[0]), "consumable": rest[1] == "yes", "abilities": texts(rest[2])}
        case "spells":
            return made | {"mana": mana(rest[0]), "abilities": texts(rest[1])}
    return {"id": made["id"], "name": name, "colour": rest[0]}


def of_file(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(read_file(name))
    return found


@pytest.mark.parametrize("kind", HEADS)
def test_every_card_is_that_of_the_ledger(kind: str) -> None:
    word = {"capitals": "(Capital)", "cities": "(City)"}.get(kind, "")
    listed = [card(kind, race, cells) for race, cells in rows(HEADS[kind]) if word in cells[0]]
    assert listed == of_file(kind)


def party(cells: Row) -> dict[str, Any]:
    ((leader, slot),) = MEMBER.findall(cells[1])
    units = {slots.partition("+")[0]: unit for unit, slots in MEMBER.findall(cells[2])}
    return {"leader": leader, "leader_slot": int(slot), "units": units, "items": re.findall(r"`(\w+)`", cells[3])}


@pytest.mark.parametrize("deck", of_file("decks"), ids=lambda deck: str(deck["id"]))
def test_every_deck_is_that_of_the_ledger(deck: dict[str, Any]) -> None:
    section = DECKS.partition(f"#### `{deck['id']}` (")[2].partition("####")[0]
    assert section.lower().startswith(deck["race"])
    table = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line.startswith("|")
    ]
    assert [party(cells) for cells in table if cells[0].isdecimal()] == deck["parties"]
    (capital,) = (cells[1] for cells in table if cells[0] == "")
    assert capital == f"Capital `{deck['capital']}`"
    assert re.findall(r"`(\w+)`", section.partition("Reserves (12):")[2]) == deck["reserves"]
