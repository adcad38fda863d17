"""Files of records: packed in several ways, told by their first bytes, read within bounds."""

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from replay.errors import RecordInvalid
from replay.files import export
from replay.files.reading import FileLimits, lines_of, packer_of, read_file, records_in
from tests.replay.matches import played

PACK: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    "": bytes,
}


@pytest.fixture(scope="module")
def data() -> bytes:
    store, referee = played(3)
    return b"".join(export.write(export.from_store(store, referee.match)))


@pytest.mark.parametrize("suffix", PACK)
def test_a_packed_file_holds_the_same_record_whatever_it_is_called(data: bytes, suffix: str, tmp_path: Path) -> None:
    packed = packer_of(f"a.herald{suffix}")(data)
    assert (packed == data) == (suffix == "")
    path = tmp_path / "match"
    path.write_bytes(packed)
    assert read_file(path) == export.read(data.splitlines(keepends=True))


def test_gzip_is_meant_where_the_name_says_nothing_and_the_same_record_packs_the_same(data: bytes) -> None:
    packed = packer_of("match.herald", compress=True)(data)
    assert gzip.decompress(packed) == data
    assert packed == packer_of("")(packed) == packer_of("x.gz")(data)
    assert len(packed) < len(data) / 3


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz"])
def test_a_packed_file_that_is_cut_or_changed_is_refused(data: bytes, suffix: str, tmp_path: Path) -> None:
    packed = PACK[suffix](data)
    path = tmp_path / "match"
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(RecordInvalid, match=r"cut or damaged after its line|middle of a line"):
        read_file(path)
    middle = len(packed) // 2
    path.write_bytes(packed[:middle] + bytes([packed[middle] ^ 255]) + packed[middle + 1 :])
    with pytest.raises(RecordInvalid):
        read_file(path)


@pytest.mark.parametrize("suffix", PACK)
def test_an_endless_line_and_an_endless_file_are_refused(suffix: str, tmp_path: Path) -> None:
    limits = FileLimits(line=1 << 20, size=4 << 20)
    path = tmp_path / "bomb"
    path.write_bytes(PACK[suffix](b"[" * (3 << 20)))
    with pytest.raises(RecordInvalid, match="line 1 of the file has more than 1 MiB"), lines_of(path, limits) as lines:
        list(lines)
    path.write_bytes(PACK[suffix](b"{}\n" * (2 << 20)))
    with pytest.raises(RecordInvalid, match="the file has more than 1000000 lines"), lines_of(path, limits) as lines:
        list(lines)
    limits = FileLimits(line=1 << 20, size=4 << 20, lines=1 << 30)
    with (
        pytest.raises(RecordInvalid, match="the file has more than 4 MiB at its line"),
        lines_of(path, limits) as lines,
    ):
        list(lines)


def test_what_xz_may_take_to_unpack_is_bounded(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "match"
    path.write_bytes(lzma.compress(data, preset=6))
    with pytest.raises(RecordInvalid, match="damaged"):
        read_file(path, FileLimits(xz_memory=1 << 20))


@pytest.mark.parametrize(
    ("front", "said"),
    [
        (b"", "the file is empty"),
        (b"SQLite format 3\x00......", "a database; name it with --db"),
        (b"PK\x03\x04.....", "a zip archive"),
        (b"\x28\xb5\x2f\xfd....", "packed with zstd"),
        (b"\x89PNG\r\n\x1a\n", "a picture"),
        (b"<!DOCTYPE html><html>", "open it in a browser"),
        (b"\x1f\x8bnonsense", "cut or damaged"),
        (b"BZhnonsense", "cut or damaged"),
        (b"\xfd7zXZ\x00nonsense", "cut or damaged"),
        (b"Dear Sir,\n", "the file's first line is not a message"),
    ],
)
def test_a_foreign_file_is_named_for_what_it_is(front: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(front)
    with pytest.raises(RecordInvalid, match=said):
        read_file(path)


def test_the_records_of_a_folder_are_found_by_name(tmp_path: Path) -> None:
    for name in ("b.herald", "a.herald.gz", "sub/c.herald.xz", "sub/notes.txt", "d.json"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"")
    found = records_in([tmp_path, tmp_path / "d.json"])
    assert [path.name for path in found] == ["a.herald.gz", "b.herald", "c.herald.xz", "d.json"]


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz"])
@pytest.mark.parametrize("behind", [b"\0", b"junk", None], ids=["zero", "junk", "again"])
def test_bytes_behind_the_end_of_what_is_packed_are_refused(
    data: bytes, suffix: str, behind: bytes | None, tmp_path: Path
) -> None:
    packed = PACK[suffix](data)
    path = tmp_path / "match"
    path.write_bytes(packed + (packed if behind is None else behind))
    with pytest.raises(RecordInvalid, match="behind the end of the packed data"):
        read_file(path)
