"""Objects mind their own: nobody reaches through two of them, and nobody sets another one's attributes."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.objects import FLOORS, Function, assigned, chain, functions, is_object, locals_of, met, module
from tests.architecture.sources import python_files

COUNTERS = {"server.operations.metrics.Meters"}
"""What a counter counts is added where it happens."""


def reaches(path: Path, own: str, function: Function) -> Iterator[tuple[int, str]]:
    """The chains that go through two objects to a third: `lobby.safety.log.entries`."""
    local, _ = locals_of(function, path)
    for node in ast.walk(function):
        if not isinstance(node, ast.Attribute):
            continue
        names = chain(node)
        passed = met(names[:-1], own, local)[names[:1] == ["self"] :] if names else []
        if sum(map(is_object, passed)) > 2:
            yield node.lineno, ".".join(names)


def patches(path: Path, own: str, function: Function) -> Iterator[tuple[int, str]]:
    """The attributes of objects of other modules that a function sets, but for objects that it has made itself."""
    local, begun = locals_of(function, path)
    for node in ast.walk(function):
        for target, _, _ in assigned(node):
            names = chain(target)
            if len(names) < 2 or names[0] in begun or names[:-1] == ["self"]:
                continue
            of = met(names[:-1], own, local)
            is_known = len(of) == len(names) - 1 and is_object(of[-1])
            if is_known and of[-1] not in COUNTERS and of[-1].rpartition(".")[0] != module(path):
                yield target.lineno, ".".join(names)


def test_nobody_reaches_through_two_objects() -> None:
    each = ((path, *one) for path in python_files(*FLOORS) for one in functions(path))
    found = [f"{path}:{line} {names}" for path, own, one in each for line, names in reaches(path, own, one)]
    assert not found, "take the object that is needed itself, or let the one in between do it"


def test_nobody_sets_an_attribute_of_another_object() -> None:
    each = ((path, *one) for path in python_files(*FLOORS) for one in functions(path))
    found = [f"{path}:{line} {names}" for path, own, one in each for line, names in patches(path, own, one)]
    assert not found, "give the object a method that says what happens, or what it needs when it is made"


HERE = Path("server/gate/app.py")


def function_of(source: str) -> Function:
    (node,) = ast.parse(source).body
    assert isinstance(node, Function)
    return node


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def f(lobby: Lobby): lobby.safety.log.entries()", ["lobby.safety.log.entries"]),
        ("def f(lobby: Lobby): lobby.registry.open()", []),
        ("def f(session: Session): session.stream.guest.viewer.seat", []),
    ],
)
def test_a_reach_is_recognised(source: str, found: list[str]) -> None:
    assert [names for _, names in reaches(HERE, "", function_of(source))] == found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def f(lobby: Lobby): lobby.takeover.is_listed = True", ["lobby.takeover.is_listed"]),
        ("def f(lobby: Lobby): lobby.is_draining = True", ["lobby.is_draining"]),
        ("def f():\n  lobby = Lobby()\n  lobby.is_draining = True", []),
        ("def f(report: Report): report.lines = 5", []),
    ],
)
def test_a_patch_is_recognised(source: str, found: list[str]) -> None:
    assert [names for _, names in patches(HERE, "", function_of(source))] == found
