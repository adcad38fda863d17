"""The course of ratings: what each result changed, as the fold has it."""

from replay.ratings.fold import Ratings, Standing
from replay.ratings.history import History
from replay.ratings.results import RatedResult
from replay.record import sealing

DAY_MS = 86_400_000


def named(n: int) -> str:
    return sealing.b64(n.to_bytes(8) * 2)


def result(n: int, one: str, other: str, *, places: tuple[int, ...] = (1, 2), game: str = "skirmish") -> RatedResult:
    match = named(n)
    return RatedResult(match, game, n * DAY_MS, sealing.b64(bytes(32)), ((one,), (other,)), places, 1, "")


def noted(*results: RatedResult) -> tuple[Ratings, History]:
    history = History()
    ratings = Ratings(history.note)
    for one in results:
        ratings.add(one)
    return ratings, history


def test_each_change_begins_where_the_one_before_ended() -> None:
    results = [result(n, "a", "b" if n % 2 else "c", places=(1, 2) if n % 3 else (2, 1)) for n in range(1, 20)]
    ratings, history = noted(*results)
    changes = history.changes(ratings, "skirmish", "a", 100)
    assert len(changes) == 19
    assert changes[0].before == 1_500_000
    assert [one.after for one in changes[:-1]] == [one.before for one in changes[1:]]
    now = ratings.standing("skirmish", "a", 0)
    assert now is not None
    assert changes[-1].after == now.rating
    assert history.changes(ratings, "skirmish", "a", 5) == changes[-5:]


def test_a_match_is_found_by_its_id_and_nothing_else_is() -> None:
    ratings, history = noted(result(1, "a", "b"), result(2, "a", "b"))
    found = history.change(ratings, "skirmish", "b", result(1, "a", "b").match)
    assert found is not None
    assert found.after < found.before == 1_500_000
    for game, player, match in (
        ("skirmish", "c", result(1, "a", "b").match),
        ("pennants", "a", result(1, "a", "b").match),
        ("skirmish", "a", result(3, "a", "b").match),
    ):
        assert history.change(ratings, game, player, match) is None


def test_results_beyond_those_of_a_day_are_no_changes() -> None:
    results = [
        RatedResult(named(n), "skirmish", DAY_MS + n, sealing.b64(bytes(32)), (("a",), ("b",)), (1, 2))
        for n in range(8)
    ]
    ratings, history = noted(*results)
    assert len(history.changes(ratings, "skirmish", "a", 100)) == 5
    assert (history.games("a"), history.all_games()) == (["skirmish"], ("skirmish",))


def farmed(opponents: int) -> tuple[list[float], Standing]:
    """A player who beats helpers five times a day for forty days: what each day gains, in points, and what comes of it.

    `opponents`: how many helpers there are; each is used for as long as the others.
    """
    names = [f"helper{n}" for n in range(opponents)]
    results = [
        RatedResult(named(day * 10 + n), "skirmish", day * DAY_MS + n, "", (("a",), (names[day % opponents],)), (1, 2))
        for day in range(1, 41)
        for n in range(5)
    ]
    ratings, history = noted(*results)
    changes = history.changes(ratings, "skirmish", "a", 1000)
    standing = ratings.standing("skirmish", "a", 41 * DAY_MS)
    assert standing is not None
    return [(changes[5 * day + 4].after - changes[5 * day].before) / 1000 for day in range(40)], standing


def test_two_browsers_of_one_person_gain_ever_less_and_have_no_place() -> None:
    days, standing = farmed(1)
    assert days[0] > 10 * days[10] > 10 * days[39]
    assert standing.is_provisional


def test_a_throwaway_account_a_day_gains_ever_less_too() -> None:
    days, _ = farmed(40)
    assert days[0] > 3 * days[39]
