"""The visible head of one match: where its record ends for each viewer, and the server's signature of that end."""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from domain.kernel import State
from projections.redaction import Viewer
from replay.record import sealing
from replay.record.referee import Referee
from replay.store.log import Entry
from server.operations.intervals import INTERVALS
from server.table.clocks import now_ms
from server.table.delay import Backlog
from server.wire.protocol import Delay, HeadInfo

S = TypeVar("S", bound=State)


class VisibleHead(Generic[S]):
    """Where the record ends: at the last line, for spectators who are kept behind at an earlier one."""

    def __init__(
        self, referee: Referee[S], backlogs: Mapping[Viewer, Backlog], heartbeat_s: float = INTERVALS.heartbeat_s
    ) -> None:
        """`backlogs`: of each kind of spectators who are kept behind; `heartbeat_s`: see `Intervals`."""
        self._referee, self._heartbeat_s = referee, heartbeat_s
        self._backlogs = dict(backlogs)
        self._lift: asyncio.TimerHandle | None = None
        self._signed = (0, "")
        self._signed_at = time.monotonic()
        self._attested_at = dict.fromkeys(self._backlogs, self._signed_at)

    @property
    def seq(self) -> int:
        """The last line."""
        return self._referee.seq

    @property
    def head(self) -> HeadInfo:
        """Where the record ends."""
        seq, signed = self._signed
        return HeadInfo(self.seq, sealing.b64(self._referee.head), signed if seq == self.seq else "")

    @property
    def behind(self) -> tuple[Viewer, ...]:
        """The viewers who are kept behind."""
        return tuple(self._backlogs)

    def delay_of(self, viewer: Viewer) -> Delay | None:
        """How far the viewer is kept behind, None when it is not."""
        backlog = self._backlogs.get(viewer)
        return backlog.delay if backlog else None

    def is_behind(self, viewer: Viewer) -> bool:
        """Whether the viewer is kept behind."""
        return viewer in self._backlogs

    def seq_for(self, viewer: Viewer) -> int:
        """The last line that a viewer may see now."""
        backlog = self._backlogs.get(viewer)
        return self.seq if backlog is None else backlog.seq

    def end_for(self, viewer: Viewer) -> HeadInfo:
        """Where the record ends for a viewer: earlier for spectators who are kept behind."""
        backlog = self._backlogs.get(viewer)
        return self.head if backlog is None else self._attested(backlog.seq, backlog.head)

    def end_anew(self, viewer: Viewer) -> HeadInfo | None:
        """The earlier end of the viewer, signed at this moment, where that viewer has been told of none for a while.

        Whether something happens meanwhile behind that end, its times do not show.
        """
        now = time.monotonic()
        if now - self._attested_at[viewer] < self._heartbeat_s:
            return None
        self._attested_at[viewer] = now
        end = self.end_for(viewer)
        return end if end.signed else None

    def _attested(self, seq: int, head: bytes) -> HeadInfo:
        signed = self._referee.attest(seq, head, now_ms())
        return HeadInfo(seq, sealing.b64(head), sealing.b64(signed) if signed else "")

    def sign(self, checkpoint: bytes | None) -> None:
        """The last line was committed with this signature, if the server has a key."""
        if checkpoint is not None:
            self._signed = (self.seq, sealing.b64(checkpoint))
            self._signed_at = time.monotonic()

    def sign_as_stored(self, last: tuple[int, bytes] | None) -> None:
        """The last line was committed before, or by another server: with this signature, the last in the store."""
        if last is not None and last[0] == self.seq:
            self._signed = (self.seq, sealing.b64(last[1]))

    def sign_anew(self) -> str:
        """The last line, signed at this moment, where it has not been for a while; else, or without a key, empty."""
        if time.monotonic() - self._signed_at < self._heartbeat_s:
            return ""
        signed = self._referee.heartbeat(now_ms())
        if signed is None:
            return ""
        self._signed_at = time.monotonic()
        return sealing.b64(signed)

    def add(self, entries: Sequence[Entry]) -> None:
        """A commit that who is kept behind may not see yet."""
        for backlog in self._backlogs.values():
            backlog.add(entries)

    def due(self, viewer: Viewer, *, lifted: bool) -> Iterator[tuple[tuple[Entry, ...], HeadInfo]]:
        """The commits that a viewer who is kept behind may see from now on, and where the record ends with each."""
        backlog = self._backlogs.get(viewer)
        for shown in backlog.due(lifted=lifted) if backlog else ():
            self._attested_at[viewer] = time.monotonic()
            yield shown.entries, self._attested(shown.entries[-1].seq, shown.head)

    def lift(self) -> None:
        """Keep nobody behind any more."""
        self._backlogs.clear()

    def watch(self, viewers: Iterable[Viewer], release: Callable[[], object]) -> None:
        """Call `release` once time alone lets one of these viewers see more."""
        waits = [self._backlogs[viewer].wait_s() for viewer in viewers if viewer in self._backlogs]
        wait = min((wait for wait in waits if wait is not None), default=None)
        if wait is not None:
            self._lift = asyncio.get_running_loop().call_later(wait, release)

    def stop(self) -> None:
        """Wait no longer."""
        if self._lift is not None:
            self._lift.cancel()
            self._lift = None
