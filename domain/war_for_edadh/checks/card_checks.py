"""Checks of card files against their schemas (ledger 6.3): every defect with file, card and field, all at once."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from domain.commons.errors import Defect, GivenInvalid
from domain.commons.files import assert_sound, document, shape_defects
from domain.war_for_edadh.cards.armies import CAP, army_defects, fielding_defects
from domain.war_for_edadh.cards.cards import (
    FILES,
    Army,
    BattleMaster,
    Card,
    CardIndex,
    CardSet,
    CombatMaster,
    Composition,
    Kind,
    Level,
    MasteryCard,
    Row,
    Standard,
    Stratagem,
    TerrainCard,
    TroopCard,
    index_of,
    read_file,
)
from domain.war_for_edadh.errors import CardsInvalid

SHAPES: Final[dict[str, type[Card]]] = {
    "mastery": MasteryCard,
    "troops": TroopCard,
    "terrain": TerrainCard,
    "combat_masters": CombatMaster,
    "battle_masters": BattleMaster,
    "standards": Standard,
    "stratagems": Stratagem,
    "armies": Army,
}
LEVELS_OF: Final = {
    Kind.SHIELD_COVER: {Level.BALLISTIC},
    Kind.RATE_OF_FIRE: {Level.BALLISTIC, Level.CHARGE},
}


def read_cards(files: Mapping[str, bytes]) -> CardSet:
    """A card set from its files. Raises `CardsInvalid` with every defect."""
    defects: list[Defect] = []
    read: dict[str, list[Any]] = {}
    for name in FILES:
        read[name] = list(_read_one(name, files.get(name), defects))
    if not defects:
        defects += defects_of(CardSet(**{name: tuple(cards) for name, cards in read.items()}))
    assert_sound(defects, CardsInvalid)
    return CardSet(**{name: tuple(cards) for name, cards in read.items()})


def read_card_file(text: bytes, name: str) -> dict[str, Any]:
    """A file as the option `cards`: an object with any of the sections (the others are the shipped ones), or one
    section's array in a file of its name, such as `troops.json`. Raises `GivenInvalid` with every defect.
    """
    stem = name.rpartition("/")[2].removesuffix(".json")
    given = document(text, name)
    if isinstance(given, list) and stem in FILES:
        given = {stem: given}
    if not isinstance(given, dict) or not given or not set(given) <= set(FILES):
        found = ", ".join(map(str, given)) if isinstance(given, dict) else type(given).__name__
        allowed = f"an object with any of {', '.join(FILES)}, or the array of one of them in a file of its name"
        raise GivenInvalid((Defect(name, "", "", found or "nothing", allowed),))
    files = {section: read_file(section) for section in FILES}
    files |= {section: msgspec.json.encode(cards) for section, cards in given.items()}
    plain: dict[str, Any] = msgspec.to_builtins(read_cards(files))
    return plain


def read_army_file(text: bytes, name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """A file with one army as an entry of the option `armies`, checked by the match's `cards` and `cap`, where these
    are given. Raises `GivenInvalid` with every defect.
    """
    given = document(text, name)
    assert_sound(shape_defects(name, _named(given), Army, given))
    cards, cap = options.get("cards"), options.get("cap", CAP)
    index = index_of(None if cards is None else msgspec.convert(cards, CardSet))
    army = msgspec.convert(given, Army)
    assert_sound(
        [*army_defects(army, index, name, cap), *fielding_defects(army, str(options.get("game", "unit")), name)]
    )
    plain: dict[str, Any] = msgspec.to_builtins(army)
    return plain


def _named(found: Any) -> str:
    """The name in an object of a card file; empty if it has none."""
    names = (found.get(key) for key in ("code", "card", "name")) if isinstance(found, dict) else ()
    return next((str(name) for name in names if name), "")


def _read_one(name: str, data: bytes | None, defects: list[Defect]) -> Iterator[Card]:
    file = f"{name}.json"
    try:
        objects = msgspec.json.decode(data or b"null")
    except msgspec.DecodeError as wrong:
        objects = None
        defects.append(Defect(file, "", "", str(wrong), "JSON"))
    if not isinstance(objects, list):
        defects.append(Defect(file, "", "", "no array", "an array of objects"))
        return
    for number, found in enumerate(objects, 1):
        faults = list(shape_defects(file, _named(found) or f"object {number}", SHAPES[name], found))
        defects += faults
        if not faults:
            yield msgspec.convert(found, SHAPES[name])


def defects_of(cards: CardSet) -> list[Defect]:
    """The defects that a well-shaped card set can still have."""
    index = CardIndex(cards)
    return [
        *_codes(cards),
        *_mastery(cards),
        *(defect for troop in cards.troops for defect in _troop(troop, index)),
        *(defect for terrain in cards.terrain for defect in _terrain(terrain)),
        *(defect for card in cards.stratagems for defect in _stratagem(card)),
        *_automatic(cards),
        *(defect for army in cards.armies for defect in army_defects(army, index, "armies.json")),
    ]


def _codes(cards: CardSet) -> Iterator[Defect]:
    coded = (
        *((card.code, "troops") for card in cards.troops),
        *((card.code, "terrain") for card in cards.terrain),
        *((card.code, "combat_masters") for card in cards.combat_masters),
        *((card.code, "battle_masters") for card in cards.battle_masters),
        *((card.code, "standards") for card in cards.standards),
        *((card.code, "stratagems") for card in cards.stratagems),
    )
    for code, copies in Counter(code for code, _ in coded).items():
        if copies > 1:
            files = sorted({f"{file}.json" for found, file in coded if found == code})
            yield Defect(", ".join(files), code, "code", f"used {copies} times", "each code once")
    names = Counter(card.name for card in cards.stratagems)
    for name in (name for name, copies in names.items() if copies > 1):
        yield Defect("stratagems.json", name, "name", "used twice", "each name once", "WE-Q38")


def _mastery(cards: CardSet) -> Iterator[Defect]:
    """WE-007, WE-Q01: six cards whose ends are 1 to 12; WE-Q02: no end is altered against its own card or both ways."""
    file = "mastery.json"
    values = sorted(end.cv for card in cards.mastery for end in card.ends)
    if values != list(range(1, 13)) or len(cards.mastery) != 6:
        yield Defect(file, "", "ends", f"values {values}", "each of 1 to 12 once on six cards", "WE-007")
    for card in cards.mastery:
        own = {end.cv for end in card.ends}
        for end in card.ends:
            altered, cheaper = end.altered_cv, end.altered_mp
            if altered and (own & set(altered.against) or altered.value <= max(altered.against)):
                found = f"{altered.value} against {list(altered.against)}"
                yield Defect(
                    file, card.card, f"altered_cv of {end.cv}", found, "more than each, none its own", "WE-010"
                )
            if cheaper and cheaper.value >= end.mp:
                yield Defect(
                    file, card.card, f"altered_mp of {end.cv}", str(cheaper.value), f"under {end.mp}", "WE-012"
                )
            if len(set(end.guard)) < 2 or not all(1 <= value <= 24 for value in end.guard):
                yield Defect(file, card.card, f"guard of {end.cv}", str(end.guard), "two values, 1 to 24", "WE-013")
    yield from _mastery_ties(cards)


def _mastery_ties(cards: CardSet) -> Iterator[Defect]:
    ends = [(card.card, end) for card in cards.mastery for end in card.ends]
    for mine, a in ends:
        for theirs, b in ends:
            if mine >= theirs:
                continue
            first = a.altered_cv if a.altered_cv and b.cv in a.altered_cv.against else None
            second = b.altered_cv if b.altered_cv and a.cv in b.altered_cv.against else None
            if first and second:
                yield Defect("mastery.json", mine, "altered_cv", f"{a.cv} and {b.cv} alter each other", "one of them")
            if (first.value if first else a.cv) == (second.value if second else b.cv):
                yield Defect("mastery.json", mine, "ends", f"{a.cv} ties with {b.cv}", "no ties", "WE-070")


def _troop(troop: TroopCard, index: CardIndex) -> Iterator[Defect]:
    file = "troops.json"
    if set(troop.rows) != set(Level):
        yield Defect(file, troop.code, "rows", ", ".join(troop.rows), "all three Combat Levels", "WE-006")
    rows: dict[str, Row | None] = {str(level): row for level, row in troop.rows.items()}
    rows |= {"first_melee_row": troop.first_melee_row, "vs_mounts_row": troop.vs_mounts_row}
    for name, row in rows.items():
        if row is not None:
            yield from _row(row, troop.code, name)
    if troop.dismounted and troop.dismounted not in index.troops:
        yield Defect(file, troop.code, "dismounted", troop.dismounted, "an existing Troop", "WE-032")
    kinds = {composition.kind for composition in troop.compositions}
    if Kind.MOUNTS in kinds and troop.first_melee_row is None:
        yield Defect(file, troop.code, "first_melee_row", "missing", "a row for a Troop with Mounts", "WE-190")
    if troop.vs_mounts_row and Kind.SPEAR_HEDGE not in kinds:
        yield Defect(file, troop.code, "vs_mounts_row", "a row", "none without Spear Hedge", "WE-212")
    for composition in troop.compositions:
        yield from _composition(composition, troop.code)


def _row(row: Row, code: str, name: str) -> Iterator[Defect]:
    if (row.att is None) != (row.att_dmg is None):
        yield Defect("troops.json", code, name, "att without Attack Damage", "both or neither", "WE-026")
    if row.att is None and (row.weapon or row.range):
        yield Defect("troops.json", code, name, "a weapon or range without att", "none with *(5)", "WE-026")


def _composition(found: Composition, code: str) -> Iterator[Defect]:
    file, where = "troops.json", f"compositions: {found.kind}"
    if found.level not in LEVELS_OF.get(found.kind, {Level.MELEE}):
        yield Defect(file, code, where, found.level, "the level of that composition", "WE-031")
    if found.kind in {Kind.MOUNTS, Kind.NET}:
        if found.scope or found.amount:
            yield Defect(file, code, where, f"{found.scope}{found.amount}", "neither scope nor amount", "WE-031")
        return
    plus = found.kind in {Kind.SPEAR_HEDGE, Kind.RATE_OF_FIRE, Kind.WAR_BEAST}
    scope, amount = found.scope or "", found.amount or 0
    right = scope.startswith("R") if plus else scope == ("FR" if found.kind is Kind.SHIELD_WALL else "C")
    if not right or scope == "" or (amount < 1) is plus:
        allowed = "R1 to R9 or R* with +1 to +6" if plus else "FR or C with -1 to -15"
        yield Defect(file, code, where, f"{scope}{amount:+}", allowed, "WE-202")


def _terrain(terrain: TerrainCard) -> Iterator[Defect]:
    kinds = Counter(access.kind for access in terrain.access)
    if any(found > 1 for found in kinds.values()):
        yield Defect("terrain.json", terrain.code, "access", "a kind twice", "one of each kind", "WE-224")


def _stratagem(card: Stratagem) -> Iterator[Defect]:
    file = "stratagems.json"
    if not card.flags and not card.common:
        yield Defect(file, card.code, "flags", "none", "a flag unless common", "WE-146")
    for effect in card.effects:
        if (effect.op == "stat") != (effect.stat is not None):
            yield Defect(file, card.code, "effects", f"{effect.op} with stat {effect.stat}", "a stat only with stat")
        if not set(effect.levels) <= set(card.levels):
            yield Defect(file, card.code, "effects", "a level the card does not have", "levels of the card", "WE-061")


def _automatic(cards: CardSet) -> Iterator[Defect]:
    ops = Counter(str(effect.op) for card in cards.stratagems for effect in card.effects)
    for op in ("hold", "retreat", "counter"):
        if not ops[op]:
            yield Defect("stratagems.json", "", "effects", f"no {op}", "Hold, Retreat and Counter", "WE-180")
