"""What would follow from a choice is told to who is asked, and nothing happens by asking."""

from typing import Any

import pytest

from server.wire.foresight_messages import Foresee, Foreseen
from server.wire.protocol import Error, SeatWish
from tests.server.tabletop import Player, Table, live, table

TAKE, PRESS = 0, 1


async def foreseen(player: Player, decision: int, choice: Any) -> Foreseen | Error:
    """What the server says would follow."""
    await player.client.send(Foresee(id="f1", decision=decision, choice=choice))
    while True:
        message = await player.client.receive()
        if isinstance(message, Foreseen | Error):
            return message


async def pursuit(at: Table, *seats: SeatWish) -> tuple[Player, list[Player]]:
    """Who may take a point or press for two, and everybody at the table."""
    made = await at.create(*seats)
    players = [await at.player(made, int(seat)) for seat in made.tokens]
    for _ in range(200):
        for player in players:
            await player.reach(max(other.view.seq for other in players))
        for player in players:
            mine = player.view.asked()
            if mine and mine[0].kind == "Pursuit":
                return player, players
            if mine:
                await player.choose()
                break
        else:
            await players[0].reach(players[0].view.seq + 1)
    raise AssertionError("nobody won a round")


@live
async def test_who_is_asked_is_told_what_would_follow_and_nothing_happens() -> None:
    async with table() as at:
        player, _ = await pursuit(at)
        asked, seq = player.asked(), player.view.seq
        take = await foreseen(player, asked.number, TAKE)
        assert isinstance(take, Foreseen)
        assert (take.id, take.decision, take.roll, take.final) == ("f1", asked.number, "", "")
        assert take.lines
        press = await foreseen(player, asked.number, {"do": "Press"})
        assert isinstance(press, Foreseen)
        assert press.roll == "Pursuit: 1 die, 4 or more. Succeeds 50%."
        assert press.final == "It can be taken back only if everybody agrees."
        assert await foreseen(player, asked.number, PRESS) == press
        assert player.view.seq == seq
        assert player.asked() == asked


@live
async def test_nobody_else_is_told() -> None:
    async with table() as at:
        player, players = await pursuit(at)
        (other,) = (one for one in players if one is not player)
        number = player.asked().number
        told = await foreseen(other, number, TAKE)
        assert isinstance(told, Error)
        assert told.code == "not-your-decision"
        assert isinstance(await foreseen(player, number - 1, TAKE), Error)


@pytest.mark.parametrize("choice", [9, "x", {"do": "Nonesuch"}, None, {"do": "Play", "card": 1}])
@live
async def test_what_is_not_offered_is_refused_with_a_sentence(choice: Any) -> None:
    async with table() as at:
        player, _ = await pursuit(at)
        told = await foreseen(player, player.asked().number, choice)
        assert isinstance(told, Error)
        assert told.code in {"not-offered", "not-a-choice", "refused"}
        assert told.why.endswith(".")


@live
async def test_a_spectator_is_not_told() -> None:
    async with table() as at:
        made = await at.create()
        watcher = await at.spectator(made)
        told = await foreseen(watcher, 1, 0)
        assert isinstance(told, Error)
        assert told.code == "not-your-decision"
