"""The command queue of one match: takes choices and acts one at a time, commits each, and then broadcasts it."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel import Event, OperatorRuled, Refusal, RulesChanged, ScenarioOpened, Seat, State
from replay.errors import RecordError
from replay.record.referee import Referee, Ruling, read_event
from replay.store.errors import StoreFailed
from replay.store.log import Commit, Committed, Entry, Unknown
from replay.store.matches import AT_ONCE
from replay.store.seats import SeatRow
from replay.store.store import Store
from server.errors import place_of
from server.operations import logs
from server.operations.intervals import INTERVALS, Intervals
from server.operations.metrics import Meters
from server.table.audience import SplitLine, split_lines, split_new_lines
from server.table.broadcaster import Broadcaster
from server.table.connections import Asker
from server.table.decider import Decider
from server.table.deduplication import SEAT, origin_of
from server.table.group_commit import GroupCommit
from server.table.schedule import due_of
from server.table.seats import Seats
from server.table.visible_head import VisibleHead
from server.wire.act_messages import Hint, TableMessage
from server.wire.protocol import Accepted, Choose, Refused

S = TypeVar("S", bound=State)
LOG = logging.getLogger(__name__)
Asking = tuple[Asker | None, Seat, str, Choose | TableMessage]
"""The origin of a commit: the connection to answer, the seat, the message's sender, and the message."""

ATTEMPTS = 5
"""The number of times that a decision is tried if another server appends first."""


class CommandQueue(Generic[S]):
    """Decides, commits and broadcasts one thing at a time. `woken` is called when the open decisions may have changed.

    A caller that commits anything but choices and acts holds `lock`. `is_unwritten`: whether a line that the server
    itself had to add could not be written. `is_elsewhere`: whether another server wrote the last line, or may have
    written it. `lives_here`: whether this process acts and speaks for the match; None if that is unknown.
    """

    def __init__(
        self,
        referee: Referee[S],
        store: Store,
        group_commit: GroupCommit,
        decider: Decider[S],
        broadcaster: Broadcaster[S],
        seats: Seats,
        visible_head: VisibleHead[S],
        meters: Meters,
        woken: Callable[[], None],
        intervals: Intervals = INTERVALS,
    ) -> None:
        self._referee, self._store, self._group_commit = referee, store, group_commit
        self._decider, self._broadcaster, self._seats, self._visible_head = decider, broadcaster, seats, visible_head
        self._meters, self._woken, self._intervals = meters, woken, intervals
        self.lock = asyncio.Lock()
        self.is_unwritten = False
        self.is_elsewhere = False
        self.lives_here: bool | None = None
        self.told_at = time.monotonic()
        self._sent: Sequence[Entry] = ()
        self._due: int | None = None
        """The time stored for the match's next due event; None if unknown."""

    async def choose(
        self, seat: Seat, message: Choose, *, by: str = "seat", asker: Asker | None = None
    ) -> Accepted | Refused:
        """Decide a choice, commit it, and broadcast it. A repeated id gets the same answer as the first.

        The broadcast tells the `asker` that the choice is accepted; the caller sends the `asker` every other answer.
        """
        if (origin := origin_of(by)) == SEAT and seat in self._seats.bots:
            return _played_by_bot(message.id)
        return await self._settle((asker, seat, origin, message), lambda: self._decider.decide(seat, message, by))

    async def act(self, seat: Seat, message: TableMessage, asker: Asker | None = None) -> Accepted | Refused:
        """Carry out an act at the table that is no choice, in the way of `choose`."""
        if seat in self._seats.bots:
            return _played_by_bot(message.id)
        return await self._settle((asker, seat, SEAT, message), lambda: self._decider.judge(seat, message))

    async def _settle(self, asking: Asking, decide: Callable[[], Awaitable[Ruling[S] | None]]) -> Accepted | Refused:
        """Decide, commit and broadcast; lines that are due by time are written first."""
        _, seat, origin, message = asking
        name, answers = message.id, self._seats.answers
        async with self.lock:
            for _ in range(ATTEMPTS):
                known = await self._known(seat, origin, message)
                if known is not None:
                    return known
                before = self._referee.seq
                try:
                    await self.keep_time()
                    if self._referee.seq != before:
                        continue  # lines from another server may already hold the answer to this very message
                    ruling = await decide()
                except Refusal as refusal:
                    if await self.fold_news() or self._referee.seq != before:
                        continue
                    return Refused(name, refusal.code, refusal.why, refusal.rule)
                except RecordError:
                    raise
                except Exception as wrong:  # rules can fail in any way in a position that no match reaches
                    if not await self._give_up(wrong):
                        raise
                    return Refused(name, "match-over", "The rules cannot go on from this position; the match is void.")
                if ruling is None:
                    continue
                if isinstance(ruling.events[0], RulesChanged):
                    await self.commit(ruling)
                elif await self.commit(ruling, asking):
                    return Accepted(name, answers.line(seat, origin, name))
        return Refused(name, "try-again", "The record could not be written now; send it again, with the same id.")

    async def rule(self, act: OperatorRuled) -> bool:
        """End the match by its host's ruling; False if it could not be written. Raises `Refusal` if not allowed."""
        async with self.lock:
            for _ in range(ATTEMPTS):
                await self.fold_news()
                ruling = self._decider.ruled(act)
                if await self.commit(ruling) and not isinstance(ruling.events[0], RulesChanged):
                    return True
        return False

    async def give_up(self, wrong: Exception) -> bool:
        """End the match as void if it began in a written position and the rules fail there.

        Returns False in any other match, which continues once its rules are fixed.
        """
        async with self.lock:
            return await self._give_up(wrong)

    async def _give_up(self, wrong: Exception) -> bool:
        opening = await asyncio.to_thread(self._store.read, self._referee.match, 1, 1)
        if self._referee.state.result is not None or [entry.type for entry in opening] != [ScenarioOpened.__name__]:
            return False
        LOG.error("the rules fail over the position of %s, which is void: %s", self._referee.match, place_of(wrong))
        return await self.commit(self._decider.failed())

    async def _known(self, seat: Seat, origin: str, message: Choose | TableMessage) -> Accepted | Refused | None:
        """The answer to a message that was answered before; None for a new message.

        There is one hint for each decision: a request under another id gets the same hint.
        """
        name, answers = message.id, self._seats.answers
        known = answers.line(seat, origin, name)
        if known and not await answers.is_same(seat, origin, message):
            return _used_again(name, known)
        if not known and isinstance(message, Hint):
            known = answers.hinted(seat, message.decision)
        return Accepted(name, known) if known else None

    async def keep_time(self) -> None:
        """Write the lines that are due by time. The lock is held. Raises `Refusal` if the rules refuse a line."""
        for _ in range(ATTEMPTS):
            ruling = self._decider.due()
            if ruling is None:
                return
            await self.commit(ruling)

    async def commit(self, ruling: Ruling[S], asking: Asking | None = None) -> bool:
        """Append, then accept and broadcast. The lock is held.

        Returns False if another server appended first, or if the store does not know whether it wrote the lines.
        """
        begun = time.perf_counter()
        commit = self._seats.with_seat(ruling.commit, ruling.events)
        due, call = self._due_after(ruling, commit), self._broadcaster.held_until(ruling)
        if call or due != self._due:
            commit = replace(commit, due=None if due == self._due else due, reminder=call)
        self._sent = commit.entries
        try:
            answer = await self._group_commit.append(commit, lambda: self._committed(ruling, begun, asking, due))
        except RecordError:
            self.is_unwritten = True
            return False
        if isinstance(answer, Committed):
            return True
        self.is_unwritten = self.is_unwritten or isinstance(answer, Unknown)
        await self.fold_news()
        return False

    def _due_after(self, ruling: Ruling[S], commit: Commit) -> int:
        bots = {*self._seats.bots}
        if commit.seat is not None and commit.seat.kind == "bot":
            bots.add(commit.seat.seat)
        clocks = self._referee.clocks_after(ruling)
        return due_of(self._referee.game, ruling.state, clocks, bots, ruling.writer.at)

    async def note_due(self) -> None:
        """Store the time at which the match is next due, if it is not stored, so that nobody loads the match earlier.

        Does nothing during a decision, because the decision stores the time. Raises `RecordError` if the store fails.
        """
        if self.lock.locked():
            return
        async with self.lock:
            referee = self._referee
            due = due_of(referee.game, referee.state, referee.clocks, self._seats.bots, referee.at)
            if due not in {self._due, AT_ONCE}:
                await asyncio.to_thread(self._store.matches.set_due, referee.match, referee.seq, due)
                self._due = due

    def _committed(self, ruling: Ruling[S], begun: float, asking: Asking | None, due: int) -> None:
        """Accept a ruling that is now durable, and broadcast it."""
        logs.MATCH.set(self._referee.match)
        self._meters.commit(time.perf_counter() - begun)
        if ruling.commit.expected != self._referee.seq:
            # The caller that waited is gone, and the lines were already applied as news.
            return
        self._referee.accept(ruling)
        self._due = due
        self.settle_where(is_elsewhere=False)
        self._visible_head.sign(ruling.commit.checkpoint)
        asker = None if asking is None else asking[0]
        if asker is not None:
            asker.hold()
        self._tell(ruling.commit.entries, ruling.events, split_new_lines(ruling.commit.entries, ruling.masks))
        if asking is not None:
            _, seat, origin, message = asking
            self._seats.answers.keep(seat, origin, message)
            if asker is not None:
                asker.accept(Accepted(message.id, self._seats.answers.line(seat, origin, message.id)))

    def _tell(self, entries: Sequence[Entry], events: Sequence[Event], told: Sequence[SplitLine]) -> None:
        self._seats.note(entries, events)
        self.told_at = time.monotonic()
        self._broadcaster.tell(entries, events, told, is_news=self.is_elsewhere)
        self._woken()

    def note_unwritten(self) -> None:
        """Note that lines that no client requested could not be written."""
        self.is_unwritten = True

    def may_retry(self) -> bool:
        """Whether lines are unwritten and nothing is being decided now; if so, the call marks them as retried."""
        if not self.is_unwritten or self.lock.locked():
            return False
        self.is_unwritten = False
        return True

    @property
    def patience_s(self) -> float:
        """How long this server's bots wait for the server that acts for the match before they act here."""
        return self._intervals.elsewhere_s if self.is_elsewhere else 0.0

    def settle_where(self, *, is_elsewhere: bool) -> None:
        """Marks the server that acts for the match: if no process owns the match, the writer of its last line."""
        self.is_elsewhere = is_elsewhere if self.lives_here is None else not self.lives_here

    async def fold_news(self) -> bool:
        """Apply and broadcast the lines that another server appended; returns whether there were any. The lock is held.

        After a lost answer of the store, the lines can be this server's own; then this server has to act on them.
        """
        found = await asyncio.to_thread(_news, self._store, self._referee.match, self._referee.seq)
        news = self._referee.fold_news(found.entries)
        if not news:
            return False
        self._due = None
        self.settle_where(is_elsewhere=[entry.line for entry in news] != [entry.line for entry in self._sent])
        self._visible_head.sign_as_stored(found.signed)
        if found.rows:
            self._seats.take(found.rows)
        self._tell(news, [read_event(self._referee.game, entry) for entry in news], split_lines(news))
        return True

    async def has_line(self, line: int) -> bool:
        """Whether the record has a line; the store is asked if memory does not have it.

        If another server has appended the line while something is being decided here, this call waits briefly. Raises
        the store's errors, and `StoreFailed` if the line exists but cannot be shown yet.
        """
        match = self._referee.match
        if line > self._visible_head.seq and (await asyncio.to_thread(self._store.head, match)).seq >= line:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._intervals.undecided_s), self.lock:
                    await self.fold_news()
            if line > self._visible_head.seq:
                raise StoreFailed(f"line {line} of {match} cannot be shown while another is decided")
        return line <= self._visible_head.seq


async def commit_anew(queue: CommandQueue[S], referee: Referee[S], make: Callable[[], Ruling[S]]) -> bool:
    """Commit the result of `make`; call `make` again when another server appended first. The queue's lock is held.

    Returns False if the result could not be written now. Raises the errors of `make`.
    """
    for _ in range(ATTEMPTS):
        ruling, before = make(), referee.seq
        if await queue.commit(ruling):
            return True
        if referee.seq == before:
            return False
        if referee.head == ruling.writer.head:
            return True  # the store had written the lines, but its answer was lost
    return False


class AppendedLines(Struct, frozen=True):
    """Lines that another server appended, the last signature, and the holders of seats if somebody sat down."""

    entries: Sequence[Entry] = ()
    signed: tuple[int, bytes] | None = None
    rows: tuple[SeatRow, ...] = ()


def _news(store: Store, match: str, seq: int) -> AppendedLines:
    """The store's lines after line `seq`; call it in a thread."""
    if store.head(match).seq <= seq:
        return AppendedLines()
    entries = store.read(match, after=seq)
    is_seated = any(entry.type == "SeatTaken" for entry in entries)
    signed = next(reversed(store.checkpoints(match)), None)
    return AppendedLines(entries, signed, store.seats.holders(match) if is_seated else ())


def _used_again(name: str, line: int) -> Refused:
    why = f"The id {name} was used for line {line}, which is another choice; send this one with an id of its own."
    return Refused(name, "id-used", why)


def _played_by_bot(name: str) -> Refused:
    return Refused(name, "not-your-decision", "A bot plays this seat now; you may go on watching.")
