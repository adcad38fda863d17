"""The commands' own words: each has its German, nothing else has, and the places in it are the same."""

import ast
import string
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest

import projections.games
import server.cli
from projections.languages import ENGLISH, LANGUAGES
from replay.errors import RecordInvalid
from replay.files.export import EVERYTHING
from replay.scenarios.lesson_session import OTHER, OVER
from server.cli import accounts, cards, inspecting, language, matches, notices, play, player, table
from server.cli.errors import Amiss
from server.cli.words import LANGUAGE, refused, told, word, words_of
from server.operations import doctor
from server.operations.configuration import DEFAULT
from server.table.chat import ROOMS

FOLDER = Path(server.cli.__file__).parent
OTHERS = [language for language in LANGUAGES if language != ENGLISH]
FINDINGS: set[str] = {
    str(call.args[0].value)
    for call in ast.walk(ast.parse(Path(doctor.__file__).read_text("utf-8")))
    if isinstance(call, ast.Call) and ast.unparse(call.func) == "Finding" and isinstance(call.args[0], ast.Constant)
}
"""What the doctor looks at."""
FIGURES = {"branches", "dice", "dice only", "ended", "ending", "least", "median", "most", "rule"}
"""What is counted, as `herald stats` names it in its rows."""
SIDES = {"Capital", "General", "faction", "race", "side"}
"""What sides are told apart by, as the games' faces name it."""
FROM_TABLES = {
    *player.ASKED.values(),
    *(key.description for key in player.ReplayPlayer.KEYS),
    OVER,
    OTHER,
    *matches.STATUSES,
    *accounts.GROUPS.values(),
    *accounts.OUTCOMES.values(),
    *notices.KINDS.values(),
    *notices.PACES.values(),
    *ROOMS,
    *ROOMS.values(),
    *inspecting.CHAIN,
    *(text for pair in (cards.PLAYED_WITH, cards.FIELDED, cards.PLAYED_ON) for text in pair),
    DEFAULT,
    EVERYTHING,
    *FINDINGS,
    *FIGURES,
    *SIDES,
    "lost",
    "missing",
    "(set)",
    "(not set)",
}
"""What is said out of tables, where no call names it."""


def texts_of(said: ast.expr, module: Any) -> Iterator[str]:
    """The words that are handed to `word`: written there, a constant's, or one of two."""
    match said:
        case ast.Constant(value=str(text)):
            yield text
        case ast.Name(id=name) if hasattr(module, name):
            yield getattr(module, name)
        case ast.IfExp(body=one, orelse=other):
            yield from (*texts_of(one, module), *texts_of(other, module))


def said_in(path: Path) -> Iterator[str]:
    """The words that a module says: written where they are said, or a constant's."""
    module: Any = import_module(f"server.cli.{path.stem}" if path.stem != "__init__" else "server.cli")
    for call in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "word":
            yield from texts_of(call.args[0], module)


MODULES = sorted(path for path in FOLDER.glob("*.py") if path.stem != "__main__")
SAID = {text for path in MODULES for text in said_in(path)} | FROM_TABLES


def places(text: str) -> list[tuple[str, str, str]]:
    return sorted((name, form or "", how or "") for _, name, form, how in string.Formatter().parse(text) if name)


def in_german(*args: Any, **values: Any) -> str:
    context = click.Context(click.Command("any"))
    context.meta[LANGUAGE] = "de"
    with context:
        return word(*args, **values)


def test_what_is_said_is_found() -> None:
    assert {player.HELP, play.HELP, table.HELP, play.GOES_ON, "its number", "choice"} <= SAID
    assert len(SAID) > 80


@pytest.mark.parametrize("language", OTHERS)
def test_everything_is_translated_and_nothing_else(language: str) -> None:
    assert sorted(SAID - set(words_of(language))) == []
    assert sorted(set(words_of(language)) - SAID) == []


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_the_places_of_the_english(language: str) -> None:
    assert [english for english, told in words_of(language).items() if places(english) != places(told)] == []


def test_words_are_those_of_the_commands_language_and_english_where_it_has_none() -> None:
    assert word("Seat {n}", n=3) == "Seat 3"
    assert in_german("Seat {n}", n=3) == "Platz 3"
    assert in_german("Nobody wrote {what} in German.", what="this") == "Nobody wrote this in German."


@pytest.mark.parametrize("text", [play.HELP, table.HELP, player.HELP])
def test_help_names_the_same_keys_and_fits_a_terminal(text: str) -> None:
    told = in_german(text)
    assert told.count("\n") == text.count("\n")
    assert max(map(len, told.splitlines())) <= 120


def test_every_side_of_a_game_is_named_by_such_words() -> None:
    shown = Path(projections.games.__file__).parent.glob("*/face.py")
    kinds = {
        str(key.value)
        for path in shown
        for sides in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(sides, ast.Dict)
        for key in sides.keys
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    }
    assert kinds >= SIDES


def test_what_other_floors_say_is_translated_with_its_place_and_what_was_expected() -> None:
    with language.in_language_of(["--lang", "de"]):
        assert (
            told("line 10: the record is empty; expected 5 lines")
            == "Zeile 10: die Aufzeichnung ist leer; erwartet 5 Zeilen"
        )
        assert told("there is no match 'x'") == "eine Partie 'x' gibt es nicht"
        assert told("$HERALD_PORT: port cannot be 0; allowed is a whole number from 1 to 9").startswith(
            "$HERALD_PORT: port darf"
        )
    assert told("line 10: the record is empty") == "line 10: the record is empty"


def test_what_other_floors_say_is_english_and_marked_where_it_is_not_translated() -> None:
    with language.in_language_of(["--lang", "de"]):
        assert told("the moon is missing") == "the moon is missing (en)"
        assert told("line 3: the moon is missing") == "Zeile 3: the moon is missing (en)"


def test_an_error_of_a_command_is_told_as_it_is_and_that_of_another_floor_translated() -> None:
    with language.in_language_of(["--lang", "de"]):
        assert refused(Amiss(word("Nobody is away."))) == "Niemand ist fort."
        assert refused(RecordInvalid("the record is empty", 2)) == "Zeile 2: die Aufzeichnung ist leer"


@pytest.mark.parametrize("language", OTHERS)
def test_no_command_raises_an_error_without_words_of_its_language(language: str) -> None:
    """A sentence that is written where it is raised goes through `word`, or is another floor's to translate."""
    loose = [
        f"{path.name}:{made.lineno}"
        for path in MODULES
        for made in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(made, ast.Call) and ast.unparse(made.func) in {"Amiss", "Unclear", "Misconfigured"}
        if isinstance(made.args[0], ast.Constant)
    ]
    assert words_of(language)
    assert loose == []


def test_numbers_are_written_as_the_language_writes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    english = "{matches:,} matches with {lines:,} lines are copied, {known:,} were there already."
    monkeypatch.setenv("HERALD_LANG", "de")
    assert word(english, matches=1234, lines=5678901, known=12).startswith("1.234 Partien mit 5.678.901 Zeilen")
    assert told("1,048,576 may be open").startswith("1.048.576 dürfen offen sein")
    assert word("{n} Zeilen, {s:.1f} s", n=1500, s=1.5) == "1500 Zeilen, 1,5 s"
    monkeypatch.setenv("HERALD_LANG", "en")
    assert word(english, matches=1234, lines=5678901, known=12).startswith("1,234 matches with 5,678,901 lines")
    assert told("1,048,576 may be open") == "1,048,576 may be open"
