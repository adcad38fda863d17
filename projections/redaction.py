"""Redaction: the one path from a record to a viewer, deny by default (docs/record.md 3).

A viewer starts with nothing. Everybody receives the public lines; a viewer receives only the openings whose audience
includes it. The view is the game's own fold over the events sent to the viewer, so a view cannot hold anything else.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from domain.kernel import Mask, Seat

SEAT_BITS: Final = 8
"""Bits 0 to 7 of an audience are seats (docs/record.md 1)."""

Opening = tuple[int, str]
"""A slot's number and its value as JSON text."""

Item = tuple[str, tuple[Opening, ...]]
"""A line as a viewer receives it: its text and the viewer's openings. JSON: [line, [[slot, value]]]."""


class Viewer(Struct, frozen=True):
    """A viewer: a seat, or a spectator (None), who holds no secret.

    `sees_hands`: a spectator of open cards. It holds everything that any seat holds, but nothing that no seat holds,
    and only of lines that are old enough. Raises `ValueError` for a seat that no audience could name.
    """

    seat: Seat | None = None
    sees_hands: bool = False

    def __post_init__(self) -> None:
        if self.seat is not None and not 0 <= self.seat < SEAT_BITS:
            raise ValueError(f"seat {self.seat} is not 0 to {SEAT_BITS - 1}")

    @property
    def mask(self) -> Mask:
        """The bits of the audiences the viewer belongs to."""
        if self.sees_hands:
            return Mask((1 << SEAT_BITS) - 1)
        return Mask(0 if self.seat is None else 1 << self.seat)

    @property
    def label(self) -> str:
        """The viewer's name in links and logs: `seat0`, `spectator` or `open`."""
        if self.sees_hands:
            return "open"
        return "spectator" if self.seat is None else f"seat{self.seat}"


SPECTATOR: Final = Viewer()
OPEN: Final = Viewer(sees_hands=True)
"""A spectator of open cards (docs/protocol.md, Open cards)."""


def audiences_with(seat: Seat, seats: int) -> tuple[Mask, ...]:
    """Every audience that a seat may belong to in a match with this number of seats, its own audience first."""
    own = 1 << seat
    return (Mask(own), *(Mask(mask) for mask in range(1 << seats) if mask & own and mask != own))


def openings_for(masks: Sequence[int], openings: Sequence[bytes], viewer: Viewer) -> tuple[tuple[int, bytes], ...]:
    """The (slot, value) pairs of a line that the viewer holds.

    `masks` are the audiences of the line's seals, `openings` the values of all its slots, both in slot order. Raises
    `ValueError` if they differ in number, because a wrong slot would be worse than no line.
    """
    bits = viewer.mask
    places = enumerate(zip(masks, openings, strict=True))
    return tuple([(slot, value) for slot, (audience, value) in places if audience & bits])


def item(line: bytes, masks: Sequence[int], openings: Sequence[bytes], viewer: Viewer) -> Item:
    """A line as it is sent to the viewer."""
    held = openings_for(masks, openings, viewer) if openings or masks else ()
    return line.decode(), tuple((slot, value.decode()) for slot, value in held)
