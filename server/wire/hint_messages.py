"""The messages to a seat that has asked for a hint; part of `server.wire.protocol`."""

from typing import Any

from msgspec import Struct

from server.wire.words import Out


class Suggested(Struct, frozen=True, omit_defaults=True):
    """A choice that was tried, in words and as `choose` takes it (`answer`): how likely the seat's side is to win after
    it, ± `error`; `weight`: how often it is to be chosen, 1 for the one that is preferred. `lang`: the language these
    words are left in, where it is not the connection's."""

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

    `gain`: how much more often than with the second choice its side wins, ± `error`; 0 where nothing else was worth
    trying. Where the choices have weights between 0 and 1, all choose at once, and one is to be drawn by these.
    """

    id: str
    decision: int
    choices: tuple[Suggested, ...]
    gain: float = 0.0
    error: float = 0.0

    def __repr__(self) -> str:
        return f"Hinted({self.decision})"
