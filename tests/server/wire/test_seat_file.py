"""A seat's file: its link and its key, for its owner's eyes, and nothing that is not so is taken for one."""

import os
import stat
from pathlib import Path

import pytest
from msgspec.structs import replace

from herald_client import Key, Link
from server.errors import Misconfigured
from server.wire.seat_file import SeatFile, read_seat, write_seat
from server.wire.stream_file import link_of

LINK = f"http://host:8000/play#m=AAAAAAAAAAAAAAAAAAAAAA&t={'x' * 43}"
SEAT = link_of(LINK)


@pytest.fixture(autouse=True)
def open_umask() -> object:
    before = os.umask(0)
    yield
    os.umask(before)


def test_what_is_written_is_read_again_and_for_its_owner_alone(tmp_path: Path) -> None:
    key, file = Key(), tmp_path / "seat.json"
    write_seat(file, replace(link_of(f"{LINK}&k={Key().text}&f=1"), key=key.text))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    read = read_seat(file)
    assert str(read) == f"{LINK}&k={key.text}"
    assert Key.read(read.key).public == key.public


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "seat.json"
    file.write_text("mine")
    with pytest.raises(Misconfigured, match="there already"):
        write_seat(file, SEAT)
    assert file.read_text() == "mine"


def test_a_link_for_watching_is_no_seat(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="for watching"):
        write_seat(tmp_path / "seat.json", Link("http://host:8000", SEAT.match))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"t":"seat"}',
        '{"t":"seat","link":1}',
        '{"t":"record","link":"http://h/play#m=A&t=B"}',
        '{"t":"seat","v":2,"link":"http://h/play#m=A&t=B"}',
        '{"t":"seat","link":"http://h/play#m=A"}',
        '{"t":"seat","link":"javascript:alert(1)"}',
        '{"t":"seat","link":"http://h/play#m=A&t=B&k=AAAA"}',
        '{"t":"seat","link":"' + "x" * 20_000,
        "\udcff",
    ],
)
def test_what_is_no_seats_file_is_refused_in_a_sentence(tmp_path: Path, text: str) -> None:
    file = tmp_path / "seat.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(Misconfigured):
        read_seat(file)


def test_a_seats_file_shows_nothing_when_it_is_printed() -> None:
    assert "x" * 43 not in repr(SeatFile(LINK))
