"""The errors of this room.

replay.errors.RecordError
+- CannotBranch       the caller's: no match can branch off there, or not from this view
"""

from replay.errors import RecordError


class CannotBranch(RecordError):
    """No match can branch off at this line, or not from this view; the message names the possible ones."""
