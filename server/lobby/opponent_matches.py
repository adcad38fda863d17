"""The matches of paired or invited people: each is made once, by the first server, and noted for its players."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress

from replay.record import sealing
from replay.store.errors import MatchExists
from replay.store.store import Store
from server.lobby.errors import CannotCreate
from server.lobby.match_factory import MatchFactory
from server.lobby.match_registry import MatchRegistry
from server.lobby.rematch_votes import once_more
from server.people.errors import AccountRefused
from server.people.profiles import Profiles
from server.people.seat_entry import SeatEntry
from server.wire.protocol import Create


class OpponentMatches:
    """Makes matches for the package that finds opponents."""

    def __init__(self, store: Store, factory: MatchFactory, registry: MatchRegistry, profiles: Profiles) -> None:
        self._store, self._factory, self._registry, self._profiles = store, factory, registry, profiles
        self._entry = SeatEntry(store)

    async def make(self, wish: Create, hashes: Mapping[int, bytes], mid: bytes, persons: Mapping[int, str]) -> None:
        """Make a match, unless it exists, and note its seats for the persons.

        Raises `CannotCreate` if it cannot be created.
        """
        with suppress(MatchExists):  # another server was faster, or was killed before it could report the match
            await self._factory.create(wish, hashes=hashes, mid=mid)
        await asyncio.to_thread(self._note, sealing.b64(mid), hashes, persons, rated=wish.rated)

    def _note(self, match: str, hashes: Mapping[int, bytes], persons: Mapping[int, str], *, rated: bool) -> None:
        for seat, person in persons.items():
            with suppress(AccountRefused):  # the person's list is full, but the seat is still the person's
                self._profiles.keep_seat(person, match, seat, on=True)
                self._entry.keep(person, match, seat, hashes[seat])
            if rated:
                self._store.rated_players.sit(person, match, seat)

    async def once_more(self, match: str) -> Create:
        """A request for a match like this finished one.

        Raises `CannotCreate` if the match cannot be repeated, and `NotAdmitted` if there is no such match.
        """
        live_match = await self._registry.open(match)
        if not live_match.is_over:
            raise CannotCreate("A match is played once more when it is over.")
        return await once_more(self._store, live_match)
