"""Tests pass intervals and bounds in; none of them changes a constant of a module under it."""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.architecture.sources import ROOT, python_files, tree

FLOORS = ("domain", "projections", "replay", "server")
CONSTANT = re.compile(r"[A-Z][A-Z0-9_]*")
RECORD = {"REVEAL_MS", "RESERVE", "HEADS_KEPT"}
"""Constants of the record, which verifiers hold too: a minute, 3,600 draws or 1,024 lines are too long for a test."""


def constants_of(floor: str) -> set[str]:
    """The names of the constants that the modules of a floor give."""
    found: set[str] = set()
    for path in python_files(floor):
        for node in tree(path).body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            found |= {one.id for one in targets if isinstance(one, ast.Name) and CONSTANT.fullmatch(one.id)}
    return found


def patched(syntax: ast.Module) -> Iterator[tuple[int, str]]:
    """(line, name) of each constant that a test sets: by `setattr` or `patch`, by name or in a list of names."""
    for node in ast.walk(syntax):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr not in {"setattr", "patch", "object"}:
            continue
        words = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        # The new value may be a text too, but where it is a whole name in capitals it is none of a setting.
        yield from ((node.lineno, name) for word in words if CONSTANT.fullmatch(name := word.rpartition(".")[2]))


def test_no_test_changes_a_constant_of_a_module() -> None:
    known = set().union(*map(constants_of, FLOORS)) - RECORD
    assert len(known) > 500
    found = [
        f"{path}:{line} {name}"
        for path in python_files("tests", "clients")
        if path.parts[0] == "tests" and path.parts[1] != "scripts"
        for line, name in patched(tree(path))
        if name in known
    ]
    assert not found, "make it a setting with a default, as Intervals, Bounds or a parameter, and pass it in"


def test_the_exceptions_are_constants_of_the_record() -> None:
    assert constants_of("replay") >= RECORD
    assert (ROOT / "docs/record.md").is_file()


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('monkeypatch.setattr(servers, "POLL_S", 0.1)', ["POLL_S"]),
        ('monkeypatch.setattr("server.cluster.servers.POLL_S", 0.1)', ["POLL_S"]),
        ('stack.enter_context(patch.object(proof, "REVEAL_MS", 5))', ["REVEAL_MS"]),
        ('monkeypatch.setattr(lobby, "found", fails)', []),
    ],
)
def test_a_constant_that_is_changed_is_recognised(source: str, found: list[str]) -> None:
    assert [name for _, name in patched(ast.parse(source))] == found


SEEDED = {"tests/domain/script.py, Script"}
"""The scripted chance of tests of rules, which is the one of scenarios made strict."""


def chances(syntax: ast.Module) -> Iterator[str]:
    """The classes that roll dice and shuffle."""
    for node in ast.walk(syntax):
        if isinstance(node, ast.ClassDef):
            names = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
            if {"dice", "shuffle"} <= names:
                yield node.name


def test_there_is_one_scripted_chance() -> None:
    found = {f"{path}, {name}" for path in python_files("tests") for name in chances(tree(path))}
    assert found == SEEDED, "take `Script`, `ScriptedChance`, or `Seeded` of server/conformance/walks.py"
