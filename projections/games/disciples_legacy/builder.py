"""Building a deck of Disciples: Legacy: the deck's places and cards in words, and the findings about it.

The faults come from the same checks as in `herald army check`; nothing here knows a rule of deck construction.
"""

import re
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from domain.commons.errors import Defect
from domain.disciples_legacy.cards.armies import BUDGET, PARTIES, army_cost
from domain.disciples_legacy.cards.cards import (
    SHIPPED,
    AnyCard,
    CardIndex,
    Deck,
    ManaCard,
    Unit,
    index_of,
)
from domain.disciples_legacy.checks.card_checks import check_army
from projections.armies import Builder, BuilderCard, BuilderField, BuilderForm, BuilderSection, DraftFault, DraftFinding
from projections.games.disciples_legacy.texts import RACES, card_lines, kind_words, price_words

ANY_RACE: Final = "any"
"""The group of cards without a race."""
ROWS: Final = (("1", "2", "3"), ("4", "5", "6"))
ORDINALS: Final = ("First", "Second", "Third")
IDS: Final = re.compile(r"[a-z]+(?:_[a-z]+)*")
"""The form of a card's name, or of any other word, in a file."""
EMPTY: Final[dict[str, Any]] = {
    "id": "my_deck",
    "name": "My deck",
    "race": "empire",
    "capital": "",
    "parties": [{"leader": "", "leader_slot": 2, "units": {}, "items": []} for _ in range(PARTIES)],
    "reserves": [],
}


def form() -> BuilderForm:
    """The places of a deck, every shipped card, the ready decks."""
    index = index_of(None)
    capital = BuilderField("Capital", "capital", ("capital",), "one", _ids(SHIPPED.capitals), sets=("race",))
    parties = (BuilderSection(f"{ORDINALS[number]} Party", _party(number)) for number in range(PARTIES))
    reserves = BuilderField("Cards", "reserves", ("reserves",), "many", _ids(_reserves()))
    return BuilderForm(
        (BuilderSection("Capital", (capital,)), *parties, BuilderSection("Reserves", (reserves,))),
        tuple(_card(card, index) for card in index.cards.values()),
        {**RACES, ANY_RACE: "Any race"},
        tuple(msgspec.to_builtins(deck) for deck in SHIPPED.decks),
        EMPTY,
    )


def _ids(cards: Iterable[AnyCard]) -> tuple[str, ...]:
    return tuple(card.id for card in cards)


def _reserves() -> Iterable[AnyCard]:
    """The kinds of cards that a hand may hold; summoned pieces come by a Spell (DL-F11)."""
    minors = (card for card in SHIPPED.minor_leaders if not card.summoned)
    return (*SHIPPED.cities, *SHIPPED.mana, *minors, *SHIPPED.units, *SHIPPED.items, *SHIPPED.spells)


def _party(number: int) -> tuple[BuilderField, ...]:
    """Leader, formation and Items of one starting Party."""
    way, at = ("parties", number), f"party {number + 1}: "
    leader, slot = (*way, "leader"), (*way, "leader_slot")
    units = (*way, "units")
    return (
        BuilderField("Leader", f"{at}leader", leader, "one", _ids(SHIPPED.major_leaders)),
        BuilderField("Formation", f"{at}units", units, "places", _ids(SHIPPED.units), (), ROWS, leader, slot),
        BuilderField("Items", f"{at}items", (*way, "items"), "many", _ids(SHIPPED.items)),
    )


def _card(card: AnyCard, index: CardIndex) -> BuilderCard:
    group = ANY_RACE if isinstance(card, ManaCard) else card.race
    tall = isinstance(card, Unit) and card.giant
    return BuilderCard(
        card.id, card.name, group, kind_words(card), price_words(card), tuple(card_lines(index, card.id)), tall
    )


def judge(draft: bytes) -> DraftFinding:
    """The faults that `herald army check` finds in the draft, by their places."""
    defects = check_army(draft, "deck", {})
    faults = tuple(_fault(defect) for defect in defects)
    return DraftFinding(_cost(draft), BUDGET, "(C)", faults, not any(not fault.advice for fault in faults))


def _cost(draft: bytes) -> int:
    """The cost of the draft; 0 if it is not a deck yet."""
    try:
        return army_cost(msgspec.json.decode(draft, type=Deck), index_of(None))
    except (msgspec.MsgspecError, RecursionError):
        return 0


def _fault(defect: Defect) -> DraftFault:
    word = "better" if defect.advice else "allowed"
    said = f"{defect.found}; {word}: {defect.allowed}"
    return DraftFault(defect.field, IDS.sub(_name_of, said), defect.rule, advice=defect.advice)


def _name_of(found: re.Match[str]) -> str:
    """The name of the card with this id in a file; other words stay as they are."""
    card = index_of(None).cards.get(found[0])
    return found[0] if card is None else card.name


BUILDER: Final = Builder(form, judge)
