"""Sends the messages of one match to everybody who watches at a relay, a few viewers at a time.

The viewers form a ring, and each in turn gets all messages that it has not had. If a message arrives while another is
being sent, viewers who have yet to be served get both messages in one write. Nobody therefore waits longer than one
round takes. In between, the relay reads its origin's messages and serves its other matches.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, Generic, Protocol, TypeVar

from server.errors import place_of

LOG = logging.getLogger(__name__)
PORTION: Final = 100
"""The number of viewers served in a row, which takes one to two milliseconds."""


class Receiver(Protocol):
    """A connection to which frames are sent; see `Outbox`. `seq`: the last line that was sent to it."""

    seq: int

    def send_all(self, frames: Sequence[str], seq: int = 0) -> None:
        """Send frames soon, without waiting; `seq` is the last line in the frames, 0 if they have no lines."""
        ...


R = TypeVar("R", bound=Receiver)


class _Piece(Generic[R]):
    """A message. `due`: the visit by which everybody has had the message."""

    __slots__ = ("due", "frame", "seq")

    def __init__(self, frame: Callable[[R], str], seq: int, due: int) -> None:
        self.frame, self.seq, self.due = frame, seq, due


class _Place(Generic[R]):
    """A viewer in the ring. `next`: the number of the first message that the receiver has not had."""

    __slots__ = ("next", "receiver")

    def __init__(self, receiver: R, following: int) -> None:
        self.receiver, self.next = receiver, following


class FanOut(Generic[R]):
    """Sends each message once to every receiver that was present when the message arrived, in the order of arrival."""

    def __init__(self, portion: int = PORTION) -> None:
        """`portion`: the number of viewers served in a row."""
        self._portion = portion
        self._ring: deque[_Place[R]] = deque()
        self._places: dict[R, _Place[R]] = {}
        self._pieces: deque[_Piece[R]] = deque()
        self._first = self._visits = self._left = 0
        """The number of the first stored message; the visits so far; the visits until everybody has had everything."""
        self._round: asyncio.Task[None] | None = None

    def enter(self, receiver: R) -> None:
        """Send all messages from now on to a receiver."""
        place = self._places[receiver] = _Place(receiver, self._end)
        self._ring.append(place)

    def leave(self, receiver: R) -> None:
        """Stop sending messages to a receiver."""
        place = self._places.pop(receiver, None)
        if place is not None:
            self._ring.remove(place)

    def tell(self, frame: Callable[[R], str], seq: int = 0) -> None:
        """Send a message soon. `frame`: the receiver's form of the message, "" for nothing; `seq`: the last
        line in it.
        """
        if not self._ring:
            return
        self._left = len(self._ring)
        self._pieces.append(_Piece(frame, seq, self._visits + self._left))
        if self._round is None or self._round.done():
            self._round = asyncio.get_running_loop().create_task(self._go_round())

    def tell_now(self, receiver: R) -> None:
        """Send a receiver, before its turn, the messages that it has not had yet."""
        place = self._places.get(receiver)
        if place is not None:
            self._visit(place)

    def skip(self, receiver: R) -> None:
        """Note that a receiver has already received everything up to now by other means."""
        place = self._places.get(receiver)
        if place is not None:
            place.next = self._end

    @property
    def waiting(self) -> int:
        """Messages that some receiver may not have had yet."""
        return len(self._pieces)

    @property
    def _end(self) -> int:
        return self._first + len(self._pieces)

    async def _go_round(self) -> None:
        while self._left > 0 and self._ring:
            for _ in range(min(self._portion, self._left, len(self._ring))):
                place = self._ring[0]
                self._ring.rotate(-1)
                self._visits += 1
                self._left -= 1
                self._visit(place)
            while self._pieces and self._pieces[0].due <= self._visits:
                self._pieces.popleft()
                self._first += 1
            await asyncio.sleep(0)
        self._first = self._end
        self._pieces.clear()

    def _visit(self, place: _Place[R]) -> None:
        receiver, end, seq = place.receiver, self._end, 0
        frames: list[str] = []
        for number in range(max(place.next, self._first) - self._first, len(self._pieces)):
            piece = self._pieces[number]
            # Viewers may have had lines before their turn, on request or while catching up.
            if piece.seq and piece.seq <= receiver.seq:
                continue
            try:
                frame = piece.frame(receiver)
            except Exception as wrong:
                LOG.error("a message has no form for a viewer: %s", place_of(wrong))
                continue
            if frame:
                frames.append(frame)
                seq = piece.seq or seq
        place.next = end
        if frames:
            receiver.send_all(frames, seq)
