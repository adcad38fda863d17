"""Whether a match is lost after a choice, as far as the rules show it from the seat's knowledge.

A few tries prove nothing, because the next one may find a way out. Therefore a match counts as lost only if every
continuation is known to lose, or if none can change the result any more.
"""

from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, Final

from msgspec.structs import replace

from domain.kernel import Asked, Choice, KernelError, MatchEnded, NoChance, Play, Seat, decide
from projections.face import Face

MOST_CHOICES: Final = 200
"""The most choices, of any seat, that are tried to show that a match is lost; if more are needed, nothing is shown."""

_KNOWABLE: Final = suppress(KernelError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""The errors of rules that meet a hidden value: results that depend on it are not foretold."""


def why_lost(ends: Sequence[MatchEnded], seat: Seat) -> str:
    """Why a match that ends in one of these ways is not won by the seat; empty if the seat may win."""
    if any(seat in ended.result.won for ended in ends):
        return ""
    said = list(dict.fromkeys(map(_ending, ends)))
    return said[0] if len(said) == 1 else "The match could not be won any more." if said else ""


def _ending(ended: MatchEnded) -> str:
    result = ended.result
    what = "lost" if result.won else "over without a winner"
    return f"The match would be {what}: {result.reason}{f' ({result.rule})' if result.rule else ''}."


def doomed(face: Face[Any], view: Any, worlds: Sequence[Any], asked: Asked, choice: Choice) -> str:
    """The reason why the match is lost after the choice in every continuation; empty if the rules do not show it.

    `worlds`: states that the seat cannot tell from the real one. Nothing is said about an answer given in secret.
    """
    if view.sealed:
        return ""
    after = [_after(face, world, asked, choice) for world in worlds]
    ends = [ended for play in after for ended in _ends(play)]
    if len(ends) == len(worlds) and all(ended.result.rule in face.open_ends for ended in ends):
        return why_lost(ends, asked.seat)
    known = _after(face, replace(view, stack=worlds[0].stack), asked, choice)
    settled = () if known is None else face.settled(known.state)
    return why_lost(settled or _continued(face, (known, *after), asked.seat), asked.seat)


def _after(face: Face[Any], position: Any, asked: Asked, choice: Choice) -> Play[Any] | None:
    """The play that a choice leads to; None if it depends on chance or on a hidden value."""
    with _KNOWABLE:
        return decide(face.game, position, asked.seat, asked.number, choice, NoChance())
    return None


def _ends(play: Play[Any] | None) -> list[MatchEnded]:
    return [event for event in play.events if isinstance(event, MatchEnded)] if play is not None else []


def _continued(face: Face[Any], plays: Sequence[Play[Any] | None], seat: Seat) -> list[MatchEnded]:
    """All ends that can follow, up to the first that the seat may win; none if they cannot all be found.

    The first play is in the seat's own view: a rule that looks at a hidden value ends the search there. The ends are
    searched again in worlds, because a view lacks some options of other seats.
    """
    found: list[MatchEnded] = []
    for play in plays:
        ends = _exhausted(face, play, seat)
        if not why_lost(ends, seat):
            return []
        found += ends
    return found


def _exhausted(face: Face[Any], play: Play[Any] | None, seat: Seat) -> list[MatchEnded]:
    """All ends that can follow after this play, with every choice of every seat tried; see `_continued`."""
    ends: list[MatchEnded] = []
    ahead: list[tuple[Any, Asked, Choice]] = []
    for _ in range(MOST_CHOICES):
        if play is None:
            return []
        ended = _ends(play)
        if not ended:
            further = _further(face, play.state)
            if not further:
                return []
            ahead += further
        elif not why_lost(ended, seat):
            return []
        ends += ended
        if not ahead:
            return ends
        play = _after(face, *ahead.pop())
    return []


def _further(face: Face[Any], state: Any) -> list[tuple[Any, Asked, Choice]]:
    """Every answer to the first open question, at most `MOST_CHOICES` and one more; none if the question is hidden."""
    first = state.asked[0]
    with _KNOWABLE:
        form = face.game.revive_decision(first).form(state)
        return [(state, first, choice) for choice in islice(form, MOST_CHOICES + 1)]
    return []
