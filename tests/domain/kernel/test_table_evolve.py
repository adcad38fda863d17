"""What acts at the table do to a state's `Table`."""

import pytest
from msgspec.structs import replace

from domain.kernel import Draw, GoOn, MatchPaused, MatchResumed, Seat
from domain.kernel.state import State
from domain.kernel.table import OpenOffer, Table
from domain.kernel.table_evolve import cleared, match_paused, match_resumed

DRAW, GO_ON = OpenOffer(1, Seat(0), Draw()), OpenOffer(2, Seat(1), GoOn())


def at_table(**fields: object) -> State:
    return replace(State(), table=replace(Table(), **fields))


def test_when_the_match_goes_on_an_offer_to_go_on_is_closed_and_others_stay() -> None:
    resumed = match_resumed(at_table(paused=True, offers=(DRAW, GO_ON)), MatchResumed())
    assert (resumed.table.paused, resumed.table.offers) == (False, (DRAW,))


@pytest.mark.parametrize("offers", [(), (DRAW,)])
@pytest.mark.parametrize("paused", [False, True])
def test_a_match_that_is_over_leaves_neither_pause_nor_offer(offers: tuple[OpenOffer, ...], *, paused: bool) -> None:
    over = cleared(at_table(paused=paused, offers=offers))
    assert (over.table.paused, over.table.offers) == (False, ())


def test_a_table_with_nothing_open_is_left_as_it_is() -> None:
    state = at_table()
    assert cleared(state) is state


def test_a_pause_closes_no_offer() -> None:
    paused = match_paused(at_table(offers=(DRAW,)), MatchPaused(60_000))
    assert (paused.table.paused, paused.table.offers) == (True, (DRAW,))
