"""Games of others for Tab: only their packages' declarations are read, and no code of theirs is loaded.

`projections.packages` finds them for every command; it takes longer to load than a person waits for a Tab.
"""

import ast
import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Final

from click.shell_completion import split_arg_string

from server.cli.language import GAMES

MOST_BYTES: Final = 1 << 20
"""The limit of a file that is read."""

Place = tuple[tuple[Path, ...], str]
"""Folders in which a package's code may lie, and the names it declares there, `module:attribute`."""


@cache
def packaged(group: str) -> Mapping[str, Place]:
    """By a game's name, the place that a package declares for it in a group, such as `herald.games`; folders come
    first.
    """
    found: dict[str, Place] = {}
    for folder in _folders():
        for name, place in _named_in(folder, group):
            found.setdefault(name, ((folder / "src", folder), place))
    from importlib.metadata import entry_points  # noqa: PLC0415 - it takes 20 ms, and other words need none of it

    for point in entry_points(group=group):
        found.setdefault(point.name, ((), point.value))
    return found


def lessons_of(game: str) -> Sequence[str]:
    """The lessons beside a game's face, or beside its rules if it has none."""
    module = _file_of(packaged("herald.faces").get(game) or packaged("herald.games").get(game))
    return sorted(path.stem for path in (module.parent / "lessons").glob("*.toml")) if module else ()


def bots_of(game: str) -> Sequence[str]:
    """The names in the mapping that a package declares as its bots; none if it makes them otherwise."""
    named = packaged("herald.bots").get(game)
    module = _file_of(named)
    if named is None or module is None or module.stat().st_size > MOST_BYTES:
        return ()
    wanted = named[1].partition(":")[2]
    try:
        tree = ast.parse(module.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    for node in tree.body:
        targets = [node.target] if isinstance(node, ast.AnnAssign) else getattr(node, "targets", [])
        value = getattr(node, "value", None)
        if isinstance(value, ast.Dict) and any(getattr(target, "id", "") == wanted for target in targets):
            keys = (key.value for key in value.keys if isinstance(key, ast.Constant))
            return [key for key in keys if isinstance(key, str)]
    return ()


def _folders() -> Iterator[Path]:
    """The folders of packages that the variable and the typed words name, directly or one level below."""
    words = split_arg_string(os.environ.get("COMP_WORDS", ""))
    named = [after for word, after in pairwise(words) if word == "--games"]
    named += [word.removeprefix("--games=") for word in words if word.startswith("--games=")]
    for folder in map(Path, filter(None, [*os.environ.get(GAMES, "").split(os.pathsep), *named])):
        if (folder / "pyproject.toml").is_file():
            yield folder
        elif folder.is_dir():
            yield from sorted(path.parent for path in folder.glob("*/pyproject.toml"))


def _named_in(folder: Path, group: str) -> Iterator[tuple[str, str]]:
    path = folder / "pyproject.toml"
    try:
        if path.stat().st_size <= MOST_BYTES:
            points = tomllib.loads(path.read_text("utf-8"))["project"]["entry-points"][group]
            yield from ((str(name), str(place)) for name, place in points.items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return


def _file_of(named: Place | None) -> Path | None:
    """The file of the named module; its package is found without being loaded."""
    if named is None:
        return None
    folders, place = named
    around, *within = place.partition(":")[0].split(".")
    if not folders:
        try:
            spec = find_spec(around)
        except (ImportError, ValueError):
            return None
        folders = tuple(Path(each).parent for each in spec.submodule_search_locations or ()) if spec else ()
    for folder in folders:
        module = folder.joinpath(around, *within)
        for path in (module / "__init__.py", module.with_suffix(".py")):
            if path.is_file():
                return path
    return None
