"""The kernel is read from its first module to its last: each uses only those before it, so there is no circle."""

import ast
import re
from pathlib import Path

import domain.kernel
from tests.architecture.sources import ROOT, imports_of, python_files

KERNEL = "domain.kernel."
NAMED = re.findall(r"^    (\w+) +\S", domain.kernel.__doc__ or "", re.MULTILINE)
"""The modules in the order in which the package's docstring names them."""


def forward(path: Path, order: list[str], syntax: ast.Module | None = None) -> list[str]:
    """The imports of a kernel module that lead to itself, or to one that is named after it."""
    before = order[: order.index(path.stem)]
    inner = [(line, module) for line, module in sorted(imports_of(path, syntax)) if f"{module}.".startswith(KERNEL)]
    return [
        f"{path}:{line} imports {module}"
        for line, module in inner
        if module.removeprefix(KERNEL).split(".")[0] not in before
    ]


def test_the_kernel_names_all_its_modules_in_order() -> None:
    there = sorted(path.stem for path in (ROOT / "domain/kernel").glob("*.py") if path.stem != "__init__")
    assert sorted(NAMED) == there, "domain/kernel/__init__.py names every module once, in the order of reading"


def test_each_module_of_the_kernel_uses_only_those_before_it() -> None:
    paths = [path for path in python_files("domain") if path.parts[1] == "kernel" and path.stem != "__init__"]
    assert len(paths) == len(NAMED)
    wrong = [found for path in paths for found in forward(path, NAMED)]
    assert not wrong, (
        "the kernel has no circle, also none behind TYPE_CHECKING: move what is needed to an earlier module"
    )


def test_a_step_forward_is_recognised() -> None:
    source = (
        "from domain.kernel.a import x\nif TYPE_CHECKING:\n    from domain.kernel.c import y\nimport domain.kernel\n"
    )
    path, syntax = Path("domain/kernel/b.py"), ast.parse(source)
    assert forward(path, ["a", "b", "c"], syntax) == [
        f"{path}:3 imports domain.kernel.c",
        f"{path}:4 imports domain.kernel",
    ]
