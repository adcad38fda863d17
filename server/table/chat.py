"""Chat beside a match: one room for the players and one for the spectators, erasable and separate from the record."""

import asyncio
import time
from collections import OrderedDict
from typing import Final

from msgspec.structs import replace

from replay.store.side_tables.chat import ChatRow
from replay.store.store import Store
from server.operations.settings import Limits
from server.table.errors import ChatRefused
from server.table.guests import Guest
from server.wire.protocol import ChatLine
from server.wire.text import visible

ROOMS: Final = {"seat": "players", "spectator": "spectators"}
"""A caster has no room, because casters know the seat's secrets, which spectators must not learn. A spectator of open
cards has no room either, because other spectators would hear of hands before these are shown.
"""
HISTORY: Final = 50
VOICES: Final = 4096
"""The number of speakers whose rates are remembered; the speakers who have been silent longest are forgotten."""


def room_of(guest: Guest) -> str:
    """The room in which a guest writes and reads; empty if the guest has none."""
    return "" if guest.viewer.sees_hands else ROOMS.get(guest.role, "")


class Paces:
    """The rate limit of each speaker: a bucket that fills with time, indexed by any key that distinguishes speakers."""

    def __init__(self, per_minute: float, burst: float) -> None:
        self._per_s = per_minute / 60
        self._burst = burst
        self._kept: OrderedDict[object, tuple[float, float]] = OrderedDict()

    def may(self, who: object) -> bool:
        """Whether one more line is within the rate; if so, the line is counted."""
        now = time.monotonic()
        left, counted = self._kept.pop(who, (self._burst, now))
        left = min(self._burst, left + (now - counted) * self._per_s)
        allowed = left >= 1
        self._kept[who] = (left - 1 if allowed else left, now)
        if len(self._kept) > VOICES:
            self._kept.popitem(last=False)
        return allowed

    def count(self, who: object) -> None:
        """Count a line that was allowed elsewhere; if the bucket was empty, the wait does not grow."""
        self.may(who)


class ChatRooms:
    """The rooms of one match. Only the numbers are kept in memory, so that erased lines are gone."""

    def __init__(self, store: Store, match: str, limits: Limits) -> None:
        self._store = store
        self._match = match
        self._limits = limits
        self.told: dict[str, int] = {}
        """The last line of each room that was sent here, or that another server has reported."""
        self._last: dict[str, int] = {}
        self._lock = asyncio.Lock()

    async def since(self, room: str, n: int) -> tuple[ChatLine, ...]:
        """The last lines of a room after number `n`; none if there is no room."""
        rows = await asyncio.to_thread(self._store.chat.said, self._match, room, HISTORY) if room else []
        return tuple(_line(row) for row in rows if row.n > n)

    async def say(self, room: str, who: str, name: str, text: str, at: int) -> ChatLine:
        """Store a line in the form in which it is shown. Raises `ChatRefused` if the line is not allowed."""
        shown = visible(text)
        if not shown:
            raise ChatRefused("There is nothing in this line that can be seen; write something.")
        if len(shown) > self._limits.chat_characters:
            raise ChatRefused(f"A line has at most {self._limits.chat_characters} characters; say it in two.")
        async with self._lock:
            # Numbers continue after those of erased lines; if another server has used a number, the store takes the
            # next one.
            last = max(self._last.get(room, 0), self.told.get(room, 0))
            row = ChatRow(last + 1, at, room, who, name, shown)
            number = await asyncio.to_thread(self._store.chat.say, self._match, row, self._limits.chat_lines)
            self._last[room] = number
        return _line(replace(row, n=number))

    async def news(self, room: str, line: ChatLine) -> tuple[ChatLine, ...]:
        """The lines to send once this line is stored: any earlier lines from other servers, and this line."""
        if line.n > self.told.get(room, 0) + 1:
            return await self.unheard(room, line.n)
        return self._untold(room, (line,), line.n)

    async def unheard(self, room: str, last: int) -> tuple[ChatLine, ...]:
        """The lines of a room that were not yet sent here, after another server has reported lines up to `last`."""
        if last <= self.told.get(room, 0):
            return ()
        return self._untold(room, await self.since(room, self.told.get(room, 0)), last)

    def _untold(self, room: str, lines: tuple[ChatLine, ...], last: int) -> tuple[ChatLine, ...]:
        """Those of the given lines that nobody sent during the read; they count as sent from now on."""
        told = self.told.get(room, 0)
        self.told[room] = max([told, last, *(line.n for line in lines)])
        return tuple(line for line in lines if line.n > told)


def _line(row: ChatRow) -> ChatLine:
    return ChatLine(row.n, row.at, row.who, row.text, row.name)
