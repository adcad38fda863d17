"""`scripts/faults` gives a line to everything that is tried, and says so when something was lost or cannot be tried."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from scripts import faults
from scripts.faults import Line, everything, framed, jumped, main, sent_often
from tests.server.faults.nursery import FAULTS
from tests.server.faults.wires import CONTROLS, COPIES


def test_every_kind_of_fault_has_a_line() -> None:
    others = ("simulation", "power cut", "EIO", "damage", "copies", "returns", "jumps", "stall", "changed", "frames")
    assert sum(1 for _ in everything(deep=False)) == len(FAULTS) + len(others)


@pytest.mark.parametrize(
    ("line", "tried", "came"),
    [
        (sent_often, f"{len(COPIES)} matches", "copies sent"),
        (jumped, f"{len(CONTROLS)} matches", "jumps"),
        (framed, "frames", "understood"),
    ],
)
def test_a_line_says_what_was_tried_and_what_came_of_it(line: Callable[[], Line], tried: str, came: str) -> None:
    found = line()
    assert found.lost == []
    assert tried in found.tried
    assert came in found.came


def test_what_was_lost_is_printed_and_is_the_exit_status(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [Line("one", "1 case", "1 stopped", []), Line("two", "2 cases", "2 stopped", ["at 7: line 3 is lost"])]
    monkeypatch.setattr(faults, "everything", lambda *, deep: [lambda line=line: line for line in lines])
    done = CliRunner().invoke(main, [])
    assert done.exit_code == 1
    assert "at 7: line 3 is lost" in done.output
    assert done.output.count("lost: nothing") == 1


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("#!/bin/sh\necho 'no module autobahn' >&2\nexit 3\n", "status 3 and no report"),
        ("#!/bin/sh\n", "status 0 and no report"),
        ("", "cannot be run"),
    ],
)
def test_a_program_that_is_not_autobahns_is_said_in_a_sentence(program: str, said: str, tmp_path: Path) -> None:
    wstest = tmp_path / "wstest"
    wstest.write_text(program)
    if program:
        wstest.chmod(0o700)
    done = CliRunner().invoke(main, ["autobahn", "--wstest", str(wstest)])
    assert done.exit_code == 1
    assert isinstance(done.exception, SystemExit)
    assert said in done.stderr
    assert ("no module autobahn" in done.stderr) == ("autobahn" in program)
