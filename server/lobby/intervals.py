"""How often, how long and how early the lobby does what it does by itself."""

from typing import Final

from msgspec import Struct


class Intervals(Struct, frozen=True):
    """`listed_s`: everybody is given the same list of matches for so long, unless somebody creates or joins one.

    `remind_s`: players have so long after a start to come back before they are reminded that it is their move.
    `ahead_ms`: a match is taken up so long before something is due in it, where no other server has it in memory.
    """

    listed_s: float = 0.25
    remind_s: float = 30.0
    ahead_ms: int = 30_000


INTERVALS: Final = Intervals()
