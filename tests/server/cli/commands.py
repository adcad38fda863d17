"""Shared by `test_commands` and other tests: fails, run."""

from pathlib import Path

from click.testing import CliRunner, Result

from server.cli import main


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def fails(*words: str | Path) -> str:
    """The message of a command that fails: one sentence and no traceback."""
    done = run(*words)
    assert done.exit_code in (1, 2)
    assert isinstance(done.exception, SystemExit)
    said = done.stderr.strip()
    assert said
    assert "Traceback" not in said
    return said
