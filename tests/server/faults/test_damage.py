"""Torn and flipped files: a damaged database is refused or its matches are; none is ever silently false."""

import random
import sqlite3
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from replay.errors import RecordInvalid
from replay.record.referee import Referee
from replay.store.sqlite.store import SqliteStore
from server.cli import main
from tests.server.faults.damage import DAMAGES, damaged, played, verdict
from tests.skirmish.game import GAME

WHEN = ("while it runs", "after it stopped")
GOOD = {"refused", "found", "found by the audit", "earlier", "whole"}


def verdicts(folder: Path, when: str, damage: str, count: int) -> Counter[str]:
    both, match, entries = played(folder)
    rng = random.Random(f"{when}/{damage}")
    files = both[WHEN.index(when)]
    return Counter(verdict(folder / "hurt", damaged(files, damage, rng), match, entries) for _ in range(count))


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("when", WHEN)
def test_no_damaged_file_gives_a_false_record(tmp_path: Path, when: str, damage: str) -> None:
    found = verdicts(tmp_path, when, damage, 12)
    assert found.keys() <= GOOD
    if when == "after it stopped" and damage != "lose the log":
        assert found.keys() != {"whole"}, "the damage was never noticed, so it was none"


@pytest.mark.deep
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("when", WHEN)
def test_no_damaged_file_gives_a_false_record_in_a_thousand_tries(tmp_path: Path, when: str, damage: str) -> None:
    assert verdicts(tmp_path, when, damage, 1000).keys() <= GOOD


CHANGES = {
    "UPDATE openings SET value = replace(value, '1', '2')": "secret",
    "UPDATE records SET line = replace(line, '1', '2') WHERE seq = 9": "chain",
    "UPDATE records SET at = at + 1 WHERE seq = 9": "columns",
    "UPDATE records SET type = 'MatchBegun' WHERE seq = 9": "columns",
    "DELETE FROM records WHERE seq > 9": "ends here",
    "DELETE FROM records WHERE seq = 9": "missing",
    "UPDATE match_keys SET hid = zeroblob(32)": "hidden draws",
    "UPDATE match_keys SET k_m = zeroblob(32)": "sealed",
}


@pytest.mark.parametrize(("change", "why"), CHANGES.items())
def test_a_match_whose_record_was_changed_does_not_open(tmp_path: Path, change: str, why: str) -> None:
    _, match, _ = played(tmp_path)
    with sqlite3.connect(tmp_path / "herald.db") as database:
        database.execute(change)
    database.close()
    store = SqliteStore(tmp_path / "herald.db")
    with pytest.raises(RecordInvalid, match=why):
        Referee.open(GAME, store, match)
    store.close()


def test_a_damaged_database_is_said_in_a_sentence(tmp_path: Path) -> None:
    both, match, _ = played(tmp_path)
    data = bytearray(both[1]["herald.db"])
    data[4096:] = bytes(len(data) - 4096)
    (tmp_path / "hurt.db").write_bytes(data)
    for command in (["audit", match], ["match", "list"], ["export", match]):
        done = CliRunner().invoke(main, [*command, "--db", str(tmp_path / "hurt.db")])
        assert done.exit_code != 0, command
        assert done.exception is None or isinstance(done.exception, SystemExit), command
        assert "error" in done.output.lower(), command
