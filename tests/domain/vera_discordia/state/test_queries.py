"""Questions about the board: neighbours and diagonals (ledger section H)."""

import pytest

from domain.vera_discordia.state.queries import ADJACENT, DIAGONAL
from domain.vera_discordia.state.state import SPACES, Space
from tests.domain.vera_discordia.table import Table, lay, red


@pytest.mark.parametrize(
    ("space", "adjacent", "diagonal"),
    [
        ("V1", {"V2", "R1"}, {"R2"}),
        ("V2", {"V1", "V3", "R2"}, {"R1", "R3"}),
        ("R3", {"R2", "R4", "V3"}, {"V2", "V4"}),
        ("R4", {"R3", "V4"}, {"V3"}),
    ],
)
def test_vd_088_adjacent_is_orthogonal(space: str, adjacent: set[str], diagonal: set[str]) -> None:
    assert set(ADJACENT[Space(space)]) == adjacent
    assert set(DIAGONAL[Space(space)]) == diagonal


def test_vd_088_adjacency_is_mutual_and_never_diagonal() -> None:
    for space in SPACES:
        assert all(space in ADJACENT[other] for other in ADJACENT[space])
        assert not set(ADJACENT[space]) & set(DIAGONAL[space])


def test_vd_085_eight_spaces_four_of_them_vanguard() -> None:
    assert len(SPACES) == 8
    table = Table(lay(*(red(space) for space in SPACES), waiting=False))
    assert set(table.state.at) == {f"0{space}" for space in SPACES}
