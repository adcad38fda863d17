"""Cues show what a change of the Scene cannot (docs/scene.md 5). `BEFORE` runs on the Scene as it was."""

from collections.abc import Sequence
from typing import Any, Final

from domain.kernel import Result
from projections.words import outcome

Cue = dict[str, Any]

BEFORE: Final = {"when": "pre"}


def arrow(start: str, end: str, tone: str) -> Cue:
    """An attack declared."""
    return {"k": "arrow", "from": start, "to": end, "tone": tone, "ms": 900, **BEFORE}


def hit(ref: str, number: int) -> Cue:
    """Life lost, on the piece as it was before."""
    return {"k": "hit", "ref": ref, "n": number, **BEFORE}


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


def loss(text: str) -> Cue:
    """The fall of somebody whom the match turns on."""
    return {"k": "banner", "t": text, "tone": "loss"}


def over(players: Sequence[str], result: Result) -> Cue:
    """The end of a match: who won, and why."""
    return banner(outcome(players, result))


def walk(ref: str, path: list[str]) -> Cue:
    """A way over several areas, which the change alone would cut short."""
    return {"k": "walk", "ref": ref, "path": path, **BEFORE}
