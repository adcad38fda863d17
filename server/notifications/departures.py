"""Notifies persons of a move that waits, if they leave its table without making it and do not come back soon.

A call is stored at once (`side_tables.webhooks`), so that another server notifies them if this one is killed meanwhile.
A person is notified of each decision once over each channel, however often the person comes and goes. A seat's own
address gets no such notice, because nothing records which notices it has received.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from replay.store.side_tables.webhooks import Reminder
from replay.store.store import Store
from server.errors import place_of
from server.notifications.person_sender import PersonSender
from server.operations.intervals import INTERVALS, Intervals
from server.table.clocks import ServerTime
from server.webhooks.delivery import Departed, Notice

LOG = logging.getLogger(__name__)
MOST: Final = 1_000
"""The number of departures that are waited for at once; further ones cause no notice."""
Left = Callable[[str], Awaitable[list[Notice]]]
"""The notices of a match that are still to be sent. Raises `NoSuchMatch`."""


class Departures:
    """Waits for persons who have left. `in_hand`: the calls whose claims this server renews."""

    def __init__(
        self,
        store: Store,
        time: ServerTime,
        left: Left,
        persons: PersonSender,
        in_hand: set[Reminder],
        intervals: Intervals = INTERVALS,
    ) -> None:
        self._store, self._time, self._left, self._persons = store, time, left, persons
        self._in_hand, self._intervals = in_hand, intervals
        self._waiting: dict[Reminder, asyncio.Task[None]] = {}
        self._is_closed = False

    def note(self, departed: Departed) -> None:
        """Note that a player has left. A later departure from the same seat takes the place of this one."""
        call = (departed.match, -1 - departed.seat)
        if self._is_closed or not self._persons or len(self._waiting) >= MOST:
            return
        if call in self._waiting:
            self._waiting.pop(call).cancel()
        task = asyncio.get_running_loop().create_task(self._wait(departed, call))
        self._waiting[call] = task
        task.add_done_callback(lambda done: self._forget(call, done))

    def _forget(self, call: Reminder, done: asyncio.Task[None]) -> None:
        if self._waiting.get(call) is done:
            del self._waiting[call]

    async def _wait(self, departed: Departed, call: Reminder) -> None:
        try:
            if await asyncio.to_thread(self._call, departed, call):
                self._in_hand.add(call)
                await asyncio.sleep(self._intervals.left_s)
                await self._tell(departed, call)
        except Exception as wrong:
            LOG.warning("match %s does not tell a player who left: %s", departed.match, place_of(wrong))
            self._in_hand.discard(call)

    def _call(self, departed: Departed, call: Reminder) -> bool:
        """Store a call, if a person holds the seat. The call has no line: a number below zero takes its place."""
        held = any(row.seat == departed.seat for row in self._store.people.at(departed.match))
        if held:
            self._store.webhooks.remind(*call, self._time.now() + self._intervals.held_ms)
        return held

    async def _tell(self, departed: Departed, call: Reminder) -> None:
        waiting = [
            notice
            for notice in await self._left(departed.match)
            if (notice.seat, notice.decision) == (departed.seat, departed.decision)
        ]
        if waiting:
            await asyncio.to_thread(self._persons.note, departed.match, waiting)
            self._persons.wake()
        await asyncio.to_thread(self._store.webhooks.settle, [call])
        self._in_hand.discard(call)

    async def close(self) -> None:
        """Wait for nobody any more; the program that releases the claimed calls leaves them to the next server."""
        self._is_closed = True
        waiting = [*self._waiting.values()]
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
