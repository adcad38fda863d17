"""The setup of chance: play begins with the last share of chance, or the match is void (docs/record.md 4)."""

import asyncio
from typing import Any

import anyio
import pytest

from domain.kernel import Seat
from replay.record import keychain, sealing
from replay.record.errors import SeatRefused
from replay.record.preparation import Preparation
from replay.record.referee import Referee
from replay.store.errors import StoreFailed
from replay.store.memory import MemoryStore
from server.table.chance_setup import ChanceSetup
from server.table.table_state import TableState
from tests.replay.matches import START, created, put
from tests.server.table.standins import StillTime, Writing
from tests.server.tabletop import live

SHARE = bytes(range(32))
COMMITMENT = sealing.b64(keychain.entropy_commitment(SHARE))
ADA = Seat(0)


def chance_setup_of(seats: int = 2) -> tuple[Referee[Any], Any, ChanceSetup[Any]]:
    store = MemoryStore()
    referee = created(store, kind="person")
    for seat in range(seats):
        put(store, referee, Preparation(referee).take_seat(Seat(seat), f"Player {seat}", "person", START))
    command_queue: Any = Writing(store, referee)
    return referee, command_queue, ChanceSetup(referee, command_queue, TableState(referee, StillTime(START)))


async def begin(command_queue: Any, chance_setup: ChanceSetup[Any]) -> None:
    async with command_queue.lock:
        await chance_setup.begin()


@live
async def test_play_begins_with_the_last_seat_and_not_before() -> None:
    referee, command_queue, chance_setup = chance_setup_of(1)
    await begin(command_queue, chance_setup)
    assert not referee.state.begun
    referee, command_queue, chance_setup = chance_setup_of(2)
    await begin(command_queue, chance_setup)
    assert referee.state.begun
    seq = referee.seq
    await begin(command_queue, chance_setup)
    assert referee.seq == seq


@live
async def test_a_seats_own_share_is_waited_for_and_begins_the_match() -> None:
    referee, command_queue, chance_setup = chance_setup_of()
    async with command_queue.lock:
        await chance_setup.commit_share(ADA, COMMITMENT)
        await chance_setup.begin()
    assert chance_setup.is_waiting
    assert not referee.state.begun
    with pytest.raises(SeatRefused, match="not the share"):
        await chance_setup.reveal(ADA, sealing.b64(bytes(32)))
    await chance_setup.reveal(ADA, sealing.b64(SHARE))
    assert referee.state.begun
    assert not chance_setup.is_waiting


@live
async def test_a_share_that_cannot_be_written_may_be_revealed_again() -> None:
    _, command_queue, chance_setup = chance_setup_of()
    async with command_queue.lock:
        await chance_setup.commit_share(ADA, COMMITMENT)
        await chance_setup.begin()
    command_queue.writes = False
    with pytest.raises(StoreFailed):
        await chance_setup.reveal(ADA, sealing.b64(SHARE))
    chance_setup.stop()


@live
async def test_a_share_that_is_never_revealed_voids_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replay.record.seat_proof.REVEAL_MS", 0)
    referee, command_queue, chance_setup = chance_setup_of()
    async with command_queue.lock:
        await chance_setup.commit_share(ADA, COMMITMENT)
        await chance_setup.begin()
    chance_setup.watch()
    with anyio.fail_after(120):
        while chance_setup.is_waiting:
            await asyncio.sleep(0.01)
    assert referee.state.result is not None
    assert "never revealed" in referee.state.result.reason


@live
async def test_a_match_whose_server_stopped_after_the_last_seat_begins_when_it_is_back() -> None:
    referee, _, chance_setup = chance_setup_of()
    chance_setup.watch()
    assert not chance_setup.is_waiting, "nobody has fixed a share of his own"
    chance_setup.resume()
    with anyio.fail_after(120):
        while not referee.state.begun:
            await asyncio.sleep(0)
