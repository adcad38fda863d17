"""The errors of the record.

RecordError
+- RecordInvalid      the caller's: a line, an opening or a file does not follow RECORD; names the place

Each room lists its own branch: store/errors.py, record/errors.py, playback/errors.py, scenarios/errors.py.
"""


class RecordError(Exception):
    """The root of the record's errors."""


class RecordInvalid(RecordError):
    """A line or an opening does not follow RECORD; `seq` is the line, 0 if there is none."""

    def __init__(self, why: str, seq: int = 0, expected: str = "") -> None:
        said = f"{why}; expected {expected}" if expected else why
        super().__init__(f"line {seq}: {said}" if seq else said)
        self.why = why
        self.seq = seq
        self.expected = expected
