"""Section 5 of docs/record.md: the server's keys."""

import errno
import os
import stat
from pathlib import Path

import pytest

from replay.record.errors import KeyInvalid
from replay.record.serverkey import KeyRing, is_stamped


def test_the_first_start_makes_a_key_that_only_its_owner_reads(tmp_path: Path) -> None:
    ring = KeyRing.beside(tmp_path / "herald.db")
    assert ring.directory == tmp_path / "herald.db.keys"
    assert stat.S_IMODE(ring.directory.stat().st_mode) == 0o700
    assert [stat.S_IMODE(file.stat().st_mode) for file in ring.directory.iterdir()] == [0o600]
    assert KeyRing(ring.directory).current.public == ring.current.public
    assert ring.current.fingerprint in repr(ring.current)


def test_rotation_keeps_the_old_keys(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path)
    old = ring.current
    new = ring.rotate()
    again = KeyRing(tmp_path)
    assert again.current.public == new.public != old.public
    assert again.find(old.public) is not None
    assert again.find(bytes(32)) is None


def test_a_stamp_is_checked_with_the_key_it_carries(tmp_path: Path) -> None:
    stamp = KeyRing(tmp_path).current.stamp(b"message")
    assert is_stamped(b"message", stamp)
    assert not is_stamped(b"massage", stamp)
    assert not is_stamped(b"message", stamp[:-1])
    assert not is_stamped(b"message", bytes(32) + stamp[32:])


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    KeyRing(tmp_path)
    file = next(tmp_path.iterdir())
    file.chmod(0o640)
    with pytest.raises(KeyInvalid, match="chmod 600"):
        KeyRing(tmp_path)


def test_a_file_that_is_no_key_or_another_is_refused(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path)
    file = next(tmp_path.iterdir())
    other = KeyRing(tmp_path / "other")
    file.write_bytes(next(other.directory.iterdir()).read_bytes())
    with pytest.raises(KeyInvalid, match="named for"):
        KeyRing(ring.directory)
    file.write_text("nothing")
    with pytest.raises(KeyInvalid, match="not a private key"):
        KeyRing(ring.directory)


@pytest.mark.parametrize("asked", ["read_bytes", "stat", "iterdir"])
def test_a_key_that_this_user_may_not_read_is_said_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    KeyRing(tmp_path)

    def refuse(path: Path, **_: bool) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(Path, asked, refuse)
    with pytest.raises(KeyInvalid, match=r"Permission denied; give the server's keys to the user who serves"):
        KeyRing(tmp_path)


def test_a_key_that_cannot_be_written_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "herald.db.keys").write_text("no folder")
    with pytest.raises(KeyInvalid, match=r"herald\.db\.keys: "):
        KeyRing.beside(tmp_path / "herald.db")
