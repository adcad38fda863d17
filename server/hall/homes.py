"""Where a match lives, of the processes of one server: where its choices are decided, its bots play, its clocks run."""

from msgspec import Struct

from replay.record import hr1
from replay.record.referee import new_match_id
from server.wire.addresses import short_hash


class Home(Struct, frozen=True):
    """One process of `count`, by its number from 0. Which lives where follows from the match's name alone."""

    number: int = 0
    count: int = 1

    def of(self, short: int) -> int:
        """The number of the process in which the match with a short hash lives."""
        return short % self.count

    def has(self, match: str) -> bool:
        """Whether a match lives here."""
        return self.count == 1 or self.of(short_hash(match)) == self.number

    def new_match_id(self) -> bytes:
        """The id of a match that will live here."""
        while True:
            mid = new_match_id()
            if self.has(hr1.b64(mid)):
                return mid


ALONE = Home()
"""A server of one process."""
