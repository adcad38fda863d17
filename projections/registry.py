"""The games there are, found by looking: every `domain.<game>` that exports `GAME`, with its face if it has one."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any

import domain
from domain.kernel import Game, GameInvalid
from projections.face import Face
from projections.plain import plain_face


@cache
def games() -> dict[str, Game[Any]]:
    """All games by name. Raises `GameInvalid` for a package whose GAME is none."""
    found: dict[str, Game[Any]] = {}
    for module in iter_modules(domain.__path__):
        if module.name == "kernel" or not module.ispkg:
            continue
        game = getattr(import_module(f"domain.{module.name}"), "GAME", None)
        if game is None:
            continue
        if not isinstance(game, Game):
            raise GameInvalid(f"domain.{module.name}.GAME is not a Game")
        found[game.name] = game
    return found


def _exported(name: str) -> dict[str, Any]:
    """What packages of `domain` export under a name, by package; one that is not a game yet may do so too."""
    packages = [module.name for module in iter_modules(domain.__path__) if module.ispkg]
    found = {package: getattr(import_module(f"domain.{package}"), name, None) for package in packages}
    return {package: value for package, value in found.items() if value is not None}


CardCheck = Callable[[bytes, str], Iterable[Any]]
ArmyCheck = Callable[[bytes, str, Mapping[str, Any]], Iterable[Any]]
MapCheck = Callable[[bytes, str], tuple[Iterable[Any], str]]


def card_check(game: str) -> CardCheck | None:
    """The function `check_text` that a game's package may export: `(text, file name)` gives everything wrong with a
    file of cards, each with `str()` and whether it is only `advice`. Where there is none, `read_cards` judges.
    """
    return _exported("check_text").get(game)


def map_checks() -> dict[str, MapCheck]:
    """By game, the function `check_map` that its package may export: `(text, file name)` gives everything wrong with a
    map, as `card_check` does, and the map drawn in plain text, empty where it cannot be.
    """
    return _exported("check_map")


def army_check(game: str) -> ArmyCheck | None:
    """The function `check_army` that a game's package may export beside `GAME`, `check_text` for armies: `(text, file
    name, options)`. Where there is none, `read_army` judges.
    """
    return _exported("check_army").get(game)


_ADDED: dict[str, Face[Any]] = {}


def add(face: Face[Any]) -> None:
    """Make a game known that is not in `domain`, as tests do."""
    _ADDED[face.game.name] = face


@cache
def _face(name: str) -> Face[Any]:
    game = games()[name]
    module = f"projections.games.{name}"
    if find_spec(module) is None:
        return plain_face(game)
    face: Face[Any] = import_module(module).FACE
    return face


def faces() -> dict[str, Face[Any]]:
    """The face of every game, by the game's name."""
    return {**{name: _face(name) for name in games()}, **_ADDED}
