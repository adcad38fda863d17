"""Cards in hands, piles and decks, which a viewer may not hold."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeVar

from domain.kernel import HIDDEN, Hidden

T = TypeVar("T")


def known(value: T | Hidden) -> T:
    """The value, which must not be hidden: rules and positions play with the whole state."""
    assert not isinstance(value, Hidden), "a rule looked at a hidden value"
    return value


def without(cards: tuple[T, ...] | Hidden, *taken: T | Hidden) -> tuple[T, ...] | Hidden:
    """The cards less those taken, each once, the first of its kind; hidden where the cards or one taken are.

    Raises `ValueError` for a card that is not among them.
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
    """The cards that are in none of the other places, in their order; `all_cards` says how many of each there are.

    Raises `ValueError` that says which card is named more often than there are.
    """
    left = Counter(all_cards)
    for cards in named:
        left.subtract(cards)
    for card, number in left.items():
        if number < 0:
            raise ValueError(f"{-number} {card} more than there are")
    return tuple(left.elements())
