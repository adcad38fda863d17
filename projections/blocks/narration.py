"""Narration by tables: one sentence per event class of a game; the kernel's events are told alike in all games."""

from collections.abc import Callable, Mapping
from typing import Any

from domain.kernel import Event, Seat
from projections.face import Narrate
from projections.plain import narrate_kernel

Telling = Callable[[Any, Any, Any], str]
"""`(view before, view after, event)`: a sentence, or "" if there is nothing to say."""


def silent(_before: Any, _view: Any, _event: Any) -> str:
    """Say nothing, because neighbouring events tell it."""
    return ""


def narrator(told: Mapping[type[Event], Telling], own: Callable[[Any, Event], str | None] | None = None) -> Narrate:
    """The function that tells a game's events by the table.

    `own(view after, event)` may tell an event of the kernel in the game's words, or return "" to leave it untold. If
    `own` is missing or returns None, the common words are used.
    """

    def narrate(before: Any, view: Any, event: Event, viewer: Seat | None) -> str:
        words = None if own is None else own(view, event)
        words = narrate_kernel(before, view, event, viewer) if words is None else words
        return told[type(event)](before, view, event) if words is None else words

    return narrate
