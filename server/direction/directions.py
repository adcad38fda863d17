"""The directions of one match: the view that a director chooses for the viewers who see the same as the director."""

import time
from collections.abc import Mapping
from functools import partial
from typing import Final, Generic, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from replay.record import statements
from server.direction.errors import DirectionRefused
from server.direction.statements import About, signed
from server.wire.direction_messages import Direct, Directed, Direction
from server.wire.text import visible

PER_S: Final = 4.0
BURST: Final = 20.0
"""The rate limit of a match's directions, because each is sent to all spectators."""


class ViewerKind(Protocol):
    """A kind of viewer. `label`: its name on the wire."""

    @property
    def label(self) -> str:
        """See `ViewerKind`."""
        ...


V = TypeVar("V", bound=ViewerKind)


class Pointed(Struct, frozen=True):
    """A direction in force, and the time when it was given, in ms since 1970, by the clock of the server that received
    it.
    """

    at: int
    directed: Directed


class Directions(Generic[V]):
    """The directions in force, by kind of viewer (spectators, viewers of open cards).

    A director belongs to those viewers and gets the same messages: those viewers can see everything that the director
    points at. Directions are not stored; after a restart the director's client sends its last direction again.
    """

    def __init__(self, match: str = "", sign: statements.Sign | None = None) -> None:
        """`sign`: signs with the server's key; None without a key."""
        self._match, self._sign = match, sign
        self._present: dict[V, Pointed] = {}
        self._own: set[V] = set()
        """The kinds of viewers whose direction was given here."""
        self._left, self._counted = BURST, time.monotonic()

    def shown_to(self, viewer: V) -> Directed | None:
        """The last direction to a kind of viewer, which may end an earlier one; None if there was none."""
        present = self._present.get(viewer)
        return present.directed if present is not None else None

    def own(self) -> Mapping[V, Pointed]:
        """The directions that were given at this server, for other servers."""
        return {viewer: self._present[viewer] for viewer in self._own}

    def hear(self, viewer: V, told: Pointed, end: int) -> Directed | None:
        """Take the direction of another server, if it is later and points at nothing beyond line `end`."""
        present = self._present.get(viewer)
        lines = told.directed.direction.lines if told.directed.direction is not None else (0,)
        if max(lines) > end or (present is not None and present.at >= told.at):
            return None
        self._present[viewer] = told
        self._own.discard(viewer)
        return told.directed

    def direct(self, viewer: V, name: str, message: Direct, end: int, *, sees_hands: bool) -> Directed:
        """Take a direction; returns the message for the viewers who see the same as the director. Raises
        `DirectionRefused`.

        `end`: the last line that those viewers have. `sees_hands`: whether those viewers see the hands of single seats.
        """
        self._pace()
        told = Directed()
        if message.direction is not None:
            told = Directed(checked(message.direction, end, sees_hands=sees_hands), name)
        former = self._present.get(viewer)
        # The new time is later than the former one, even if the clocks of two servers differ.
        at = max(int(time.time() * 1000), former.at + 1 if former is not None else 0)
        told = signed(told, About(self._match, viewer.label, at), partial(statements.stamped, self._sign))
        self._present[viewer] = Pointed(at, told)
        self._own.add(viewer)
        return told

    def _pace(self) -> None:
        now = time.monotonic()
        self._left = min(BURST, self._left + (now - self._counted) * PER_S)
        self._counted = now
        if self._left < 1:
            raise DirectionRefused("That was too fast; direct again in a second.")
        self._left -= 1


def checked(direction: Direction, end: int, *, sees_hands: bool) -> Direction:
    """A direction that points at nothing beyond line `end`, with its note cleaned for display. Raises
    `DirectionRefused`.
    """
    if max(direction.lines) > end:
        raise DirectionRefused(f"Those who follow have the lines up to {end}; point at one of these.")
    if direction.until and not 0 < direction.line < direction.until:
        raise DirectionRefused("A replay goes from a line to a later one.")
    eyes = {direction.eyes, direction.inset.eyes if direction.inset is not None else None}
    if eyes != {None} and not sees_hands:
        raise DirectionRefused("Those who follow see no hands, so no seat has eyes to look through.")
    return replace(direction, note=visible(direction.note))
