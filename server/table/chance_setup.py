"""Chance setup of one match: collects every share of chance, from the last seat taken to the first line of play."""

import asyncio
import logging
from collections.abc import Awaitable
from contextlib import suppress
from functools import partial
from typing import Generic, TypeVar

from domain.kernel import NotBegun, Refusal, Seat, State
from replay.errors import RecordError
from replay.record.preparation import Preparation
from replay.record.referee import Referee
from replay.store.errors import StoreFailed
from server.errors import place_of
from server.table.command_queue import ATTEMPTS, CommandQueue, commit_anew
from server.table.table_state import TableState

S = TypeVar("S", bound=State)
LOG = logging.getLogger(__name__)


class ChanceSetup(Generic[S]):
    """Begins the match when every seat is taken and every share of chance is known, or voids it (docs/record.md 4)."""

    def __init__(self, referee: Referee[S], command_queue: CommandQueue[S], table_state: TableState[S]) -> None:
        self._referee, self._command_queue, self._table_state = referee, command_queue, table_state
        self._preparation = Preparation(referee)
        self._commit = partial(commit_anew, command_queue, referee)
        self._beginning: asyncio.Task[None] | None = None
        self._waiting: asyncio.Task[None] | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether the match waits for a share of chance."""
        return self._waiting is not None

    async def commit_share(self, seat: Seat, commitment: str) -> None:
        """Fix, as the server, the share of chance of a seat that was just taken. The queue's lock is held. Raises
        `Refusal` if the match does not take the share.
        """
        await self._commit(lambda: self._preparation.commit_entropy(seat, commitment, self._table_state.now()))

    async def share(self, seat: Seat, commitment: str, signature: str) -> int:
        """Fix a seat's share of chance for its own client; returns the share's line. This may begin the match. Raises
        `Refusal` if the match does not take the share, or `StoreFailed` if the share could not be written now.
        """
        async with self._command_queue.lock:
            if not await self._commit(
                lambda: self._preparation.commit_entropy(seat, commitment, self._table_state.now(), signature)
            ):
                raise StoreFailed("the share was not written")
            line = self._referee.seq
            await self.begin()
        return line

    async def reveal(self, seat: Seat, share: str) -> int:
        """Reveal a seat's share of chance for its own client; returns the share's line.

        The last share begins the match. Raises `Refusal` if the match does not take the share, or `StoreFailed` if the
        share could not be written now.
        """
        async with self._command_queue.lock:
            if not await self._commit(lambda: self._preparation.reveal_entropy(seat, share, self._table_state.now())):
                raise StoreFailed("the share was not written")
            line = self._referee.seq
            await self.begin()
        return line

    async def begin(self) -> None:
        """Start play once every seat is taken and every share of chance is revealed. The queue's lock is held."""
        for _ in range(ATTEMPTS):
            state = self._referee.state
            if state.begun or state.result is not None or not all(state.players):
                return
            if self._preparation.awaited or self._referee.is_behind:
                return
            if self._referee.outdated:
                await self._command_queue.commit(self._referee.adopt_rules(self._table_state.now()))
                continue
            # No share may be known before all shares are fixed, including the server's.
            fixed = self._preparation.fix_entropy(self._table_state.now()) if state.committed else None
            if fixed is not None:
                await self._command_queue.commit(fixed)
                continue
            try:
                ruling = self._preparation.begin(self._table_state.now())
            except NotBegun:
                self._await_shares()
                return
            if await self._command_queue.commit(ruling):
                self.stop()

    def resume(self) -> None:
        """Continue after a restart, even if the server stopped after the last seat was taken and before play began."""
        state = self._referee.state
        if not state.begun and all(state.players):
            self._beginning = asyncio.get_running_loop().create_task(self._begin_late())

    async def _begin_late(self) -> None:
        async with self._command_queue.lock:
            await self._written(self.begin())

    async def _written(self, work: Awaitable[object]) -> None:
        """Write lines that no client asked for. If the store fails now, the next heartbeat tries again."""
        try:
            await work
        except RecordError as wrong:
            LOG.warning("whether %s begins cannot be read yet: %s", self._referee.match, place_of(wrong))
            self._command_queue.note_unwritten()

    def watch(self) -> None:
        """Wait for the shares that are still to be revealed."""
        state = self._referee.state
        if state.committed and not state.begun and state.result is None and all(state.players):
            self._await_shares()

    def _await_shares(self) -> None:
        """Wait for shares. A share that is never revealed visibly voids the match, unless the match waits for people
        for days.
        """
        if self._waiting is None and not self._referee.state.shares:
            self._waiting = asyncio.get_running_loop().create_task(self._void_unless_revealed())

    async def _void_unless_revealed(self) -> None:
        try:
            while (left := self._preparation.void_at - self._table_state.now()) > 0:
                await asyncio.sleep(left / 1000)
            async with self._command_queue.lock:
                await self._written(self._void())
        finally:
            if self._waiting is asyncio.current_task():
                self._waiting = None

    async def _void(self) -> None:
        with suppress(Refusal):
            await self._commit(lambda: self._preparation.void(self._table_state.now()))

    def stop(self) -> None:
        """Stop waiting for shares."""
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
