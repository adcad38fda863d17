"""What all tests share: searches without a deadline, for a busy machine is no defect, and chance that repeats.

What is drawn in a test follows from its name alone, so that it fails for everybody or for nobody; `--fresh-chance`
draws anew in every run, as the nightly searches do.
"""

import random
import secrets

import pytest
from hypothesis import settings

settings.register_profile("repeating", deadline=None, derandomize=True)
settings.register_profile("fresh", deadline=None)
REPEATING = pytest.StashKey[random.Random]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fresh-chance", action="store_true", help="draw anew instead of as in every other run")


def pytest_configure(config: pytest.Config) -> None:
    fresh = config.getoption("--fresh-chance")
    settings.load_profile("fresh" if fresh else "repeating")
    if not fresh:
        config.stash[REPEATING] = random.Random(0)
        secrets.token_bytes = lambda nbytes=None: config.stash[REPEATING].randbytes(nbytes or 32)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    source = item.config.stash.get(REPEATING, None)
    if source is not None:
        source.seed(item.nodeid)
