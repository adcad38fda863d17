"""The summons: who is called, and who is left alone."""

import random
from typing import Any

from domain.kernel import Chosen, Seat
from projections.redaction import Viewer
from replay.record.referee import Referee, Ruling
from replay.store.memory import MemoryStore
from server.operations.intervals import INTERVALS
from server.table.connections import Connections
from server.table.reminders import Reminders
from server.webhooks.delivery import Lapsed, Notice
from tests.replay.matches import START, begun, ended
from tests.server.table.standins import Ear, crowd_of

Told = list[tuple[str, list[Notice | Lapsed], int]]


def summons_of(connections: Connections) -> tuple[Referee[Any], Told, Reminders[Any]]:
    referee = begun(MemoryStore(), kind="person")
    told: Told = []
    return (
        referee,
        told,
        Reminders(referee, "A title", connections, lambda *given: told.append((given[0], [*given[1]], given[2]))),
    )


def chosen(referee: Referee[Any]) -> Ruling[Any]:
    """What a random choice comes to; it is not accepted yet."""
    asked = referee.state.asked[0]
    choice = referee.game.revive_decision(asked).form(referee.state).sample(random.Random(1).randrange)
    return referee.choose(asked.seat, asked.number, choice, Chosen(asked.seat, asked.number, "c", "seat"), START)


def test_it_is_the_turn_of_every_seat_that_is_asked() -> None:
    referee, _, reminders = summons_of(Connections(()))
    turn = reminders.turn(Seat(1))
    assert (turn.match, turn.seat, turn.title, turn.yours, turn.due_ms) == (referee.match, 1, "A title", True, 0)
    referee.accept(ended(referee, START))
    assert not reminders.turn(Seat(1)).yours


def test_who_is_there_is_not_reminded() -> None:
    _, _, reminders = summons_of(crowd_of(Ear(Viewer(Seat(0)))))
    assert [notice.seat for notice in reminders.reminders()] == [1]
    _, _, nobody = summons_of(Connections(()))
    assert [notice.seat for notice in nobody.reminders()] == [0, 1]


def test_whoever_sits_down_and_is_about_to_enter_is_not_reminded() -> None:
    connections = Connections(())
    _, _, reminders = summons_of(connections)
    with connections.coming(1):
        assert [notice.seat for notice in reminders.reminders()] == [0]
    assert [notice.seat for notice in reminders.reminders()] == [0, 1]


def test_how_a_match_ended_is_told_with_the_commit_that_ended_it() -> None:
    referee, told, reminders = summons_of(Connections(()))
    ruling = ended(referee, START)
    assert reminders.held_until(ruling) == ruling.writer.at + INTERVALS.held_ms
    referee.accept(ruling)
    reminders.call(ruling.events)
    ((match, tidings, line),) = told
    assert (match, line) == (referee.match, referee.seq)
    assert [notice.event for notice in tidings if isinstance(notice, Notice)] == ["result"]
    assert any(isinstance(notice, Lapsed) for notice in tidings)


def test_of_what_another_server_wrote_only_that_a_decision_waits_no_longer_is_told_and_its_call_is_left_alone() -> None:
    referee, told, reminders = summons_of(Connections(()))
    ruling = ended(referee, START)
    referee.accept(ruling)
    reminders.call(ruling.events, is_news=True)
    ((_, tidings, line),) = told
    assert tidings
    assert all(isinstance(each, Lapsed) for each in tidings)
    assert line == 0


def test_nobody_is_in_hand_to_be_called_for_a_commit_after_which_only_those_are_asked_who_are_there() -> None:
    everybody = crowd_of(Ear(Viewer(Seat(0))), Ear(Viewer(Seat(1))))
    referee, told, reminders = summons_of(everybody)
    referee.accept(chosen(referee))
    played = chosen(referee)
    assert reminders.held_until(played) == 0
    referee.accept(played)
    reminders.call(played.events)
    assert [(tidings, line) for _, tidings, line in told if line] == []


def test_a_call_that_was_noted_is_settled_where_everybody_has_come_meanwhile() -> None:
    connections = Connections(())
    referee, told, reminders = summons_of(connections)
    referee.accept(chosen(referee))
    played = chosen(referee)
    assert reminders.held_until(played) == played.writer.at + INTERVALS.held_ms
    for seat in (0, 1):
        connections.enter(Ear(Viewer(Seat(seat))))
    referee.accept(played)
    reminders.call(played.events)
    assert [line for _, _, line in told] == [referee.seq]
    assert not any(isinstance(each, Notice) for _, tidings, _ in told for each in tidings)


def test_a_decision_waits_until_it_is_made_or_the_match_is_over() -> None:
    referee, _, reminders = summons_of(Connections(()))
    asked = referee.state.asked[0]
    assert reminders.waits(asked.seat, asked.number)
    assert not reminders.waits(asked.seat, asked.number + 99)
    assert not reminders.waits(1 - asked.seat, asked.number)
    referee.accept(ended(referee, START))
    assert not reminders.waits(asked.seat, asked.number)


def test_where_nobody_takes_notices_nothing_is_called() -> None:
    referee = begun(MemoryStore(), kind="person")
    reminders: Reminders[Any] = Reminders(referee, "", Connections(()), None)
    reminders.call(())
    assert reminders.held_until(ended(referee, START)) == 0
    assert len(reminders.reminders()) == 2
