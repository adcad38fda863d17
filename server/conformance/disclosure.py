"""Public disclosures of hidden facts, game by game: the field of an event, and the rule that publishes it.

A game lists them in a module `disclosure` with its tests. Facts that are opened to a seat need no entry. A public field
that is not named is the same in every world that a viewer cannot distinguish, and so are the events and their order.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.json import encode

from domain.kernel import Event
from domain.kernel.secret import Slot

Slots = Mapping[type[Event], tuple[Slot, ...]]
Fields = Mapping[str, str]


class Disclosure(Struct, frozen=True):
    """`fields`: by event and public field, the rule by which it shows something hidden.

    `instead`: `A/B` (by name), the rule that allows A in one world and B in another; `A`, the same if the match ends in
    the other world. `chosen`: `event.field`, or `A/B`, in which a seat shows its choice, if the choice also decides
    something that it hides: for example which Unit returns its face-down order. Such a field does not differ between
    two worlds.
    """

    fields: Mapping[str, Fields] = {}
    instead: Fields = {}
    chosen: Fields = {}


TOLD_BY_NONE: Final = Disclosure()
"""The disclosure of a game that shows nothing hidden in public."""


_TOLD: Final[dict[str, Disclosure]] = {}


def tell(game: str, disclosure: Disclosure) -> None:
    """Read a game's own declaration."""
    _TOLD[game] = disclosure


def disclosure_of(name: str) -> Disclosure:
    """The disclosures of a game; without one, nothing may differ."""
    return _TOLD.get(name, TOLD_BY_NONE)


def differing(real: Event, other: Event, slots: Slots) -> Iterator[str]:
    """The public fields by which two events of a kind differ."""
    secret = {slot.name for slot in slots[type(real)]}
    for name in real.__struct_fields__:
        if name not in secret and encode(getattr(real, name)) != encode(getattr(other, name)):
            yield name


def happening(events: Sequence[Event]) -> str:
    """The events at one place in two worlds, in the form of `Disclosure.instead`."""
    return "/".join(sorted({type(event).__name__ for event in events}))


def untold(disclosure: Disclosure, pair: Sequence[Event], slots: Slots) -> Iterator[str]:
    """Differences at one place of two worlds that no rule publishes, each as `event.field` or `A/B`."""
    if len(pair) < 2 or type(pair[0]) is not type(pair[1]):
        if happening(pair) not in disclosure.instead:
            yield happening(pair)
        return
    kind = type(pair[0]).__name__
    for name in differing(pair[0], pair[1], slots):
        if name not in disclosure.fields.get(kind, {}):
            yield f"{kind}.{name}"


def misnamed(disclosure: Disclosure, events: Mapping[str, type[Event]], slots: Slots) -> Iterator[str]:
    """Names in a game's disclosures that the game does not have, or that are secret anyway."""
    for kind, fields in disclosure.fields.items():
        known = set(events[kind].__struct_fields__) - {s.name for s in slots[events[kind]]} if kind in events else set()
        yield from (f"{kind}.{name}" for name in fields if name not in known)
    for what in (*disclosure.instead, *disclosure.chosen):
        kind, _, name = what.partition(".")
        if not set(kind.split("/")) <= set(events) or (name and name not in events[kind].__struct_fields__):
            yield what
