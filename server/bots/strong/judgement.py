"""Each side's chance to win from a position: weights for each of its numbers, learned from matches of bots."""

from functools import cache
from importlib.resources import files
from math import exp
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.kernel import State
from domain.kernel.state import side_of, sides_of
from server.bots.strong.features import features

LATEST: Final = 1.5
"""A match longer than this many usual lengths is judged as if it had this length."""


class Judgement(Struct, frozen=True):
    """The weights for one game, by the name of a number (`features`), learned from this many `matches`.

    The weight of a number changes during a match: `later` is added to it for each usual length of `length` decisions
    that has passed; 0 if no length is known.

    `loss`: the mean of -ln of the chance given to the side that won, in matches outside the training set. With two
    sides, guessing gives ln 2.
    """

    weights: dict[str, float]
    matches: int = 0
    loss: float = 0.0
    later: dict[str, float] = {}
    length: int = 0

    def shares(self, state: State) -> list[float]:
        """Each side's chance to win, in the order of `sides_of`; for a match that is over, its result."""
        sides = sides_of(state)
        if state.result is not None:
            won = [any(seat in state.result.won for seat in side) for side in sides]
            return [one / sum(won) if any(won) else 1 / len(sides) for one in won]
        weight, later, stage = self.weights.get, self.later.get, self._stage(state)
        scores = [
            sum((weight(name, 0.0) + stage * later(name, 0.0)) * value for name, value in sums.items())
            for sums in features(state)
        ]
        best = max(scores)
        parts = [exp(score - best) for score in scores]
        return [part / sum(parts) for part in parts]

    def _stage(self, state: State) -> float:
        return stage_of(state, self.length) if self.later else 0.0

    def share(self, state: State, seat: int) -> float:
        """The chance that the seat's side wins."""
        return self.shares(state)[sides_of(state).index(side_of(state, seat))]


def stage_of(state: State, length: int) -> float:
    """The progress of a match: 0 at its first question, 1 after `length` questions, the usual length."""
    return min(LATEST, max((asked.number for asked in state.asked), default=0) / length)


@cache
def judgement_of(game: str) -> Judgement | None:
    """The weights learned for a game, if there are any, from the file `judgements/<game>.json` beside this module."""
    found = files("server.bots.strong").joinpath("judgements", f"{game}.json")
    return msgspec.json.decode(found.read_bytes(), type=Judgement) if found.is_file() else None


def encoded(judgement: Judgement) -> bytes:
    """The content of a judgement's file, with one weight per line."""
    data: Any = msgspec.to_builtins(judgement)
    return msgspec.json.format(msgspec.json.encode(data), indent=1) + b"\n"
