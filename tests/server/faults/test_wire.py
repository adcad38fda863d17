"""Repeated choices, reconnection at every line, jumping clocks, a reader that stalls: nothing doubled or missed."""

import time

import pytest

from server.table.clocks import SteadyClock
from server.table.seats import Seats
from tests.server.faults.wires import CONTROLS, COPIES, come_back, jumped, sent_often, stalled
from tests.server.tabletop import live


@pytest.mark.parametrize(("copies", "sockets"), COPIES)
@live
async def test_a_choice_sent_often_over_several_sockets_is_made_once(copies: int, sockets: int) -> None:
    found = await sent_often(copies, sockets)
    assert found.lost == []
    assert found.came["choices"] > 5
    assert found.came["copies sent"] == copies * found.came["choices"]


@live
async def test_a_choice_that_is_made_twice_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Seats, "_note", lambda *_: None)
    assert (await sent_often(2, 1)).lost


@live
async def test_who_comes_back_at_any_line_sees_what_staying_would_have_shown() -> None:
    found = await come_back()
    assert found.lost == []
    assert found.cases > 500


@pytest.mark.parametrize("control", CONTROLS)
@live
async def test_a_wall_clock_that_jumps_ends_nothing_and_times_never_go_back(control: str) -> None:
    found = await jumped(CONTROLS[control])
    assert found.lost == []
    assert found.came["jumps"] > 5


@pytest.mark.parametrize("control", [control for control in CONTROLS if control != "no clock"])
@live
async def test_a_server_whose_clocks_jump_with_the_wall_clock_is_found_out(
    control: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SteadyClock, "__call__", lambda _: time.time_ns() // 1_000_000)
    assert any("lost its time" in wrong for wrong in (await jumped(CONTROLS[control])).lost)


@live
async def test_a_reader_that_stalls_holds_nobody_up_and_costs_no_more_than_the_limit() -> None:
    found = await stalled()
    assert found.lost == []
    assert found.came["lines caught up"] > 0
