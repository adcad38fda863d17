"""Branches: matches that begin at a moment of another match (docs/replay.md).

A branch with a viewer's view begins with a world drawn anew from that viewer's knowledge and from nothing else that is
hidden. An open branch begins with the true world. Everybody else is sent what they would see of that world.
"""

from collections.abc import Sequence
from typing import Any, Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel import Below, BranchOpened, Event, Game, KernelFault, MatchCreated, PositionSet, State
from domain.kernel.history import pauses, seats_in, views_of
from domain.kernel.position import Views, hidden_in, seen, set_events
from projections.redaction import Viewer
from replay.files.export import EVERYTHING, Record
from replay.playback.errors import CannotBranch
from replay.record import sealing
from replay.record.creation import Beginning
from replay.record.line import codec_of, read_line

S = TypeVar("S", bound=State)

ATTEMPTS: Final = 40
"""The number of worlds drawn before the attempt is given up; nearly always the first one fits."""


class Trunk(Struct, frozen=True):
    """A match to branch off: its id, the events that may be used, and its head after every line."""

    match: str
    events: Sequence[Event]
    lines: Sequence[bytes]

    @property
    def created(self) -> MatchCreated:
        """The first line, with the options of the match."""
        first = self.events[0]
        assert isinstance(first, MatchCreated), "a record begins with MatchCreated"
        return first

    def head(self, line: int) -> str:
        """The chain's hash after a line."""
        head = sealing.genesis(sealing.unb64(self.match))
        for data in self.lines[:line]:
            head = sealing.link(head, data)
        return sealing.b64(head)


def trunk_of(game: Game[Any], record: Record) -> Trunk:
    """The match of a record that holds everything.

    Raises `CannotBranch` for a view, `RecordInvalid` for an invalid record.
    """
    if record.view != EVERYTHING:
        raise CannotBranch(f"The record holds only what {record.view} saw; a branch needs an export of everything.")
    codec = codec_of(game)
    events = []
    for held in record.held:
        line = read_line(held.line)
        openings = tuple(held.openings.get(slot) for slot in range(len(line.seals)))
        events.append(codec.read(line.type, line.payload, openings))
    return Trunk(record.match, events, [held.line for held in record.held])


def pause_before(game: Game[Any], events: Sequence[Event], line: int) -> int:
    """The last line up to `line` after which play waits. Raises `CannotBranch` if there is none."""
    if not 1 <= line <= len(events):
        raise CannotBranch(f"There is no line {line}; the match has lines 1 to {len(events)}.")
    found = pauses(game, events)
    before = [pause for pause in found if pause <= line]
    if not before:
        first = f"the first line at which somebody is asked is {found[0]}" if found else "nobody has been asked yet"
        raise CannotBranch(f"Before line {line} there is nothing to choose: {first}.")
    return before[-1]


def beginning(game: Game[S], trunk: Trunk, line: int, eyes: Viewer | None, below: Below) -> Beginning[S]:
    """The beginning of a branch after `line`, which must be a pause; `eyes` is None for the true world.

    Raises `CannotBranch` if no world that fits the viewer's knowledge could be drawn.
    """
    views = views_of(game, trunk.events[:line])
    whose = EVERYTHING if eyes is None else eyes.label
    if eyes is not None:
        views = drawn(game, views, eyes, below)
    return Beginning(BranchOpened(trunk.match, line, trunk.head(line), whose), views)


def drawn(game: Game[S], views: Views[S], eyes: Viewer, below: Below) -> Views[S]:
    """The moment as drawn anew from a viewer's view alone: everything that the viewer does not know is random.

    It takes only two things from the true world: the stack of procedures, whose parameters are public facts, and the
    pattern of hidden parts in the others' views. Raises `CannotBranch`.
    """
    view = views.public if eyes.seat is None else views.seats[eyes.seat]
    for _ in range(ATTEMPTS):
        world = replace(game.spec.resample(view, eyes.seat, below), stack=views.world.stack)
        if hidden_in(world) or list(game.spec.invariants(world)):
            continue
        try:
            told = Views(world, seen(views.public, world), tuple(seen(other, world) for other in views.seats))
        except KernelFault:
            continue
        if (told.public if eyes.seat is None else told.seats[eyes.seat]) == view:
            return told
    raise CannotBranch("No position could be drawn that fits what is known there; try another line.")


def opening_of(events: Sequence[Event]) -> BranchOpened | None:
    """The event that names the match a record branches off; None if the record is no branch."""
    return next((event for event in events[1:2] if isinstance(event, BranchOpened)), None)


def difference(game: Game[Any], events: Sequence[Event], trunk: Trunk) -> str:
    """The first difference between a branch's beginning and the match that it names; empty if there is none.

    The viewer of the branch must have seen the same there; values that were drawn anew cannot be compared.
    """
    opened = opening_of(events)
    if opened is None or opened.match != trunk.match:
        return f"the record does not branch off {trunk.match}"
    if not 0 < opened.line <= len(trunk.events):
        return f"the match it branches off has no line {opened.line}"
    if trunk.head(opened.line) != opened.head:
        return f"the match it branches off has another head at line {opened.line}: {trunk.head(opened.line)}"
    fresh, seats = game.fold(events[:1]), seats_in(events)
    unknown = Views(fresh, fresh, (fresh,) * seats)
    made = set_events(unknown, views_of(game, trunk.events[: opened.line]))
    told = events[2 : 3 + seats]
    for seat, (one, other) in enumerate(zip(told, made, strict=False)):
        if opened.eyes in {EVERYTHING, f"seat{seat}"}:
            if one != other:
                return f"line {seat + 3} is not what was seen after line {opened.line} of the match it branches off"
        elif isinstance(other, PositionSet) and (not isinstance(one, PositionSet) or one.view != other.view):
            return f"line {seat + 3} is not what everybody saw after line {opened.line} of the match it branches off"
    return ""
