"""Headlines of all listed matches, for spectators of many tables: beginnings, headings of the chronicle, results.

This module sees no more than a spectator: it reads each match up to `MatchRegistry.spectators_end`, and it knows only
matches that the match list names. It reads only while somebody asks.
"""

import asyncio
import logging
import secrets
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from domain.kernel import MatchBegun, MatchEnded
from projections.chronicle import line
from projections.face import Face
from projections.redaction import SPECTATOR
from projections.words import outcome
from replay.record.referee import read_event
from replay.store.errors import NoSuchMatch, StoreFailed
from replay.store.log import Entry
from server.errors import place_of
from server.wire.protocol import MatchInfo

if TYPE_CHECKING:
    from server.lobby.lobby import Lobby

LOG = logging.getLogger(__name__)
EVERY_S: Final = 2.0
"""How often the matches are checked while somebody asks."""
IDLE_S: Final = 90.0
"""How long the checks continue after the last request."""
HOLD_S: Final = 20.0
"""How long a request waits for news before it is answered without any."""
AT_ONCE: Final = 20
"""The most headlines of one match at one check; if there are more, only the last ones are sent."""
LONGEST: Final = 300
"""The number of characters of a text."""
REMEMBERED: Final = 5_000
"""The number of matches whose end is remembered as sent."""


class Headline(Struct, frozen=True):
    """One headline. `at`: the time from which it could be seen, in ms; `line`: the number of its line.

    `kind`: `running`, `begins`, `heading`, `line` or `ends`; `text`, in English: a sentence or a heading of the game's
    chronicle.
    """

    at: int
    match: str
    game: str
    title: str
    players: tuple[str, ...]
    line: int
    kind: str
    text: str


class _Story:
    """A match as its spectators know it."""

    def __init__(self, face: Face[Any], info: MatchInfo, entries: Sequence[Entry]) -> None:
        self._face, self._game, self.info = face, face.game, info
        redacted = [self._game.redact(read_event(self._game, entry), SPECTATOR.mask) for entry in entries]
        self._view: Any = self._game.fold(redacted)
        self.seq = len(entries)

    def take(self, entries: Sequence[Entry]) -> list[tuple[int, str, str]]:
        """Take in new lines; returns the number, kind and text of those that make a headline."""
        found = []
        for entry in entries:
            event = self._game.redact(read_event(self._game, entry), SPECTATOR.mask)
            before = self._view
            self._view = self._game.fold((event,), before)
            self.seq = entry.seq
            kind, text = self._told(before, event)
            if text:
                found.append((entry.seq, kind, text))
        return found[-AT_ONCE:]

    def _told(self, before: Any, event: Any) -> tuple[str, str]:
        if isinstance(event, MatchBegun):
            return "begins", "The match begins."
        if isinstance(event, MatchEnded):
            return "ends", outcome(self._view.players, event.result)
        told = line(self._face, before, self._view, event, None)
        if told is None or (self._face.headings and told.get("k") != "head"):
            return "", ""
        parts = told["t"]
        text = parts if isinstance(parts, str) else "".join(p if isinstance(p, str) else p["t"] for p in parts)
        return ("heading" if told.get("k") == "head" else "line"), text[:LONGEST]


class HeadlineFeed:
    """The headlines of this process; their numbers count from 1 and belong to the feed's `name`, which is random."""

    def __init__(self, lobby: "Lobby", every_s: float = EVERY_S, hold_s: float = HOLD_S) -> None:
        self._lobby, self._every_s, self._hold_s = lobby, every_s, hold_s
        self.name = secrets.token_hex(4)
        self.last = 0
        self._kept: deque[Headline] = deque(maxlen=lobby.bounds.headlines)
        self._stories: dict[str, _Story] = {}
        self._over: set[str] | None = None
        """The finished matches that need no more headline; None before the first check."""
        self._news = asyncio.Event()
        self._looking: asyncio.Task[None] | None = None
        self._looked = asyncio.Event()
        self._asked_at = 0.0
        self._held = 0
        self._is_closed = False

    async def since(self, number: int) -> list[tuple[int, Headline]]:
        """The headlines after a number, each with its own; waits a while for one if there is none."""
        self._asked_at = time.monotonic()
        if self._looking is None and not self._is_closed:
            self._looked.clear()
            self._looking = asyncio.get_running_loop().create_task(self._run())
        await self._looked.wait()
        if self.last <= number and self._held < self._lobby.bounds.feed_readers and not self._is_closed:
            self._held += 1
            try:
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._hold_s):
                        await self._news.wait()
            finally:
                self._held -= 1
        first = self.last - len(self._kept) + 1
        return [(n, one) for n, one in enumerate(self._kept, first) if n > number]

    async def close(self) -> None:
        """Answer the waiting requests, and stop the checks."""
        self._is_closed = True
        self._looked.set()
        self._tell(())
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)

    async def _run(self) -> None:
        while time.monotonic() - self._asked_at < IDLE_S:
            try:
                await self._look()
            except Exception as wrong:
                LOG.error("the list of matches could not be read for headlines: %s", place_of(wrong))
            self._looked.set()
            await asyncio.sleep(self._every_s)
        self._looking, self._over = None, None
        self._stories.clear()

    async def _look(self) -> None:
        """Read the new lines of each listed match; a match that cannot be read does not stop the others."""
        listed = await self._lobby.listing.matches()
        running = {one.match: one for one in listed.running}
        ended = {match: story.info for match, story in self._stories.items() if match not in running}
        if self._over is not None:
            ended |= {one.match: one for one in reversed(listed.finished) if one.match not in self._over}
        for info in (*ended.values(), *listed.running):
            try:
                self._tell(await asyncio.to_thread(self._read, info))
            except (NoSuchMatch, StoreFailed):
                continue
            except Exception as wrong:
                LOG.error("the headlines of %s failed: %s", info.match, place_of(wrong))
        for match in ended:
            self._stories.pop(match, None)
        known = self._over if self._over is not None and len(self._over) < REMEMBERED else set()
        self._over = {*known, *ended, *(one.match for one in listed.finished)}

    def _read(self, info: MatchInfo) -> list[Headline]:
        """The news for a match's spectators since the last look. Raises `NoSuchMatch` for a match that is closed."""
        face = self._lobby.faces.get(info.game)
        if face is None:
            return []
        end = self._lobby.registry.spectators_end(info.match)
        story, told = self._stories.get(info.match), []
        if story is None:
            whole = self._lobby.store.read(info.match, limit=end)
            is_first = self._over is None
            # Line 1 makes the view and is no news. The lines of a match that was already running at the first request
            # for headlines are no news.
            known = len(whole) if is_first else 1
            story = self._stories[info.match] = _Story(face, info, whole[:known])
            fresh = whole[known:]
            told = [(known, "running", "The match is under way.")] if is_first else []
        else:
            limit = None if end is None else max(0, end - story.seq)
            fresh = self._lobby.store.read(info.match, after=story.seq, limit=limit)
        at, players = int(time.time() * 1000), tuple(seat.name for seat in info.seats)
        title = info.title or face.game.spec.title
        return [
            Headline(at, info.match, info.game, title, players, seq, kind, text)
            for seq, kind, text in (*told, *story.take(fresh))
        ]

    def _tell(self, headlines: Sequence[Headline]) -> None:
        self._kept.extend(headlines)
        self.last += len(headlines)
        if headlines or self._is_closed:
            self._news.set()
            self._news = asyncio.Event()
