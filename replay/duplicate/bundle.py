"""An event as one file: a ZIP with its manifest, the record of every table with all secrets, and the results.

`manifest.json` and `result.json` are signed texts. `tables/01.herald` and so on are exports in the order of the
manifest, so that other tools can read each of them alone.
"""

import io
import zipfile
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from replay.duplicate import manifest
from replay.duplicate.errors import EventInvalid
from replay.duplicate.manifest import Announced, SignedText, check_signature
from replay.duplicate.scoring import Score
from replay.errors import RecordInvalid
from replay.files import export
from replay.files.export import Record
from replay.record.referee import Sign

MANIFEST: Final = "manifest.json"
RESULT: Final = "result.json"
PART_MOST: Final = 256 << 20
"""The most bytes of one part, unpacked."""
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)


class Closing(Struct, frozen=True, forbid_unknown_fields=True):
    """The outcome of an event (its id, base64url): the scores, and the tables that were not over (`unfinished`)."""

    event: str
    scores: tuple[Score, ...]
    unfinished: tuple[str, ...]
    closed_ms: int


class Bundle(Struct, frozen=True):
    """An event as its file holds it. `records`: by place in the manifest, from 0; read one at a time."""

    announced: Announced
    closing: Closing
    signed: SignedText
    tables: Sequence[str]
    archive: zipfile.ZipFile

    def records(self) -> Iterator[tuple[str, Record]]:
        """The name and the record of each part. Raises `RecordInvalid`."""
        for name in self.tables:
            lines = _part(self.archive, name).splitlines(keepends=True)
            try:
                yield name, export.read(lines)
            except RecordInvalid as wrong:
                raise RecordInvalid(f"{name}: {wrong.why}", wrong.seq, wrong.expected) from wrong


def table_name(number: int) -> str:
    """The name of the part with a table's record; `place`, from 0, is the table's place in the manifest."""
    return f"tables/{number + 1:02}.herald"


def write(announced: Announced, closing: Closing, records: Sequence[Record], stamp: Sign) -> bytes:
    """Write the event's file."""
    said = manifest.sign(msgspec.json.encode(closing).decode(), stamp)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        _put(archive, MANIFEST, manifest.write(announced))
        for number, record in enumerate(records):
            _put(archive, table_name(number), b"".join(export.write(record)))
        _put(archive, RESULT, msgspec.json.format(msgspec.json.encode(said), indent=1) + b"\n")
    return out.getvalue()


def _put(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    archive.writestr(zipfile.ZipInfo(name, _EPOCH), data, zipfile.ZIP_DEFLATED)


def read(data: bytes) -> Bundle:
    """Read an event's file; its records are read later. Raises `EventInvalid`."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, OSError) as wrong:
        raise EventInvalid(f"this is no file of an event: {wrong}") from wrong
    names = archive.namelist()
    if len(names) != len(set(names)):
        raise EventInvalid("a part stands twice in the file")
    announced = manifest.read(_part(archive, MANIFEST, manifest.TEXT_MOST))
    signed = _signed(_part(archive, RESULT, manifest.TEXT_MOST))
    try:
        closing = msgspec.json.decode(signed.text, type=Closing)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as wrong:
        raise EventInvalid(f"{RESULT} does not fit: {wrong}") from wrong
    tables = sorted(name for name in names if name not in (MANIFEST, RESULT))
    return Bundle(announced, closing, signed, tables, archive)


def _signed(data: bytes) -> SignedText:
    try:
        signed = msgspec.json.decode(data, type=SignedText)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as wrong:
        raise EventInvalid(f"{RESULT} does not fit: {wrong}") from wrong
    check_signature(signed)
    return signed


def _part(archive: zipfile.ZipFile, name: str, most: int = PART_MOST) -> bytes:
    try:
        with archive.open(name) as part:
            data = part.read(most + 1)
    except (KeyError, zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, EOFError) as wrong:
        raise EventInvalid(f"{name} cannot be read: {wrong}") from wrong
    except Exception as wrong:  # zlib raises its own error, and so do other packers
        raise EventInvalid(f"{name} cannot be unpacked: {wrong}") from wrong
    if len(data) > most:
        raise EventInvalid(f"{name} has more than {most} bytes")
    return data
