"""Time limits that belong to a game's rules: when one runs out, the decision's default is chosen."""

import asyncio
from collections.abc import Callable
from typing import Any

from domain.kernel import Asked, Game


class RuleTimeLimits:
    """The running limits of one match; a limit starts when its decision opens, and again after a restart."""

    def __init__(self, game: Game[Any], expired: Callable[[Asked], None]) -> None:
        self._game = game
        self._expired = expired
        self._running: dict[int, asyncio.TimerHandle] = {}
        self._watched: tuple[Asked, ...] = ()

    def __bool__(self) -> bool:
        return bool(self._running)

    def watch(self, asked: tuple[Asked, ...], state: Any) -> None:
        """Start the limits of new decisions, and stop the limits of decisions that no longer exist."""
        if asked is self._watched:
            return
        self._watched = asked
        pending = {one.number: one for one in asked}
        for number in [number for number in self._running if number not in pending]:
            self._running.pop(number).cancel()
        for number, one in pending.items():
            seconds = self._game.limit_s(one, state)
            if seconds and number not in self._running:
                loop = asyncio.get_running_loop()
                self._running[number] = loop.call_later(seconds, self._expire, one)

    def _expire(self, one: Asked) -> None:
        # The limit is removed first, so that it can start again if the default cannot be written now.
        self._running.pop(one.number, None)
        self._watched = ()
        self._expired(one)

    def stop(self) -> None:
        """Stop all limits."""
        for handle in self._running.values():
            handle.cancel()
        self._running.clear()
