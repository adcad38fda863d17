"""`herald restore --drill`: a copy is tried, and nothing of the trial stays."""

import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from projections.plain import plain_face
from projections.registry import add
from replay.maintenance.backup import keys_of
from replay.record.serverkey import KeyRing
from server.cli import main
from tests.skirmish.game import GAME


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database with a finished match."""
    monkeypatch.setattr("projections.registry._added", {})
    monkeypatch.setattr("server.cli.common.console.width", 200)
    monkeypatch.setattr("server.cli.backup.signal.signal", lambda *_: None)
    add(plain_face(GAME))
    path = tmp_path / "played.db"
    done = run("demo", "--game", "skirmish", "--speed", "0", "--seed", "0", "--db", path)
    assert done.exit_code == 0, done.output
    return path


@pytest.mark.parametrize("is_sound", [True, False])
def test_a_drill_says_whether_the_copy_could_be_restored_and_leaves_nothing(
    is_sound: bool, db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, copy = tmp_path / "drills", tmp_path / "copy.db"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    assert run("backup", "--to", copy, "--db", db).exit_code == 0
    if not is_sound:
        for file in keys_of(copy).iterdir():
            file.unlink()
        KeyRing(keys_of(copy))
    done = run("restore", copy, "--drill", "--db", tmp_path / "live.db")
    assert done.exit_code == (0 if is_sound else 1)
    assert ("can be restored: 1 matches" if is_sound else "1 matches do not hold") in " ".join(done.stdout.split())
    assert not list(place.iterdir())
    assert not (tmp_path / "live.db").exists()
