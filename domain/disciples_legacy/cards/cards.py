"""Cards: their printed values (ledger 2.E to 2.K; DL-F01 to DL-F17), as data/ holds it (ledger 6.3).

`SHIPPED` is the set that comes with the game; `index_of` makes an index of a card set. The index also holds the
parsed abilities (6.2), which a card file holds as expressions.
"""

from importlib import resources
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from domain.commons.identity_cache import once_of
from domain.disciples_legacy.cards.hooks import Ability, Colour, Mod, ModName, Race, Style, parse

FILES: Final = (
    "capitals",
    "cities",
    "major_leaders",
    "minor_leaders",
    "units",
    "items",
    "spells",
    "mana",
    "decks",
)

CardId = str
"""A card by its id; copies of a card are alike (DL-018, DL-Q03)."""
Id = Annotated[CardId, Meta(pattern=r"^[a-z][a-z0-9_]{2,40}$")]
Name = Annotated[str, Meta(min_length=1, max_length=80)]
Hp = Annotated[int, Meta(ge=1, le=20)]
Attack = Annotated[int, Meta(ge=0, le=9)]
Cost = Annotated[int, Meta(ge=1, le=9)]
Yield = Annotated[int, Meta(ge=0, le=5)]
Abilities = tuple[Annotated[str, Meta(max_length=80)], ...]
SlotName = Literal["1", "2", "3", "4", "5", "6"]


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    """The base class of everything read from a file. Raises `ValueError` for an ability without a meaning."""

    id: Id
    name: Name

    def __post_init__(self) -> None:
        for text in getattr(self, "abilities", ()):
            parse(text)


class Capital(Card, frozen=True):
    """DL-065 to DL-067: a Capital; it gives `yield_c` (C) and has one ability."""

    race: Race
    yield_c: Yield
    abilities: Annotated[Abilities, Meta(min_length=1, max_length=1)]


class CityCard(Card, frozen=True):
    """DL-063: a City; it gives `yield_c` (C)."""

    race: Race
    yield_c: Yield
    abilities: Annotated[Abilities, Meta(max_length=1)]


class _Body(Card, frozen=True):
    """DL-055: the values that Units and Leaders have in common: Max HP, Attack and attack style."""

    race: Race
    hp: Hp
    attack: Attack
    style: Style


class MajorLeader(_Body, frozen=True):
    """DL-044, DL-045: a Major Leader with Leadership and recruit cost."""

    leadership: Annotated[int, Meta(ge=0, le=5)]
    cost: Cost
    abilities: Annotated[Abilities, Meta(max_length=2)]


class MinorLeader(_Body, frozen=True):
    """DL-046, DL-047: a Minor Leader, always of Leadership 0; a summoned one enters play only by a Spell."""

    cost: Annotated[int, Meta(ge=0, le=9)]
    summoned: bool
    abilities: Annotated[Abilities, Meta(min_length=1, max_length=3)]


class Unit(_Body, frozen=True):
    """DL-053: a Unit; DL-057: a Giant takes a column."""

    cost: Cost
    giant: bool
    abilities: Annotated[Abilities, Meta(max_length=2)]


class Item(Card, frozen=True):
    """DL-071 to DL-073: an Item; a consumable one is discarded after use (DL-Q38)."""

    race: Race
    cost: Cost
    consumable: bool
    abilities: Annotated[Abilities, Meta(min_length=1, max_length=1)]


class Spell(Card, frozen=True):
    """DL-075: a Spell with the Mana its caster must own."""

    race: Race
    mana: dict[Colour, Annotated[int, Meta(ge=1, le=5)]]
    abilities: Annotated[Abilities, Meta(min_length=1, max_length=1)]


class ManaCard(Card, frozen=True):
    """DL-F16: a Mana card of a colour."""

    colour: Colour


AnyCard = Capital | CityCard | MajorLeader | MinorLeader | Unit | Item | Spell | ManaCard
Body = MajorLeader | MinorLeader | Unit


class DeckParty(Struct, frozen=True, forbid_unknown_fields=True):
    """DL-014: a starting Party; `units` maps a slot to a Unit, a Giant under its front slot."""

    leader: CardId
    leader_slot: Annotated[int, Meta(ge=1, le=6)]
    units: dict[SlotName, CardId]
    items: tuple[CardId, ...]

    @property
    def places(self) -> tuple[tuple[int, CardId], ...]:
        """Every member with its slot, the Leader first, then by slot."""
        units = sorted((int(slot), card) for slot, card in self.units.items())
        return ((self.leader_slot, self.leader), *units)


class Deck(Card, frozen=True, tag="deck", tag_field="is"):
    """DL-011: an Army Deck, already sorted into its Parties, and a Reserves Deck."""

    race: Race
    capital: CardId
    parties: tuple[DeckParty, ...]
    reserves: tuple[CardId, ...]

    @property
    def army(self) -> tuple[CardId, ...]:
        """DL-013: every card of the Army Deck, the Capital first, then Party by Party."""
        cards = ((party.leader, *party.units.values(), *party.items) for party in self.parties)
        return (self.capital, *(card for party in cards for card in party))


class CardSet(Struct, frozen=True, forbid_unknown_fields=True):
    """All cards of a game, and its ready-made decks."""

    capitals: tuple[Capital, ...]
    cities: tuple[CityCard, ...]
    major_leaders: tuple[MajorLeader, ...]
    minor_leaders: tuple[MinorLeader, ...]
    units: tuple[Unit, ...]
    items: tuple[Item, ...]
    spells: tuple[Spell, ...]
    mana: tuple[ManaCard, ...]
    decks: tuple[Deck, ...]

    @property
    def cards(self) -> tuple[AnyCard, ...]:
        """Every card, in the order of the files."""
        leaders: tuple[AnyCard, ...] = (*self.major_leaders, *self.minor_leaders)
        return (*self.capitals, *self.cities, *leaders, *self.units, *self.items, *self.spells, *self.mana)


class CardIndex:
    """A card set by id."""

    def __init__(self, cards: CardSet) -> None:
        self.card_set = cards
        self.cards: dict[CardId, AnyCard] = {card.id: card for card in cards.cards}
        self.capitals = {card.id: card for card in cards.capitals}
        self.cities = {card.id: card for card in cards.cities}
        self.majors = {card.id: card for card in cards.major_leaders}
        self.minors = {card.id: card for card in cards.minor_leaders}
        self.units = {card.id: card for card in cards.units}
        self.items = {card.id: card for card in cards.items}
        self.spells = {card.id: card for card in cards.spells}
        self.mana = {card.id: card for card in cards.mana}
        self.bodies: dict[CardId, Body] = {**self.majors, **self.minors, **self.units}
        self.towns: dict[CardId, Capital | CityCard] = {**self.capitals, **self.cities}
        self.decks = {deck.id: deck for deck in cards.decks}
        self.abilities: dict[CardId, tuple[Ability, ...]] = {
            card.id: () if isinstance(card, ManaCard) else tuple(map(parse, card.abilities)) for card in cards.cards
        }

    def modifier(self, town: CardId, name: ModName) -> int:
        """6.2: the amount by which a Capital or City changes a rule for its controller; 0 if it does not."""
        ops = (ability.op for ability in self.abilities[town])
        return max((op.n for op in ops if isinstance(op, Mod) and op.name == name), default=0)


def read_file(name: str) -> bytes:
    """A shipped data file, by its name without ending."""
    return resources.files("domain.disciples_legacy").joinpath(f"data/{name}.json").read_bytes()


def _load() -> CardSet:
    return msgspec.convert({name: msgspec.json.decode(read_file(name)) for name in FILES}, CardSet)


SHIPPED: Final = _load()
_SHIPPED_INDEX: Final = CardIndex(SHIPPED)
_made_index = once_of(CardIndex)


def index_of(cards: CardSet | None) -> CardIndex:
    """The index of a card set, made once; None is the shipped one."""
    return _SHIPPED_INDEX if cards is None else _made_index(cards)
