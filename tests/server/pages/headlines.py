"""Shared by `test_headlines` and other tests: played."""

from typing import Any

from server.wire.protocol import Create, Created
from tests.server.tabletop import TWO_PEOPLE, Player, Table
from tests.skirmish.game import GAME


async def played(at: Table, **options: Any) -> tuple[Created, list[Player]]:
    """A new match and its players."""
    client = await at.client()
    created = await client.ask(Create(GAME.name, TWO_PEOPLE, **options), Created)
    return created, [await at.player(created, seat) for seat in (0, 1)]
