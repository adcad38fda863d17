"""Imports go down only: server, replay, projections, domain; and the domain is pure (ARCHITECTURE, the shape)."""

import ast
import sys
from pathlib import Path

import pytest

from tests.architecture.sources import imports, imports_of, python_files, statements, tracked, tree

FLOORS = ("domain", "projections", "replay", "server")
INSIDE = {*FLOORS, "tests", "scripts"}

PURE = frozenset({
    "__future__", "abc", "bisect", "collections", "contextlib", "copy", "dataclasses", "difflib", "enum", "fractions",
    "functools", "heapq", "importlib", "itertools", "json", "math", "operator", "re", "string", "tomllib", "types",
    "typing", "unicodedata",
})  # fmt: skip
"""What the domain may import of the standard library: nothing here reads a clock, a socket or chance.

`importlib` is for `importlib.resources`: a game reads the data packaged with it.
"""

PAGES_BESIDE = frozenset({".md", ".cff", ".toml", ".lock", ".json"})

PURE_MODULES = frozenset({"importlib.resources", "importlib.resources.abc"})
WALKS = {(Path("domain/commons/class_discovery.py"), name) for name in ("importlib", "pkgutil")}
"""The one place that finds the modules of a package: a game's rules are listed nowhere."""
SOURCES = [*python_files(*FLOORS), *python_files("tests", "scripts")]


def above(path: Path, module: str) -> bool:
    """Whether the module is on a floor above the file's."""
    floor, other = path.parts[0], module.split(".", maxsplit=1)[0]
    if other in {"tests", "scripts"}:
        return floor in FLOORS
    return floor in FLOORS and other in FLOORS and FLOORS.index(other) > FLOORS.index(floor)


def impure(module: str) -> bool:
    """Whether the domain may not import the module."""
    top = module.split(".", maxsplit=1)[0]
    if top in {"domain", "msgspec"}:
        return False
    return top not in PURE or (top == "importlib" and module not in PURE_MODULES)


def intrudes(path: Path, module: str) -> bool:
    """Whether the file reaches into a game: only its scene, its bots and tests may import deeper than the package.

    The kernel may reach into nothing, the commons into the kernel only.
    """
    parts = module.split(".")
    if parts[0] != "domain" or len(parts) < 2 or parts[1] == "kernel":
        return False
    if parts[1] == "commons":
        return path.parts[:2] == ("domain", "kernel")
    game = parts[1]
    if path.parts[:2] == ("domain", game) or path.parts[0] == "tests":
        return False
    if path.parts[:3] in {("projections", "games", game), ("server", "bots", game), ("server", "bots", f"{game}.py")}:
        return False
    return len(parts) > 2 or path.parts[0] == "domain"


def test_imports_go_down_only() -> None:
    wrong = [f"{path}:{line} imports {module}" for path, line, module in imports(SOURCES) if above(path, module)]
    assert not wrong, "a floor imports from a floor above it; move what it needs down"


def test_the_domain_is_pure() -> None:
    found = imports(python_files("domain"))
    wrong = [
        f"{path}:{line} imports {module}"
        for path, line, module in found
        if impure(module) and (path, module) not in WALKS
    ]
    assert not wrong, "the domain has no I/O, clock, chance or concurrency; PURE lists what it may import"


def test_a_client_of_others_knows_nothing_of_the_floors() -> None:
    found = imports(path for path in python_files("clients") if "library" not in path.parts)
    wrong = [f"{path}:{line} imports {module}" for path, line, module in found if module.partition(".")[0] in INSIDE]
    assert not wrong, "what stands in clients/ runs where Herald is not installed; it has the wire and docs/ alone"


def test_only_the_server_is_a_client_of_its_own() -> None:
    found = imports(python_files(*FLOORS))
    users = {path.parts[0] for path, _, module in found if module.partition(".")[0] == "herald_client"}
    assert users == {"server"}


def test_there_is_one_folder_beside_the_floors_their_tests_and_their_documents() -> None:
    folders = {path.parts[0] for path in tracked() if len(path.parts) > 1}
    assert folders == {*FLOORS, "tests", "scripts", "docs", ".ci", ".github", "clients", "changelog.d"}


def test_no_picture_or_log_lies_beside_the_floors() -> None:
    beside = {path.name for path in tracked() if len(path.parts) == 1}
    wrong = {name for name in beside if not name.startswith((".", "LICENSE")) and Path(name).suffix not in PAGES_BESIDE}
    assert not wrong, "only settings, locks and pages belong at the top level"


def test_nothing_reaches_into_a_game() -> None:
    wrong = [f"{path}:{line} imports {module}" for path, line, module in imports(SOURCES) if intrudes(path, module)]
    assert not wrong, "import GAME from the game's package, or export what is needed there"


def test_no_relative_import_hides_a_direction() -> None:
    nodes = [(path, node) for path in SOURCES for node in statements(tree(path)) if isinstance(node, ast.ImportFrom)]
    wrong = [f"{path}:{node.lineno}" for path, node in nodes if node.level]
    assert not wrong, "write the module's whole name"


@pytest.mark.parametrize(
    ("file", "module", "is_wrong"),
    [
        ("domain/kernel/form.py", "replay.store.log", True),
        ("projections/scene.py", "server.lobby.match_registry", True),
        ("replay/record/line.py", "projections.redaction", False),
        ("server/lobby/match_registry.py", "domain.kernel", False),
        ("server/lobby/match_registry.py", "tests.skirmish.game", True),
        ("tests/replay/record/test_sealing.py", "server.lobby.match_registry", False),
    ],
)
def test_a_floor_above_is_recognised(file: str, module: str, *, is_wrong: bool) -> None:
    assert above(Path(file), module) is is_wrong


@pytest.mark.parametrize(
    "module", ["random", "time", "asyncio", "os", "socket", "secrets", "sqlite3", "importlib", "anyio"]
)
def test_an_impure_module_is_recognised(module: str) -> None:
    assert impure(module)


@pytest.mark.parametrize("module", ["msgspec.structs", "collections.abc", "domain.kernel", "importlib.resources"])
def test_a_pure_module_is_recognised(module: str) -> None:
    assert not impure(module)


@pytest.mark.parametrize(
    ("file", "module", "is_wrong"),
    [
        ("server/lobby/match_registry.py", "domain.chess.state", True),
        ("server/lobby/match_registry.py", "domain.chess", False),
        ("projections/games/chess/scene.py", "domain.chess.state", False),
        ("projections/games/chess/scene.py", "domain.draughts.state", True),
        ("server/bots/chess.py", "domain.chess.queries", False),
        ("server/bots/chess/search.py", "domain.chess.queries", False),
        ("server/bots/chess/search.py", "domain.draughts.queries", True),
        ("domain/draughts/state.py", "domain.chess", True),
        ("domain/kernel/game.py", "domain.chess", True),
        ("domain/kernel/game.py", "domain.commons.rows", True),
        ("domain/commons/rows.py", "domain.chess", True),
        ("domain/chess/state.py", "domain.commons.rows", False),
    ],
)
def test_reaching_into_a_game_is_recognised(file: str, module: str, *, is_wrong: bool) -> None:
    assert intrudes(Path(file), module) is is_wrong


def circles(known: dict[str, set[str]]) -> list[list[str]]:
    """The groups of modules that import one another, by name, also through others (Tarjan's algorithm)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    waiting: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        order[name] = lowest[name] = len(order)
        waiting.append(name)
        for other in known[name]:
            if other not in order:
                visit(other)
            if other in waiting:
                lowest[name] = min(lowest[name], lowest[other])
        if lowest[name] == order[name]:
            start = waiting.index(name)
            if len(waiting) - start > 1:
                found.append(sorted(waiting[start:]))
            del waiting[start:]

    for name in known:
        if name not in order:
            visit(name)
    return found


def test_no_module_imports_one_that_imports_it() -> None:
    paths = python_files(*FLOORS, "scripts", "clients")
    modules = {".".join(path.with_suffix("").parts).removesuffix(".__init__"): path for path in paths}
    inner = {name: {module for _, module in imports_of(path)} & {*modules} - {name} for name, path in modules.items()}
    assert not circles(inner), "move what both need into a third module; an import inside a function counts too"


def test_a_circle_is_recognised() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [["a", "b", "c"]]
    assert not circles({"a": {"b", "c"}, "b": {"c"}, "c": set()})


def test_every_import_is_found() -> None:
    source = "import os.path\ndef f():\n    from domain.kernel import form\n    from importlib import resources\n"
    found = imports_of(Path("x.py"), ast.parse(source + "from time import sleep\n"))
    assert sorted(found) == [(1, "os.path"), (3, "domain.kernel.form"), (4, "importlib.resources"), (5, "time")]


def test_what_is_pure_is_of_the_standard_library() -> None:
    assert sys.stdlib_module_names >= PURE
