"""The chances to win in live matches, computed from spectators' knowledge while somebody asks, one at a time."""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from replay.errors import RecordError
from replay.record import statements
from replay.store.store import Store
from server.analysis.outlook import Outlook, Watched, looked_ahead
from server.analysis.work_units import whole_of
from server.bots.workers import Workers
from server.errors import place_of

LOG = logging.getLogger(__name__)
FRESH_S: Final = 20.0
"""How long, in seconds, an outlook is used before a new one is computed."""
MOST: Final = 64
"""The number of matches whose last outlook is remembered."""


class StatedOutlook(Struct, frozen=True):
    """A chance to win, its statement beside the record (docs/record.md 5), and the server's stamp ("" without a
    key).
    """

    outlook: Outlook
    said: str
    stamp: str


def sides_of(found: Outlook) -> list[dict[str, Any]]:
    """The sides of a chance to win in the form for clients: shares with three digits."""
    return [
        {"seats": seats, "share": round(share, 3), "low": round(low, 3), "high": round(high, 3)}
        for seats, share, low, high in zip(found.sides, found.share, found.low, found.high, strict=True)
    ]


def foretold(match: str, found: Outlook, at: int, sign: statements.Sign | None) -> StatedOutlook:
    """The server's statement, beside the record, of a chance to win that was computed at the time `at`, in ms since
    1970.
    """
    text = statements.said(statements.CHANCE, match, at, found.line, found.samples, sides_of(found))
    return StatedOutlook(found, text, statements.stamped(sign, text))


class OutlookService:
    """Answers at once with the known result, and has a new one computed in a process that gives way to others."""

    def __init__(
        self,
        store: Store,
        workers: Workers | None,
        end_of: Callable[[str], int | None],
        sign: statements.Sign | None = None,
    ) -> None:
        """`workers`: None if nothing is computed. `end_of`: the last line that a broadcast shows now, None if it shows
        all; raises `NoSuchMatch` for a match that is closed to spectators. `sign`: signs with the server's key; None
        without a key.
        """
        self._store, self._workers, self._end_of, self._sign = store, workers, end_of, sign
        self._known: OrderedDict[str, tuple[float, StatedOutlook | None]] = OrderedDict()
        self._task: asyncio.Task[None] | None = None

    async def ask(self, match: str) -> StatedOutlook | None:
        """The last outlook; None if there is none yet, or if a broadcast shows the end. Raises `NoSuchMatch`."""
        end = await asyncio.to_thread(self._end_of, match)
        status = (await asyncio.to_thread(self._store.header, match)).status
        if status == "open" or (status == "finished" and end is None) or self._workers is None:
            return None
        at, found = self._known.get(match, (float("-inf"), None))
        is_busy = self._task is not None and not self._task.done()
        if time.monotonic() - at > FRESH_S and not is_busy:
            self._keep(match, found)
            self._task = asyncio.get_running_loop().create_task(self._work_out(match, end))
        return found

    def _keep(self, match: str, found: StatedOutlook | None) -> None:
        self._known[match] = time.monotonic(), found
        self._known.move_to_end(match)
        if len(self._known) > MOST:
            self._known.popitem(last=False)

    async def _work_out(self, match: str, end: int | None) -> None:
        assert self._workers is not None
        try:
            whole = await asyncio.to_thread(whole_of, self._store, match, end)
            head = await asyncio.to_thread(self._store.head, match)
            watched = Watched(match, whole, head.seq if end is None else end)
            found = await self._workers.carry_out(looked_ahead, watched)
            self._keep(match, foretold(match, found, int(time.time() * 1000), self._sign))
        except RecordError as wrong:
            LOG.debug("there is no outlook for match %s: %s", match, place_of(wrong))
        except Exception as wrong:
            LOG.error("the outlook of match %s could not be worked out: %s", match, place_of(wrong))

    def stop(self) -> None:
        """Compute nothing more."""
        if self._task is not None:
            self._task.cancel()
