"""`herald branch` and `herald analyse` as a stranger uses them."""

import json
import re
import sqlite3
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.kernel import BranchOpened, MatchEnded, Result, Seat
from domain.kernel.history import pauses
from projections.plain import plain_face
from projections.registry import add
from replay.audit.match_audit import audit
from replay.files import export
from replay.files.export import from_store
from replay.playback.branch import Trunk
from replay.record.referee import read_event
from replay.store.sqlite.store import SqliteStore
from server.analysis.luck import Luck
from server.cli.analyse import _assert_over, _print_luck
from server.cli.branching import MatchSource, source_of
from server.cli.common import console
from server.cli.errors import Amiss
from tests.replay.matches import played
from tests.server.cli.commands import fails, run
from tests.skirmish.game import GAME


@pytest.fixture(autouse=True)
def _skirmish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("projections.registry._added", {})
    monkeypatch.setattr("server.cli.common.console.width", 100)
    add(plain_face(GAME))


def kept(db: Path, most: int = 10_000) -> str:
    """A match in a database."""
    store = SqliteStore(db)
    _, referee = played(3, store, most=most)
    store.close()
    return referee.match


def events_of(db: Path, match: str) -> list[object]:
    store = SqliteStore(db, readonly=True)
    try:
        assert audit(GAME, from_store(store, match)).fault is None
        return [read_event(GAME, entry) for entry in store.read(match)]
    finally:
        store.close()


def branches(db: Path, parent: str) -> list[str]:
    store = SqliteStore(db, readonly=True)
    found = [header.match for header in store.matches.latest() if header.match != parent]
    store.close()
    return found


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "herald.sqlite"


@pytest.mark.parametrize(
    ("words", "eyes"),
    [((), "all"), (("--open",), "all"), (("--as", "2"), "seat1"), (("--as", "spectator"), "spectator")],
)
def test_a_match_that_is_over_is_branched(db: Path, words: tuple[str, ...], eyes: str) -> None:
    parent = kept(db)
    done = run("branch", parent, "--at", "25", *words, "--seat", "me", "--seat", "bot:random", "--db", db)
    assert done.exit_code == 0, done.output
    assert done.output.count("/play#m=") == 1
    (match,) = branches(db, parent)
    assert match in done.output
    events = events_of(db, match)
    opened = events[1]
    assert isinstance(opened, BranchOpened)
    assert (opened.match, opened.eyes) == (parent, eyes)
    assert opened.line <= 25
    assert f"after line {opened.line}" in done.output or opened.line == 25


def test_a_match_that_goes_on_is_branched_through_somebodys_eyes_only(db: Path) -> None:
    parent = kept(db, most=3)
    assert "--as SEAT" in fails("branch", parent, "--at", "20", "--db", db)
    assert "--as SEAT" in fails("branch", parent, "--at", "20", "--open", "--db", db)
    assert run("branch", parent, "--at", "20", "--as", "1", "--db", db).exit_code == 0
    (match,) = branches(db, parent)
    listed = sqlite3.connect(db).execute("SELECT listed FROM matches WHERE match = ?", (match,)).fetchone()
    assert listed == (0,)


def test_an_exported_file_is_branched_too(db: Path, tmp_path: Path) -> None:
    store, referee = played(3)
    file = tmp_path / "match.herald"
    file.write_bytes(b"".join(export.write(from_store(store, referee.match))))
    assert run("branch", file, "--at", "30", "--seat", "bot:random", "--seat", "bot:random", "--db", db).exit_code == 0
    (match,) = branches(db, "")
    assert len(events_of(db, match)) > 8


def test_bots_say_who_stood_better_and_record_nothing(db: Path) -> None:
    parent = kept(db)
    done = run("branch", parent, "--at", "30", "--samples", "12", "--bots", "random", "--jobs", "1", "--db", db)
    assert done.exit_code == 0, done.output
    assert "12 matches from each line" in done.output
    assert branches(db, parent) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--at", "0"), "lines 1 to"),
        (("--at", "9999"), "lines 1 to"),
        (("--at", "3"), "first line at which somebody is asked"),
        (("--at", "25", "--as", "1", "--open"), "exclude each other"),
        (("--at", "25", "--as", "3"), "--as is spectator or a seat"),
        (("--at", "25", "--seat", "king"), "--seat is me"),
        (("--at", "25", "--seat", "me"), "2 seats"),
        (("--at", "25", "--bots", "clever"), "--bots names"),
        (("--at", "25", "--seat", "me", "--seat", "bot:clever"), "no bot 'clever'"),
    ],
)
def test_what_cannot_be_branched_is_said_in_a_sentence(db: Path, words: tuple[str, ...], said: str) -> None:
    parent = kept(db)
    assert said in fails("branch", parent, *words, "--db", db)
    assert branches(db, parent) == []


def test_a_view_of_a_match_cannot_be_branched(db: Path, tmp_path: Path) -> None:
    parent = kept(db)
    file = tmp_path / "view.herald"
    assert run("export", parent, "--as", "spectator", "-o", file, "--db", db).exit_code == 0
    view = file.read_bytes()
    if b'"view":"all"' not in view:
        assert "everything" in fails("branch", file, "--at", "30", "--db", db)


def test_a_match_is_analysed(db: Path, tmp_path: Path) -> None:
    parent, picture = kept(db), tmp_path / "curve.svg"
    words = ("--bots", "random", "--samples", "8", "--every", "choice", "--jobs", "1", "--seed", "4", "--db", db)
    done = run("analyse", parent, *words, "--svg", picture)
    assert done.exit_code == 0, done.output
    assert "●" in done.output
    assert "8 matches from each line" in done.output
    assert picture.read_text().startswith("<svg")
    told = json.loads(run("analyse", parent, *words, "--json").stdout)
    assert told["points"][0]["won"] == json.loads(run("analyse", parent, *words, "--json").stdout)["points"][0]["won"]
    assert (told["eyes"], told["bots"], told["seed"]) == ("all", ["random", "random"], 4)
    store = SqliteStore(db, readonly=True)
    lines = pauses(GAME, [read_event(GAME, entry) for entry in store.read(parent)])
    store.close()
    assert [point["line"] for point in told["points"]] == lines
    for point in told["points"]:
        assert sum(point["won"]) + point["drawn"] == 8
        assert all(low <= share <= high for share, (low, high) in zip(point["share"], point["band"], strict=True))


def test_what_cannot_be_analysed_is_said_in_a_sentence(db: Path) -> None:
    running = kept(db, most=2)
    assert "--as SEAT" in fails("analyse", running, "--db", db)
    assert "no match" in fails("analyse", "nowhere", "--db", db)
    unbegun = kept(db, most=0)
    assert (
        run("analyse", unbegun, "--as", "1", "--bots", "random", "--samples", "2", "--jobs", "1", "--db", db).exit_code
        == 0
    )


def test_the_audit_compares_a_branch_with_the_match_it_names(db: Path) -> None:
    parent = kept(db)
    assert (
        run("branch", parent, "--at", "30", "--seat", "bot:random", "--seat", "bot:random", "--db", db).exit_code == 0
    )
    (match,) = branches(db, parent)
    done = run("audit", match, "--db", db)
    assert done.exit_code == 0
    assert "where it begins" not in done.output
    with sqlite3.connect(db) as tables:
        tables.execute("DELETE FROM matches WHERE match = ?", (parent,))
    assert "where it begins" in run("audit", match, "--db", db).output


def test_a_file_that_does_not_hold_is_not_branched(db: Path, tmp_path: Path) -> None:
    store, referee = played(3)
    file = tmp_path / "match.herald"
    record = from_store(store, referee.match)
    seq = next(entry.seq for entry in store.read(referee.match) if entry.type == "Scored")
    line = record.held[seq - 1].line.replace(b'"score":', b'"score":1')
    record.held[seq - 1] = export.Held(line, record.held[seq - 1].openings)
    file.write_bytes(b"".join(export.write(record)))
    assert "does not hold" in fails("branch", file, "--at", "30", "--db", db)
    file.write_bytes(b"".join(export.write(from_store(store, referee.match)))[:-40])
    assert "cut" in fails("analyse", file, "--db", db)
    file.write_bytes(b"\x00\xff nonsense")
    assert fails("branch", file, "--at", "30", "--db", db)


def test_a_branch_of_a_closed_match_is_closed(db: Path) -> None:
    parent = kept(db)
    with sqlite3.connect(db) as tables:
        tables.execute("UPDATE matches SET closed = 1 WHERE match = ?", (parent,))
    assert run("branch", parent, "--at", "30", "--db", db).exit_code == 0
    (match,) = branches(db, parent)
    with sqlite3.connect(db) as tables:
        assert tables.execute("SELECT closed FROM matches WHERE match = ?", (match,)).fetchone() == (1,)


def test_what_an_analysis_found_is_kept_and_answered_from_there(db: Path) -> None:
    parent = kept(db)
    words = ("--bots", "random", "--samples", "4", "--jobs", "1", "--db", db, "--json")
    first = json.loads(run("analyse", parent, *words).stdout)
    assert json.loads(run("analyse", parent, *words).stdout) == first
    with sqlite3.connect(db) as tables:
        assert tables.execute("SELECT count(*) FROM analyses WHERE match = ?", (parent,)).fetchone() == (1,)
        tables.execute("UPDATE analyses SET found = replace(found, '\"seed\":', '\"seed\":1')")
    assert json.loads(run("analyse", parent, *words).stdout)["seed"] != first["seed"]
    json.loads(run("analyse", parent, *words, "--anew").stdout)
    assert run("doctor", "--db", db).exit_code == 0


def test_an_analysis_names_turning_points_and_luck(db: Path) -> None:
    words = ("--bots", "random", "--samples", "4", "--jobs", "1", "--seed", "3", "--think", "20", "--db", db)
    told = json.loads(run("analyse", kept(db), *words, "--json").stdout)
    assert [one["seat"] for one in told["luck"]] == [0, 1]
    assert {"turnings", "missed"} <= told.keys()
    assert run("analyse", kept(db), *words).exit_code == 0


def test_where_no_die_had_to_show_anything_it_is_said_so() -> None:
    with console.capture() as said:
        _print_luck(None, [Luck(0, 0, 0, 0.0, 0.0)])  # type: ignore[arg-type]
    assert "how cards fell is not counted" in said.get()


def test_a_hint_is_about_a_question_of_the_seat(db: Path) -> None:
    parent = kept(db)
    words = ("--think", "30", "--seed", "1", "--db", db)
    lines = [point["line"] for point in json.loads(analysed(parent, db))["points"]]
    told = json.loads(run("hint", parent, "--as", "1", "--at", lines[0], *words, "--json").stdout)
    assert told["line"] == lines[0]
    assert told["choices"][0]["weight"] > 0
    said = run("hint", parent, "--as", "1", "--at", lines[0], *words).output
    assert told["choices"][0]["words"] in said, "as the options say it"
    assert "Card select" in said, "the question as its player reads it"
    assert "from 1 to 2" in fails("hint", parent, "--as", "3", *words)


def analysed(parent: str, db: Path) -> str:
    words = ("--bots", "random", "--samples", "2", "--every", "choice", "--jobs", "1", "--seed", "4", "--db", db)
    return run("analyse", parent, *words, "--json").stdout


def test_nothing_better_is_named_and_no_hint_given_while_people_play(db: Path) -> None:
    running = kept(db, most=2)
    assert "none before it is over" in fails("hint", running, "--as", "1", "--db", db)
    assert "herald hint" in fails("analyse", running, "--think", "50", "--as", "1", "--db", db)


def test_a_branch_is_no_way_round_to_hints_for_a_match_that_goes_on(db: Path) -> None:
    running = kept(db, most=6)
    assert run("branch", running, "--at", "30", "--as", "2", "--db", db).exit_code == 0
    (branched,) = branches(db, running)
    assert "none before it is over" in fails("hint", branched, "--as", "2", "--db", db)
    source, parent = source_of(branched, db), source_of(running, db)
    with pytest.raises(Amiss, match=f"branched from {running[:8]}, which goes on"):
        _assert_over(over(source), db)
    with sqlite3.connect(db) as tables:
        tables.execute("DELETE FROM matches WHERE match = ?", (running,))
    _assert_over(over(source), db)
    _assert_over(over(parent), db)


def over(source: MatchSource) -> MatchSource:
    """The same match, given up by the first seat."""
    events = [*source.trunk.events, MatchEnded(Result(Seat(1), "resigned"))]
    return replace(source, trunk=Trunk(source.trunk.match, events, source.trunk.lines))


@pytest.mark.parametrize("bot", [False, True])
@pytest.mark.parametrize("hints", [False, True])
def test_while_a_match_goes_on_there_is_no_hint_that_its_record_does_not_tell_of(
    db: Path, *, hints: bool, bot: bool
) -> None:
    flags = ["--hints"] if hints else []
    other = "bot:random" if bot else "friend"
    made = run(
        "match", "create", "--game", "skirmish", "--seat", "me", "--seat", other, "--title", "x", "--db", db, *flags
    )
    assert made.exit_code == 0, made.output
    (name,) = re.findall(r"The match is (\S+)\.", made.output)
    told = fails("hint", name, "--as", "1", "--db", db)
    assert ("herald hint LINK" if hints else "--hints") in told
    shown = run("match", "show", name, "--db", db).output
    assert re.search(rf"hints +{'agreed on' if hints else 'none'}", shown)
