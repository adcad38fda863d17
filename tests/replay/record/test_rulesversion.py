"""A rules version stands for the same rules for ever."""

import json
from pathlib import Path

import pytest

from projections.registry import games
from replay.record.rulesversion import DRAFT, rules_hash

ROOT = Path(__file__).parents[3]
KEPT: dict[str, dict[str, list[str]]] = json.loads(
    (ROOT / "docs" / "rules" / "versions.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", sorted(name for name, game in games().items() if game.rules != DRAFT))
def test_rules_that_change_have_a_new_version(name: str) -> None:
    game = games()[name]
    assert KEPT.get(name, {}).get(game.rules, [])[-1:] == [rules_hash(ROOT / "domain" / name)], (
        f"the rules of {name} changed and are still called version {game.rules}: see scripts/rules-version --help"
    )


RULES = {
    "__init__.py": '"""A game."""\n',
    "queries.py": "def best(hand):\n    return max(hand)\n",
    "guesses.py": "def best(hand):\n    return min(hand)\n",
    "rules/__init__.py": "",
    "rules/turn.py": (
        '"""One turn."""\n\nimport json\n\n'
        "from domain.kernel.play import Flow\nfrom domain.game.queries import best\n\n"
        'MOST = 3\n"""Cards."""\n\n\n'
        'def play(hand, least=1):\n    """Best first."""\n    # the best\n    return best(hand) + least\n'
    ),
    "data/cards.json": '{\n  "cards": 12\n}\n',
    "resample.py": "ONE = 1\n",
    "invariants.py": "ONE = 1\n",
    "refusals.py": "ONE = 1\n",
    "positions.py": "ONE = 1\n",
    "positions/start.py": "ONE = 1\n",
    "README.md": "One game.\n",
}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    for name, text in RULES.items():
        file = tmp_path / "game" / name
        file.parent.mkdir(exist_ok=True, parents=True)
        file.write_text(text)
    return tmp_path / "game"


def change(package: Path, name: str, former: str, later: str) -> None:
    text = (package / name).read_text()
    assert former in text
    (package / name).write_text(text.replace(former, later))


@pytest.mark.parametrize(
    ("name", "former", "later"),
    [
        ("rules/turn.py", "MOST = 3", "MOST = 4"),
        ("rules/turn.py", "MOST = 3", 'MOST = "3"'),
        ("rules/turn.py", "best(hand) + least", "best(hand) - least"),
        ("rules/turn.py", "least=1", "*, least=1"),
        ("rules/turn.py", "domain.game.queries", "domain.game.guesses"),
        ("rules/turn.py", "import best", "import worst as best"),
        ("rules/turn.py", "domain.kernel", "domain.commons"),
        ("rules/turn.py", "import json", "import msgspec as json"),
        ("queries.py", "max", "min"),
        ("data/cards.json", "12", "13"),
    ],
)
def test_rules_and_data_are_hashed(package: Path, name: str, former: str, later: str) -> None:
    before = rules_hash(package)
    change(package, name, former, later)
    assert rules_hash(package) != before


@pytest.mark.parametrize(
    ("former", "later"),
    [
        ('"""One turn."""', '"""A turn of one seat."""'),
        ('\n"""Cards."""', ""),
        ('"""Best first."""', "'The best card first.'"),
        ("    # the best\n", ""),
        ("best(hand) + least", "(\n        best(hand)\n        + least\n    )"),
        ("domain.kernel.play", "domain.kernel.procedure"),
        ("import json\n\nfrom domain.kernel.play import Flow", "from domain.kernel.play import Flow\nimport json"),
    ],
)
def test_how_rules_are_written_and_explained_does_not_count(package: Path, former: str, later: str) -> None:
    before = rules_hash(package)
    change(package, "rules/turn.py", former, later)
    assert rules_hash(package) == before


def test_a_module_that_moves_is_the_same_rules(package: Path) -> None:
    before = rules_hash(package)
    (package / "board").mkdir()
    (package / "board" / "__init__.py").write_text('"""The board."""\n')
    (package / "queries.py").rename(package / "board" / "questions.py")
    change(package, "rules/turn.py", "domain.game.queries", "domain.game.board.questions")
    (package / "data" / "cards.json").rename(package / "board" / "cards.json")
    assert rules_hash(package) == before


def test_a_module_more_or_less_changes_the_hash(package: Path) -> None:
    before = rules_hash(package)
    (package / "rules" / "round.py").write_text("LEAST = 1\n")
    more = rules_hash(package)
    (package / "rules" / "turn.py").unlink()
    assert len({before, more, rules_hash(package)}) == 3


def test_data_files_that_change_names_change_the_hash(package: Path) -> None:
    before = rules_hash(package)
    (package / "data" / "cards.json").rename(package / "data" / "boards.json")
    assert rules_hash(package) != before


@pytest.mark.parametrize("name", ["resample.py", "invariants.py", "refusals.py", "positions.py", "positions/start.py"])
def test_what_decides_nothing_is_not_hashed(package: Path, name: str) -> None:
    before = rules_hash(package)
    (package / name).write_text("TWO = 2\n")
    assert rules_hash(package) == before


@pytest.mark.parametrize("name", ["rules/turn.py", "data/cards.json"])
def test_line_ends_do_not_count(package: Path, name: str) -> None:
    before = rules_hash(package)
    (package / name).write_bytes((package / name).read_bytes().replace(b"\n", b"\r\n"))
    assert rules_hash(package) == before


def test_a_package_without_rules_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no rules"):
        rules_hash(tmp_path)
