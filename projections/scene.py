"""Scenes: patches between them, and the Scene of a game without a Scene of its own (docs/scene.md)."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from domain.kernel import Asked, Choice, Game, Part, Seat, State, sides_of
from projections.face import Scene
from projections.prompt import Words, prompt_for
from projections.words import player, signed

S = TypeVar("S", bound=State)

VERSION = 1
PLAIN_LAYOUTS: Final[dict[str, Any]] = {
    "wide": {"size": [100, 26], "at": {"table": [0, 0, 100, 21], "tray": [0, 22, 100, 4]}},
    "tall": {"size": [100, 120], "at": {"table": [0, 0, 100, 106], "tray": [0, 108, 100, 12]}},
}
"""The text table, with the last roll below it. It has no name, because the name would appear among the plates."""
CHARGES: Final = ("lion", "fleur-de-lys", "castle", "oak", "crown", "broadsword", "shield", "crossed-swords")
"""The heraldic charges that a plain face paints, one for each seat."""


def diff(old: Any, new: Any) -> Any:
    """The JSON merge patch (RFC 7396) that turns `old` into `new`; None when they are equal.

    Scenes hold no nulls, so a null always means "remove".
    """
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return None if old == new else new
    patch: dict[str, Any] = {key: None for key in old if key not in new}
    for key, value in new.items():
        if key not in old:
            patch[key] = value
        elif old[key] is not value and old[key] != value:
            patch[key] = diff(old[key], value)
    return patch or None


def merge(target: Any, patch: Any) -> Any:
    """The target with the patch applied (RFC 7396)."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge(merged.get(key), value)
    return merged


def fitting(cues: list[dict[str, Any]], before: Scene, after: Scene) -> list[dict[str, Any]]:
    """The cues whose references exist in the Scene they run on: a Unit turned up may be gone by the end."""
    return [cue for cue in cues if _fits(cue, before if cue.get("when") == "pre" else after)]


def _fits(cue: dict[str, Any], scene: Scene) -> bool:
    named = [cue[word] for word in ("ref", "from", "to", "zone") if word in cue]
    return all(is_shown(scene, ref) for ref in (*named, *cue.get("path", ())))


def is_shown(scene: Scene, ref: str) -> bool:
    """Whether a cue's reference names a piece, a zone, or an area of a map."""
    zone, hashed, place = ref.partition("#")
    if hashed:
        return place in scene.get("zones", {}).get(zone, {}).get("geom", {}).get("areas", ())
    return ref in scene.get("pieces", ()) or ref in scene.get("zones", ())


def standing(view: State, seat: int) -> dict[str, Any]:
    """A plate's fields for a seat among many: the number of its side (`team`), and whether it has left."""
    team = team_of(view, seat)
    told: dict[str, Any] = {} if team is None else {"team": team}
    return {**told, "out": True} if seat in view.table.left else told


def left_mark(view: State, seat: int) -> dict[str, dict[str, str]]:
    """The mark on the plate of a seat that has left."""
    return {"left": {"g": "broken-shield", "label": "has left the match"}} if seat in view.table.left else {}


def team_of(view: State, seat: int) -> int | None:
    """The number of a seat's side; None if each seat is alone."""
    sides = sides_of(view)
    return None if len(sides) == len(view.players) else next(n for n, side in enumerate(sides) if seat in side)


def viewer_of(view: State, viewer: Seat | None) -> dict[str, Any]:
    """The viewer's name in a Scene: `p0`, `p1`... for seats, `pub` for spectators."""
    del view
    return {"as": "pub"} if viewer is None else {"as": f"p{viewer}", "seat": viewer}


def roll_of(view: State, colours: dict[str, tuple[str, str, str]], whose: str = "") -> dict[str, Any]:
    """The dice tray: the last public roll, its dice in `colours` (kind: tone, glyph, label); `whose` roll it is."""
    roll = view.roll
    if roll is None:
        return {}
    dice: list[dict[str, Any]] = []
    hits = 0
    for i, face in enumerate(roll.dice):
        tone, _, label = colours.get(roll.kinds[i] if i < len(roll.kinds) else "", ("white", "", "Die"))
        die: dict[str, Any] = {"t": tone, "f": face, "label": f"{label} {face}"}
        if i < len(roll.needs):
            hit = face >= roll.needs[i]
            die.update(st="hit" if hit else "off", label=f"{label} {face}, {roll.needs[i]} needed")
            hits += hit
        dice.append(die)
    group: dict[str, Any] = {"label": whose, "owner": roll.seat or 0, "dice": dice}
    if roll.parts:
        group["sum"] = ", ".join(f"{why_of(part)}" for part in roll.parts)
    told: dict[str, Any] = {"title": roll.title, "groups": [group]}
    if roll.needs:
        told["result"] = f"{hits} of {len(dice)} succeed" if len(dice) > 1 else ("fails", "succeeds")[hits]
    return {"roll": told}


def why_of(part: Part) -> str:
    """A part of a number without its rule: "4 printed", "−1 River"."""
    return f"{part.value if part.why == 'printed' else signed(part.value)} {part.why or part.rule}"


def plain_scene(
    game: Game[S],
    view: S,
    viewer: Seat | None,
    question: Callable[[Any, Asked], str],
    option: Callable[[Any, Asked, Choice], str],
    board: Callable[[Any, Seat | None], str],
) -> Scene:
    """A Scene of text: a panel with the view's fields, the players' plates, and the prompt."""
    words = Words(question, option, lambda v, asked: f"{player(v, asked.seat)} decides.")
    lines = board(view, viewer).split("\n")
    items = {f"i{n}": {"g": "scroll-unfurled", "label": line, "v": ""} for n, line in enumerate(lines)}
    deciding = {asked.seat for asked in view.asked}
    plate: dict[str, Any] = {"counters": {}}
    seats = {
        str(seat): {
            "name": name or f"Seat {seat + 1}",
            "active": seat in deciding,
            "charge": CHARGES[seat % len(CHARGES)] if len(view.players) > 2 else CHARGES[0],
            "side": "" if (team := team_of(view, seat)) is None else f"Side {team + 1}",
            **plate,
            "marks": left_mark(view, seat),
            **standing(view, seat),
        }
        for seat, name in enumerate(view.players)
    }
    return {
        "v": VERSION,
        "game": game.name,
        "title": game.spec.title,
        "crumbs": [game.spec.title],
        "viewer": viewer_of(view, viewer),
        "seats": seats,
        "layouts": PLAIN_LAYOUTS,
        "zones": {
            "table": {"label": "", "aria": "The table", "geom": {"type": "panel", "items": items}},
            "tray": {"label": "", "aria": "Last roll", "style": "inlay", "geom": {"type": "tray", **roll_of(view, {})}},
        },
        "pieces": {},
        "prompt": prompt_for(game, view, viewer, words),
        "links": {},
    }
