"""`herald rebuild`: makes the read models anew, or only says whether they are what the records say."""

from pathlib import Path

from click.testing import CliRunner, Result

from domain.vera_discordia import GAME
from replay.store.sqlite.store import SqliteStore
from server.cli import main
from tests.replay.matches import played


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["rebuild", *map(str, words)])


def test_read_models_are_made_and_verified(tmp_path: Path) -> None:
    db = tmp_path / "herald.db"
    store = SqliteStore(db)
    played(5, store, game=GAME, most=10)
    store.close()
    before = run("--verify", "--db", db)
    assert before.exit_code == 1
    assert "differed read_matches: 1 rows" in before.stdout
    assert "`herald rebuild` makes them so" in before.stderr
    made = run("--db", db)
    assert made.exit_code == 0, made.stderr
    assert "Every read model is made anew." in made.stdout
    after = run("--verify", "--db", db)
    assert after.exit_code == 0
    assert "Every read model is what the records say." in after.stdout


def test_a_database_that_is_not_there_is_said(tmp_path: Path) -> None:
    done = run("--db", tmp_path / "none.db")
    assert done.exit_code == 1
    assert "There is no database" in done.stderr
