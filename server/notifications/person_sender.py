"""Notifies persons over their channels that it is their move: the first server that looks sends each notice once.

A server claims a due channel for two minutes, sends its notices, and then releases it together with a note of the moves
it reported. If a server is killed in between, the next server sends the notices at most once more, under the same id.
"""

import asyncio
import hashlib
import logging
from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from replay.errors import RecordError
from replay.store.side_tables.notices import NOTHING, ChannelRow, WaitRow
from replay.store.store import Store
from server.errors import place_of
from server.notifications.channel_posts import ChannelPosts
from server.notifications.mail import FAILED, GONE
from server.notifications.own_moves import OwnMove, own_moves
from server.notifications.quiet import Quiet, read_quiet
from server.operations.intervals import INTERVALS, Intervals
from server.webhooks.delivery import Notice

LOG = logging.getLogger(__name__)
CLOSE_S: Final = 5.0
"""How long a server that stops waits for the channels that it has claimed."""
TAKEN: Final = 100
AT_ONCE: Final = 8
DELAYS_MS: Final = (60_000, 300_000, 1_800_000, 7_200_000, 28_800_000)
"""The pauses before a channel that failed is tried again; after the last one, it waits for the next move."""
FORGOTTEN: Final = 20
"""A channel that has failed this many times in a row is forgotten."""


class PersonSender:
    """Notes moves for persons, and notifies them. `now`: the time in ms."""

    def __init__(
        self, store: Store, posts: ChannelPosts, now: Callable[[], int], intervals: Intervals = INTERVALS
    ) -> None:
        self._intervals = intervals
        self._store, self._posts, self._now = store, posts, now
        self._woken = asyncio.Event()
        self._is_closing = False
        self._looking: asyncio.Task[None] | None = None
        self._at_once = asyncio.Semaphore(AT_ONCE)

    def __bool__(self) -> bool:
        """Whether any person can be notified at all."""
        return bool(self._posts)

    def note(self, match: str, notices: Sequence[Notice]) -> None:
        """Note the news of a match for the persons of its seats. It waits for the store. Raises `StoreFailed`."""
        if not self:
            return
        if any(notice.event == "result" for notice in notices):
            self._store.notices.settle(match)
            return
        moves = {notice.seat: notice for notice in notices if notice.seat is not None}
        holders = self._store.people.at(match) if moves else []
        for seat, notice in moves.items():
            persons = {row.person for row in holders if row.seat == seat}
            at = self._now()
            wait = WaitRow(match, seat, notice.decision, notice.title, at, notice.due_ms)
            self._store.notices.wait(persons, wait, at)

    def wake(self) -> None:
        """Look for due channels at once."""
        self._woken.set()

    def begin(self) -> None:
        """Send notices over due channels, from now on."""
        if self:
            self._looking = self._looking or asyncio.get_running_loop().create_task(self._look_on())

    async def _look_on(self) -> None:
        while not self._is_closing:
            try:
                async with asyncio.timeout(self._intervals.look_s):
                    await self._woken.wait()
            except TimeoutError:
                pass
            self._woken.clear()
            try:
                await self.look()
            except RecordError as wrong:
                LOG.warning("what persons are to be told cannot be read: %s", place_of(wrong))
            except Exception as wrong:
                LOG.error("what persons are to be told cannot be told: %s", place_of(wrong))

    async def look(self) -> None:
        """Send notices over every channel that is due. Raises `StoreFailed`."""
        rows = await asyncio.to_thread(self._store.notices.due, self._now(), TAKEN)
        await asyncio.gather(*map(self._told, rows))

    async def _told(self, row: ChannelRow) -> None:
        async with self._at_once:
            if self._is_closing:
                return
            try:
                at = self._now()
                taken = await asyncio.to_thread(self._store.notices.take, row, at, at + self._intervals.taken_ms)
                if taken is not None:
                    await self._tell(taken, at)
            except RecordError as wrong:
                LOG.warning("what a person was told may be told once more: %s", place_of(wrong))

    async def _tell(self, row: ChannelRow, at: int) -> None:
        quiet, live, stale = await asyncio.to_thread(self._read, row)
        fresh = [own for own in live if not own.wait.told]
        if not fresh:
            await self._end(replace(row, due=NOTHING), at, [], stale)
            return
        since = min(own.wait.at for own in fresh)
        when = self._when(row, quiet, at, since)
        if when > at:
            await self._end(replace(row, due=when), when, [], stale)
            return
        shown = fresh if row.kind == "hook" else live
        status, told = await self._posts.tell(row, quiet, shown, _name(row, fresh))
        if status == GONE or (status == FAILED and row.tries + 1 >= FORGOTTEN):
            await asyncio.to_thread(self._store.notices.drop, row.person, row.channel, row.added)
            return
        ended = [own.wait for own in told if not own.wait.told]
        if ended:
            row = replace(row, sent=at, tries=0)
        if status != FAILED:
            await self._end(replace(row, due=NOTHING), self._now(), ended, stale)
        elif row.tries < len(DELAYS_MS):
            again = replace(row, due=at + DELAYS_MS[row.tries], tries=row.tries + 1)
            await self._end(again, again.due, ended, stale)
        else:
            await self._end(replace(row, due=NOTHING, tries=row.tries + 1), self._now(), [o.wait for o in fresh], stale)

    def _when(self, row: ChannelRow, quiet: Quiet, at: int, since: int) -> int:
        """The earliest time at which a channel may report a move that has waited since a time: mail comes later,
        because most moves are made sooner.
        """
        if row.kind != "mail":
            return quiet.free_at(at)
        return quiet.mail_at(max(at, since + self._intervals.mail_ms), row.sent)

    def _read(self, row: ChannelRow) -> tuple[Quiet, list[OwnMove], list[WaitRow]]:
        quiet = read_quiet(self._store.notices.quiet(row.person))
        live, stale = own_moves(self._store, row.person, self._store.notices.waits(row.person, row.channel))
        return quiet, live, stale

    async def _end(self, row: ChannelRow, at: int, told: Sequence[WaitRow], stale: Sequence[WaitRow]) -> None:
        await asyncio.to_thread(self._store.notices.end, row, at, told, stale)

    async def close(self) -> None:
        """Claim no more channels and finish the rest; the next server repeats the notices that are interrupted here."""
        self._is_closing = True
        self._woken.set()
        if self._looking is not None:
            await asyncio.wait([self._looking], timeout=CLOSE_S)
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
            self._looking = None


def _name(row: ChannelRow, fresh: Sequence[OwnMove]) -> str:
    """The id of a message: the same if another server sends it once more."""
    moves = sorted((own.wait.match, own.wait.seat, own.wait.decision) for own in fresh)
    told = msgspec.json.encode([row.person, row.channel, row.sent, moves])
    return hashlib.sha256(told).hexdigest()[:32]
