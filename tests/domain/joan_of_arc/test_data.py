"""Section 6 of the ledger: every figure of the data files is the ledger's."""

import re

import msgspec
import pytest

from domain.joan_of_arc.board.maps import SHIPPED_MAPS
from domain.joan_of_arc.board.scenarios import SHIPPED_SCENARIOS
from domain.joan_of_arc.board.terrain import (
    AREA_CAPACITY,
    BUILDINGS,
    ELEMENT_RESISTANCE,
    ELEMENT_SIZE,
    ELEMENTS,
    BuildingType,
)
from domain.joan_of_arc.cards.cards import FILES, SHIPPED, index_of
from domain.joan_of_arc.cards.dice import FACES, Dice, Die, Face, face
from domain.joan_of_arc.cards.hooks import GRADED, OPERATIONS, Skill
from domain.joan_of_arc.cards.packaged import read_file
from domain.joan_of_arc.cards.units import Skills, UnitCard
from tests.domain.joan_of_arc.ledger import data, row, section, table

HEADINGS = {
    "war_council": "6.4",
    "rounds": "6.5",
    "legend": "6.6",
    "equipment": "6.7",
    "discussions": "6.8",
}
NAMES = {
    "JA-310": ("small_house", "Small house"),
    "JA-311": ("big_house", "Big house"),
    "JA-312": ("church", "Church"),
    "JA-313": ("small_cottage", "Small cottage"),
    "JA-314": ("big_cottage", "Big cottage"),
    "JA-315": ("shop", "Shop"),
    "JA-316": ("watermill", "Watermill"),
    "JA-317": ("inn", "'The Good Place' inn"),
    "JA-318": ("keep", "Keep"),
    "JA-319": ("ramparts", "Ramparts"),
    "JA-320": ("gatehouse", "Gatehouse"),
    "JA-321": ("isolated_tower", "Isolated tower"),
}


def plain(name: str) -> object:
    return msgspec.json.decode(read_file(name))


def counted(words: str) -> Dice:
    """`1 black 2 red` as dice."""
    numbers = {colour: int(number) for number, colour in re.findall(r"(\d+) (\w+)", words)}
    return Dice(**numbers)


def in_words(card: UnitCard) -> list[str]:
    """A unit card as a row of the table of 6.3, but for dice."""
    shoot, command = card.shoot, card.command
    skills = [name + (f" {getattr(card.skills, name)}" if name in GRADED else "") for name in card.skills.names()]
    return [
        card.id,
        f"{card.kind} / {card.arm}",
        str(card.size),
        str(card.hp or "-"),
        f"{shoot.mode} {shoot.range_hexes}" if shoot else "-",
        f"{command.range} / {command.units}" if command else "-",
        ", ".join(sorted(skills)) or "-",
        ", ".join(sorted(others_of(card))) or "-",
    ]


def others_of(card: UnitCard) -> list[str]:
    """The last column of the table of 6.3."""
    own = [banner for banner in card.banners if banner != card.side]
    return [
        *card.traits,
        *(f"power {power}" for power in card.powers),
        *([f"level {card.level}"] if card.level else []),
        *([f"upgrade {card.upgrade_cost} XP"] if card.upgrade_cost else []),
        *([f"activation {card.activation_cost}"] if card.activation_cost > 1 else []),
        *(f"banner {banner}" for banner in own),
        *(["discussion"] if card.discussion else []),
    ]


UNITS = list(table("6.3"))


def test_the_table_of_units_is_whole() -> None:
    assert [cells[0] for cells in UNITS] == [card.id for card in SHIPPED.units]
    assert len(UNITS) == 33
    stems = {re.sub(r"_2.*$", "_1", card.id) for card in SHIPPED.units}
    assert len(stems) == 29


@pytest.mark.parametrize("cells", UNITS, ids=lambda cells: str(cells[0]))
def test_every_figure_of_a_unit_card_is_the_ledgers(cells: list[str]) -> None:
    card = index_of(None).units[cells[0]]
    name, kind, size, hp, melee, shooting, defence, command, skills, others = cells
    mode, _, dice = shooting.partition(": ")
    assert counted(melee) == (card.melee or Dice())
    assert counted(dice) == (card.shoot.dice if card.shoot else Dice())
    assert counted(defence) == card.defence

    def spread(listed: str) -> str:
        return ", ".join(sorted(listed.split(", ")))

    assert in_words(card) == [name, kind, size, hp, mode, command, spread(skills), spread(others)]


@pytest.mark.parametrize("name", HEADINGS)
def test_every_card_is_the_ledgers(name: str) -> None:
    assert data(HEADINGS[name]) == (plain(name),)


def test_dice_buildings_intrigues_and_sky_are_the_ledgers() -> None:
    assert data("6.2") == (plain("dice"),)
    assert data("6.9") == (plain("intrigue"), plain("sky"))
    assert data("6.10") == (plain("buildings"),)


def test_maps_and_scenarios_are_the_ledgers() -> None:
    told = list(data("6.12"))
    assert len(told) == 6
    shipped = [
        *(plain(f"maps/{name}") for name in SHIPPED_MAPS),
        *(plain(f"scenarios/{name}") for name in SHIPPED_SCENARIOS),
    ]
    assert sorted(told, key=repr) == sorted(shipped, key=repr)


def test_what_is_read_is_what_the_files_say() -> None:
    for name in FILES:
        again = msgspec.json.decode(msgspec.json.encode(getattr(SHIPPED, name)))
        assert [card["id"] for card in again] == [card["id"] for card in plain(name)]  # type: ignore[attr-defined]


def chances(die: Die) -> str:
    """A die as ledger 6.2 sums it up."""
    faces = FACES[die]
    counts = [f"{found.replace('_', ' ')} {faces.count(found)}" for found in Face if found in faces]
    return f"{die} {', '.join(counts)}"


@pytest.mark.parametrize("die", FACES)
def test_the_chances_of_every_die_are_those_of_its_faces(die: Die) -> None:
    told = re.search(r"Chances per die \(sixths\): (.*)\.", section("6.2"))
    assert told
    parts = {part.split()[0]: set(part.partition(" ")[2].split(", ")) for part in told[1].split("; ")}
    mine = chances(die)
    assert set(mine.partition(" ")[2].split(", ")) == parts[die]


def test_the_first_and_the_last_face_of_a_die() -> None:
    assert (face("red", 1), face("red", 6)) == (Face.KILL, Face.SHIELD)
    assert (face("doom", 1), face("doom", 6)) == (Face.DEATH, Face.DELAYED_RALLY)


def test_every_skill_is_a_field_of_a_card_and_occurs() -> None:
    assert tuple(Skills.__struct_fields__) == tuple(Skill)
    occurring = {skill for card in SHIPPED.units for skill in card.skills.names()}
    assert occurring == set(Skill)
    assert {rule.split(",")[0].split(" ")[0].lower() for rule in map(first_word, range(248, 294))} >= set(Skill)


def first_word(number: int) -> str:
    found = re.search(rf"^\| JA-{number} \| ([^|]*)\|", section("T. Skills"), re.MULTILINE)
    assert found
    return found[1].strip()


def test_every_operation_of_the_ledger_is_one_and_no_other() -> None:
    named = {word for cells in table("6.13") for word in cells[0].split(" / ")}
    assert named == {kind.__struct_config__.tag for kind in OPERATIONS}


@pytest.mark.parametrize("rule", NAMES)
def test_ja_310_to_ja_321_size_capacity_and_resistance_of_buildings(rule: str) -> None:
    kind, name = NAMES[rule]
    found = re.search(rf"^\| {rule} \| ([^|]*) \|", section("V. Buildings"), re.MULTILINE)
    assert found
    assert found[1] == name
    built = BUILDINGS[kind]  # type: ignore[index]  # a word out of the table
    assert row(rule) == f"Size {built.size}, capacity {built.capacity}, resistance {built.resistance}."


def test_ja_310_ja_311_ja_312_ja_313_ja_314_ja_315_houses() -> None:
    figures = {name: (built.size, built.capacity, built.resistance) for name, built in BUILDINGS.items()}
    assert figures["small_house"] == (1, 2, 2)
    assert figures["big_house"] == (2, 4, 2)
    assert figures["church"] == (2, 5, 3)
    assert figures["small_cottage"] == (1, 1, 2)
    assert figures["big_cottage"] == figures["shop"] == (2, 3, 2)


def test_ja_316_ja_317_ja_318_ja_319_ja_320_ja_321_great_buildings() -> None:
    figures = {name: (built.size, built.capacity, built.resistance) for name, built in BUILDINGS.items()}
    assert figures["watermill"] == (3, 4, 2)
    assert figures["inn"] == (3, 7, 3)
    assert figures["keep"] == (3, 2, 4)
    assert figures["ramparts"] == figures["gatehouse"] == (4, 3, 3)
    assert figures["isolated_tower"] == (1, 1, 3)
    assert {NAMES[rule][0] for rule in NAMES} == set(BUILDINGS) == set(BuildingType.__args__)  # type: ignore[attr-defined]


@pytest.mark.parametrize(("rule", "areas", "spaces"), [("JA-018", 1, 8), ("JA-019", 2, 6), ("JA-020", 3, 4)])
def test_ja_018_ja_019_ja_020_more_areas_have_fewer_spaces(rule: str, areas: int, spaces: int) -> None:
    assert AREA_CAPACITY[areas] == spaces
    assert f"{spaces} spaces" in row(rule)


def test_ja_304_terrain_elements_are_of_size_and_resistance_one() -> None:
    assert (ELEMENT_SIZE, ELEMENT_RESISTANCE) == (1, 1)
    found = re.search(r"^\| JA-304 \| Terrain elements \(([^)]*)\)", section("U. Terrain"), re.MULTILINE)
    assert found
    assert {name.replace("rocky outcrop", "rocky_outcrop") for name in found[1].split(", ")} == set(ELEMENTS)
