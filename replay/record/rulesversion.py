"""The meaning of a rules version: a hash over a game's rules and data, kept in the repository (docs/auditing.md).

The hash is computed from syntax trees. Comments, docstrings, layout, the order of imports and the names of modules do
not count: moving a module or explaining it better does not change the rules.
"""

import ast
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

NOT_RULES: Final = ("resample.py", "invariants.py", "refusals.py")
"""Modules of a game that no decision and no fold uses; modules that read positions are left out by name too."""
DRAFT: Final = "0"
"""The version of rules that are still being written; it has no stored hash and needs no record."""
DATA: Final = (".json", ".toml")
UNSAID: Final = ("kind", "type_comment", "ctx")
"""Fields of nodes that describe how a text is written, or that follow from the node's place."""


def rules_files(package: Path) -> list[Path]:
    """The modules and data that decide the results of a game's choices."""
    return sorted(
        path
        for path in package.rglob("*")
        if path.suffix in (".py", *DATA)
        and path.name not in NOT_RULES
        and not any(part.startswith("position") for part in path.relative_to(package).parts)
        and "__pycache__" not in path.parts
    )


def rules_hash(package: Path, module: str = "") -> str:
    """SHA-256 of the code of the modules and the contents of the data files, in hex. Raises `ValueError` for no files.

    A data file counts with its name, without its folder. A module counts without its name; instead, each import from
    another module of the game counts with a hash of that module, so that taking a name from elsewhere is a change.
    `module`: the name by which the package is imported; by default `domain.<folder>`.
    """
    files = rules_files(package)
    if not files:
        raise ValueError(f"{package} has no rules")
    top = module or f"domain.{package.name}"
    trees = {_dotted(path, package, top): _read(path) for path in files if path.suffix == ".py"}
    bodies = {name: _sha(_written(tree)) for name, tree in trees.items()}
    parts = [_sha(bodies[name] + repr(sorted(_imports(tree, bodies)))) for name, tree in trees.items() if _acts(tree)]
    parts += [_sha(f"{path.name} {_content(path)}") for path in files if path.suffix in DATA]
    return _sha(" ".join(sorted(parts)))


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _content(path: Path) -> str:
    """The hash of a data file's bytes, with line ends as LF."""
    return hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n")).hexdigest()


def _dotted(path: Path, package: Path, top: str) -> str:
    """The name by which other modules import this one."""
    parts = path.relative_to(package).with_suffix("").parts
    return ".".join((top, *(parts[:-1] if parts[-1] == "__init__" else parts)))


def _read(path: Path) -> ast.Module:
    """A module without its docstrings: a string that is a statement by itself does nothing."""
    tree = ast.parse(path.read_bytes(), str(path))
    for node in ast.walk(tree):
        for block in ("body", "orelse", "finalbody"):
            statements = getattr(node, block, None)
            if isinstance(statements, list):
                setattr(node, block, [statement for statement in statements if not _is_text(statement)])
    return tree


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _acts(tree: ast.Module) -> bool:
    """Whether a module holds more than its docstring; a package's `__init__` often does not."""
    return bool(tree.body)


def _written(node: object) -> str:
    """A syntax tree as text, the same in every version of Python; a module's imports are hashed separately."""
    if isinstance(node, list):
        return "[" + ",".join(map(_written, node)) + "]"
    if not isinstance(node, ast.AST):
        return f"{type(node).__name__} {node!r}"
    said = [(field, getattr(node, field, None)) for field in node._fields if field not in UNSAID]
    if isinstance(node, ast.Module):
        said = [("body", [inner for inner in node.body if not isinstance(inner, ast.Import | ast.ImportFrom)])]
    fields = [f"{field}={_written(value)}" for field, value in said if value is not None and value != []]
    return f"{type(node).__name__}({','.join(fields)})"


def _imports(tree: ast.Module, bodies: dict[str, str]) -> Iterator[str]:
    """The names that each import at the top of a module brings: name, the code that it comes from, and name here."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            for name in node.names:
                whole = f"{node.module}.{name.name}"
                source = bodies[whole] if whole in bodies else f"{_source(node.module or '', bodies)} {name.name}"
                yield f"{source} as {name.asname or name.name}"
        elif isinstance(node, ast.Import):
            yield from (f"{_source(name.name, bodies)} as {name.asname or name.name}" for name in node.names)


def _source(module: str, bodies: dict[str, str]) -> str:
    """The hash of a module of the game; for any other module only the name of its package, as `domain.kernel` or
    `msgspec`.
    """
    if module in bodies:
        return bodies[module]
    parts = module.split(".")
    return ".".join(parts[: 2 if parts[0] == "domain" else 1])


def number_of(rules: str) -> int:
    """The number of a version of rules, as in `vera_discordia/2`; -1 for any other text."""
    text = rules.partition("/")[2]
    return int(text) if re.fullmatch(r"0|[1-9][0-9]{0,8}", text) else -1
