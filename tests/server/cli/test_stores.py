"""`herald store`, and `--store` of the commands that read and write matches."""

from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner, Result

from domain.vera_discordia import GAME
from replay.store.postgres.schema import VERSION
from replay.store.postgres.store import PostgresStore
from replay.store.sqlite.store import SqliteStore
from server.cli import main
from tests.postgres import Instance
from tests.replay.matches import played

pytestmark = [pytest.mark.postgres, pytest.mark.xdist_group("postgres")]


def run(*words: str | Path, **env: str) -> Result:
    return CliRunner().invoke(main, [*map(str, words)], env=env)


@pytest.fixture
def address(postgres: Instance) -> str:
    return postgres.emptied()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "herald.db"
    store = SqliteStore(path)
    for seed in (5, 6):
        played(seed, store, game=GAME, most=10)
    store.close()
    return path


def test_tables_are_made_once_and_brought_up_to_date(postgres: Instance) -> None:
    bare = postgres.database("made")
    refused = run("store", "migrate", bare)
    assert refused.exit_code == 1
    assert "herald store create" in refused.stderr
    assert run("store", "check", bare).exit_code == 1
    assert "The tables are made." in run("store", "create", bare).stdout
    assert f"The tables are there, of schema {VERSION}" in run("store", "create", bare).stdout
    assert f"The tables have schema {VERSION} already." in run("store", "migrate", HERALD_STORE=bare).stdout
    assert "0 matches with 0 lines hold." in run("store", "check", bare).stdout


def test_matches_move_to_a_database_and_back(file: Path, address: str, tmp_path: Path) -> None:
    there = run("store", "copy", file, address)
    assert there.exit_code == 0, there.output
    assert "2 matches with" in there.stdout
    assert run("store", "copy", file, address).stdout.startswith("0 matches with 0 lines are copied, 2 were there")
    back = tmp_path / "back.db"
    assert run("store", "copy", address, back).exit_code == 0
    listed = [run("match", "list", "--db", path).stdout for path in (file, back)]
    assert listed[0] == listed[1] == run("match", "list", "--store", address).stdout
    exports = [run("export", "last", "--unfinished", "-o", tmp_path / f"{n}.jsonl", *where).exit_code
               for n, where in enumerate((("--db", str(file)), ("--store", address), ("--db", str(back))))]  # fmt: skip
    assert exports == [0, 0, 0]
    assert len({(tmp_path / f"{n}.jsonl").read_bytes() for n in range(3)}) == 1


def test_every_match_of_a_database_is_checked(file: Path, address: str) -> None:
    run("store", "copy", file, address)
    sound = run("store", "check", address, "--deep")
    assert sound.exit_code == 0, sound.output
    assert "2 matches with" in sound.stdout
    with psycopg.connect(address, autocommit=True) as line:
        line.execute("UPDATE openings SET value = '0' WHERE seq = (SELECT max(seq) FROM openings)")
        line.execute("INSERT INTO match_keys VALUES ('lost', '', '', '')")
    wrong = run("store", "check", address)
    assert wrong.exit_code == 1
    assert wrong.stdout.count("wrong") >= 2
    assert "lost: the match list has lost it" in wrong.stdout


def test_commands_work_on_a_database_by_flag_variable_and_settings(
    file: Path, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HERALD_DB", raising=False)
    run("store", "copy", file, address)
    settings = tmp_path / "herald.toml"
    settings.write_text(f'store = "{address}"\n')
    told = run("match", "list", "--store", address).stdout
    assert len(told.splitlines()) > 2
    assert run("match", "list", HERALD_STORE=address).stdout == told
    assert run("match", "list", "--config", settings).stdout == told
    assert run("match", "list", HERALD_CONFIG=str(settings)).stdout == told
    audited = run("audit", "last", "--store", address)
    assert audited.exit_code == 0, audited.output
    for command in (("match", "show"), ("replay",), ("chat", "show")):
        done = run(*command, "last", "--store", address)
        assert done.exit_code == 0, done.output


def test_what_is_named_more_strongly_holds_and_two_of_a_kind_are_refused(
    file: Path, address: str, tmp_path: Path
) -> None:
    run("store", "copy", file, address)
    other = tmp_path / "other.db"
    SqliteStore(other).close()
    empty = run("match", "list", "--db", other).stdout
    full = run("match", "list", "--store", address).stdout
    assert empty != full
    assert run("match", "list", "--db", other, HERALD_STORE=address).stdout == empty
    assert run("match", "list", "--store", address, HERALD_DB=str(other)).stdout == full
    for refused in (
        run("match", "list", "--store", address, "--db", other),
        run("match", "list", HERALD_STORE=address, HERALD_DB=str(other)),
    ):
        assert refused.exit_code == 1
        assert "name one of them" in refused.stderr
    assert "names a file" in run("match", "list", "--store", "herald.db").stderr


@pytest.mark.parametrize("words", [("backup",), ("rebuild",), ("doctor",)])
def test_what_works_on_a_file_says_so_of_a_database(words: tuple[str, ...], address: str) -> None:
    refused = run(*words, "--store", address)
    assert refused.exit_code == 1
    assert "works on a SQLite file" in refused.stderr


def test_a_match_that_is_created_in_a_database_is_signed_with_this_machines_key(address: str, tmp_path: Path) -> None:
    here = {"HERALD_DATA": str(tmp_path / "data")}
    made = run(
        "match", "create", "--game", "vera_discordia", "--seat", "bot", "--seat", "bot", "--store", address, **here
    )
    assert made.exit_code == 0, made.output
    assert (tmp_path / "data" / "herald.store.keys").is_dir()
    store = PostgresStore(address)
    try:
        assert len(store.matches.latest()) == 1
        assert store.checkpoints(store.matches.latest()[0].match)
    finally:
        store.close()
