"""Seating: a free seat is taken once, with the line and the token in one stroke."""

from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from replay.record import sealing
from replay.record.referee import Referee
from replay.store.memory import MemoryStore
from replay.store.seats import SeatRow
from server.table.errors import CannotSit
from server.table.seating import Seating
from server.table.table_state import TableState
from tests.replay.matches import START, created
from tests.server.table.standins import Office, StillTime, Writing
from tests.server.tabletop import live

ROW = SeatRow(0, "Ada", "person", "", b"token")


class Hallway:
    """Seating among stand-ins, and what it did to them."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.referee: Referee[Any] = created(self.store, kind="")
        self.rows: dict[int, SeatRow] = {row.seat: row for row in self.store.seats.holders(self.referee.match)}
        command_queue: Any = Writing(self.store, self.referee)
        broadcaster: Any = Office()
        self.command_queue, self.broadcaster = command_queue, broadcaster
        self.shares: list[str] = []
        self.begins = 0
        seats: Any = SimpleNamespace(row=self.rows.get, enrol=lambda row: self.rows.update({row.seat: row}))
        chance_setup: Any = SimpleNamespace(commit_share=self._commit_share, begin=self._begin)
        table_state = TableState(self.referee, StillTime(START))
        self.seating: Seating[Any] = Seating(self.referee, command_queue, seats, broadcaster, chance_setup, table_state)

    async def _commit_share(self, seat: int, share: str) -> None:
        self.shares.append(f"{seat} {share}")

    async def _begin(self) -> None:
        self.begins += 1


@live
async def test_who_sits_down_is_in_the_record_and_the_store_and_everybody_is_told() -> None:
    hosted = Hallway()
    await hosted.seating.sit(0, "Ada", "person", ROW, entropy="share")
    assert hosted.referee.state.players == ("Ada", "")
    assert hosted.store.seats.holders(hosted.referee.match)[0] == hosted.rows[0] == ROW
    assert (hosted.broadcaster.calls, hosted.shares, hosted.begins) == (["tell_seats"], ["0 share"], 1)


@pytest.mark.parametrize("seat", [-1, 2, 99])
@live
async def test_a_seat_that_is_not_there_cannot_be_taken(seat: int) -> None:
    hosted = Hallway()
    with pytest.raises(CannotSit):
        await hosted.seating.sit(seat, "Ada", "person", ROW)
    assert not hosted.begins


@live
async def test_who_comes_second_does_not_change_the_token_of_who_came_first() -> None:
    hosted = Hallway()
    await hosted.seating.sit(0, "Ada", "person", ROW)
    with pytest.raises(CannotSit):
        await hosted.seating.sit(0, "Bo", "person", replace(ROW, token_hash=b"other"))
    assert hosted.store.seats.holders(hosted.referee.match)[0].token_hash == b"token"


@live
async def test_a_seat_that_could_not_be_written_was_not_taken() -> None:
    hosted = Hallway()
    hosted.command_queue.writes = False
    with pytest.raises(CannotSit, match="Look again"):
        await hosted.seating.sit(0, "Ada", "person", ROW)
    assert hosted.rows[0] != ROW
    assert not hosted.broadcaster.calls


@live
async def test_what_is_no_key_is_refused_as_a_seat() -> None:
    hosted = Hallway()
    with pytest.raises(CannotSit, match="32 bytes"):
        await hosted.seating.sit(0, "Ada", "person", ROW, key=sealing.b64(bytes(31)))


@live
async def test_a_seat_is_open_until_it_is_taken_unless_it_is_kept_for_a_link() -> None:
    hosted = Hallway()
    hosted.rows[1] = replace(hosted.rows[1], token_hash=b"for a friend")
    assert [hosted.seating.is_open(seat) for seat in (0, 1, 2)] == [True, False, False]
    assert [hosted.seating.is_awaited(seat) for seat in (0, 1, 2)] == [False, True, False]
    await hosted.seating.sit(0, "Ada", "person", ROW)
    assert not hosted.seating.is_open(0)
