"""docs/research.md: its programs run, and its policy learns to beat chance."""

import re
from typing import Any

import numpy as np
import pytest

from tests.web.node import ROOT

PAGE = (ROOT / "docs" / "research.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python ?(\S*)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def defined(code: str) -> dict[str, Any]:
    made: dict[str, Any] = {"__name__": "page"}
    exec(compile(code, "docs/research.md", "exec"), made)
    return made


def test_a_match_is_played_in_an_environment() -> None:
    made = defined(next(code for _, code in BLOCKS if "agent_iter" in code and "def " not in code))
    assert made["table"].agents == []


def test_the_policy_learns_from_a_match() -> None:
    made = defined(dict(BLOCKS)["train.py"])
    weights = made["train"]("war_for_edadh", 2, np.random.default_rng(1), batch=2)
    assert np.abs(weights).max() > 0


@pytest.mark.deep
def test_the_policy_learns_to_beat_chance() -> None:
    made, source = defined(dict(BLOCKS)["train.py"]), np.random.default_rng(1)
    weights = made["train"]("vera_discordia", 400, source)
    assert made["judge"]("vera_discordia", weights, 200, source) > 0.55
