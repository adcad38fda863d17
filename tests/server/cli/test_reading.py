"""A command reads no file further than such a file can be long."""

import io
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from replay.duplicate import manifest
from replay.duplicate.bundle import read
from replay.duplicate.errors import EventInvalid
from replay.duplicate.manifest import TEXT_MOST
from server.cli import main
from server.cli.reading import CHUNK, OF_EVENTS, read_bytes
from server.errors import Misconfigured


def test_a_file_may_be_as_long_as_allowed_and_no_longer(tmp_path: Path) -> None:
    file = tmp_path / "cards.json"
    file.write_bytes(b"x" * 10)
    assert read_bytes(file, 10) == b"x" * 10
    with pytest.raises(Misconfigured, match="longer than 9 bytes"):
        read_bytes(file, 9)
    with pytest.raises(Misconfigured, match="cannot be read"):
        read_bytes(tmp_path / "none")


@pytest.mark.parametrize(
    "words",
    [
        ("scenario", "check"),
        ("map", "check"),
        ("cards", "check"),
        ("army", "check"),
        ("match", "create", "--seat", "me", "--seat", "friend", "--scenario"),
        ("match", "create", "--seat", "me", "--seat", "friend", "--cards"),
        ("duplicate", "verify"),
    ],
    ids=" ".join,
)
def test_a_file_without_end_is_refused(words: tuple[str, ...], tmp_path: Path) -> None:
    db = ["--db", str(tmp_path / "x.db")] if words[0] == "match" else []
    told = CliRunner().invoke(main, [*words[:2], *db, *words[2:], "/dev/zero"])
    assert told.exit_code != 0
    assert not isinstance(told.exception, MemoryError)
    assert "bytes" in told.output or "no file" in told.output, told.output


def test_the_manifest_of_an_event_is_bounded_by_what_a_manifest_needs() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", b" " * (TEXT_MOST + 1))
    with pytest.raises(EventInvalid, match=f"more than {TEXT_MOST} bytes"):
        read(file.getvalue())


@pytest.mark.parametrize(("size", "told"), [(TEXT_MOST, "no manifest of an event"), (TEXT_MOST + 1, "has more than")])
def test_a_manifest_of_the_most_bytes_is_read_and_one_of_a_byte_more_is_not(size: int, told: str) -> None:
    with pytest.raises(EventInvalid, match=told):
        manifest.read(b" " * size)


def test_a_small_file_takes_no_memory_for_the_largest_one(tmp_path: Path) -> None:
    small = tmp_path / "cup.zip"
    small.write_bytes(b"tables")
    tracemalloc.start()
    try:
        assert read_bytes(small, OF_EVENTS) == b"tables"
        assert tracemalloc.get_traced_memory()[1] < 2 * CHUNK
    finally:
        tracemalloc.stop()
