"""`scripts/faults`: what it says where it cannot try what it is asked to."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from scripts.faults import main


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
