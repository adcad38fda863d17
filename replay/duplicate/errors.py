"""The errors of this room.

replay.errors.RecordError
+- EventInvalid       the caller's: an alleged event, or its file, is no event or does not hold
"""

from replay.errors import RecordError


class EventInvalid(RecordError):
    """An alleged event, or its file, is no event or does not hold; the message names the place."""
