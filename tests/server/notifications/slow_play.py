"""A slow match, persons in its seats, and their absences at their moves."""

from typing import Any

from domain.kernel import TimeControl
from server.operations.intervals import Intervals
from server.operations.settings import Limits
from server.people.accounts import session_hash
from server.people.own_matches import asked_seats
from server.wire.account_messages import Done, KeepSeat
from server.wire.client import Client
from server.wire.protocol import Accepted, Create, Created, Error
from tests.server.gate.signing_up import noted
from tests.server.notifications.postbox import Postbox, mailed
from tests.server.tabletop import TWO_PEOPLE, Player, Table
from tests.skirmish.game import GAME

DAY_MS = 86_400_000
FREE = Limits(sign_ups_per_minute=1000, sign_ins_per_minute=1000)
"""Limits that delay no test."""
SOON = Intervals(look_s=0.05, mail_ms=0)


async def slow_match(at: Table, title: str = "Sunday", vacation_ms: int = 0) -> Created:
    """A match with three days a move."""
    client, time = await at.client(), TimeControl("days", 3 * DAY_MS, vacation_ms=vacation_ms)
    return await client.ask(Create(GAME.name, TWO_PEOPLE, title=title, time=time), Created)


async def begun(at: Table, made: Created) -> list[Player]:
    """Both players, seated."""
    return [await at.player(made, seat) for seat in (0, 1)]


async def refusal(client: Client, message: Any) -> str:
    """The sentence that refuses a message."""
    return (await client.ask(message, Error)).why


async def moved(at: Table, made: Created) -> int:
    """Players come, make the waiting move and go, until a player who is away is asked anew; returns that seat."""
    while True:
        before = asked_seats(at.store, made.match)
        seat = min(before)
        player = await at.player(made, seat)
        assert isinstance(await player.choose(), Accepted)
        asked = asked_seats(at.store, made.match) - before - {seat}
        await player.client.connection.close()
        if asked:
            return min(asked)


def person_of(at: Table, session: str) -> str:
    """The person of a session."""
    found = at.store.devices.session(session_hash(session), 0)
    assert found is not None
    return found.person


async def both_sign_up(at: Table, made: Created, box: Postbox, *others: Created) -> list[str]:
    """Both players have noted their seats, of all these matches, and are told by mail; their sessions."""
    sessions = []
    for seat, handle in ((0, "Anja"), (1, "Bo")):
        client = await at.client()
        session = await noted(client, made, seat, handle)
        for other in others:
            await client.ask(KeepSeat(session=session, match=other.match, token=other.tokens[str(seat)]), Done)
        await mailed(client, session, box, f"{handle.lower()}@home.example")
        sessions.append(session)
    return sessions
