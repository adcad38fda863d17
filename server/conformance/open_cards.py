"""Open cards: a spectator who is shown every seat's secrets has a true view of all hands, and of nothing else."""

from typing import Any, Final

from msgspec import Struct

from domain.kernel import HIDDEN
from projections.redaction import OPEN
from server.conformance.showing import face_of
from server.conformance.walks import PlayedGame, mask, viewers

TAKEN_BACK: Final = 0.05
"""The share of the choices after which an earlier position is restored, where seats were shown only their own views."""
MOST: Final = 250
"""The number of choices of a match that are examined."""
DRAWN: Final = 0.05
"""The share of the positions whose Scene is drawn."""


def open_cards_show_true_hands(table: PlayedGame, seed: int) -> None:
    """Spectators of open cards see everything that some seat sees, nothing untrue, and nothing that nobody holds."""
    game, walk, face = table.game, table.walk(seed), face_of(table.game)
    everybody = [OPEN.mask, *(mask(seat) for seat in viewers(game, table.options) if seat is not None)]
    folded, views = 0, dict[int, Any]()
    for _ in range(MOST):
        for bits in everybody:
            told = [game.redact(event, bits) for event in walk.events[folded:]]
            views[bits] = game.fold(told, views.get(bits))
        folded = len(walk.events)
        shown, *seats = views.values()
        assert not shown_more(shown, walk.state), f"{shown_more(shown, walk.state)} is shown, and is not so"
        for seat, view in enumerate(seats):
            assert not shown_more(view, shown), f"{shown_more(view, shown)} is seen by seat {seat}, and not shown"
        if walk.random.random() < DRAWN:
            face.scene(shown, None)
        if walk.over:
            return
        walk.step()
        if not walk.over and walk.random.random() < TAKEN_BACK:
            walk.take_back()


def shown_more(view: Any, other: Any, where: str = "the state") -> str:
    """The place where a view shows a fact that another lacks, or shows it differently; empty if it shows
    nothing more.
    """
    if view is other or view in (HIDDEN, other):
        return ""
    inner: list[tuple[str, Any, Any]] = []
    if isinstance(view, Struct) and type(view) is type(other):
        inner = [(name, getattr(view, name), getattr(other, name)) for name in view.__struct_fields__]
    elif isinstance(view, dict) and isinstance(other, dict) and view.keys() == other.keys():
        inner = [(str(key), value, other[key]) for key, value in view.items()]
    elif isinstance(view, tuple) and isinstance(other, tuple) and len(view) == len(other):
        inner = [(str(at), one, two) for at, (one, two) in enumerate(zip(view, other, strict=True))]
    else:
        return where
    return next((found for name, one, two in inner if (found := shown_more(one, two, f"{where}.{name}"))), "")
