"""Secrets as types: a value that some viewers do not hold, and its audience.

An event declares a secret field together with its audience, which is one seat or the seats of a side:

    order: Annotated[Order | Hidden, Only("seat")] = HIDDEN
    hand: Annotated[Hand | Hidden, Among("seats")] = HIDDEN

A game does not load if a field's type admits `Hidden` but the field names no audience. A record stores the value in a
slot (docs/record.md 2, 3); the public payload never holds it.
"""

from collections.abc import Iterable
from copy import copy
from typing import Annotated, Any, Final, NewType, SupportsIndex, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import force_setattr

Seat = NewType("Seat", int)
Mask = NewType("Mask", int)

NOBODY_MASK: Final = Mask(0)
EVERYBODY: Final = -1
MOST_SEATS: Final = 8
_SEAT_MASKS: Final = {seat: Mask(1 << seat) for seat in range(MOST_SEATS)}
"""A table instead of a shift, because an invalid seat number may be very large."""


class Hidden(Struct, frozen=True, tag="hidden", tag_field="is"):
    """A value that this viewer does not hold. Folding may move it; a part of it, or a sum with it, is hidden too."""

    def __getitem__(self, index: SupportsIndex | slice) -> "Hidden":
        return self

    def __add__(self, other: object) -> "Hidden":
        return self

    def __radd__(self, other: object) -> "Hidden":
        return self

    def __copy__(self) -> "Hidden":
        return self

    def __reduce__(self) -> str:
        return "HIDDEN"

    def __repr__(self) -> str:
        return "HIDDEN"


HIDDEN: Final = Hidden()


class Only(Struct, frozen=True):
    """The audience is the seat named by the event's public field `field`."""

    field: str = "seat"


class Among(Struct, frozen=True):
    """The audience is every seat named by the event's public field `field`, a tuple of seats, as of a side."""

    field: str = "seats"


class Nobody(Struct, frozen=True):
    """No viewer holds the value before the close. Examples are the order of a deck and the stack of procedures."""


Audience = Only | Among | Nobody


class Slot(Struct, frozen=True):
    """One secret field of an event class: its place among the seals, its name, type and audience."""

    number: int
    name: str
    type: Any
    audience: Audience

    def mask(self, event: Struct) -> Mask:
        """The seats that hold the value, as a bit mask (docs/record.md 1). Raises `KeyError` for a value that is not a
        seat.
        """
        if isinstance(self.audience, Only):
            return _SEAT_MASKS[getattr(event, self.audience.field)]
        if isinstance(self.audience, Among):
            return mask_of(getattr(event, self.audience.field))
        return NOBODY_MASK


def mask_of(seats: Iterable[int]) -> Mask:
    """The bits of several seats. Raises `KeyError` for a value that is not a seat."""
    mask = 0
    for seat in seats:
        mask |= _SEAT_MASKS[Seat(seat)]
    return Mask(mask)


def _admits_hidden(hint: object, within: frozenset[type] = frozenset()) -> bool:
    """Whether a value of the type may be hidden, or have a part that may."""
    if hint is Hidden:
        return True
    if isinstance(hint, type) and issubclass(hint, Struct):
        inner = () if hint in within else get_type_hints(hint).values()
        return any(_admits_hidden(part, within | {hint}) for part in inner)
    return any(_admits_hidden(part, within) for part in get_args(hint))


def _audience(hint: object) -> Audience | None:
    return next((mark for mark in getattr(hint, "__metadata__", ()) if isinstance(mark, Only | Among | Nobody)), None)


def slots_of(event: type[Struct]) -> tuple[Slot, ...]:
    """The secret fields of an event class, in field order.

    Raises `TypeError` for a secret field without an audience or without `HIDDEN` as its default, and for one whose
    audience names no public field, or a field that is not one seat (`Only`) or several (`Among`).
    """
    slots: list[Slot] = []
    hints = get_type_hints(event, include_extras=True)
    defaults = dict(zip(reversed(event.__struct_fields__), reversed(event.__struct_defaults__), strict=False))
    public = {name for name in event.__struct_fields__ if _audience(hints[name]) is None}
    for name in event.__struct_fields__:
        hint = hints[name]
        audience = _audience(hint)
        if audience is None and not _admits_hidden(hint):
            continue
        if audience is None:
            raise TypeError(f"{event.__name__}.{name} may be hidden but names no audience")
        if defaults.get(name) is not HIDDEN:
            raise TypeError(f"{event.__name__}.{name} is secret, so its default must be HIDDEN")
        if isinstance(audience, Only | Among):
            if audience.field not in public:
                raise TypeError(f"{event.__name__}.{name} is for {audience.field!r}, which is no public field")
            what, holds = ("one seat", Seat) if isinstance(audience, Only) else ("seats", tuple[Seat, ...])
            if hints[audience.field] != holds:
                raise TypeError(f"{event.__name__}.{name} is for {audience.field!r}, which does not always hold {what}")
        bare = get_args(hint)[0] if get_origin(hint) is Annotated else hint
        slots.append(Slot(len(slots), name, bare, audience))
    return tuple(slots)


def conceal(event: Struct, slots: tuple[Slot, ...], viewer: Mask) -> Struct:
    """The event as a viewer holds it: a slot becomes `HIDDEN` unless the viewer belongs to its audience.

    `viewer` is the viewer's bits; 0 (a spectator) holds no slot. The event itself is returned when nothing changes.
    """
    closed = [slot.name for slot in slots if not slot.mask(event) & viewer]
    if not closed:
        return event
    seen = copy(event)
    for name in closed:
        force_setattr(seen, name, HIDDEN)
    return seen
