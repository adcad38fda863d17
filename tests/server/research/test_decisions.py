"""Decisions as a table: what was known and no more, what was offered, chosen, and what came of it."""

import json
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from projections.plain import plain_face
from projections.registry import add
from replay.files import export
from replay.playback.seek import Replay
from replay.store.sqlite.store import SqliteStore
from server.cli import main
from server.research.decisions import COLUMNS, rows_of
from tests.replay.matches import begun, played
from tests.skirmish.game import GAME

FACE = plain_face(GAME)


@pytest.fixture(autouse=True)
def _skirmish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("projections.registry._added", {})
    add(FACE)


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["dataset", *map(str, words)])


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "herald.db"
    store = SqliteStore(path)
    for seed in (1, 2):
        referee = played(seed, store)[1]
        data = b"".join(export.write(export.from_store(store, referee.match)))
        (tmp_path / f"{seed}.herald").write_bytes(data)
    begun(store)
    store.close()
    return path


@pytest.mark.parametrize("reveal", ["public", "seats", "auditor"])
def test_a_match_whose_secrets_are_not_for_everybody_gives_no_rows(
    reveal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, referee = played(1)
    replay = Replay.of_store(FACE, store, referee.match)
    events = [replace(replay.events[0], reveal=reveal), *replay.events[1:]]
    monkeypatch.setattr(Replay, "events", events)
    assert bool(list(rows_of(referee.match, replay))) == (reveal == "public")


def test_each_choice_is_a_row_of_what_its_seat_knew() -> None:
    store, referee = played(1)
    rows = list(rows_of(referee.match, Replay.of_store(FACE, store, referee.match)))
    assert rows
    for row in rows:
        assert set(row) == set(COLUMNS)
        view = json.loads(row["view"])
        assert view["hands"][1 - row["seat"]] == {"is": "hidden"}
        assert view["hands"][row["seat"]] != {"is": "hidden"}
        assert "players" not in view
        options = json.loads(row["options"])
        assert len(options) == row["count"]
        assert options[row["number"]] == json.loads(row["choice"])
        won = referee.state.result.won
        assert row["outcome"] == (0 if not won else 1 if row["seat"] in won else -1)


def test_a_match_that_is_not_over_has_no_rows() -> None:
    store, referee = played(1)
    replay = Replay.of_store(FACE, store, referee.match)
    cut = Replay(FACE, replay.events[:-1])
    assert list(rows_of(referee.match, cut)) == []


def test_the_command_writes_a_table_and_its_card(db: Path, tmp_path: Path) -> None:
    out = tmp_path / "decisions.parquet"
    done = run(out, "--db", db)
    assert done.exit_code == 0, done.output
    table = pq.read_table(out)
    assert table.column_names == list(COLUMNS)
    assert len(set(table["match"].to_pylist())) == 2
    card = out.with_suffix(".md").read_text()
    assert f"{table.num_rows} decisions out of 2 matches" in card
    assert all(f"| {column} |" in card for column in COLUMNS)


def test_a_database_and_its_exports_hold_the_same_decisions(db: Path, tmp_path: Path) -> None:
    found = []
    sources: tuple[list[str | Path], ...] = (["--db", db], [tmp_path / "1.herald", tmp_path / "2.herald"])
    for number, words in enumerate(sources):
        out = tmp_path / f"{number}.parquet"
        assert run(out, *words).exit_code == 0
        rows = pq.read_table(out).drop_columns(["match"]).to_pylist()
        found.append(sorted(json.dumps(row) for row in rows))
    assert found[0] == found[1]


def test_where_nothing_is_over_nothing_is_written(db: Path, tmp_path: Path) -> None:
    out = tmp_path / "none.parquet"
    done = run(out, "--db", db, "--game", "vera_discordia")
    assert done.exit_code == 1
    assert "There are no matches that are over" in done.stderr
    assert not out.exists()


def test_without_the_packages_for_it_the_command_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "server.research.decisions", None)
    done = run(tmp_path / "out.parquet")
    assert done.exit_code == 1
    assert "pip install 'herald[research]'" in done.stderr


def test_what_was_written_before_stays_where_there_is_nothing_to_write(db: Path, tmp_path: Path) -> None:
    out = tmp_path / "kept.parquet"
    out.write_bytes(b"before")
    assert run(out, "--db", db, "--game", "vera_discordia").exit_code == 1
    assert out.read_bytes() == b"before"
    assert [path.name for path in tmp_path.glob("kept*")] == ["kept.parquet"]


def test_a_game_that_there_is_not_and_a_file_that_its_card_would_overwrite_are_refused(
    db: Path, tmp_path: Path
) -> None:
    assert "'vera_discordy'" in run(tmp_path / "a.parquet", "--db", db, "--game", "vera_discordy").stderr
    done = run(tmp_path / "a.md", "--db", db)
    assert done.exit_code == 1
    assert ".parquet" in done.stderr
