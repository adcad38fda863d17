"""The material of the architecture tests: the tracked files, and the imports of the Python files among them."""

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from projections.registry import games

ROOT = Path(__file__).resolve().parents[2]


@cache
def tracked() -> tuple[Path, ...]:
    """The tracked files that exist, relative to the root."""
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
    ).stdout
    return tuple(path for path in map(Path, listed.rstrip("\0").split("\0")) if (ROOT / path).is_file())


def python_files(*tops: str) -> list[Path]:
    """The tracked Python files below the folders named, or all."""
    return [path for path in tracked() if path.suffix == ".py" and (not tops or path.parts[0] in tops)]


def game_of(path: Path) -> str:
    """The game in whose rooms a file is; empty for a file of no game."""
    parts = path.parts
    if parts[0] == "domain" and len(parts) > 2:
        name = parts[1]
    elif parts[:2] == ("projections", "games") and len(parts) > 3:
        name = parts[2]
    elif parts[:2] == ("server", "bots"):
        name = path.stem if len(parts) == 3 else parts[2]
    else:
        return ""
    return name if name in games() else ""


def text_files() -> Iterator[tuple[Path, str]]:
    """The tracked files that are UTF-8 text, with their text."""
    for path in tracked():
        data = (ROOT / path).read_bytes()
        if b"\0" not in data:
            yield path, data.decode()


@cache
def tree(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse((ROOT / path).read_text(), str(path))


def statements(within: ast.AST) -> Iterator[ast.AST]:
    """The statements of a tree, at any depth, in the order of their lines; expressions are not searched."""
    for inside in ("body", "handlers", "cases", "orelse", "finalbody"):
        for node in getattr(within, inside, ()):
            yield node
            yield from statements(node)


def imports_of(path: Path, syntax: ast.Module | None = None) -> list[tuple[int, str]]:
    """(line, dotted module) of every import, wherever it is, also under `TYPE_CHECKING`.

    `from a.b import c` is `a.b.c` where that is a module of this repository, otherwise `a.b`.
    """
    return list(_imports_of(path, syntax))


@cache
def _imports_of(path: Path, syntax: ast.Module | None) -> tuple[tuple[int, str], ...]:
    found: list[tuple[int, str]] = []
    for node in statements(syntax or tree(path)):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                package = path.parent.parts[: len(path.parent.parts) - node.level + 1]
                base = ".".join((*package, *filter(None, [base])))
            found += [(node.lineno, _deepest(base, alias.name)) for alias in node.names]
    return tuple(found)


def imports(paths: Iterable[Path]) -> list[tuple[Path, int, str]]:
    """(file, line, dotted module) of every import of the files."""
    return [(path, line, module) for path in paths for line, module in imports_of(path)]


def _deepest(base: str, name: str) -> str:
    """`base.name` where that is a module, of this repository or of the standard library; else `base`."""
    inner = ROOT.joinpath(*base.split("."), name)
    ours = inner.with_suffix(".py").is_file() or (inner / "__init__.py").is_file()
    theirs = base in sys.stdlib_module_names and _is_module(f"{base}.{name}")
    return f"{base}.{name}" if ours or theirs else base


@cache
def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False
