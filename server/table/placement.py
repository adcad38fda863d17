"""The process of a server in which a match lives, that is, where its choices are decided and its clocks run."""

from itertools import count

from msgspec import Struct

from replay.record import sealing
from replay.record.creation import new_match_id
from replay.record.seat_draw import match_id
from server.wire.addresses import short_hash


class Placement(Struct, frozen=True):
    """One process of `count`, by its number from 0. A match's name alone decides in which process the match lives."""

    number: int = 0
    count: int = 1

    def holder_of(self, short: int) -> int:
        """The number of the process in which the match with this short hash lives."""
        return short % self.count

    def has(self, match: str) -> bool:
        """Whether a match lives here."""
        return self.count == 1 or self.holder_of(short_hash(match)) == self.number

    def new_match_id(self, occasion: bytes = b"") -> bytes:
        """The id of a match that will live here. `occasion`: a secret from which the id is derived; without it, the id
        is random.

        Servers that make a match for the same occasion get the same id, so the store lets only one of them create the
        match.
        """
        for number in count():
            mid = match_id(occasion, number) if occasion else new_match_id()
            text = sealing.b64(mid)
            if text[0].isalnum() and self.has(text):
                return mid
        raise AssertionError("numbers do not end")


ALONE = Placement()
"""The placement in a server of one process."""
