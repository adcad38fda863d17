"""The terms of a match that exists, as its first lines state them."""

from contextlib import suppress
from typing import Final

import msgspec
from msgspec import Struct

from domain.kernel import ClocksSet, MatchCreated, TimeControl
from replay.errors import RecordError
from replay.record.line import read_line
from replay.store.store import Store

FIRST: Final = 3
"""The lines from which the terms are read: the first, and the line with the clock, if there is one."""


class OpenTerms(Struct, frozen=True):
    """The terms of a match: line 1 (None if it cannot be read) and the clock."""

    first: MatchCreated | None = None
    time: TimeControl = TimeControl()


def terms_of(store: Store, match: str) -> OpenTerms:
    """The terms by which a match was created; for a broken record, those that could be read."""
    first, time = None, TimeControl()
    with suppress(RecordError, msgspec.MsgspecError):
        for entry in store.read(match, 0, FIRST):
            if entry.type == "MatchCreated":
                first = msgspec.json.decode(read_line(entry.line).payload, type=MatchCreated)
            elif entry.type == "ClocksSet":
                time = msgspec.json.decode(read_line(entry.line).payload, type=ClocksSet).control
    return OpenTerms(first, time)
