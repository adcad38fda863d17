"""The rooms of server/ and replay/: a sentence at each door, imports in one direction (ARCHITECTURE, the rooms)."""

import ast
import re
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT, imports, python_files, statements, tree

ROOMS = {
    "replay": (
        "store",
        "record",
        "files",
        "audit",
        "duplicate",
        "playback",
        "ratings",
        "queries",
        "maintenance",
        "scenarios",
    ),
    "server": (
        "webhooks",
        "operations",
        "bots",
        "analysis",
        "wire",
        "direction",
        "table",
        "people",
        "moderation",
        "matchmaking",
        "notifications",
        "lobby",
        "cluster",
        "pages",
        "gate",
        "relay",
        "arena",
        "research",
        "conformance",
        "cli",
    ),
}
"""Each room may import those before it."""

AT_THE_DOOR = {"replay": {"__init__.py", "errors.py"}, "server": {"__init__.py", "errors.py"}}
"""What stands in no room."""


def room_of(module: str) -> tuple[str, str] | None:
    """(floor, room) of a dotted module; None where it stands in no room."""
    parts = module.split(".")
    return (parts[0], parts[1]) if len(parts) > 1 and parts[1] in ROOMS.get(parts[0], ()) else None


def runs_up(path: Path, module: str) -> bool:
    """Whether the file imports a room that its own may not know."""
    own, other = room_of(".".join(path.with_suffix("").parts)), room_of(module)
    if own is None or other is None or own[0] != other[0]:
        return own is None and other is not None and path.parts[0] == other[0]
    order = ROOMS[own[0]]
    return order.index(other[1]) > order.index(own[1])


FILES = python_files("replay", "server")


def test_rooms_import_in_one_direction() -> None:
    wrong = [f"{path}:{line} imports {module}" for path, line, module in imports(FILES) if runs_up(path, module)]
    assert not wrong, "a room imports one that comes after it in ROOMS; move what it needs down"


def test_every_module_stands_in_a_room() -> None:
    outside = {top: {path.name for path in FILES if path.parts[:-1] == (top,)} for top in ROOMS}
    assert outside == AT_THE_DOOR
    inside = {top: {path.parts[1] for path in FILES if path.parts[0] == top and len(path.parts) > 2} for top in ROOMS}
    assert inside == {top: set(rooms) for top, rooms in ROOMS.items()}


@pytest.mark.parametrize("room", [f"{top}/{room}" for top, rooms in ROOMS.items() for room in rooms])
def test_each_room_has_a_sentence_at_its_door(room: str) -> None:
    said = ast.get_docstring(tree(Path(room, "__init__.py"))) or ""
    assert re.match(r"[A-Z].{20,}\.", said)


def test_the_architecture_page_names_the_rooms_in_their_order() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for top, rooms in ROOMS.items():
        named = re.findall(rf"^    {top}/(\w+) ", page, re.MULTILINE)
        assert tuple(named) == rooms


def _raisable(path: Path) -> set[str]:
    return {node.name for node in tree(path).body if isinstance(node, ast.ClassDef)}


@pytest.mark.parametrize("path", [path for path in FILES if path.name == "errors.py"], ids=str)
def test_a_tree_of_errors_shows_each_of_them(path: Path) -> None:
    shown = set(re.findall(r"^\+- (\w+)", ast.get_docstring(tree(path)) or "", re.MULTILINE))
    roots = {"RecordError", "ServerError"}
    assert shown == _raisable(path) - roots


def test_errors_are_told_of_in_errors_alone() -> None:
    classes = [
        f"{path}:{node.lineno} {node.name}"
        for path in FILES
        if path.name != "errors.py"
        for node in statements(tree(path))
        if isinstance(node, ast.ClassDef) and node.name[0] != "_" and any(_is_error(base) for base in node.bases)
    ]
    assert not classes, "what a room raises for others stands in its errors.py"


def _is_error(base: ast.expr) -> bool:
    known = {name for path in FILES if path.name == "errors.py" for name in _raisable(path)}
    return isinstance(base, ast.Name) and base.id in {*known, "Exception", "ValueError", "OSError", "Refusal"}


@pytest.mark.parametrize(
    ("file", "module", "is_wrong"),
    [
        ("server/table/live_match.py", "server.lobby.match_registry", True),
        ("server/lobby/match_registry.py", "server.table.live_match", False),
        ("replay/store/log.py", "replay.record.line", True),
        ("replay/record/line.py", "replay.errors", False),
        ("server/errors.py", "server.wire.protocol", True),
        ("server/cli/serve.py", "replay.store.sqlite.store", False),
    ],
)
def test_a_room_further_up_is_recognised(file: str, module: str, *, is_wrong: bool) -> None:
    assert runs_up(Path(file), module) is is_wrong
