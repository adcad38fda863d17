"""Notifies people who are away, and sends the notices that lost servers have left.

A commit that concerns somebody who is away stores a call in the same transaction (`side_tables.webhooks`). The server
that wrote the call has claimed it for half a minute, and for as long as it renews the claim; once the notice is
delivered or given up, the call is settled. The first server that looks takes a call that no server has claimed.
Therefore nothing is lost with a server, and a call that it had just carried out is repeated once at most, under its
earlier id.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from replay.errors import RecordError
from replay.store.errors import NoSuchMatch
from replay.store.matches import AT_ONCE
from replay.store.side_tables.webhooks import Reminder
from replay.store.store import Store
from server.errors import place_of
from server.notifications.departures import Departures, Left
from server.notifications.person_sender import PersonSender
from server.notifications.seat_webhooks import SeatWebhooks
from server.operations.intervals import INTERVALS, Intervals
from server.table.clocks import ServerTime
from server.table.placement import Placement
from server.webhooks.delivery import Departed, Hook, Lapsed, Messenger, Notice

LOG = logging.getLogger(__name__)
TAKEN: Final = 50
"""The most calls that one look takes over from other servers."""
LATER_MS: Final = 3_600_000
"""A match that cannot be read is tried again after this long."""
Tidings = Sequence[Notice | Lapsed | Departed]
Waits = Callable[[Notice], Awaitable[bool]]
"""Whether the content of a notice is still true."""


class NotificationSender:
    """Sends notices by webhooks. `home`: the matches whose unclaimed calls this server takes over."""

    def __init__(
        self,
        store: Store,
        hooks: SeatWebhooks,
        time: ServerTime,
        home: Placement,
        left: Left,
        waits: Waits,
        persons: PersonSender,
        intervals: Intervals = INTERVALS,
    ) -> None:
        self._intervals = intervals
        self._store, self._hooks, self._time, self._home = store, hooks, time, home
        self._left, self._waits, self._persons = left, waits, persons
        self.messenger = Messenger(time.now, is_wanted=self._is_wanted)
        self.in_hand: set[Reminder] = set()
        self._waiting: dict[str, list[tuple[Tidings, tuple[Reminder, ...]]]] = {}
        """By match: the notices that wait until their addresses are known."""
        self._settled: list[Reminder] = []
        self._over: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_settling = False
        self._looking: asyncio.Task[None] | None = None
        self._departures = Departures(store, time, left, persons, self.in_hand, intervals)
        self._takes = False
        """Whether calls that no server has claimed are taken yet: after a start, people first have time to come back.
        """

    @property
    def is_busy(self) -> bool:
        """Whether so many notices wait that no more should be added."""
        return self.messenger.is_busy

    def take_what_is_left(self) -> None:
        """From now on take the calls that no server has claimed."""
        self._takes = True

    def begin(self) -> None:
        """Renew the claims of calls, from now on."""
        self._looking = self._looking or asyncio.get_running_loop().create_task(self._look_on())
        self._persons.begin()

    def tell(self, match: str, tidings: Tidings, line: int = 0, *, calls: Iterable[Reminder] = ()) -> None:
        """Send the notices soon. `line`: a line whose call this settles too; 0 for none."""
        settled = (*calls, *([(match, line)] if line else []))
        self.in_hand.update(settled)
        if match not in self._waiting and not any(isinstance(each, Notice) for each in tidings):
            self._carry_out([], tidings, settled)
            return
        is_first = match not in self._waiting
        self._waiting.setdefault(match, []).append((tidings, settled))
        if is_first:
            self._start(self._tell(match))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tell(self, match: str) -> None:
        """Sends the notices of one match in order; reads the addresses in a thread."""
        while self._waiting[match]:
            waiting = [*self._waiting[match]]
            try:
                hooks = await asyncio.to_thread(self._noted, match, [each for each, _ in waiting])
            except RecordError as wrong:
                LOG.warning("it is not known where match %s is told: %s", match, place_of(wrong))
                hooks = None
            self._persons.wake()
            self._waiting[match] = self._waiting[match][len(waiting) :]
            for tidings, calls in waiting:
                if hooks is None:
                    # If no server has claimed the calls any more, the next server takes them and sends the notices that
                    # are due then.
                    self.in_hand.difference_update(calls)
                    tidings, calls = [each for each in tidings if isinstance(each, Lapsed)], ()  # noqa: PLW2901
                self._carry_out(hooks or [], tidings, calls)
        del self._waiting[match]

    def _noted(self, match: str, waiting: Sequence[Tidings]) -> list[tuple[int | None, Hook]]:
        """Note notices for persons, who are notified by their channels later; other addresses are notified here."""
        told = [each for tidings in waiting for each in tidings if isinstance(each, Notice)]
        self._persons.note(match, told)
        return self._hooks.addresses_of(match)

    def _carry_out(
        self, hooks: Sequence[tuple[int | None, Hook]], tidings: Tidings, calls: tuple[Reminder, ...]
    ) -> None:
        deliveries: list[tuple[Hook, Notice]] = []
        over: set[str] = set()
        for each in tidings:
            if isinstance(each, Departed):
                self._departures.note(each)
                continue
            if isinstance(each, Lapsed):
                self.messenger.drop(each)
                continue
            over |= {each.match} if each.event == "result" else set()
            deliveries += [(hook, each) for hook in _to(hooks, each)]
        left = len(deliveries)

        def ended() -> None:
            nonlocal left
            left -= 1
            if left <= 0:
                self._settle(calls, over)

        if not deliveries:
            self._settle(calls, over)
        for hook, notice in deliveries:
            self.messenger.tell(hook, notice, ended)

    def _settle(self, calls: Iterable[Reminder], over: Iterable[str]) -> None:
        """Note that calls are settled: all addresses were notified, or cannot be."""
        self.in_hand.difference_update(calls)
        self._settled += calls
        self._over.update(over)
        if (self._settled or self._over) and not self._is_settling:
            self._is_settling = True
            self._start(self._write_settled())

    async def _write_settled(self) -> None:
        try:
            while self._settled or self._over:
                settled, over, self._settled, self._over = self._settled, self._over, [], set()
                try:
                    await asyncio.to_thread(self._store.webhooks.settle, settled, over)
                except RecordError as wrong:
                    LOG.warning("what was told may be told once more: %s", place_of(wrong))
        finally:
            self._is_settling = False

    async def _is_wanted(self, hook: Hook, notice: Notice) -> bool:
        """Whether to try again: another server may have learned that the address is gone, or that the move was made."""
        try:
            hooks = await asyncio.to_thread(self._hooks.addresses_of, notice.match)
            return hook in _to(hooks, notice) and (notice.event == "result" or await self._waits(notice))
        except Exception as wrong:
            LOG.info("whether match %s is to be told is not known: %s", notice.match, place_of(wrong))
            return True

    async def _look_on(self) -> None:
        while True:
            await asyncio.sleep(self._intervals.look_s)
            try:
                await self.keep_in_hand()
                if self._takes:
                    await self.tell_left(await self.take())
            except RecordError as wrong:
                LOG.warning("what is still to be told cannot be read: %s", place_of(wrong))
            except Exception as wrong:
                LOG.error("what is still to be told cannot be told: %s", place_of(wrong))

    async def keep_in_hand(self) -> None:
        """Renew this server's claims of the calls under way here. Raises `StoreFailed`."""
        if self.in_hand:
            await asyncio.to_thread(
                self._store.webhooks.hold, [*self.in_hand], self._time.now() + self._intervals.held_ms
            )

    async def take(self) -> dict[str, list[Reminder]]:
        """Take calls that no server has claimed, while not too many wait; returns them by match.

        Raises `StoreFailed`.
        """
        if self.messenger.is_busy:
            return {}
        at = self._time.now()
        overdue = await asyncio.to_thread(self._store.webhooks.overdue, at)
        near = [call for call in overdue if call not in self.in_hand and self._home.has(call[0])][:TAKEN]
        taken = (
            await asyncio.to_thread(self._store.webhooks.hold, near, at + self._intervals.held_ms, at) if near else []
        )
        self.in_hand.update(taken)
        return {match: [call for call in taken if call[0] == match] for match, _ in taken}

    async def tell_left(self, taken: Mapping[str, Sequence[Reminder]]) -> None:
        """Send the unsent notices of these matches, if they are still true."""
        for match, calls in taken.items():
            try:
                notices = await self._left(match)
            except NoSuchMatch:
                notices = []
            except Exception as wrong:
                LOG.error("what is to be told of match %s is not known: %s", match, place_of(wrong))
                self.in_hand.difference_update(calls)
                await asyncio.to_thread(self._store.webhooks.hold, calls, self._time.now() + LATER_MS)
                continue
            self.tell(match, notices, calls=calls)

    async def close(self) -> None:
        """Send nothing more; claimed calls are released, so that another server sends them, or this one at its next
        start.
        """
        if self._looking is not None:
            self._looking.cancel()
        await self._departures.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.messenger.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self.in_hand:
            with suppress(RecordError):
                await asyncio.to_thread(self._store.webhooks.hold, [*self.in_hand], AT_ONCE)


def _to(hooks: Sequence[tuple[int | None, Hook]], notice: Notice) -> list[Hook]:
    """The webhooks for a notice: the operator's for all, a seat's for its own moves and for the result."""
    return [hook for seat, hook in hooks if seat is None or notice.seat is None or seat == notice.seat]
