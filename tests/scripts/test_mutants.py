"""`scripts/mutants` finds what no test notices, and leaves the tree as it is."""

import ast
from pathlib import Path

import pytest

from scripts.mutants import AlreadyFailing, Mutants, Place, places, proofs_of, sampled
from scripts.mutations import mutations


def changed(code: str) -> list[str]:
    return [mutation.made_in(code.encode()).decode() for mutation in mutations(code.encode())]


@pytest.mark.parametrize(
    ("code", "others"),
    [
        ("a == b", ["(a != b)"]),
        ("a < b", ["(a <= b)"]),
        ("a not in b", ["(a in b)"]),
        ("a and b", ["(a or b)", "a", "b"]),
        ("not a", ["a"]),
        ("x = a + 1", ["x = (a - 1)", "x = a + 2"]),
        ("a if b else c", ["a", "c"]),
        ("x = True", ["x = False"]),
        ("a == 'word'", ["(a != 'word')", "(a == 'word~')"]),
        ("def f(a: int = 1) -> int: ...", ["def f(a: int = 2) -> int: ..."]),
    ],
)
def test_each_kind_of_decision_is_changed(code: str, others: list[str]) -> None:
    assert sorted(changed(code)) == sorted(others)


@pytest.mark.parametrize(
    "code",
    ['"""A text."""', "@step('WE-001', 3)\ndef f(): ...", "x: Literal[1]", "assert a == 1", "f'{a + 1}'", "a + 'b'"],
)
def test_what_decides_nothing_is_left_alone(code: str) -> None:
    assert changed(code) == []


def test_a_change_takes_the_place_of_bytes_not_of_letters() -> None:
    assert changed('x = "Edaðh", a < b') == ['x = "Edaðh", (a <= b)']


def test_every_change_of_the_code_there_is_is_python() -> None:
    file = Path(__file__).parents[2] / "scripts" / "mutations.py"
    code = file.read_bytes()
    found = mutations(code)
    assert len(found) > 20
    for mutation in found:
        ast.parse(mutation.made_in(code))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A rule with a limit that is tested and one that is not."""
    root = tmp_path / "tree"
    for name, text in {
        "domain/__init__.py": "",
        "domain/toy/__init__.py": "",
        "domain/toy/rules.py": "def high(x):\n    return x >= 3\n\n\ndef low(x):\n    return x <= 1\n",
        "tests/domain/toy/test_rules.py": (
            "from domain.toy.rules import high, low\n\n\n"
            "def test_limits():\n    assert high(3) and not high(2) and low(0)\n"
        ),
        "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\nmarkers = ["deep: x", "chromium: x"]\n',
    }.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return root


@pytest.mark.whole
def test_a_limit_that_no_test_looks_at_is_found(tree: Path, tmp_path: Path) -> None:
    before = (tree / "domain/toy/rules.py").read_bytes()
    mutants = Mutants(tree, tmp_path / "copy")
    limits = [place for place in places(tree) if place.change.after in {"(x > 3)", "(x < 1)"}]
    assert [(str(place), mutants.noticed(place)) for place in limits] == [
        ("domain/toy/rules.py:2: x >= 3  ->  (x > 3)", True),
        ("domain/toy/rules.py:6: x <= 1  ->  (x < 1)", False),
    ]
    assert (tree / "domain/toy/rules.py").read_bytes() == before
    assert (tmp_path / "copy/domain/toy/rules.py").read_bytes() == before


def test_tests_that_fail_without_a_change_are_said(tree: Path, tmp_path: Path) -> None:
    (tree / "tests/domain/toy/test_rules.py").write_text("def test_no():\n    assert False\n")
    place = next(places(tree))
    with pytest.raises(AlreadyFailing, match="test_no"):
        Mutants(tree, tmp_path / "copy").noticed(place)


def test_a_change_under_which_tests_never_end_is_noticed(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scripts.mutants.LEAST_S", 0.001)
    monkeypatch.setattr("scripts.mutants.PATIENCE", 0)
    low = next(place for place in places(tree) if place.change.after == "(x < 1)")
    assert Mutants(tree, tmp_path / "copy").noticed(low)


def test_a_seed_draws_the_same_changes_one_a_line(tree: Path) -> None:
    assert sampled(tree, 9, 4) == sampled(tree, 9, 4)
    assert sorted(place.change.line for place in sampled(tree, 9, 4)) == [2, 6]
    assert len(sampled(tree, 1, 4)) == 1


@pytest.mark.parametrize(
    ("only", "lines"),
    [((), {2, 6}), (("domain/toy/rules.py:6",), {6}), (("domain/toy",), {2, 6}), (("replay",), set())],
)
def test_only_what_is_asked_for_is_changed(tree: Path, only: tuple[str, ...], lines: set[int]) -> None:
    assert {place.change.line for place in places(tree, only)} == lines


def test_a_file_is_tried_with_its_own_test_first_then_its_folders_and_its_games_scenarios() -> None:
    root = Path(__file__).parents[2]
    assert proofs_of(root, "domain/kernel/form.py") == ("tests/domain/kernel/test_form.py", "tests/domain/kernel")
    assert proofs_of(root, "domain/war_for_edadh/rules/blows.py") == (
        "tests/domain/war_for_edadh/rules",
        "tests/scenarios/test_scenarios.py",
    )
    assert isinstance(next(places(root, ("domain/war_for_edadh/rules/blows.py",))), Place)
