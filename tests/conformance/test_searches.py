"""A long search is gone on with where it was, and says what was wrong."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from projections.registry import games
from server.conformance.walks import AnyGame
from tests.conformance import searches


def searched(*arguments: str) -> tuple[int, list[str]]:
    """What the command of the searches comes to: its exit status and its lines."""
    result = CliRunner().invoke(searches.main, arguments)
    return result.exit_code, result.output.splitlines()


def test_a_search_goes_on_where_it_was_and_says_what_was_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    def one(game: AnyGame, seed: int) -> int:
        assert game.name == "joan_of_arc"
        played.append(seed)
        assert seed != 3, "seed 3 is broken"
        return 10

    monkeypatch.setitem(searches.SEARCHES, "chance", one)
    log = str(tmp_path / "runs.log")
    assert searched("joan_of_arc", log, "--search", "chance", "--seeds", "1", "3") == (
        0,
        ["joan_of_arc, chance: 2 matches, 20 answers"],
    )
    status, said = searched("joan_of_arc", log, "--search", "chance", "--seeds", "0", "4")
    assert (status, played) == (1, [1, 2, 0, 3])
    assert said[0] == "joan_of_arc, chance: 4 matches, 30 answers"
    assert said[1].startswith("joan_of_arc, chance, seed 3: seed 3 is broken")
    assert searched("joan_of_arc", log) == (status, said)


@pytest.mark.whole
def test_a_search_for_worlds_that_can_be_told_apart_counts_them() -> None:
    assert searches.compared(games()["disciples_legacy"], 1) > 100


@pytest.mark.parametrize("seed", range(len(searches.OPTIONS["joan_of_arc"])))
def test_every_way_to_play_that_is_searched_is_one_that_can_be_played(seed: int) -> None:
    game = games()["joan_of_arc"]
    assert next(searches.by_chance(searches.table_of(game, seed), seed))


def test_a_match_without_books_is_held_to_its_invariants() -> None:
    assert searches.kept_by_chance(games()["vera_discordia"], 1) > 30
