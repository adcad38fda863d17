"""What every game's state holds for the kernel: who is asked what, where the procedures stand, the result."""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from domain.kernel.secret import Hidden, Seat
from domain.kernel.table import Table

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


def plain(value: object) -> Any:
    """A value as the record gives it back: dicts, lists, texts and numbers; a tuple becomes a list."""
    return _decode(_encode(value))


class Asked(Struct, frozen=True, omit_defaults=True):
    """One open decision. `terms` are the decision's fields as plain data; they are public facts.

    `limit_ms`: after so long the rules' own clock answers with the default; 0: never, or the record is of version 1.
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
    """A procedure under way and the step it stands at, as plain data. Private to the record."""

    procedure: str
    step: str
    terms: dict[str, Any]


class Result(Struct, frozen=True):
    """How the match ended: the winning seat (None for a draw or a void match), the rule and a word for the reason."""

    winner: int | None
    reason: str
    rule: str = ""


class State(Struct, frozen=True, kw_only=True):
    """The base of every game's state: frozen structs only, so a fork is a reference and equality is comparison.

    `roll` is the last public roll (a `DiceRolled`), which lies on the table for everybody. `briefed` is what a seat was
    told of a position about to be set, `waiting` who will be asked when a match that begins in the middle begins.
    `record` and `shares` are what line 1 says of them.
    """

    players: tuple[str, ...] = ()
    taken: tuple[tuple[Seat, str], ...] = ()
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


def pending(state: State, seat: Seat | None = None) -> tuple[Asked, ...]:
    """The open decisions, of one seat or of all."""
    return tuple(asked for asked in state.asked if seat is None or asked.seat == seat)


def frames(stack: Iterable[Frame] | Hidden) -> tuple[str, ...]:
    """The stack as readable text, innermost last; nothing for a view."""
    return () if isinstance(stack, Hidden) else tuple(f"{f.procedure} {f.step}" for f in stack)
