"""The bot that looks ahead: what it chooses follows from what it knows, its seed and its budget."""

import random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel import HIDDEN, AnyForm, Asked, Below, Choice, Play, decide
from server.analysis.simulation import read_bots
from server.bots import RandomBot, bots_of, looks_ahead, make_bot, with_procedures
from server.bots.strong.bot import LEVELS, Level, StrongBot
from server.bots.strong.search import Budget, Meter
from server.bots.strong.trials import Trials
from server.bots.workers import BotQuestion, Workers
from server.conformance.walks import Walk
from tests.server.tabletop import live
from tests.skirmish.game import GAME, SkirmishState

TRIED = Level(Budget(trials=240), most=6)


def bot(level: Level = TRIED) -> StrongBot:
    return StrongBot(GAME, RandomBot, level)


def moment(seed: int) -> tuple[SkirmishState, Asked]:
    walk = Walk(GAME, seed)
    return walk.state, walk.state.asked[0]


def choose(player: StrongBot, state: SkirmishState, asked: Asked, seed: int = 1) -> Choice:
    return player.choose(state, asked, GAME.revive_decision(asked).form(state), random.Random(seed).randrange)


def test_the_same_view_and_seed_give_the_same_answer() -> None:
    state, asked = moment(4)
    assert {choose(bot(), state, asked) for _ in range(3)} == {choose(bot(), state, asked)}


def test_a_view_without_procedures_is_answered_as_the_policy_would() -> None:
    state, asked = moment(4)
    hidden = replace(state, stack=HIDDEN)
    form = GAME.revive_decision(asked).form(state)
    assert choose(bot(), hidden, asked, 9) == RandomBot().choose(hidden, asked, form, random.Random(9).randrange)


@pytest.mark.parametrize("game", ["vera_discordia", "war_for_edadh", "joan_of_arc", "disciples_legacy"])
def test_every_game_has_five_levels_of_it_behind_all_others(game: str) -> None:
    assert bots_of(game)[-5:] == tuple(f"strong-{level}" for level in LEVELS)
    assert not looks_ahead(make_bot(game, bots_of(game)[0]))
    player = make_bot(game, "strong-2")
    assert looks_ahead(player)
    assert player.name == "strong-2"
    assert read_bots(game, "strong-1,random", 2) == ("strong-1", "random")


def test_a_level_has_more_time_than_the_one_before() -> None:
    times = [level.budget.ms for level in LEVELS.values()]
    assert times == sorted(set(times))


def test_no_more_is_tried_than_the_budget_and_one_more_world_allow() -> None:
    state, asked = moment(6)
    trials = Trials(GAME, state, asked, 1, RandomBot, None, 4)
    meter = Meter(Budget(trials=10), trials)
    trials.share(GAME.revive_decision(asked).default(state), 0)
    assert meter.spent == 0.1


def test_sealed_answers_of_others_are_given_anew_in_thought() -> None:
    walk = Walk(GAME, 2)
    first, choice = walk.state.asked[0], GAME.revive_decision(walk.state.asked[0]).default(walk.state)
    walk.make(first, choice)
    (asked,) = walk.state.asked
    trials = Trials(GAME, walk.state, asked, 1, RandomBot, None, 4)
    assert trials.others(0) == (first,)
    assert trials.world(0).state.answered == ()


class Drawing(RandomBot):
    """Answers with the first option, after so many lots."""

    def __init__(self, lots: int) -> None:
        self._lots = lots

    def choose(self, view: Any, asked: Asked, form: AnyForm, below: Below) -> Choice:
        for _ in range(self._lots):
            below(6)
        return next(iter(form))


def test_how_often_bots_draw_lots_in_thought_changes_no_dice() -> None:
    state, asked = moment(4)
    choice = GAME.revive_decision(asked).default(state)
    shares = [
        [Trials(GAME, state, asked, 1, RandomBot, None, 4, lambda: Drawing(lots)).share(choice, n) for n in range(9)]  # noqa: B023
        for lots in (0, 1, 3)
    ]
    assert len(set(shares[0])) > 1
    assert shares == [shares[0]] * 3


async def _thought(workers: Workers, question: BotQuestion) -> Choice:
    try:
        return await workers.think(question)
    finally:
        workers.stop()


@pytest.mark.parametrize("count", [0, pytest.param(1, marks=pytest.mark.whole)])
@live
async def test_workers_answer_for_a_bot_that_they_know_by_name(count: int) -> None:
    game = make_bot("war_for_edadh", "strong-1")._game  # type: ignore[attr-defined]
    walk = Walk(game, 1)
    asked = walk.state.asked[0]
    view = with_procedures(game.view(walk.events, 1 << asked.seat), walk.state)
    choice = await _thought(Workers(count), BotQuestion(game.name, "strong-1", view, asked, 5))
    made: Play[Any] = decide(game, walk.state, asked.seat, asked.number, choice, walk.chance)
    assert made.events
