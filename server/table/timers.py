"""The timers of one match: they wake it when a clock, a pause or a time limit of the rules runs out."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, Generic, TypeVar

import msgspec

from domain.kernel import Asked, Refusal, State
from replay.record.referee import Referee
from server.table.clocks import Deadline
from server.table.command_queue import CommandQueue
from server.table.rule_time_limits import RuleTimeLimits
from server.table.table_state import TableState, waited_for
from server.table.weak_callbacks import weak_callback
from server.wire.protocol import Accepted, Choose

S = TypeVar("S", bound=State)
LOG = logging.getLogger(__name__)
AGAIN_S = 0.5
"""The delay before another try if, by the record's time, a limit of the rules is not yet over."""


class Timers(Generic[S]):
    """Waits for the next due event, then causes its line to be written."""

    def __init__(self, referee: Referee[S], command_queue: CommandQueue[S], table_state: TableState[S]) -> None:
        self._referee, self._command_queue, self._table_state = referee, command_queue, table_state
        self._deadline = Deadline(table_state.now, weak_callback(self.strike_soon))
        self._limits = RuleTimeLimits(referee.game, weak_callback(self._time_out))
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def is_busy(self) -> bool:
        """Whether a limit runs, or the next event is due so soon that the match has to stay in memory."""
        return bool(self._limits) or self._deadline.is_soon

    @property
    def due_ms(self) -> int:
        """The time of the next due event, in ms."""
        return self._deadline.due_ms

    def watch(self) -> None:
        """Wait for the next due event, and start the limits of the open decisions."""
        self._limits.watch(waited_for(self._referee.state), self._referee.state)
        self._wait()

    def _wait(self) -> None:
        """Wait for the next due event; a match that is over has none, even if stored clocks still run."""
        self._deadline.watch(None if self._referee.state.result is not None else self._referee.clocks)

    def resume(self) -> None:
        """Write the events that became due during an absence of the server."""
        if self._table_state.was_away:
            self.strike_soon()

    def strike_soon(self) -> None:
        """Call `strike` soon, because a clock ran out, a pause is over, or the server has been away."""
        self._in_background(self.strike())

    async def strike(self) -> None:
        """Write the lines that are due now."""
        async with self._command_queue.lock:
            try:
                await self._command_queue.keep_time()
            except Refusal as refusal:
                LOG.error("what is due in %s cannot be put down: %s", self._referee.match, refusal.why)
                return
        if not self._command_queue.is_unwritten:  # otherwise the next heartbeat tries again
            self._wait()

    def _time_out(self, asked: Asked) -> None:
        """Choose the decision's default on behalf of the clock, because a limit of the rules ran out."""
        choice = self._referee.game.revive_decision(asked).default(self._referee.state)
        message = Choose(f"clock-{asked.number}", asked.number, msgspec.to_builtins(choice))
        self._in_background(self._answer(asked, message))

    async def _answer(self, asked: Asked, message: Choose) -> None:
        """Repeat the choice until it is accepted: a limit can end later by the record's times than by the timer."""
        while asked in waited_for(self._referee.state):
            if isinstance(await self._command_queue.choose(asked.seat, message, by="clock"), Accepted):
                return
            await asyncio.sleep(AGAIN_S)

    def _in_background(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def stop(self) -> None:
        """Stop waiting."""
        self._limits.stop()
        self._deadline.stop()
