"""Carries out the rulings of the server's host, which end matches in whichever process they live."""

import asyncio
import logging

from domain.kernel import OperatorRuled, Refusal, Seat
from replay.errors import RecordError
from replay.store.side_tables.rulings import RulingRow
from replay.store.store import Store
from server.errors import ServerError, place_of
from server.lobby.match_registry import MatchRegistry

LOG = logging.getLogger(__name__)


class HostRulings:
    """Ends the matches that the host has ruled on, each in the process in which it lives."""

    def __init__(self, store: Store, registry: MatchRegistry) -> None:
        self._store, self._registry = store, registry

    async def carry_out(self) -> int:
        """Write every waiting ruling to its match's record; returns the number of rulings carried out.

        A ruling that cannot be carried out is logged.
        """
        try:
            waiting = await asyncio.to_thread(self._store.rulings.waiting)
        except RecordError as wrong:
            LOG.warning("what the host has ruled cannot be read: %s", place_of(wrong))
            return 0
        return sum([await self._settle(row) for row in waiting if self._registry.placement.has(row.match)])

    async def _settle(self, row: RulingRow) -> bool:
        """Carry out a ruling; returns whether the match's record now contains it.

        A ruling that is refused is dropped; a ruling that failed is retried later.
        """
        try:
            is_ruled = await self._rule(row)
        except (Refusal, ServerError) as wrong:
            LOG.warning("match %s cannot be ended: %s", row.match, wrong)
            is_ruled = None
        except Exception as wrong:
            LOG.error("match %s cannot be ended now: %s", row.match, place_of(wrong))
            return False
        if is_ruled is not False:
            await asyncio.to_thread(self._store.rulings.settle, row.match)
        return bool(is_ruled)

    async def _rule(self, row: RulingRow) -> bool:
        live_match = await self._registry.open(row.match)
        winners = tuple(Seat(int(seat)) for seat in row.winners.split())
        return await live_match.command_queue.rule(OperatorRuled(row.why, winners, bool(row.void)))
