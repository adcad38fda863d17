"""Who plays on in thought: every answer is legal, and the choices that come next to the usual one are known."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import pytest

from domain.disciples_legacy.rules.rearranging import Keep
from domain.kernel import AnyForm, Asked, Choice, Playout, begin
from projections.registry import games
from scripts.benchmarks.matches import created
from server.bots import RandomBot, horizon_of, make_bot, sketch_of
from server.bots.chance import SeededChance

CLEAR: Final = {"joan_of_arc": "OrderChoice", "disciples_legacy": "BattleFormation"}
"""Questions to which the steady bot's answer is never drawn by lot."""
Moment = tuple[Any, Asked, AnyForm, Choice]


def moments(game: str, most: int) -> Iterator[Moment]:
    """Questions with several answers of a match between steady bots, and what was answered."""
    spec, source = games()[game], random.Random(3)
    chance = SeededChance(source)
    playout = Playout(spec, begin(spec, spec.created(created(spec)), chance).state, chance)
    bots = [make_bot(game, "steady") for _ in playout.state.players]
    while not playout.is_over and most:
        asked, state = playout.state.asked[0], playout.state
        form = playout.form(asked)
        choice = bots[asked.seat].choose(state, asked, form, source.randrange)
        if len(list(islice(form, 2))) > 1:
            most -= 1
            yield state, asked, form, choice
        playout.choose(asked, choice)


@pytest.mark.parametrize("game", CLEAR)
def test_what_it_answers_is_legal_and_what_is_promising_begins_with_the_usual_answer(game: str) -> None:
    sketch, clear = sketch_of(game)(), Counter[str]()
    for state, asked, form, usual in moments(game, 30):
        assert form.check(sketch.choose(state, asked, form, random.Random(1).randrange)) == ""
        promising = list(make_bot(game, "steady").promising(state, asked, form))  # type: ignore[attr-defined]
        assert [form.check(choice) for choice in promising] == [""] * len(promising)
        assert all(promising.count(choice) == 1 for choice in promising)
        if asked.kind == CLEAR[game]:
            clear[asked.kind] += 1
            assert promising[0] == usual
    assert clear[CLEAR[game]] > 2


def test_a_party_keeps_its_formation_in_thought() -> None:
    found = [moment for moment in moments("disciples_legacy", 50) if moment[1].kind == "BattleFormation"]
    below = random.Random(1).randrange
    assert {sketch_of("disciples_legacy")().choose(*moment[:3], below) for moment in found} == {Keep()}


def test_a_game_without_a_sketch_plays_on_as_its_strongest_bot() -> None:
    assert type(sketch_of("war_for_edadh")()) is type(make_bot("war_for_edadh", "steady"))
    assert isinstance(sketch_of("skirmish")(), RandomBot)


def test_a_game_says_how_far_it_is_played_on_in_thought() -> None:
    found = {game: horizon_of(game) for game in ("vera_discordia", "disciples_legacy", "joan_of_arc")}
    assert found == {"vera_discordia": 32, "disciples_legacy": 96, "joan_of_arc": 60}
    assert {horizon_of(game) for game in ("war_for_edadh", "skirmish")} == {16}
