"""`herald ratings`: a database's ratings are printed, published, and recomputed from the file."""

import json
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from domain.kernel import MatchCreated
from replay.files import export
from replay.ratings import dump
from replay.record.serverkey import KeyRing
from replay.store.sqlite.store import SqliteStore
from server.cli import main
from server.cli import ratings as command
from tests.replay.ratings.invented import many
from tests.replay.ratings.rated_matches import GAMES, RatedMatch


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["--lang", "en", *map(str, arguments)])


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database with a rated match of two persons, one of a person and a bot, and one that is not rated."""
    monkeypatch.setattr(command, "_games", lambda: GAMES)
    path = tmp_path / "herald.db"
    stamp = KeyRing.beside(path).current.stamp
    with closing(SqliteStore(path)) as store:
        for number, kinds in enumerate((("person", "person"), ("person", "bot"))):
            match = RatedMatch(store, stamp, kinds=kinds, at=1_700_000_000_000 + number)
            for seat, kind in enumerate(kinds):
                if kind == "person":
                    store.rated_players.sit(("ann", "ben")[seat], match.referee.match, seat)
            match.finished()
            (tmp_path / f"{number}.herald").write_bytes(b"".join(export.write(match.whole())))
        RatedMatch(store, stamp, rated=False).finished()
    return path


def test_ratings_are_printed_and_for_programs_too(db: Path) -> None:
    told = run("ratings", "--db", db)
    assert told.exit_code == 0, told.output
    assert "bot:steady" in told.output
    assert "provisional" in told.output
    lines = [json.loads(line) for line in run("ratings", "--json", "--db", db).output.splitlines()]
    assert sorted(line["matches"] for line in lines) == [1, 1, 2]
    assert all(line["provisional"] and line["handle"] == "" for line in lines)


def test_a_published_file_is_recomputed_with_the_records_beside_it(db: Path, tmp_path: Path) -> None:
    out = tmp_path / "ratings.jsonl"
    made = run("ratings", "dump", out, "--db", db)
    assert made.exit_code == 0, made.output
    key = KeyRing.beside(db).current
    told = run("ratings", "verify", out, tmp_path, "--key", key.text, "--former", out)
    assert told.exit_code == 0, told.output
    assert "2 results give the 3 ratings in it, to the digit" in told.output
    assert f"signed with {key.fingerprint}; 2 records audited" in told.output
    report = json.loads(run("ratings", "verify", out, "--json").output)
    assert (report["ok"], report["audited"], report["results"]) == (True, 0, 2)
    assert run("ratings", "dump", out, "--db", db).exit_code == 1


def test_a_record_that_is_missing_in_the_file_is_named(db: Path, tmp_path: Path) -> None:
    out = tmp_path / "ratings.jsonl"
    key = KeyRing.beside(db).current
    out.write_bytes(b"".join(dump.write(many(3, 1, key), 1_800_000_000_000, key.stamp)))
    told = run("ratings", "verify", out, tmp_path)
    assert told.exit_code == 0
    assert told.output.count("not in the file, and it would count unless a guest played") == 2


@pytest.mark.parametrize("data", [b"", b"no json\n", b"\x1f\x8b\x08broken", b'{"t":"ratings"}\n'])
def test_a_file_that_is_none_gets_a_sentence(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "ratings.jsonl"
    path.write_bytes(data)
    told = run("ratings", "verify", path)
    assert told.exit_code == 1
    assert "✗ ratings.jsonl: " in told.output
    assert "Traceback" not in told.output


def test_a_key_that_is_none_and_a_database_that_is_not_there_get_a_sentence(tmp_path: Path, db: Path) -> None:
    (tmp_path / "r").write_bytes(b"x")
    assert "is no public key" in run("ratings", "verify", tmp_path / "r", "--key", "AAAA").stderr
    assert "There is no database at" in run("ratings", "--db", tmp_path / "none.db").stderr


def test_a_match_is_created_as_rated_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    made = run("match", "create", "--rated", "--db", path)
    assert made.exit_code == 0, made.stderr
    with closing(SqliteStore(path, readonly=True)) as store:
        (header,) = store.matches.latest()
        first: MatchCreated = export.created(store, header.match)
        assert (first.rated, first.shares) == (True, True)
    assert "rated" in run("match", "show", header.match, "--db", path).output
    both = run("match", "create", "--rated", "--hints", "--db", path)
    assert (both.exit_code, "A rated match has no hints." in both.stderr) == (1, True)


def test_a_match_that_does_not_count_says_why(db: Path) -> None:
    assert "No result counts yet" not in run("ratings", "--db", db).output
    with closing(SqliteStore(db, readonly=True)) as store:
        why = {store.ratings.why(header.match) for header in store.matches.latest()}
    assert why == {"", "it was not created as rated"}
