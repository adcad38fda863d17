"""What is hidden (ledger section AB), in every scenario, for two to four players."""

from typing import Any

import pytest

from domain.joan_of_arc import GAME
from domain.joan_of_arc.board.scenarios import SHIPPED_SCENARIOS
from server.conformance.walks import PlayedGame
from server.conformance.watching import watch

OPTIONS: list[dict[str, Any]] = [
    {"scenario": name, "seats": seats} for name in SHIPPED_SCENARIOS for seats in (2, 3, 4)
]
TABLES = [pytest.param(PlayedGame(GAME, each), id="-".join(map(str, each.values()))) for each in OPTIONS]


@pytest.mark.parametrize("table", TABLES)
def test_ja_389_ja_390_ja_391_ja_392_ja_394_ja_399_ja_406_nobody_can_tell_hidden_worlds_apart(
    table: PlayedGame,
) -> None:
    """Team-mates included: each is a viewer of his own."""
    watch(table, 11, share=0.05)
