"""The model against others' implementations of it, and against what it promises."""

import math
import random

import pytest
from openskill.models import PlackettLuce

from replay.ratings import model

DUELS = [(1.0, (1, 2)), (0.5, (1, 1)), (0.0, (2, 1))]


def strangers(seed: int, count: int) -> list[model.Member]:
    rng = random.Random(seed)
    return [(rng.uniform(900, 2300), rng.uniform(20, 250)) for _ in range(count)]


def test_the_exponential_function_is_right_to_the_last_digit_but_one() -> None:
    rng = random.Random(1)
    for x in (0.0, -0.0, 1.0, -1.0, 0.34657359, -0.34657360, *(rng.uniform(-60, 60) for _ in range(5000))):
        assert abs(model.exponential(x) / math.exp(x) - 1) < 4.5e-16


@pytest.mark.parametrize(
    ("x", "digits"),
    [(-1.0, "0x1.78b56362cef38p-2"), (-0.5, "0x1.368b2fc6f960ap-1"), (-10.0, "0x1.7cd79b5647c9ap-15")],
)
def test_the_exponential_function_has_these_very_digits(x: float, digits: str) -> None:
    assert model.exponential(x).hex() == digits


@pytest.mark.parametrize("players", [2, 3, 5])
def test_openskill_gives_the_same_for_places_without_ties(players: int) -> None:
    other = PlackettLuce(mu=model.MEAN, sigma=model.DEVIATION, beta=model.BETA, kappa=model.KAPPA, tau=0.0)
    for seed in range(200):
        members = strangers(seed, players)
        places = random.Random(seed).sample(range(1, players + 1), players)
        made = model.updated([[member] for member in members], places)
        rated = other.rate([[other.rating(mu=m, sigma=d)] for m, d in members], ranks=[float(p) for p in places])
        for (one,), (two,) in zip(made, rated, strict=True):
            assert one == pytest.approx((two.mu, two.sigma), abs=1e-9)


@pytest.mark.parametrize(("score", "places"), DUELS)
def test_two_seats_have_the_same_digits_by_the_short_way(score: float, places: tuple[int, int]) -> None:
    for seed in range(500):
        one, two = strangers(seed, 2)
        for first, second in ((one, two), (one, one), (one, (one[0], two[1]))):
            ((made_1,), (made_2,)) = model.updated([[first], [second]], places)
            assert model.updated_two(first, second, score) == (made_1, made_2)


def test_sides_that_are_equally_strong_are_even_however_many_share_them() -> None:
    member = (1500.0, 100.0)
    alone, shared = model.updated([[member], [member, member]], (1, 1))
    assert [mean for mean, _ in (*alone, *shared)] == [1500.0] * 3


def test_a_winner_rises_and_a_loser_falls_and_both_are_known_better() -> None:
    ((winner,), (loser,)) = model.updated([[(1500.0, 200.0)], [(1600.0, 200.0)]], (1, 2))
    assert winner[0] > 1500
    assert loser[0] < 1600
    assert max(winner[1], loser[1]) < 200


def test_a_draw_brings_two_players_together() -> None:
    lower, higher = model.updated_two((1400.0, 100.0), (1600.0, 100.0), 0.5)
    assert 1400 < lower[0] < higher[0] < 1600


def test_the_deviation_grows_with_days_and_no_further_than_that_of_a_stranger() -> None:
    assert model.drifted(60.0, 0) == 60.0
    assert model.drifted(60.0, 1) == math.sqrt(3625.0)
    assert model.drifted(60.0, 2355) < model.DEVIATION
    assert model.drifted(60.0, 2356) == model.drifted(60.0, 10**6) == model.DEVIATION


def test_thousandths_round_halves_up() -> None:
    assert [model.thousandths(x) for x in (1.0004, 1.0005, 0.5, -0.0005)] == [1000, 1001, 500, 0]
