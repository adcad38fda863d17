"""Cues show what a change of the Scene cannot show (docs/scene.md 5). `BEFORE` cues run on the Scene before it."""

from collections.abc import Sequence
from typing import Any, Final

from domain.kernel import Result, Seat
from projections.words import why_ended, winners

Cue = dict[str, Any]

BEFORE: Final = {"when": "pre"}


def arrow(start: str, end: str, tone: str) -> Cue:
    """An attack declared."""
    return {"k": "arrow", "from": start, "to": end, "tone": tone, "ms": 900, **BEFORE}


def hit(ref: str, number: int) -> Cue:
    """Life lost, on the piece before the change."""
    return {"k": "hit", "ref": ref, "n": number, **BEFORE}


def death(ref: str, text: str) -> Cue:
    """A piece that is lost: the blow falls while the piece is still there."""
    return {"k": "hit", "ref": ref, "t": text, **BEFORE}


def guard(ref: str, text: str) -> Cue:
    """A defence that works."""
    return {"k": "guard", "ref": ref, "t": text, **BEFORE}


def gain(ref: str, text: str, tone: str, glyph: str) -> Cue:
    """Healing, or points: a modifier with its sign."""
    return {"k": "gain", "ref": ref, "t": text, "tone": tone, "g": glyph}


def flip(ref: str) -> Cue:
    """A card turned up."""
    return {"k": "flip", "ref": ref}


def pulse(ref: str) -> Cue:
    """A piece chosen."""
    return {"k": "pulse", "ref": ref}


def roll(zone: str = "tray") -> Cue:
    """Dice."""
    return {"k": "roll", "zone": zone}


def banner(text: str, sub: str = "") -> Cue:
    """A round, or the end."""
    return {"k": "banner", "t": text, **({"sub": sub} if sub else {})}


def result(text: str, sub: str = "", seat: Seat | None = None, *, is_loss: bool = False) -> Cue:
    """The end of a Battle, a round, a match: who won, who died, and the gains. The next step waits for this cue.

    `is_loss`: a piece is lost that may decide the match.
    """
    more = {"sub": sub, "tone": "loss" if is_loss else ""}
    told = {key: value for key, value in more.items() if value}
    return {"k": "result", "t": text, **told, **({} if seat is None else {"seat": seat})}


def over(players: Sequence[str], ended: Result) -> Cue:
    """The end of a match: who won, and why."""
    told = winners(players, ended)
    return result(f"{told}.", why_ended(players, ended), ended.won[0] if len(ended.won) == 1 else None)


def walk(ref: str, path: list[str]) -> Cue:
    """A way over several areas; the change alone would show only its ends."""
    return {"k": "walk", "ref": ref, "path": path, **BEFORE}
