"""What every game is held to, for this one before it is exported: the tests of tests/conformance by themselves."""

from typing import Any

import pytest

from domain.joan_of_arc.draft import GAME
from projections.plain import plain_face
from tests.conformance import test_play, test_position, test_record, test_secrecy
from tests.conformance.telling import misnamed, telling_of
from tests.conformance.walks import Table
from tests.conformance.watching import watch

SCENARIOS = ("s1_ford_at_brossay", "s2_market_day", "s3_wyrm_of_rougemont")
OPTIONS: list[dict[str, Any]] = [
    *({"scenario": name} for name in SCENARIOS),
    {"scenario": SCENARIOS[0], "seats": 3},
    {"scenario": SCENARIOS[1], "seats": 4},
]
TABLES = [pytest.param(Table(GAME, each), id="-".join(map(str, each.values()))) for each in OPTIONS]


@pytest.mark.parametrize("table", TABLES)
def test_matches_are_played_to_their_end(table: Table) -> None:
    test_play.finish(table, 100)
    test_play.test_somebody_has_an_option_or_the_match_is_over(table, 0)


@pytest.mark.parametrize("table", TABLES)
def test_forms_and_options_agree(table: Table) -> None:
    test_play.test_every_option_resolves_to_a_state_that_can_be(table, 1)
    test_play.test_nothing_but_the_options_is_accepted_and_a_refusal_changes_nothing(table, 1)
    test_play.test_a_forms_statements_agree(table, 1)


@pytest.mark.parametrize("table", TABLES)
def test_records_and_positions_give_back_what_was(table: Table) -> None:
    test_record.test_events_read_back_are_the_same_and_fold_to_the_same(table, 0)
    test_position.test_every_state_and_every_view_goes_through_a_record_and_back(table, 0)
    test_position.test_a_match_taken_back_is_for_everybody_what_it_was(table)


def test_folding_calls_no_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    test_record.test_folding_calls_no_rule(GAME, monkeypatch)


def test_decisions_belong_to_their_seat() -> None:
    test_play.test_decisions_belong_to_their_seat_and_their_moment(GAME)


@pytest.mark.parametrize("table", TABLES)
def test_ja_389_ja_390_ja_391_ja_392_ja_394_ja_399_ja_406_nobody_can_tell_hidden_worlds_apart(table: Table) -> None:
    watch(table, 0, share=0.1, face=face())
    test_secrecy.test_a_view_grows_event_by_event_into_the_same_view(table, 0)
    test_secrecy.test_a_resampled_world_looks_the_same_and_is_whole(table, 0)


def test_what_is_opened_to_a_seat_is_in_its_state() -> None:
    test_secrecy.test_what_is_opened_to_a_seat_is_in_its_state(GAME)
    test_secrecy.test_resampling_mostly_draws_another_world(GAME)


def test_what_is_told_has_its_name() -> None:
    assert not list(misnamed(telling_of(GAME.name), GAME.events, GAME.slots))


def face() -> Any:
    """The plain face, until the game has its own."""
    return plain_face(GAME)
