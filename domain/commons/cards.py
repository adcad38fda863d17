"""Cards in hands, piles and decks. They may be hidden from a viewer."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeVar

from domain.kernel import HIDDEN, Hidden

T = TypeVar("T")


def known(value: T | Hidden) -> T:
    """The value, which must not be hidden, because rules and positions work on the whole state."""
    assert not isinstance(value, Hidden), "a rule looked at a hidden value"
    return value


def without(cards: tuple[T, ...] | Hidden, *taken: T | Hidden) -> tuple[T, ...] | Hidden:
    """The cards without the first copy of each card taken; hidden if the cards or any card taken are hidden.

    Raises `ValueError` if a card taken is not among the cards.
    """
    if isinstance(cards, Hidden):
        return HIDDEN
    left = list(cards)
    for card in taken:
        if isinstance(card, Hidden):
            return HIDDEN
        left.remove(card)
    return tuple(left)


def unnamed(all_cards: Mapping[T, int], *named: Iterable[T]) -> tuple[T, ...]:
    """The cards in none of the places `named`, in the order of `all_cards`, which gives the number of each card.

    Raises `ValueError`, which names the card, if a card is named more often than it exists.
    """
    left = Counter(all_cards)
    for cards in named:
        left.subtract(cards)
    for card, number in left.items():
        if number < 0:
            raise ValueError(f"{-number} {card} more than there are")
    return tuple(left.elements())
