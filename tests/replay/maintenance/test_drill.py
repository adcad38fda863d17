"""A restore drill: whether a backup could be put back, tried where nothing is and nothing stays."""

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from replay.maintenance.backup import back_up, keys_of
from replay.maintenance.drill import drill
from replay.record.serverkey import KeyRing
from replay.store.errors import StoreFailed
from replay.store.sqlite.store import SqliteStore
from tests.replay.matches import begun, played
from tests.skirmish.game import GAME

GAMES = {GAME.name: GAME}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where drills are held: it is empty after each."""
    place = tmp_path / "drills"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """A copy of two finished matches and one under way, with the server's keys."""
    path = tmp_path / "live" / "herald.db"
    sign = KeyRing.beside(path).current.stamp
    with closing(SqliteStore(path)) as store:
        for seed in range(2):
            played(seed, store, sign=sign)
        begun(store, sign=sign)
    copy = tmp_path / "copy.db"
    back_up(path, copy)
    return copy


def test_a_sound_backup_can_be_restored_and_nothing_stays(backup: Path, place: Path) -> None:
    before = backup.read_bytes()
    found = drill(backup, GAMES)
    assert (found.matches, found.faults, found.strange, found.keys) == (3, (), (), True)
    assert found.choices > 2
    assert not list(place.iterdir())
    assert backup.read_bytes() == before


def test_every_match_is_told_of_as_it_is_audited(backup: Path, place: Path) -> None:
    told: list[tuple[int, int]] = []
    drill(backup, GAMES, lambda done, total: told.append((done, total)))
    assert told == [(0, 3), (1, 3), (2, 3)]


def test_a_backup_that_cannot_be_restored_is_refused_and_nothing_stays(backup: Path, place: Path) -> None:
    with closing(sqlite3.connect(backup)) as connection:
        connection.execute("DELETE FROM records WHERE seq = 2")
        connection.commit()
    with pytest.raises(StoreFailed, match=str(backup)):
        drill(backup, GAMES)
    assert not list(place.iterdir())


def test_signatures_of_another_server_are_found_out(backup: Path, place: Path, tmp_path: Path) -> None:
    for file in keys_of(backup).iterdir():
        file.unlink()
    KeyRing(keys_of(backup))
    found = drill(backup, GAMES)
    assert len({fault.match for fault in found.faults}) == 3
    assert not list(place.iterdir())


def test_without_the_servers_keys_it_is_said(backup: Path, place: Path) -> None:
    for file in keys_of(backup).iterdir():
        file.unlink()
    keys_of(backup).rmdir()
    found = drill(backup, GAMES)
    assert (found.keys, found.faults) == (False, ())


def test_games_that_are_not_installed_are_told(backup: Path, place: Path) -> None:
    found = drill(backup, {})
    assert (found.strange, found.faults, found.choices) == ((GAME.name,), (), 0)
