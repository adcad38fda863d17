"""Analyses finished matches: each side's chances over time, and better choices (docs/replay.md).

It analyses one match after another, in a process that gives way to live matches; results are stored. It reveals nothing
about a match that is still being played, or about a match from which a live match was branched.
"""

import asyncio
import logging
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import msgspec

from domain.kernel import MatchCreated, MatchEnded
from domain.kernel.history import pauses
from projections.redaction import SPECTATOR
from projections.registry import faces
from replay.playback.errors import CannotBranch
from replay.record.dealt_chance import event_words, is_held
from replay.record.referee import read_event
from replay.store.errors import StoreFailed
from replay.store.matches import Header
from replay.store.store import Store
from server.analysis.simulation import CHUNK, Estimate
from server.analysis.work_units import (
    VERSION,
    Better,
    Looking,
    MatchAnalysis,
    Outline,
    Sampling,
    Thinking,
    Wanted,
    WholeMatch,
    added,
    advice,
    better,
    coarsely,
    looked_at,
    outlined,
    sampled,
    whole_of,
)
from server.bots.workers import Workers
from server.errors import place_of
from server.lobby.ancestry import ancestors
from server.lobby.connection_limits import is_local
from server.lobby.errors import CannotJudge
from server.operations.bounds import BOUNDS, Bounds
from server.operations.intervals import INTERVALS, Intervals
from server.table.guests import Guest, is_opened
from server.table.live_match import LiveMatch
from server.wire.analysis_messages import Counsel, Fortune, Judge, Judged, Point, Preferred, TurningPoint, Weighing
from server.wire.errors import BeyondHead

LOG = logging.getLogger(__name__)
ROUNDS: Final = 16
"""The number of times that `CHUNK` matches are played out from each line."""
ROUNDS_AT_HAND: Final = 24
"""The number of times that matches are played out from a single line."""
LEAST: Final = 2
"""The number of rounds that are always played, no matter how long they take."""
SPEND_S: Final = 60.0
"""The processor time, in seconds, after which no further round is begun."""
EACH: Final = 2
"""The number of unfinished analyses that one address, or one connection from this machine, may have requested."""
REMEMBERED: Final = 64
"""The number of matches whose waiting lines (lines at which play waited) stay in memory."""
Tell = Callable[[Judged], None]
Key = tuple[str, int]


class AnalysisService:
    """Answers `judge`. `workers`: the processes that carry out the work."""

    def __init__(
        self, store: Store, workers: Workers, intervals: Intervals = INTERVALS, bounds: Bounds = BOUNDS
    ) -> None:
        self._store, self._workers, self._intervals, self._bounds = store, workers, intervals, bounds
        self._turn = asyncio.Semaphore(1)
        self._under_way: dict[Key, _RunningAnalysis] = {}
        self._reading = asyncio.Lock()
        self._pauses: dict[str, tuple[Sequence[int], int]] = {}
        """For each match: the lines after which play waited, and the line with which the match ended."""

    async def judge(
        self, live_match: LiveMatch[Any], guest: Guest, asked: Judge, who: object, tell: Tell, address: str = ""
    ) -> None:
        """Send `who` the known results now, and further results as they arrive. Raises `CannotJudge` if the match
        cannot be analysed for `who`, and `BeyondHead` if there is no such line.

        `address`: the address from which `who` connects.
        """
        await self._assert_open(live_match, guest)
        if not await live_match.command_queue.has_line(asked.line):
            raise BeyondHead(f"The record has {live_match.visible_head.seq} lines; line {asked.line} is none of them.")
        if live_match.face.game.name not in faces():
            raise CannotJudge("Matches of this game are not judged here.")
        key = live_match.match, await self._pause(live_match, asked.line)
        terms = terms_of(live_match, key[1])
        kept = await asyncio.to_thread(self._store.analyses.found, live_match.match, terms)
        if kept is not None:
            tell(told(asked.id, asked.line, msgspec.json.decode(kept, type=MatchAnalysis), 1, 1))
            return
        analysis = self._under_way.get(key)
        if analysis is None and asked.kept:
            tell(Judged(asked.id, 0, 0, asked.line))
            return
        if analysis is None:
            analysis = self._begun(key, terms, who if is_local(address) else address)
        analysis.hear(who, asked, tell)

    def _begun(self, key: Key, terms: str, asker: object) -> "_RunningAnalysis":
        if sum(analysis.asker == asker for analysis in self._under_way.values()) >= EACH:
            raise CannotJudge("Your earlier requests still wait to be analysed; ask for more when they are done.")
        if len(self._under_way) >= self._bounds.analyses_waiting:
            raise CannotJudge("Too many matches wait to be judged; try again later.")
        analysis = self._under_way[key] = _RunningAnalysis(
            self._store, self._workers, key, terms, asker, self._intervals
        )
        analysis.begin(self._turn, lambda: self._under_way.pop(key, None))
        return analysis

    async def _pause(self, live_match: LiveMatch[Any], line: int) -> int:
        """The last line up to this one after which play waits, so that all lines up to the next such line share one
        result; 0 for the entire match.

        If there is no such line, the result is for the first line, at which there is nothing to analyse. Raises
        `CannotJudge` if the match is already over at this line.
        """
        if not line:
            return 0
        async with self._reading:  # the matches that a client asks for are read one after another
            found = self._pauses.get(live_match.match)
            if found is None:
                found = self._pauses[live_match.match] = await asyncio.to_thread(self._pauses_of, live_match)
        while len(self._pauses) > REMEMBERED:
            del self._pauses[next(iter(self._pauses))]
        waited, end = found
        if line >= end:
            raise CannotJudge("The match is over at this line, and nothing is left to judge; choose an earlier one.")
        at = bisect_right(waited, line)
        return waited[at - 1] if at else 1

    def _pauses_of(self, live_match: LiveMatch[Any]) -> tuple[Sequence[int], int]:
        game = live_match.face.game
        events = [read_event(game, entry) for entry in self._store.read(live_match.match)]
        ends = (line for line, event in enumerate(events, 1) if isinstance(event, MatchEnded))
        return pauses(game, events), next(ends, len(events))

    def leave(self, who: object) -> None:
        """Send a connection no further results; the work continues, because its result is stored."""
        for analysis in self._under_way.values():
            analysis.leave(who)

    async def _assert_open(self, live_match: LiveMatch[Any], guest: Guest) -> None:
        if not live_match.is_over:
            raise CannotJudge("A match is judged when it is over.")
        header, first, is_over = await asyncio.to_thread(self._policy, live_match)
        if is_held(first, header):
            raise CannotJudge(f"This is a table of {event_words(first)}, which is not closed yet; judge it after that.")
        # A caster sees the view of a seat, but has none of the seat's rights.
        if not is_opened(first.reveal, guest.viewer if guest.role == "seat" else SPECTATOR):
            raise CannotJudge("The secrets of this match are not open to you, so it is not judged for you.")
        if not is_over:
            raise CannotJudge("This match goes on from one that is still played; it is judged when that is over.")

    def _policy(self, live_match: LiveMatch[Any]) -> tuple[Header, MatchCreated, bool]:
        """The match's header, its first line, and whether all matches from which it was branched are over. The first
        line names the viewers who may know everything.
        """
        (header, first), *before = ancestors(self._store, live_match.face.game, live_match.match)
        return header, first, all(earlier.status == "finished" for earlier, _ in before)

    def stop(self) -> None:
        """Stop all analyses."""
        for analysis in list(self._under_way.values()):
            analysis.stop()
        self._workers.stop()


def terms_of(live_match: LiveMatch[Any], line: int) -> str:
    """The key of an analysis: the match's rules, its end, and the point of view."""
    return msgspec.json.encode(
        ["judged", VERSION, live_match.face.game.rules, live_match.visible_head.seq, line]
    ).decode()


class _RunningAnalysis:
    """A match, or a line of it, that is being analysed."""

    def __init__(
        self, store: Store, workers: Workers, key: Key, terms: str, asker: object, intervals: Intervals
    ) -> None:
        self._store, self._workers, self._terms, self.asker = store, workers, terms, asker
        self._intervals = intervals
        self._match, self._line = key
        self._listeners: dict[tuple[object, int], tuple[str, Tell]] = {}
        """The listeners, by client and line."""
        self._known = MatchAnalysis((), (), 0, ())
        self._done, self._of = 0, 1
        self._told_at = 0.0
        self._task: asyncio.Task[None] | None = None

    def hear(self, who: object, asked: Judge, tell: Tell) -> None:
        """Send `who` the progress, now and later."""
        self._listeners[who, asked.line] = asked.id, tell
        tell(told(asked.id, asked.line, self._known, self._done, self._of))

    def leave(self, who: object) -> None:
        """Send nothing more to `who`."""
        self._listeners = {key: heard for key, heard in self._listeners.items() if key[0] is not who}

    def begin(self, turn: asyncio.Semaphore, ended: Callable[[], object]) -> None:
        """Begin the analysis when its turn comes."""
        self._task = asyncio.get_running_loop().create_task(self._run(turn))
        self._task.add_done_callback(lambda _: ended())

    def stop(self) -> None:
        """Give up the analysis."""
        if self._task is not None:
            self._task.cancel()

    async def _run(self, turn: asyncio.Semaphore) -> None:
        async with turn:
            try:
                await self._find_out()
            except CannotBranch:
                self._give_up()  # nobody had been asked anything up to that line
            except Exception as wrong:
                LOG.error("match %s could not be judged: %s", self._match, place_of(wrong))
                self._give_up()

    def _give_up(self) -> None:
        self._done = self._of = 0
        self._tell(self._known)

    async def _find_out(self) -> None:
        whole = await asyncio.to_thread(whole_of, self._store, self._match)
        outline = await self._workers.carry_out(outlined, Wanted(whole, self._line))
        self._known = MatchAnalysis(outline.sides, (), outline.end, outline.won, outline.luck)
        points = await self._play_out(whole, outline)
        if self._line:
            thinking = Thinking(whole, points[0].line, self._intervals.line_ms)
            known = msgspec.structs.replace(self._known, advice=await self._workers.carry_out(advice, thinking))
        else:
            known = msgspec.structs.replace(self._known, better=await self._look(whole, points))
        await self._keep(known)
        self._done = self._of
        self._tell(known)

    async def _play_out(self, whole: WholeMatch, outline: Outline) -> tuple[Estimate, ...]:
        """Play one match from each of a few lines, so that a curve can be shown at once; then play rounds over all
        lines, which reduce the error.
        """
        points: dict[int, Estimate] = {}
        spent, rounds = 0.0, ROUNDS_AT_HAND if self._line else ROUNDS
        coarse = coarsely(outline.lines)
        self._of = rounds * len(outline.lines) + len(coarse) + 1
        first = [Sampling(whole, line, 0, 1) for line in coarse]
        for number in range(rounds):
            if number >= LEAST and spent > SPEND_S:
                break
            jobs = (*first, *_round(whole, outline.lines, coarse, number))
            async for more in self._workers.carry_out_each(sampled, jobs):
                points[more.line] = added(points.get(more.line), more)
                spent += more.cpu_s
                self._step(tuple(points[line] for line in sorted(points)))
            first = []
        return tuple(points[line] for line in sorted(points))

    async def _look(self, whole: WholeMatch, points: tuple[Estimate, ...]) -> tuple[Better, ...]:
        course = msgspec.structs.replace(self._known, points=points).course
        lines = await self._workers.carry_out(looked_at, Looking(whole, course))
        found: list[Better] = []
        self._of = self._done + len(lines) + 1
        jobs = [Thinking(whole, line, self._intervals.think_ms) for line in lines]
        async for one in self._workers.carry_out_each(better, jobs):
            found += [] if one is None else [one]
            self._known = msgspec.structs.replace(self._known, better=tuple(found))
            self._step(points)
        return tuple(found)

    def _step(self, points: tuple[Estimate, ...]) -> None:
        self._done += 1
        self._known = msgspec.structs.replace(self._known, points=points)
        now = time.monotonic()
        if now - self._told_at >= self._intervals.news_s:
            self._told_at = now
            self._tell(self._known)

    def _tell(self, known: MatchAnalysis) -> None:
        for (_, line), (name, tell) in list(self._listeners.items()):
            tell(told(name, line, known, self._done, self._of))

    async def _keep(self, known: MatchAnalysis) -> None:
        """Store a result; a result that cannot be stored is computed again for the next client that asks."""
        try:
            found = msgspec.json.encode(known).decode()
            await asyncio.to_thread(self._store.analyses.keep, self._match, self._terms, found)
        except StoreFailed as wrong:
            LOG.warning("what was found out about match %s is not kept: %s", self._match, place_of(wrong))


def _round(whole: WholeMatch, lines: Sequence[int], begun: Sequence[int], number: int) -> Iterator[Sampling]:
    """A round's work: `CHUNK` matches from each line, one fewer if the first round has already played one (`begun`)."""
    for line in lines:
        done = int(number == 0 and line in begun)
        yield Sampling(whole, line, number * CHUNK + done, CHUNK - done)


def told(name: str, line: int, known: MatchAnalysis, done: int, of: int) -> Judged:
    """The results so far, as a message."""
    is_match = not line and bool(known.points)
    # with at most one match from each line, turning points would be due to chance alone
    is_told = is_match and min(point.samples for point in known.points) >= CHUNK
    return Judged(
        name,
        done,
        of,
        line,
        known.sides,
        tuple(_point(point) for point in (known.course if is_match else known.points)),
        known.end,
        known.won,
        tuple(
            TurningPoint(t.before, t.line, t.seat, round(t.change, 4), round(t.error, 4))
            for t in (known.turnings if is_told else ())
        ),
        tuple(Preferred(b.line, b.seat, b.made, b.other, round(b.gain, 4), round(b.error, 4)) for b in known.better),
        tuple(
            Fortune(one.seat, one.dice, one.successes, round(one.expected, 2), round(one.spread, 2))
            for one in known.luck
            if one.dice
        ),
        tuple(
            Counsel(
                one.seat,
                one.ask,
                tuple(Weighing(c.choice, round(c.share, 4), round(c.error, 4), c.weight, c.made) for c in one.choices),
            )
            for one in known.advice
        ),
    )


def _point(point: Estimate) -> Point:
    sides = range(len(point.won))
    bands = [point.band(side) for side in sides]
    return Point(
        point.line,
        point.samples,
        tuple(round(point.share(side), 4) for side in sides),
        tuple(round(low, 4) for low, _ in bands),
        tuple(round(high, 4) for _, high in bands),
    )
