"""`herald duplicate`: an event from its manifest to the file that anybody verifies."""

import json
import re
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from replay.record.serverkey import KeyRing
from replay.store.sqlite.store import SqliteStore
from server.cli import main
from server.table.guests import find_offered
from server.wire.errors import NotAdmitted
from tests.postgres import Instance

pytestmark = pytest.mark.whole

TABLES = ("--table", "ann,ben", "--table", "cora,bot:steady")


def run(*arguments: str | Path | int) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments)])


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, str]:
    folder = tmp_path_factory.mktemp("cup")
    db, cup = folder / "herald.db", folder / "cup.json"
    made = run("duplicate", "create", "--game", "war_for_edadh", *TABLES, "-o", cup, "--title", "Cup", "--db", db)
    assert made.exit_code == 0, made.stderr
    return db, cup, made.output


def matches(cup: Path) -> list[str]:
    return [table["match"] for table in json.loads(json.loads(cup.read_text())["text"])["tables"]]


def test_each_person_gets_a_link_and_no_bot_does(event: tuple[Path, Path, str]) -> None:
    _, cup, told = event
    assert told.count("/play#m=") == 3
    assert all(told.count(f"/play#m={match}&i=") == people for match, people in zip(matches(cup), (2, 1), strict=True))


def test_a_lost_link_is_printed_anew_and_the_former_opens_nothing(event: tuple[Path, Path, str]) -> None:
    db, cup, told = event
    match = matches(cup)[0]
    former = re.findall(rf"/play#m={match}&i=(\S+)", told)[1]
    printed = run("duplicate", "link", cup, "--table", "1", "--seat", "2", "--db", db)
    assert printed.exit_code == 0, printed.stderr
    (fresh,) = re.findall(rf"/play#m={match}&i=(\S+)", printed.output)
    store = SqliteStore(db, readonly=True)
    try:
        assert find_offered(store, match, fresh).row.name == "ben"
        with pytest.raises(NotAdmitted):
            find_offered(store, match, former)
    finally:
        store.close()
    for table, seat, why in ((3, 1, "no table 3"), (1, 3, "no seat 3"), (2, 2, "has no link")):
        refused = run("duplicate", "link", cup, "--table", table, "--seat", seat, "--db", db)
        assert refused.exit_code != 0
        assert why in refused.stderr


def test_show_tells_how_far_the_tables_are(event: tuple[Path, Path, str]) -> None:
    db, cup, _ = event
    rows = json.loads(run("duplicate", "show", cup, "--json", "--db", db).output)
    assert [(row["match"], row["status"]) for row in rows] == [(match, "open") for match in matches(cup)]


@pytest.mark.parametrize("command", ["export", "audit", "analyse"])
def test_nobody_looks_at_a_table_before_the_close(event: tuple[Path, Path, str], command: str) -> None:
    db, cup, told = event
    refused = run(command, matches(cup)[0], "--db", db)
    assert refused.exit_code == 1
    assert told.split()[1].removesuffix(":") in refused.stderr
    assert "not closed yet" in refused.stderr


@pytest.mark.parametrize(
    ("tables", "why"),
    [
        (("--table", "ann,ben"), "two tables or more"),
        (("--table", "ann", "--tables", "2"), "has 2 seats"),
        (("--table", "ann,", "--tables", "2"), "has 2 seats"),
    ],
)
def test_what_is_no_event_is_refused(tmp_path: Path, tables: tuple[str, ...], why: str) -> None:
    refused = run("duplicate", "create", *tables, "-o", tmp_path / "x.json", "--db", tmp_path / "x.db")
    assert (refused.exit_code, (tmp_path / "x.json").exists()) == (1, False)
    assert why in refused.stderr


def test_an_event_is_closed_when_its_tables_are_over_or_without_those_that_are_not(
    event: tuple[Path, Path, str], tmp_path: Path
) -> None:
    db, cup, _ = event
    out = tmp_path / "cup.zip"
    refused = run("duplicate", "close", cup, "-o", out, "--db", db)
    assert (refused.exit_code, out.exists()) == (1, False)
    assert "Not over" in refused.stderr
    closed = run("duplicate", "close", cup, "-o", out, "--unfinished", "--db", db)
    assert closed.exit_code == 0, closed.stderr
    key = KeyRing.beside(db).current.text
    held = run("duplicate", "verify", out, "--manifest", cup, "--key", key)
    assert held.exit_code == 0, held.output
    assert "not over" in held.output
    assert run("match", "show", matches(cup)[0], "--db", db).exit_code == 0
    other = run("duplicate", "verify", out, "--key", "A" * 43, "--json")
    assert (other.exit_code, json.loads(other.output)["ok"]) == (1, False)
    assert run("duplicate", "show", out).exit_code == 0


def test_a_manifest_of_another_database_closes_nothing(event: tuple[Path, Path, str], tmp_path: Path) -> None:
    _, cup, _ = event
    refused = run("duplicate", "close", cup, "-o", tmp_path / "cup.zip", "--db", tmp_path / "other.db")
    assert refused.exit_code == 1
    assert "is not in this database" in refused.stderr


@pytest.mark.postgres
@pytest.mark.xdist_group("postgres")
def test_an_event_over_postgresql_is_shut_until_it_is_closed_and_open_then(
    postgres: Instance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERALD_DATA", str(tmp_path))
    cup, out, at = tmp_path / "cup.json", tmp_path / "cup.zip", ("--store", postgres.emptied("cup"))
    made = run("duplicate", "create", "--game", "war_for_edadh", *TABLES, "-o", cup, *at)
    assert made.exit_code == 0, made.stderr
    assert "not closed yet" in run("export", matches(cup)[0], *at).stderr
    closed = run("duplicate", "close", cup, "-o", out, "--unfinished", *at)
    assert closed.exit_code == 0, closed.stderr
    assert run("duplicate", "verify", out, "--manifest", cup).exit_code == 0
    for match in matches(cup):
        assert run("export", match, "--as", "spectator", "-o", tmp_path / f"{match}.herald", *at).exit_code == 0


def test_an_event_is_called_and_dealt_when_its_shares_are_known(tmp_path: Path) -> None:
    db, call, cup, out = (tmp_path / name for name in ("herald.db", "call.json", "cup.json", "cup.zip"))
    wished = ("--await", "lottery, 1 May, digits=6", "--await", "ann")
    called = run("duplicate", "create", "--game", "war_for_edadh", *TABLES, *wished, "-o", call, "--db", db)
    assert called.exit_code == 0, called.stderr
    assert "/play#m=" not in called.output
    seed = call.with_name("call.json.seed")
    assert stat.S_IMODE(seed.stat().st_mode) == 0o600
    shares = ("--share", "lottery, 1 May, digits=6=077312", "--share", "ann=tea")
    assert "given once" in run("duplicate", "deal", call, *shares[:2], "-o", cup, "--db", db).stderr
    dealt = run("duplicate", "deal", call, *shares, "-o", cup, "--db", db)
    assert dealt.exit_code == 0, dealt.stderr
    assert dealt.output.count("/play#m=") == 3
    assert run("duplicate", "close", cup, "-o", out, "--unfinished", "--db", db).exit_code == 0
    held = run("duplicate", "verify", out, "--manifest", cup, "--call", call)
    assert held.exit_code == 0, held.output
    assert "share of chance: lottery, 1 May, digits=6: 077312" in held.output
    assert "name the call" in " ".join(run("duplicate", "verify", out).output.split())
    seed.write_text("A" * 43)
    assert "is not the seed of this call" in run("duplicate", "deal", call, *shares, "-o", out, "--db", db).stderr
