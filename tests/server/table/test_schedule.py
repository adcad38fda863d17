"""When a match needs a server by itself."""

from typing import Any

from msgspec.structs import replace

from domain.kernel import TimeControl
from domain.kernel.clock import NEVER
from domain.kernel.table import Table
from replay.record.referee import Referee
from replay.store.matches import AT_ONCE
from replay.store.memory import MemoryStore
from server.table.schedule import due_of
from tests.replay.matches import begun, ended, played


def due(referee: Referee[Any], bots: tuple[int, ...] = (), **changed: Any) -> int:
    """When the match is due, with something in its state changed."""
    return due_of(referee.game, replace(referee.state, **changed), referee.clocks, bots, referee.at)


def test_where_a_bot_is_asked_a_match_is_due_at_once_and_where_people_are_never() -> None:
    _, referee = played(most=3)
    asked = {asked.seat for asked in referee.state.asked}
    assert due(referee) == NEVER
    assert due(referee, tuple(asked)) == AT_ONCE
    only = tuple(asked for asked in referee.state.asked if asked.seat == 0)
    assert (due(referee, (0,), asked=only), due(referee, (1,), asked=only)) == (AT_ONCE, NEVER)


def test_a_match_that_is_over_is_due_no_more() -> None:
    _, referee = played(most=3)
    over = ended(referee, referee.at).state
    assert due(referee, (0, 1), result=over.result) == NEVER


def test_between_the_last_seat_and_the_beginning_a_match_is_due_and_before_it_is_not() -> None:
    _, referee = played(most=1)
    assert due(referee, begun=False) == AT_ONCE
    assert due(referee, begun=False, players=("Ada", "")) == NEVER


def test_a_match_is_due_when_its_clock_has_run_out_and_for_no_bot_while_it_is_paused() -> None:
    referee: Referee[Any] = begun(MemoryStore(), control=TimeControl("bank", 60_000, on_timeout="default"))
    assert referee.clocks is not None
    assert due(referee) == referee.clocks.next_due() < NEVER
    assert due(referee, (0, 1)) == AT_ONCE
    paused = replace(referee.clocks, runs=(), paused_until=referee.at + 7)
    state = replace(referee.state, table=Table(paused=True))
    assert due_of(referee.game, state, paused, (0, 1), referee.at) == referee.at + 7


class Limited:
    """The example game, with a limit of the rules for one kind of question."""

    def limit_s(self, asked: Any, state: Any) -> float:
        """Two seconds for the first seat, one and a half for the second."""
        del state
        return 2.0 if asked.seat == 0 else 1.5


def test_the_shortest_limit_of_the_rules_makes_a_match_due() -> None:
    _, referee = played(most=3)
    game: Any = Limited()
    first = tuple(asked for asked in referee.state.asked if asked.seat == 0)
    for asked, limit_ms in ((first, 2000), (referee.state.asked, 1500)):
        state = replace(referee.state, asked=asked)
        assert due_of(game, state, None, (), referee.at) == referee.at + limit_ms
