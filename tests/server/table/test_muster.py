"""The muster: play begins with the last share of chance, or the match is void (RECORD 4)."""

import asyncio
from typing import Any

import anyio
import pytest

from domain.kernel import Seat
from replay.record import hr1, keychain
from replay.record.errors import SeatRefused
from replay.record.referee import Referee
from replay.store.memory import MemoryStore
from server.table.desk import Desk
from server.table.muster import Muster
from tests.replay.matches import START, created, put
from tests.server.table.standins import StillTime, Writing

SHARE = bytes(range(32))
COMMITMENT = hr1.b64(keychain.entropy_commitment(SHARE))
ADA = Seat(0)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def muster_of(seats: int = 2) -> tuple[Referee[Any], Any, Muster[Any]]:
    store = MemoryStore()
    referee = created(store, kind="person")
    for seat in range(seats):
        put(store, referee, referee.take_seat(Seat(seat), f"Player {seat}", "person", START))
    docket: Any = Writing(store, referee)
    return referee, docket, Muster(referee, docket, Desk(referee, StillTime(START)))


async def begin(docket: Any, muster: Muster[Any]) -> None:
    async with docket.lock:
        await muster.begin()


@pytest.mark.anyio
async def test_play_begins_with_the_last_seat_and_not_before() -> None:
    referee, docket, muster = muster_of(1)
    await begin(docket, muster)
    assert not referee.state.begun
    referee, docket, muster = muster_of(2)
    await begin(docket, muster)
    assert referee.state.begun
    seq = referee.seq
    await begin(docket, muster)
    assert referee.seq == seq


@pytest.mark.anyio
async def test_a_seats_own_share_is_waited_for_and_begins_the_match() -> None:
    referee, docket, muster = muster_of()
    async with docket.lock:
        await muster.commit_share(ADA, COMMITMENT)
        await muster.begin()
    assert muster.is_waiting
    assert not referee.state.begun
    with pytest.raises(SeatRefused, match="not the share"):
        await muster.reveal(ADA, hr1.b64(bytes(32)))
    await muster.reveal(ADA, hr1.b64(SHARE))
    assert referee.state.begun
    assert not muster.is_waiting


@pytest.mark.anyio
async def test_a_share_that_cannot_be_written_may_be_revealed_again() -> None:
    _, docket, muster = muster_of()
    async with docket.lock:
        await muster.commit_share(ADA, COMMITMENT)
        await muster.begin()
    docket.writes = False
    with pytest.raises(SeatRefused, match="reveal it again"):
        await muster.reveal(ADA, hr1.b64(SHARE))
    muster.stop()


@pytest.mark.anyio
async def test_a_share_that_is_never_revealed_voids_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replay.record.seating.REVEAL_MS", 0)
    referee, docket, muster = muster_of()
    async with docket.lock:
        await muster.commit_share(ADA, COMMITMENT)
        await muster.begin()
    muster.watch()
    with anyio.fail_after(20):
        while muster.is_waiting:
            await asyncio.sleep(0.01)
    assert referee.state.result is not None
    assert "never revealed" in referee.state.result.reason


@pytest.mark.anyio
async def test_a_match_whose_server_stopped_after_the_last_seat_begins_when_it_is_back() -> None:
    referee, _, muster = muster_of()
    muster.watch()
    assert not muster.is_waiting, "nobody has fixed a share of his own"
    muster.resume()
    with anyio.fail_after(20):
        while not referee.state.begun:
            await asyncio.sleep(0)
