"""Views and read models: they say what the records say, without a secret, and a rebuild finds every difference."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database

from domain.vera_discordia import GAME
from projections.plain import plain_face
from projections.registry import faces
from replay.errors import RecordInvalid
from replay.queries.readmodels import TABLES, Rebuilt, rebuild
from replay.store.sqlite.store import SqliteStore
from replay.store.sqlite.views import VIEWS
from tests.replay.matches import played
from tests.skirmish.game import GAME as SKIRMISH

QUERYING = Path(__file__).parents[3] / "docs" / "querying.md"
QUERIES = re.findall(r"```sql\n(.*?)```", QUERYING.read_text("utf-8"), re.DOTALL)
FACES = {**faces(), "skirmish": plain_face(SKIRMISH)}
SECRET = ("openings", "match_keys", "token_hash", "watchers", "chat", "checkpoints")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "herald.db"
    store = SqliteStore(path)
    for seed in (1, 2, 3):
        played(seed, store, game=SKIRMISH)
    played(4, store, game=SKIRMISH, most=2)
    played(5, store, game=GAME)
    store.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE seats SET name = 'Player ' || seat")
    return path


def rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def write(path: Path, sql: str) -> None:
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(sql)
    connection.close()


def test_the_first_rebuild_makes_everything_and_the_second_finds_nothing(db: Path) -> None:
    done: list[int] = []
    first = rebuild(db, FACES, progress=done.append)
    assert first.swapped
    assert first.differences["read_matches"] == first.matches == 5
    assert first.differences["matches"] == 0
    assert done == [1, 2, 3, 4, 5]
    assert rebuild(db, FACES).ok
    assert rebuild(db, FACES, verify=True).ok


def test_what_was_built_is_what_the_views_say(db: Path) -> None:
    rebuild(db, FACES)
    for built, viewed in (
        ("SELECT match, seat, name, won FROM read_players", "SELECT match, seat, name, won FROM players"),
        ("SELECT match, sides, face, rolled FROM read_dice",
         "SELECT match, sides, face, count(*) FROM dice GROUP BY match, sides, face"),
        ("SELECT match, rule, cited FROM read_rules",
         "SELECT match, rule, count(*) FROM rules_cited GROUP BY match, rule"),
        ("SELECT match, choices FROM read_matches", "SELECT match, count(*) FROM choices GROUP BY match"),
        ("SELECT match, reason, lines FROM read_matches", "SELECT match, reason, lines FROM match_list"),
        ("SELECT p.match, p.name FROM read_players AS p JOIN read_matches AS m ON m.match = p.match"
         " AND m.winner = p.seat", "SELECT match, winner FROM match_list WHERE winner IS NOT NULL"),
        ("SELECT match, seq FROM read_progress", "SELECT match, max(seq) FROM events GROUP BY match"),
    ):  # fmt: skip
        found = rows(db, built)
        assert found
        assert sorted(found, key=str) == sorted(rows(db, viewed), key=str)


@pytest.mark.parametrize("table", [*TABLES, "matches"])
def test_a_row_that_is_not_what_the_records_say_is_found_and_put_right(db: Path, table: str) -> None:
    rebuild(db, FACES)
    write(
        db,
        "UPDATE matches SET result = 'seat 7: luck' WHERE match = (SELECT max(match) FROM matches)"
        if table == "matches"
        else f"DELETE FROM {table} WHERE match = (SELECT max(match) FROM {table})",
    )
    before = db.read_bytes()
    found = rebuild(db, FACES, verify=True)
    assert not found.ok
    assert [name for name, number in found.differences.items() if number] == [table]
    assert db.read_bytes() == before
    assert not rebuild(db, FACES).ok
    assert rebuild(db, FACES, verify=True).ok


def test_a_record_that_cannot_be_read_is_named_and_the_old_stands(db: Path) -> None:
    rebuild(db, FACES)
    old = rows(db, "SELECT * FROM read_matches")
    write(db, 'UPDATE records SET line = replace(line, \'"seat":0\', \'"seat":"x"\') WHERE seq = 2')
    with pytest.raises(RecordInvalid, match="match ") as refused:
        rebuild(db, FACES)
    assert refused.value.seq == 2
    assert rows(db, "SELECT * FROM read_matches") == old


def test_a_game_that_is_not_there_is_left_out_and_said(db: Path) -> None:
    found = rebuild(db, faces())
    assert found.unknown == ["skirmish"]
    assert rows(db, "SELECT DISTINCT game FROM read_matches") == [("vera_discordia",)]


def test_a_match_that_goes_on_while_it_is_rebuilt_keeps_its_row(db: Path) -> None:
    store = SqliteStore(db)
    try:
        assert rebuild(db, FACES).swapped
        referee = played(9, store, game=SKIRMISH, most=1)[1]
        assert rebuild(db, FACES, verify=True).differences["read_progress"] == 1
        assert store.head(referee.match).seq == referee.seq
    finally:
        store.close()


def test_nothing_differs_in_what_was_not_looked_at() -> None:
    assert Rebuilt().ok
    assert not Rebuilt(differences={"read_dice": 1}).ok


@pytest.mark.parametrize("sql", QUERIES)
def test_every_documented_query_answers(db: Path, sql: str) -> None:
    rebuild(db, FACES)
    assert list(Database(sqlite3.connect(db)).query(sql))


def test_every_view_is_documented_and_read_by_a_query() -> None:
    text = QUERYING.read_text("utf-8")
    assert all(f"| `{name}` |" in text for name in (*VIEWS, *TABLES))
    assert all(any(name in sql for sql in QUERIES) for name in VIEWS)


def test_no_view_reads_a_secret(db: Path) -> None:
    assert not [(name, word) for name, sql in VIEWS.items() for word in SECRET if word in sql]
    for match, seq, kind, facts in rows(db, "SELECT match, seq, type, facts FROM events"):
        game = FACES["vera_discordia"].game if kind not in SKIRMISH.events else SKIRMISH
        slots = {slot.name for slot in game.slots[game.events[str(kind)]]}
        assert not slots & json.loads(str(facts)).keys(), (match, seq, kind)


def test_views_of_an_older_program_are_exchanged(db: Path) -> None:
    write(db, "DROP VIEW standings")
    write(db, "CREATE VIEW standings AS SELECT 1")
    SqliteStore(db).close()
    assert {row[1] for row in rows(db, "SELECT * FROM standings")} >= {"Player 0", "Player 1"}


def test_a_match_that_is_void_stands_in_no_standings_and_a_proposed_name_nowhere(db: Path) -> None:
    assert rows(db, "SELECT * FROM standings")
    write(db, "UPDATE matches SET result = 'draw: void: abandoned'")
    assert rows(db, "SELECT * FROM standings") == []
    write(db, "UPDATE seats SET kind = '' WHERE seat = 1")
    assert rows(db, "SELECT DISTINCT name FROM players WHERE seat = 2") == [("",)]
    assert all(str(row[0]).endswith("free") for row in rows(db, "SELECT players FROM match_list"))
