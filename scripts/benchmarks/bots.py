"""How long a bot thinks."""

import random
import time
from typing import Any

from domain.kernel import Asked, Below, Choice, Game, MatchCreated, begin
from domain.kernel.form import AnyForm
from domain.kernel.history import views_of
from server.analysis.simulation import play_on
from server.bots import Bot, make_bot
from server.bots.chance import SeededChance


class Timed:
    """A bot whose decisions are timed."""

    def __init__(self, bot: Bot, times_ms: list[float]) -> None:
        self._bot = bot
        self._times_ms = times_ms

    def choose(self, view: Any, asked: Asked, form: AnyForm, below: Below) -> Choice:
        """Return the bot's choice, and record the processor time that it took."""
        begun = time.thread_time()
        choice = self._bot.choose(view, asked, form, below)
        self._times_ms.append((time.thread_time() - begun) * 1e3)
        return choice


def thinking_ms(game: Game[Any], bot: str, seeds: range) -> list[float]:
    """Processor time of every decision of a bot that sits in every seat, in ms."""
    found: list[float] = []
    for seed in seeds:
        source = random.Random(seed)  # noqa: S311 - repeatable on purpose
        created = MatchCreated(game.name, {}, tuple(f"seat {seat}" for seat in range(game.seats)))
        opening = begin(game, game.created(created), SeededChance(source))
        bots = [Timed(make_bot(game.name, bot), found) for _ in range(game.seats)]
        play_on(game, views_of(game, [created, *opening.events]), bots, source)
    return found
