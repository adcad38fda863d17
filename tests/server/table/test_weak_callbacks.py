"""What is let go leaves memory at once: no match is held up by a walk through all objects for its sake."""

import gc
from collections.abc import Iterator
from weakref import ref

import anyio
import pytest

from server.gate.match_listener import MatchListener
from server.table.weak_callbacks import weak_callback
from tests.server.tabletop import live, play_out, table


@pytest.fixture
def uncollected() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


class Bell:
    def __init__(self) -> None:
        self.rung: list[int] = []

    def ring(self, times: int) -> None:
        self.rung.append(times)


def test_a_call_back_reaches_its_object_while_it_lives_and_does_not_keep_it() -> None:
    bell = Bell()
    rung, ring = bell.rung, weak_callback(bell.ring)
    ring(2)
    gone = ref(bell)
    del bell
    assert gone() is None
    ring(3)
    assert rung == [2]


@live
async def test_a_match_that_is_let_go_and_its_connections_leave_memory_without_a_collection(uncollected: None) -> None:
    async with table() as at:
        created = await at.create()
        players = [await at.player(created, seat) for seat in range(2)]
        watcher = await at.spectator(created)
        await play_out(players)
        live_match = at.lobby.registry.live_match(created.match)
        listeners = [listener for listener in live_match.connections if isinstance(listener, MatchListener)]
        kept = [
            ref(one)
            for one in (
                live_match,
                live_match.command_queue,
                live_match.views,
                live_match.timers,
                live_match.seats,
                *listeners,
            )
        ]
        assert len(listeners) == 3
        del live_match, listeners
        for one in (*players, watcher):
            await one.client.connection.close()
        with anyio.fail_after(120):
            while not at.lobby.registry.forget_idle(-1):
                await anyio.sleep(0.01)
            while any(one() is not None for one in kept):
                await anyio.sleep(0.01)
