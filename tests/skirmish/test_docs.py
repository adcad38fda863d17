"""docs/adding-a-game.md shows the example games as they are."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8"), re.DOTALL)
SOURCES = ("skirmish/game.py", "skirmish/disclosure.py", "pennants/game.py")
CODE = "".join((ROOT / "tests" / name).read_text(encoding="utf-8") for name in SOURCES)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_code_shown_is_the_code(number: int) -> None:
    assert BLOCKS[number] in CODE


def test_there_is_code() -> None:
    assert len(BLOCKS) > 5
