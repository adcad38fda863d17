"""The errors of this room.

replay.errors.RecordError
+- RatingsInvalid    the caller's: a file of ratings, or a result in it, is not valid; the message names the place
"""

from replay.errors import RecordError


class RatingsInvalid(RecordError):
    """A file of ratings, or a result, is not valid; the message names the place."""
