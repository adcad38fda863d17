"""The full-screen replay: keys move through the match, eyes change what is shown, nothing is shown too early."""

import random
from typing import Any

import click
import pytest
from textual.widgets import Input, RichLog, Static

from domain.kernel import Seat
from domain.vera_discordia import GAME
from projections.redaction import SPECTATOR, Viewer
from projections.registry import faces
from replay.playback.follow import FollowedReplay
from replay.playback.seek import Replay, is_choice
from replay.store.memory import MemoryStore
from server.cli.player import Help, ReplayPlayer, viewpoints
from server.cli.words import LANGUAGE
from tests.replay.matches import begun, played, step
from tests.server.tabletop import live


@pytest.fixture(scope="module")
def replay() -> Replay[Any]:
    store, referee = played(5, game=GAME, options={"without_generals": True}, most=80)
    return Replay.of_store(faces()["vera_discordia"], store, referee.match)


def shown(player: ReplayPlayer, name: str) -> str:
    return str(player.query_one(name, Static).render())


@live
async def test_keys_move_through_the_match(replay: Replay[Any]) -> None:
    player = ReplayPlayer(replay, SPECTATOR)
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


@live
async def test_keys_and_eyes_are_named_in_the_commands_language(replay: Replay[Any]) -> None:
    context = click.Context(click.Command("replay"))
    context.meta[LANGUAGE] = "de"
    with context:
        player = ReplayPlayer(replay, SPECTATOR)
        async with player.run_test(size=(160, 48)) as pilot:
            assert f"Zeile 1 von {replay.end}   als Zuschauer" in shown(player, "#head")
            named = {found.binding.description for found in player.active_bindings.values()}
            assert {"weiter", "Wahl", "Augen"} <= named
            assert not {"next", "choice", "eyes"} & named
            await pilot.press("question_mark")
            (text,) = player.screen.query(Static)
            assert "Jede Taste schließt dies." in str(text.render())


@live
async def test_eyes_change_what_is_shown(replay: Replay[Any]) -> None:
    player = ReplayPlayer(replay, SPECTATOR, start=10_000)
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


@live
async def test_search_and_go_to_a_line(replay: Replay[Any]) -> None:
    player = ReplayPlayer(replay, SPECTATOR)
    async with player.run_test(size=(160, 48)) as pilot:
        await pilot.press("slash", *"terrain", "enter")
        found = replay.search("terrain", SPECTATOR, 1)
        assert found is not None
        assert player.seq == found.seq
        await pilot.press("g", "7", "enter")
        assert player.seq == 7
        assert not player.query_one(Input).display


@live
async def test_the_chronicle_ends_at_the_moment_shown(replay: Replay[Any]) -> None:
    player = ReplayPlayer(replay, SPECTATOR, start=60)
    async with player.run_test(size=(160, 48)) as pilot:
        await pilot.pause()
        lines = player.query_one("#chronicle", RichLog).lines
        last = replay.chronicle(1, 60, SPECTATOR)[-1]
        assert last.text.split()[-1] in str(lines[-1].text)


def rows(player: ReplayPlayer) -> list[str]:
    """What is on the screen, a string a row."""
    return ["".join(part.text for part in strip) for strip in player.screen._compositor.render_strips()]


@live
@pytest.mark.parametrize(("width", "is_below"), [(97 + 30, False), (97 + 29, True), (120, True), (80, True)])
async def test_a_chronicle_without_room_beside_the_board_is_below_it(
    replay: Replay[Any], width: int, *, is_below: bool
) -> None:
    player = ReplayPlayer(replay, SPECTATOR, start=60)
    async with player.run_test(size=(width, 40)) as pilot:
        await pilot.pause()
        board, chronicle = player.query_one("#board").region, player.query_one("#chronicle").region
        assert (chronicle.y >= board.bottom) is is_below
        assert (chronicle.x >= board.right) is not is_below


@live
@pytest.mark.parametrize("width", [120, 80])
async def test_no_line_of_the_board_is_wrapped(replay: Replay[Any], width: int) -> None:
    player = ReplayPlayer(replay, SPECTATOR, start=60)
    drawn = replay.face.board(replay.at(60, SPECTATOR), None).splitlines()
    async with player.run_test(size=(width, 48)) as pilot:
        await pilot.pause()
        await pilot.pause()
        for line, row in zip(drawn, rows(player)[1:], strict=False):
            assert row[1 : width - 3].rstrip() == line[: width - 4].rstrip()
        await pilot.press(">", ">")
        await pilot.pause()
        assert (player.query_one("#board").scroll_x > 0) is (width < 97)


def test_everything_is_offered_only_where_it_may_be_seen(replay: Replay[Any]) -> None:
    assert None not in viewpoints(replay, everything=False)
    assert viewpoints(replay, everything=True)[-1] is None


@live
@pytest.mark.parametrize(("key", "to"), [("t", "turn"), ("r", "round"), ("]", "phase"), ("n", "choice")])
async def test_keys_go_to_the_next_and_the_last_landmark(replay: Replay[Any], key: str, to: str) -> None:
    player = ReplayPlayer(replay, SPECTATOR)
    other = {"t": "T", "r": "R", "]": "[", "n": "p"}[key]
    async with player.run_test(size=(160, 48)) as pilot:
        await pilot.press(key)
        first = player.seq
        assert first == replay.step(1, to)
        await pilot.press(key, other)
        assert player.seq == first


@live
async def test_a_search_goes_on_and_a_kind_is_found(replay: Replay[Any]) -> None:
    player = ReplayPlayer(replay, SPECTATOR)
    async with player.run_test(size=(160, 48)) as pilot:
        await pilot.press("slash", *"begins", "enter")
        first = player.seq
        await pilot.press("full_stop")
        assert player.seq > first
        await pilot.press("home", "k", *"ordersissued", "enter")
        assert player.seq == replay.step(1, "OrdersIssued")


@live
async def test_a_click_on_the_scrubber_goes_there(replay: Replay[Any]) -> None:
    player = ReplayPlayer(replay, SPECTATOR)
    async with player.run_test(size=(160, 48)) as pilot:
        await pilot.click("#scrubber", offset=(80, 0))
        assert abs(player.seq - replay.end / 2) < replay.end / 50


@live
async def test_help_lists_every_key_and_any_key_closes_it(replay: Replay[Any]) -> None:
    player = ReplayPlayer(replay, SPECTATOR)
    async with player.run_test(size=(80, 24)) as pilot:
        await pilot.press("question_mark")
        assert [type(screen) for screen in player.screen_stack][1:] == [Help]
        await pilot.press("x")
        assert len(player.screen_stack) == 1
        assert player.seq == 1


@live
async def test_the_table_is_drawn_anew_in_another_size(replay: Replay[Any]) -> None:
    player = ReplayPlayer(replay, SPECTATOR, start=60)
    async with player.run_test(size=(160, 48)) as pilot:
        wide = len(shown(player, "#scrubber"))
        await pilot.resize_terminal(70, 20)
        await pilot.pause()
        assert len(shown(player, "#scrubber")) == wide - 90
        assert player.seq == 60


@live
async def test_who_is_at_the_end_of_a_live_match_stays_there() -> None:
    store = MemoryStore()
    referee = begun(store, GAME)
    following = FollowedReplay(faces()["vera_discordia"], store, referee.match)
    player = ReplayPlayer(following.replay, SPECTATOR, start=10_000, following=following)
    async with player.run_test(size=(160, 48)) as pilot:
        before = player.seq
        step(store, referee, random.Random(1))
        player._follow()
        await pilot.pause()
        assert before < player.seq == referee.seq
        await pilot.press("home")
        step(store, referee, random.Random(1))
        player._follow()
        assert player.seq == 1
        assert player.replay.end == referee.seq


def test_a_file_of_one_seat_offers_no_other_seats_eyes(replay: Replay[Any]) -> None:
    held = Replay(replay.face, replay.events)
    held.view = "seat1"
    assert viewpoints(held, everything=False) == [SPECTATOR, Viewer(Seat(1))]
    held.view = "spectator"
    assert viewpoints(held, everything=False) == [SPECTATOR]


@live
async def test_the_chronicle_is_wrapped_to_its_width(replay: Replay[Any]) -> None:
    player = ReplayPlayer(replay, SPECTATOR, start=10_000)
    async with player.run_test(size=(160, 48)) as pilot:
        await pilot.pause()
        log = player.query_one("#chronicle", RichLog)
        assert max(line.cell_length for line in log.lines) <= log.scrollable_content_region.width
