"""What all tests share: searches without a deadline, for a busy machine is no defect, and chance that repeats.

What is drawn in a test follows from its name alone, so that it fails for everybody or for nobody, whatever runs before
it or beside it; `--fresh-chance` draws anew in every run, as the nightly searches do.
"""

import secrets
from collections.abc import Generator, Iterator
from typing import Any

import pytest
from hypothesis import settings

from tests.chance import SOURCE, chance_of, word_of
from tests.postgres import Instance, instance

settings.register_profile("repeating", deadline=None, derandomize=True)
settings.register_profile("fresh", deadline=None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fresh-chance", action="store_true", help="draw anew instead of as in every other run")


def pytest_configure(config: pytest.Config) -> None:
    fresh = config.getoption("--fresh-chance")
    settings.load_profile("fresh" if fresh else "repeating")
    if not fresh:
        secrets.token_bytes = lambda nbytes=None: SOURCE.randbytes(nbytes or 32)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    SOURCE.seed(word_of(item))


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    """What is made once for several tests is the same whichever of them comes first."""
    if fixturedef.scope == "function":
        return (yield)
    with chance_of(f"{fixturedef.baseid} {fixturedef.argname} {getattr(request, 'param', '')}"):
        return (yield)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Instance]:
    """A PostgreSQL for all tests that ask for one, started by the first of them."""
    with instance() as made:
        yield made
