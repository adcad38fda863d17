"""`herald people` and `herald prune`: what the host does about persons, and what is kept no longer."""

from pathlib import Path

import pytest

from replay.store.side_tables.devices import DeviceRow
from replay.store.side_tables.moderation import ReportRow
from replay.store.side_tables.people import NameRow
from replay.store.sqlite.store import SqliteStore
from tests.server.cli.commands import fails, run


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "club.db"
    store = SqliteStore(path)
    store.people.sign_up(NameRow("p1", "Anja", "anja", 1), DeviceRow("k", "p1", "phone", 1, 1), b"c")
    lines = '[[3,5,"players","seat1","Bo","You [fool]"]]'
    store.moderation.report(ReportRow("ab", 1, "", "m/seat0", "m1", "seat1", "Bo", "p1", "Insults", lines, 7), 9)
    store.close()
    return path


def test_the_host_acts_and_everything_stands_in_a_log_that_is_checked(db: Path) -> None:
    said = run("people", "reports", "--db", db).output
    assert "Insults" in said
    assert "Bo: You [fool]" in said
    acted = run("people", "act", "mute", "ANJA", "--reason", "Insults", "--days", "3", "--report", "ab", "--db", db)
    assert acted.output == "Anja: mute. Entry 1 of the staff's log.\n"
    assert "no reports" in run("people", "reports", "--db", db).output
    shown = run("people", "show", "Anja", "--db", db).output
    assert "devices: 1, noted seats: 0" in shown
    assert "mute until" in shown
    log = run("people", "log", "--db", db).output
    assert "host  mute  Anja" in log
    assert "The log is whole. Entries: 1;" in log
    store = SqliteStore(db)
    store.moderation._tables.change([("UPDATE staff_log SET why = 'Nothing'", ())])
    store.close()
    assert "Entry 1 does not follow" in fails("people", "log", "--db", db)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("act", "warn", "Bo", "--reason", "x"), "Nobody has this handle"),
        (("act", "warn", "Anja", "--reason", "anja did it"), "no handle"),
        (("act", "suspend", "Anja", "--reason", "x"), "1 to 3650 days"),
        (("settle", "cd", "--reason", "x"), "no such report"),
        (("show", "Bo"), "Nobody has this handle"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(words: tuple[str, ...], said: str, db: Path) -> None:
    assert said in fails("people", *words, "--db", db)


def test_reports_are_pruned_a_while_after_they_are_settled_and_a_dry_run_deletes_nothing(db: Path) -> None:
    assert run("people", "settle", "ab", "--reason", "Talked it over", "--db", db).exit_code == 0
    assert "Deleted: 0 of" in run("prune", "--db", db).output
    for _ in range(2):
        assert "To delete: 1 of" in run("prune", "--dry-run", "--reports-days", "0", "--db", db).output
    assert "Deleted: 1 of" in run("prune", "--reports-days", "0", "--db", db).output
    assert "Deleted: 0 of" in run("prune", "--reports-days", "0", "--db", db).output
    assert "prune" in run("people", "log", "--db", db).output
