"""The options of a match: cards and decks of the players' own, and the last turn (DL-Q60)."""

from msgspec import Struct

from domain.disciples_legacy.cards.cards import CardSet, Deck


class Options(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The options that both players agreed on before the match.

    `turn_limit`: the turn after which the stronger side wins (DL-Q60), 1 to 60; games last about 5 turns (DL-238).
    `armies`: decks of the players' own, each an Army Deck with its Reserves Deck, offered besides the ready ones;
    `cards`: a card set of their own, None for the shipped one.
    """

    turn_limit: int = 20
    armies: tuple[Deck, ...] = ()
    cards: CardSet | None = None

    def defects(self) -> list[str]:
        """Options with which no match can begin, as sentences; empty when all is well."""
        return [] if 1 <= self.turn_limit <= 60 else ["turn_limit: from 1 to 60 (DL-Q60)"]
