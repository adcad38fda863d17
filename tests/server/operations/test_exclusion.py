"""A second server on a database in use is told of the first."""

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from server.cli.serve import _own
from server.operations.exclusion import Serving

HOLDER = """
import sys, pathlib
from server.operations.exclusion import Serving
serving = Serving(pathlib.Path(sys.argv[1]))
print(serving.is_alone, flush=True)
sys.stdin.read()
"""


def test_a_second_server_is_not_alone_and_the_next_is_once_the_first_has_ended(tmp_path: Path) -> None:
    path = tmp_path / "played.db"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "True\n"
        second = Serving(path)
        assert not second.is_alone
        second.close()
        first.kill()
        first.wait()
    third = Serving(path)
    assert third.is_alone
    third.close()


def test_serving_a_database_in_use_warns(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "played.db"
    first = Serving(path)
    with caplog.at_level(logging.WARNING):
        place = _own(str(path))
    assert "another server serves" in caplog.text
    place.store.close()
    first.close()
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        again = _own(str(path))
    assert "another server serves" not in caplog.text
    again.store.close()
    assert again.serving is not None
    again.serving.close()


def test_a_folder_that_is_not_there_is_the_stores_to_complain_of(tmp_path: Path) -> None:
    assert Serving(tmp_path / "none" / "played.db").is_alone
