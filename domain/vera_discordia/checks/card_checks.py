"""Checks of a card-set file: every constraint of ledger 6.3 (C1 to C22) and every hook parameter of 6.4.

A check finds all defects at once. A faulty file raises `CardSetInvalid` and nothing else.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from domain.commons.errors import Defect, GivenInvalid
from domain.commons.field_reader import Json, Sheet, repeated, said
from domain.commons.files import assert_sound, document
from domain.vera_discordia.cards.cards import (
    IMMUNE,
    Ability,
    CardSet,
    Die,
    Moment,
    OrderType,
    Rank,
    Terrain,
    read_card_set,
)
from domain.vera_discordia.checks.hook_checks import HOOKS, check_army, check_hook
from domain.vera_discordia.errors import CardSetInvalid

CARDS_PER_TYPE: Final = {Rank.BASIC: 3, Rank.ELITE: 2, Rank.LEGENDARY: 1}
TYPES_PER_RANK: Final = {Rank.BASIC: 3, Rank.ELITE: 3, Rank.LEGENDARY: 2}
ORDER_DECK: Final = {
    OrderType.ATTACK: 9,
    OrderType.MANEUVER: 7,
    OrderType.DEFENSE: 6,
    OrderType.SUPPORT: 4,
    OrderType.TACTIC: 1,
}
TERRAIN_DECK: Final = {Terrain.PLAINS: 6, Terrain.FOREST: 2, Terrain.RIVER: 2, Terrain.MOUNTAIN: 2}
PRINTED: Final = tuple(ability.value for ability in Ability if ability is not Ability.GUARDS)
HEROIC: Final = tuple(a.value for a in Ability if a not in {Ability.FLYING, Ability.METAMORPHOSIS})
DICE_LIMIT: Final = 12
DICE_ADVISED: Final = range(1, 7)
HOOK_LIMIT: Final = 8
TEXT_LIMIT: Final = 2000
LIFE_LIMIT: Final = 99
LIFE_ADVISED: Final = 3
TOGETHER: Final = ((Ability.FLYING, Ability.GLIDE), (Ability.PROMINENT, Ability.EXPENDABLE))
ICONS: Final = ("flying", "glide")


def defects_of(data: Json, file: str = "") -> tuple[Defect, ...]:
    """Everything wrong with a card set's JSON value, and advice; empty when all is well."""
    sheet = Sheet(file, "", [])
    keys = ("schema", "set_id", "version", "licence", "factions", "order_deck", "terrain_deck", "motivation")
    whole = sheet.table(data, "", keys)
    sheet.integer(whole, "schema", 1, 1)
    sheet.text(whole, "set_id", "[a-z0-9-]+")
    sheet.text(whole, "version")
    _check_text(sheet, whole, "licence", "licence")
    sheet.integer(whole, "motivation", 10, 10)  # C15
    _check_deck(sheet, whole, "order_deck", ORDER_DECK)  # C13
    _check_deck(sheet, whole, "terrain_deck", TERRAIN_DECK)  # C14
    factions = sheet.items(whole, "factions")
    if "factions" in whole and not 1 <= len(factions) <= 4:  # C1
        sheet.wrong("factions", f"{len(factions)} factions", "1 to 4 factions")
    for i, faction in enumerate(factions):
        _check_faction(sheet.of(f"faction {i + 1}"), faction)
    _check_unique(sheet, factions)
    return tuple(sheet.defects)


def _check_deck(sheet: Sheet, whole: Mapping[str, Json], field: str, right: Mapping[Any, int]) -> None:
    if field not in whole:
        return
    deck = sheet.table(whole[field], field, [kind.value for kind in right])
    for kind, number in right.items():
        sheet.integer(deck, kind.value, number, number, f"{field}.{kind.value}")


def _check_unique(sheet: Sheet, factions: list[Json]) -> None:
    tables = [faction for faction in factions if isinstance(faction, dict)]
    for name in repeated(faction["faction_id"] for faction in tables if "faction_id" in faction):
        sheet.wrong("factions", f"two factions are called {name}", "different faction_id in a set")
    generals = [g for f in tables for g in _tables(f.get("generals"))]
    for name in repeated(general["general_id"] for general in generals if "general_id" in general):
        sheet.wrong("factions", f"two Generals are called {name}", "different general_id in a set")


def _tables(value: Json) -> list[dict[str, Json]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _check_faction(sheet: Sheet, data: Json) -> None:
    faction = sheet.table(data, "", ("faction_id", "name", "background", "unit_types", "generals"))
    name = sheet.text(faction, "faction_id", "[^/]+") or sheet.card
    sheet = sheet.of(name)
    sheet.text(faction, "name")
    sheet.text(faction, "background")
    units = sheet.items(faction, "unit_types")
    for i, unit in enumerate(units):
        _check_unit(sheet.of(f"{name}/{_name(unit, 'type_id', f'Unit {i + 1}')}"), unit)
    types = _tables(units)
    for type_id in repeated(unit["type_id"] for unit in types if "type_id" in unit):
        sheet.wrong("unit_types", f"two Units are called {type_id}", "different type_id in a faction")
    _check_ranks(sheet, types)
    _check_ids(sheet, types)
    generals = sheet.items(faction, "generals")
    if "generals" in faction and len(generals) != 3:  # C4
        sheet.wrong("generals", f"{len(generals)} Generals", "exactly 3")
    for i, general in enumerate(generals):
        _check_general(sheet.of(f"{name}/{_name(general, 'general_id', f'General {i + 1}')}"), general, types)


def _name(data: Json, key: str, otherwise: str) -> str:
    value = data.get(key) if isinstance(data, dict) else None
    return value if isinstance(value, str) and value else otherwise


def _check_ranks(sheet: Sheet, types: list[dict[str, Json]]) -> None:
    """C2: how many types of each rank there are."""
    for rank, number in TYPES_PER_RANK.items():
        found = sum(unit.get("rank") == rank.value for unit in types)
        if found != number:
            sheet.wrong("unit_types", f"{found} {rank.value} types", f"exactly {number}")


def _check_ids(sheet: Sheet, types: list[dict[str, Json]]) -> None:
    """C3: the ids of a faction are 1 to 17, each once."""
    ids = [i for unit in types for i in _list(unit.get("ids")) if isinstance(i, int) and not isinstance(i, bool)]
    twice = repeated(ids)
    if twice:
        sheet.wrong("ids", f"{', '.join(twice)} more than once", "each of 1 to 17 once")
    missing = [str(i) for i in range(1, 18) if i not in ids]
    if missing:
        sheet.wrong("ids", f"{', '.join(missing)} missing", "each of 1 to 17 once")


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _check_unit(sheet: Sheet, data: Json) -> None:
    keys = ("type_id", "name", "rank", "ids", "dice", "shields", "abilities", "icons")
    unit = sheet.table(data, "", keys, ("max_lp",))
    sheet.text(unit, "type_id", "[^/]+")
    sheet.text(unit, "name")
    rank = sheet.word(unit, "rank", Rank)
    ids = sheet.items(unit, "ids")
    for i, number in enumerate(ids):
        sheet.integer({"id": number}, "id", 1, 17, f"ids[{i}]")
    if rank and "ids" in unit and len(ids) != CARDS_PER_TYPE[Rank(rank)]:  # C2
        sheet.wrong("ids", f"{len(ids)} cards of a {rank} type", f"exactly {CARDS_PER_TYPE[Rank(rank)]}")
    _check_dice(sheet, unit, "dice", advised=True)
    _check_shields(sheet, unit)
    life = sheet.integer(unit, "max_lp", 1, LIFE_LIMIT)  # C7
    if life is not None and life < LIFE_ADVISED:
        sheet.wrong("max_lp", str(life), f"at least {LIFE_ADVISED} (VD-Q46)", advice=True)
    _check_abilities(sheet, unit)


def _check_dice(sheet: Sheet, data: Mapping[str, Json], key: str, *, advised: bool, field: str = "") -> None:
    """C5, C16: an ordered row of dice."""
    dice = sheet.items(data, key, field)
    sheet.words(data, key, Die, field)
    if len(dice) > DICE_LIMIT:
        sheet.wrong(field or key, f"{len(dice)} dice", f"0 to {DICE_LIMIT}")
    elif advised and key in data and len(dice) not in DICE_ADVISED:
        sheet.wrong(field or key, f"{len(dice)} dice", "1 to 6 dice", advice=True)


def _check_shields(sheet: Sheet, unit: Mapping[str, Json]) -> None:
    """C6: all four, 2 to 6 or X."""
    if "shields" not in unit:
        return
    shields = sheet.table(unit["shields"], "shields", ("melee", "range", "magic", "orange"))
    for kind, value in shields.items():
        plain = isinstance(value, int) and not isinstance(value, bool) and 2 <= value <= 6
        if not plain and value != "X":
            sheet.wrong(f"shields.{kind}", said(value), 'an integer from 2 to 6, or "X"')


def _check_abilities(sheet: Sheet, unit: Mapping[str, Json]) -> None:
    """C8 to C12."""
    abilities = sheet.words(unit, "abilities", PRINTED)
    for twice in repeated(abilities):
        sheet.wrong("abilities", f"{twice} twice", "each ability once")
    for first, second in TOGETHER:  # C11
        if first in abilities and second in abilities:
            sheet.wrong("abilities", f"{first} and {second}", "one of the two")
    if Ability.METAMORPHOSIS in abilities:  # C10
        if Ability.FLYING in abilities:
            sheet.wrong("abilities", "metamorphosis and flying", "metamorphosis without flying")
        if {Die.RANGE, Die.ARTILLERY} & {die for die in _list(unit.get("dice")) if isinstance(die, str)}:
            sheet.wrong("dice", "range or artillery with metamorphosis", "melee, magic, breaker")
    if "icons" not in unit:
        return
    due = [ability for ability in ICONS if ability in abilities]  # C12
    icons = sheet.table(unit["icons"], "icons", due)
    for ability in due:
        sheet.word(icons, ability, ("a", "b"), f"icons.{ability}")


def _check_general(sheet: Sheet, data: Json, types: list[dict[str, Json]]) -> None:
    general = sheet.table(data, "", ("general_id", "name", "heroism", "leadership", "strategy"))
    sheet.text(general, "general_id")
    sheet.text(general, "name")
    if "heroism" in general:
        heroism = sheet.table(general["heroism"], "heroism", ("abilities", "dice"))
        abilities = sheet.words(heroism, "abilities", HEROIC, "heroism.abilities")  # C9, C16, C21
        for twice in repeated(abilities):
            sheet.wrong("heroism.abilities", f"{twice} twice", "each ability once")
        _check_dice(sheet, heroism, "dice", advised=False, field="heroism.dice")
    cards = {str(unit["type_id"]): unit for unit in types if isinstance(unit.get("type_id"), str)}
    if "leadership" in general:
        leadership = sheet.table(general["leadership"], "leadership", ("text", "hooks"))
        _check_text(sheet, leadership, "leadership.text")
        hooks = _check_hooks(sheet, leadership, "leadership.hooks", "L", None, cards)
        check_army(sheet.wrong, hooks, cards)  # C20
    if "strategy" in general:
        _check_strategy(sheet, general["strategy"], cards)


def _check_text(sheet: Sheet, data: Mapping[str, Json], field: str, key: str = "text") -> None:
    if key not in data:
        return
    if isinstance(data[key], str):
        sheet.printable(data[key], TEXT_LIMIT, field)
    else:
        sheet.wrong(field, said(data[key]), "a text")


def _check_strategy(sheet: Sheet, data: Json, cards: Mapping[str, Mapping[str, Json]]) -> None:
    """C19: a moment for a diamond only."""
    strategy = sheet.table(data, "strategy", ("icon", "text", "hooks"), ("moment",))
    _check_text(sheet, strategy, "strategy.text")
    icon = sheet.word(strategy, "icon", ("star", "diamond"), "strategy.icon")
    moment = sheet.word(strategy, "moment", Moment, "strategy.moment")
    if icon == "diamond" and "moment" not in strategy:
        sheet.wrong("strategy.moment", "missing", ", ".join(Moment))
    if icon == "star" and "moment" in strategy:
        sheet.wrong("strategy.moment", "given with a star", "only with a diamond")
    place = {"star": "S", "diamond": "D"}.get(icon or "", "")
    _check_hooks(sheet, strategy, "strategy.hooks", place, moment, cards)


def _check_hooks(
    sheet: Sheet,
    data: Mapping[str, Json],
    field: str,
    place: str,
    moment: str | None,
    cards: Mapping[str, Mapping[str, Json]],
) -> list[dict[str, Json]]:
    """C17: check that hooks are in the vocabulary and in allowed places. Returns the sound hooks, flattened."""
    sound: list[dict[str, Json]] = []
    items = sheet.items(data, "hooks", field)
    if len(items) > HOOK_LIMIT:  # C22
        sheet.wrong(field, f"{len(items)} hooks", f"at most {HOOK_LIMIT}")
    for i, item in enumerate(items[:HOOK_LIMIT]):
        at = f"{field}[{i}]"
        hook = sheet.table(item, at, ("hook", "params"))
        name = sheet.word(hook, "hook", HOOKS, f"{at}.hook")
        if name is None or "params" not in hook:
            continue
        before = len(sheet.defects)
        params = sheet.table(hook["params"], f"{at}.params", HOOKS[name].params)
        for key, rule in HOOKS[name].params.items():
            rule(sheet, params, key, f"{at}.params.{key}", cards)
        if len(sheet.defects) == before:
            check_hook(sheet.wrong, name, params, at, place, moment, cards)
            sound.append({"hook": name, **params})
    if sum(hook["hook"] == "strike" for hook in sound) > 1:
        sheet.wrong(field, "strike twice", "once (VD-Q72)")
    return sound


def raw(card_set: CardSet) -> Json:
    """A card set as the JSON value of a file; the inverse of `flatten`."""
    data = msgspec.json.decode(msgspec.json.encode(card_set))
    for faction in data["factions"]:
        for unit in faction["unit_types"]:
            unit["shields"] = {k: "X" if value == IMMUNE else value for k, value in unit["shields"].items()}
        for general in faction["generals"]:
            for part in (general["leadership"], general["strategy"]):
                part["hooks"] = [
                    {"hook": hook["hook"], "params": {k: v for k, v in hook.items() if k != "hook"}}
                    for hook in part["hooks"]
                ]
            if general["strategy"]["moment"] is None:
                del general["strategy"]["moment"]
    return data


def check_text(text: bytes, file: str = "") -> tuple[Defect, ...]:
    """Everything wrong with a file's bytes, and advice; empty when all is well."""
    try:
        return defects_of(document(text, file), file)
    except GivenInvalid as wrong:
        return wrong.defects


def load_card_set(text: bytes, file: str = "") -> CardSet:
    """The card set in a file's bytes. Raises `CardSetInvalid` with every defect."""
    assert_sound(check_text(text, file), CardSetInvalid)
    return read_card_set(text)


def read_card_file(text: bytes, file: str) -> dict[str, Json]:
    """A card-set file as the option `cards`. Raises `CardSetInvalid` with every defect."""
    plain: dict[str, Json] = msgspec.to_builtins(load_card_set(text, file))
    return plain
