"""`herald doctor`: what is well is said, what is not is named with what to do, and the exit status tells."""

import json
import os
import shutil
import sqlite3
import time
from collections import namedtuple
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from replay.audit.match_audit import audit
from replay.files import export
from replay.maintenance.backup import back_up, keys_of, life_sign_of
from replay.record import sealing
from replay.record.serverkey import KeyRing
from replay.store.sqlite.disk_reserve import RESERVE_BYTES, reserve_of
from replay.store.sqlite.store import SqliteStore
from server.cli import main
from server.operations import doctor
from server.operations.configuration import load
from server.operations.doctor import Finding, examine
from tests.replay.matches import played
from tests.skirmish.game import GAME

Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "herald.db"
    store, sign = SqliteStore(path), KeyRing.beside(path).current.stamp
    for seed in range(2):
        played(seed, store, sign=sign)
    store.close()
    return path


def named(path: Path, name: str) -> list[Finding]:
    return [finding for finding in examine(path, load(environment={})) if finding.name == name]


def test_a_sound_database_is_told_to_be(database: Path) -> None:
    (matches,) = named(database, "matches")
    assert matches.status == "ok"
    assert matches.found.startswith("2 matches")
    assert not [f for f in examine(database, load(environment={})) if f.status == "wrong" and f.name != "disk"]


def test_before_the_first_start_nothing_is_wrong_with_what_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "none" / "herald.db"
    assert named(path, "database")[0].status == "ok"
    assert not path.parent.exists()


def test_a_match_that_does_not_hold_is_named(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        (match,) = connection.execute("SELECT match FROM matches LIMIT 1").fetchone()
        connection.execute("UPDATE records SET line = replace(line, 'Player 1', 'Player 7') WHERE match = ?", (match,))
        connection.commit()
    (matches,) = named(database, "matches")
    assert matches.status == "wrong"
    assert match in matches.found
    assert "audit" in matches.todo


def test_matches_that_the_list_has_lost_are_named(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        lost = {match for (match,) in connection.execute("SELECT match FROM matches")}
        connection.execute("DELETE FROM matches")
        connection.commit()
    matches = named(database, "matches")
    assert {finding.status for finding in matches} == {"wrong"}
    assert {finding.found.partition(":")[0] for finding in matches} == lost


def test_a_file_that_is_no_database_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "herald.db"
    path.write_bytes(b"nothing of the kind" * 50)
    path.chmod(0o600)
    assert [finding.status for finding in named(path, "database")] == ["wrong"]


@pytest.mark.parametrize("tables", ["", "CREATE TABLE foo (n)"])
def test_a_database_of_another_program_is_wrong(tmp_path: Path, tables: str) -> None:
    path = tmp_path / "herald.db"
    path.touch()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(tables)
    (finding,) = named(path, "database")
    assert finding.status == "wrong"
    assert "not a Herald database" in finding.found


def test_secrets_that_others_may_read_are_wrong(database: Path) -> None:
    database.chmod(0o640)
    (finding,) = named(database, "permissions")
    assert finding.status == "wrong"
    assert finding.todo == f"chmod 600 {database}"


SECRET = ["-wal", "-shm", ".hooks", ".hooks.results", ".replaced-20261121-120000", ".schema9-20261121-120000", ".keys"]


@pytest.mark.parametrize("suffix", SECRET)
def test_what_holds_secrets_beside_a_database_is_for_its_owner_alone(database: Path, suffix: str) -> None:
    path = database.with_name(database.name + suffix)
    whole = 0o700 if suffix == ".keys" else 0o600
    if suffix != ".keys":
        path.touch()
    path.chmod(whole)
    assert [finding.status for finding in named(database, "permissions")] == ["ok"]
    path.chmod(whole | 0o050)
    (finding,) = named(database, "permissions")
    assert finding.status == "wrong"
    assert finding.todo == f"chmod {whole:o} {path}"


def test_the_sign_of_life_holds_no_secret(database: Path) -> None:
    path = life_sign_of(database)
    path.write_text("1")
    path.chmod(0o644)
    assert [finding.status for finding in named(database, "permissions")] == ["ok"]


def test_the_room_that_is_kept_back_holds_no_secret_and_is_told_beside_the_free_one(database: Path) -> None:
    assert "kept back" not in named(database, "disk")[0].found
    reserve = reserve_of(database)
    reserve.write_bytes(bytes(RESERVE_BYTES))
    reserve.chmod(0o644)
    assert [finding.status for finding in named(database, "permissions")] == ["ok"]
    assert named(database, "disk")[0].found.endswith("; 16 MiB are kept back in herald.db.reserve")


def test_everything_that_others_may_read_is_named_at_once(database: Path) -> None:
    database.chmod(0o640)
    keys_of(database).chmod(0o755)
    assert [f.todo for f in named(database, "permissions")] == [
        f"chmod 600 {database}",
        f"chmod 700 {keys_of(database)}",
    ]


def test_a_database_that_cannot_be_written_is_wrong(database: Path) -> None:
    database.chmod(0o400)
    (finding,) = named(database, "permissions")
    assert finding.status == "wrong"
    assert f"{database} cannot be written (0400)" in finding.found


def test_a_database_that_cannot_be_read_is_a_finding(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    access = os.access
    monkeypatch.setattr("os.access", lambda path, mode: Path(path) != database and access(path, mode))
    done = CliRunner().invoke(main, ["doctor", "--json", "--db", str(database)])
    assert done.exit_code == 1
    found = [json.loads(line)["found"] for line in done.output.splitlines()]
    assert f"{database} cannot be read" in found


@pytest.mark.parametrize(("free", "status"), [(1 << 20, "wrong"), (100 << 20, "advice"), (10 << 30, "ok")])
def test_a_disk_that_is_nearly_full_is_told(
    database: Path, monkeypatch: pytest.MonkeyPatch, free: int, status: str
) -> None:
    monkeypatch.setattr("server.operations.doctor.shutil.disk_usage", lambda _: Usage(0, 0, free))
    assert named(database, "disk")[0].status == status


@pytest.mark.parametrize(("took", "status"), [(0.001, "advice"), (1.0, "ok"), (80.0, "advice")])
def test_a_sync_that_is_too_quick_or_too_slow_is_told(
    database: Path, monkeypatch: pytest.MonkeyPatch, took: float, status: str
) -> None:
    monkeypatch.setattr(doctor, "sync_ms", lambda _: took)
    assert named(database, "sync")[0].status == status


def test_a_disk_that_cannot_sync_is_wrong(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int) -> None:
        raise OSError(5, os.strerror(5))

    monkeypatch.setattr("server.operations.doctor.os.fsync", refuse)
    (finding,) = named(database, "sync")
    assert finding.status == "wrong"
    assert "Input/output error" in finding.found


def test_a_sync_is_measured(tmp_path: Path) -> None:
    assert doctor.sync_ms(tmp_path) > 0
    assert not list(tmp_path.iterdir())


def test_a_clock_before_the_program_was_written_is_wrong(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.operations.doctor.time.time", lambda: 1_000_000.0)
    assert named(database, "clock")[0].status == "wrong"


def test_a_record_from_the_future_is_told(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("UPDATE matches SET changed_ms = ?", (int((time.time() + 3600) * 1000),))
        connection.commit()
    assert [finding.status for finding in named(database, "clock")] == ["ok", "wrong"]


def test_a_wrong_setting_is_told(database: Path) -> None:
    findings = examine(database, load(environment={"HERALD_PORT": "no"}))
    assert [f.status for f in findings if f.name == "settings"] == ["wrong"]


@pytest.mark.parametrize(("version", "advised"), [((3, 51, 2), True), ((3, 51, 3), False)])
def test_an_old_sqlite_is_advised_about(
    database: Path, monkeypatch: pytest.MonkeyPatch, version: tuple[int, int, int], advised: bool
) -> None:
    monkeypatch.setattr("server.operations.doctor.sqlite3.sqlite_version_info", version)
    assert bool(named(database, "SQLite")) is advised


def test_the_command_ends_with_1_when_something_is_wrong(database: Path) -> None:
    database.chmod(0o644)
    done = CliRunner().invoke(main, ["doctor", "--json", "--db", str(database)])
    assert done.exit_code == 1
    findings = [json.loads(line) for line in done.output.splitlines()]
    assert {"name", "status", "found", "todo"} == set(findings[0])
    assert "permissions" in [f["name"] for f in findings if f["status"] == "wrong"]
    database.chmod(0o600)
    table = CliRunner().invoke(main, ["doctor", "--deep", "--db", str(database)])
    assert "2 matches" in table.output


def test_backup_and_restore_are_commands(database: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copies" / "c.db"
    made = CliRunner().invoke(main, ["backup", "--to", str(copy), "--db", str(database)])
    assert made.exit_code == 0, made.output
    assert "2 matches" in made.output
    database.unlink()
    back = CliRunner().invoke(main, ["restore", str(copy), "--db", str(database)])
    assert back.exit_code == 0, back.output
    assert database.exists()
    again = CliRunner().invoke(main, ["backup", "--to", str(copy), "--db", str(database)])
    assert again.exit_code == 1
    assert "is there already" in again.output


def test_backup_and_restore_say_in_a_sentence_where_they_cannot_write(database: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    place = str(tmp_path / "file" / "c.db")
    for command in (["backup", "--to", place, "--db", str(database)], ["restore", str(database), "--db", place]):
        done = CliRunner().invoke(main, command)
        assert done.exit_code == 1
        assert isinstance(done.exception, SystemExit)
        assert "Not a directory" in done.output


@pytest.mark.parametrize(("there", "told"), [(False, "the next start makes a new one"), (True, "go on signing")])
def test_restore_says_what_follows_where_the_keys_of_a_copy_are_missing(
    database: Path, tmp_path: Path, *, there: bool, told: str
) -> None:
    copy, new = tmp_path / "copy.db", tmp_path / "new" / "herald.db"
    back_up(database, copy)
    whole = CliRunner().invoke(main, ["restore", str(copy), "--db", str(tmp_path / "whole" / "herald.db")])
    assert "missing" not in whole.output
    shutil.rmtree(keys_of(copy))
    if there:
        KeyRing.beside(new)
    done = CliRunner().invoke(main, ["restore", str(copy), "--db", str(new)])
    assert done.exit_code == 0
    assert f"{keys_of(copy)} is missing" in done.output
    assert told in done.output


def test_what_a_lost_key_has_signed_can_be_checked_with_its_public_half(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        (match,) = connection.execute("SELECT match FROM matches LIMIT 1").fetchone()
    old = KeyRing.beside(database).current.text
    shutil.rmtree(keys_of(database))
    KeyRing.beside(database)
    store = SqliteStore(database, readonly=True)
    record = export.from_store(store, match)
    store.close()
    for trusted, wrong in ((KeyRing.beside(database).current.text, True), (old, False)):
        assert bool(audit(GAME, record, [sealing.unb64(trusted)]).fault) is wrong
