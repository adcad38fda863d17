"""Checks of card files and decks against their schemas (ledger 6.3): every defect with file, card and field."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.commons.errors import Defect, GivenInvalid
from domain.commons.files import assert_sound, document, shape_defects
from domain.disciples_legacy.cards.armies import deck_defects, deck_findings
from domain.disciples_legacy.cards.cards import (
    FILES,
    Capital,
    Card,
    CardIndex,
    CardSet,
    CityCard,
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
from domain.disciples_legacy.cards.hooks import Summon, parse
from domain.disciples_legacy.checks.hook_checks import ability_defects
from domain.disciples_legacy.errors import CardsInvalid, DeckInvalid

SHAPES: Final[dict[str, type[Card]]] = {
    "capitals": Capital,
    "cities": CityCard,
    "major_leaders": MajorLeader,
    "minor_leaders": MinorLeader,
    "units": Unit,
    "items": Item,
    "spells": Spell,
    "mana": ManaCard,
    "decks": Deck,
}
STYLES: Final = ("adj", "any", "all")


def read_cards(files: Mapping[str, bytes]) -> CardSet:
    """A card set from its files. Raises `CardsInvalid` with every defect."""
    defects: list[Defect] = []
    read: dict[str, Any] = {name: tuple(_read_one(name, files.get(name), defects)) for name in FILES}
    assert_sound(defects or defects_of(CardSet(**read)), CardsInvalid)
    return CardSet(**read)


def read_card_file(text: bytes, name: str) -> dict[str, Any]:
    """A file as the option `cards`: an object with any of the sections (the others are the shipped ones), or one
    section's array in a file of its name, such as `units.json`. Raises `GivenInvalid` with every defect.
    """
    own = _sections(document(text, name), name)
    plain: dict[str, Any] = msgspec.to_builtins(read_cards({each: own.get(each) or read_file(each) for each in FILES}))
    return plain


def _sections(given: Any, name: str) -> dict[str, bytes]:
    """The sections of a file, each as a file of its own. Raises `CardsInvalid` if it is not a card file."""
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
    Raises `GivenInvalid` with every defect.
    """
    assert_sound(check_army(text, name, options), DeckInvalid)
    plain: dict[str, Any] = msgspec.to_builtins(msgspec.json.decode(text, type=Deck))
    return plain


def check_army(text: bytes, name: str, options: Mapping[str, Any]) -> tuple[Defect, ...]:
    """Everything wrong with a file's deck, and advice; empty when all is well."""
    try:
        given = document(text, name)
    except GivenInvalid as wrong:
        return wrong.defects
    shape = tuple(deck_shape_defects(name, given))
    if shape:
        return shape
    cards = options.get("cards")
    index = index_of(None if cards is None else msgspec.convert(cards, CardSet))
    return tuple(deck_findings(msgspec.convert(given, Deck), index, name))


def deck_shape_defects(file: str, found: object, label: str = "") -> Iterator[Defect]:
    """The fields of a deck and its Parties that do not fit the schema."""
    label = label or _called(found)
    parties = found.get("parties") if isinstance(found, dict) else None
    if not isinstance(found, dict) or not isinstance(parties, list):
        yield from shape_defects(file, label, Deck, found)
        return
    yield from shape_defects(file, label, Deck, found | {"parties": []})
    for number, party in enumerate(parties, 1):
        for defect in shape_defects(file, label, DeckParty, party):
            yield replace(defect, field=": ".join(part for part in (f"party {number}", defect.field) if part))


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
    """The id or name in an object; empty if it has none."""
    return str(found.get("id") or found.get("name") or "") if isinstance(found, dict) else ""


def _object_defects(name: str, found: object, label: str) -> Iterator[Defect]:
    file = f"{name}.json"
    if name == "decks":
        yield from deck_shape_defects(file, found, label)
        return
    label = label or _called(found)
    yield from shape_defects(file, label, SHAPES[name], found)
    texts = found.get("abilities") if isinstance(found, dict) else None
    if isinstance(found, dict) and isinstance(texts, list):
        for text in (text for text in texts if isinstance(text, str)):
            try:
                parse(text)
            except ValueError as wrong:
                yield Defect(file, label, "abilities", f"{text!r:.60}", str(wrong), "6.2")


def defects_of(cards: CardSet) -> list[Defect]:
    """The defects that a well-shaped card set can still have."""
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
