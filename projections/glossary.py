"""What each thing on a table is, in a sentence, with the rows that say so: `projections/games/<game>/glossary.toml`.

A Scene names terms by key beside what it draws; a prompt's term is its decision's name, a cue's is `cue.<kind>`.
"""

import hashlib
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from projections.ledger import has_ledger, ledger

LONGEST: Final = 140
"""Characters of a sentence."""
FIRST: Final = ("term", "decision", "cue")


class Term(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A word of a game: its name, one sentence, the rows it rests on, and terms to see beside it."""

    name: str
    text: str
    rules: tuple[str, ...]
    see: tuple[str, ...] = ()

    def sentence(self) -> str:
        """The sentence with its rows behind it."""
        return f"{self.text.removesuffix('.')} ({', '.join(self.rules)})." if self.rules else self.text


@cache
def glossary(game: str) -> dict[str, Term]:
    """The terms of a game by key; none where it has no glossary. Raises `msgspec.ValidationError`."""
    path = files("projections").joinpath("games", game, "glossary.toml")
    if not path.is_file():
        return {}
    tables = msgspec.convert(tomllib.loads(path.read_text("utf-8")), dict[str, dict[str, Term]])
    found: dict[str, Term] = {}
    for table, terms in tables.items():
        if table not in FIRST:
            raise msgspec.ValidationError(f"{game}: a glossary has no [{table}]; it has {', '.join(FIRST)}")
        found |= {f"cue.{key}" if table == "cue" else key: term for key, term in terms.items()}
    return found


def reason(game: str, kind: str, rule: str) -> str:
    """What a decision is for, a sentence with its rows; a game without a glossary says the rule alone."""
    term = glossary(game).get(kind)
    return f"Rule {rule}." if term is None else term.sentence()


def search(game: str, words: list[str]) -> list[str]:
    """The keys of the terms in which all the words stand; those first whose name has the first one."""
    wanted = [word.lower() for word in words]
    terms = glossary(game)
    found = [key for key, t in terms.items() if all(w in f"{t.name} {t.text}".lower() for w in wanted)]
    return sorted(found, key=lambda key: wanted[0] not in terms[key].name.lower())


def words_of(game: str) -> dict[str, Term] | None:
    """The terms of a game as they are sent; None where it has none."""
    return glossary(game) or None


def rules_of(game: str) -> dict[str, Any] | None:
    """The ledger of a game as it is sent: by id a row's section and its cells; None where there is none."""
    if not has_ledger(game):
        return None
    book = ledger(game)
    rows = {row.id: [row.section, *row.cells] for row in book.rows.values()}
    return {"sections": book.sections, "rows": rows}


@cache
def encoded(game: str, what: Literal["words", "rules"]) -> tuple[str, bytes] | None:
    """A game's terms or ledger as they are sent, under a name that changes with what they say."""
    found = (words_of if what == "words" else rules_of)(game)
    if found is None:
        return None
    body = msgspec.json.encode(found)
    return hashlib.sha256(body).hexdigest()[:16], body
