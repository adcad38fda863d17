"""Shared by all tests: searches without a deadline, because a busy machine is no defect, and repeatable chance.

The draws of a test follow from its name alone, so that it fails for everybody or for nobody, whatever runs before
it or beside it; `--fresh-chance` draws anew in every run, as the nightly searches do.
"""

import gc
import secrets
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import settings

from tests import reruns
from tests.chance import SOURCE, chance_of, word_of
from tests.postgres import Instance, instance

HANDED_OUT: Final = 60
"""A process takes this many tests of a module at once: shared things are made once, and distribution costs little."""
FIRST: Final = ("web", "simulation", "server", "clients", "conformance", "scripts", "architecture")
"""Modules whose tests wait or take long, in this order; quick tests come last and even out the processes."""

settings.register_profile("repeating", deadline=None, derandomize=True)
settings.register_profile("fresh", deadline=None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fresh-chance", action="store_true", help="draw anew instead of as in every other run")


def pytest_configure(config: pytest.Config) -> None:
    reruns.pytest_configure(config)
    fresh = config.getoption("--fresh-chance")
    settings.load_profile("fresh" if fresh else "repeating")
    if not fresh:
        secrets.token_bytes = lambda nbytes=None: SOURCE.randbytes(nbytes or 32)


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent.parent
    before: Counter[Path] = Counter()
    for item in items:
        before[item.path] += 1
        if item.get_closest_marker("xdist_group") is None:
            share = f"{item.path.relative_to(here)}-{before[item.path] // HANDED_OUT}"
            item.add_marker(pytest.mark.xdist_group(share))
    items.sort(key=lambda item: _turn(item.path.relative_to(here)))


def pytest_collection_finish() -> None:
    """The present objects stay until the end: garbage collections need not walk them every time."""
    gc.collect()
    gc.freeze()


def _turn(path: Path) -> int:
    rooms = [FIRST.index(part) for part in path.parts if part in FIRST]
    return rooms[0] if rooms else len(FIRST)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    SOURCE.seed(word_of(item))


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    """Things made once for several tests are the same whichever of them comes first."""
    if fixturedef.scope == "function":
        return (yield)
    with chance_of(f"{fixturedef.baseid} {fixturedef.argname} {getattr(request, 'param', '')}"):
        return (yield)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Instance]:
    """A PostgreSQL for all tests that ask for one, started by the first of them."""
    with instance() as made:
        yield made
