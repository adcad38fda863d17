"""Whole matches played as the browser plays them: by Scenes, Steps and prompts alone."""

from contextlib import AsyncExitStack

import anyio
import pytest

from replay.store.memory import MemoryStore
from server.gate.app import port_of, running
from server.lobby.lobby import Lobby
from server.wire.client import connected, enter
from server.wire.protocol import Create, Created, SeatWish, Snapshot
from tests.server.table.scenes import FACES, SHORT, Screen
from tests.server.tabletop import live


def wishes_of(game: str) -> tuple[SeatWish, ...]:
    """A seat for who makes the match, the others for friends."""
    seats = range(FACES[game].game.seats)
    return tuple(SeatWish("friend" if seat else "me", f"Player {seat + 1}") for seat in seats)


@pytest.mark.parametrize("game", sorted(FACES))
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.whole)])
@live
async def test_a_match_is_played_by_prompts_and_steps_end_in_the_scene_of_the_record(game: str, seed: int) -> None:
    lobby = Lobby(MemoryStore(), FACES, bot_delay_s=0)
    async with running(lobby) as server:
        url = f"ws://127.0.0.1:{port_of(server)}/ws"
        seats = FACES[game].game.seats
        async with AsyncExitStack() as open_clients:
            maker, *clients = [await open_clients.enter_async_context(connected(url)) for _ in range(seats + 2)]
            created = await maker.ask(Create(game, wishes_of(game), SHORT.get(game, {})), Created)
            screens = [Screen(client, seed + i) for i, client in enumerate(clients)]
            tokens = [*(created.tokens[str(seat)] for seat in range(seats)), ""]
            async with anyio.create_task_group() as tasks:
                for screen, token in zip(screens, tokens, strict=True):
                    tasks.start_soon(screen.play, created.match, token)
            for screen, token in zip(screens, tokens, strict=True):
                async with connected(url) as late:
                    await enter(late, created.match, token, caps=("scene",))
                    snapshot = await late.expect(Snapshot)
                    fresh = Screen(late, 0)
                    fresh.take(snapshot)
                    assert fresh.scene == screen.scene
                    assert fresh.seq == screen.seq
