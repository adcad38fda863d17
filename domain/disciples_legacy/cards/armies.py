"""2.C and 2.D Deck construction: every rule a deck must keep, all defects at once.

A deck is an Army Deck sorted into its starting Parties, and a Reserves Deck. Its formations are a first deployment.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import product
from typing import Final

from domain.commons.errors import Defect
from domain.disciples_legacy.cards.cards import (
    AnyCard,
    Capital,
    CardId,
    CardIndex,
    CityCard,
    Deck,
    DeckParty,
    Item,
    MajorLeader,
    ManaCard,
    MinorLeader,
    Spell,
    Unit,
)

BUDGET: Final = 18
"""DL-025: the most (C) of Leaders, Units and Items."""
PARTIES: Final = 3
"""DL-014, DL-022: as many Parties as Major Leaders."""
RESERVES: Final = 12
"""DL-032: the cards of a Reserves Deck."""
GIANTS: Final = 2
"""DL-059: the most Giants in a Party."""
TYPE_NAMES: Final[dict[type[AnyCard], str]] = {
    Capital: "a Capital",
    CityCard: "a City",
    MajorLeader: "a Major Leader",
    MinorLeader: "a Minor Leader",
    Unit: "a Unit",
    Item: "an Item",
    Spell: "a Spell",
    ManaCard: "a Mana card",
}
PLACES: Final[dict[type[AnyCard], str]] = {Capital: "DL-021", MajorLeader: "DL-014", Unit: "DL-014", Item: "DL-015"}
NOT_IN_ARMIES: Final[dict[type[AnyCard], str]] = {
    CityCard: "DL-028",
    ManaCard: "DL-029",
    Spell: "DL-030",
    MinorLeader: "DL-031",
}
NOT_IN_RESERVES: Final[dict[type[AnyCard], str]] = {MajorLeader: "DL-036", Capital: "DL-037"}

Wrong = Callable[..., Defect]
"""A defect of the deck at hand: field, found, allowed, rule."""


def army_cost(deck: Deck, index: CardIndex) -> int:
    """DL-025, DL-026: the (C) of Leaders, Units and Items; all other and unknown cards cost nothing."""
    cards = (index.cards.get(card) for card in deck.army)
    return sum(card.cost for card in cards if isinstance(card, MajorLeader | Unit | Item))


def deck_defects(deck: Deck, index: CardIndex, file: str = "army") -> Iterator[Defect]:
    """Every breach of the rules in the deck.

    DL-027: any number of Units and Items, also of copies; DL-038: any mixture of races among the Reserves.
    """
    return (defect for defect in deck_findings(deck, index, file) if not defect.advice)


def offer_defects(own: tuple[Deck, ...], index: CardIndex) -> Iterator[str]:
    """Reasons why a match cannot offer these decks besides the ready ones (DL-D01), as sentences."""
    for number, deck in enumerate(own):
        yield from map(str, deck_defects(deck, index, f"armies: {deck.id}"))
        if deck.id in index.decks or any(deck.id == other.id for other in own[:number]):
            yield f"armies: {deck.id}: there is another deck of that id; choose another"
    if not own and not index.decks:
        yield "armies: the card set has no deck and none is brought along; nobody could choose one"


def deck_findings(deck: Deck, index: CardIndex, file: str = "army") -> Iterator[Defect]:
    """Every breach of the rules in the deck, and advice."""
    wrong: Wrong = partial(Defect, file, deck.id)
    for field, cards in (("army", deck.army), ("reserves", deck.reserves)):
        for card in dict.fromkeys(cards):
            if card not in index.cards:
                found = f"{card}, which does not exist" if card else "a place without a card"
                yield wrong(field, found, "ids of the card set" if card else "a card in it")
    yield from _army(deck, index, wrong)
    yield from _races(deck, index, wrong)
    yield from _cost(deck, index, wrong)
    yield from _parties(deck, index, wrong)
    yield from _reserves(deck, index, wrong)


def _army(deck: Deck, index: CardIndex, wrong: Wrong) -> Iterator[Defect]:
    army = _known(deck.army, index)
    capitals = sum(isinstance(card, Capital) for card in army)
    if capitals != 1:
        yield wrong("army", _count(capitals, "Capital"), "exactly 1", "DL-021")
    leaders = Counter(card.id for card in army if isinstance(card, MajorLeader))
    if leaders.total() != PARTIES:
        yield wrong("army", _count(leaders.total(), "Major Leader"), f"exactly {PARTIES}", "DL-022")
    for leader, copies in leaders.items():
        if copies > 1:
            yield wrong("army", f"{leader} {copies} times", "each Major Leader once", "DL-023")
    for card in {card.id: card for card in army}.values():
        if type(card) in NOT_IN_ARMIES:
            allowed = "a Capital, Major Leaders, Units and Items"
            yield wrong("army", _typed(card), allowed, NOT_IN_ARMIES[type(card)])


def _races(deck: Deck, index: CardIndex, wrong: Wrong) -> Iterator[Defect]:
    """DL-024; the deck must name the race of its Capital."""
    capital = index.capitals.get(deck.capital)
    race = deck.race if capital is None else capital.race
    if race != deck.race:
        yield wrong("race", deck.race, f"{race}, the race of {deck.capital}", "DL-024")
    for card in _known(dict.fromkeys(deck.army), index):
        if not isinstance(card, ManaCard) and card.race != race:
            yield wrong("army", f"{card.id} of the {card.race}", f"cards of the {race}", "DL-024")


def _cost(deck: Deck, index: CardIndex, wrong: Wrong) -> Iterator[Defect]:
    cost = army_cost(deck, index)
    if cost > BUDGET:
        yield wrong("army", f"{cost} (C)", f"{BUDGET} (C) at most", "DL-025")
    if cost < BUDGET:
        yield wrong("army", f"{cost} (C)", f"{BUDGET} (C) used up", "DL-Q01", advice=True)


def _parties(deck: Deck, index: CardIndex, wrong: Wrong) -> Iterator[Defect]:
    if len(deck.parties) != PARTIES:
        yield wrong("parties", str(len(deck.parties)), f"exactly {PARTIES}", "DL-014")
    yield from _types("capital", (deck.capital,), Capital, index, wrong)
    for number, party in enumerate(deck.parties, 1):
        yield from _party(f"party {number}: ", party, index, wrong)
    leaders = [index.majors[party.leader].leadership for party in deck.parties if party.leader in index.majors]
    units = [index.units[card] for card in deck.army if card in index.units]
    if len(leaders) == PARTIES and not placeable(leaders, units):
        giants = sum(unit.giant for unit in units)
        found = f"{_count(len(units), 'Unit')}, {_count(giants, 'Giant')} among them"
        yield wrong("army", found, "no more than the three Leaders can place", "DL-Q02")


def _party(at: str, party: DeckParty, index: CardIndex, wrong: Wrong) -> Iterator[Defect]:
    yield from _types(f"{at}leader", (party.leader,), MajorLeader, index, wrong)
    yield from _types(f"{at}units", party.units.values(), Unit, index, wrong)
    yield from _types(f"{at}items", party.items, Item, index, wrong)
    leader = index.majors.get(party.leader)
    if leader is not None and len(party.units) > leader.leadership:
        found = _count(len(party.units), "Unit")
        yield wrong(f"{at}units", found, f"{leader.leadership} under {leader.id}", "DL-045")
    yield from _formation(f"{at}units", party, index, wrong)
    for item, copies in Counter(party.items).items():
        if copies > 1:
            allowed = "one, for the others are discarded at once"
            yield wrong(f"{at}items", f"{item} {copies} times", allowed, "DL-071", advice=True)


def _types(
    field: str, cards: Iterable[CardId], kind: type[AnyCard], index: CardIndex, wrong: Wrong
) -> Iterator[Defect]:
    """DL-014, DL-015: a card of another type stands in the place of a Capital, Leader, Unit or Item."""
    for card in _known(dict.fromkeys(cards), index):
        if not isinstance(card, kind):
            yield wrong(field, _typed(card), TYPE_NAMES[kind], PLACES[kind])


def _formation(field: str, party: DeckParty, index: CardIndex, wrong: Wrong) -> Iterator[Defect]:
    """DL-057 to DL-059, DL-089: Giants in columns, two at most, and no two members on one slot."""
    taken: dict[int, CardId] = {}
    giants = 0
    for slot, card in party.places:
        giant = card in index.units and index.units[card].giant
        giants += giant
        if giant and slot > 3:
            yield wrong(field, f"{card}, a Giant, under slot {slot}", "its front slot: 1, 2 or 3", "DL-058")
            continue
        for place in (slot, slot + 3) if giant else (slot,):
            if place in taken:
                yield wrong(field, f"{taken[place]} and {card} on slot {place}", "one on a slot", "DL-089")
            taken[place] = card
    if giants > GIANTS:
        yield wrong(field, f"{giants} Giants", f"{GIANTS} in a Party", "DL-059")


def placeable(leaderships: Iterable[int], units: Iterable[Unit]) -> bool:
    """DL-Q02: whether there is a legal way to place all the Units under Leaders of these Leaderships."""
    sizes = [unit.giant for unit in units]
    return _placeable(tuple(leaderships), sum(sizes), len(sizes) - sum(sizes))


@lru_cache(maxsize=1024)
def _placeable(leaderships: tuple[int, ...], giants: int, others: int) -> bool:
    """A Giant takes one point of Leadership, and two of the five slots besides the Leader's own."""
    for split in product(range(GIANTS + 1), repeat=len(leaderships)):
        left = [leadership - here for here, leadership in zip(split, leaderships, strict=True)]
        room = sum(min(most, 5 - 2 * here) for here, most in zip(split, left, strict=True))
        if sum(split) == giants and min(left) >= 0 and room >= others:
            return True
    return False


def _reserves(deck: Deck, index: CardIndex, wrong: Wrong) -> Iterator[Defect]:
    if len(deck.reserves) != RESERVES:
        yield wrong("reserves", _count(len(deck.reserves), "card"), f"exactly {RESERVES}", "DL-032")
    for name, copies in Counter(deck.reserves).items():
        if copies > 1:
            yield wrong("reserves", f"{name} {copies} times", "each card once", "DL-033")
    cards = _known(dict.fromkeys(deck.reserves), index)
    if not any(isinstance(card, CityCard) for card in cards):
        yield wrong("reserves", "no City", "1 at least", "DL-034")
    for card in cards:
        allowed = "Cities, Mana, Minor Leaders, Units, Items, Spells"
        if type(card) in NOT_IN_RESERVES:
            yield wrong("reserves", _typed(card), allowed, NOT_IN_RESERVES[type(card)])
        if isinstance(card, MinorLeader) and card.summoned:
            yield wrong("reserves", f"{card.id}, who is summoned", "the Spell that summons", "DL-F11")


def _known(cards: Iterable[CardId], index: CardIndex) -> list[AnyCard]:
    return [index.cards[card] for card in cards if card in index.cards]


def _typed(card: AnyCard) -> str:
    return f"{card.id}, {TYPE_NAMES[type(card)]}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
