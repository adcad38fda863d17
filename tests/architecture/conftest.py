"""All sources are read only once: every test of the architecture runs in one process."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep these tests together, for each process would read a thousand files of its own."""
    here = Path(__file__).parent
    for item in items:
        if item.path.parent == here:
            item.add_marker(pytest.mark.xdist_group("architecture"))


@pytest.fixture(scope="package", autouse=True)
def _no_search_for_refuse() -> Iterator[None]:
    """All syntax trees stay until the end: walking them in every garbage collection takes three times as long as
    reading them."""
    gc.disable()
    yield
    gc.enable()
