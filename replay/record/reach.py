"""The line that a signature must have seen (RECORD 5): from version 3 on, the one whose question it answers."""

from typing import Final

from domain.kernel import Act, Agreed, Chosen, Declined, HintAsked

ASKS: Final = frozenset({"DecisionsOpened", "MatchBegun", "PositionSet"})
"""Events with which decisions open."""


class Reach:
    """Follows the lines that ask: the last one with open decisions, and that of each offer, by its number."""

    def __init__(self) -> None:
        self.asked = 0
        self._offers: dict[int, int] = {}

    def follow(self, kind: str, seq: int, offer: int = 0) -> None:
        """Go on behind a line. `offer`: the number that an offer gives itself; without it, it is the next one's."""
        if kind in ASKS:
            self.asked = seq
        elif kind == "Offered":
            self._offers[offer or len(self._offers) + 1] = seq

    def least(self, event: Chosen | Act) -> int:
        """The first line that whoever signs this may acknowledge; line 1 for what answers nothing."""
        match event:
            case Chosen() | HintAsked():
                return max(1, self.asked)
            case Agreed(number=number) | Declined(number=number):
                return self._offers.get(number, 1)
        return 1
