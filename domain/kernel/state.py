"""The part of every game's state that the kernel uses: open questions, the stack of procedures, the result."""

from collections.abc import Iterable
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict

from domain.kernel.secret import Hidden, Seat
from domain.kernel.table import Table

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


def plain(value: object) -> Any:
    """A value as it is read from a record: dicts, lists, texts and numbers; a tuple becomes a list."""
    return _decode(_encode(value))


_SIMPLE: Final = frozenset({str, int, bool, type(None)})
"""Classes whose values are plain data already; values of an enum are not."""


def plain_fields(value: Struct) -> dict[str, Any]:
    """The fields of a struct as they are read from a record."""
    fields = asdict(value)
    for part in fields.values():
        if type(part) not in _SIMPLE:
            data: dict[str, Any] = plain(fields)
            return data
    return fields


class Asked(Struct, frozen=True, omit_defaults=True):
    """One open decision. `terms` are the decision's fields as plain data; they are public facts.

    `limit_ms`: the time after which the rules' own clock answers with the default; 0 if it never does, or if the record
    has version 1.
    """

    number: int
    seat: Seat
    kind: str
    terms: dict[str, Any]
    limit_ms: int = 0


class Answered(Struct, frozen=True):
    """An answer to a simultaneous decision, sealed until all are in: plain data, or hidden."""

    asked: Asked
    choice: Any


class Frame(Struct, frozen=True):
    """A procedure under way and its present step, as plain data. Private to the record."""

    procedure: str
    step: str
    terms: dict[str, Any]


class Result(Struct, frozen=True):
    """The end of the match: the winners, the rule and a word for the reason.

    `winner` is the seat that won alone; None for several, for a draw and for a void match. `winners` are the seats
    that won together, `ranking` is the places from first to last, each with the seats that share it. Both are stored
    only if they are needed, so that the record of a match of two has its old form. Read `won` and `places` instead.
    """

    winner: int | None
    reason: str
    rule: str = ""
    winners: tuple[Seat, ...] | UnsetType = UNSET
    ranking: tuple[tuple[Seat, ...], ...] | UnsetType = UNSET

    @property
    def won(self) -> tuple[Seat, ...]:
        """The seats that won, in table order; none for a draw or a void match."""
        if self.winners is not UNSET:
            return self.winners
        return () if self.winner is None else (Seat(self.winner),)

    @property
    def places(self) -> tuple[tuple[Seat, ...], ...]:
        """The ranking, if the match has one."""
        return () if self.ranking is UNSET else self.ranking


def result_of(seats: Iterable[Seat], reason: str, rule: str = "", ranking: Iterable[Iterable[Seat]] = ()) -> Result:
    """A result with these winners, one, several or none."""
    won, places = tuple(sorted(seats)), tuple(tuple(place) for place in ranking)
    return Result(
        won[0] if len(won) == 1 else None, reason, rule, won if len(won) > 1 else UNSET, places if places else UNSET
    )


class State(Struct, frozen=True, kw_only=True):
    """The base of every game's state: frozen structs only, so that a fork is a reference and states compare by value.

    `roll` is the last public roll (a `DiceRolled`), which lies on the table for everybody. `briefed` are the views that
    seats received of a position about to be set. `waiting` are the decisions that open when a match that starts in
    mid-game begins. `record`, `shares` and `ends_open` are as line 1 states them. `dealt` is the id of the event whose
    chance the match uses. `taken` are seats with their keys, `claimed` are the seats whose key a person has claimed.
    `teams` are the seats that win together, if any do.
    """

    players: tuple[str, ...] = ()
    teams: tuple[tuple[Seat, ...], ...] = ()
    taken: tuple[tuple[Seat, str], ...] = ()
    claimed: tuple[tuple[Seat, str], ...] = ()
    committed: tuple[tuple[Seat, str], ...] = ()
    entropy: tuple[tuple[Seat, str], ...] = ()
    anchors: int = 0
    begun: bool = False
    number: int = 0
    asked: tuple[Asked, ...] = ()
    answered: tuple[Answered, ...] = ()
    sealed: bool = False
    stack: tuple[Frame, ...] | Hidden = ()
    roll: Any = None
    draws: int = 0
    shuffles: int = 0
    result: Result | None = None
    briefed: Any = None
    waiting: tuple[Asked, ...] = ()
    table: Table = Table()
    record: int = 1
    shares: bool = False
    dealt: str = ""
    ends_open: bool = False


def pending(state: State, seat: Seat | None = None) -> tuple[Asked, ...]:
    """The open decisions of one seat, or of all seats."""
    return tuple(asked for asked in state.asked if seat is None or asked.seat == seat)


def sides_of(state: State) -> tuple[tuple[Seat, ...], ...]:
    """The seats that win together, side by side; each seat alone unless the game says otherwise."""
    return state.teams or tuple((Seat(seat),) for seat in range(len(state.players)))


def side_of(state: State, seat: int) -> tuple[Seat, ...]:
    """The seats that win with a seat, itself included, in table order."""
    return next((side for side in state.teams if seat in side), (Seat(seat),))


def foes_of(state: State, seat: int) -> tuple[Seat, ...]:
    """The seats of all other sides, in table order starting after the seat."""
    return tuple(other for other in table_order(state, seat) if other not in side_of(state, seat))


def table_order(state: State, first: int = 0, seats: Iterable[int] | None = None) -> tuple[Seat, ...]:
    """The seats given (by default all) that have not left, in the order of seats, starting with seat `first`."""
    count, left = len(state.players), state.table.left
    among = range(count) if seats is None else tuple(seats)
    order = (Seat((first + further) % count) for further in range(count))
    return tuple(seat for seat in order if seat in among and seat not in left)


def frames(stack: Iterable[Frame] | Hidden) -> tuple[str, ...]:
    """The stack as readable text, innermost last; empty for a view."""
    return () if isinstance(stack, Hidden) else tuple(f"{f.procedure} {f.step}" for f in stack)
