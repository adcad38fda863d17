"""Games and bots of others: packages that list their offers as entry points (docs/adding-a-game.md).

An installed package is found by its metadata; a folder that `HERALD_GAMES` names is read through its `pyproject.toml`,
without being installed. No code of a package is loaded here: only its list of offers is read.
"""

import os
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import Distribution, distributions
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from msgspec import Struct

VARIABLE: Final = "HERALD_GAMES"
"""The environment variable with folders of packages, or of folders of packages, separated as in PATH."""
GAMES: Final = "herald.games"
FACES: Final = "herald.faces"
BOTS: Final = "herald.bots"
NAME: Final = re.compile(r"[a-z][a-z0-9_]{1,39}")
"""The form of a game's name."""
_OBJECT: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_MOST_BYTES: Final = 1 << 20


class PackageSource(Struct, frozen=True):
    """A package of others: its distribution's name and version; `folder`: where it is loaded from if not installed."""

    name: str
    version: str
    folder: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


class GameOffer(Struct, frozen=True):
    """A game that a package offers: `module:attribute` of its game, its face and its bots, "" if it has none."""

    name: str
    source: PackageSource
    game: str
    face: str = ""
    bots: str = ""


class LeftOut(Struct, frozen=True):
    """Something that is not offered although a package names it: the package, the name, and the reason, a sentence."""

    source: str
    what: str
    why: str

    def __str__(self) -> str:
        return f"{self.source}: {self.what} is left out: {self.why}"


class PackageOffers(Struct, frozen=True):
    """All offers of packages: games by name, further bots as (source, game, object), and everything left out."""

    games: Mapping[str, GameOffer]
    bots: Sequence[tuple[PackageSource, str, str]]
    left_out: Sequence[LeftOut]


Points = Mapping[str, Mapping[str, str]]
"""The names and objects that a package names, by group."""


def named_folders() -> str:
    """The folders that `HERALD_GAMES` names."""
    return os.environ.get(VARIABLE, "")


def offered() -> PackageOffers:
    """The offers of installed packages and of the folders named at present."""
    return _offered(named_folders())


@cache
def _offered(named: str) -> PackageOffers:
    left_out: list[LeftOut] = []
    found: list[tuple[PackageSource, Points]] = [*_installed(), *_of_folders(named, left_out)]
    games: dict[str, GameOffer] = {}
    bots: list[tuple[PackageSource, str, str]] = []
    for source, points in found:
        every = [(f"{group} {name}", place) for group, each in points.items() for name, place in each.items()]
        wrong = [what for what, place in every if not _OBJECT.fullmatch(place)]
        if wrong:
            left_out.append(LeftOut(str(source), ", ".join(wrong), "an entry point is module:attribute."))
            continue
        for name, place in points.get(GAMES, {}).items():
            why = _against(name, games)
            if why:
                left_out.append(LeftOut(str(source), f"the game {name!r}", why))
                continue
            games[name] = GameOffer(
                name, source, place, points.get(FACES, {}).get(name, ""), points.get(BOTS, {}).get(name, "")
            )
        own = points.get(GAMES, {})
        left_out += [
            LeftOut(str(source), f"the face of {name!r}", "a face comes with its game.")
            for name in points.get(FACES, {})
            if name not in own
        ]
        bots += [(source, name, place) for name, place in points.get(BOTS, {}).items() if name not in own]
    return PackageOffers(games, tuple(bots), tuple(left_out))


def _against(name: str, known: Mapping[str, GameOffer]) -> str:
    """Why a game cannot have this name; empty if it can."""
    if not NAME.fullmatch(name):
        return "a game's name is 2 to 40 small letters, digits and _, a letter first."
    if find_spec(f"domain.{name}") is not None:
        return "Herald has a game or a part of that name."
    return f"{known[name].source} offers a game of that name already." if name in known else ""


def _points(distribution: Distribution) -> Points:
    found: dict[str, dict[str, str]] = {}
    for point in distribution.entry_points:
        if point.group in (GAMES, FACES, BOTS):
            found.setdefault(point.group, {})[point.name] = point.value
    return found


def _installed() -> Iterator[tuple[PackageSource, Points]]:
    """Each installed package that has an entry point of Herald, by name; if two have one name, the first found."""
    found: dict[str, tuple[PackageSource, Points]] = {}
    for distribution in distributions():
        points = _points(distribution)
        name = str(distribution.metadata["Name"]) if points else ""
        if points and name not in found:
            found[name] = (PackageSource(name, distribution.version), points)
    yield from (found[name] for name in sorted(found))


def _of_folders(named: str, left_out: list[LeftOut]) -> Iterator[tuple[PackageSource, Points]]:
    """Each package in the named folders, once, however often it is named."""
    known: set[Path] = set()
    for folder in dict.fromkeys(filter(None, named.split(os.pathsep))):
        path = Path(folder)
        places = [path] if (path / "pyproject.toml").is_file() else sorted(path.glob("*/")) if path.is_dir() else []
        packages = [place for place in places if (place / "pyproject.toml").is_file()]
        if not packages:
            left_out.append(LeftOut(folder, "the folder", "neither it nor a folder in it has a pyproject.toml."))
        for package in packages:
            if package.resolve() in known:
                continue
            known.add(package.resolve())
            try:
                yield _of_project(package)
            except (OSError, ValueError, KeyError, TypeError, AttributeError) as wrong:
                left_out.append(LeftOut(str(package), "pyproject.toml", f"{type(wrong).__name__}: {wrong}"))


def _of_project(folder: Path) -> tuple[PackageSource, Points]:
    """The contents of a folder's `pyproject.toml`; from now on its code can be imported, last in the search path."""
    path = folder / "pyproject.toml"
    if path.stat().st_size > _MOST_BYTES:
        raise ValueError("it is longer than a project's file")
    project = tomllib.loads(path.read_text("utf-8"))["project"]
    points = project.get("entry-points", {})
    groups = [group for group in (GAMES, FACES, BOTS) if group in points]
    found = {group: {str(name): str(place) for name, place in points[group].items()} for group in groups}
    if not found:
        raise ValueError(f"it names no entry point of {GAMES}, {FACES} or {BOTS}")
    code = str((folder / "src" if (folder / "src").is_dir() else folder).resolve())
    if code not in sys.path:
        sys.path.append(code)
    return PackageSource(str(project["name"]), str(project.get("version", "0")), str(folder)), found


@cache
def _folder_of_module(module: str) -> Path | None:
    try:
        spec = find_spec(module)
    except (Exception, SystemExit):  # this loads the packages around the module, whose code may do anything
        return None
    return Path(spec.origin).parent if spec is not None and spec.origin else None


def offer_of(game: str) -> GameOffer | None:
    """A package's offer of the game with this name; None for Herald's own games and for unknown names."""
    return offered().games.get(game)


def folder_of(game: str) -> Path:
    """The folder of a game's texts: its glossary, texts, lessons and guide; for a package's game, also its ledger."""
    offer = offer_of(game)
    if offer is None:
        return Path(str(files("projections"))) / "games" / game
    return _folder_of_module((offer.face or offer.game).partition(":")[0]) or Path(os.devnull)


def rules_of(game: str) -> Path | None:
    """The folder with all rules of a package's game; None for Herald's own games."""
    offer = offer_of(game)
    return None if offer is None else _folder_of_module(offer.game.partition(":")[0])
