"""ARCHITECTURE.md, the path of a choice: each name in it is true, and the code goes the way that the page shows."""

import ast
import re
from itertools import pairwise
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT, imports_of, python_files, tracked, tree

PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
STEP = re.compile(r"^ {4}(?P<file>\S+\.py)? +(?P<name>[A-Z]\w+\.\w+|[a-z]\w+)  +\S", re.MULTILINE)
PLACE = re.compile(r"^ {4}(?P<file>\S+/\S+)? +(?P<name>\S+)  +\S", re.MULTILINE)
OFFICE = re.compile(r"^ {4}(\w+)  +\S", re.MULTILINE)
TABLE = Path("server/table")


def between(first: str, last: str) -> str:
    """The text of the page from one mark to another."""
    return PAGE[PAGE.index(first) : PAGE.index(last, PAGE.index(first))]


def rows(pattern: re.Pattern[str], text: str) -> list[tuple[Path, str]]:
    """(file, name) of each line of a list; a line without a file goes on in that of the line above."""
    found: list[tuple[Path, str]] = []
    for row in pattern.finditer(text):
        found.append((Path(row["file"]) if row["file"] else found[-1][0], row["name"]))
    return found


PATH = rows(STEP, between("## The path of a choice", "A match in memory"))
OFFICES = OFFICE.findall(between("A match in memory", "### Where to find"))
PLACES = rows(PLACE, between("### Where to find", "## Decisions"))


def defined(syntax: ast.Module, name: str) -> ast.AST | None:
    """The class, function or method of a module, None where it has none of that name."""
    inside: ast.AST | None = syntax
    for part in name.split("."):
        body: list[ast.stmt] = getattr(inside, "body", [])
        inside = next((node for node in body if getattr(node, "name", "") == part), None)
    return inside


def named(function: ast.AST) -> set[str]:
    """What a function's body speaks of: names and attributes."""
    nodes = list(ast.walk(function))
    return {n.attr for n in nodes if isinstance(n, ast.Attribute)} | {n.id for n in nodes if isinstance(n, ast.Name)}


def uncalled(path: list[tuple[Path, str]]) -> list[str]:
    """The steps that none above them calls."""
    known: set[str] = set()
    wrong: list[str] = []
    for place, (file, name) in enumerate(path):
        if place and name.rsplit(".")[-1] not in known:
            wrong.append(name)
        function = defined(tree(file), name)
        known |= named(function) if function is not None else set()
    return wrong


def upward(order: list[str], modules: dict[str, list[str]]) -> list[str]:
    """The imports, by module, that go up in the order."""
    return [
        f"{module} imports {other}"
        for module, others in modules.items()
        for other in others
        if order.index(other) <= order.index(module)
    ]


def imported() -> dict[str, list[str]]:
    """For each module of the table, which others of it it imports."""
    found: dict[str, list[str]] = {}
    for path in python_files("server"):
        if path.parent == TABLE and path.stem != "__init__":
            names = [module.split(".") for _, module in imports_of(path)]
            found[path.stem] = [parts[2] for parts in names if parts[:2] == list(TABLE.parts) and len(parts) > 2]
    return found


@pytest.mark.parametrize(("file", "name"), PATH, ids=[name for _, name in PATH])
def test_each_step_of_the_path_is_a_function_of_its_file(file: Path, name: str) -> None:
    assert defined(tree(file), name) is not None


def test_the_path_leads_from_the_socket_to_the_socket_through_every_floor() -> None:
    assert (PATH[0], PATH[-1]) == (
        (Path("server/gate/session.py"), "Session.run"),
        (Path("server/gate/outbox.py"), "Outbox.send"),
    )
    assert {file.parts[0] for file, _ in PATH} == {"server", "replay", "projections", "domain"}


def test_each_step_of_the_path_is_called_by_one_above_it() -> None:
    assert not uncalled(PATH)


def test_a_step_that_is_called_by_none_above_it_is_recognised() -> None:
    first, *rest = PATH
    assert uncalled([first, *reversed(rest)])


def test_the_path_meets_the_offices_of_a_match_in_their_order() -> None:
    met = list(dict.fromkeys(file.stem for file, _ in PATH if file.parent == TABLE))
    assert len(met) > 3
    assert all(OFFICES.index(above) < OFFICES.index(below) for above, below in pairwise(met))


def test_every_module_of_the_table_is_named_once() -> None:
    assert sorted(OFFICES) == sorted(imported())


def test_the_modules_of_the_table_import_only_those_below_them() -> None:
    assert not upward(OFFICES, imported())


def test_an_import_upwards_is_recognised() -> None:
    assert upward(["docket", "bench"], {"docket": ["bench"], "bench": ["docket"]}) == ["bench imports docket"]


@pytest.mark.parametrize(("file", "name"), PLACES, ids=[f"{file.name}-{name}" for file, name in PLACES])
def test_what_the_page_says_where_to_find_is_there(file: Path, name: str) -> None:
    files = [path for path in tracked() if path == file or file in path.parents]
    if name.replace(".", "_").isidentifier():
        assert defined(tree(file), name) is not None
    else:
        assert any(name in (ROOT / path).read_text(encoding="utf-8") for path in files)


def test_each_question_is_answered_in_three_places() -> None:
    questions = between("### Where to find", "## Decisions").split("?")[1:]
    assert [len(rows(PLACE, answer)) for answer in questions] == [3, 3, 3]
