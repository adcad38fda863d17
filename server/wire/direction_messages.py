"""The messages of a director, who chooses the view of spectators; part of `server.wire.protocol`."""

from typing import Annotated

from msgspec import Meta, Struct

from server.wire.words import In, Out, Seq

Place = Annotated[str, Meta(min_length=1, max_length=64)]
"""A piece, a slot or a zone, as the Scene names it (docs/scene.md)."""
Eyes = Annotated[int, Meta(ge=0, le=7)] | None
TrackId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{8,32}(?![\s\S])")]
"""A commentary's name, drawn by its author."""


class Mark(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A ring around a place of the Scene, or an arrow from it `to` another one."""

    at: Place
    to: Annotated[str, Meta(max_length=64)] = ""


class Inset(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A picture in the picture: the table after a line (0: the latest), as the viewer or as a seat sees it."""

    line: Seq = 0
    eyes: Eyes = None


class Direction(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The view that a director chooses: the table after `line`, 0 for the latest line; with `until`, the replay from
    `line` up to that line, and then the latest line again.

    `eyes`: of all cards that the viewer sees, only those of this seat are shown. `marks` lie on the board, and `note`
    is shown beside it.
    """

    line: Seq = 0
    until: Seq = 0
    eyes: Eyes = None
    inset: Inset | None = None
    marks: Annotated[tuple[Mark, ...], Meta(max_length=24)] = ()
    note: Annotated[str, Meta(max_length=200)] = ""

    @property
    def lines(self) -> tuple[int, ...]:
        """The lines at which the view points."""
        return (self.line, self.until, self.inset.line if self.inset is not None else 0)

    def __repr__(self) -> str:
        return f"Direction({self.line}, {self.until}, {self.eyes})"


class Direct(In, frozen=True, tag="direct"):
    """Choose what the spectators who follow see; for a spectator who entered with a director's token (`grant`).

    Answered by `directed`, which is sent to all viewers of the same kind: all spectators, or all viewers of open cards.
    Therefore a director can point only at things that the followers see. Without `direction`, the direction ends.
    """

    direction: Direction | None = None


class Directed(Out, frozen=True, tag="directed"):
    """The view that a director chooses, which a client can follow, and the director's `name`.

    The current direction is sent to each spectator who enters. Without `direction`, the direction ends.

    `said` is the statement that the server has signed, the text of a JSON array: "directed", the match, the viewers
    ("spectator" or "open"), the time of the direction in ms since 1970, `direction` (null for none) and `name`.
    `signed` is the server's public key and its signature (docs/record.md 5), 96 bytes as base64url. Both are "" if the
    server has no key.
    """

    direction: Direction | None = None
    name: str = ""
    said: str = ""
    signed: str = ""

    def __repr__(self) -> str:
        return f"Directed({self.direction!r})"


class Remark(In, frozen=True, tag="remark"):
    """Add a text, a direction, or just the `line` then in view to the commentary `track`, `ms` after its beginning.

    Answered by `kept`. Only for a director. No other viewer gets the commentary before the match is over.
    """

    track: TrackId
    ms: Annotated[int, Meta(ge=0, le=86_400_000)]
    line: Seq
    text: Annotated[str, Meta(max_length=500)] = ""
    direction: Direction | None = None

    def __repr__(self) -> str:
        return f"Remark({self.track}, {self.ms})"


class Voice(In, frozen=True, tag="voice"):
    """Add to the sound of the commentary `track`, from byte `at` on: part of a WebM file, as base64url.

    Answered by `kept`. A part that is already stored is not added again: a client can repeat a part whose answer was
    lost.
    """

    track: TrackId
    at: Annotated[int, Meta(ge=0, le=2**31)]
    data: Annotated[str, Meta(min_length=1, max_length=60_000)]

    def __repr__(self) -> str:
        return f"Voice({self.track}, {self.at})"


class Kept(Out, frozen=True, tag="kept"):
    """A part of a commentary is stored. `bytes`: the number of bytes of its sound so far."""

    id: str
    bytes: int = 0
