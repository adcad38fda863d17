"""Checks of card files (ledger 6.3 to 6.9): every defect with file, card, field and rule, all at once."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.commons.errors import Defect
from domain.commons.files import assert_sound, document, shape_defects
from domain.joan_of_arc.cards.cards import (
    FILES,
    LETTERS,
    CardIndex,
    CardSet,
    DiscussionCard,
    EquipmentCard,
    IntrigueCard,
    LegendCard,
    OwnCards,
    RoundCard,
    Timing,
    WarCouncilCard,
)
from domain.joan_of_arc.cards.hooks import ContinueLevel2, DieTest, Operation
from domain.joan_of_arc.cards.units import UnitCard
from domain.joan_of_arc.checks.effect_checks import Context, effect_defects
from domain.joan_of_arc.checks.unit_checks import unit_defects
from domain.joan_of_arc.errors import CardsInvalid

SHAPES: Final[dict[str, type[Struct]]] = {
    "units": UnitCard,
    "war_council": WarCouncilCard,
    "rounds": RoundCard,
    "legend": LegendCard,
    "equipment": EquipmentCard,
    "discussions": DiscussionCard,
    "intrigue": IntrigueCard,
}
RIVER: Final = 3
"""Different war council cards that the river needs."""
USED_AT: Final[Timing] = "own_turn_between_orders"
"""The moments at which equipment for a single use is used."""
LEVEL_1_CARDS: Final = 4
"""Level 1 discussion cards of a unit that talks."""


def card_file_defects(given: Mapping[str, Any], file: str) -> list[Defect]:
    """The defects of sections of a card set that is used as `OwnCards` describes."""
    defects = [*_unshaped(given, file)]
    if not defects:
        defects = defects_of(_whole(given), file)
    return defects


def _unshaped(given: Mapping[str, Any], file: str) -> Iterator[Defect]:
    for section, cards in given.items():
        if not isinstance(cards, list):
            yield Defect(file, section, "", f"{cards!r:.40}", "an array of objects")
            continue
        for number, card in enumerate(cards, 1):
            yield from shape_defects(file, named(card) or f"{section} {number}", SHAPES[section], card)


def named(found: object) -> str:
    """The id in an object of a file; empty if it has none."""
    name = found.get("id") if isinstance(found, dict) else None
    return name if isinstance(name, str) else ""


def _whole(given: Mapping[str, Any]) -> CardSet:
    return msgspec.convert(given, OwnCards).card_set()


def read_card_file(text: bytes, file: str) -> CardSet:
    """The card set of a file with any of the sections. Raises `CardsInvalid` with every defect."""
    given = document(text, file)
    if not isinstance(given, dict) or not given or not set(given) <= set(FILES):
        raise CardsInvalid((Defect(file, "", "", f"{given!r:.40}", f"an object with any of {', '.join(FILES)}"),))
    assert_sound(card_file_defects(given, file), CardsInvalid)
    return _whole(given)


def defects_of(cards: CardSet, file: str) -> list[Defect]:
    """The defects that a well-shaped card set can still have."""
    index = CardIndex(cards)
    return [
        *_repeated(cards, file),
        *(defect for card in cards.units for defect in unit_defects(card, index, file)),
        *_council(cards.war_council, file),
        *(defect for card in cards.legend for defect in _legend(card, file)),
        *(defect for card in cards.equipment for defect in _equipment(card, file)),
        *(defect for card in cards.discussions for defect in _discussion(card, index, file)),
        *_talks(cards, file),
        *(defect for card in cards.intrigue for defect in _intrigue(card, file)),
    ]


def _repeated(cards: CardSet, file: str) -> Iterator[Defect]:
    for section in FILES:
        for name, number in Counter(card.id for card in getattr(cards, section)).items():
            if number > 1:
                yield Defect(file, name, "id", f"{number} times in {section}", "each id once", "ledger 6.3")


def _council(cards: tuple[WarCouncilCard, ...], file: str) -> Iterator[Defect]:
    if len({card.id for card in cards}) < RIVER:
        yield Defect(file, "war_council", "", f"{len(cards)} designs", "at least 3 different ones", "ledger 6.4")
    for card in cards:
        yield from effect_defects(card.effects, "council", file, card.id, "effects")


def _legend(card: LegendCard, file: str) -> Iterator[Defect]:
    attacks = card.timing not in {"own_turn_between_orders", "camp_before_doom"}
    if card.requires.attack is not None and not attacks:
        yield Defect(file, card.id, "requires.attack", card.requires.attack, "none at this timing", "ledger 6.6")
    context: Context = "attack" if attacks else "camp" if card.timing == "camp_before_doom" else "turn"
    yield from effect_defects(card.effects, context, file, card.id, "effects")


def _equipment(card: EquipmentCard, file: str) -> Iterator[Defect]:
    once = card.use == "once"
    if once != (card.timing is not None):
        allowed = "a timing for a card used once" if once else "none for a permanent card"
        yield Defect(file, card.id, "timing", repr(card.timing), allowed, "ledger 6.7")
    elif card.timing not in {None, USED_AT}:
        yield Defect(file, card.id, "timing", str(card.timing), USED_AT, "ledger 6.7")
    yield from effect_defects(card.effects, "used" if once else "worn", file, card.id, "effects")


def _discussion(card: DiscussionCard, index: CardIndex, file: str) -> Iterator[Defect]:
    unit = index.units.get(card.unit)
    if unit is None or not unit.discussion:
        yield Defect(file, card.id, "unit", repr(card.unit), "a unit with discussion", "ledger 6.8")
    for field, letters in (("questions", card.questions), ("answers", card.answers)):
        if set(letters) != set(LETTERS):
            yield Defect(file, card.id, field, ", ".join(sorted(letters)) or "none", "A, B, C, D", "ledger 6.8")
    for letter, question in card.questions.items():
        if letter in {"A", "B"} and question.banner is not None:
            yield Defect(file, card.id, f"questions.{letter}.banner", question.banner, "null", "ledger 6.8")
        if letter in {"C", "D"} and question.banner is None:
            yield Defect(file, card.id, f"questions.{letter}.banner", "null", "english, french", "ledger 6.8")
    context: Context = "answer" if card.level == 1 else "last_answer"
    for letter, effects in card.answers.items():
        yield from effect_defects(effects, context, file, card.id, f"answers.{letter}")


def _talks(cards: CardSet, file: str) -> Iterator[Defect]:
    """Check that each talking unit has the cards that it needs."""
    for unit in (card for card in cards.units if card.discussion):
        own = [card for card in cards.discussions if card.unit == unit.id]
        first = [card for card in own if card.level == 1]
        if len(first) != LEVEL_1_CARDS:
            yield Defect(file, unit.id, "discussion", f"{len(first)} level 1 cards", "4", "ledger 6.8")
        goes_on = any(_continues(effects) for card in first for effects in card.answers.values())
        if goes_on and len(own) == len(first):
            yield Defect(file, unit.id, "discussion", "no level 2 card", "one, as an answer continues", "ledger 6.8")


def _continues(effects: Iterable[Operation]) -> bool:
    for effect in effects:
        if isinstance(effect, ContinueLevel2):
            return True
        if isinstance(effect, DieTest) and any(map(_continues, effect.on.values())):
            return True
    return False


def _intrigue(card: IntrigueCard, file: str) -> Iterator[Defect]:
    numbers = [slot.slot for slot in card.slots]
    if len(set(numbers)) < len(numbers):
        yield Defect(file, card.id, "slots", f"slots {numbers}", "each slot once", "ledger 6.9")
    for slot in card.slots:
        yield from effect_defects(slot.effects, "intrigue", file, card.id, f"slots.{slot.slot}.effects")
