"""`herald audit`, `herald export` and `herald key`, as a tournament judge uses them."""

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from domain.vera_discordia import GAME
from replay.record import sealing
from replay.record.referee import Referee
from replay.record.serverkey import KeyRing
from replay.store.sqlite.store import SqliteStore
from server.cli import main
from tests.replay.matches import played


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """A database with a finished match and one that goes on."""
    db = tmp_path_factory.mktemp("herald") / "herald.db"
    store = SqliteStore(db)
    sign = KeyRing.beside(db).current.stamp
    finished = next(r for r in (played(seed, store, game=GAME, sign=sign)[1] for seed in range(50)) if r.state.draws)
    assert finished.state.result is not None
    going = played(2, store, game=GAME, sign=sign, most=20)[1]
    store.close()
    return db, finished.match, going.match


def run(db: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, [*arguments, "--db", str(db)])


def told(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.output)
    return found


def test_a_whole_match_passes_and_says_what_was_checked(made: tuple[Path, str, str]) -> None:
    db, match, _ = made
    result = run(db, "audit", match)
    assert result.exit_code == 0, result.output
    assert "choices decided again" in result.output
    assert "signed checkpoints" in result.output
    assert "not checked" not in result.output
    assert re.search(r"signed up to line \d+, 20\d\d-\d\d-\d\d \d\d:\d\d UTC, .* ago", result.output)
    store = SqliteStore(db)
    assert sealing.b64(store.head(match).hash) in result.output
    store.close()


def test_an_export_passes_and_so_does_every_view(made: tuple[Path, str, str], tmp_path: Path) -> None:
    db, match, going = made
    whole, seat = tmp_path / "whole.herald", tmp_path / "seat.herald"
    assert run(db, "export", match, "-o", str(whole)).exit_code == 0
    assert run(db, "export", going, "--as", "2", "-o", str(seat)).exit_code == 0
    result = run(db, "audit", str(whole), str(seat), match, "--json")
    reports = [json.loads(line) for line in result.output.splitlines()]
    assert [report["ok"] for report in reports] == [True, True, True]
    assert [report["view"] for report in reports] == ["all", "seat1", "all"]
    assert run(db, "audit", str(seat), "--as", "2").exit_code == 0
    assert run(db, "audit", str(seat), "--as", "1").exit_code == 1
    assert run(tmp_path / "none.db", "audit", str(whole)).exit_code == 0


def test_the_secrets_of_a_match_that_goes_on_need_a_word_more(made: tuple[Path, str, str]) -> None:
    db, _, going = made
    result = run(db, "export", going)
    assert result.exit_code == 1
    assert "--unfinished" in result.stderr
    assert run(db, "export", going, "--unfinished").exit_code == 0
    assert b'"t":"closing"' not in run(db, "export", going, "--as", "spectator").stdout_bytes


def test_a_line_changed_in_the_database_is_named(made: tuple[Path, str, str], tmp_path: Path) -> None:
    db, match, _ = made
    copied = tmp_path / "herald.db"
    with sqlite3.connect(db) as source, sqlite3.connect(copied) as target:
        source.backup(target)
    source.close()
    with target:
        sql = (
            "SELECT seq, line FROM records WHERE match = ? AND type = 'DiceRolled' AND line LIKE '%\"dice\":[%' LIMIT 1"
        )
        seq, line = target.execute(sql, (match,)).fetchone()
        die = line.index('"dice":[') + 8
        changed = line[:die] + str(int(line[die]) % 6 + 1) + line[die + 1 :]
        target.execute("UPDATE records SET line = ? WHERE match = ? AND seq = ?", (changed, match, seq))
    target.close()
    result = run(copied, "audit", match, "--json")
    assert result.exit_code == 1
    assert told(result)["fault"]["line"] == seq
    assert "shows" in told(result)["fault"]["wrong"]
    result = run(copied, "audit", match)
    assert f"line {seq}: draw" in result.output.replace("\n", " ")


def test_a_stream_of_another_history_is_told_from_the_record(made: tuple[Path, str, str], tmp_path: Path) -> None:
    db, match, _ = made
    saved = tmp_path / "saved.herald"
    run(db, "export", match, "-o", str(saved))
    other = tmp_path / "other.db"
    with sqlite3.connect(db) as source, sqlite3.connect(other) as target:
        source.backup(target)
        target.execute("UPDATE records SET line = replace(line, ',-1,', ',0,') WHERE match = ? AND seq = 3", (match,))
    source.close()
    target.close()
    result = run(other, "audit", str(saved), "--json")
    assert result.exit_code == 1
    assert told(result)["fault"]["line"] == 3


def test_keys_are_shown_and_rotated_and_old_matches_still_pass(tmp_path: Path) -> None:
    db = tmp_path / "herald.db"
    store = SqliteStore(db)
    ring = KeyRing.beside(db)
    referee: Referee[Any] = played(1, store, game=GAME, sign=ring.current.stamp, most=3)[1]
    store.close()
    assert ring.current.text in run(db, "key", "show").output
    assert run(db, "key", "rotate").exit_code == 0
    shown = run(db, "key", "show").output
    assert [line.split()[-1] for line in shown.splitlines()] == ["old", "signs"]
    assert run(db, "audit", referee.match).exit_code == 0
    stranger = sealing.b64(bytes(32))
    result = run(db, "audit", referee.match, "--key", stranger)
    assert result.exit_code == 1
    assert "signed with" in result.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("audit", "nothing"), "no file, and there is no database"),
        (("audit", "x", "--key", "zz"), "no public key"),
        (("export", "x"), "no database"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    result = run(tmp_path / "none.db", *arguments)
    assert result.exit_code == 1
    assert said in result.stderr


def test_a_file_that_is_no_record_fails_the_audit(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("nothing\n")
    result = run(tmp_path / "none.db", "audit", str(file))
    assert result.exit_code == 1
    assert "not a message" in result.output


def test_a_file_that_nobody_signed_fails_where_the_servers_key_is_named(
    made: tuple[Path, str, str], tmp_path: Path
) -> None:
    db, match, _ = made
    whole, stripped = tmp_path / "whole.herald", tmp_path / "stripped.herald"
    assert run(db, "export", match, "-o", str(whole)).exit_code == 0
    lines = whole.read_bytes().splitlines(keepends=True)
    stripped.write_bytes(b"".join(line for line in lines if not line.startswith(b'{"t":"checkpoint"')))
    key = KeyRing.beside(db).current.text
    elsewhere = tmp_path / "none.db"
    assert run(elsewhere, "audit", str(whole), "--key", key).exit_code == 0
    result = run(elsewhere, "audit", str(stripped), "--key", key)
    assert result.exit_code == 1
    assert "nobody has signed this record" in result.output
    assert "the record has no checkpoints" in run(elsewhere, "audit", str(stripped)).output
