"""The roll: who sits where, which bots play, which line answered which choice."""

from typing import Any

from msgspec.structs import replace

from domain.kernel import Chosen, Seat, SeatReplaced
from replay.record.referee import Referee, read_event
from replay.store.log import Commit, Entry
from replay.store.memory import MemoryStore
from replay.store.seats import SeatRow
from server.table.seats import Seats
from tests.replay.matches import begun, created, played, sit
from tests.skirmish.game import GAME

NAMES = ("Ada", "Bo")


def roll_of(kind: str = "person") -> tuple[MemoryStore, Referee[Any], Seats]:
    store = MemoryStore()
    referee = begun(store, kind=kind)
    return store, referee, Seats(GAME, referee.match, store, store.seats.holders(referee.match))


def line(seq: int, kind: str) -> Entry:
    return Entry(seq, 0, kind, -1, b"")


def test_what_was_accepted_before_a_restart_is_read_from_the_record() -> None:
    store, referee = played(3)
    entries = store.read(referee.match)
    chosen = {
        (event.seat, event.by, event.id): entry.seq
        for entry in entries
        if isinstance(event := read_event(GAME, entry), Chosen) and event.id
    }
    assert len(chosen) > 5
    answers = Seats(GAME, referee.match, store, store.seats.holders(referee.match), entries).answers
    assert {key: answers.line(*key) for key in chosen} == chosen


def test_a_choice_without_an_id_is_not_remembered() -> None:
    _, _, seats = roll_of()
    chosen = (Chosen(Seat(0), 1, id=""), Chosen(Seat(1), 2, id="x"))
    seats.note([line(7, "Chosen"), line(8, "Chosen")], chosen)
    assert (seats.answers.line(0, "seat", ""), seats.answers.line(1, "seat", "x")) == (0, 8)


def test_a_bot_that_takes_a_persons_place_plays_and_is_kept_with_the_line_that_says_so() -> None:
    store, referee, seats = roll_of()
    assert not seats.bots
    replaced = [SeatReplaced(Seat(1), "random")]
    lines = (line(referee.seq + 1, "SeatReplaced"),)
    commit = seats.with_seat(Commit(referee.match, referee.seq, lines, b""), replaced)
    assert not seats.bots
    store.append(commit)
    seats.note(lines, replaced)
    assert set(seats.bots) == {1}
    assert store.seats.holders(referee.match)[1] == replace(
        store.seats.holders(referee.match)[1], kind="bot", bot="random"
    )
    assert set(Seats(GAME, referee.match, store, store.seats.holders(referee.match)).bots) == {1}


def test_a_commit_that_replaces_nobody_goes_as_it_is() -> None:
    _, referee, seats = roll_of()
    commit = Commit(referee.match, referee.seq, (line(9, "Chosen"),), b"")
    assert seats.with_seat(commit, [Chosen(Seat(0), 1)]) is commit


def test_that_a_person_was_replaced_is_news_to_who_has_not_come_so_far() -> None:
    _, _, seats = roll_of()
    seats.note([line(9, "SeatReplaced")], [SeatReplaced(Seat(1), "random")])
    assert [info.kind for info in seats.infos(NAMES, 8)] == ["person", "person"]
    assert [info.kind for info in seats.infos(NAMES, 9)] == ["person", "bot"]


def test_a_seat_without_a_name_has_no_holder_yet() -> None:
    _, _, seats = roll_of()
    assert [info.kind for info in seats.infos(("Ada", ""), 9)] == ["person", ""]


def test_who_sat_down_at_another_server_is_found_by_reading_again() -> None:
    store = MemoryStore()
    referee = created(store, kind="")
    seats = Seats(GAME, referee.match, store, store.seats.holders(referee.match))
    row = SeatRow(1, "Bo", "bot", "random")
    sit(store, referee.match, row)
    assert seats.row(1) != row
    seats.take(store.seats.holders(referee.match))
    assert seats.row(1) == row
    assert set(seats.bots) == {1}
    assert seats.row(2) is None


def test_a_bot_that_plays_is_not_made_anew_with_every_row() -> None:
    _, _, seats = roll_of("bot")
    bot = seats.bots[0]
    row = seats.row(1)
    assert row is not None
    seats.enrol(replace(row, name="Else"))
    assert seats.bots[0] is bot
