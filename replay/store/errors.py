"""The errors of this room.

replay.errors.RecordError
+- NoSuchMatch        the caller's: the store does not know the match
+- MatchExists        the caller's: the match is in the store already
+- RowExists          the caller's: a side table has a row under this key already
+- StoreFailed        ours: the disk or the database failed; the store accepts nothing more
"""

from replay.errors import RecordError


class NoSuchMatch(RecordError):
    """The store does not know the match."""


class MatchExists(RecordError):
    """The match is in the store already."""


class RowExists(RecordError):
    """A side table has a row under this key already."""


class StoreFailed(RecordError):
    """The disk or the database failed."""
