"""Pairing: the longest waiting gets the nearest, further away the longer both wait, and nobody who may not."""

from collections.abc import Sequence

import pytest

from server.matchmaking.choice import ANYBODY_S, COARSE, STEP, Seeker, fits, gather


def anybody(one: str, other: str) -> bool:
    """Whether two may meet where nobody has blocked anybody."""
    return one != other


def seeker(person: str, rating: float = 1500, waited: float = 0, **more: object) -> Seeker:
    return Seeker(person, rating, waited, **{"shows": True, **more})  # type: ignore[arg-type]


def pair(waiting: Sequence[Seeker]) -> tuple[str, ...]:
    return gather(waiting[0], waiting[1:], 2, anybody)


def test_whoever_asks_gets_the_nearest_and_of_equals_the_longest_waiting() -> None:
    assert pair([seeker("a"), seeker("b", 1510, 3), seeker("c", 1490, 5)]) == ("a", "c")


def test_the_longest_waiting_gets_the_nearest() -> None:
    waiting = [seeker("a", 1500, 20), seeker("b", 1700, 10), seeker("c", 1520, 5), seeker("d", 1510, 1)]
    assert pair(waiting) == ("a", "d")


@pytest.mark.parametrize(("gap", "is_paired"), [(STEP, True), (STEP + 1, False)])
def test_at_first_opponents_are_near(gap: int, is_paired: bool) -> None:
    assert bool(pair([seeker("a"), seeker("b", 1500 + gap)])) is is_paired


@pytest.mark.parametrize(("waited", "is_paired"), [(ANYBODY_S, True), (ANYBODY_S - 1, False)])
def test_who_has_waited_for_a_minute_meets_anybody_who_has_too(waited: float, is_paired: bool) -> None:
    far = [seeker("a", 800, ANYBODY_S), seeker("b", 2600, waited)]
    assert bool(pair(far)) is is_paired


def test_ranges_hold_both_ways_however_long_somebody_waits() -> None:
    picky = seeker("a", 1500, 1000, low=1400, high=1600)
    assert fits(picky, seeker("b", 1600, 1000), anybody)
    assert not fits(picky, seeker("b", 1601, 1000), anybody)
    assert not fits(seeker("b", 1399, 1000), picky, anybody)


def test_a_range_never_finds_somebody_whose_rating_is_hidden() -> None:
    hidden = seeker("b", 1500, 1000, shows=False)
    for low, high in ((1, 9000), (1500, 1500)):
        assert not fits(seeker("a", 1500, 1000, low=low, high=high), hidden, anybody)
        assert not fits(seeker("a", 1500, 1000, low=low, high=high), hidden, anybody, is_taken=True)


def test_hidden_ratings_are_paired_alike_within_a_coarse_step() -> None:
    probes = [seeker("a", rating, waited) for rating in range(900, 2200, 50) for waited in (0, 15, 70)]
    inside = [1500 - COARSE / 4, 1500, 1500 + COARSE / 4]
    answers = {
        tuple(fits(probe, seeker("b", rating, waited, shows=False), anybody) for probe in probes)
        for rating in (1600 + (one - 1500) for one in inside)
        for waited in (0,)
    }
    assert len(answers) == 1


def test_blocked_people_never_meet_not_even_by_an_offer() -> None:
    def may_meet(one: str, other: str) -> bool:
        return {one, other} != {"a", "b"}

    waiting = [seeker("a", waited=100), seeker("b", waited=99), seeker("c", 2000, 98)]
    assert gather(waiting[0], waiting[1:], 2, may_meet) == ("a", "c")
    assert not fits(waiting[0], waiting[1], may_meet, is_taken=True)


def test_a_table_of_several_is_gathered_of_people_who_all_fit() -> None:
    def may_meet(one: str, other: str) -> bool:
        return {one, other} != {"b", "c"}

    waiting = [seeker(name, waited=90) for name in "abcde"]
    assert gather(waiting[0], waiting[1:], 4, may_meet) == ("a", "b", "d", "e")
    assert gather(waiting[0], waiting[1:4], 4, may_meet) == ()


def test_nobody_meets_oneself() -> None:
    assert pair([seeker("a", waited=90), seeker("a", waited=90)]) == ()


def test_whether_two_may_meet_is_asked_of_those_alone_who_would_play() -> None:
    asked = []

    def may_meet(one: str, other: str) -> bool:
        asked.append((one, other))
        return True

    crowd = [seeker(f"{n:04}", 1000 + n, 90) for n in range(1000)]
    assert len(gather(crowd[500], [*crowd[:500], *crowd[501:]], 2, may_meet)) == 2
    assert len(asked) == 1
