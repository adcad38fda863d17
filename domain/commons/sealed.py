"""Answers that lie sealed until all are in (`ask(..., sealed=True)`)."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from domain.kernel import HIDDEN, Answered, Asked, Below, Decision, Seat, State

S = TypeVar("S", bound=State)
Kinds = Mapping[str, type[Decision]]


def by_name(*decisions: type[Decision]) -> dict[str, type[Decision]]:
    """Decisions by the names under which they are asked."""
    return {decision.__name__: decision for decision in decisions}


def seen_answers(state: State, viewer: Seat | None) -> tuple[Answered, ...]:
    """The sealed answers as a viewer knows them: his own."""
    return tuple(a if a.asked.seat == viewer else replace(a, choice=HIDDEN) for a in state.answered)


def other_answers(state: S, kinds: Kinds, below: Below, keeps: Callable[[Asked], bool]) -> S:
    """The state with possible sealed answers, each drawn as its form samples it.

    Answers named by `keeps` stay as they are, and so does the answer to a decision that is not among `kinds`.
    """

    def other(answered: Answered) -> Answered:
        asked = answered.asked
        if asked.kind not in kinds or keeps(asked):
            return answered
        decision: Decision = msgspec.convert(asked.terms, kinds[asked.kind])
        return Answered(asked, msgspec.to_builtins(decision.form(state).sample(below)))

    answers: Iterable[Answered] = map(other, state.answered)
    return replace(state, answered=tuple(answers))
