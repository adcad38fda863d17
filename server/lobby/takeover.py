"""Restart and takeover: resumes matches that wait for a server, and reminds players."""

import asyncio
import logging
from contextlib import suppress

from domain.kernel.clock import NEVER
from replay.errors import RecordError
from replay.store.errors import NoSuchMatch
from replay.store.matches import Header
from replay.store.side_tables.webhooks import Reminder
from replay.store.store import Store
from server.errors import place_of
from server.lobby.match_registry import MatchRegistry
from server.lobby.presence_exchange import PresenceExchange
from server.notifications.seat_webhooks import SeatWebhooks
from server.notifications.sender import NotificationSender
from server.operations.intervals import INTERVALS, Intervals
from server.table.clocks import GONE_LEAST_MS
from server.webhooks.delivery import Notice

LOG = logging.getLogger(__name__)


class Takeover:
    """Loads matches that another server left, and sends players the news that the other server may not have sent."""

    def __init__(
        self,
        store: Store,
        registry: MatchRegistry,
        presence: PresenceExchange,
        webhooks: SeatWebhooks,
        notifications: NotificationSender,
        intervals: Intervals = INTERVALS,
    ) -> None:
        self._store, self._registry, self._presence = store, registry, presence
        self._webhooks, self._notifications, self._intervals = webhooks, notifications, intervals
        self._reminders: dict[str, list[Notice]] = {}
        self.is_listed = False
        """Whether the matches to resume after a restart have been listed."""
        self._is_stopping = False

    def stop(self) -> None:
        """Load nothing more: the server is about to stop."""
        self._is_stopping = True

    def admit(self) -> None:
        """Treat the server as ready, even if the matches to resume could not be listed."""
        self.is_listed = True

    def due(self) -> list[Header]:
        """The matches in which something is due now or soon; call it in a thread."""
        return self._store.matches.due(self._registry.time.roughly() + self._intervals.ahead_ms)

    def _left(self) -> list[Header]:
        """The matches to resume after a restart; call it in a thread.

        If no server was running, so that the clocks must account for its absence, these are all matches in which
        something will be due; otherwise, only matches in which something is due now or soon. Matches whose players have
        to be notified of their move are always included.
        """
        is_alone = (
            not self._registry.is_shared or self._registry.time.back_ms - self._registry.time.gone_ms >= GONE_LEAST_MS
        )
        left = self._store.matches.due(NEVER) if is_alone else self.due()
        told = self._webhooks.matches()
        if told is None:
            return self._store.matches.unfinished()
        known = {header.match for header in left}
        for match in sorted(told - known):
            with suppress(NoSuchMatch):
                header = self._store.header(match)
                left += [header] if header.status == "running" else []
        return left

    async def take_up(self, match: str) -> None:
        """Fold a match in which something may be due, and store the time at which it is due."""
        live_match = await self._registry.open(match)
        with suppress(RecordError):  # otherwise the match is checked again the next time
            await live_match.note_due()

    async def resume(self) -> int:
        """Fold the matches that continue by themselves after a restart, by bots and time limits; returns their number.

        They are folded one at a time, the most recently changed first, beside all other work; a match that somebody
        enters is folded at once. A match that cannot be folded is logged and left out.
        """
        resumed = 0
        # Open matches are listed at once, so that a match created from now on is not mistaken for one of them.
        left = [header for header in await asyncio.to_thread(self._left) if self._registry.placement.has(header.match)]
        self.is_listed = True
        if self._webhooks:
            self._notifications.begin()
        for header in left:
            if self._is_stopping:
                break
            if header.game not in self._registry.faces:
                continue
            try:
                is_fresh = self._registry.found(header.match) is None
                await self.take_up(header.match)
                resumed += is_fresh
                if self._webhooks:
                    self._reminders[header.match] = self._registry.live_match(header.match).reminders.reminders()
            except Exception as wrong:  # a match that cannot continue must not hold up the others
                LOG.error("match %s cannot continue: %s", header.match, place_of(wrong))
        return resumed

    async def remind(self, after_s: float | None = None) -> None:
        """Some time after a start, remind players who have not come back that it is their move, and send the notices
        that an earlier server left.

        A delivery keeps its earlier id, so that a receiver can recognise a repeated delivery.
        """
        if not self._webhooks:
            return
        await asyncio.sleep(self._intervals.remind_s if after_s is None else after_s)
        with suppress(RecordError):  # otherwise the notices are sent at a later check
            await self._remind(await self._notifications.take())
        self._notifications.take_what_is_left()

    async def _remind(self, taken: dict[str, list[Reminder]]) -> None:
        for match, former in self._reminders.items():
            while self._notifications.is_busy:
                await asyncio.sleep(1)
            live_match = self._registry.found(match)
            self._notifications.tell(
                match, former if live_match is None else live_match.reminders.reminders(), calls=taken.pop(match, ())
            )
        self._reminders.clear()
        await self._notifications.tell_left(taken)

    async def untold(self, match: str) -> list[Notice]:
        """Send the reminders of a match that a lost server may not have sent: that it has ended, or whose move it
        is.
        """
        header = await asyncio.to_thread(self._store.header, match)
        face = self._registry.faces.get(header.game)
        title = header.title or (header.game if face is None else face.game.spec.title)
        if header.status == "finished":
            line = (await asyncio.to_thread(self._store.head, match)).seq
            return [Notice("result", match, header.game, title, line, result=header.result)]
        if face is None:
            return []
        live_match = await self._registry.as_stored(match)
        if self._registry.is_elsewhere(live_match):
            await self._presence.look((match,))
        return live_match.reminders.reminders()

    async def is_awaited(self, notice: Notice) -> bool:
        """Whether a match still waits for the seat that a notice is about."""
        live_match = await self._registry.as_stored(notice.match)
        return notice.seat is not None and live_match.reminders.waits(notice.seat, notice.decision)
