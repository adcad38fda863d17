"""Sealed answers: a viewer knows his own, and the others' are drawn anew."""

from random import Random
from typing import Any

from domain.commons.sealed import by_name, other_answers, seen_answers
from domain.kernel import HIDDEN, Answered, Asked, Choice, Decision, One, Seat, State, only

SEATS = (Seat(0), Seat(1))


class Name(Choice, frozen=True):
    """Name a number."""

    number: int


class Naming(Decision, frozen=True):
    """Z-1 Which number."""

    rule = "Z-1"

    def form(self, state: Any) -> One:
        return only(tuple(Name(number) for number in range(100)))


def answered(seat: Seat, kind: str = "Naming") -> Answered:
    return Answered(Asked(seat + 1, seat, kind, {"by": seat}), {"do": "Name", "number": 7})


STATE = State(answered=tuple(map(answered, SEATS)))


def test_a_viewer_knows_his_own_answer_and_a_spectator_none() -> None:
    assert [answer.choice == HIDDEN for answer in seen_answers(STATE, SEATS[0])] == [False, True]
    assert [answer.choice == HIDDEN for answer in seen_answers(STATE, None)] == [True, True]


def test_other_answers_are_drawn_where_nothing_keeps_them() -> None:
    below, kinds = Random(3).randrange, by_name(Naming)
    drawn = [other_answers(STATE, kinds, below, lambda asked: asked.seat == 0).answered for _ in range(9)]
    assert all(answers[0] == STATE.answered[0] for answers in drawn)
    assert len({answers[1].choice["number"] for answers in drawn}) > 1


def test_an_answer_of_another_kind_stays() -> None:
    state = State(answered=(answered(SEATS[0], "Other"),))
    assert other_answers(state, by_name(Naming), Random(3).randrange, lambda _: False) == state
