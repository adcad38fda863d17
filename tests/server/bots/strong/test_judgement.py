"""How a position stands: shares of sides that add up, and the end of the match where it is over."""

import random

import pytest
from msgspec.structs import replace

from domain.kernel import Seat
from domain.kernel.state import result_of
from projections.registry import games
from server.bots.strong.features import features
from server.bots.strong.judgement import LATEST, Judgement, encoded, judgement_of, stage_of
from server.conformance.walks import Walk


@pytest.mark.parametrize("name", [*games()])
def test_the_shares_of_all_sides_add_up_to_one_all_through_a_match(name: str) -> None:
    judgement = judgement_of(name) or Judgement({})
    walk = Walk(games()[name], 1)
    for number, _ in enumerate(walk.steps(60)):
        if number % 10 == 0:
            assert sum(judgement.shares(walk.state)) == pytest.approx(1.0)


def test_a_match_that_is_over_is_judged_by_its_end() -> None:
    state = Walk(games()["vera_discordia"], 1).state
    judgement = Judgement({"Unit.life": 5.0})
    assert judgement.shares(replace(state, result=result_of([Seat(1)], "x"))) == [0.0, 1.0]
    assert judgement.shares(replace(state, result=result_of([], "x"))) == [0.5, 0.5]


def test_numbers_of_a_side_are_sums_over_what_belongs_to_it() -> None:
    walk, source = Walk(games()["vera_discordia"], 3), random.Random(1)
    for _ in walk.steps(60 + source.randrange(10)):
        pass
    sums = features(walk.state)
    for seat in range(2):
        own = [unit for unit in walk.state.units.values() if unit.seat == seat]
        assert sums[seat]["Unit"] == len(own)
        assert sums[seat]["Unit.life"] == sum(unit.life for unit in own)
        assert sums[seat]["Unit.life&general"] == sum(unit.life for unit in own if unit.general)
        assert sums[seat]["Side.motivation"] == walk.state.sides[seat].motivation


def test_more_of_what_weighs_is_better() -> None:
    walk = Walk(games()["vera_discordia"], 3)
    for _ in walk.steps(60):
        pass
    sums = features(walk.state)
    first, second = Judgement({"Unit.life": 0.1}).shares(walk.state)
    assert (first > second) == (sums[0]["Unit.life"] > sums[1]["Unit.life"])


def test_what_weighs_more_later_weighs_as_much_as_the_match_has_come_along() -> None:
    walk = Walk(games()["vera_discordia"], 3)
    state = next(walk.state for step, _ in enumerate(walk.steps(60)) if step > 15 and walk.state.asked)
    number = max(asked.number for asked in state.asked)
    now, later, half = (
        judgement.shares(state)[0]
        for judgement in (
            Judgement({"Unit.life": 0.1}),
            Judgement({}, later={"Unit.life": 0.1}, length=number),
            Judgement({"Unit.life": 0.05}, later={"Unit.life": 0.1}, length=2 * number),
        )
    )
    assert now == pytest.approx(later) == pytest.approx(half)
    assert now != pytest.approx(0.5)
    assert stage_of(state, 1) == LATEST


def test_a_judgement_is_read_as_it_is_written() -> None:
    assert b'"Unit.life": 0.5' in encoded(Judgement({"Unit.life": 0.5}, 3, 0.6))
