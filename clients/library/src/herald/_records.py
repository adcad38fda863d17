"""Records of matches as files: to audit and to inspect."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from domain.kernel import Event, MatchCreated, Seat
from projections.redaction import SPECTATOR, Viewer
from projections.registry import faces
from replay.audit import match_audit
from replay.audit.verify import verify
from replay.errors import RecordInvalid
from replay.files.export import EVERYTHING, created_in
from replay.files.reading import read_file
from replay.playback.seek import Eyes, Replay
from replay.record.origin import missing


class Audit(Struct, frozen=True):
    """The result of an audit.

    `ok`: nothing contradicts the record. `fault`: the contradiction, and `line` its place, 0 if it is no line. `lines`,
    `choices`: how many there are. `unproven`: the facts that the record cannot prove, each a sentence. `unchecked`: the
    parts that this audit did not examine. `head`: the hash of the last line, base64url.
    """

    ok: bool
    match: str
    game: str
    lines: int
    choices: int
    fault: str = ""
    line: int = 0
    unproven: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    head: str = ""


class Moment(Struct, frozen=True):
    """A match after one of its events: the event's number from 1, the event as it is held, and a sentence about it."""

    number: int
    event: Event
    text: str


class Record:
    """A match's record, opened with `open_record`."""

    def __init__(self, replay: Replay[Any], match: str) -> None:
        self._replay = replay
        self.match = match
        """The match's id."""
        first = replay.seen(1, None)
        assert isinstance(first, MatchCreated), "a record begins with it"
        self._first = first

    def __repr__(self) -> str:
        return f"Record({self.match!r}, {self.game!r}, {len(self)} events)"

    def __len__(self) -> int:
        return self._replay.end

    @property
    def game(self) -> str:
        """The game's name."""
        return self._replay.game.name

    @property
    def options(self) -> dict[str, Any]:
        """The options of the match, as plain data."""
        return dict(self._first.options)

    @property
    def seats(self) -> int:
        """How many seats the match has."""
        return self._replay.seats

    @property
    def holder(self) -> str:
        """The viewer whose view the file holds: "everything", "spectator", "seat0" and so on."""
        return str(self._replay.view)

    @property
    def events(self) -> Sequence[Event]:
        """The events in their order, as far as the file opens them."""
        return tuple(self._replay.seen_all(None))

    def moments(self, seat: Seat | int | None = None, *, spectator: bool = False) -> Iterator[Moment]:
        """Each event with its sentence, as far as the file opens them, or as a seat or a spectator saw them.

        Raises `PermissionError` if the file holds another viewer's view.
        """
        eyes = self._eyes(seat, spectator=spectator)
        for number, event in enumerate(self._replay.seen_all(eyes), 1):
            yield Moment(number, event, self._replay.told(number, eyes).text)

    def view(self, at: int | None = None, seat: Seat | int | None = None, *, spectator: bool = False) -> Any:
        """The game's state after event `at`, by default the last, whole or as a seat or a spectator knew it.

        Raises `IndexError` for an unknown event, and `PermissionError` as `moments` does.
        """
        return self._replay.at(len(self) if at is None else at, self._eyes(seat, spectator=spectator))

    def board(self, at: int | None = None, seat: Seat | int | None = None, *, spectator: bool = False) -> str:
        """The game's state as plain text, as a terminal shows it."""
        eyes = self._eyes(seat, spectator=spectator)
        viewer = None if eyes is None else eyes.seat
        return self._replay.face.board(self.view(at, seat, spectator=spectator), viewer)

    def _eyes(self, seat: Seat | int | None, *, spectator: bool) -> Eyes:
        if seat is not None and not 0 <= seat < self.seats:
            raise IndexError(f"there is no seat {seat}; the match has 0 to {self.seats - 1}")
        eyes = SPECTATOR if spectator else None if seat is None else Viewer(Seat(seat))
        if eyes is not None and self.holder not in (EVERYTHING, eyes.label):
            raise PermissionError(f"the file holds what {self.holder} held, not {eyes.label}")
        return eyes


def audit(file: str | Path, *, keys: Sequence[bytes] = ()) -> Audit:
    """Check a record: its chain and seals, its dice, its signatures, and every choice by the rules of its game.

    `keys`: public Ed25519 keys of the servers whose signatures count; without keys, the signatures of every server
    count. A file that cannot be read as a record is an audit that is not `ok`. Raises `OSError` for a file that cannot
    be opened.
    """
    try:
        record = read_file(Path(file))
    except RecordInvalid as wrong:
        return Audit(False, "", "", 0, 0, wrong.why, wrong.seq)
    known = faces()
    report = match_audit.audit(known[record.game].game if record.game in known else None, record, keys)
    fault = report.fault
    return Audit(
        ok=fault is None,
        match=report.match,
        game=report.game,
        lines=report.lines,
        choices=report.choices,
        fault="" if fault is None else str(fault),
        line=0 if fault is None else fault.line,
        unproven=tuple(report.unproven),
        unchecked=tuple(report.unchecked),
        head=report.head,
    )


def open_record(file: str | Path) -> Record:
    """A record out of a file of `herald export` or `herald save`, its lines and seals verified; `audit` checks more.

    Raises `RecordInvalid` for a file that is no record, `LookupError` for a game that is not installed, with the
    package to install, and `OSError` for a file that cannot be opened.
    """
    record = read_file(Path(file))
    verify(record)
    known = faces()
    if record.game not in known:
        first = created_in(record)
        further = "" if first is None else missing(first)
        raise LookupError(f"there is no game {record.game!r} here. {further}".strip())
    return Record(Replay.of_record(known[record.game], record), record.match)
