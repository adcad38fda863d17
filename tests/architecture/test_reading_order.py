"""The kernel, the commons and Joan of Arc are read from first to last: each module uses only those before it."""

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT, imports_of, python_files

PACKAGES = ("domain.kernel", "domain.commons", "domain.joan_of_arc")


def named(package: str) -> list[str]:
    """The modules of a package in the order in which its docstring names them."""
    return re.findall(r"^    (\w+) +\S", import_module(package).__doc__ or "", re.MULTILINE)


def forward(path: Path, package: str, order: list[str], syntax: ast.Module | None = None) -> list[str]:
    """The imports of a module that lead to itself, to its package, or to a module that is named after it."""
    before = order[: order.index(path.stem)]
    inner = [(at, module) for at, module in sorted(imports_of(path, syntax)) if f"{module}.".startswith(f"{package}.")]
    return [
        f"{path}:{line} imports {module}"
        for line, module in inner
        if module.removeprefix(f"{package}.").split(".")[0] not in before
    ]


def modules_of(package: str) -> list[Path]:
    """The modules of a package, but not its door."""
    folder = Path(*package.split("."))
    return [path for path in python_files("domain") if path.parent == folder and path.stem != "__init__"]


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


def test_a_step_forward_is_recognised() -> None:
    source = "from domain.kernel.a import x\nif TYPE_CHECKING:\n    from domain.kernel.c import y\n"
    path, syntax = Path("domain/kernel/b.py"), ast.parse(source + "import domain.kernel\n")
    found = forward(path, "domain.kernel", ["a", "b", "c"], syntax)
    assert found == [f"{path}:3 imports domain.kernel.c", f"{path}:4 imports domain.kernel"]
