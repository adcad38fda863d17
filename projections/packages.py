"""Games and bots of others: packages that say in their entry points what they offer (docs/adding-a-game.md).

An installed package is found by its metadata; a folder that `HERALD_GAMES` names by its `pyproject.toml`, without being
installed. Nothing of a package is loaded here: what it offers is only read.
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
"""Folders of packages, or of folders of packages, between them what stands between folders in PATH."""
GAMES: Final = "herald.games"
FACES: Final = "herald.faces"
BOTS: Final = "herald.bots"
NAME: Final = re.compile(r"[a-z][a-z0-9_]{1,39}")
"""How a game may be called."""
_OBJECT: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_MOST_BYTES: Final = 1 << 20


class PackageSource(Struct, frozen=True):
    """A package of others: the name and version of its distribution; `folder`: where it is loaded from uninstalled."""

    name: str
    version: str
    folder: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


class GameOffer(Struct, frozen=True):
    """A game that a package offers: `module:attribute` of its game, its face and its bots, "" where it has none."""

    name: str
    source: PackageSource
    game: str
    face: str = ""
    bots: str = ""


class LeftOut(Struct, frozen=True):
    """Something that is not offered although a package names it: the package, the name, and why, a sentence."""

    source: str
    what: str
    why: str

    def __str__(self) -> str:
        return f"{self.source}: {self.what} is left out: {self.why}"


class PackageOffers(Struct, frozen=True):
    """All that packages offer: games by name, further bots as (source, game, object), and the packages left out."""

    games: Mapping[str, GameOffer]
    bots: Sequence[tuple[PackageSource, str, str]]
    left_out: Sequence[LeftOut]


Points = Mapping[str, Mapping[str, str]]
"""The names and objects that a package names, by group."""


def named_folders() -> str:
    """The folders that are named, as `HERALD_GAMES` has them."""
    return os.environ.get(VARIABLE, "")


def offered() -> PackageOffers:
    """The offers of installed packages and of the folders that are named now."""
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
    """Why a game cannot be called so; empty where it can."""
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
    """Each installed package that names something of ours, by name; of two of a name the one found first."""
    found: dict[str, tuple[PackageSource, Points]] = {}
    for distribution in distributions():
        points = _points(distribution)
        name = str(distribution.metadata["Name"]) if points else ""
        if points and name not in found:
            found[name] = (PackageSource(name, distribution.version), points)
    yield from (found[name] for name in sorted(found))


def _of_folders(named: str, left_out: list[LeftOut]) -> Iterator[tuple[PackageSource, Points]]:
    """Each package in the folders named, once, however often it is named."""
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
    """The contents of a folder's `pyproject.toml`; its code can be imported from now on, behind all else."""
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
    except (Exception, SystemExit):  # it loads the packages around the module, which may do anything
        return None
    return Path(spec.origin).parent if spec is not None and spec.origin else None


def offer_of(game: str) -> GameOffer | None:
    """A package's offer of the game of that name; None for a game of ours, and for none at all."""
    return offered().games.get(game)


def folder_of(game: str) -> Path:
    """Where what a game says lies: its glossary, texts, lessons and guide; of a package's game its ledger too."""
    offer = offer_of(game)
    if offer is None:
        return Path(str(files("projections"))) / "games" / game
    return _folder_of_module((offer.face or offer.game).partition(":")[0]) or Path(os.devnull)


def rules_of(game: str) -> Path | None:
    """Where the rules of a package's game lie, all in one folder; None for a game of ours."""
    offer = offer_of(game)
    return None if offer is None else _folder_of_module(offer.game.partition(":")[0])
