"""Every game keeps the kernel's promises, whatever is chosen: options, refusals, invariants, ends (STYLE 16)."""

import pytest

from domain.kernel import KernelError
from server.conformance import checks
from server.conformance.walks import AnyGame, PlayedGame
from tests.conformance.walks import games, seeds, tables

GAMES = [pytest.param(game, id=game.name) for game in games()]
TABLES = tables()
SEEDS = seeds(1, 2, 3)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("table", TABLES)
def test_somebody_has_an_option_or_the_match_is_over(table: PlayedGame, seed: int) -> None:
    checks.somebody_has_an_option(table, seed)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("table", TABLES)
def test_every_option_resolves_to_a_state_that_can_be(table: PlayedGame, seed: int) -> None:
    checks.every_option_resolves(table, seed)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("table", TABLES)
def test_nothing_but_the_options_is_accepted_and_a_refusal_changes_nothing(table: PlayedGame, seed: int) -> None:
    checks.nothing_else_is_accepted(table, seed)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("table", TABLES)
def test_a_forms_statements_agree(table: PlayedGame, seed: int) -> None:
    checks.a_forms_statements_agree(table, seed)


@pytest.mark.parametrize("game", GAMES)
def test_decisions_belong_to_their_seat_and_their_moment(game: AnyGame) -> None:
    checks.decisions_belong_to_their_seat(PlayedGame(game, {}), 1)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("table", TABLES)
def test_matches_end_within_the_bound_and_keep_their_invariants(table: PlayedGame, seed: int) -> None:
    checks.matches_end(table, seed)


@pytest.mark.deep
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("matches", [2_000, 20_000])
@pytest.mark.parametrize("table", TABLES)
def test_many_matches_end_and_keep_their_invariants(table: PlayedGame, matches: int) -> None:
    for seed in range(1_000_000, 1_000_000 + matches):
        try:
            checks.matches_end(table, seed)
        except (AssertionError, KernelError, LookupError) as wrong:
            raise AssertionError(f"{table.game.name}, seed {seed}: {wrong}") from wrong
