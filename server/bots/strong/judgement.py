"""How likely each side is to win from a position: a weight for each of its numbers, learned from matches of bots."""

from functools import cache
from importlib.resources import files
from math import exp
from typing import Any

import msgspec
from msgspec import Struct

from domain.kernel import State
from domain.kernel.state import side_of, sides_of
from server.bots.strong.features import features


class Judgement(Struct, frozen=True):
    """Weights by the name of a number (`features`), for one game; `matches` and `loss` say what they were learned from.

    `loss`: the mean of -ln of what was given to the side that won, in matches that were not learned from; ln 2 where
    nothing is known of two sides.
    """

    weights: dict[str, float]
    matches: int = 0
    loss: float = 0.0

    def shares(self, state: State) -> list[float]:
        """How likely each side is to win, in the order of `sides_of`; of a match that is over, how it ended."""
        sides = sides_of(state)
        if state.result is not None:
            won = [any(seat in state.result.won for seat in side) for side in sides]
            return [one / sum(won) if any(won) else 1 / len(sides) for one in won]
        weight = self.weights.get
        scores = [sum(weight(name, 0.0) * value for name, value in sums.items()) for sums in features(state)]
        best = max(scores)
        parts = [exp(score - best) for score in scores]
        return [part / sum(parts) for part in parts]

    def share(self, state: State, seat: int) -> float:
        """How likely the seat's side is to win."""
        return self.shares(state)[sides_of(state).index(side_of(state, seat))]


@cache
def judgement_of(game: str) -> Judgement | None:
    """What was learned of a game, where something was: the file `judgements/<game>.json` beside this module."""
    found = files("server.bots.strong").joinpath("judgements", f"{game}.json")
    return msgspec.json.decode(found.read_bytes(), type=Judgement) if found.is_file() else None


def encoded(judgement: Judgement) -> bytes:
    """The file of a judgement, a weight a line."""
    data: Any = msgspec.to_builtins(judgement)
    return msgspec.json.format(msgspec.json.encode(data), indent=1) + b"\n"
