"""A sentence for each thing on a table, with the rows of the rules behind it: `projections/games/<game>/glossary.toml`.

A Scene names terms by key beside what it draws; a prompt's term is its decision's name, a cue's is `cue.<kind>`.
`glossary.<language>.toml` beside it has names and sentences in another language, by these keys (docs/translating.md).
"""

import hashlib
import tomllib
from functools import cache
from typing import Any, Final, Literal, TypeVar

import msgspec
from msgspec import Struct

from projections.languages import ENGLISH, LANGUAGES
from projections.ledger import has_ledger, ledger
from projections.packages import folder_of

LONGEST: Final = 140
"""The most characters of a sentence."""
FIRST: Final = ("term", "decision", "cue")
T = TypeVar("T")


class Term(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A word of a game: its name, one sentence, the rows it rests on, and terms to see beside it.

    In another language than English: `english` is the name in English texts, if it differs; `untranslated` means that
    name and sentence are in English because the language has none.
    """

    name: str
    text: str
    rules: tuple[str, ...]
    see: tuple[str, ...] = ()
    english: str = ""
    untranslated: bool = False

    def sentence(self) -> str:
        """The sentence with its rows behind it."""
        return f"{self.text.removesuffix('.')} ({', '.join(self.rules)})." if self.rules else self.text


class TermTranslation(Struct, frozen=True, forbid_unknown_fields=True):
    """A term's name and sentence in another language."""

    name: str
    text: str


@cache
def glossary(game: str, language: str = ENGLISH) -> dict[str, Term]:
    """The terms of a game by key; empty if it has no glossary. Raises `msgspec.ValidationError`."""
    if language not in LANGUAGES or language == ENGLISH:
        return _read(game, "glossary.toml", Term)
    said = translations(game, language)
    return {key: _told(term, said.get(key)) for key, term in glossary(game).items()}


def translations(game: str, language: str) -> dict[str, TermTranslation]:
    """A language's translations of a game's terms, by key. Raises `msgspec.ValidationError`."""
    return _read(game, f"glossary.{language}.toml", TermTranslation)


def _told(term: Term, said: TermTranslation | None) -> Term:
    """A term in another language; if the language lacks it, the English term, marked as such."""
    if said is None:
        return msgspec.structs.replace(term, untranslated=True)
    english = term.name if term.name != said.name else ""
    return msgspec.structs.replace(term, name=said.name, text=said.text, english=english)


def _read(game: str, name: str, kind: type[T]) -> dict[str, T]:
    path = folder_of(game) / name
    if not path.is_file():
        return {}
    tables = msgspec.convert(tomllib.loads(path.read_text("utf-8")), dict[str, dict[str, kind]])  # type: ignore[valid-type]
    found: dict[str, T] = {}
    for table, terms in tables.items():
        if table not in FIRST:
            raise msgspec.ValidationError(f"{game}: a glossary has no [{table}]; it has {', '.join(FIRST)}")
        found |= {f"cue.{key}" if table == "cue" else key: term for key, term in terms.items()}
    return found


def reason(game: str, kind: str, rule: str) -> str:
    """The purpose of a decision, a sentence with its rows; without a glossary, only the rule."""
    term = glossary(game).get(kind)
    return f"Rule {rule}." if term is None else term.sentence()


def search(game: str, words: list[str], language: str = ENGLISH) -> list[str]:
    """The keys of the terms that contain all the words; terms whose name has the first word come first."""
    wanted = [word.lower() for word in words]
    terms = glossary(game, language)
    found = [key for key, t in terms.items() if all(w in f"{t.name} {t.english} {t.text}".lower() for w in wanted)]
    return sorted(found, key=lambda key: wanted[0] not in terms[key].name.lower())


def words_of(game: str, language: str = ENGLISH) -> dict[str, Term] | None:
    """The terms of a game as they are sent; None if it has none."""
    return glossary(game, language) or None


def rules_of(game: str) -> dict[str, Any] | None:
    """The ledger of a game as it is sent: each row's section and cells by its id; None if there is no ledger."""
    if not has_ledger(game):
        return None
    book = ledger(game)
    rows = {row.id: [row.section, *row.cells] for row in book.rows.values()}
    return {"sections": book.sections, "rows": rows}


@cache
def encoded(game: str, what: Literal["words", "rules"], language: str = ENGLISH) -> tuple[str, bytes] | None:
    """A game's terms or ledger as they are sent, under a name that changes with their contents; a ledger is English."""
    found = words_of(game, language) if what == "words" else rules_of(game)
    if found is None:
        return None
    body = msgspec.json.encode(found)
    return hashlib.sha256(body).hexdigest()[:16], body
