"""Follows a match while it is played: its replay grows as far as spectators may see."""

import time
from collections.abc import Callable
from typing import Generic, TypeVar

from domain.kernel import State
from projections.face import Face
from replay.playback.seek import Replay
from replay.store.log import Entry, Log
from replay.store.matches import Header

S = TypeVar("S", bound=State)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


class FollowedReplay(Generic[S]):
    """A match of a store, and the part of it that may be seen.

    `delay_events` and `delay_s`, by default those of the match, keep the replay behind until the match ends. The first
    line is always shown, and a commit is shown as a whole. With `delayed` False, for the players, nothing is kept back.
    """

    def __init__(
        self,
        face: Face[S],
        store: Log,
        match: str,
        *,
        delayed: bool = True,
        delay_events: int | None = None,
        delay_s: int | None = None,
        now_ms: Callable[[], int] = _now_ms,
    ) -> None:
        self._store = store
        self.match = match
        self._delayed = delayed
        self._delay_events = delay_events
        self._delay_s = delay_s
        self._now_ms = now_ms
        self._waiting: list[Entry] = []
        self._read = 0
        self.ended = False
        self.replay: Replay[S] = Replay(face, ())
        self.news()

    def news(self) -> int:
        """Take in the lines that may be seen now; returns their number. Raises `NoSuchMatch`."""
        header = self._store.header(self.match)  # read before the lines: the next call sees a match that ends between
        more = self._store.read(self.match, self._read)
        self._read += len(more)
        self._waiting += more
        shown = self._visible(header)
        if not self.replay.end:
            shown = max(1, shown)
        taken, self._waiting = self._waiting[:shown], self._waiting[shown:]
        self.replay.extend(taken)
        self.ended = header.status == "finished" and not self._waiting
        return len(taken)

    def _visible(self, header: Header) -> int:
        """How many of the waiting lines may be seen: whole commits only; the lines of a commit have one time."""
        waiting = self._waiting
        if not self._delayed or header.status == "finished":
            return len(waiting)
        events = header.delay_events if self._delay_events is None else self._delay_events
        late_s = header.delay_s if self._delay_s is None else self._delay_s
        shown = max(len(waiting) - events, 0)
        while late_s and shown and waiting[shown - 1].at > self._now_ms() - late_s * 1000:
            shown -= 1
        while 0 < shown < len(waiting) and waiting[shown].at == waiting[shown - 1].at:
            shown -= 1
        return shown
