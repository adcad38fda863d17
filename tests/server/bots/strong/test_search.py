"""Which choice is preferred: one that was better often enough, else the policy's; a mixture where both choose."""

import random
from collections.abc import Mapping
from typing import Any

import pytest

from domain.kernel import Asked, Choice, One, Seat
from server.bots.mixing import mixture
from server.bots.strong.search import LEAST, Budget, ChoiceSearch, Meter, Weighed, drawn

ASKED = Asked(1, Seat(0), "Hand", {})
THEIRS = Asked(2, Seat(1), "Hand", {})


class Show(Choice, frozen=True):
    hand: int


HANDS = tuple(Show(hand) for hand in range(3))


class Known:
    """Trials of which the test says how they go. `suggests`: what the policy chooses."""

    def __init__(self, shares: Mapping[int, Any], suggests: int = 0, others: tuple[Asked, ...] = ()) -> None:
        self.tried: list[tuple[int, int]] = []
        self.promises: tuple[int, ...] = ()
        self.played, self._shares, self._suggests, self._others = 0, shares, suggests, others

    def suggested(self, number: int, asked: Asked | None = None) -> Choice:
        return HANDS[number % 3] if asked is not None else HANDS[self._suggests]

    def promising(self, most: int) -> list[Choice]:
        return [HANDS[hand] for hand in self.promises[:most]]

    def others(self, number: int) -> tuple[Asked, ...]:
        return self._others

    def is_known(self, choice: Choice, asked: Asked, worlds: int) -> bool:
        return True

    def share(self, choice: Any, number: int, answers: Mapping[int, Any] | None = None) -> float:
        self.played += 1
        self.tried.append((choice.hand, number))
        share = self._shares[choice.hand]
        if self._others:
            return float(share(number, answers[2].hand)) if answers else 0.5
        return float(share(number) if callable(share) else share)


def weigh(trials: Any, budget: int, most: int = 3) -> list[Weighed]:
    meter = Meter(Budget(trials=budget), trials)
    return ChoiceSearch(trials, ASKED, One(HANDS), meter, most, random.Random(1).randrange).weighed()


def test_a_choice_that_is_always_better_is_preferred() -> None:
    best, *_ = weigh(Known({0: 0.2, 1: 0.4, 2: 0.9}), 200)
    assert best.choice == HANDS[2]
    assert (best.share, best.weight) == pytest.approx((0.9, 1.0))


def test_the_policys_choice_stays_where_the_others_are_as_good() -> None:
    assert weigh(Known({0: 0.5, 1: 0.5, 2: 0.5}, suggests=1), 200)[0].choice == HANDS[1]


def test_luck_in_some_worlds_proves_nothing() -> None:
    lucky = {0: lambda n: n % 2, 1: lambda n: n % 3 == 0, 2: lambda n: (n + 1) % 2}
    assert weigh(Known(lucky), 120)[0].choice == HANDS[0]


@pytest.mark.parametrize("budget", [4, 12])
def test_with_few_trials_nothing_but_the_policys_choice_is_tried(budget: int) -> None:
    assert [one.choice for one in weigh(Known({0: 0.2, 1: 0.4, 2: 0.9}), budget)] == [HANDS[0]]


def test_what_was_tried_less_often_than_it_takes_is_not_preferred() -> None:
    found = weigh(Known({0: 0.2, 1: 0.4, 2: 0.9}), 40)
    assert found[0].trials >= LEAST or found[0].choice == HANDS[0]


def beats(mine: int) -> Any:
    """Rock, paper, scissors: each beats the one before it."""
    return lambda _, theirs: 0.5 if mine == theirs else float((mine - theirs) % 3 == 1)


def test_where_both_choose_at_once_the_answer_is_a_mixture_that_cannot_be_exploited() -> None:
    found = weigh(Known({hand: beats(hand) for hand in range(3)}, others=(THEIRS,)), 2000)
    assert {one.choice for one in found} == set(HANDS)
    assert [one.weight for one in found] == pytest.approx([1 / 3] * 3)
    source = random.Random(1)
    assert {drawn(found, source.randrange) for _ in range(60)} == set(HANDS)


def noisy(mine: int) -> Any:
    """As `beats`, with luck that is each world's own."""
    return lambda number, theirs: 0.25 + beats(mine)(number, theirs) / 2 + random.Random(number).uniform(-0.2, 0.2)


def by_hand(found: list[Weighed]) -> dict[int, Weighed]:
    return {hand: one for one in found for hand in range(3) if one.choice == HANDS[hand]}


def test_what_a_sealed_answer_is_worth_has_an_error_that_more_worlds_make_smaller() -> None:
    errors = []
    for budget in (400, 3600):
        found = weigh(Known({hand: noisy(hand) for hand in range(3)}, others=(THEIRS,)), budget)
        assert all(one.error > 0 for one in found)
        assert all(abs(one.share - 0.5) < 4 * one.error for one in found)
        errors.append(found[0].error)
    assert 2 < errors[0] / errors[1] < 5


def test_a_sealed_answer_is_judged_against_what_the_other_would_play_and_not_against_what_nobody_plays() -> None:
    """The other's first answer leaves nothing to each of its others, which would only make both look better."""
    rows = {0: (0.5, 0.9, 0.9), 1: (0.4, 1.0, 1.0), 2: (0.1, 0.9, 0.9)}
    found = weigh(
        Known({hand: lambda _, theirs, row=row: row[theirs] for hand, row in rows.items()}, others=(THEIRS,)), 900
    )
    assert {hand: one.weight for hand, one in by_hand(found).items()} == pytest.approx({0: 1, 1: 0, 2: 0})
    assert {hand: one.share for hand, one in by_hand(found).items()} == pytest.approx({0: 0.5, 1: 0.4, 2: 0.1})


def test_what_is_told_of_a_sealed_answer_changes_neither_the_trials_nor_what_is_played() -> None:
    """The same trials in the same order as ever, and the mixture of their plain means."""
    shares = {hand: noisy(hand) for hand in range(3)}
    trials = Known(shares, others=(THEIRS,))
    found = weigh(trials, 400)
    probed, tried = trials.tried[:4], trials.tried[4:]
    assert probed == [(0, number) for number in range(4)]
    worlds = len(tried) // 9
    order = list(dict.fromkeys(hand for hand, _ in tried))
    assert tried == [(hand, world) for world in range(worlds) for hand in order for _ in range(3)]
    sums = [[0.0] * 3 for _ in order]
    for world in range(worlds):
        for row, hand in zip(sums, order, strict=True):
            for theirs in range(3):
                row[theirs] += shares[hand](world, theirs)
    weights = mixture([[cell / worlds for cell in row] for row in sums])
    assert [by_hand(found)[hand].weight for hand in order] == weights


def test_no_trial_is_played_twice() -> None:
    trials = Known({0: 0.2, 1: 0.4, 2: 0.9})
    weigh(trials, 60)
    assert len(set(trials.tried)) == len(trials.tried) >= 60


@pytest.mark.parametrize(("budget", "tried"), [(15, 1), (16, 2)])
def test_another_choice_is_tried_from_so_many_trials_on(budget: int, tried: int) -> None:
    """Four of them show how long one takes; with two choices no trial is spent on which is the better rival."""
    found = weigh(Known({0: 0.2, 1: 0.4, 2: 0.9}), budget, most=2)
    assert len(found) == tried
    assert [one.trials for one in found] == [budget // 2] * 2 if tried == 2 else [4]


def test_what_the_policy_holds_promising_is_tried_before_anything_else() -> None:
    for hand in (1, 2):
        trials = Known({0: 0.2, 1: 0.4, 2: 0.9})
        trials.promises = (0, hand)
        assert {one.choice for one in weigh(trials, 24, most=2)} == {HANDS[0], HANDS[hand]}


def test_few_trials_have_to_show_more_than_many() -> None:
    """Better by 0.06 on the whole, by 0.36 in every second world and worse by 0.24 in the others."""
    shares = {0: 0.5, 1: lambda n: 0.86 if n % 2 else 0.26, 2: 0.1}
    for budget, best in ((30, 0), (600, 1)):
        trials = Known(shares)
        trials.promises = (0, 1)
        assert weigh(trials, budget, most=2)[0].choice == HANDS[best]
