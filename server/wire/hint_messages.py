"""The messages to a seat that has asked for a hint; part of `server.wire.protocol`."""

from typing import Any

from msgspec import Struct

from server.wire.words import Id, In, Out, Seq


class StopHint(In, frozen=True, tag="stop_hint"):
    """Search no further for the hint that `id` asked for, unless another connection of the seat waits for it.

    No further `hinted` comes for it; the last one remains the result. A `hint` for the same decision begins the search
    again.
    """

    id: Id
    decision: Seq


class Suggested(Struct, frozen=True, omit_defaults=True):
    """A choice that was tried, in words and as `choose` takes it (`answer`): its side's chance to win after it, ±
    `error`; `weight`: how often to choose it, 1 for the preferred one. `lang`: the language of these words, if they are
    not translated into the connection's.
    """

    choice: str
    answer: Any
    share: float
    error: float
    weight: float
    lang: str = ""

    def __repr__(self) -> str:
        return "Suggested()"


class Hinted(Out, frozen=True, tag="hinted"):
    """The search's choices for the decision, as far as its seat can know, the preferred choice first.

    `gain`: how much more often its side wins than with the second choice, ± `error`; 0 if nothing else was worth
    trying. Weights between 0 and 1 mean that all seats choose at the same time: draw one of the choices by these
    weights.

    `done` trials of `of`: 1 of 1 for the last result, fewer for an early one, after which a better one follows.
    """

    id: str
    decision: int
    choices: tuple[Suggested, ...]
    gain: float = 0.0
    error: float = 0.0
    done: int = 1
    of: int = 1

    def __repr__(self) -> str:
        return f"Hinted({self.decision})"
