"""The steady bot: it beats random play."""

import pytest

from server.bots import bots_of, make_bot
from server.cli.matches import simulate_one


def wins(first: str, second: str, matches: range) -> list[int | None]:
    return [simulate_one("vera_discordia", (first, second), {}, seed).winner for seed in matches]


def test_steady_is_the_strongest_bot_and_random_is_always_there() -> None:
    ahead = tuple(f"strong-{level}" for level in range(1, 6))
    assert bots_of("vera_discordia") == ("steady", "gentle", "random", *ahead)


def test_a_bot_that_does_not_play_the_game_is_refused() -> None:
    with pytest.raises(KeyError):
        make_bot("vera_discordia", "grandmaster")


def test_steady_beats_random_from_either_seat() -> None:
    assert wins("steady", "random", range(12)).count(0) >= 9
    assert wins("random", "steady", range(12)).count(1) >= 9


@pytest.mark.deep
def test_steady_beats_random_in_nine_of_ten() -> None:
    won = wins("steady", "random", range(200)).count(0) + wins("random", "steady", range(200, 400)).count(1)
    assert won >= 360
