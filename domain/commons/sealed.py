"""Answers that stay sealed until all have arrived (`ask(..., sealed=True)`)."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from domain.kernel import HIDDEN, Answered, Asked, Below, Decision, Seat, State

S = TypeVar("S", bound=State)
Kinds = Mapping[str, type[Decision]]


def by_name(*decisions: type[Decision]) -> dict[str, type[Decision]]:
    """Decision classes by the names under which they are asked."""
    return {decision.__name__: decision for decision in decisions}


def seen_answers(state: State, viewer: Seat | None) -> tuple[Answered, ...]:
    """The sealed answers as a viewer knows them: every answer but the viewer's own is hidden."""
    return tuple(a if a.asked.seat == viewer else replace(a, choice=HIDDEN) for a in state.answered)


def other_answers(state: S, kinds: Kinds, below: Below, keeps: Callable[[Asked], bool]) -> S:
    """The state with other possible sealed answers, each sampled by its form.

    Answers for which `keeps` holds stay as they are, and so do answers to decisions that are not in `kinds`.
    """

    def other(answered: Answered) -> Answered:
        asked = answered.asked
        if asked.kind not in kinds or keeps(asked):
            return answered
        decision: Decision = msgspec.convert(asked.terms, kinds[asked.kind])
        return Answered(asked, msgspec.to_builtins(decision.form(state).sample(below)))

    answers: Iterable[Answered] = map(other, state.answered)
    return replace(state, answered=tuple(answers))
