"""Templates of texts: an English template is matched against a text; the match fills its translation.

`{unit}` stands for an entry of the table [unit] of the catalogue, `{unit2}` for another entry, `{unit*}` for several
with "and" or "or" before the last, `{unit+}` for several with commas only. `{n}` is a number, `{any}` any text,
`{code}` a text without small letters; these three are kept as they are. `{is|are}` is one of these words; the
translation's words are chosen by the same position. In the translation `{unit:dat}` asks for a form of the entry,
`{n?Punkt|Punkte}` depends on a number, and `{unit:up}` begins with a capital.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec import Struct

_HOLE: Final = re.compile(r"\{([^{}]*)\}")
_SLOT: Final = re.compile(r"^([a-z]+)(\d*)([*+]?)$")
_WANTED: Final = re.compile(r"^([a-z]+\d*)[*+]?(?::([a-z]+))?$")
NUMBER: Final = re.compile(r"[+\u2212-]?\d+(?:[.,]\d+)?")
NUMBERS: Final = "n"
ANYTHING: Final = "any"
CODES: Final = "code"


class TemplateInvalid(ValueError):
    """A template that cannot be read; the message names it and says why."""


class TemplateSlot(Struct, frozen=True):
    """A slot for a text of a kind; `several`: "" for one text, "*" for a list with "and", "+" for one with commas."""

    name: str
    kind: str
    several: str = ""


class Either(Struct, frozen=True):
    """One of several words."""

    words: tuple[str, ...]


Part = str | TemplateSlot | Either

Forms = Mapping[str, str]
"""A text in the other language by its forms; `is` is the form that is used by default."""


class Found(Struct, frozen=True):
    """The contents of an English template's slots: by name, the forms in the other language; and for each choice of
    words, the number of the word found."""

    held: dict[str, Forms]
    chosen: tuple[int, ...]


def read(template: str) -> tuple[Part, ...]:
    """The parts of an English template. Raises `TemplateInvalid`."""
    parts: list[Part] = []
    for at, piece in enumerate(_HOLE.split(template)):
        if at % 2 == 0:
            parts += [piece] if piece else []
        elif "|" in piece:
            parts.append(Either(tuple(piece.split("|"))))
        else:
            found = _SLOT.match(piece)
            if found is None:
                raise TemplateInvalid(f"{template!r}: {{{piece}}} is no place; write {{kind}}, {{n}} or {{one|other}}")
            parts.append(TemplateSlot(found[1] + found[2], found[1], found[3]))
    names = [part.name for part in parts if isinstance(part, TemplateSlot)]
    if len(names) != len(set(names)):
        raise TemplateInvalid(f"{template!r} names a place twice; number them: {{unit}}, {{unit2}}")
    return tuple(parts)


def weight(parts: tuple[Part, ...]) -> int:
    """The number of fixed characters in a template; templates with more of them are tried first."""
    return sum(len(part) for part in parts if isinstance(part, str))


Told = Callable[[TemplateSlot, str], Forms | None]
"""Gives the text in the other language, if the slot's kind has it."""


def matched(parts: tuple[Part, ...], text: str, told: Told) -> Found | None:
    """The contents of the slots if the template matches the text; None if it does not."""
    if isinstance(parts[0], str) and not text.startswith(parts[0]):
        return None
    if isinstance(parts[-1], str) and not text.endswith(parts[-1]):
        return None
    if not all(part in text for part in parts if isinstance(part, str)):
        return None
    return next(_matches(parts, 0, text, told), None)


def _matches(parts: tuple[Part, ...], at: int, text: str, told: Told) -> Iterator[Found]:
    """Every way in which the remaining parts match the text."""
    if at == len(parts):
        if not text:
            yield Found({}, ())
        return
    match parts[at]:
        case str(words):
            if text.startswith(words):
                yield from _matches(parts, at + 1, text[len(words) :], told)
        case Either(words):
            for number, word in enumerate(words):
                if text.startswith(word):
                    for rest in _matches(parts, at + 1, text[len(word) :], told):
                        yield Found(rest.held, (number, *rest.chosen))
        case TemplateSlot() as slot:
            for end in _ends(slot, parts[at + 1 :], text):
                forms = told(slot, text[:end])
                if forms is None:
                    continue
                for rest in _matches(parts, at + 1, text[end:], told):
                    yield Found({slot.name: forms, **rest.held}, rest.chosen)


def _ends(slot: TemplateSlot, rest: tuple[Part, ...], text: str) -> Iterator[int]:
    """The positions where the contents of a slot may end."""
    if slot.kind == NUMBERS:
        number = NUMBER.match(text)
        yield from () if number is None else (number.end(),)
    elif not rest:
        yield len(text)
    elif isinstance(rest[0], str):
        end = text.find(rest[0], 1)
        while end > 0:
            yield end
            end = text.find(rest[0], end + 1)
    else:
        yield from range(1, len(text) + 1)


def fill(template: str, found: Found) -> str:
    """The other language's template, filled with the words found. Raises `TemplateInvalid` for an empty slot."""
    places = 0

    def put(hole: re.Match[str]) -> str:
        nonlocal places
        inner = hole[1]
        name, asks, words = inner.partition("?")
        if asks:
            one, _, several = words.partition("|")
            return one if _held(template, name, found)["is"].lstrip("+\u2212-") == "1" else several
        if "|" in inner:
            if not found.chosen:
                raise TemplateInvalid(f"{template!r} has a choice of words where the English one has none")
            number = found.chosen[min(places, len(found.chosen) - 1)]
            places += 1
            return inner.split("|")[number]
        wanted = _WANTED.match(inner)
        if wanted is None:
            raise TemplateInvalid(f"{template!r}: {{{inner}}} is no place")
        forms = _held(template, wanted[1], found)
        form = wanted[2] or "is"
        if form in forms:
            return forms[form]
        return forms["is"][:1].upper() + forms["is"][1:] if form == "up" else forms["is"]

    return _HOLE.sub(put, template)


def _held(template: str, name: str, found: Found) -> Forms:
    if name not in found.held:
        raise TemplateInvalid(f"{template!r}: the English text has no {{{name}}}")
    return found.held[name]


def names_in(template: str) -> set[str]:
    """The names of the slots that a template of the other language uses."""
    holes = (hole.partition("?")[0].partition(":")[0].rstrip("*+") for hole in _HOLE.findall(template))
    return {name for name in holes if "|" not in name}
