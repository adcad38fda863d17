"""The visible head of one match: the end of the record for each viewer, and the server's signature of that end."""

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
    """The end of the record: the last line, or an earlier one for delayed spectators."""

    def __init__(
        self, referee: Referee[S], backlogs: Mapping[Viewer, Backlog], heartbeat_s: float = INTERVALS.heartbeat_s
    ) -> None:
        """`backlogs`: one for each kind of delayed spectators; `heartbeat_s`: see `Intervals`."""
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
        """The end of the record, with its signature if it is signed there."""
        seq, signed = self._signed
        return HeadInfo(self.seq, sealing.b64(self._referee.head), signed if seq == self.seq else "")

    @property
    def behind(self) -> tuple[Viewer, ...]:
        """The delayed viewers."""
        return tuple(self._backlogs)

    def delay_of(self, viewer: Viewer) -> Delay | None:
        """The viewer's delay; None if it has none."""
        backlog = self._backlogs.get(viewer)
        return backlog.delay if backlog else None

    def is_behind(self, viewer: Viewer) -> bool:
        """Whether the viewer is delayed."""
        return viewer in self._backlogs

    def seq_for(self, viewer: Viewer) -> int:
        """The last line that a viewer may see now."""
        backlog = self._backlogs.get(viewer)
        return self.seq if backlog is None else backlog.seq

    def end_for(self, viewer: Viewer) -> HeadInfo:
        """The end of the record for a viewer: earlier for delayed spectators."""
        backlog = self._backlogs.get(viewer)
        return self.head if backlog is None else self._attested(backlog.seq, backlog.head)

    def end_anew(self, viewer: Viewer) -> HeadInfo | None:
        """The earlier end for the viewer, signed at this moment, if no end has been sent to that viewer for a while.

        Its times do not show whether anything happens after that end.
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
        """Remember the signature with which the last line was committed, if the server has a key."""
        if checkpoint is not None:
            self._signed = (self.seq, sealing.b64(checkpoint))
            self._signed_at = time.monotonic()

    def sign_as_stored(self, last: tuple[int, bytes] | None) -> None:
        """Remember the last stored signature, for a last line that was committed earlier or by another server."""
        if last is not None and last[0] == self.seq:
            self._signed = (self.seq, sealing.b64(last[1]))

    def sign_anew(self) -> str:
        """The last line, signed at this moment, if it has not been signed for a while; otherwise, or without a key,
        empty.
        """
        if time.monotonic() - self._signed_at < self._heartbeat_s:
            return ""
        signed = self._referee.heartbeat(now_ms())
        if signed is None:
            return ""
        self._signed_at = time.monotonic()
        return sealing.b64(signed)

    def add(self, entries: Sequence[Entry]) -> None:
        """Add a commit that delayed viewers may not see yet."""
        for backlog in self._backlogs.values():
            backlog.add(entries)

    def due(self, viewer: Viewer, *, lifted: bool) -> Iterator[tuple[tuple[Entry, ...], HeadInfo]]:
        """The commits that a delayed viewer may see from now on, and the end of the record with each."""
        backlog = self._backlogs.get(viewer)
        for shown in backlog.due(lifted=lifted) if backlog else ():
            self._attested_at[viewer] = time.monotonic()
            yield shown.entries, self._attested(shown.entries[-1].seq, shown.head)

    def lift(self) -> None:
        """End all delays."""
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
