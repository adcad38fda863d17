"""Whatever an author writes by mistake, a scenario is checked or refused in words: never with a traceback."""

import copy
import random
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from replay.scenarios.errors import ScenarioInvalid
from replay.scenarios.format import Scenario
from replay.scenarios.play import check, parse
from tests.conformance.walks import games
from tests.scenarios.hostile_scenarios import places

HERE = Path(__file__).parent
FILES = sorted(HERE.rglob("*.toml"))
GAMES = {game.name: game for game in games()}
ODD: tuple[Any, ...] = ("", "B9", "none", "?", "...", "1 2 3", 0, -1, 2**63, 2.5, True, [], [[]], {}, ["x"], [1])
"""What stands where something else belongs."""


def spoil(data: dict[str, Any], source: random.Random) -> dict[str, Any]:
    """The data with something odd in one place, or one word of a text left out or changed."""
    made = copy.deepcopy(data)
    *around, last = source.choice([place for place in places(made) if place and place[0] not in {"title", "game"}])
    inner: Any = made
    for key in around:
        inner = inner[key]
    words = inner[last].split() if isinstance(inner[last], str) else []
    if words and source.random() < 0.5:
        words[source.randrange(len(words))] = str(source.choice(("x", "", "B9", "-1", "%", "=")))
        inner[last] = " ".join(words)
    else:
        inner[last] = source.choice(ODD)
    return made


def said(data: dict[str, Any]) -> str:
    """What is said of a file; empty where it is as told."""
    try:
        scenario = msgspec.convert(data, Scenario)
    except msgspec.ValidationError:
        return "refused by the format"
    try:
        return "".join(map(str, check(GAMES[scenario.game], scenario)))
    except ScenarioInvalid as wrong:
        return str(wrong)


@pytest.mark.parametrize("seed", range(4))
def test_no_odd_value_ends_in_a_traceback(seed: int) -> None:
    source = random.Random(seed)
    heard = [said(spoil(tomllib.loads(source.choice(FILES).read_text(encoding="utf-8")), source)) for _ in range(60)]
    assert sum(map(bool, heard)) > len(heard) / 2
    assert not [line for line in heard if "Ability." in line or "`$" in line or "<" in line.replace("<=", "")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = " + "9" * 5000, "not TOML"),
        ("a = " + "[" * 5000 + "]" * 5000, "not TOML"),
        ('title = "x"\ngame = "y"\nwhen = "z"', "[when]: a list is needed, not a text"),
        ('title = "x"\ngame = "y"\n[[when]]\nseat = 0', "[when 1]: give one of `choice`"),
        ('title = "x"\ngame = "y"\n[[case]]\nname = "a"\n[[case]]\nname = "a"', "every case has a name of its own"),
        ('title = "x"\ngame = "y"\n[[case]]\nname = "a"\n[[case.when]]\nseat = 0', "[case a: when 1]: give one of"),
        ('title = "x"\ngame = "y"\n[[case]]\nnane = "a"', "[case 1]: the key"),
    ],
)
def test_what_is_no_scenario_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(ScenarioInvalid) as told:
        parse(text)
    assert message in str(told.value)
