"""The summons: who is called, and who is left alone."""

from typing import Any

from domain.kernel import Seat
from projections.redaction import Viewer
from replay.record.referee import Referee
from replay.store.memory import MemoryStore
from server.table.crowd import Crowd
from server.table.summons import Summons
from server.webhooks.delivery import Lapsed, Notice
from tests.replay.matches import START, begun, ended
from tests.server.table.standins import Ear, crowd_of


def summons_of(crowd: Crowd) -> tuple[Referee[Any], list[Notice | Lapsed], Summons[Any]]:
    referee = begun(MemoryStore(), kind="person")
    told: list[Notice | Lapsed] = []
    return referee, told, Summons(referee, "A title", crowd, told.append)


def test_it_is_the_turn_of_every_seat_that_is_asked() -> None:
    referee, _, summons = summons_of(Crowd(()))
    turn = summons.turn(Seat(1))
    assert (turn.match, turn.seat, turn.title, turn.yours, turn.due_ms) == (referee.match, 1, "A title", True, 0)
    referee.accept(ended(referee, START))
    assert not summons.turn(Seat(1)).yours


def test_who_is_there_is_not_reminded() -> None:
    _, _, summons = summons_of(crowd_of(Ear(Viewer(Seat(0)))))
    assert [notice.seat for notice in summons.reminders()] == [1]
    _, _, nobody = summons_of(Crowd(()))
    assert [notice.seat for notice in nobody.reminders()] == [0, 1]


def test_how_a_match_ended_is_told_with_the_commit_that_ended_it() -> None:
    referee, told, summons = summons_of(Crowd(()))
    ruling = ended(referee, START)
    referee.accept(ruling)
    summons.call(ruling.events)
    assert [notice.event for notice in told if isinstance(notice, Notice)] == ["result"]
    assert any(isinstance(notice, Lapsed) for notice in told)


def test_where_nobody_takes_notices_nothing_is_called() -> None:
    referee = begun(MemoryStore(), kind="person")
    summons: Summons[Any] = Summons(referee, "", Crowd(()), None)
    summons.call(())
    assert len(summons.reminders()) == 2
