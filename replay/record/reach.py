"""The line that a signature must have seen (RECORD 5): from version 3 on, the one whose question it answers."""

from typing import Final

from domain.kernel import Act, Agreed, Chosen, Declined, Event, HintAsked, Offered, SeatKeyed
from domain.kernel.table import STANDING

ASKS: Final = frozenset({"DecisionsOpened", "MatchBegun", "PositionSet"})
"""Events with which decisions open."""


class Reach:
    """Follows the lines that ask: the last one with open decisions, and that of each offer, by its number.

    It also follows the ends of a seat's standing answers: its next choice by hand, another key, and a position.
    """

    def __init__(self) -> None:
        self.asked = 0
        self._offers: dict[int, int] = {}
        self._ended: dict[int, int] = {}
        self._set_at = 0

    def follow(self, kind: str, seq: int, offer: int = 0) -> None:
        """Continue after a line. `offer`: the number that an offer gives itself; without it, it is the next one's."""
        if kind in ASKS:
            self.asked = seq
        elif kind == "Offered":
            self._offers[offer or len(self._offers) + 1] = seq
        if kind == "PositionSet":
            self._set_at = seq

    def take(self, event: Event, seq: int) -> None:
        """Go on behind an event, whose line is `seq`."""
        self.follow(type(event).__name__, seq, event.number if isinstance(event, Offered) else 0)
        if isinstance(event, SeatKeyed) or (isinstance(event, Chosen) and event.by == "seat"):
            self.end_standing(event.seat, seq)

    def end_standing(self, seat: int, seq: int) -> None:
        """The seat has chosen by hand, or signs with another key: its answers ahead from before this line are void."""
        self._ended[seat] = seq

    def least(self, event: Chosen | Act) -> int:
        """The first line that the signer of this may acknowledge; line 1 for a statement that answers nothing."""
        match event:
            case Chosen(seat, by=by) if by == STANDING:
                return max(1, self._set_at, self._ended.get(seat, 0))
            case Chosen() | HintAsked():
                return max(1, self.asked)
            case Agreed(number=number) | Declined(number=number):
                return self._offers.get(number, 1)
        return 1
