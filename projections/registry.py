"""All games with their faces: every `domain.<game>` that exports `GAME`, and the games of packages of others."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any

import domain
from domain.kernel import Game, GameInvalid
from projections import packages
from projections.face import Face
from projections.package_loader import Outside, outside
from projections.packages import LeftOut
from projections.plain import plain_face


@cache
def _ours() -> dict[str, Game[Any]]:
    """Herald's own games by name. Raises `GameInvalid` for a package without a valid GAME."""
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


def games() -> dict[str, Game[Any]]:
    """All games by name, Herald's own first. Raises `GameInvalid` for one of its packages without a valid GAME."""
    return {**_ours(), **{name: each.face.game for name, each in _outside().games.items()}}


def left_out() -> tuple[LeftOut, ...]:
    """The games and bots that other authors' packages name but Herald does not offer, each with the reason."""
    return (*packages.offered().left_out, *_outside().left_out)


def _outside() -> Outside:
    return outside(packages.named_folders())


def bots_of_others(game: str) -> Mapping[str, Callable[[], Any]]:
    """The bots, by name, that packages bring for games that are not theirs."""
    return _outside().bots.get(game, {})


def bots_module(game: str) -> str:
    """The module with a game's own bots; "" if it has none."""
    offer = packages.offer_of(game)
    if offer is not None:
        return offer.bots.partition(":")[0] if game in _outside().games else ""
    module = f"server.bots.{game}"
    return module if find_spec(module) is not None else ""


def _packages() -> dict[str, str]:
    """The module of each package with a finished or unfinished game, by the game's name."""
    found = {module.name: f"domain.{module.name}" for module in iter_modules(domain.__path__) if module.ispkg}
    others = {name: offer.game.partition(":")[0] for name, offer in packages.offered().games.items()}
    return found | {name: module for name, module in others.items() if name in _outside().games}


def _exported(name: str) -> dict[str, Any]:
    """The objects that games' packages export under a name, by game; unfinished games count too."""
    found = {game: getattr(import_module(module), name, None) for game, module in _packages().items()}
    return {game: value for game, value in found.items() if value is not None}


CardCheck = Callable[[bytes, str], Iterable[Any]]
ArmyCheck = Callable[[bytes, str, Mapping[str, Any]], Iterable[Any]]
MapCheck = Callable[[bytes, str], tuple[Iterable[Any], str]]


def card_check(game: str) -> CardCheck | None:
    """The function `check_text` that a game's package may export: `(text, file name)` gives all defects of a file of
    cards, each with `str()` and whether it is only `advice`. If there is no such function, `read_cards` judges.
    """
    return _exported("check_text").get(game)


def map_checks() -> dict[str, MapCheck]:
    """By game, the function `check_map` that its package may export: `(text, file name)` gives all defects of a map, as
    `card_check` does, and the map drawn in plain text, empty if it cannot be drawn.
    """
    return _exported("check_map")


def army_check(game: str) -> ArmyCheck | None:
    """The function `check_army` that a game's package may export beside `GAME`, `check_text` for armies: `(text, file
    name, options)`. If there is no such function, `read_army` judges.
    """
    return _exported("check_army").get(game)


_added: dict[str, Face[Any]] = {}


def add(face: Face[Any]) -> None:
    """Register a game that no package offers, as tests do."""
    _added[face.game.name] = face


@cache
def _our_face(name: str) -> Face[Any]:
    game = _ours()[name]
    module = f"projections.games.{name}"
    if find_spec(module) is None:
        return plain_face(game)
    face: Face[Any] = import_module(module).FACE
    return face


def faces() -> dict[str, Face[Any]]:
    """The face of every game, by the game's name."""
    others = {name: each.face for name, each in _outside().games.items()}
    return {**{name: _our_face(name) for name in _ours()}, **others, **_added}
