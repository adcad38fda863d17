"""The errors of this room.

replay.errors.RecordError
+- ScenarioInvalid    the caller's: a scenario file cannot be read; names file, table and key
"""

from replay.errors import RecordError


class ScenarioInvalid(RecordError):
    """A scenario file cannot be read, or its position is invalid; the message names the place and what is allowed."""
