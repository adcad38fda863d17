"""Shared by `test_foresight` and other tests: Moment, moments."""

import random
from functools import cache
from typing import Any, NamedTuple

from domain.kernel import Asked, Choice, Event, MatchCreated, Seat, SeatTaken, begin, decide
from domain.vera_discordia.rules.deployment import Deploy
from projections.foresight import Consequences, foresee
from projections.registry import faces
from server.conformance.walks import Seeded
from tests.projections.matches import mask

FACE = faces()["vera_discordia"]


GAME = FACE.game


class Moment(NamedTuple):
    """A question, before it is answered: the events so far, the state, what was chosen, and what came of it."""

    events: tuple[Event, ...]
    state: Any
    asked: Asked
    choice: Choice
    after: Any

    def foreseen(self, choice: Choice | None = None) -> Consequences:
        view = GAME.view(self.events, mask(self.asked.seat))
        return foresee(FACE, view, self.state.stack, self.asked, choice or self.choice)


@cache
def moments(seed: int, general: bool, most: int) -> list[Moment]:
    """A match of random choices; `general`: whether the second seat deploys its General."""
    rng, chance = random.Random(seed), Seeded(seed)
    events: list[Event] = [MatchCreated(GAME.name, {}, ("", ""))]
    events += [SeatTaken(Seat(0), "Abel"), SeatTaken(Seat(1), "Doviso")]
    play = begin(GAME, GAME.fold(events), chance)
    found: list[Moment] = []
    while play.state.asked and len(found) < most:
        events += play.events
        state, asked = play.state, rng.choice(play.state.asked)
        form = GAME.revive_decision(asked).form(state)
        choice = form.sample(rng.randrange)
        if isinstance(choice, Deploy) and (
            wanted := [c for c in form if getattr(c, "general", None) == (general or asked.seat == 0)]
        ):
            choice = rng.choice(wanted)
        play = decide(GAME, state, asked.seat, asked.number, choice, chance)
        found.append(Moment(tuple(events), state, asked, choice, play))
    return found
