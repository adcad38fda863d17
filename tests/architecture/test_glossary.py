"""docs/glossary.md: one concept has one name, and no module, class or flag is named by a word that was retired."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from projections.registry import games
from server.cli import main
from tests.architecture.sources import ROOT, game_of, python_files, tree

PAGE = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| [^|]+ \|(?P<term>[^|]+)\|(?P<retired>[^|]*)\|(?P<where>[^|]*)\|$", re.MULTILINE)
ROWS = [row for row in ROW.finditer(PAGE) if "Term" not in row["term"] and "---" not in row["term"]]
RETIRED = {word for row in ROWS for word in re.findall(r"`(\w+)`", row["retired"])}
FOLDERS = ("server", "replay", "projections")
FOR_EVER = ("server/wire/", "projections/games/")
"""Messages keep their names, for old clients know them; a game's words are its rulebook's."""


def words_of(name: str) -> set[str]:
    """The words of a name in any spelling: `LiveMatch`, `live_match`, `--live-match`."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name)}


def names(path: Path) -> Iterator[str]:
    """The names that a file gives: its own, and those of its classes."""
    yield path.stem
    yield from (node.name for node in ast.walk(tree(path)) if isinstance(node, ast.ClassDef))


def flags(command: click.Command) -> Iterator[str]:
    """Every flag of a command and of those below it."""
    for parameter in command.params:
        yield from parameter.opts
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None:
                yield name
                yield from flags(below)


FILES = [path for path in python_files(*FOLDERS) if not str(path).startswith(FOR_EVER)]


def test_the_page_has_its_rows() -> None:
    assert len(ROWS) > 40
    assert len(RETIRED) > 30


def test_no_module_or_class_is_named_by_a_retired_word() -> None:
    wrong = [f"{path}: {name}" for path in FILES for name in names(path) if words_of(name) & RETIRED]
    assert not wrong, "docs/glossary.md has the term that is used instead"


TWINS = {"postgres", "sqlite"}
"""Rooms of one shape, whose parts have one name each (docs/decisions)."""
NAMED_TWICE = {
    "Done": "the end of a procedure, by which authors of games know it, and a message",
    "Mark": "a sign on a plate and a director's ring, both in the types of other clients",
}
"""Names that stand in the Scene, on the wire or in the public face, and stay."""


def classes(game: str) -> dict[str, set[Path]]:
    """The public classes of a game, or of everything that is no game's, and the files that define them."""
    found: dict[str, set[Path]] = {}
    for path in python_files("domain", *FOLDERS):
        if game_of(path) == game:
            twin = next((Path(*path.parts[:at], *path.parts[at + 1 :]) for at in _twin(path)), path)
            for node in ast.walk(tree(path)):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found.setdefault(node.name, set()).add(twin)
    return found


def _twin(path: Path) -> list[int]:
    return [at for at, part in enumerate(path.parts) if part in TWINS]


@pytest.mark.parametrize("game", ["", *sorted(games())])
def test_no_two_classes_have_one_name(game: str) -> None:
    twice = {name: paths for name, paths in classes(game).items() if len(paths) > 1}
    assert {name: paths for name, paths in twice.items() if game or name not in NAMED_TWICE} == {}
    assert game or set(twice) == set(NAMED_TWICE), "a name that stands once needs no exception"


ORDINARY = {
    *("advice", "again", "course", "crowd", "desk", "dues", "elsewhere", "homes", "horizon", "linking", "moments"),
    *("nonce", "teaching", "telling", "user", "visitor"),
}
"""Words that an attribute or a name within a function may have, because they mean there what they mean anywhere."""


def identifiers(path: Path) -> set[str]:
    """The names that a file gives to functions, parameters, attributes and values."""
    found: set[str] = set()
    for node in ast.walk(tree(path)):
        match node:
            case ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.Attribute(attr=name, ctx=ast.Store()) | ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
    return found


def test_nothing_inside_a_module_is_named_by_a_word_that_had_to_be_learnt() -> None:
    wrong = [f"{path}: {name}" for path in FILES for name in identifiers(path) if words_of(name) & (RETIRED - ORDINARY)]
    assert not wrong, "docs/glossary.md has the term that is used instead"


def test_no_function_is_named_by_a_preposition_alone() -> None:
    methods = (
        (path, node)
        for path in python_files("projections", "replay", "server")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    assert not [path for path, node in methods if node.name == "of"], "say what of: `standing_of`, `from_record`"


def test_no_folder_is_named_by_a_retired_word() -> None:
    assert not [path for path in FILES if RETIRED & set(path.parts)]


def test_no_command_or_flag_is_named_by_a_retired_word() -> None:
    assert not [flag for flag in flags(main) if words_of(flag) & RETIRED]


@pytest.mark.parametrize("place", sorted({p for row in ROWS for p in re.findall(r"`([\w/.]+)`", row["where"])}))
def test_each_place_of_the_page_exists(place: str) -> None:
    assert (ROOT / place).exists()


@pytest.mark.parametrize("name", ["Hall", "GreatHall", "hall_of_fame", "--hall"])
def test_a_retired_word_is_recognised(name: str) -> None:
    assert words_of(name) & {"hall"}


@pytest.mark.parametrize("name", ["Shall", "hallway", "--challenge"])
def test_a_word_that_only_holds_a_retired_one_is_let_be(name: str) -> None:
    assert not words_of(name) & {"hall"}
