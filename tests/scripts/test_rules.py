"""`scripts/rules`: what it counts, what it refuses. The invented game has the prefix ZZ."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LEDGER = """
| ID | Rule |
|---|---|
| ZZ-001 | A. |
| ZZ-002 | B. |
| ZZ-003 | C. |
| ZZ-004 † | A word only. |
| ZZ-Q01 | D? |
| ZZ-X01 | E. |

ZZ-009 is named in prose; that makes no row.
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for folder in ("docs/rules", "domain/zz/rules", "tests/domain"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "docs/rules/zz.md").write_text(LEDGER, encoding="utf-8")
    return tmp_path


def rules(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / "rules"), "--root", str(root), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def write(root: Path, path: str, text: str) -> None:
    (root / path).write_text(text, encoding="utf-8")


def claim(root: Path, **numbers: int) -> None:
    write(root, "docs/rules/claims.json", json.dumps({"zz": numbers}))


def numbers(root: Path) -> list[str]:
    """Rows, rows that cannot be tested, code, tests, both."""
    return rules(root).stdout.splitlines()[1].split()[1:6]


def test_a_row_is_a_table_line_that_begins_with_an_id(project: Path) -> None:
    assert numbers(project) == ["5", "1", "1", "0", "0"]  # only the example needs no code


def test_steps_comments_and_docstrings_of_the_game_cite(project: Path) -> None:
    write(project, "domain/zz/rules/a.py", '@step("ZZ-001")\n"""ZZ-002 B."""\nx = 1  # ZZ-Q01\n')
    assert numbers(project) == ["5", "1", "4", "0", "0"]


def test_a_range_in_code_cites_everything_between_its_ends(project: Path) -> None:
    write(project, "domain/zz/a.py", '"""ZZ-001 to ZZ-003."""')
    assert numbers(project)[2] == "4"


def test_a_range_in_a_test_cites_its_ends_only(project: Path) -> None:
    write(project, "tests/test_a.py", '"""ZZ-001 to ZZ-003."""')
    assert numbers(project)[3] == "2"


def test_names_of_tests_and_scenarios_cite(project: Path) -> None:
    write(project, "tests/domain/test_a.py", "def test_zz_001_zz_q01_a_is_so() -> None: ...")
    write(project, "tests/domain/b.toml", 'title = "ZZ-X01 E"')
    assert numbers(project)[3] == "3"


def test_a_part_of_an_example_cites_the_example(project: Path) -> None:
    write(project, "tests/domain/b.toml", 'title = "ZZ-X01b E"')
    assert numbers(project)[3] == "1"


def test_a_number_that_goes_on_is_another_row(project: Path) -> None:
    write(project, "tests/domain/test_a.py", "def test_zz_0011_x(): ...")
    assert rules(project).returncode == 1


def test_both_needs_code_and_test_of_the_same_row(project: Path) -> None:
    write(project, "domain/zz/a.py", '"""ZZ-001 ZZ-002"""')
    write(project, "tests/domain/test_a.py", '"""ZZ-002 ZZ-003"""')
    assert numbers(project) == ["5", "1", "3", "2", "1"]


def test_a_row_that_cannot_be_tested_is_never_missing(project: Path) -> None:
    shown = rules(project, "--missing").stdout
    assert "not cited by code: ZZ-001 ZZ-002 ZZ-003 ZZ-Q01\n" in shown
    assert "not cited by tests: ZZ-001 ZZ-002 ZZ-003 ZZ-Q01 ZZ-X01\n" in shown


def test_a_claim_that_holds_passes_and_one_more_fails(project: Path) -> None:
    write(project, "domain/zz/a.py", '"""ZZ-001"""')
    claim(project, code=2)
    assert rules(project).returncode == 0
    claim(project, code=3)
    failed = rules(project)
    assert failed.returncode == 1
    assert "zz: 2 rows cited by code, 3 are claimed" in failed.stderr


def test_a_claim_for_a_ledger_that_is_not_there_fails(project: Path) -> None:
    write(project, "docs/rules/claims.json", '{"other": {"tests": 1}}')
    assert "other: 0 rows cited by tests, 1 are claimed" in rules(project).stderr


def test_a_citation_of_a_row_that_does_not_exist_fails(project: Path) -> None:
    write(project, "domain/zz/a.py", '"""ZZ-077"""')
    failed = rules(project)
    assert failed.returncode == 1
    assert "ZZ-077 is cited, but the ledger has no such row" in failed.stderr


def test_one_game_can_be_shown_and_an_unknown_one_is_refused(project: Path) -> None:
    assert rules(project, "zz").returncode == 0
    assert "there are ledgers of zz" in rules(project, "yy").stderr


def test_the_claims_of_this_project_hold() -> None:
    checked = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "rules")], capture_output=True, text=True, check=False
    )
    assert (checked.returncode, checked.stderr) == (0, "")
