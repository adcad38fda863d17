"""Checks of card files and decks against their schemas (ledger 6.3): every defect with file, card and field."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, get_args, get_origin

import msgspec
from msgspec import Struct

from domain.disciples_legacy.armies import deck_defects, deck_findings
from domain.disciples_legacy.cards import (
    FILES,
    Capital,
    Card,
    CardIndex,
    CardSet,
    City,
    Deck,
    DeckParty,
    Item,
    MajorLeader,
    ManaCard,
    MinorLeader,
    Spell,
    Unit,
    index_of,
    read_file,
)
from domain.disciples_legacy.errors import CardsInvalid, Defect
from domain.disciples_legacy.hook_checks import ability_defects
from domain.disciples_legacy.hooks import Summon, parse

SHAPES: Final[dict[str, type[Card]]] = {
    "capitals": Capital,
    "cities": City,
    "major_leaders": MajorLeader,
    "minor_leaders": MinorLeader,
    "units": Unit,
    "items": Item,
    "spells": Spell,
    "mana": ManaCard,
    "decks": Deck,
}
ONE_DOCUMENT: Final = "one JSON document in UTF-8"
STYLES: Final = ("adj", "any", "all")


def read_cards(files: Mapping[str, bytes]) -> CardSet:
    """A card set out of its files. Raises `CardsInvalid` with everything that is wrong."""
    defects: list[Defect] = []
    read: dict[str, Any] = {name: tuple(_read_one(name, files.get(name), defects)) for name in FILES}
    if not defects:
        defects += defects_of(CardSet(**read))
    if defects:
        raise CardsInvalid(tuple(defects))
    return CardSet(**read)


def read_card_file(text: bytes, name: str) -> dict[str, Any]:
    """A file as the option `cards`: an object with any of the sections (the others are the shipped ones), or one
    section's array in a file of its name, such as `units.json`. Raises `ValueError` that names every defect.
    """
    try:
        own = _sections(text, name)
        files = {section: own.get(section) or read_file(section) for section in FILES}
        plain: dict[str, Any] = msgspec.to_builtins(read_cards(files))
    except CardsInvalid as wrong:
        raise ValueError(str(wrong)) from wrong
    return plain


def _sections(text: bytes, name: str) -> dict[str, bytes]:
    """The sections that a file holds, each as a file of its own. Raises `CardsInvalid` where it is none."""
    try:
        given = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as wrong:
        raise CardsInvalid((Defect(name, "", "", str(wrong), ONE_DOCUMENT),)) from wrong
    stem = name.rpartition("/")[2].removesuffix(".json")
    if isinstance(given, list) and stem in FILES:
        given = {stem: given}
    if isinstance(given, dict) and given and set(given) <= set(FILES):
        return {section: msgspec.json.encode(cards) for section, cards in given.items()}
    found = ", ".join(map(str, given)) if isinstance(given, dict) else type(given).__name__
    allowed = f"an object with any of {', '.join(FILES)}, or the array of one of them in a file of its name"
    raise CardsInvalid((Defect(name, "", "", found or "nothing", allowed),))


def read_army_file(text: bytes, name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """A file with one deck as an entry of the option `armies`, checked by the match's `cards`, where these are given.
    Raises `ValueError` that names every defect.
    """
    fatal = [str(defect) for defect in check_army(text, name, options) if not defect.advice]
    if fatal:
        raise ValueError("\n".join(fatal))
    plain: dict[str, Any] = msgspec.to_builtins(msgspec.json.decode(text, type=Deck))
    return plain


def check_army(text: bytes, name: str, options: Mapping[str, Any]) -> tuple[Defect, ...]:
    """Everything wrong with a file's deck, and advice; empty when all is well."""
    try:
        given = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as wrong:
        return (Defect(name, "", "", str(wrong), ONE_DOCUMENT),)
    shape = tuple(deck_shape_defects(name, given))
    if shape:
        return shape
    cards = options.get("cards")
    index = index_of(None if cards is None else msgspec.convert(cards, CardSet))
    return tuple(deck_findings(msgspec.convert(given, Deck), index, name))


def shape_defects(file: str, shape: type[Struct], found: object, label: str = "", at: str = "") -> Iterator[Defect]:
    """Every field of an object that does not fit its schema (ledger 6.3): missing, unknown or out of range."""
    if not isinstance(found, dict):
        yield Defect(file, label, at.removesuffix(": "), f"{found!r:.40}", "an object")
        return
    label = label or _called(found)
    fields = {field.encode_name: field for field in msgspec.structs.fields(shape)}
    for name in found:
        if name not in fields and name != shape.__struct_config__.tag_field:
            yield Defect(file, label, f"{at}{name}", "a field that there is not", ", ".join(fields))
    for name, field in fields.items():
        if name not in found:
            yield Defect(file, label, f"{at}{name}", "nothing", "a value; it is required")
            continue
        try:
            msgspec.convert(found[name], field.type)
        except msgspec.ValidationError as wrong:
            said, _, where = str(wrong).partition(" - at ")
            place = at + name + where.strip("`").removeprefix("$").removeprefix("key` in `$")
            words = get_args(field.type) if get_origin(field.type) is Literal else ()
            yield Defect(file, label, place, f"{found[name]!r:.60}", ", ".join(words) or said)


def deck_shape_defects(file: str, found: object, label: str = "") -> Iterator[Defect]:
    """Every field of a deck and of its Parties that does not fit its schema."""
    parties = found.get("parties") if isinstance(found, dict) else None
    if not isinstance(found, dict) or not isinstance(parties, list):
        yield from shape_defects(file, Deck, found, label)
        return
    yield from shape_defects(file, Deck, found | {"parties": []}, label)
    label = label or _called(found)
    for number, party in enumerate(parties, 1):
        yield from shape_defects(file, DeckParty, party, label, f"party {number}: ")


def _read_one(name: str, data: bytes | None, defects: list[Defect]) -> Iterator[Card]:
    objects, said = None, "no array"
    try:
        objects = msgspec.json.decode(data or b"null")
    except (msgspec.DecodeError, RecursionError) as wrong:
        said = str(wrong)
    if not isinstance(objects, list):
        defects.append(Defect(f"{name}.json", "", "", said, "an array of objects"))
        return
    for number, found in enumerate(objects, 1):
        faults = list(_object_defects(name, found, "" if _called(found) else f"object {number}"))
        if not faults:
            yield msgspec.convert(found, SHAPES[name])
        defects += faults


def _called(found: object) -> str:
    """What an object calls itself; empty where it has no name."""
    return str(found.get("id") or found.get("name") or "") if isinstance(found, dict) else ""


def _object_defects(name: str, found: object, label: str) -> Iterator[Defect]:
    file = f"{name}.json"
    if name == "decks":
        yield from deck_shape_defects(file, found, label)
        return
    yield from shape_defects(file, SHAPES[name], found, label)
    texts = found.get("abilities") if isinstance(found, dict) else None
    if isinstance(found, dict) and isinstance(texts, list):
        label = label or _called(found)
        for text in (text for text in texts if isinstance(text, str)):
            try:
                parse(text)
            except ValueError as wrong:
                yield Defect(file, label, "abilities", f"{text!r:.60}", str(wrong), "6.2")


def defects_of(cards: CardSet) -> list[Defect]:
    """Everything that a well-shaped card set still has wrong."""
    index = CardIndex(cards)
    return [
        *_ids(cards),
        *_abilities(cards),
        *(defect for spell in cards.spells for defect in _spell(spell, index)),
        *(defect for item in cards.items for defect in _item(item)),
        *_units(cards),
        *(defect for deck in cards.decks for defect in deck_defects(deck, index, "decks.json")),
    ]


def _ids(cards: CardSet) -> Iterator[Defect]:
    places = [(card.id, f"{name}.json") for name in FILES for card in getattr(cards, name)]
    for card, copies in Counter(card for card, _ in places).items():
        if copies > 1:
            files = ", ".join(dict.fromkeys(file for found, file in places if found == card))
            yield Defect(files, card, "id", f"used {copies} times", "each id once", "6.3")


def _abilities(cards: CardSet) -> Iterator[Defect]:
    """6.2: every ability may stand on its card."""
    for name in FILES[:-1]:
        for card in getattr(cards, name):
            for ability in map(parse, getattr(card, "abilities", ())):
                for found, allowed in ability_defects(card, ability):
                    yield Defect(f"{name}.json", card.id, ability.text, found, allowed, "6.2")


def _spell(spell: Spell, index: CardIndex) -> Iterator[Defect]:
    file, symbols = "spells.json", sum(spell.mana.values())
    if not 1 <= symbols <= 5:
        yield Defect(file, spell.id, "mana", f"{symbols} symbols", "1 to 5", "DL-075")
    for ability in map(parse, spell.abilities):
        if isinstance(ability.op, Summon):
            leader = index.minors.get(ability.op.card)
            if leader is None or not leader.summoned or leader.race != spell.race:
                allowed = f"a summoned Minor Leader of the {spell.race}"
                yield Defect(file, spell.id, ability.text, ability.op.card, allowed, "DL-078")


def _item(item: Item) -> Iterator[Defect]:
    if item.consumable and any(parse(text).window != "T" for text in item.abilities):
        yield Defect("items.json", item.id, "consumable", "true", "true with window T alone", "DL-Q38")


def _units(cards: CardSet) -> Iterator[Defect]:
    """6.3: a race that has Units has one of each style, and 1 or 2 Giants."""
    for race in dict.fromkeys(unit.race for unit in cards.units):
        units = [unit for unit in cards.units if unit.race == race]
        for style in STYLES:
            if all(unit.style != style for unit in units):
                yield Defect("units.json", "", "style", f"no {style} among the {race}", "one at least", "6.3")
        giants = sum(unit.giant for unit in units)
        if not 1 <= giants <= 2:
            yield Defect("units.json", "", "giant", f"{giants} among the {race}", "1 or 2", "6.3")
