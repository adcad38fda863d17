"""The choice of opponents among seekers: by rating, waiting time and the persons whom each of them may meet."""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Final

from msgspec import Struct

STEP_S: Final = 10.0
"""After this many further seconds of waiting, the range grows by `STEP` points."""
STEP: Final = 150
ANYBODY_S: Final = 60.0
"""A seeker who has waited this long meets anybody."""
COARSE: Final = 200
"""The rating of a person who hides it is rounded up to the next multiple of this: pairing reveals nothing finer."""


class Seeker(Struct, frozen=True):
    """A person who looks for opponents. `rating`, `low`, `high` in points; both limits 0: any.

    `shows`: whether the rating may be known, so that ranges apply to this person.
    """

    person: str
    rating: float
    waited_s: float
    shows: bool = False
    low: int = 0
    high: int = 0

    @property
    def taken_for(self) -> float:
        """The rating by which this person is paired."""
        return self.rating if self.shows else round(self.rating / COARSE) * COARSE

    @property
    def reach(self) -> float:
        """The distance in points that an opponent's rating may have by now."""
        return float("inf") if self.waited_s >= ANYBODY_S else STEP * (1 + self.waited_s // STEP_S)

    def takes(self, other: "Seeker") -> bool:
        """Whether the other's rating lies in this person's range."""
        return not (self.low or self.high) or (other.shows and self.low <= other.rating <= self.high)


MayMeet = Callable[[str, str], bool]
"""Whether two persons may meet: neither has blocked the other."""


def gather(own: Seeker, others: Sequence[Seeker], seats: int, may_meet: MayMeet) -> tuple[str, ...]:
    """The persons of the next match for this many seats, this one among them; empty if there is none yet.

    This person gets the persons nearest by rating who all suit each other, and among equally near persons those who
    have waited longest. The seeker who has waited longest has the widest range. The work grows with the number of
    seekers; blocks are looked up only for seekers who would play together.
    """
    found = company(own, others, seats, may_meet)
    return found if len(found) == seats else ()


def company(own: Seeker, others: Sequence[Seeker], most: int, may_meet: MayMeet) -> tuple[str, ...]:
    """This person and those who would play with this person now, at most this many in all; chosen as by `gather`."""
    near = [other for other in others if suits(own, other)]
    near.sort(key=lambda other: (abs(other.taken_for - own.taken_for), -other.waited_s, other.person))
    found = [own]
    for other in near:
        if len(found) == most:
            break
        if all(suits(one, other) and may_meet(one.person, other.person) for one in found):
            found.append(other)
    return tuple(one.person for one in found)


def suits(one: Seeker, other: Seeker, *, is_taken: bool = False) -> bool:
    """Whether two persons suit each other now by rating; `is_taken`: one person has taken the other's offer, so that
    only ranges count.
    """
    is_near = is_taken or abs(one.taken_for - other.taken_for) <= min(one.reach, other.reach)
    return is_near and one.takes(other) and other.takes(one)


def fits(one: Seeker, other: Seeker, may_meet: MayMeet, *, is_taken: bool = False) -> bool:
    """Whether two persons may play each other now, by rating and by blocks."""
    return suits(one, other, is_taken=is_taken) and may_meet(one.person, other.person)


def all_fit(seekers: Sequence[Seeker], may_meet: MayMeet) -> bool:
    """Whether all persons gathered at a table by an offer may play each other."""
    return all(fits(one, other, may_meet, is_taken=True) for one, other in combinations(seekers, 2))
