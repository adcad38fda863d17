"""Handles: names that people read; no two on a server look alike."""

import unicodedata
from typing import Final

from server.people.errors import AccountRefused
from server.wire.text import skeleton, visible

SHORTEST: Final = 2
LONGEST: Final = 24
_MARKS: Final = frozenset(" -_.'’")


def assert_handle(handle: str) -> None:
    """Raise `AccountRefused` for a text that is no handle, with the rule that it breaks."""
    kinds = {unicodedata.category(char)[0] for char in handle if char not in _MARKS}
    if handle != visible(handle) or not kinds <= {"L", "M", "N"}:
        raise AccountRefused("A handle is letters, digits, single spaces and - _ . ' alone.")
    if not SHORTEST <= len(handle) <= LONGEST:
        raise AccountRefused(f"A handle has {SHORTEST} to {LONGEST} characters.")
    if "L" not in kinds:
        raise AccountRefused("A handle has a letter.")
    if not skeleton(handle):
        raise AccountRefused("A handle can be seen.")
