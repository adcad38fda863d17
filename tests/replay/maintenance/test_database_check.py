"""What a plain check of a database finds: everything that keeps a match from going on, and false signatures."""

import sqlite3
from contextlib import closing
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

from projections.plain import plain_face
from replay.files import export
from replay.maintenance.backup import restore
from replay.maintenance.database_check import OPTIONAL, check_database
from replay.maintenance.import_match import import_record
from replay.queries.readmodels import rebuild
from replay.record import sealing
from replay.record.serverkey import KeyRing
from replay.store import side_tables
from replay.store.errors import StoreFailed
from replay.store.memory import MemoryStore
from replay.store.side_tables.standing import StandingRow
from replay.store.sqlite.store import SqliteStore
from tests.replay.matches import created, played, taken_back
from tests.skirmish.game import GAME


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database with a match that waits for its seats, one that goes on and one that has ended."""
    path = tmp_path / "herald.db"
    store, sign = SqliteStore(path), KeyRing.beside(path).current.stamp
    created(store, sign=sign, kind="")
    played(1, store, sign=sign, most=2, kind="bot")
    played(2, store, sign=sign, kind="bot")
    assert set(store.matches.counts()) == {"open", "running", "finished"}
    store.close()
    return path


def faults(path: Path, change: str = "", *, deep: bool = False) -> list[str]:
    """Why the database is not sound after a change."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(change)
        connection.commit()
    store = SqliteStore(path, readonly=True)
    try:
        return [fault.why for fault in check_database(store, deep=deep).faults]
    finally:
        store.close()


@pytest.mark.parametrize("deep", [False, True])
def test_a_database_that_nobody_changed_is_sound(database: Path, *, deep: bool) -> None:
    assert faults(database, deep=deep) == []


RUNNING = "match = (SELECT match FROM matches WHERE status = 'running')"
ENDED = "match = (SELECT match FROM matches WHERE status = 'finished')"
CHANGES = {
    "DELETE FROM match_keys": "keys are missing",
    f"UPDATE match_keys SET k_m = zeroblob(32) WHERE {RUNNING}": "key",
    f"UPDATE match_keys SET k_m = zeroblob(32) WHERE {ENDED}": "key",
    "UPDATE match_keys SET k_n = zeroblob(32)": "anchor",
    "UPDATE match_keys SET hid = zeroblob(32)": "hidden draws",
    f"UPDATE openings SET value = '\"no\"' WHERE id = (SELECT max(id) FROM openings WHERE {RUNNING})": "sealed",
    "DELETE FROM openings": "0 secrets are kept",
    "UPDATE checkpoints SET signed = zeroblob(104)": "signature is not for this head",
    f"UPDATE checkpoints SET signed = x'00' WHERE {RUNNING} AND seq = (SELECT seq FROM matches WHERE {RUNNING})": (
        "signature is not for this head"
    ),
    f"DELETE FROM checkpoints WHERE {RUNNING}": "signatures are missing",
    f"DELETE FROM checkpoints WHERE {ENDED}": "signatures are missing",
    "DELETE FROM matches": "the match list has lost it",
    "DELETE FROM matches; DELETE FROM records": "the match list has lost it",
    "DELETE FROM seats": "seats are missing",
    "DELETE FROM seats WHERE seat = 1": "1 seats are kept",
    "UPDATE matches SET status = 'finished' WHERE status = 'running'": "expected running",
    "UPDATE matches SET status = 'running' WHERE status = 'finished'": "expected finished",
    "UPDATE matches SET status = 'running' WHERE status = 'open'": "expected open",
    "UPDATE matches SET result = 'seat 0: cheated' WHERE status = 'finished'": "expected finished",
    "UPDATE records SET actor = 7 WHERE seq = 3": "columns",
    "UPDATE matches SET seq = 0, head = x'00'": "head",
    "ALTER TABLE matches RENAME COLUMN head TO tail": "head",
}


@pytest.mark.parametrize(("change", "why"), CHANGES.items())
def test_a_change_that_keeps_a_match_from_going_on_is_found(database: Path, change: str, why: str) -> None:
    found = faults(database, change)
    assert found
    assert why in found[0], found


def test_matches_of_before_the_server_signed_are_sound(database: Path) -> None:
    assert faults(database, "DELETE FROM checkpoints") == []


def test_a_match_without_a_line_is_found(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        (match,) = connection.execute("SELECT match FROM matches WHERE status = 'open'").fetchone()
    genesis = sealing.genesis(sealing.unb64(match)).hex()
    assert faults(database, f"UPDATE matches SET seq = 0, head = x'{genesis}' WHERE match = '{match}'") == [
        "the record is empty"
    ]


def test_a_flipped_secret_of_a_finished_match_is_found_by_the_deep_check_alone(database: Path) -> None:
    flipped = f"UPDATE openings SET value = '\"no\"' WHERE id = (SELECT max(id) FROM openings WHERE {ENDED})"
    assert faults(database, flipped) == []
    assert len(faults(database, deep=True)) == 1


def test_matches_that_were_imported_unsigned_or_taken_back_are_sound(database: Path) -> None:
    store, sign = SqliteStore(database), KeyRing.beside(database).current.stamp
    for most in (5, 10_000):
        elsewhere, referee = played(3, MemoryStore(), most=most)
        import_record(store, GAME, export.from_store(elsewhere, referee.match))
    _, referee = played(4, store, sign=sign, most=2)
    line = next(entry.seq for entry in store.read(referee.match) if entry.type == "DecisionsOpened")
    taken_back(store, referee, line)
    store.close()
    assert faults(database) == []


def test_of_a_file_that_is_no_database_nothing_counts_as_checked(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE other (it)")
    store = SqliteStore(path, readonly=True)
    try:
        found = check_database(store)
    finally:
        store.close()
    assert (found.matches, found.lines, len(found.faults)) == (0, 0, 1)


FOREIGN = {
    "CREATE TRIGGER gone AFTER INSERT ON seats BEGIN DELETE FROM matches; END": "there is a trigger gone",
    "CREATE TRIGGER temp AFTER UPDATE ON matches BEGIN DELETE FROM records; END": "there is a trigger temp",
    "CREATE VIEW best AS SELECT * FROM matches": "there is a view best",
    "CREATE TABLE notes (text TEXT)": "there is a table notes",
    "CREATE UNIQUE INDEX one_each ON records (match, seq)": "there is a index one_each",
    "CREATE TABLE read_rules (match TEXT)": "the table read_rules is made otherwise",
    "DROP INDEX matches_by_status": "the index matches_by_status is missing",
    "DROP TABLE chat": "it has no table chat",
    "ALTER TABLE seats ADD COLUMN more TEXT": "the table seats is made otherwise",
    "DROP TABLE chat; CREATE VIEW chat AS SELECT 1 AS match": "it has no table chat",
    "DROP TABLE watchers; CREATE TABLE watchers (match TEXT NOT NULL, token_hash BLOB NOT NULL CHECK (match <> 'x'),"
    " seat INTEGER NOT NULL, PRIMARY KEY (match, token_hash)) STRICT, WITHOUT ROWID": "the table watchers is made",
}


@pytest.mark.parametrize("change", FOREIGN)
def test_a_database_whose_schema_is_not_heralds_is_not_sound_and_what_differs_is_said(
    database: Path, change: str
) -> None:
    (first, *_) = faults(database, change)
    assert FOREIGN[change] in first


def test_read_models_may_be_there_as_they_are_made(database: Path) -> None:
    assert rebuild(database, {GAME.name: plain_face(GAME)}).swapped
    assert faults(database) == []


def test_spaces_quotes_and_statistics_are_no_difference(database: Path) -> None:
    change = """DROP INDEX matches_by_status;
    CREATE INDEX "matches_by_status"   ON matches(status,  created_ms DESC);
    ANALYZE"""
    assert faults(database, change) == []


def test_a_backup_with_somebody_elses_trigger_is_not_restored(database: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("CREATE TRIGGER gone AFTER INSERT ON seats BEGIN DELETE FROM matches; END")
        connection.commit()
    target = tmp_path / "restored.db"
    with pytest.raises(StoreFailed, match="there is a trigger gone which Herald did not make"):
        restore(database, target)
    assert not target.exists()


def test_every_table_that_is_made_when_it_is_first_needed_is_one_of_heralds(database: Path) -> None:
    """Each room of the side tables that makes tables is known, so that no use of a server makes its file unsound."""
    rooms = [import_module(f"replay.store.side_tables.{one.name}") for one in iter_modules(side_tables.__path__)]
    made = {name for room in rooms for name in getattr(room, "MADE", {})}
    assert "person_calendars" in made
    assert "standing_answers" in made
    store = SqliteStore(database)
    try:
        store.calendars.open("p", b"hash", 1)
        store.standing.keep(StandingRow("m", 0, 0, "made", 1, "head", "[]"))
        assert made <= {name for room in OPTIONAL for name in room}
        assert check_database(store).faults == ()
    finally:
        store.close()
