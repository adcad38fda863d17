"""What two games share stands once: no long run of lines is written in two games' packages (docs/adding-a-game.md)."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from projections.registry import games
from tests.architecture.sources import ROOT, game_of, python_files, tree

LONGEST = 10
"""Lines that may stand in two games."""

Line = tuple[int, str]
"""A line's number and its text, stripped."""


def not_code(syntax: ast.Module) -> Iterator[int]:
    """The lines of imports and docstrings: two games may import the same, and say the same of what differs."""
    for node in ast.walk(syntax):
        if isinstance(node, ast.Import | ast.ImportFrom) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        ):
            yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)


def lines_of(text: str, syntax: ast.Module) -> list[Line]:
    """The lines of code that are not empty, stripped."""
    out = set(not_code(syntax))
    stripped = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if number not in out)
    return [(number, line) for number, line in stripped if line]


def runs(lines: list[Line], length: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Every run of so many lines, with the number of its first."""
    for at in range(len(lines) - length + 1):
        yield lines[at][0], tuple(line for _, line in lines[at : at + length])


def written_twice(files: dict[Path, list[Line]], length: int) -> list[str]:
    """The runs of `length` lines that stand in files of two games, each at its first place in the second."""
    seen: dict[tuple[str, ...], tuple[Path, int]] = {}
    found = []
    for path, lines in files.items():
        ended = 0
        for number, run in runs(lines, length):
            other, at = seen.setdefault(run, (path, number))
            if game_of(other) != game_of(path) and number > ended:
                found.append(f"{path}:{number} and {other}:{at}")
                ended = number + length
    return found


def _lines(path: Path) -> list[Line]:
    return lines_of((ROOT / path).read_text(encoding="utf-8"), tree(path))


def test_no_long_run_of_lines_stands_in_two_games() -> None:
    files = {path: _lines(path) for path in python_files("domain", "projections", "server") if game_of(path)}
    assert {game_of(path) for path in files} == set(games())
    assert written_twice(files, LONGEST + 1) == [], "write it once: domain/commons, projections/blocks"


@pytest.mark.parametrize(("same", "found"), [(LONGEST, 0), (LONGEST + 1, 1), (3 * LONGEST, 2)])
def test_a_run_is_found_from_its_eleventh_line_on(same: int, found: int) -> None:
    first, second, *_ = sorted(games())
    shared = [f"x{number} = {number}" for number in range(same)]
    one = [*enumerate(["a = 1", *shared, "b = 2"], 1)]
    two = [*enumerate(["c = 1", "d = 1", *shared, "e = 2"], 1)]
    files = {Path("domain", first, "state.py"): one, Path("projections/games", second, "scene.py"): two}
    assert len(written_twice(files, LONGEST + 1)) == found


def test_what_one_game_writes_twice_is_its_own_affair() -> None:
    first, *_ = sorted(games())
    lines = [(number, f"x = {number}") for number in range(20)]
    files = {Path("domain", first, "state.py"): lines, Path("server/bots", f"{first}.py"): lines}
    assert written_twice(files, LONGEST + 1) == []


def test_imports_docstrings_and_empty_lines_do_not_count() -> None:
    source = '"""A module."""\n\nfrom a import (\n    b,\n)\n\n\ndef c():\n    """One."""\n    return "two"\n'
    assert lines_of(source, ast.parse(source)) == [(8, "def c():"), (10, 'return "two"')]
