"""`herald stats`: figures of a database or of files, for people, spreadsheets and programs."""

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from domain.vera_discordia import GAME
from replay.files import export
from replay.store.sqlite.store import SqliteStore
from server.cli import main
from tests.replay.matches import played


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("herald") / "herald.db"
    store = SqliteStore(path)
    for seed in (1, 2):
        referee = played(seed, store, game=GAME)[1]
        data = b"".join(export.write(export.from_store(store, referee.match)))
        (path.parent / f"{seed}.herald").write_bytes(data)
    store.close()
    return path


def run(*words: str | Path) -> str:
    result = CliRunner().invoke(main, ["stats", *map(str, words)])
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_a_database_and_a_folder_of_its_exports_come_to_the_same(db: Path) -> None:
    assert run("--db", db, "--format", "json") == run(db.parent, "--format", "json")


def test_the_beginning_of_a_games_name_names_it_and_another_is_refused(db: Path) -> None:
    assert run("--db", db, "--format", "json", "--game", "vera") == run("--db", db, "--format", "json")
    refused = CliRunner().invoke(main, ["stats", "--db", str(db), "--game", "chess"])
    assert refused.exit_code == 1
    assert "There is no game 'chess'" in refused.stderr


def test_the_figures_are_numbers_and_add_up(db: Path) -> None:
    rows = json.loads(run("--db", db, "--format", "json"))
    of = {(row["what"], row["of"]): row for row in rows}
    assert of["matches", ""]["number"] == of["ended", ""]["number"] == 2
    dice = of["dice", "d6"]
    assert dice["number"] == sum(map(int, dice["detail"].split()))
    assert 0 < dice["p"] <= 1
    assert dice["chi_square"] >= 0
    for what in ("won, faction", "won, General"):
        sides = [row for row in rows if row["what"] == what]
        assert sum(row["out_of"] for row in sides) == 4
        assert sum(row["number"] for row in sides) <= 2
    assert any(row["what"] == "rule" and row["of"].startswith("VD-") for row in rows)


def test_a_spreadsheet_has_the_same_rows(db: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run("--db", db, "--format", "csv"))))
    told = json.loads(run("--db", db, "--format", "json"))
    assert [row["of"] for row in rows] == [row["of"] for row in told]
    assert rows[0].keys() == told[0].keys()


def test_the_table_says_whether_the_dice_are_fair(db: Path) -> None:
    assert "χ²" in run("--db", db, "--game", "vera_discordia")
