"""Nobody waits for a store but who has asked it: what it takes long for holds no other match up."""

import threading
from typing import Any

import anyio
import pytest

from replay.store.log import Entry
from replay.store.memory import MemoryMatches, MemoryStore
from server.wire.protocol import Hello, ListMatches, Matches, Welcome
from tests.server.tabletop import Aside, live, play_out, table


class Stalling(MemoryStore):
    """A store that lets those wait who read one match, or the list, until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.stalled = ""
        self.go_on = threading.Event()
        self.waiting = 0
        self.matches.listing = self.list_matches  # type: ignore[method-assign]

    def _wait(self, match: str) -> None:
        if match == self.stalled:
            self.waiting += 1
            assert self.go_on.wait(60)

    def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """See `Store`."""
        self._wait(match)
        return super().read(match, after, limit)

    def list_matches(self, status: str, limit: int) -> Any:
        """As `listing` of the match list."""
        self._wait(self.stalled)
        return MemoryMatches(self._shelf).listing(status, limit)


@live
async def test_a_match_that_cannot_be_read_at_the_moment_holds_no_other_up() -> None:
    store = Stalling()
    async with table(store) as at:
        one, two = await at.create(), await at.create()
        players = [await at.player(two, seat) for seat in (0, 1)]
        came, asked = await at.client(), await at.client()
        store.stalled = one.match
        await came.send(Hello(one.match, one.tokens["0"]))
        await asked.send(ListMatches())
        with anyio.fail_after(60):
            while store.waiting < 2:
                await anyio.sleep(0.01)
        assert await play_out(players, most=4) == 4
        store.go_on.set()
        assert isinstance(await came.expect(Welcome), Welcome)
        assert len((await asked.expect(Matches)).running) == 2


@live
async def test_a_server_of_the_tests_fails_where_it_asks_a_store_on_its_loop() -> None:
    aside: Any = Aside(MemoryStore())
    assert aside.pulse().waiting == 0
    with pytest.raises(AssertionError, match="holds the event loop up"):
        aside.matches.counts()
    assert await anyio.to_thread.run_sync(aside.matches.counts) == {}
