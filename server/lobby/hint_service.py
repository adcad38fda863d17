"""Gives hints: a seat that asks gets the search's choices, if its match allows hints (docs/playing.md).

The request is written to the record before any search begins. The search runs in a separate process, from the seat's
knowledge. Its result is sent to that seat alone. The result is also stored beside the match, so that a repeated request
gets the same result.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.kernel import Refusal, Seat
from replay.store.errors import StoreFailed
from replay.store.store import Store
from server.analysis.hint_search import EARLY, TRIALS, HintCandidate, HintFound, HintSearch, pondered
from server.bots.errors import Hung, NoWorld
from server.bots.workers import Workers
from server.errors import place_of
from server.lobby.errors import CannotHint
from server.operations.bounds import BOUNDS, Bounds
from server.table.chat import Paces
from server.table.connections import Asker
from server.table.live_match import LiveMatch
from server.wire.act_messages import Hint
from server.wire.hint_messages import Hinted, StopHint, Suggested
from server.wire.protocol import Accepted, Error, Refused

LOG = logging.getLogger(__name__)
PER_MINUTE: Final = 12.0
"""The rate of hints for a seat after its first hints, which it may have at once."""
VERSION: Final = 2
"""The version of the search method: results of another version are computed again."""
BUSY: Final = "Too many wait for a hint; ask again in a while."
FAST: Final = "Hints are asked for too fast; ask again in a minute."
NO_WORLD: Final = "The search finds nothing that fits what you know; it has no hint to this decision."
FAILED: Final = "The hint could not be worked out now; ask again."
Tell = Callable[[Hinted | Error], None]
Key = tuple[str, int, int]


class HintService:
    """Answers `hint`. `workers` find first results and `analysts` find better ones. The first results of hints, and
    bots' answers, therefore never wait for a long search.
    """

    def __init__(self, store: Store, workers: Workers, analysts: Workers, bounds: Bounds = BOUNDS) -> None:
        self._store, self._bounds = store, bounds
        self._first, self._further = _InTurn(workers), _InTurn(analysts)
        self._paces = Paces(PER_MINUTE, bounds.hints_at_once)
        self._under_way: dict[Key, _Thought] = {}
        self._coming = 0
        """The number of requests whose lines are being committed."""

    async def commit(self, live_match: LiveMatch[Any], seat: Seat, asked: Hint, asker: Asker) -> Accepted | Refused:
        """Write the seat's request to the record, unless no search can run now."""
        if live_match.hint_source.is_asked_for(seat, asked.decision):
            return await live_match.command_queue.act(seat, asked, asker)
        if self._is_full():
            return Refused(asked.id, CannotHint.code, BUSY)
        if not self._paces.may((live_match.match, seat)):
            return Refused(asked.id, CannotHint.code, FAST)
        self._coming += 1
        try:
            return await live_match.command_queue.act(seat, asked, asker)
        finally:
            self._coming -= 1

    def _is_full(self) -> bool:
        return len(self._under_way) + self._coming >= self._bounds.hints_waiting

    def think(self, live_match: LiveMatch[Any], seat: Seat, asked: Hint, who: object, tell: Tell) -> None:
        """Send `who` the search's choices once they are known; the record already has the line of the request."""
        key = live_match.match, int(seat), asked.decision
        if key not in self._under_way and self._is_full():
            tell(Error(CannotHint.code, BUSY, asked.id))
            return
        if key not in self._under_way:
            thought = self._under_way[key] = _Thought()
            thought.task = asyncio.get_running_loop().create_task(self._carry_out(live_match, key))
        self._under_way[key].listeners[who] = asked, tell

    async def _carry_out(self, live_match: LiveMatch[Any], key: Key) -> None:
        code, why, found, thought = CannotHint.code, FAILED, None, self._under_way[key]
        try:
            found = await self._found(live_match, key, thought)
        except Refusal as refusal:
            code, why = refusal.code, refusal.why
        except NoWorld:
            why = NO_WORLD
        except Exception as wrong:
            LOG.error("a hint of match %s could not be worked out: %s", key[0], place_of(wrong))
        finally:
            self._under_way.pop(key)
        for asked, tell in thought.listeners.values():
            tell(Error(code, why, asked.id) if found is None else told(asked, found))

    async def _found(self, live_match: LiveMatch[Any], key: Key, thought: "_Thought") -> HintFound | None:
        """The earlier result, or a new one; None if nobody waits for it any more.

        Raises the search's errors, and `Refusal` if no hint is possible.
        """
        match, seat, number = key
        kept = await asyncio.to_thread(self._store.analyses.found, match, terms_of(seat, number))
        if kept is not None:
            return msgspec.json.decode(kept, type=HintFound)
        question = await live_match.hint_source.question(Seat(seat), number)
        for trials, turn in zip(EARLY, (self._first, self._further), strict=True):
            if thought.wants_early:
                thought.last = await turn.pondered(replace(question, trials=trials))
                thought.tell_early(thought.last, trials)
            if thought.is_stopped:
                return None
        try:
            found = await self._further.pondered(question)
        except Hung:
            if thought.last is None:
                raise
            return thought.last  # on a machine this busy, the best result so far is given, but not stored
        await self._keep(key, found)
        return found

    async def _keep(self, key: Key, found: HintFound) -> None:
        """Store a result; a result that cannot be stored is computed again, with the same outcome."""
        match, seat, number = key
        try:
            text = msgspec.json.encode(found).decode()
            await asyncio.to_thread(self._store.analyses.keep, match, terms_of(seat, number), text)
        except StoreFailed as wrong:
            LOG.warning("a hint of match %s is not kept: %s", match, place_of(wrong))

    def stop_for(self, who: object, match: str, asked: StopHint) -> None:
        """Send `who` nothing more about its request; if nobody else waits, no further trials begin."""
        for (of, _, number), thought in self._under_way.items():
            if (of, number) == (match, asked.decision):
                thought.stop_for(who, asked.id)

    def leave(self, who: object) -> None:
        """Send a connection no further results; a search in progress continues, because its result is stored."""
        for thought in self._under_way.values():
            thought.listeners.pop(who, None)

    def stop(self) -> None:
        """Stop all searches."""
        for thought in list(self._under_way.values()):
            if thought.task is not None:
                thought.task.cancel()


class _InTurn:
    """Carries out one search at a time: between two searches for one question, other questions have their turn."""

    def __init__(self, workers: Workers) -> None:
        self._workers, self._turn = workers, asyncio.Semaphore(1)

    async def pondered(self, question: HintSearch) -> HintFound:
        """The result of a search when its turn comes. Raises the search's errors."""
        async with self._turn:
            return await self._workers.carry_out(pondered, question)


class _Thought:
    """A question that the search works on, and the clients that wait for its result."""

    def __init__(self) -> None:
        self.listeners: dict[object, tuple[Hint, Tell]] = {}
        self.task: asyncio.Task[None] | None = None
        self.last: HintFound | None = None
        self._was_stopped = False

    @property
    def wants_early(self) -> bool:
        """Whether some client wants results before the last one."""
        return any(asked.early for asked, _ in self.listeners.values())

    @property
    def is_stopped(self) -> bool:
        """Whether a client has asked to stop and no other client waits."""
        return self._was_stopped and not self.listeners

    def tell_early(self, found: HintFound, trials: int) -> None:
        """Send the result of this many trials to those who want it."""
        for asked, tell in self.listeners.values():
            if asked.early:
                tell(replace(told(asked, found), done=trials, of=TRIALS))

    def stop_for(self, who: object, name: str) -> None:
        """Note that `who` no longer waits for the answer to the request with this id."""
        if who in self.listeners and self.listeners[who][0].id == name:
            del self.listeners[who]
            self._was_stopped = True


def terms_of(seat: int, number: int) -> str:
    """The key under which a hint is stored beside its match."""
    return msgspec.json.encode(["hint", VERSION, int(seat), number]).decode()


def told(asked: Hint, found: HintFound) -> Hinted:
    """The result, as a message."""
    choices = tuple(map(_suggested, found.choices))
    return Hinted(asked.id, asked.decision, choices, round(found.gain, 4), round(found.error, 4))


def _suggested(one: HintCandidate) -> Suggested:
    return Suggested(one.choice, one.answer, round(one.share, 4), round(one.error, 4), round(one.weight, 4))
