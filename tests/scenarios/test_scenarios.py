"""Every scenario file of every game is as told."""

from pathlib import Path

import pytest

from replay.scenarios.play import check, load
from tests.conformance.walks import games

HERE = Path(__file__).parent
FILES = sorted(HERE.rglob("*.toml"))
GAMES = {game.name: game for game in games()}


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(HERE)) for path in FILES])
def test_scenario(path: Path) -> None:
    scenario = load(path)
    assert scenario.game == path.parent.name
    differences = check(GAMES[scenario.game], scenario)
    assert not differences, "\n" + "\n".join(map(str, differences))
