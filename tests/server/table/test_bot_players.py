"""Bots: they choose as anybody does, and one that fails holds no match up."""

import asyncio
import logging
from concurrent.futures.process import BrokenProcessPool
from types import SimpleNamespace
from typing import Any

import anyio
import pytest

from domain.kernel import AnyForm, Asked, Below, Choice, Seat
from replay.record.referee import Referee
from replay.store.memory import MemoryStore
from server.bots import RandomBot
from server.bots.errors import Hung
from server.bots.workers import BotQuestion, Workers
from server.operations.metrics import Meters
from server.table.bot_players import BotPlayers
from server.wire.protocol import Accepted, Refused
from tests.replay.matches import START, begun, ended
from tests.server.table.standins import Writing
from tests.server.tabletop import live

NO = Refused("b", "not-a-choice", "No.")


class Failing:
    """A bot that finds no choice."""

    def choose(self, view: Any, asked: Asked, form: AnyForm, below: Below) -> Choice:
        raise ZeroDivisionError


class Unanswering(Workers):
    """Processes of which none answers."""

    def __init__(self, wrong: Exception) -> None:
        super().__init__()
        self._wrong = wrong

    async def think(self, question: BotQuestion) -> Choice:
        raise self._wrong


class Players:
    """The bots of a match, of which the docket accepts what the test says."""

    def __init__(self, bot: Any, *answers: Accepted | Refused) -> None:
        store = MemoryStore()
        self.referee: Referee[Any] = begun(store, kind="person")
        command_queue: Any = Writing(store, self.referee, *answers)
        command_queue.chose = self._chose
        self.command_queue = command_queue
        seats: Any = SimpleNamespace(bots={Seat(1): bot} if bot else {})
        views: Any = SimpleNamespace(audience=self._audience)
        self.players: BotPlayers[Any] = BotPlayers(self.referee, command_queue, seats, views, Meters())
        self.players._again_s = (0.0, 0.0)

    def _chose(self) -> None:
        if isinstance(self.command_queue._answers[0], Accepted):
            self.referee.accept(ended(self.referee, START))

    async def _audience(self, _: Any) -> Any:
        return SimpleNamespace(view=self.referee.state)

    async def rest(self) -> None:
        self.players.wake()
        await self.end()

    async def end(self) -> None:
        with anyio.fail_after(120):
            while self.players.are_at_work:
                await asyncio.sleep(0)


@live
async def test_a_bot_answers_for_its_own_seat_with_a_choice_of_the_form() -> None:
    table = Players(RandomBot(), Accepted("b", 9))
    asked = table.referee.state.asked[1]
    await table.rest()
    ((seat, message, by),) = table.command_queue.chosen
    assert (seat, message.id, message.decision, by) == (1, f"bot-{asked.number}", asked.number, "bot")
    assert message.choice["do"] == "Play"


@live
async def test_nobody_wakes_where_no_bot_is_waited_for() -> None:
    table = Players(None)
    table.players.wake()
    assert not table.players.are_at_work
    over = Players(RandomBot())
    over.referee.accept(ended(over.referee, START))
    over.players.wake()
    assert not over.players.are_at_work


@live
async def test_a_legal_choice_at_random_takes_the_place_of_a_bot_that_fails(
    caplog: pytest.LogCaptureFixture,
) -> None:
    table = Players(Failing(), Accepted("b", 9))
    with caplog.at_level(logging.ERROR):
        await table.rest()
    assert len(table.command_queue.chosen) == 1
    assert any("no legal answer to CardSelection" in message for message in caplog.messages)


@live
async def test_where_chance_finds_nothing_either_it_is_logged_and_counted_and_the_bot_tries_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    table = Players(RandomBot(), *[NO] * 6, Accepted("b", 9))
    with caplog.at_level(logging.ERROR):
        await table.rest()
    assert len(table.command_queue.chosen) == 7
    assert sum("could not answer and tries again" in message for message in caplog.messages) == 3
    assert table.players._meters.stuck_bots == 3


@live
@pytest.mark.parametrize("wrong", [Hung("strong-3 of skirmish has not answered"), BrokenProcessPool("died")])
async def test_the_games_own_bot_answers_for_one_whose_thought_hangs_or_dies(
    wrong: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    table = Players(SimpleNamespace(looks_ahead=True, name="strong-3"), Accepted("b", 9))
    table.players._workers = Unanswering(wrong)
    with caplog.at_level(logging.WARNING):
        await table.rest()
    assert [by for _, _, by in table.command_queue.chosen] == ["bot"]
    assert [message for message in caplog.messages if f"for the bot of seat 1: {wrong}" in message]
    assert not any("no legal answer" in message for message in caplog.messages)


@live
async def test_a_bot_whose_choice_cannot_be_written_waits_until_it_is_woken() -> None:
    table = Players(RandomBot(), NO, Accepted("b", 9))
    table.command_queue.is_unwritten = True
    rested = table.players.rested_at
    await table.rest()
    assert len(table.command_queue.chosen) == 1
    assert table.players.rested_at >= rested
    table.command_queue.is_unwritten = False
    await table.rest()
    assert len(table.command_queue.chosen) == 2


@live
async def test_a_bot_that_thinks_can_be_stopped() -> None:
    table = Players(RandomBot())
    table.players._delay_s = 3600
    table.players.wake()
    await asyncio.sleep(0)
    assert table.players.are_at_work
    table.players.stop()
    await table.end()
    assert not table.command_queue.chosen
