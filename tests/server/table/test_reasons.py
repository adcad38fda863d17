"""The gentle bot: legal choices, slips now and then, and reasons out of what their reader knows."""

import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from domain.kernel import Event, MatchCreated, Seat, begin, decide
from projections.redaction import SPECTATOR, Viewer
from projections.registry import faces
from replay.scenarios.chance import ScriptedChance
from replay.scenarios.guides import first
from server.bots import GENTLE, RANDOM, GentleBot, bots_of, make_bot
from server.table.audience import Audience

OWN = [name for name in ("vera_discordia", "war_for_edadh") if first(name)]
MOST = 400


def played(name: str, seed: int) -> Iterator[Event]:
    """The events of a first match between gentle bots."""
    game, below = faces()[name].game, random.Random(seed).randrange
    plan = first(name)
    assert plan is not None
    created = MatchCreated(name, plan.options, ("Ada", "Bo"))
    bots = [make_bot(name, plan.bot) for _ in range(2)]
    yield created
    play = begin(game, game.created(created), ScriptedChance(below=below))
    yield from play.events
    for _ in range(MOST):
        state = play.state
        if not state.asked:
            return
        asked = state.asked[0]
        choice = bots[asked.seat].choose(state, asked, game.revive_decision(asked).form(state), below)
        chance = ScriptedChance(draws=state.draws, shuffled=state.shuffles, below=below)
        play = decide(game, state, asked.seat, asked.number, choice, chance)
        yield from play.events


def told(name: str, events: list[Event], viewer: Viewer, *explaining: int) -> list[dict[str, Any]]:
    audience = Audience(faces()[name], viewer, events[:1], lambda seat: seat in explaining)
    log: list[dict[str, Any]] = []
    for event in events[1:]:
        log += audience.step(0, [event]).get("log", [])
    return log


@pytest.mark.parametrize("name", OWN)
def test_what_the_gentle_bot_does_is_told_with_its_reason(name: str) -> None:
    events = list(played(name, 1))
    for viewer in (Viewer(Seat(0)), SPECTATOR):
        log = told(name, events, viewer, 1)
        why = [line for line in log if line.get("k") == "why"]
        assert why
        assert {line["seat"] for line in why} == {1}
        assert all(line["t"].startswith("Why: ") and line["t"].endswith(".") for line in why)
        assert all(before.get("k") != "why" for before, now in pairwise(log) if now in why)


@pytest.mark.parametrize("name", OWN)
def test_a_reason_is_made_of_what_its_reader_holds_alone(name: str) -> None:
    """Out of the redacted events themselves, without the world they come from, the same reasons come."""
    game, events = faces()[name].game, list(played(name, 2))
    viewer = Viewer(Seat(0))
    sent = [game.redact(event, viewer.mask) for event in events]
    assert told(name, events, viewer, 1) == told(name, sent, viewer, 1)


@pytest.mark.parametrize("name", OWN)
def test_nobody_is_told_why_he_moved_himself_nor_of_who_does_not_explain(name: str) -> None:
    events = list(played(name, 3))
    assert not [line for line in told(name, events, Viewer(Seat(1)), 1) if line.get("k") == "why"]
    assert not [line for line in told(name, events, SPECTATOR) if line.get("k") == "why"]


@pytest.mark.parametrize("name", OWN)
def test_the_gentle_bot_stands_between_the_best_and_chance(name: str) -> None:
    assert bots_of(name)[1:3] == (GENTLE, RANDOM)
    assert isinstance(make_bot(name, GENTLE), GentleBot)
    plan = first(name)
    assert plan is not None
    assert plan.bot in bots_of(name)


def test_a_game_without_a_bot_of_its_own_has_no_gentle_one() -> None:
    assert bots_of("skirmish") == (RANDOM,)
    with pytest.raises(KeyError):
        make_bot("skirmish", GENTLE)


def test_one_choice_in_four_is_a_slip() -> None:
    class Best:
        def choose(self, *_: Any) -> Any:
            return "best"

    class AnyChoice:
        def sample(self, _: Any) -> str:
            return "any"

    below: Any = iter([0, 1, 2, 3]).__next__
    bot = GentleBot(Best())
    chosen: list[Any] = [bot.choose(None, Any, AnyChoice(), lambda _: below()) for _ in range(4)]  # type: ignore[arg-type]
    assert chosen == ["any", "best", "best", "best"]
