"""The connections of a match by viewer, and the presence that is sent to everybody."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol

from msgspec.structs import replace

from domain.kernel import Seat
from projections.redaction import OPEN, SPECTATOR, Viewer
from server.table.guests import DIRECTED, Guest
from server.table.shared_presence import Elsewhere, ServerPresence
from server.wire.protocol import Accepted, ChatLine, Presence

NAMES: Final = 20
"""The number of spectators whose names are sent; the others are counted."""


class Listener(Protocol):
    """A connection that watches the match. `who` is its name in chat, `name` the name that it gives itself.

    `device`: the name that the device gives itself; "" if it gives none.
    """

    guest: Guest
    wants_scenes: bool
    language: str
    who: str
    name: str
    device: str

    def send(self, frame: str, seq: int = 0) -> None:
        """Send soon; never waits. `seq` is the last line in the frame, 0 if the frame has no lines."""
        ...

    def hear(self, line: ChatLine, frame: str) -> None:
        """Send a line of chat as its frame, unless its speaker is muted."""
        ...

    def dismiss(self, code: int) -> None:
        """Close soon with a code."""
        ...


class Asker(Protocol):
    """The connection that sent a choice: it gets the commit and the acceptance of the choice in one write."""

    def hold(self) -> None:
        """Hold back frames until the next answer."""
        ...

    def accept(self, accepted: Accepted) -> None:
        """Send the frames that were held back, and the acceptance of the choice."""
        ...


class Connections:
    """The listeners of one match.

    `shared`: the number of tokens that each seat gave to casters, and to directors (`DIRECTED`).

    `thinking`: the seats of bots that have been thinking for a while.
    """

    def __init__(self, shared: Iterable[int]) -> None:
        self.groups: dict[Viewer, list[Listener]] = {}
        self.shared: dict[int, int] = {}
        for seat in shared:
            self.share(seat)
        self.thinking: set[int] = set()
        self._coming: set[int] = set()
        self.told = Presence((), 0)
        self.elsewhere: Elsewhere = {}
        self._entered = 0
        """The number of connections so far; chat distinguishes speakers without a seat by it."""

    def count_from(self, number: int) -> None:
        """Number new connections from this number on, so that no two servers give the same name in chat."""
        self._entered = number

    def __bool__(self) -> bool:
        return any(self.groups.values())

    def __iter__(self) -> Iterator[Listener]:
        for group in self.groups.values():
            yield from group

    def seeing_as(self, viewer: Viewer) -> list[Listener]:
        """The connections of one audience."""
        return self.groups.get(viewer, [])

    def enter(self, listener: Listener) -> None:
        """Add a connection to those that watch; returns its name in chat."""
        self._entered += 1
        guest = listener.guest
        listener.who = f"seat{guest.viewer.seat}" if guest.role == "seat" else f"{guest.role[0]}{self._entered}"
        self.groups.setdefault(guest.viewer, []).append(listener)

    def leave(self, listener: Listener) -> None:
        """Remove a connection from those that watch."""
        group = self.seeing_as(listener.guest.viewer)
        if listener in group:
            group.remove(listener)

    @contextmanager
    def coming(self, seat: int) -> Iterator[None]:
        """A context in which a person sits down and is about to enter, so that the seat needs no reminder."""
        self._coming.add(seat)
        try:
            yield
        finally:
            self._coming.discard(seat)

    def attentive(self) -> tuple[int, ...]:
        """The seats that need no reminder: they are connected, or about to enter."""
        return tuple(sorted({*self.presence().seats, *self._coming}))

    def tell(self) -> Presence:
        """The presence at this moment, which from now on counts as the last presence sent."""
        self.told = self.presence()
        return self.told

    def take_in(self, elsewhere: Elsewhere) -> Elsewhere:
        """Apply the presence that other servers report; returns their earlier report."""
        before, self.elsewhere = self.elsewhere, elsewhere
        return before

    def renew(self, listener: Listener, held: bytes) -> None:
        """Let the listener hold its seat by another token from now on; `held`: the new token's hash."""
        listener.guest = replace(listener.guest, held=held)

    def share_anew(self, seats: Iterable[int]) -> None:
        """Count all existing casters' tokens, by seat."""
        self.shared = dict(Counter(seats))

    def share(self, seat: int) -> None:
        """Count one more caster's token of the seat."""
        self.shared[seat] = self.shared.get(seat, 0) + 1

    def take_back(self, seat: int) -> None:
        """Uncount a token that was not given after all."""
        self.shared[seat] -= 1
        if not self.shared[seat]:
            del self.shared[seat]

    def unshare(self, seat: int) -> None:
        """Forget the seat's sharing of its view, or its directors, and close the connections that used these tokens."""
        self.shared.pop(seat, None)
        for listener in list(self):
            if listener.guest.grant == seat:
                listener.dismiss(4010)

    def here(self) -> ServerPresence:
        """The presence computed from the connections at this server."""
        spectators = [*self.seeing_as(SPECTATOR), *self.seeing_as(OPEN)]
        roles = [(listener.guest.role, listener.guest.viewer.seat) for listener in self]
        seats = {seat for role, seat in roles if role == "seat" and seat is not None}
        casters = sum(role == "caster" for role, _ in roles)
        names = tuple(sorted(listener.name for listener in spectators if listener.name)[:NAMES])
        here = ServerPresence(tuple(sorted(seats)), len(spectators), casters, names, tuple(sorted(self.thinking)))
        return replace(here, devices={seat: self._devices_here(seat) for seat in sorted(seats)})

    def _devices_here(self, seat: int) -> tuple[str, ...]:
        holders = [one for one in self.seeing_as(Viewer(Seat(seat))) if one.guest.role == "seat"]
        return tuple(sorted({one.device or f"#{id(one)}" for one in holders}))

    def devices_of(self, seat: int) -> int:
        """The number of devices on which a seat is open, at all servers."""
        there = {one for each in self.elsewhere.values() for one in each.devices.get(seat, ())}
        return len({*self._devices_here(seat), *there})

    def presence(self) -> Presence:
        """The connected seats, the number of spectators, and the names of spectators who give one, at all servers."""
        here, shared = self.here(), tuple(sorted(seat for seat in self.shared if seat < DIRECTED))
        directed = tuple(sorted(number - DIRECTED for number in self.shared if number >= DIRECTED))
        if not self.elsewhere:
            return Presence(here.seats, here.spectators, here.casters, shared, here.names, here.thinking, directed)
        there = [here, *self.elsewhere.values()]
        return Presence(
            tuple(sorted({seat for each in there for seat in each.seats})),
            sum(each.spectators for each in there),
            sum(each.casters for each in there),
            shared,
            tuple(sorted(name for each in there for name in each.names)[:NAMES]),
            tuple(sorted({seat for each in there for seat in each.thinking})),
            directed,
        )
