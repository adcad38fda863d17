"""Whole matches in which every viewer tries to distinguish worlds."""

import random
from collections import Counter, deque
from typing import Any, Final

from msgspec import Struct

from domain.kernel import HIDDEN, Choice, Event, Seat, SeenPositions
from projections.face import Face
from server.conformance.comparing import DecisionMoment, Leak
from server.conformance.showing import face_of, shown_alike
from server.conformance.walks import CHOICES, AnyGame, PlayedGame, mask, viewers
from server.conformance.worlds import beginning, indistinguishable, other_choices

SURE: Final = 30
"""The choices at the beginning of a match at each of which worlds are compared."""

SHARE: Final = 0.2
"""The share of the later choices at which worlds are compared."""

SELDOM: Final = 2
"""A choice that leads to a kind of event with secrets is always examined this many times a match."""

SHOWN: Final = 0.2
"""The share of the compared choices at which words and Scenes are compared too."""

COMPARED: Final = "worlds compared"
"""The entry under which `watch` counts the compared worlds."""

TRIED: Final = 4
"""The number of earlier choices that are tried again where they may be refused."""


class Absurd(Choice, frozen=True):
    """A choice that no decision offers, so that each one refuses it."""


def known(game: AnyGame, state: Any, events: Any, viewer: Seat | None) -> Any:
    """The viewer's view of a state, by the game's notation if it can, otherwise by folding the viewer's messages."""
    positions = game.spec.positions
    if isinstance(positions, SeenPositions):
        return positions.view(state, viewer)
    return game.view(events, mask(viewer))


def agree(one: object, other: object) -> bool:
    """Whether two views hold the same facts; an empty part may be hidden, because its emptiness is public."""
    if isinstance(one, Struct) and type(one) is type(other):
        return all(agree(getattr(one, name), getattr(other, name)) for name in one.__struct_fields__)
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return all(agree(value, other[key]) for key, value in one.items())
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        return all(map(agree, one, other))
    return one == other or (HIDDEN in (one, other) and () in (one, other))


def watch(
    table: PlayedGame,
    seed: int,
    share: float = SHARE,
    *,
    most: int = CHOICES,
    taken_back: float = 0,
    face: Face[Any] | None = None,
) -> Counter[str]:
    """A random match in which every viewer tries to distinguish worlds, at first at every choice, then at a share.

    Returns the facts that were rightly revealed, and the number of worlds that were `COMPARED`. Raises `AssertionError`
    that names the leak.
    """
    game, told = table.game, Counter[str]()
    face = face or face_of(game)
    walk, rng, tried = table.walk(seed), random.Random(f"{seed} watched"), deque[Choice](maxlen=TRIED)
    seen = Counter[type[Event]]()
    try:
        beginning(game, table.options, seed, told)
        for number in range(most):
            if walk.over:
                break
            before, lines = walk.state, len(walk.events)
            asked, choice = walk.pick()
            comes_to = walk.make(asked, choice).events
            seldom = [kind for kind in map(type, comes_to) if game.slots[kind] and seen[kind] < SELDOM]
            if number < SURE or rng.random() < share or seldom:
                moment = DecisionMoment(game, before, asked, choice, rng.randrange(2**32), (Absurd(), *tried))
                showing = face if seldom or rng.random() < SHOWN else None
                for viewer in viewers(game, table.options):
                    alike = [*other_choices(moment, viewer)[:1], indistinguishable(moment, viewer, told)]
                    view = known(game, before, walk.events[:lines], viewer) if showing else None
                    told[COMPARED] += len(alike)
                    if showing is not None:
                        shown_alike(showing, moment, alike, view, viewer)
            seen.update(map(type, comes_to))
            tried.append(choice)
            if not walk.over and rng.random() < taken_back:
                walk.take_back()
    except Leak as leak:
        raise AssertionError(f"{game.name}, seed {seed}, line {len(walk.events)}: {leak}") from leak
    return told
