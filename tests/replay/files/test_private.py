"""Files that hold secrets are their owner's alone, whatever the umask and whatever was there before."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from replay.files.private import write_private
from replay.record.serverkey import KeyRing


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(params=[0o000, 0o022, 0o277])
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    former = os.umask(request.param)
    yield
    os.umask(former)


@pytest.mark.usefixtures("umask")
def test_a_new_file_is_its_owners_alone(tmp_path: Path) -> None:
    file = tmp_path / "match.herald"
    write_private(file, b"secret")
    assert (mode(file), file.read_bytes()) == (0o600, b"secret")


@pytest.mark.usefixtures("umask")
def test_a_servers_key_is_its_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "keys"
    folder.mkdir(0o700)
    folder.chmod(0o700)
    KeyRing(folder)
    assert [mode(file) for file in folder.iterdir()] == [0o600]


def test_a_file_that_everybody_could_read_is_closed_before_it_is_written(tmp_path: Path) -> None:
    file = tmp_path / "match.herald"
    file.write_bytes(b"a longer text than the new one")
    file.chmod(0o666)
    write_private(file, b"secret")
    assert (mode(file), file.read_bytes()) == (0o600, b"secret")


def test_what_is_no_plain_file_stays_as_it_is(tmp_path: Path) -> None:
    write_private(Path("/dev/null"), b"secret")
    assert not stat.S_ISREG(Path("/dev/null").stat().st_mode)
    with pytest.raises(OSError, match="Is a directory"):
        write_private(tmp_path, b"secret")
