"""The messages to a seat that has asked for a hint; part of `server.wire.protocol`."""

from typing import Any

from msgspec import Struct

from server.wire.words import Id, In, Out, Seq


class StopHint(In, frozen=True, tag="stop_hint"):
    """Stop the search for the hint that `id` asked for, unless another connection of the seat waits for it.

    No further `hinted` is sent for this hint; the last one remains the result. A `hint` for the same decision begins
    the search again.
    """

    id: Id
    decision: Seq


class Suggested(Struct, frozen=True, omit_defaults=True):
    """A choice that the search tried, in words and in the form of `choose` (`answer`): the chance of the seat's side to
    win after it, ± `error`; `weight`: how often to choose it, 1 for the preferred choice. `lang`: the language of these
    words, if they are not translated into the connection's.
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

    `gain`: how much more often the seat's side wins with the first choice than with the second, ± `error`; 0 if no
    other choice was worth trying. Weights between 0 and 1 mean that all seats choose at the same time: draw one of the
    choices by these weights.

    `done` of `of` trials are done: 1 of 1 for the last result, fewer for an early result, after which a better one
    follows.
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
