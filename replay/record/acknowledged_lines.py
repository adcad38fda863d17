"""The line that a signature must have seen (docs/record.md 5): since version 3, the line whose question it answers."""

from typing import Final

from domain.kernel import Act, Agreed, Chosen, Declined, Event, HintAsked, Offered, SeatKeyed
from domain.kernel.table import STANDING

ASKS: Final = frozenset({"DecisionsOpened", "MatchBegun", "PositionSet"})
"""The events that open decisions."""


class AcknowledgedLines:
    """Follows the lines that ask: the last line that opened decisions, and the line of each offer, by its number.

    It also follows the ends of a seat's standing answers: its next choice by hand, a new key, or a position.
    """

    def __init__(self) -> None:
        self.asked = 0
        self._offers: dict[int, int] = {}
        self._ended: dict[int, int] = {}
        self._set_at = 0

    def follow(self, kind: str, seq: int, offer: int = 0) -> None:
        """Continue after a line. `offer`: the number that an offer states; without it, the next number."""
        if kind in ASKS:
            self.asked = seq
        elif kind == "Offered":
            self._offers[offer or len(self._offers) + 1] = seq
        if kind == "PositionSet":
            self._set_at = seq

    def take(self, event: Event, seq: int) -> None:
        """Continue after an event, whose line is `seq`."""
        self.follow(type(event).__name__, seq, event.number if isinstance(event, Offered) else 0)
        if isinstance(event, SeatKeyed) or (isinstance(event, Chosen) and event.by == "seat"):
            self.end_standing(event.seat, seq)

    def end_standing(self, seat: int, seq: int) -> None:
        """Void a seat's answers ahead from before this line: it has chosen by hand, or signs with another key."""
        self._ended[seat] = seq

    def least(self, event: Chosen | Act) -> int:
        """The first line that the signer of this event may acknowledge; line 1 for an event that answers nothing."""
        match event:
            case Chosen(seat, by=by) if by == STANDING:
                return max(1, self._set_at, self._ended.get(seat, 0))
            case Chosen() | HintAsked():
                return max(1, self.asked)
            case Agreed(number=number) | Declined(number=number):
                return self._offers.get(number, 1)
        return 1
