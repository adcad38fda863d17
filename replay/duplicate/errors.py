"""The errors of this room.

replay.errors.RecordError
+- EventInvalid       the caller's: an alleged event, or its file, is no event or fails a check
"""

from replay.errors import RecordError


class EventInvalid(RecordError):
    """An alleged event, or its file, is no event or fails a check; the message names the place."""
