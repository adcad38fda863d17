"""How long a bot thinks."""

import random
import time
from typing import Any

from domain.kernel import Game, Mask, MatchCreated, decide
from server.analysis import SeededChance
from server.bots import make_bot


def thinking_ms(game: Game[Any], bot: str, seeds: range) -> list[float]:
    """Processor time of every decision of a bot that sits in every seat, in ms."""
    found: list[float] = []
    for seed in seeds:
        source = random.Random(seed)  # noqa: S311 - repeatable on purpose
        chance = SeededChance(source)
        bots = [make_bot(game.name, bot) for _ in range(game.seats)]
        state = game.created(MatchCreated(game.name, {}, tuple(f"seat {seat}" for seat in range(game.seats))))
        views = [state] * game.seats
        resolver = game.begin(state, chance)
        while True:
            for seat, view in enumerate(views):
                views[seat] = game.fold((game.redact(event, Mask(1 << seat)) for event in resolver.events), view)
            if resolver.state.result is not None:
                break
            asked = resolver.state.asked[0]
            view = views[asked.seat]
            form = game.revive_decision(asked).form(view)
            begun = time.thread_time()
            choice = bots[asked.seat].choose(view, asked, form, source.randrange)
            found.append((time.thread_time() - begun) * 1e3)
            resolver = decide(game, resolver.state, asked.seat, asked.number, choice, chance)
    return found
