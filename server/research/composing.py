"""Choices put together from small ones, so that any form is answered by numbers below one bound.

A wide form (orders on eight Units, a deployment) has more choices than can be listed. The same seat answers in small
steps; nobody else sees any before the last. Therefore no step reveals more than the choice itself does.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from msgspec import Struct

from domain.kernel import AnyForm, Assign, Choice, Formation, One, Pick
from domain.kernel.form import Pairs
from domain.kernel.state import plain

WIDTH: Final = 128
"""The number of options at a time; if there are more, first a group of them is chosen."""
STOP: Final = {"do": "stop"}
"""The option by which a seat takes no more."""


class NumberedOption(Struct, frozen=True):
    """One of the numbers: its meaning, as data, and its result: the next step, or a whole choice."""

    data: Any
    then: "Callable[[], OptionStep | Choice]"


class OptionStep(Struct, frozen=True):
    """The next options, by number from 0; at most `WIDTH`."""

    options: tuple[NumberedOption, ...]


def steps_to(form: AnyForm) -> OptionStep:
    """The first step to a choice of the form. Every way leads to a legal choice, and every listed one is reached."""
    begun = _begun(form)
    return begun if isinstance(begun, OptionStep) else OptionStep((_whole(begun),))


def _whole(choice: Choice) -> NumberedOption:
    return NumberedOption(plain(choice), lambda: choice)


def _begun(form: AnyForm) -> OptionStep | Choice:
    match form:
        case One(choices):
            return _narrow([_whole(choice) for choice in choices])
        case Pick():
            return _picking(form, ())
        case Assign():
            return _assigning(form, ())
        case Formation():
            return _forming(form, (), 0)


def _narrow(options: Sequence[NumberedOption]) -> OptionStep:
    """All options, or groups of them to choose from first."""
    if len(options) <= WIDTH:
        return OptionStep(tuple(options))
    size = WIDTH
    while size * WIDTH < len(options):
        size *= WIDTH
    parts = [options[first : first + size] for first in range(0, len(options), size)]
    return OptionStep(
        tuple(
            NumberedOption({"do": "part", "first": part[0].data, "last": part[-1].data}, partial(_narrow, part))
            for part in parts
        )
    )


def _picking(form: Pick, picked: tuple[str, ...]) -> OptionStep | Choice:
    """One more item, or no more if enough are picked."""
    if len(picked) == form.most:
        return _picked(form, picked)
    stop = [NumberedOption(STOP, partial(_picked, form, picked))] if len(picked) >= form.least else []
    left = [item for item in form.items if item not in picked]
    return _narrow(
        [*stop, *(NumberedOption({"item": item}, partial(_picking, form, (*picked, item))) for item in left)]
    )


def _picked(form: Pick, picked: tuple[str, ...]) -> Choice:
    return form.make(picked if form.ordered else tuple(item for item in form.items if item in picked))


def _assigning(form: Assign, placed: tuple[str, ...]) -> OptionStep | Choice:
    """An item for the next slot."""
    if len(placed) == len(form.slots):
        return form.make(placed)
    slot = form.slots[len(placed)]
    left = [item for item, copies in form.stock.items() if placed.count(item) < copies]
    return _narrow(
        [NumberedOption({"item": item, "slot": slot}, partial(_assigning, form, (*placed, item))) for item in left]
    )


def _forming(form: Formation, pairs: Pairs, number: int) -> OptionStep | Choice:
    """A place for the next piece, or none."""
    if number == len(form.allowed):
        return form.make(pairs)
    piece = tuple(form.allowed)[number]
    options = [
        NumberedOption(
            {"item": piece, "slot": onward[-1][1] if len(onward) > len(pairs) else ""},
            partial(_forming, form, onward, number + 1),
        )
        for onward in form.onward(pairs, number)
    ]
    return _narrow(options)
