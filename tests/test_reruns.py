"""A run counts its repeated tests, and fails where there is more than one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

FLAKY = """
import pytest

tries = [0] * 5

@pytest.mark.flaky(reruns=1)
@pytest.mark.parametrize("number", range(FLAKY))
def test_passes_the_second_time(number):
    tries[number] += 1
    assert tries[number] == 2

def test_passes():
    pass
"""


@pytest.mark.parametrize(
    ("flaky", "processes", "code", "line"),
    [
        (0, (), 0, "tests repeated: 0"),
        (1, (), 0, "tests repeated: 1"),
        (2, (), 1, "tests repeated: 2, of which at most 1 may be: this run has failed"),
        (2, ("-n", "2"), 1, "tests repeated: 2, of which at most 1 may be: this run has failed"),
    ],
)
def test_one_test_of_a_run_may_be_repeated_and_no_more(
    tmp_path: Path, flaky: int, processes: tuple[str, ...], code: int, line: str
) -> None:
    (tmp_path / "test_flaky.py").write_text(FLAKY.replace("FLAKY", str(flaky)))
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "-p",
        "tests.reruns",
        *processes,
        str(tmp_path),
    ]
    run = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == code, run.stdout
    assert line in run.stdout.splitlines()
