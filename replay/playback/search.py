"""Finds a moment by words: `when was unit 5 destroyed?` finds the line whose sentence or event says so."""

import re
from collections.abc import Callable
from typing import Final

from domain.kernel import Event, Hidden

Wanted = Callable[[str, Event], bool]

_FILLING: Final = re.compile(
    "an?|and|at|be|been|by|did|do|does|had|has|have|how|in|is|it|of|on|or|the|their|then|there|to|was|were|what|when"
    "|where|which|who|whom|whose|why|will"
)
"""Question words, which say nothing about the thing sought."""
_ENDINGS: Final = ("ing", "ed", "es", "s")
_TOKEN: Final = re.compile(r"[^\W\d_]+|\d+")
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
STEM_LEAST: Final = 4
"""The fewest letters that remain when an ending is removed."""


def wanted(words: str) -> Wanted:
    """Whether a sentence, or the event that it describes, has all the words of a question.

    Words are compared by their stems, so `destroyed` finds `destroys`. A number after a word, as in `unit 5`, belongs
    to that word: it finds `unit 5` in the sentence, or an event with the unit whose id is 5. A question without words
    finds nothing.
    """
    tokens = _TOKEN.findall(words.lower())
    sought = [token for token in tokens if not _FILLING.fullmatch(token)] or tokens
    tests: list[Wanted] = []
    for before, token, after in zip(["", *sought], sought, [*sought[1:], ""], strict=False):
        if token.isdigit():
            tests.append(_numbered("" if before.isdigit() else before, token))
        elif not after.isdigit():
            tests.append(_worded(token))
    return lambda text, event: bool(tests) and all(test(text, event) for test in tests)


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= STEM_LEAST:
            return word[: -len(ending)]
    return word


def _worded(word: str) -> Wanted:
    stem = _stem(word)

    def test(text: str, event: Event) -> bool:
        kind = _CAMEL.sub(" ", type(event).__name__)
        return any(token.startswith(stem) for token in _TOKEN.findall(f"{text} {kind}".lower()))

    return test


def _numbered(word: str, number: str) -> Wanted:
    stem = _stem(word)
    said = re.compile(rf"\b{re.escape(stem)}\w*\W+{number}\b" if word else rf"\b{number}\b", re.IGNORECASE)

    def test(text: str, event: Event) -> bool:
        if said.search(text):
            return True
        return bool(word) and any(
            name.startswith(stem) and value.lstrip("abcdefghijklmnopqrstuvwxyz") == number
            for name, value in _fields(event)
        )

    return test


def _fields(event: Event) -> list[tuple[str, str]]:
    """The event's plain fields, as this viewer holds them, as texts."""
    found = ((name, getattr(event, name)) for name in event.__struct_fields__)
    return [
        (name, str(value)) for name, value in found if not isinstance(value, Hidden) and isinstance(value, str | int)
    ]
