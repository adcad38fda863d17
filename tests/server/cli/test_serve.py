"""`herald serve`: what it asks before a database is made where there was none."""

import io
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from server.cli.serve import _agree_to_begin, serve
from server.errors import Misconfigured


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_person_who_mistyped_the_folder_is_asked_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(click, "confirm", lambda *_, **__: False)
    with pytest.raises(Misconfigured, match="Mend the path"):
        _agree_to_begin(tmp_path / "heralb" / "matches.db")
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_there_and_a_service_are_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(click, "confirm", lambda *_, **__: pytest.fail("asked"))
    monkeypatch.setattr(sys, "stdin", Terminal())
    _agree_to_begin(tmp_path / "matches.db")
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    _agree_to_begin(tmp_path / "new" / "matches.db")


@pytest.mark.parametrize("workers", ["0", "-1", "65", "many"])
def test_a_number_of_processes_that_there_cannot_be_is_refused(workers: str) -> None:
    done = CliRunner().invoke(serve, ["--workers", workers])
    assert done.exit_code == 2
    assert "--workers" in done.output
