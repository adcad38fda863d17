"""The bots of one match: each bot sees its seat's view and chooses as a person does."""

import asyncio
import logging
import secrets
import time
from concurrent.futures.process import BrokenProcessPool
from typing import Final, Generic, Protocol, TypeVar

import msgspec

from domain.kernel import Asked, Choice, Seat, State
from projections.redaction import Viewer
from replay.errors import RecordError
from replay.record.referee import Referee
from server.bots import Bot, LooksAhead, RandomBot, bots_of, looks_ahead, make_bot, with_procedures
from server.bots.errors import Hung
from server.bots.workers import SEEDS, BotQuestion, Workers
from server.errors import place_of
from server.operations.metrics import Meters
from server.table.command_queue import CommandQueue
from server.table.errors import BotStuck
from server.table.seats import Seats
from server.table.table_state import waited_for
from server.table.views import ViewAnswers
from server.wire.protocol import Accepted, Choose

S = TypeVar("S", bound=State)
LOG = logging.getLogger(__name__)


AGAIN_S: Final[tuple[float, ...]] = (1.0, 2.0, 5.0, 15.0, 60.0)
"""The delays after which a bot that could not answer tries again; the last of them is repeated."""


LONG_S: Final = 0.5
"""A bot that takes longer than this, in seconds, is shown as thinking."""


class Thinks(Protocol):
    """Called when a bot begins a long computation, and when it is done."""

    def __call__(self, seat: Seat, *, begins: bool) -> None:
        """`begins`: True if the bot begins, False if it is done."""
        ...


def _unsaid(seat: Seat, *, begins: bool) -> None:
    """Inform nobody."""


class BotPlayers(Generic[S]):
    """Lets the bots play, in a task of the match, while a decision waits for a bot.

    `delay_s`: how long each bot waits before it chooses.

    Bots that look ahead compute in `workers`. `thinks` is called with the seat when a bot takes longer than `LONG_S`,
    and again when the bot is done. A bot that cannot answer is logged and counted in `meters`, and tries again without
    limit. A match that began in a written position becomes void instead (`CommandQueue.give_up`).
    """

    def __init__(
        self,
        referee: Referee[S],
        command_queue: CommandQueue[S],
        seats: Seats,
        views: ViewAnswers[S],
        meters: Meters,
        delay_s: float = 0.0,
        workers: Workers | None = None,
        thinks: Thinks | None = None,
    ) -> None:
        self._workers, self._thinks = workers or Workers(0), thinks or _unsaid
        self._referee, self._command_queue, self._seats, self._views = referee, command_queue, seats, views
        self._meters, self._delay_s, self._again_s = meters, delay_s, AGAIN_S
        self._task: asyncio.Task[None] | None = None
        self._failure: Exception | None = None
        """The exception with which a bot's latest attempt to choose ended."""
        self.rested_at = time.monotonic()

    @property
    def are_at_work(self) -> bool:
        """Whether a bot is choosing."""
        return self._task is not None

    def wake(self) -> None:
        """Start if the match waits for a bot."""
        if self._seats.bots and self._task is None and self._next() is not None:
            self._task = asyncio.get_running_loop().create_task(self._play())

    def _next(self) -> Asked | None:
        """The first open decision of a bot's seat; None if only a later version of Herald may continue the match."""
        if self._referee.is_behind:
            return None
        return next((asked for asked in waited_for(self._referee.state) if asked.seat in self._seats.bots), None)

    def _is_open(self, asked: Asked) -> bool:
        return asked in waited_for(self._referee.state)

    async def _play(self) -> None:
        failed = 0
        try:
            while (asked := self._next()) is not None:
                wait_s = self._again_s[min(failed, len(self._again_s)) - 1] if failed else self._delay_s
                await asyncio.sleep(max(wait_s, self._command_queue.patience_s))
                failed = 0 if not self._is_open(asked) or await self._tries(asked) else failed + 1
                if self._command_queue.is_unwritten:
                    return
        finally:
            self._task = None
            self.rested_at = time.monotonic()

    async def _tries(self, asked: Asked) -> bool:
        """Let a bot answer; returns whether this raised no error."""
        try:
            await self._play_one(asked)
        except Exception as wrong:
            self._meters.stuck_bots += 1
            LOG.error("a bot of %s could not answer and tries again: %s", self._referee.match, place_of(wrong))
            return False
        return True

    async def _play_one(self, asked: Asked) -> None:
        """Let the bot of a seat answer.

        If it fails or its choice is refused, a random legal choice replaces the bot's.
        """
        if await self._answers(asked, self._seats.bots[asked.seat]) or self._command_queue.is_unwritten:
            return
        LOG.error("the bot of seat %d has no legal answer to %s", asked.seat, asked.kind)
        self._failure = None
        if not await self._answers(asked, RandomBot()) and not await self._gives_up():
            raise BotStuck(f"seat {asked.seat} at {asked.kind}")

    async def _gives_up(self) -> bool:
        """Whether the match is void because not even the options of a decision can be listed."""
        failure = self._failure
        return failure is not None and await self._command_queue.give_up(failure)

    async def _answers(self, asked: Asked, bot: Bot) -> bool:
        """Whether the decision is answered, by this bot or in the meantime by somebody else."""
        try:
            message = await self._message(asked, bot)
        except RecordError:
            raise
        except Exception as wrong:
            self._failure = wrong
            LOG.error("the bot of seat %d failed: %s", asked.seat, place_of(wrong))
            return False
        answer = await self._command_queue.choose(asked.seat, message, by="bot")
        return isinstance(answer, Accepted) or not self._is_open(asked)

    async def _message(self, asked: Asked, bot: Bot) -> Choose:
        view = (await self._views.audience(Viewer(asked.seat))).view
        if looks_ahead(bot):
            choice = await self._thought_or_usual(asked, bot, view)
        else:
            choice = self._at_once(asked, bot, view)
        return Choose(f"bot-{asked.number}", asked.number, msgspec.to_builtins(choice))

    def _at_once(self, asked: Asked, bot: Bot, view: S) -> Choice:
        return bot.choose(view, asked, self._referee.game.revive_decision(asked).form(view), secrets.randbelow)

    async def _thought_or_usual(self, asked: Asked, bot: LooksAhead, view: S) -> Choice:
        """The answer of a bot that searches; if its process hangs or dies, the answer of the game's standard bot."""
        try:
            return await self._thought(asked, bot, view)
        except (Hung, BrokenProcessPool) as wrong:
            game = self._referee.game.name
            usual = bots_of(game)[0]
            LOG.warning("%s answers %s for the bot of seat %d: %s", usual, asked.kind, asked.seat, wrong)
            return self._at_once(asked, make_bot(game, usual), view)

    async def _thought(self, asked: Asked, bot: LooksAhead, view: S) -> Choice:
        """The answer of a bot that searches.

        If the view is behind the match, the bot gets it without the procedures.
        """
        state = self._referee.state
        known = with_procedures(view, state) if view.asked == state.asked else view
        question = BotQuestion(self._referee.game.name, bot.name, known, asked, secrets.randbelow(SEEDS))
        thinking = asyncio.ensure_future(self._workers.think(question))
        try:
            done, _ = await asyncio.wait([thinking], timeout=LONG_S)
            if not done:
                self._thinks(asked.seat, begins=True)
            return await thinking
        finally:
            thinking.cancel()
            self._thinks(asked.seat, begins=False)

    def stop(self) -> None:
        """Stop choosing."""
        if self._task is not None:
            self._task.cancel()
