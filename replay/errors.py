"""Everything the record can complain of.

RecordError
+- NoSuchMatch        the caller's: the store does not know the match
+- MatchExists        the caller's: the match is in the store already
+- RecordInvalid      the caller's: a line, an opening or a file does not follow RECORD; names the place
+- StoreFailed        ours: the disk or the database failed; nothing more is taken
"""


class RecordError(Exception):
    """The root of the record's errors."""


class NoSuchMatch(RecordError):
    """The store does not know the match."""


class MatchExists(RecordError):
    """The match is in the store already."""


class RecordInvalid(RecordError):
    """A line or an opening is not what RECORD says; `seq` is the line, 0 where there is none."""

    def __init__(self, why: str, seq: int = 0) -> None:
        super().__init__(f"line {seq}: {why}" if seq else why)
        self.why = why
        self.seq = seq


class StoreFailed(RecordError):
    """The disk or the database failed."""
