"""What the README promises holds for the built wheels alone, in an environment that has nothing of this repository."""

import sys
from pathlib import Path

import pytest

from scripts import promises
from scripts.promises import BrokenPromiseError, Environment, run
from tests.installed import environment

pytestmark = pytest.mark.whole


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The two wheels, built and installed by pip, beside the packages that this environment lends."""
    folder = tmp_path_factory.mktemp("built")
    for source in (promises.ROOT, promises.ROOT / "clients/python"):
        run(Path(sys.executable).with_name("hatchling"), "build", "-t", "wheel", "-d", folder, cwd=source)
    place, work = folder / "environment", folder / "work"
    work.mkdir()
    pip = environment(place)
    run(*pip, "install", "--quiet", "--no-deps", "--no-index", *folder.glob("*.whl"))
    return Environment(place, pip, work)


@pytest.fixture(scope="module")
def package(tried: Environment) -> Path:
    """A game of others, installed, found to conform, played by two programs over a server and audited elsewhere."""
    return promises.takes_games_of_others(tried, Path(sys.executable))


def test_what_is_imported_is_what_was_built(tried: Environment) -> None:
    promises.is_alone(tried)


def test_what_lies_in_the_repository_is_not_taken_for_what_was_built(tried: Environment) -> None:
    here = Environment(Path(sys.prefix), tried.pip, tried.work)
    with pytest.raises(BrokenPromiseError, match="not among what was built"):
        promises.is_alone(here)


def test_a_match_is_refereed_recorded_and_told_and_a_changed_record_found_out(tried: Environment) -> None:
    promises.is_verified(tried, promises.plays(tried))


def test_a_strangers_script_and_a_game_of_others_are_typed(tried: Environment, package: Path) -> None:
    promises.is_typed(tried, Path(sys.executable), package / "src")


def test_without_the_games_package_its_records_audit_says_what_to_install(tried: Environment, package: Path) -> None:
    promises.names_what_is_missing(tried)
