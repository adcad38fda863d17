"""The frame of a Scene, and the plate of each player (docs/scene.md 2)."""

from collections.abc import Sequence
from typing import Any, TypeVar

from domain.kernel import Game, Seat, State
from projections.face import Scene
from projections.prompt import Words, prompt_for
from projections.scene import VERSION, left_mark, standing, viewer_of
from projections.words import player

S = TypeVar("S", bound=State)


def frame(
    game: Game[S],
    view: S,
    viewer: Seat | None,
    words: Words,
    *,
    crumbs: list[str],
    plates: list[dict[str, Any]],
    layouts: dict[str, Any],
    zones: dict[str, Any],
    pieces: dict[str, Any],
    links: dict[str, Any] | None = None,
    symbols: Sequence[dict[str, Any]] = (),
) -> Scene:
    """A Scene of these parts: `plates` by seat, `crumbs` for the stage of the match, `words` of the prompt."""
    pictured = {"symbols": list(symbols)} if symbols else {}
    return pictured | {
        "v": VERSION,
        "game": game.name,
        "title": game.spec.title,
        "crumbs": crumbs,
        "viewer": viewer_of(view, viewer),
        "seats": {str(seat): plate for seat, plate in enumerate(plates)},
        "layouts": layouts,
        "zones": zones,
        "pieces": pieces,
        "prompt": prompt_for(game, view, viewer, words),
        "links": links or {},
    }


def plate(
    view: State,
    seat: Seat,
    side: str,
    charge: str,
    counters: dict[str, dict[str, Any]],
    marks: dict[str, dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """A player's plate: the name, the side with its charge, the counts, and the marks."""
    return {
        "name": player(view, seat),
        "side": side,
        "charge": charge,
        "active": any(asked.seat == seat for asked in view.asked),
        "counters": counters,
        "marks": {**(marks or {}), **left_mark(view, seat)},
        **standing(view, seat),
    }


def counter(
    glyph: str, label: str, value: int, most: int | None = None, *, term: str = "", key: bool = False
) -> dict[str, Any]:
    """A number on a plate, perhaps with a maximum `most`; a `key` number decides the match, `term` is its term."""
    limit = {} if most is None else {"max": most}
    told = {"g": glyph, "label": label, "v": value, **limit, **({"key": True} if key else {})}
    return told | ({"term": term} if term else {})


def mark(glyph: str, label: str, term: str = "") -> dict[str, str]:
    """A sign on a plate, on or off; `term` is its word in the glossary."""
    return {"g": glyph, "label": label} | ({"term": term} if term else {})


def symbol(text: str, glyph: str = "", tone: str = "", form: str = "", *, only: bool = False) -> dict[str, Any]:
    """A word that has a picture wherever a sentence names it; with `only` the picture replaces the word."""
    more = {"g": glyph, "tone": tone, "form": form}
    return {"t": text, **{key: value for key, value in more.items() if value}, **({"only": True} if only else {})}
