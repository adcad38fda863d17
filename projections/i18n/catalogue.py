"""Texts in other languages: `texts.<language>.toml` beside a game's face, and one file for the texts of all games.

A finished English text is translated by the English template that matches it (docs/translating.md). Therefore no rule,
event or record depends on a language, the reasons in old records are translated too, and English viewers cost nothing
extra.
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from projections.glossary import glossary, translations
from projections.i18n.templates import (
    ANYTHING,
    CODES,
    NUMBERS,
    Forms,
    Part,
    TemplateInvalid,
    TemplateSlot,
    fill,
    matched,
    read,
    weight,
)
from projections.languages import ENGLISH, LANGUAGES
from projections.packages import folder_of

TEXTS: Final = "text"
"""The table of whole texts; the other tables hold the texts that may fill slots."""
TERMS: Final = "term"
"""The names of the glossary, as a kind."""
JOINING: Final = "join"
"""The table of the words that join the last item of a list to the others: `and`, `or`."""
SENTENCES: Final = "."
"""The kind under which texts of one or several sentences are remembered."""
MOST_SENTENCES: Final = 12
"""The most sentences of a text; a text with more contains a name full of stops, and is not one of the game's own."""
COMMAS: Final = ","
"""The mark after a kind under which lists joined by commas are remembered."""
KEPT: Final = 20_000
"""The most texts that a catalogue remembers; beyond that number it starts afresh."""

Entry = tuple[tuple[Part, ...], Forms]
Say = Callable[[str], str]


class Catalogue:
    """A language's translations of a game's texts."""

    def __init__(self, tables: Iterable[Mapping[str, Mapping[str, Any]]]) -> None:
        """Raises `TemplateInvalid`."""
        self._exact: dict[str, dict[str, Forms]] = {}
        self._templates: dict[str, list[Entry]] = {}
        self._joins: dict[str, str] = {}
        for table in tables:
            self._add(table)
        for entries in self._templates.values():
            entries.sort(key=lambda entry: -weight(entry[0]))
        self._closed = [kind for kind in {**self._exact, **self._templates} if not self._is_open(kind)]
        self._known: dict[tuple[str, str], Forms | None] = {}

    def _add(self, table: Mapping[str, Mapping[str, Any]]) -> None:
        for kind, texts in table.items():
            if kind == JOINING:
                self._joins |= texts
                continue
            for english, said in texts.items():
                if english == "same":
                    self._exact.setdefault(kind, {}).update({name: {"is": name} for name in said})
                    continue
                forms = {"is": said} if isinstance(said, str) else said
                parts = read(english)
                if all(isinstance(part, str) for part in parts):
                    self._exact.setdefault(kind, {})[english] = forms
                else:
                    self._templates.setdefault(kind, []).append((parts, forms))

    def _is_open(self, kind: str) -> bool:
        """Whether any text at all belongs to the kind."""
        return any(parts == (TemplateSlot(ANYTHING, ANYTHING),) for parts, _ in self._templates.get(kind, ()))

    def said(self, text: str) -> str | None:
        """A text in the language; None if the catalogue lacks it."""
        forms = self._remembered(SENTENCES, text, self._said)
        return None if forms is None else forms["is"]

    def _said(self, _: str, text: str) -> Forms | None:
        # Try each sentence by itself first, because a slot for a name matches anything, even several sentences.
        first, between, rest = text.partition(". ")
        said = self._sentences(f"{first}.", rest) if between and rest.count(". ") < MOST_SENTENCES else None
        return self._of(TEXTS, text) if said is None else {"is": said}

    def _sentences(self, first: str, rest: str) -> str | None:
        """Several sentences, if the catalogue has each of them; the first may contain stops."""
        while True:
            forms, following = self._of(TEXTS, first), None
            if forms is not None:
                following = self.said(rest)
            if forms is not None and following is not None:
                return f"{forms['is']} {following}"
            more, between, rest = rest.partition(". ")
            if not between:
                return None
            first = f"{first} {more}."

    def named(self, name: str) -> list[str]:
        """The names that a thing may have in sentences: its forms in every table, with and without a capital."""
        found = {name: None}
        for kind in self._closed:
            for said in (self._of(kind, name) or {}).values():
                found |= {said: None, said[:1].upper() + said[1:]: None}
        return list(found)

    def _of(self, kind: str, text: str) -> Forms | None:
        """The forms of a text of a kind."""
        if kind in {ANYTHING, NUMBERS} or (kind == CODES and not any(map(str.islower, text))):
            return {"is": text}
        return self._remembered(kind, text, self._look_up)

    def _remembered(self, kind: str, text: str, look: Callable[[str, str], Forms | None]) -> Forms | None:
        """The forms of a text, remembered or found now.

        Without this memory a long name would be split in every possible way.
        """
        key = (kind, text)
        if key not in self._known:
            if len(self._known) > KEPT:
                self._known.clear()
            # A kind whose template begins with the same kind finds nothing there, instead of searching for ever.
            self._known[key] = None
            self._known[key] = look(kind, text)
        return self._known[key]

    def _look_up(self, kind: str, text: str) -> Forms | None:
        exact = self._exact.get(kind, {}).get(text)
        if exact is not None:
            return exact
        if kind == TEXTS and not any(map(str.isalpha, text)):
            return {"is": text}
        for parts, forms in self._templates.get(kind, ()):
            found = matched(parts, text, self._told)
            if found is not None:
                return {form: fill(template, found) for form, template in forms.items()}
        small = text[:1].lower() + text[1:]
        begins = None if kind == TEXTS or small == text else self._look_up(kind, small)
        return None if begins is None else {form: said[:1].upper() + said[1:] for form, said in begins.items()}

    def _told(self, slot: TemplateSlot, text: str) -> Forms | None:
        return self._several(slot, text) if slot.several else self._of(slot.kind, text)

    def _several(self, slot: TemplateSlot, text: str) -> Forms | None:
        """A list of things of a kind."""
        one = self._of(slot.kind, text)
        if one is not None:
            return one
        if slot.several == "*":
            for word, joined in self._joins.items():
                before, between, last = text.rpartition(f" {word} ")
                while between:
                    forms, rest = self._of(slot.kind, last), None
                    if forms is not None:
                        rest = self._with_commas(slot.kind, before)
                    if forms is not None and rest is not None:
                        return _joined(rest, f" {joined} ", forms)
                    further, between, more = before.rpartition(f" {word} ")
                    before, last = further, f"{more} {word} {last}"
        return self._with_commas(slot.kind, text)

    def _with_commas(self, kind: str, text: str) -> Forms | None:
        return self._remembered(kind + COMMAS, text, lambda _, several: self._parted(kind, several))

    def _parted(self, kind: str, text: str) -> Forms | None:
        one = self._of(kind, text)
        if one is not None:
            return one
        end = text.find(", ")
        while end > 0:
            first = self._of(kind, text[:end])
            rest = None if first is None else self._with_commas(kind, text[end + 2 :])
            if first is not None and rest is not None:
                return _joined(first, ", ", rest)
            end = text.find(", ", end + 1)
        return None


def _joined(first: Forms, between: str, last: Forms) -> Forms:
    forms = dict.fromkeys((*first, *last))
    return {form: f"{first.get(form, first['is'])}{between}{last.get(form, last['is'])}" for form in forms}


def tables(game: str, language: str) -> dict[str, dict[str, Any]]:
    """The tables of a game's own file in a language; empty without a file. The game "" has the texts of all games."""
    place = folder_of(game) if game else Path(str(files("projections")))
    path = place / f"texts.{language}.toml"
    return tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}


@cache
def catalogue(game: str, language: str) -> Catalogue | None:
    """A language's translations of a game's texts; None for English, and for a language that Herald does not have.

    Raises `TemplateInvalid` with the file's name.
    """
    if language == ENGLISH or language not in LANGUAGES:
        return None
    try:
        return Catalogue((_glossary(game, language), tables("", language), tables(game, language)))
    except TemplateInvalid as wrong:
        raise TemplateInvalid(f"texts.{language}.toml of {game}: {wrong}") from wrong


def _glossary(game: str, language: str) -> dict[str, dict[str, str]]:
    """The words of the game's glossary as texts: names, sentences, and sentences with their rows."""
    texts: dict[str, str] = {}
    names: dict[str, str] = {}
    told = glossary(game, language)
    for key in translations(game, language):
        english, said = glossary(game)[key], told[key]
        names.setdefault(english.name, said.name)
        texts[english.text] = said.text
        texts[english.sentence()] = said.sentence()
    return {TEXTS: {**names, **texts}, TERMS: names}
