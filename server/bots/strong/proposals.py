"""Choices worth trying: all choices if there are few; otherwise the policy's choice, its neighbours, and samples."""

from collections.abc import Iterable
from itertools import islice
from typing import Final

from domain.kernel import AnyForm, Assign, Below, Choice, Formation, Pick

TRIES: Final = 6
"""The number of attempts for each wanted choice: a neighbour or a sample is often in the list already."""


def proposals(form: AnyForm, suggested: list[Choice], most: int, below: Below) -> list[Choice]:
    """Up to `most` different choices of the form, the suggested ones first."""
    found = different(suggested, most)
    listed = list(islice(form, most + 1))
    if len(listed) <= most:
        return [*found, *(choice for choice in listed if choice not in found)]
    for _ in range(TRIES * most):
        if len(found) >= most:
            break
        near = neighbour(form, found[below(len(found))], below) if below(2) else None
        choice = near if near is not None else form.sample(below)
        if choice not in found:
            found.append(choice)
    return found


def neighbour(form: AnyForm, choice: Choice, below: Below) -> Choice | None:
    """A choice that differs from another in one item, or by an exchange of two items; None if there is none."""
    if not choice.__struct_fields__:
        return None
    parts = getattr(choice, choice.__struct_fields__[0])
    if not isinstance(parts, tuple) or not parts:
        return None
    match form:
        case Assign():
            changed = _reassigned(form, list(parts), below)
        case Pick():
            changed = _picked(form, list(parts), below)
        case Formation():
            return _moved(form, parts, below)
        case _:
            return None
    made = form.make(tuple(changed))
    return None if form.check(made) else made


def _reassigned(form: Assign, items: list[str], below: Below) -> list[str]:
    """Exchange the items of two slots, or give one slot another item from the stock."""
    one, other = below(len(items)), below(len(items))
    left = [item for item, copies in form.stock.items() if copies > items.count(item)]
    if left and below(2):
        items[one] = left[below(len(left))]
    else:
        items[one], items[other] = items[other], items[one]
    return items


def _picked(form: Pick, items: list[str], below: Below) -> list[str]:
    """Leave one item out, or put another in its place."""
    others = [item for item in form.items if item not in items]
    at = below(len(items))
    if others:
        items[at] = others[below(len(others))]
    else:
        del items[at]
    return items if form.ordered else [item for item in form.items if item in items]


def _moved(form: Formation, pairs: tuple[tuple[str, str], ...], below: Below) -> Choice | None:
    """Move a piece to another place; the piece there goes to the first piece's place."""
    at = below(len(pairs))
    piece, place = pairs[at]
    to = form.allowed[piece][below(len(form.allowed[piece]))]
    swapped = tuple(_settled(pair, piece, place, to) for pair in pairs)
    made = form.make(swapped)
    return None if form.check(made) else made


def _settled(pair: tuple[str, str], piece: str, place: str, to: str) -> tuple[str, str]:
    if pair[0] == piece:
        return piece, to
    return (pair[0], place) if pair[1] == to else pair


def different(choices: Iterable[Choice], most: int) -> list[Choice]:
    """The first different choices, up to this number; some choices hold values without a hash, such as an army."""
    found: list[Choice] = []
    for choice in choices:
        if choice not in found and len(found) < most:
            found.append(choice)
    return found
