"""The view of each viewer of one match: Scenes, lines and seats, up to the viewer's visible head."""

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence
from functools import reduce
from typing import Generic, TypeVar

from domain.kernel import Mask, State
from projections.face import Face
from projections.languages import ENGLISH
from projections.redaction import Viewer, audiences_with
from replay.errors import RecordInvalid
from replay.record import sealing
from replay.record.referee import Referee, read_event
from replay.store.log import Entry, Log
from server.operations.bounds import BOUNDS, Bounds
from server.table.audience import Audience, SplitLine, split_lines, told_lines
from server.table.frame_times import NO_TIMES, FrameTimes
from server.table.seats import Seats
from server.table.table_state import TableState
from server.table.visible_head import VisibleHead
from server.wire.protocol import Events, HeadInfo, SeatInfo, write_message

S = TypeVar("S", bound=State)


class ViewAnswers(Generic[S]):
    """Answers viewers' requests. `audiences`: the folded views that are in memory."""

    def __init__(
        self,
        face: Face[S],
        store: Log,
        referee: Referee[S],
        visible_head: VisibleHead[S],
        seats: Seats,
        table_state: TableState[S],
        bounds: Bounds = BOUNDS,
    ) -> None:
        self._face, self._store, self._referee = face, store, referee
        self._visible_head, self._seats, self._table_state = visible_head, seats, table_state
        self._bounds = bounds
        self.audiences: dict[Viewer, Audience[S]] = {}

    async def audience(self, viewer: Viewer) -> Audience[S]:
        """The audience of a viewer, folded from the record when it is not in memory.

        It is folded up to the end of the viewer's record at that moment, including lines written during the read.
        """
        entries: list[Entry] = []
        while (found := self.audiences.get(viewer)) is None:
            end = self._visible_head.seq_for(viewer)
            if len(entries) < end:
                entries += await self._read(len(entries), end)
                continue
            events = [read_event(self._face.game, entry) for entry in entries[:end]]
            self.audiences[viewer] = Audience(self._face, viewer, events, self._seats.explains, self._referee.salt)
        return found

    async def _read(self, after: int, end: int) -> list[Entry]:
        """The lines after one number up to another, or at least the first few of them.

        Raises `RecordInvalid` if there are none.
        """
        entries = await asyncio.to_thread(self._store.read, self._referee.match, after, end - after)
        if not entries:
            raise RecordInvalid(f"the record ends here, {end} lines were written", after)
        return entries

    def snapshot(self, viewer: Viewer, language: str = ENGLISH) -> str:
        """The Scene of a viewer as a frame; the viewer's audience is in memory."""
        end = self._visible_head.end_for(viewer)
        return self.audiences[viewer].snapshot(end.seq, sealing.unb64(end.hash), self.times_for(viewer), language)

    def times_for(self, viewer: Viewer) -> FrameTimes:
        """The clocks and the table state; delayed spectators do not get them."""
        return NO_TIMES if self._visible_head.is_behind(viewer) else self._table_state.times()

    async def lines_since(self, viewer: Viewer, since: int) -> AsyncGenerator[tuple[str, int], None]:
        """Frames with the lines after `since` and the last line of each, from the durable record, at any depth.

        Each frame states the chain's head after its last line, so that a reader can check one portion after another.
        After the last frame, the viewer has everything that it may see at that moment.
        """
        after = min(since, self._visible_head.seq_for(viewer))
        chain = await self._head_at(after) if after < self._visible_head.seq_for(viewer) else b""
        while after < self._visible_head.seq_for(viewer):
            entries = await self._read(after, min(after + self._bounds.frame_lines, self._visible_head.seq_for(viewer)))
            head = self._visible_head.end_for(viewer)
            for some in _portions(entries, self._bounds.frame_bytes):
                after, chain = some[-1].seq, reduce(sealing.link, (entry.line for entry in some), chain)
                end = head if after == head.seq else HeadInfo(after, sealing.b64(chain))
                yield write_message(self.message(split_lines(some), viewer, end)), after

    def message(
        self, told: Sequence[SplitLine], viewer: Viewer, head: HeadInfo, times: FrameTimes = NO_TIMES
    ) -> Events:
        """The message that sends lines to a viewer; its head is the head after the last line."""
        return told_lines(told, viewer, head, times, self._referee.salt)

    async def _head_at(self, seq: int) -> bytes:
        """The chain's head after a line; for an old line, it is computed again from the record."""
        match = self._referee.match
        genesis = sealing.genesis(sealing.unb64(match))
        known = self._referee.head_at(seq) if seq else genesis
        if known is not None:
            return known
        return await asyncio.to_thread(self._chained, genesis, seq)

    def _chained(self, genesis: bytes, seq: int) -> bytes:
        return reduce(sealing.link, (entry.line for entry in self._store.read(self._referee.match, limit=seq)), genesis)

    def seats(self, viewer: Viewer) -> tuple[SeatInfo, ...]:
        """The holders of the seats, as far as a viewer may know."""
        return self._seats.infos(self._referee.state.players, self._visible_head.seq_for(viewer))

    def keys_of(self, viewer: Viewer) -> dict[str, str]:
        """The audience keys that a viewer may have, by mask."""
        if not viewer.mask:
            return {}
        referee = self._referee
        audiences: tuple[Mask, ...] = (viewer.mask,)
        if viewer.seat is not None and referee.game.has_shared_secrets:
            # It is not yet known which secrets several seats will share; a key opens nothing that is not sent.
            audiences = audiences_with(viewer.seat, len(referee.state.players))
        root, mid = referee.keys.k_m, sealing.unb64(referee.match)
        return {str(int(mask)): sealing.b64(sealing.audience_key(root, mid, mask)) for mask in audiences}


def _portions(entries: Sequence[Entry], most: int) -> Iterator[list[Entry]]:
    """Entries in order, in portions of at most this many bytes of lines."""
    some: list[Entry] = []
    size = 0
    for entry in entries:
        if some and size + len(entry.line) > most:
            yield some
            some, size = [], 0
        some.append(entry)
        size += len(entry.line) + sum(map(len, entry.openings))
    if some:
        yield some
