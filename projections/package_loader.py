"""Packages of others, loaded and checked: a broken one is reported and left out, whatever it does when it is loaded.

A game is code. It runs in the server's process with all rights of the server. The checks here find mistakes, but they
do not protect against malicious code.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from domain.kernel import Game
from projections import packages
from projections.face import Face
from projections.glossary import glossary
from projections.i18n.catalogue import catalogue
from projections.languages import LANGUAGES
from projections.ledger import has_ledger, ledger
from projections.packages import GameOffer, LeftOut
from projections.plain import plain_face

TAKEN: Final = ("random", "gentle", "strong")
"""The reserved names: another author's bot cannot have such a name or extend it, as `strong-2` does."""
_LONGEST: Final = 200
"""The most characters kept of a package's own error message."""

Bots = Mapping[str, Callable[[], Any]]


class Loaded(Struct, frozen=True):
    """A game of others with its face and its package."""

    face: Face[Any]
    offer: GameOffer


class Outside(Struct, frozen=True):
    """The games of others by name, their bots for games that are not theirs, and everything left out."""

    games: Mapping[str, Loaded]
    bots: Mapping[str, Bots]
    left_out: tuple[LeftOut, ...]


@cache
def outside(named: str) -> Outside:
    """The offers of installed packages and of the named folders, which `packages.named_folders` gives."""
    assert named == packages.named_folders(), "what is named now is loaded"
    found, left_out = packages.offered(), list[LeftOut]()
    games: dict[str, Loaded] = {}
    for name, offer in found.games.items():
        why, loaded = _tried(lambda offer=offer: _load(offer))  # type: ignore[misc]
        if loaded is None:
            left_out.append(LeftOut(str(offer.source), f"the game {name!r}", why))
        else:
            games[name] = loaded
    bots: dict[str, dict[str, Callable[[], Any]]] = {}
    for source, game, place in found.bots:
        why, more = _tried(lambda place=place: _bots(place))  # type: ignore[misc]
        twice = sorted(set(more or ()) & set(bots.get(game, ())))
        if more is None or twice:
            why = why or f"there is a bot {twice[0]!r} already."
            left_out.append(LeftOut(str(source), f"the bots for {game!r}", why))
        else:
            bots.setdefault(game, {}).update(more)
    return Outside(games, bots, tuple(left_out))


def _tried(load: Callable[[], Any]) -> tuple[str, Any]:
    """The loaded object, or None with the reason: a package may raise any exception, and may try to end the program."""
    try:
        return "", load()
    except (Exception, SystemExit) as wrong:
        said = " ".join(str(wrong).split())
        return f"{type(wrong).__name__}: {said}"[:_LONGEST], None


def _object(place: str) -> Any:
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)


def _bots(place: str) -> Bots:
    """Bots by name. Raises `TypeError` for an object that is not a bot, `ValueError` for names that are taken."""
    bots = _object(place)
    if not isinstance(bots, Mapping) or not all(isinstance(n, str) and callable(make) for n, make in bots.items()):
        raise TypeError(f"{place} is no mapping of names to what makes a bot")
    taken = [name for name in bots if name.partition("-")[0] in TAKEN or not name.replace("-", "").isalnum()]
    if taken:
        raise ValueError(f"a bot cannot be called {taken[0]!r}")
    return dict(bots)


def _assert_from(offer: GameOffer) -> None:
    """Raise `ValueError` if a folder was named, but its module's name loads code from elsewhere."""
    module = import_module(offer.game.partition(":")[0])
    file = Path(module.__file__ or "").resolve()
    if offer.source.folder and not file.is_relative_to(Path(offer.source.folder).resolve()):
        raise ValueError(f"{module.__name__} is loaded from {file}")


def _load(offer: GameOffer) -> Loaded:
    """A game and everything that belongs to it, read once. Raises any error that it has."""
    game = _object(offer.game)
    _assert_from(offer)
    if not isinstance(game, Game):
        raise TypeError(f"{offer.game} is no Game")
    if game.name != offer.name:
        raise ValueError(f"{offer.game} calls itself {game.name!r}")
    face = _object(offer.face) if offer.face else plain_face(game)
    if not isinstance(face, Face):
        raise TypeError(f"{offer.face} is no Face")
    if face.game is not game:
        raise ValueError(f"{offer.face} is the face of another game")
    if offer.bots:
        _bots(offer.bots)
    for language in LANGUAGES:
        glossary(game.name, language)
        catalogue(game.name, language)
    if has_ledger(game.name):
        ledger(game.name)
    return Loaded(face, offer)
