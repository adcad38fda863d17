"""Commentaries on matches: files beside the database, never in a record. They hold timed remarks and the sound."""

import base64
import binascii
import re
import threading
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from server.direction.errors import CommentaryRefused
from server.wire.direction_messages import Direction, Remark, Voice
from server.wire.text import visible

TRACKS: Final = 4
"""The number of commentaries of a match."""
REMARKS_BYTES: Final = 1 << 20
SOUND_BYTES: Final = 24 << 20
"""The size limit of a commentary: at 24 kbit/s more than two hours."""
ALL_BYTES: Final = 2 << 30
"""The size limit of all commentaries of a server."""
WEBM: Final = b"\x1a\x45\xdf\xa3"
"""The first bytes of a WebM file (RFC 8794, 11.2.1)."""
NAMED: Final = re.compile(r"[A-Za-z0-9_-]{1,32}\Z")


class TimedRemark(Struct, frozen=True, omit_defaults=True):
    """A remark or direction `ms` after a commentary began, while the table showed `line`."""

    ms: int
    line: int
    text: str = ""
    direction: Direction | None = None

    def __repr__(self) -> str:
        return f"Said({self.ms}, {self.line})"


class Track(Struct, frozen=True):
    """A commentary: its author, its timed remarks, and the number of bytes of its sound."""

    track: str
    by: str
    said: tuple[TimedRemark, ...]
    sound: int


class _Head(Struct, frozen=True):
    by: str


_encode = msgspec.json.Encoder().encode
_said: msgspec.json.Decoder[TimedRemark] = msgspec.json.Decoder(TimedRemark)
_head: msgspec.json.Decoder[_Head] = msgspec.json.Decoder(_Head)


class Commentaries:
    """Stores commentaries in a folder: for each a file `MATCH/TRACK.jsonl` and, if it has sound, `MATCH/TRACK.webm`.

    Every method may be called from any thread, and takes as long as the disk.
    """

    def __init__(self, folder: Path | None, sound_bytes: int = SOUND_BYTES, all_bytes: int = ALL_BYTES) -> None:
        """`folder`: None if the server stores no commentaries; `sound_bytes` limits one commentary, `all_bytes` all of
        them together.
        """
        self._folder, self._sound_bytes, self._all_bytes = folder, sound_bytes, all_bytes
        self._lock = threading.Lock()
        self._used: int | None = None

    def remark(self, match: str, by: str, remark: Remark) -> int:
        """Store remarks; returns the number of bytes of sound so far.

        Raises `CommentaryRefused` without room for them, and `OSError` if the disk fails.
        """
        said = TimedRemark(remark.ms, remark.line, visible(remark.text), remark.direction)
        row = _encode(said) + b"\n"
        with self._lock:
            path = self._place(match, remark.track, by)
            self._make_room(path, len(row), REMARKS_BYTES)
            with path.open("ab") as file:
                file.write(row)
            return _size(path.with_suffix(".webm"))

    def voice(self, match: str, by: str, voice: Voice) -> int:
        """Store a part of the sound; returns the number of bytes so far.

        Raises `CommentaryRefused` if it does not fit, and `OSError` if the disk fails.
        """
        data = _decoded(voice.data)
        with self._lock:
            path = self._place(match, voice.track, by).with_suffix(".webm")
            held = _size(path)
            if voice.at + len(data) <= held:
                return held
            if voice.at != held:
                raise CommentaryRefused(f"There are {held} bytes of this sound; go on from there.")
            if not held and not data.startswith(WEBM):
                raise CommentaryRefused("A sound is a WebM file; this does not begin as one.")
            self._make_room(path, len(data), self._sound_bytes)
            with path.open("ab") as file:
                file.write(data)
            return held + len(data)

    def _place(self, match: str, track: str, by: str) -> Path:
        """The file of the remarks, created if it is new."""
        if self._folder is None:
            raise CommentaryRefused("This server keeps no commentaries.")
        path = self._folder / _name(match) / f"{_name(track)}.jsonl"
        if path.exists():
            return path
        path.parent.mkdir(parents=True, exist_ok=True)
        if len(list(path.parent.glob("*.jsonl"))) >= TRACKS:
            raise CommentaryRefused(f"This match has {TRACKS} commentaries; more are not kept.")
        path.write_bytes(_encode(_Head(by)) + b"\n")
        return path

    def _make_room(self, path: Path, more: int, most: int) -> None:
        if self._used is None:
            assert self._folder is not None
            self._used = sum(_size(each) for each in self._folder.rglob("*") if each.is_file())
        if _size(path) + more > most or self._used + more > self._all_bytes:
            raise CommentaryRefused("There is no more room for this commentary; what was kept of it stays.")
        self._used += more

    def tracks(self, match: str) -> tuple[Track, ...]:
        """The commentaries of a match, by their names."""
        if self._folder is None or not NAMED.match(match):
            return ()
        found = sorted((self._folder / match).glob("*.jsonl"))
        return tuple(track for path in found if (track := _read(path)) is not None)

    def sound(self, match: str, track: str) -> bytes | None:
        """The sound of a commentary; None if there is none."""
        if self._folder is None or not (NAMED.match(match) and NAMED.match(track)):
            return None
        try:
            return (self._folder / match / f"{track}.webm").read_bytes()
        except OSError:
            return None


def _name(name: str) -> str:
    if not NAMED.match(name):
        raise CommentaryRefused("A commentary belongs to a match, by its id.")
    return name


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as wrong:
        raise CommentaryRefused("The sound is not base64url; send it again.") from wrong


def _read(path: Path) -> Track | None:
    """A commentary as it is stored. A last line that a crash has cut short is ignored."""
    rows = path.read_bytes().split(b"\n")
    try:
        head = _head.decode(rows[0])
        said = tuple(_said.decode(row) for row in rows[1:-1])
    except msgspec.MsgspecError:
        return None
    return Track(path.stem, head.by, said, _size(path.with_suffix(".webm")))
