"""The fold: its order, its limits, and the same digits from a second implementation."""

import msgspec
import pytest

from replay.ratings import model
from replay.ratings.errors import RatingsInvalid
from replay.ratings.fold import PAIR_DAY, PROVISIONAL, Ratings, folded
from replay.ratings.results import RatedResult
from tests.replay.ratings.invented import HOUR_MS, START_MS, many, result
from tests.replay.ratings.published import recomputed

DAY = model.DAY_MS
MIDNIGHT = START_MS // DAY * DAY + DAY


def lines_of(results: list[RatedResult], at_ms: int) -> list[bytes]:
    told = [{"t": "ratings", "at_ms": at_ms}, *({"t": "result", "result": one} for one in results)]
    return [msgspec.json.encode(one) for one in told]


@pytest.mark.parametrize("seed", range(4))
def test_a_second_implementation_of_the_published_formulas_gives_the_same_digits(seed: int) -> None:
    results = many(400, seed)
    at = results[-1].end_ms + 40 * DAY
    found = folded(results).standings(at)
    assert {(one.game, one.player): (one.rating, one.deviation) for one in found} == recomputed(lines_of(results, at))


def test_results_of_one_end_stand_in_the_order_of_their_matches() -> None:
    first, second = (result(number, end_ms=MIDNIGHT) for number in (1, 2))
    assert folded([first, second]).counted == 2
    for wrong in ([second, first], [first, first]):
        with pytest.raises(RatingsInvalid, match="does not stand in the order"):
            folded(wrong)


def test_of_the_results_of_the_same_players_so_many_count_on_a_day_and_no_more() -> None:
    same = [result(n, end_ms=MIDNIGHT + n) for n in range(1, PAIR_DAY + 1)]
    ratings = folded(same)
    assert (ratings.counted, ratings.passed_over) == (PAIR_DAY, 0)
    before = ratings.standings(MIDNIGHT)
    swapped = result(50, (("ben",), ("ann",)), end_ms=MIDNIGHT + 50)
    assert ratings.add(swapped) is False
    assert (ratings.standings(MIDNIGHT), ratings.passed_over) == (before, 1)
    assert ratings.add(result(51, (("ann",), ("cleo",)), end_ms=MIDNIGHT + 51))
    assert ratings.add(result(52, game="joan", end_ms=MIDNIGHT + 52))
    assert ratings.add(result(53, end_ms=MIDNIGHT + DAY))


def test_each_game_has_ratings_of_its_own() -> None:
    ratings = folded([result(1), result(2, places=(2, 1), game="joan")])
    skirmish = ratings.standings(START_MS, "skirmish")
    assert [one.player for one in skirmish] == ["ann", "ben"]
    assert [one.player for one in ratings.standings(START_MS)] == ["ben", "ann", "ann", "ben"]


def test_a_player_without_matches_for_long_is_known_less_and_stands_behind_the_others() -> None:
    ratings = Ratings()
    for n in range(1, 100):
        ratings.add(result(n, places=(1, 2) if n % 2 else (2, 1), end_ms=MIDNIGHT + n * DAY))
    end = MIDNIGHT + 99 * DAY
    now, later = ratings.standings(end), ratings.standings(end + 2000 * DAY)
    assert not any(one.is_provisional for one in now)
    assert all(one.is_provisional for one in later)
    assert [one.rating for one in later] == [one.rating for one in now]


def test_a_deviation_that_is_just_small_enough_is_not_provisional() -> None:
    one = folded([result(1)]).standings(START_MS)[0]
    assert msgspec.structs.replace(one, deviation=PROVISIONAL + 1).is_provisional
    assert not msgspec.structs.replace(one, deviation=PROVISIONAL).is_provisional


def test_wins_are_first_places_alone_and_draws_first_places_shared() -> None:
    three = (("ann",), ("ben",), ("cleo",))
    ratings = folded([result(1, three, (1, 1, 2)), result(2, three, (2, 1, 3)), result(3, three, (1, 2, 2))])
    found = {one.player: (one.matches, one.won, one.drawn, one.lost) for one in ratings.standings(START_MS)}
    assert found == {"ann": (3, 1, 1, 1), "ben": (3, 1, 1, 1), "cleo": (3, 0, 0, 3)}


def test_these_results_give_these_very_digits() -> None:
    told = [(one.player, one.rating, one.deviation) for one in folded([result(1), result(2)]).standings(START_MS)]
    assert told == [("ann", 1639695, 234712), ("ben", 1360305, 234712)]


def test_one_more_result_changes_only_its_players() -> None:
    results = many(60, 9)
    ratings = folded(results)
    before = {(one.game, one.player): one for one in ratings.standings(START_MS)}
    last = result(99, (("ann",), ("ben",)), end_ms=results[-1].end_ms + HOUR_MS)
    assert ratings.add(last)
    after = {(one.game, one.player): one for one in ratings.standings(START_MS)}
    assert {key for key in after if after[key] != before.get(key)} == {("skirmish", "ann"), ("skirmish", "ben")}
