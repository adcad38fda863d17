"""`scripts/new-game`: its skeleton is a game, whatever its name and however many play."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.new_game import faults, words_of

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("domain", "projections", "replay", "server", "tests", "scripts", "docs", "pyproject.toml")


def new_game(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scripts.new_game", *arguments, "--root", str(root)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def run(root: Path, *arguments: str) -> str:
    found = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=root, capture_output=True, text=True, check=False, timeout=900
    )
    assert found.returncode == 0, found.stdout[-3000:] + found.stderr[-3000:]
    return found.stdout


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the project without its kept records, which the skeleton has none of."""
    for name in COPIED:
        source = ROOT / name
        if source.is_file():
            shutil.copy(source, tmp_path / name)
        else:
            ignored = shutil.ignore_patterns("__pycache__", "records", "images", "vendor")
            shutil.copytree(source, tmp_path / name, ignore=ignored)
    return tmp_path


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    ("name", "options"),
    [
        pytest.param("border_towns", (), marks=pytest.mark.whole),
        ("zero_hour", ("--seats", "3", "--bot", "--prefix", "ZH")),
    ],
)
def test_the_skeleton_loads_is_tested_and_passes_the_conformance_suite(
    project: Path, name: str, options: tuple[str, ...]
) -> None:
    made = new_game(project, name, *options)
    assert made.returncode == 0, made.stderr
    suites = ["tests/conformance/test_play.py", "tests/conformance/test_secrecy.py", "tests/conformance/test_record.py"]
    mine = [f"tests/domain/{name}", f"tests/projections/games/{name}"]
    told = run(project, "pytest", "-q", "-p", "no:cacheprovider", "-m", "not deep", "-k", name, *suites, *mine)
    assert " passed" in told
    run(project, "ruff", "check", f"domain/{name}", f"projections/games/{name}", *mine)
    run(project, "ruff", "format", "--check", f"domain/{name}", f"projections/games/{name}", *mine)


def test_bots_play_the_skeleton_and_its_rows_are_claimed(project: Path) -> None:
    assert new_game(project, "border_towns", "--bot").returncode == 0
    played = run(
        project,
        "server.cli",
        *("match", "simulate", "--game", "border_towns", "--matches", "4", "--bots", "eager,random"),
    )
    assert "4" in played
    claims = json.loads((project / "docs/rules/claims.json").read_text(encoding="utf-8"))
    assert claims["border_towns"] == {"code": 3, "tests": 3, "both": 3}
    assert set(json.loads((ROOT / "docs/rules/claims.json").read_text(encoding="utf-8"))) < set(claims)


@pytest.mark.parametrize(
    ("name", "prefix", "title", "seats", "why"),
    [
        ("Border", None, None, 2, "no name for a package"),
        ("class", None, None, 2, "no name for a package"),
        ("two__towns", None, None, 2, "no name for a package"),
        ("../towns", None, None, 2, "no name for a package"),
        ("kernel", "KN", None, 2, "There is a kernel already"),
        ("war_for_edadh", "WX", None, 2, "There is a war_for_edadh already"),
        ("very_dull", "VD", None, 2, "Another ledger's ids begin with VD"),
        ("two_towns", "T1", None, 2, "is not two to four letters"),
        ("two_towns", None, None, 5, "for 2 to 4 seats"),
        ("two_towns", None, 'The "Two"', 2, "no quotation marks"),
    ],
)
def test_what_cannot_be_a_game_is_refused(
    name: str, prefix: str | None, title: str | None, seats: int, why: str
) -> None:
    assert any(why in fault for fault in faults(ROOT, words_of(name, title, prefix, seats), seats))


def test_where_something_speaks_against_it_nothing_is_written(tmp_path: Path) -> None:
    refused = new_game(tmp_path, "two_towns", "--seats", "9")
    assert refused.returncode == 1
    assert "2 to 4 seats" in refused.stderr
    assert list(tmp_path.iterdir()) == []
