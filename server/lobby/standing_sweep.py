"""Gives the answers that seats have signed ahead, in all matches that wait for them, even with no page open.

It checks the matches at fixed intervals of the server's own time, so that the moment of an answer reveals nothing.
"""

import asyncio
import logging
from typing import Final

from domain.kernel import Seat
from replay.errors import RecordError
from replay.store.store import Store
from server.errors import place_of
from server.lobby.match_registry import MatchRegistry

LOG = logging.getLogger(__name__)
IN_A_ROW: Final = 16
"""The maximum number of answers that one check gives for a seat; the next check continues."""


class StandingSweep:
    """Checks the matches that have continued since the last check, each in the process in which it lives."""

    def __init__(self, store: Store, registry: MatchRegistry) -> None:
        self._store, self._registry = store, registry
        self._stood: dict[str, int] = {}
        """The last lines, at the last check, of matches that are not in memory here."""

    async def look(self) -> int:
        """Answer if a seat has signed an answer that fits; returns the number of answers given. A fault is logged."""
        try:
            waiting = await asyncio.to_thread(self._waiting)
        except RecordError as wrong:
            LOG.warning("what seats have signed ahead cannot be read: %s", place_of(wrong))
            return 0
        return sum([await self._answer(match, seat) for match, seat in waiting])

    def _waiting(self) -> list[tuple[str, Seat]]:
        """The seats with stored answers in matches that have continued since the last check; call it in a thread.

        Another server may hold the match in memory and be quicker, so only a match that has not moved is returned.
        """
        kept = [row for row in self._store.standing.looked() if self._registry.placement.has(row[0])]
        heads = self._store.heads([match for match, _, _ in kept])
        for match, seat, _ in kept:
            if match not in heads:
                self._store.standing.drop(match, seat)
        news = [(match, seat) for match, seat, looked in kept if heads.get(match, looked) != looked]
        away = {match: heads[match] for match, _ in news if self._registry.found(match) is None}
        stood, self._stood = self._stood, away
        return [(match, Seat(seat)) for match, seat in news if match not in away or stood.get(match) == away[match]]

    async def _answer(self, match: str, seat: Seat) -> int:
        """Answer for a seat.

        Returns the number of answers, more than one if an answer leads at once to the next question.
        """
        try:
            live_match = await self._registry.as_stored(match)
            for given in range(IN_A_ROW):
                if not await live_match.standing.look(seat):
                    return given
        except Exception as wrong:  # a match that cannot continue must not hold up the others
            LOG.error("match %s cannot be answered ahead: %s", match, place_of(wrong))
            return 0
        return IN_A_ROW
