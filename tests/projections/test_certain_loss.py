"""A match is called lost after a choice only where the rules show it: no way out is left, and not: none was found."""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest

from domain.kernel import Asked, Choice, Event, MatchCreated, MatchEnded, NoChance, Seat, SeatTaken, begin, decide
from domain.vera_discordia.rules.deployment import Deploy
from projections.certain_loss import doomed
from projections.foresight import Consequences, foresee
from projections.registry import faces
from server.conformance.walks import Seeded
from tests.projections.foresight import moments
from tests.projections.matches import mask

TRIED = 12
"""Continuations that were once held to show that a match is lost."""
WAYS = 80
FAR = 60


class Moment(NamedTuple):
    """A question and an answer to it, in a match of random choices."""

    game: str
    events: tuple[Event, ...]
    state: Any
    asked: Asked
    choice: Choice

    def foreseen(self) -> Consequences:
        face = faces()[self.game]
        return foresee(
            face, face.game.view(self.events, mask(self.asked.seat)), self.state.stack, self.asked, self.choice
        )

    def ways(self) -> Iterator[bool]:
        """Of random continuations without chance, whether the match was not won in each."""
        below = random.Random(5).randrange
        for _ in range(WAYS):
            yield _unwon(self, below)


def _unwon(moment: Moment, below: Any) -> bool:
    game = faces()[moment.game].game
    state, asked, choice = moment.state, moment.asked, moment.choice
    for _ in range(FAR):
        try:
            play = decide(game, state, asked.seat, asked.number, choice, NoChance())
        except AssertionError:
            return False
        ended = next((event for event in play.events if isinstance(event, MatchEnded)), None)
        if ended is not None:
            return moment.asked.seat not in ended.result.won
        state, asked = play.state, play.state.asked[0]
        choice = game.revive_decision(asked).form(state).sample(below)
    return False


@cache
def walk(name: str, seed: int, **options: int) -> list[Moment]:
    """The last questions of a match of random choices that are answered openly."""
    game, rng, chance = faces()[name].game, random.Random(seed), Seeded(seed)
    events: list[Event] = [MatchCreated(name, options, ("", "")), SeatTaken(Seat(0), "A"), SeatTaken(Seat(1), "B")]
    play = begin(game, game.fold(events), chance)
    found: list[Moment] = []
    while play.state.asked:
        events += play.events
        state, asked = play.state, rng.choice(play.state.asked)
        choice = game.revive_decision(asked).form(state).sample(rng.randrange)
        found.append(Moment(name, tuple(events), state, asked, choice))
        play = decide(game, state, asked.seat, asked.number, choice, chance)
    return [moment for moment in found if not moment.state.sealed][-40:]


def test_dl_q60_twelve_ways_without_a_way_out_do_not_show_that_a_match_is_lost() -> None:
    misled = 0
    for moment in walk("disciples_legacy", 44, turn_limit=1):
        ways = list(moment.ways())
        if all(ways[:TRIED]) and not all(ways):
            misled += 1
            assert not moment.foreseen().lost
    assert misled


@pytest.mark.parametrize(
    ("game", "seed"),
    [("disciples_legacy", 30), ("war_for_edadh", 43), ("war_for_edadh", 44), ("joan_of_arc", 5)],
)
def test_what_is_called_lost_is_not_won_in_any_way(game: str, seed: int) -> None:
    options = {"turn_limit": 1} if game == "disciples_legacy" else {}
    called = [moment for moment in walk(game, seed, **options) if moment.foreseen().lost]
    assert called
    for moment in called:
        assert all(moment.ways())


def test_vd_129_no_general_that_can_still_be_deployed_is_given_up() -> None:
    told = 0
    for moment in moments(2, False, 60):
        if not isinstance(moment.choice, Deploy) or moment.asked.seat != 1:
            continue
        form = faces()["vera_discordia"].game.revive_decision(moment.asked).form(moment.state)
        saving = [choice for choice in form if getattr(choice, "general", False)]
        assert all(not moment.foreseen(choice).lost for choice in saving)
        told += bool(moment.foreseen().lost)
    assert told == 6


def test_of_a_secret_answer_nothing_is_called_lost() -> None:
    face = faces()["vera_discordia"]
    sealed = [m for m in moments(3, True, 130) if m.state.sealed]
    assert sealed
    assert not any(doomed(face, m.state, [m.state], m.asked, m.choice) for m in sealed)
