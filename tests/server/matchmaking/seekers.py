"""People who look for opponents, for the tests."""

import secrets
from typing import Any

from replay.record import sealing
from replay.record.seat_draw import sealed_lot
from server.wire.account_messages import Done
from server.wire.client import Client
from server.wire.opponent_messages import PlayNow, Search, StopSearch, Terms
from tests.server.people.signing import registered
from tests.skirmish.game import GAME

TERMS = Terms(GAME.name)


class Seeking:
    """A person with a connection, and the search that it keeps alive."""

    def __init__(self, client: Client, session: str, terms: Terms = TERMS, **more: Any) -> None:
        self.client, self.session, self.terms, self.more = client, session, terms, more
        self.token = secrets.token_urlsafe(32)
        self.lot = secrets.token_bytes(32)
        self.told: tuple[str, ...] = ()
        self.begins = True

    @classmethod
    async def of(cls, client: Client, handle: str, terms: Terms = TERMS, **more: Any) -> "Seeking":
        """A new person."""
        return cls(client, await registered(client, handle), terms, **more)

    def anew(self, terms: Terms | None = None, **more: Any) -> None:
        """Begin another search."""
        self.token, self.begins, self.told = secrets.token_urlsafe(32), True, ()
        self.terms, self.more = terms or self.terms, more

    @property
    def sealed(self) -> str:
        """The commitment to the lot."""
        return sealed_lot(self.lot)

    async def ask(self, *, shows: bool = True, **more: Any) -> Search:
        """Ask once how the search goes, showing the lot where it is time to; `shows` false: never."""
        lot = sealing.b64(self.lot) if self.told and shows else ""
        given = {"terms": self.terms, **self.more, **more}
        wish = PlayNow(session=self.session, token=self.token, sealed=self.sealed, begins=self.begins, lot=lot, **given)
        told = await self.client.ask(wish, Search)
        self.begins, self.told = False, told.sealed
        if told.fresh:
            self.lot = secrets.token_bytes(32)
        return told

    async def stop(self) -> None:
        """Stop searching."""
        await self.client.ask(StopSearch(session=self.session, token=self.token), Done)


async def all_found(*seeking: Seeking, rounds: int = 6, **more: Any) -> list[Search]:
    """Ask in turns until everybody has found a match. `more`: what each says."""
    told = [await one.ask(**more) for one in seeking]
    for _ in range(rounds):
        if all(one.state == "found" for one in told):
            return told
        told = [await one.ask(**more) for one in seeking]
    raise AssertionError(told)
