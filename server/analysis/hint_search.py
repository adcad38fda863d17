"""A hint: the search's choice for a seat's question, from the seat's knowledge and nothing else.

It is one task with plain data, which a server gives to a separate process. The effort is counted in trials and not in
time, so that the same view and the same seed give the same hint on any machine.
"""

import hashlib
from math import hypot
from typing import Any, Final

from msgspec import Struct, to_builtins

from domain.kernel import AnyForm, Asked, Assign, Choice, Formation, One, Pick
from projections.registry import faces
from server.analysis.best_choice import level_of, weighed
from server.bots.strong.search import Weighed

TRIALS: Final = 200
"""The effort for a hint."""
EARLY: Final = (12, 50)
"""The effort before each early result: after 12 trials it is the choice of the game's own bot, tried a few times."""
SHOWN: Final = 3
"""The number of choices in a hint."""


class HintSearch(Struct, frozen=True):
    """A question to search: the seat's view with the procedures under way, and a seed."""

    game: str
    view: Any
    asked: Asked
    seed: int
    trials: int = TRIALS

    def __repr__(self) -> str:
        return f"Pondering({self.game})"


class HintCandidate(Struct, frozen=True):
    """A choice in words and as an answer, its side's chance to win after it ± `error`, and how often to choose it."""

    choice: str
    answer: Any
    share: float
    error: float
    weight: float

    def __repr__(self) -> str:
        return "Considered()"


class HintFound(Struct, frozen=True):
    """The choices that were tried, the preferred one first, and its gain over the second, ± `error`."""

    choices: tuple[HintCandidate, ...]
    gain: float = 0.0
    error: float = 0.0


def seed_of(match: str, number: int) -> int:
    """The seed of a decision's hint: every repetition of the search gives the same."""
    return int.from_bytes(hashlib.sha256(f"hint {match} {number}".encode()).digest()[:7], "big")


def pondered(job: HintSearch) -> HintFound:
    """The choices that the search prefers. Raises `NoWorld` if no world fits what the seat knows."""
    face = faces()[job.game]
    found = weighed(face.game, job.view, job.asked, level_of(0, job.trials), job.seed)
    form = face.game.revive_decision(job.asked).form(job.view)

    def told(one: Weighed) -> HintCandidate:
        words, answer = face.option(job.view, job.asked, one.choice), answer_of(form, one.choice)
        return HintCandidate(words, answer, one.share, one.error, one.weight)

    choices = tuple(told(one) for one in found[:SHOWN])
    if len(choices) < 2:
        return HintFound(choices)
    best, second = choices[:2]
    return HintFound(choices, best.share - second.share, hypot(best.error, second.error))


def answer_of(form: AnyForm, choice: Choice) -> Any:
    """A choice in the form in which a person answers (`Form.read`); plain data if the form does not list the choice."""
    items = getattr(choice, choice.__struct_fields__[0]) if choice.__struct_fields__ else ()
    match form:
        case One(choices) if choice in choices:
            return choices.index(choice)
        case Pick():
            return list(items)
        case Assign(_, slots):
            before = (items[:at].count(item) for at, item in enumerate(items))
            return {f"{item}:{copy}": slot for item, copy, slot in zip(items, before, slots, strict=False)}
        case Formation():
            return dict(items)
    return to_builtins(choice)
