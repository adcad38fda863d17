"""A match of a game of others: what it needs is in its record, which says what to install where it is missing."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from domain.kernel import MatchCreated, Package
from replay.files.export import created
from replay.record.origin import differing, missing
from replay.store.sqlite.store import SqliteStore
from server.cli import main
from tests.outside import written

HASH = "0" * 64


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A package, and a database with a match of its game."""
    folder = tmp_path_factory.mktemp("played")
    package, db = written(folder, "hill_towns"), folder / "played.db"
    done = run("--games", package, "demo", "--game", "hill_towns", "--db", db, "--speed", "0")
    assert done.exit_code == 0, done.output
    return package, db


def first(db: Path) -> MatchCreated:
    store = SqliteStore(db, readonly=True)
    try:
        return created(store, store.matches.latest(limit=1)[0].match)
    finally:
        store.close()


def test_its_record_names_the_package_its_version_and_the_hash_of_its_rules(played: tuple[Path, Path]) -> None:
    said = first(played[1]).package
    assert said is not None
    assert (said.name, said.version) == ("herald-hill-towns", "0.1.0")
    assert len(said.rules) == 64


def test_with_the_package_it_is_replayed_and_audited(played: tuple[Path, Path]) -> None:
    package, db = played
    assert run("replay", "last", "--games", package, "--db", db).exit_code == 0
    audited = run("audit", "last", "--games", package, "--db", db)
    assert audited.exit_code == 0
    assert "other rules" not in audited.output


@pytest.mark.parametrize("command", ["replay", "audit", "branch", "export"])
def test_without_it_a_sentence_says_what_to_install(command: str, played: tuple[Path, Path]) -> None:
    further = ("--at", "9") if command == "branch" else ()
    done = run(command, "last", *further, "--db", played[1])
    if command != "export":
        assert done.exit_code == 1
        assert "pip install herald-hill-towns==0.1.0" in " ".join(done.output.split())
        assert "if you trust who made it" in " ".join(done.output.split())


def test_with_other_rules_the_audit_says_so(played: tuple[Path, Path], tmp_path: Path) -> None:
    other = written(tmp_path, "hill_towns")
    options = other / "src/hill_towns/game/rules/match.py"
    options.write_text(options.read_text(encoding="utf-8") + "\nMORE = 1\n", encoding="utf-8")
    project = other / "pyproject.toml"
    project.write_text(project.read_text(encoding="utf-8").replace("0.1.0", "0.2.0"), encoding="utf-8")
    command = [sys.executable, "-m", "server.cli", "audit", "last", "--games", str(other), "--db", str(played[1])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "played by other rules: version 0.1.0 of the package, and 0.2.0 is installed" in done.stdout


def test_code_that_is_loaded_from_elsewhere_is_not_the_folders(played: tuple[Path, Path], tmp_path: Path) -> None:
    other = written(tmp_path, "hill_towns")
    assert run("--games", played[0], "rules", "hill_towns").exit_code == 0
    done = run("--games", other, "demo", "--game", "hill_towns")
    assert done.exit_code == 1
    assert "is loaded from" in " ".join(done.output.split())


@pytest.mark.parametrize(
    ("package", "said"),
    [
        (None, ""),
        (Package("good-one", "1.0", HASH), "`pip install good-one==1.0`"),
        (Package("good; rm -r .", "1.0", HASH), "a package whose name is none"),
        (Package("good", "1\x1b[2J", HASH), "a package whose name is none"),
        (Package("--index-url=x", "1", HASH), "a package whose name is none"),
        (Package("g" * 81, "1", HASH), "a package whose name is none"),
    ],
)
def test_what_a_record_names_is_repeated_only_where_it_can_be_a_name(package: Package | None, said: str) -> None:
    told = missing(MatchCreated("gone", {}, ("A", "B"), package=package))
    assert said in told
    assert bool(said) is bool(told)


def test_a_record_that_names_a_package_for_a_game_of_ours_is_told() -> None:
    lying = MatchCreated("vera_discordia", {}, ("A", "B"), package=Package("evil", "1", HASH))
    assert "do not agree" in differing(lying)
    assert differing(MatchCreated("vera_discordia", {}, ("A", "B"))) == ""


def test_a_record_of_before_has_none_and_is_written_as_before() -> None:
    old = b'{"game":"vera_discordia","options":{},"seats":["A","B"]}'
    assert msgspec.json.decode(old, type=MatchCreated).package is None
    assert msgspec.json.encode(MatchCreated("vera_discordia", {}, ("A", "B"))) == old
