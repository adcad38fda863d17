"""Cards of all kinds: war council, round, legend, equipment, discussion, intrigue (ledger 6.4 to 6.9).

`SHIPPED` is the set that comes with the game; `index_of` finds its cards by id. JA-407: clients receive answers
and intrigue effects only in events that show them; cards of the players' own are in the options, which all players
agreed on.
"""

from typing import Annotated, ClassVar, Final, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from domain.commons.identity_cache import once_of
from domain.joan_of_arc.cards.hooks import Attack, Deck, Operation
from domain.joan_of_arc.cards.packaged import read_file
from domain.joan_of_arc.cards.units import Name, Named, Printed, Slug, UnitCard

FILES: Final = ("units", "war_council", "rounds", "legend", "equipment", "discussions", "intrigue")
"""The sections of a card set, each a file of data/."""

LegendType = Literal["T", "M"]
Letter = Literal["A", "B", "C", "D"]
LETTERS: Final[tuple[Letter, ...]] = ("A", "B", "C", "D")
Timing = Literal[
    "own_turn_between_orders",
    "attack_declared_self",
    "attack_declared_opponent",
    "attack_effects_self",
    "attack_effects_opponent",
    "defence_effects_self",
    "camp_before_doom",
]
"""Ledger 6.6: the moments at which a card may be played."""


class WarCouncilCard(Named, frozen=True):
    """A war council card, and the number of its copies in the deck."""

    rule: ClassVar[str] = "ledger 6.4"

    name: Name
    copies: Annotated[int, Meta(ge=1, le=4)]
    effects: Annotated[tuple[Operation, ...], Meta(min_length=1)]


class RoundCard(Named, frozen=True):
    """A round card: the number of command orders that every player gains."""

    rule: ClassVar[str] = "ledger 6.5"

    command_orders: Annotated[int, Meta(ge=1, le=6)]


class Requirement(Printed, frozen=True):
    """A condition on a card besides its moment: the kind of the attack."""

    rule: ClassVar[str] = "ledger 6.6"

    attack: Attack | None = None


class LegendCard(Named, frozen=True):
    """A legend card of tactics (T) or myth (M), and its cost in legend tokens."""

    rule: ClassVar[str] = "ledger 6.6"

    type: LegendType
    name: Name
    cost: Annotated[int, Meta(ge=0, le=5)]
    timing: Timing
    effects: Annotated[tuple[Operation, ...], Meta(min_length=1)]
    requires: Requirement = Requirement()


class EquipmentCard(Named, frozen=True):
    """An equipment card; a card for a single use has its moment."""

    rule: ClassVar[str] = "ledger 6.7"

    type: Deck
    name: Name
    use: Literal["permanent", "once"]
    effects: Annotated[tuple[Operation, ...], Meta(min_length=1)]
    timing: Timing | None = None


class Question(Printed, frozen=True):
    """A question on the front of a discussion card; `risk`: it is printed in red."""

    rule: ClassVar[str] = "ledger 6.8"

    text: Name
    banner: Literal["english", "french"] | None = None
    risk: bool = False


Back = tuple[tuple[Operation, ...], ...]
"""The back of a discussion card: its answers from A to D."""


class DiscussionCard(Named, frozen=True):
    """A discussion card: four questions on its front, their answers on its back."""

    rule: ClassVar[str] = "ledger 6.8"

    unit: Slug
    level: Literal[1, 2]
    questions: dict[Letter, Question]
    answers: dict[Letter, tuple[Operation, ...]]

    def back(self) -> Back:
        """The answer side of the card."""
        return tuple(self.answers[letter] for letter in LETTERS)


class IntrigueSlot(Printed, frozen=True):
    """An effect of an intrigue card and the tokens it costs."""

    rule: ClassVar[str] = "ledger 6.9"

    slot: Annotated[int, Meta(ge=1, le=4)]
    cost: Annotated[int, Meta(ge=1, le=6)]
    timing: Literal["own_turn_or_interrupt", "own_turn_only"]
    effects: Annotated[tuple[Operation, ...], Meta(min_length=1)]


class IntrigueCard(Named, frozen=True):
    """The intrigue card of a side."""

    rule: ClassVar[str] = "ledger 6.9"

    side: Literal["english", "french"]
    slots: Annotated[tuple[IntrigueSlot, ...], Meta(min_length=1, max_length=4)]


class CardSet(Struct, frozen=True, forbid_unknown_fields=True):
    """All units and cards of a match."""

    units: tuple[UnitCard, ...]
    war_council: tuple[WarCouncilCard, ...]
    rounds: tuple[RoundCard, ...]
    legend: tuple[LegendCard, ...]
    equipment: tuple[EquipmentCard, ...]
    discussions: tuple[DiscussionCard, ...]
    intrigue: tuple[IntrigueCard, ...]


class CardIndex:
    """A card set by id."""

    def __init__(self, cards: CardSet) -> None:
        self.cards = cards
        self.units = {card.id: card for card in cards.units}
        self.war_council = {card.id: card for card in cards.war_council}
        self.rounds = {card.id: card for card in cards.rounds}
        self.legend = {card.id: card for card in cards.legend}
        self.equipment = {card.id: card for card in cards.equipment}
        self.discussions = {card.id: card for card in cards.discussions}
        self.intrigue = {card.id: card for card in cards.intrigue}

    def upgrades_of(self, card: UnitCard) -> tuple[UnitCard, ...]:
        """The level 2 cards of a level 1 card: one card, or the two sides of one."""
        if card.level != 1:
            return ()
        stem = card.id.removesuffix("_1")
        names = (f"{stem}_2", f"{stem}_2_holy", f"{stem}_2_unholy")
        return tuple(self.units[name] for name in names if name in self.units)

    def level_1_of(self, name: str) -> str:
        """The level 1 card of a level 2 card, by id."""
        stem = name.removesuffix("_holy").removesuffix("_unholy").removesuffix("_2")
        return f"{stem}_1"


SHIPPED: Final = msgspec.convert({name: msgspec.json.decode(read_file(name)) for name in FILES}, CardSet)
_SHIPPED_INDEX: Final = CardIndex(SHIPPED)
_made_index = once_of(CardIndex)


def index_of(cards: CardSet | None) -> CardIndex:
    """The index of a card set, made once; None is the shipped one."""
    return _SHIPPED_INDEX if cards is None else _made_index(cards)


class OwnCards(Printed, frozen=True):
    """The players' own cards. A deck replaces the shipped deck; a card with an id is added to the shipped ones, or
    replaces the shipped card of that id.
    """

    rule: ClassVar[str] = "ledger 6.11"

    units: tuple[UnitCard, ...] = ()
    war_council: tuple[WarCouncilCard, ...] | None = None
    rounds: tuple[RoundCard, ...] = ()
    legend: tuple[LegendCard, ...] | None = None
    equipment: tuple[EquipmentCard, ...] | None = None
    discussions: tuple[DiscussionCard, ...] = ()
    intrigue: tuple[IntrigueCard, ...] = ()

    def card_set(self) -> CardSet:
        """The cards of the match."""
        return CardSet(
            units=_beside(SHIPPED.units, self.units),
            war_council=SHIPPED.war_council if self.war_council is None else self.war_council,
            rounds=_beside(SHIPPED.rounds, self.rounds),
            legend=SHIPPED.legend if self.legend is None else self.legend,
            equipment=SHIPPED.equipment if self.equipment is None else self.equipment,
            discussions=_beside(SHIPPED.discussions, self.discussions),
            intrigue=_beside(SHIPPED.intrigue, self.intrigue),
        )


AnyCard = TypeVar("AnyCard", bound=Named)


def _beside(shipped: tuple[AnyCard, ...], own: tuple[AnyCard, ...]) -> tuple[AnyCard, ...]:
    names = {card.id for card in own}
    return (*(card for card in shipped if card.id not in names), *own)
