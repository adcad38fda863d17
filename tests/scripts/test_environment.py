"""The scripts make their environment once, from a lock, with uv or with what Python brings along."""

import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import packages_distributions
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
UV = """#!/bin/sh
echo "$@" >>"$CALLS"
case "$1" in venv) mkdir -p "$HERALD_VENV/bin" && cp "$0" "$HERALD_VENV/bin/python" ;; esac
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of what the scripts need, and a uv that only notes how it is called."""
    (tmp_path / "scripts").mkdir()
    for name in ("requirements.lock", "requirements-dev.lock", "pyproject.toml", "scripts/environment.sh"):
        shutil.copy(ROOT / name, tmp_path / name)
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "uv").write_text(UV)
    (programs / "uv").chmod(0o755)
    return tmp_path


def make(project: Path, locks: str, **changes: str) -> "subprocess.CompletedProcess[str]":
    """Source the environment and make it from the locks."""
    path = f"{project / 'programs'}{os.pathsep}{os.environ['PATH']}"
    places = {"CALLS": str(project / "calls"), "HERALD_VENV": str(project / "venv")}
    script = f'set -euo pipefail; . scripts/environment.sh; make_environment {locks}; echo "$bin"'
    environ = {"PATH": path, **places, **changes}
    return subprocess.run(["bash", "-c", script], cwd=project, env=environ, capture_output=True, text=True, check=False)


def calls(project: Path) -> list[str]:
    """How uv was called."""
    return (project / "calls").read_text().splitlines()


def test_the_environment_is_made_from_hashes_only(project: Path) -> None:
    made = make(project, "requirements.lock")
    assert made.returncode == 0, made.stderr
    assert made.stdout.strip() == str(project / "venv/bin")
    venv, requirements, ours = calls(project)
    assert venv.startswith("venv ")
    assert "--require-hashes --requirements requirements.lock" in requirements
    assert "--no-deps --no-build-isolation --editable" in ours


def test_a_second_run_makes_nothing(project: Path) -> None:
    make(project, "requirements.lock")
    make(project, "requirements.lock")
    assert len(calls(project)) == 3


@pytest.mark.parametrize("changed", ["requirements.lock", "pyproject.toml"])
def test_a_changed_lock_makes_it_again(project: Path, changed: str) -> None:
    make(project, "requirements.lock")
    with (project / changed).open("a") as file:
        file.write("# changed\n")
    make(project, "requirements.lock")
    assert len(calls(project)) == 6


def test_the_environment_of_the_tests_serves_too_but_not_the_other_way_round(project: Path) -> None:
    make(project, "requirements-dev.lock")
    make(project, "requirements.lock requirements-dev.lock")
    assert len(calls(project)) == 3
    make(project, "requirements.lock")
    make(project, "requirements-dev.lock")
    assert len(calls(project)) == 9


GROWING = ["requirements.lock", "requirements-postgres.lock", "requirements-dev.lock"]
"""The locks; each names all that the one before it names, and more."""


def locks_of(script: Path) -> list[str]:
    """The locks of the environments in which a script runs; it makes one from the first."""
    asked = re.search(r"^ *make_environment (.*)$", script.read_text(), re.MULTILINE)
    return re.findall(r'"\$root/([\w.-]+)"', asked[1]) if asked else []


def names_in(lock: str) -> set[str]:
    """The distributions that a lock names."""
    return set(re.findall(r"^([a-z0-9][\w.-]*)==", (ROOT / lock).read_text(), re.MULTILINE))


def test_a_script_runs_in_every_environment_that_holds_more_than_it_needs() -> None:
    scripts = [path for path in (ROOT / "scripts").iterdir() if path.is_file() and not path.suffix]
    found = {path.name: locks for path in scripts if (locks := locks_of(path))}
    assert {"serve", "bench", "test"} <= set(found)
    assert not {name: locks for name, locks in found.items() if locks != GROWING[GROWING.index(locks[0]) :]}
    for less, more in pairwise(GROWING):
        assert names_in(less) < names_in(more)


WITHOUT = """
import sys

class Without:
    def find_spec(self, name, path=None, target=None):
        if name in {names!r}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Without())
from scripts.benchmarks.__main__ import bench
bench(prog_name="scripts/bench")
"""


def test_the_benchmarks_run_in_their_environment_and_say_what_to_install_for_openspiel() -> None:
    lacking = names_in("requirements-dev.lock") - names_in(locks_of(ROOT / "scripts/bench")[0])
    absent = {
        module
        for module, names in packages_distributions().items()
        if all(
            re.sub(r"[-_.]+", "-", name).lower() in {re.sub(r"[-_.]+", "-", lack) for lack in lacking} for name in names
        )
    }
    assert {"numpy", "pyspiel", "hypothesis"} <= absent
    told = subprocess.run(
        [sys.executable, "-c", WITHOUT.replace("{names!r}", repr(absent)), "research"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 1
    assert "Traceback" not in told.stderr
    assert "is not installed, which this benchmark needs; install what requirements-dev.lock names" in told.stderr


def test_an_old_python_is_refused_with_what_to_install(project: Path) -> None:
    for name in ("python3", *(f"python3.{minor}" for minor in range(11, 15))):
        (project / "programs" / name).write_text("#!/bin/sh\nexit 1\n")
        (project / "programs" / name).chmod(0o755)
    (project / "programs/uv").unlink()
    for name in ("bash", "dirname", "cat", "cksum", "rm"):
        found = shutil.which(name)
        assert found is not None
        (project / "programs" / name).symlink_to(found)
    none = {"PATH": str(project / "programs"), "HERALD_DISTRIBUTION_PYTHON": str(project / "none")}
    made = make(project, "requirements.lock", **none)
    assert made.returncode == 1
    assert "Python 3.11 or later is needed" in made.stderr
    assert "apt install" in made.stderr


@pytest.mark.parametrize(
    ("able", "wish", "found"),
    [("import ensurepip", "", "usual"), ("nothing", "", "python3"), ("import ensurepip", "wished", "wished")],
)
def test_the_distributions_python_comes_first_where_it_can_make_environments_and_no_other_is_wished(
    project: Path, able: str, wish: str, found: str
) -> None:
    for name, can in (("usual", able), ("python3", "*"), ("wished", "*")):
        (project / "programs" / name).write_text(
            f'#!/bin/sh\ncase "$2" in "{can}"*|"import sys"*) ;; *) exit 1 ;; esac\n'
        )
        (project / "programs" / name).chmod(0o755)
    programs = project / "programs"
    environ = {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "HERALD_DISTRIBUTION_PYTHON": str(programs / "usual"),
        "PYTHON": wish and str(programs / wish),
    }
    script = "set -euo pipefail; . scripts/environment.sh; find_python"
    told = subprocess.run(["bash", "-c", script], cwd=project, env=environ, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == str(programs / found)
