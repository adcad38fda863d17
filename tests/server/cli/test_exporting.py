"""`herald export` and `herald import`: what leaves one server is the same in another, for every viewer and format."""

import json
import sqlite3
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from domain.kernel import Seat
from domain.vera_discordia import GAME
from projections.redaction import SPECTATOR, Viewer
from replay.files import export
from replay.files.reading import read_file
from replay.record.serverkey import KeyRing
from replay.store.sqlite.store import SqliteStore
from server.cli import main
from tests.replay.matches import played

VIEWS = ("open", "1", "2", "spectator")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    db = tmp_path_factory.mktemp("herald") / "herald.db"
    store = SqliteStore(db)
    sign = KeyRing.beside(db).current.stamp
    finished = next(r for r in (played(seed, store, game=GAME, sign=sign)[1] for seed in range(50)) if r.state.draws)
    store.close()
    return db, finished.match


def run(db: Path, *arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments), "--db", str(db)])


def exported(db: Path, match: str, *options: str) -> bytes:
    result = run(db, "export", match, *options)
    assert result.exit_code == 0, result.stderr
    return result.stdout_bytes


@pytest.mark.parametrize("name", ["match.herald", "match.herald.gz", "match.herald.xz", "match.herald.bz2"])
def test_a_match_taken_elsewhere_is_the_same_for_every_viewer(
    made: tuple[Path, str], name: str, tmp_path: Path
) -> None:
    db, match = made
    file, other = tmp_path / name, tmp_path / "other.db"
    assert run(db, "export", match, "-o", file).exit_code == 0
    taken = run(other, "import", file)
    assert taken.exit_code == 0, taken.stderr
    for view in VIEWS:
        assert exported(other, match, "--as", view) == exported(db, match, "--as", view)
    key = KeyRing.beside(db).current.text
    here = [json.loads(run(path, "audit", match, "--key", key, "--json").output) for path in (db, other)]
    assert here[0] == here[1]
    assert here[0]["ok"]


@pytest.mark.parametrize("view", VIEWS)
def test_an_export_holds_what_its_viewer_holds_and_audits(made: tuple[Path, str], view: str, tmp_path: Path) -> None:
    db, match = made
    file = tmp_path / "match.herald"
    assert run(db, "export", match, "--as", view, "-o", file, "--compress").exit_code == 0
    assert file.read_bytes()[:2] == b"\x1f\x8b"
    viewers = {"open": None, "1": Viewer(Seat(0)), "2": Viewer(Seat(1)), "spectator": SPECTATOR}
    store = SqliteStore(db, readonly=True)
    held = export.from_store(store, match, viewers[view]).held
    store.close()
    assert read_file(file).held == held
    assert run(tmp_path / "none.db", "audit", file).exit_code == 0


def test_events_as_json_lines_have_sentences_and_no_secret_of_others(made: tuple[Path, str]) -> None:
    db, match = made
    rows = {view: [json.loads(line) for line in exported(db, match, "--as", view, "--format", "jsonl").splitlines()]
            for view in VIEWS}  # fmt: skip
    assert all([row["seq"] for row in rows[view]] == list(range(1, len(rows["open"]) + 1)) for view in VIEWS)
    assert any(row["said"] for row in rows["spectator"])
    stacks = {view: sum("stack" in row["event"] for row in rows[view]) for view in VIEWS}
    assert stacks["open"] > 0
    assert stacks["1"] == stacks["2"] == stacks["spectator"] == 0
    answers = {view: {row["seat"] for row in rows[view] if "choice" in row["event"]} for view in VIEWS}
    assert answers == {"open": {1, 2}, "1": {1}, "2": {2}, "spectator": set()}


def test_a_database_of_a_match_answers_questions(made: tuple[Path, str], tmp_path: Path) -> None:
    db, match = made
    file = tmp_path / "match.db"
    assert run(db, "export", match, "--as", "spectator", "--format", "sqlite", "-o", file).exit_code == 0
    connection = sqlite3.connect(file)
    lines = connection.execute("SELECT lines FROM match").fetchone()[0]
    assert connection.execute("SELECT count(*), max(seq) FROM events").fetchone() == (lines, lines)
    assert connection.execute("SELECT count(*) FROM openings").fetchone() == (0,)
    faces = connection.execute("SELECT min(face), max(face) FROM dice").fetchone()
    assert 1 <= faces[0] <= faces[1] <= 6
    head = connection.execute("SELECT hash FROM lines ORDER BY seq DESC LIMIT 1").fetchone()[0]
    assert head in run(db, "audit", match).output
    connection.close()
    again = run(db, "export", match, "--format", "sqlite", "-o", file)
    assert again.exit_code == 1
    assert "there already" in again.stderr
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--format", "sqlite"), "name one with -o"),
        (("--format", "html", "--as", "1"), "A page shows what a spectator may see"),
        (("--as", "9"), "--as is spectator or a seat"),
        (("-o", "/nowhere/match.herald"), "cannot be written"),
    ],
)
def test_what_cannot_be_exported_is_said(made: tuple[Path, str], options: tuple[str, ...], said: str) -> None:
    result = run(made[0], "export", made[1], *options)
    assert result.exit_code == 1
    assert said in result.stderr


@pytest.mark.parametrize("options", [(), ("--compress",), ("--format", "sqlite"), ("--format", "jsonl")])
def test_an_export_is_its_owners_alone(made: tuple[Path, str], options: tuple[str, ...], tmp_path: Path) -> None:
    db, match = made
    file = tmp_path / "match.out"
    assert run(db, "export", match, "-o", file, *options).exit_code == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
