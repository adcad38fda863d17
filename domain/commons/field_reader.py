"""A sheet: reads the fields of a card or army file with their expected types, and gathers every defect.

All defects are found in one pass. No content of a file raises an error: an unreadable part is a defect, and its value
is empty.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from domain.commons.errors import Defect

Json = Any
"""A value out of a JSON document, not yet checked."""

NAME_LIMIT: Final = 80
"""The most characters of a name."""
SAID_LIMIT: Final = 60
"""The most characters of a wrong value that a defect quotes."""


class Sheet:
    """Reads the fields of one card with their expected types, and gathers the card's defects."""

    def __init__(self, file: str, card: str, defects: list[Defect]) -> None:
        self.file = file
        self.card = card
        self.defects = defects

    def of(self, card: str) -> "Sheet":
        """The sheet of another card of the same file."""
        return Sheet(self.file, card, self.defects)

    def wrong(self, field: str, found: str, allowed: str, *, advice: bool = False) -> None:
        """Note a defect."""
        self.defects.append(Defect(self.file, self.card, field, found, allowed, advice=advice))

    def table(self, data: Json, field: str, keys: Iterable[str], optional: Iterable[str] = ()) -> dict[str, Json]:
        """An object with these keys; missing and unknown keys are defects. Empty if the value is not an object."""
        if not isinstance(data, dict):
            self.wrong(field, said(data), "an object")
            return {}
        needed, known = list(keys), [*keys, *optional]
        for key in needed:
            if key not in data:
                self.wrong(_join(field, key), "missing", "a value")
        for key in data:
            if key not in known:
                self.wrong(_join(field, key), "unknown field", ", ".join(known))
        return {key: value for key, value in data.items() if key in known}

    def integer(self, data: Mapping[str, Json], key: str, low: int, high: int, field: str = "") -> int | None:
        """An integer from `low` to `high`; None when it is missing or wrong."""
        if key not in data:
            return None
        value = data[key]
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self.wrong(field or key, said(value), str(low) if low == high else f"an integer from {low} to {high}")
            return None
        return value

    def text(self, data: Mapping[str, Json], key: str, pattern: str = "", field: str = "") -> str | None:
        """A name: not empty, of this pattern if one is given (C22)."""
        if key not in data:
            return None
        value = data[key]
        if not isinstance(value, str) or not value or (pattern and not re.fullmatch(pattern, value)):
            self.wrong(field or key, said(value), f"text of the form {pattern}" if pattern else "a text, not empty")
            return None
        return value if self.printable(value, NAME_LIMIT, field or key) else None

    def printable(self, value: str, limit: int, field: str) -> bool:
        """Whether a text is printable and not too long (C22); if not, a defect is noted."""
        if len(value) <= limit and value.isprintable():
            return True
        self.wrong(field, said(value), f"at most {limit} printable characters")
        return False

    def word(self, data: Mapping[str, Json], key: str, words: Iterable[str], field: str = "") -> str | None:
        """One of these words."""
        if key not in data:
            return None
        allowed = list(words)
        value = data[key]
        if not isinstance(value, str) or value not in allowed:
            self.wrong(field or key, said(value), ", ".join(allowed))
            return None
        return value

    def words(self, data: Mapping[str, Json], key: str, words: Iterable[str], field: str = "") -> list[str]:
        """The valid words of a list; the others are defects."""
        allowed = list(words)
        good: list[str] = []
        for i, value in enumerate(self.items(data, key, field)):
            if isinstance(value, str) and value in allowed:
                good.append(value)
            else:
                self.wrong(f"{field or key}[{i}]", said(value), ", ".join(allowed))
        return good

    def items(self, data: Mapping[str, Json], key: str, field: str = "") -> list[Json]:
        """A list; empty if the value is not a list."""
        value = data.get(key, [])
        if isinstance(value, list):
            return value
        self.wrong(field or key, said(value), "a list")
        return []


def _join(field: str, key: str) -> str:
    return f"{field}.{key}" if field else key


def said(value: object) -> str:
    """A wrong value as a defect quotes it, shortened."""
    text = repr(value)
    return text if len(text) <= SAID_LIMIT else text[: SAID_LIMIT - 3] + "..."


def repeated(values: Iterable[Json]) -> list[str]:
    """The values that occur more than once, as text, each once."""
    return [value for value, number in Counter(str(v) for v in values).items() if number > 1]
