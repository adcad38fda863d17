"""The kernel, the commons and every game are read from first to last: each module uses only those before it."""

import ast
import re
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT, imports_of, python_files

NO_GAMES = ("kernel", "commons")
PLAN = ("errors", "cards", "board", "state", "rules", "checks", "positions", "game")
"""The rooms of every game's package in their order; one that a game has no use for is left out."""
GAMES = sorted({path.parts[1] for path in python_files("domain") if len(path.parts) > 2} - {*NO_GAMES})
ROOMS = [
    f"domain.{game}.{room}"
    for game in GAMES
    for room in PLAN
    if room != "rules" and (ROOT / "domain" / game / room).is_dir()
]
PACKAGES = (*(f"domain.{name}" for name in NO_GAMES), *(f"domain.{game}" for game in GAMES), *ROOMS)


def named(package: str) -> list[str]:
    """The modules of a package in the order in which its docstring names them."""
    return re.findall(r"^    (\w+) +\S", import_module(package).__doc__ or "", re.MULTILINE)


def forward(path: Path, package: str, order: list[str], syntax: ast.Module | None = None) -> list[str]:
    """The imports of a module that lead to its package, or to a module or room of it that is named later.

    A module in a room may use others of its room; the room's own order says which.
    """
    inside = path.relative_to(Path(*package.split("."))).with_suffix("").parts
    before = order[: order.index(inside[0]) + (len(inside) > 1)]
    inner = [(at, module) for at, module in sorted(imports_of(path, syntax)) if f"{module}.".startswith(f"{package}.")]
    return [
        f"{path}:{line} imports {module}"
        for line, module in inner
        if module.removeprefix(f"{package}.").split(".")[0] not in before
    ]


def modules_of(package: str) -> list[Path]:
    """The modules of a package and of its rooms, but not its door."""
    folder = Path(*package.split("."))
    return [path for path in python_files("domain") if path.is_relative_to(folder) and path != folder / "__init__.py"]


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_names_all_its_modules_in_order(package: str) -> None:
    folder = ROOT / Path(*package.split("."))
    packages = [path.parent.name for path in folder.glob("*/__init__.py")]
    there = sorted([*packages, *(path.stem for path in folder.glob("*.py") if path.stem != "__init__")])
    assert sorted(named(package)) == there, "its docstring names each of them once, in the order of reading"


@pytest.mark.parametrize("package", PACKAGES)
def test_each_module_uses_only_those_before_it(package: str) -> None:
    wrong = [found for path in modules_of(package) for found in forward(path, package, named(package))]
    assert not wrong, "there is no circle, none behind TYPE_CHECKING either: move what is needed to an earlier module"


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_the_same_rooms(game: str) -> None:
    rooms = named(f"domain.{game}")
    assert rooms == [room for room in PLAN if room in rooms]
    assert {"state", "rules", "game"} <= {*rooms}


@pytest.mark.parametrize("game", GAMES)
def test_no_two_modules_of_a_game_have_one_name(game: str) -> None:
    names = Counter(path.stem for path in modules_of(f"domain.{game}") if path.stem != "__init__")
    assert not [name for name, number in names.items() if number > 1]


def test_a_step_forward_is_recognised() -> None:
    source = "from domain.kernel.a import x\nif TYPE_CHECKING:\n    from domain.kernel.c import y\n"
    path, syntax = Path("domain/kernel/b.py"), ast.parse(source + "import domain.kernel\n")
    found = forward(path, "domain.kernel", ["a", "b", "c"], syntax)
    assert found == [f"{path}:3 imports domain.kernel.c", f"{path}:4 imports domain.kernel"]


def test_a_room_may_use_itself_and_those_before_it() -> None:
    source = "from domain.game.a import x\nfrom domain.game.b.inner import y\nfrom domain.game.c.other import z\n"
    path = Path("domain/game/b/module.py")
    found = forward(path, "domain.game", ["a", "b", "c"], ast.parse(source))
    assert found == [f"{path}:3 imports domain.game.c.other"]
