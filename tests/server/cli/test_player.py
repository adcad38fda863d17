"""The full-screen replay: keys move through the match, eyes change what is shown, nothing is shown too early."""

from typing import Any

import pytest
from textual.widgets import Input, RichLog, Static

from domain.kernel import Seat
from domain.vera_discordia import GAME
from projections.redaction import SPECTATOR, Viewer
from projections.registry import faces
from replay.moments import Replay, is_choice
from server.cli.player import Player, viewpoints
from tests.replay.matches import played


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def replay() -> Replay[Any]:
    store, referee = played(5, game=GAME, options={"without_generals": True}, most=80)
    return Replay.of_store(faces()["vera_discordia"], store, referee.match)


def shown(player: Player, name: str) -> str:
    return str(player.query_one(name, Static).render())


@pytest.mark.anyio
async def test_keys_move_through_the_match(replay: Replay[Any]) -> None:
    player = Player(replay, SPECTATOR)
    async with player.run_test(size=(160, 48)) as pilot:
        assert player.seq == 1
        await pilot.press("right", "right", "left")
        assert player.seq == 2
        await pilot.press("n")
        assert player.seq == replay.after(2, is_choice)
        await pilot.press("end")
        assert player.seq == replay.end
        await pilot.press("right")
        assert player.seq == replay.end
        await pilot.press("home")
        assert player.seq == 1
        assert f"line 1 of {replay.end}" in shown(player, "#head")


@pytest.mark.anyio
async def test_eyes_change_what_is_shown(replay: Replay[Any]) -> None:
    player = Player(replay, SPECTATOR, start=10_000)
    async with player.run_test(size=(160, 48)) as pilot:
        seen = {shown(player, "#table")}
        await pilot.press("v")
        assert player.eyes == Viewer(Seat(0))
        seen.add(shown(player, "#table"))
        await pilot.press("v")
        seen.add(shown(player, "#table"))
        assert len(seen) == 3
        await pilot.press("v")
        assert player.eyes == SPECTATOR


@pytest.mark.anyio
async def test_search_and_go_to_a_line(replay: Replay[Any]) -> None:
    player = Player(replay, SPECTATOR)
    async with player.run_test(size=(160, 48)) as pilot:
        await pilot.press("slash", *"terrain", "enter")
        found = replay.search("terrain", SPECTATOR, 1)
        assert found is not None
        assert player.seq == found.seq
        await pilot.press("g", "7", "enter")
        assert player.seq == 7
        assert not player.query_one(Input).display


@pytest.mark.anyio
async def test_the_chronicle_ends_at_the_moment_shown(replay: Replay[Any]) -> None:
    player = Player(replay, SPECTATOR, start=60)
    async with player.run_test(size=(160, 48)) as pilot:
        await pilot.pause()
        lines = player.query_one("#chronicle", RichLog).lines
        last = replay.chronicle(1, 60, SPECTATOR)[-1]
        assert last.text.split()[-1] in str(lines[-1].text)


@pytest.mark.anyio
async def test_a_narrow_terminal_keeps_the_board(replay: Replay[Any]) -> None:
    player = Player(replay, SPECTATOR, start=60)
    async with player.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert player.screen.has_class("narrow")
        assert not player.query_one("#chronicle").display


def test_everything_is_offered_only_where_it_may_be_seen(replay: Replay[Any]) -> None:
    assert None not in viewpoints(replay, everything=False)
    assert viewpoints(replay, everything=True)[-1] is None
