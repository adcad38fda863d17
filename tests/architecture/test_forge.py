"""The files for contributors on a forge: they call our own scripts, agree with the packages, and name no forge."""

import json
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from tests.architecture.sources import ROOT, tracked

WORKFLOWS = [path for path in tracked() if path.parent == Path(".github/workflows")]
TEMPLATES = [path for path in tracked() if path.parent == Path(".github/ISSUE_TEMPLATE")]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def read(path: Path | str) -> Any:
    """A YAML file's content."""
    return yaml.safe_load((ROOT / path).read_text())


def steps(workflow: Any) -> list[dict[str, Any]]:
    """The steps of all jobs of a workflow."""
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def test_the_checks_run_for_each_python_from_the_oldest_that_is_promised() -> None:
    (job,) = read(".github/workflows/checks.yml")["jobs"].values()
    pythons = job["strategy"]["matrix"]["python"]
    assert f">={pythons[0]}" == PROJECT["requires-python"]
    assert [int(version.split(".")[1]) for version in pythons] == [*range(11, 11 + len(pythons))]
    assert job["env"] == {"PYTHON": "python${{ matrix.python }}"}
    assert [step["run"].strip() for step in job["steps"]][-1] == ".ci/run"


@pytest.mark.parametrize("path", WORKFLOWS, ids=str)
def test_a_workflow_runs_on_any_forge_and_calls_scripts_that_there_are(path: Path) -> None:
    workflow = read(path)
    assert not [step for step in steps(workflow) if "uses" in step], "an action belongs to one forge"
    named = {word for step in steps(workflow) for word in re.findall(r"(?:\.ci|\./scripts)/[\w-]+", step["run"])}
    assert named
    assert all((ROOT / name).is_file() for name in named)
    assert set(workflow["permissions"]) == {"contents"}


@pytest.mark.parametrize("path", WORKFLOWS, ids=str)
def test_no_expression_of_a_workflow_is_put_into_a_shell(path: Path) -> None:
    assert not [step for step in steps(read(path)) if "${{" in step["run"]], "a branch's name could be a command"


def test_hooks_before_a_commit_are_local_ones() -> None:
    repositories = read(".pre-commit-config.yaml")["repos"]
    assert {one["repo"] for one in repositories} == {"local"}
    for hook in repositories[0]["hooks"]:
        program, *_ = hook["entry"].split()
        assert (hook["language"], program) == ("system", ".ci/in-environment")


def test_a_citation_names_the_version_that_the_package_has() -> None:
    citation = read("CITATION.cff")
    assert citation["version"] == PROJECT["version"]
    assert citation["license"] in PROJECT["license"]


def test_packages_and_images_that_are_kept_up_to_date_are_where_it_is_said() -> None:
    renovate = json.loads((ROOT / "renovate.json").read_text())
    for manager in ("dockerfile", "docker-compose"):
        (pattern,) = renovate[manager]["managerFilePatterns"]
        assert [path for path in tracked() if re.search(pattern.strip("/"), path.as_posix())]


def test_issues_have_templates_with_a_name_and_a_purpose() -> None:
    assert len(TEMPLATES) == 3
    for path in TEMPLATES:
        _, head, text = (ROOT / path).read_text().split("---\n", 2)
        assert set(yaml.safe_load(head)) == {"name", "about"}
        assert text.strip()


@pytest.mark.parametrize("name", ["SECURITY.md", "CODE_OF_CONDUCT.md", "CITATION.cff"])
def test_contributors_are_shown_the_way(name: str) -> None:
    assert f"]({name})" in (ROOT / "README.md").read_text() + (ROOT / "CONTRIBUTING.md").read_text()


LOCKED = "requirements.lock"
UV = """#!/bin/sh
cat >/dev/null
while [ "$1" != --output-file ]; do shift; done
echo "$PIN" >"$2"
"""


def git(*words: str, at: Path) -> str:
    """What git answers, as somebody with a name."""
    named = ("-c", "user.name=somebody", "-c", "user.email=somebody@localhost", "-c", "init.defaultBranch=main")
    return subprocess.run(["git", *named, *words], cwd=at, capture_output=True, check=True, text=True).stdout.strip()


@pytest.mark.parametrize(("pin", "branches"), [("old==1", ["main"]), ("new==2", ["dependencies", "main"])])
def test_newer_packages_are_pushed_as_a_branch_and_old_ones_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pin: str, branches: list[str]
) -> None:
    forge, copy, programs = tmp_path / "forge", tmp_path / "copy", tmp_path / "programs"
    for folder in (forge, copy / ".ci", copy / "scripts", programs):
        folder.mkdir(parents=True)
    for name in (".ci/upgrade", "scripts/lock"):
        (copy / name).write_bytes((ROOT / name).read_bytes())
        (copy / name).chmod(0o755)
    for name in ("requirements.lock", "requirements-postgres.lock", "requirements-dev.lock"):
        (copy / name).write_text("old==1\n")
    (programs / "uv").write_text(UV)
    (programs / "uv").chmod(0o755)
    monkeypatch.setenv("PIN", pin)
    monkeypatch.setenv("PATH", str(programs), prepend=":")
    git("init", "--quiet", "--bare", at=forge)
    git("init", "--quiet", at=copy)
    git("remote", "add", "origin", str(forge), at=copy)
    git("add", "--all", at=copy)
    git("commit", "--quiet", "--message", "Begin", at=copy)
    git("push", "--quiet", "origin", "main", at=copy)
    subprocess.run([copy / ".ci/upgrade"], check=True, capture_output=True)
    assert git("branch", "--format=%(refname:short)", at=forge).split() == branches
    assert git("show", f"{branches[0]}:{LOCKED}", at=forge) == pin
