"""Admission: who comes in and goes, whose eyes are lent, who hears whom."""

import asyncio
import threading
from typing import Any

import pytest

from domain.kernel import Seat
from projections.redaction import SPECTATOR, Viewer
from replay.store.memory import MemorySeats, MemoryStore
from replay.store.seats import WatchRow
from server.operations.settings import DEFAULT_LIMITS
from server.table.admission import Admission
from server.table.chat import ChatRooms
from server.table.connections import Connections
from server.table.devices import SeatDevices
from server.table.errors import GrantRefused
from server.table.guests import GRANTS, token_hash
from server.table.seats import Seats
from tests.replay.matches import begun
from tests.server.table.standins import Ear, Office, crowd_of
from tests.server.tabletop import live
from tests.skirmish.game import GAME

ADA, BO = Viewer(Seat(0)), Viewer(Seat(1))


def admission_of(connections: Connections, *, behind: bool = False) -> tuple[MemoryStore, str, Admission[Any]]:
    store = MemoryStore()
    referee = begun(store, kind="person")
    match = referee.match
    visible_head: Any = Office(is_behind=behind)
    visible_head.behind = (SPECTATOR,) if behind else ()
    table_state: Any = Office()
    devices = SeatDevices(store, referee, connections, Seats(GAME, match, store, store.seats.holders(match)))
    return (
        store,
        match,
        Admission(
            store, match, connections, ChatRooms(store, match, DEFAULT_LIMITS), visible_head, table_state, devices
        ),
    )


def test_that_a_seat_is_there_is_told_to_all_and_a_spectator_tells_nobody() -> None:
    ada, watcher, bo = Ear(ADA), Ear(), Ear(BO)
    connections = Connections(())
    _, _, admission = admission_of(connections)
    admission.enter(ada)
    admission.enter(watcher)
    assert (ada.kinds(), watcher.kinds()) == (["presence"], ["presence"])
    admission.enter(bo)
    assert (len(ada.frames), len(watcher.frames), len(bo.frames)) == (2, 2, 1)
    assert watcher.frames[-1]["seats"] == [0, 1]
    admission.leave(watcher)
    assert len(ada.frames) == 2
    admission.leave(bo)
    assert ada.frames[-1]["seats"] == [0]


def test_who_is_kept_behind_is_not_told_who_is_there() -> None:
    watcher = Ear()
    connections = crowd_of(Ear(ADA), watcher)
    _, _, admission = admission_of(connections, behind=True)
    admission.tell_presence()
    assert connections.told.seats == (0,)
    assert watcher.frames == []
    admission.look_round()
    admission.look_round()
    assert [frame.get("seats", []) for frame in watcher.frames] == [[]]


def test_looking_round_tells_only_what_has_changed() -> None:
    ada = Ear(ADA)
    connections = crowd_of(ada)
    _, _, admission = admission_of(connections)
    admission.look_round()
    admission.look_round()
    assert ada.kinds() == ["presence"]
    connections.enter(Ear())
    admission.look_round()
    assert ada.kinds() == ["presence"] * 2


@live
async def test_a_seat_lends_its_eyes_to_so_many_and_no_more() -> None:
    connections = Connections(())
    store, match, admission = admission_of(connections)
    tokens = [await admission.grant(Seat(0)) for _ in range(GRANTS)]
    with pytest.raises(GrantRefused):
        await admission.grant(Seat(0))
    assert {row.token_hash for row in store.seats.watchers(match)} == {token_hash(token) for token in tokens}
    caster = Ear(ADA, "caster")
    connections.enter(caster)
    await admission.revoke(Seat(0))
    assert caster.code == 4010
    assert not store.seats.watchers(match)
    assert await admission.grant(Seat(0))


@pytest.mark.parametrize("is_granted_anew", [True, False])
@live
async def test_a_token_that_was_taken_back_elsewhere_sends_its_casters_away(*, is_granted_anew: bool) -> None:
    connections = Connections(())
    store, match, admission = admission_of(connections)
    await admission.grant(Seat(0))
    await admission.grant(Seat(1))
    hers, his, ada = Ear(ADA, "caster"), Ear(BO, "caster"), Ear(ADA)
    for ear in (hers, his, ada):
        admission.enter(ear)
    await admission.look_at_grants()
    assert (hers.code, his.code) == (0, 0)
    store.seats.revoke(match, 0)
    if is_granted_anew:
        store.seats.grant(match, WatchRow(0, b"n" * 32))
    await admission.look_at_grants()
    assert (hers.code, his.code, ada.code) == (4010, 0, 0)
    assert connections.shared == ({0: 1, 1: 1} if is_granted_anew else {1: 1})


@pytest.mark.parametrize("is_elsewhere", [True, False])
@live
async def test_who_comes_with_a_new_token_is_not_sent_away_for_an_old_one(*, is_elsewhere: bool) -> None:
    connections = Connections(())
    store, match, admission = admission_of(connections)
    await admission.grant(Seat(0))
    first, second = Ear(ADA, "caster"), Ear(ADA, "caster")
    admission.enter(first)
    await admission.look_at_grants()
    admission.leave(first)
    if is_elsewhere:
        store.seats.revoke(match, 0)
    else:
        await admission.revoke(Seat(0))
    store.seats.grant(match, WatchRow(0, b"n" * 32))
    admission.enter(second)
    await admission.look_at_grants()
    assert second.code == 0


@live
async def test_a_seat_that_lends_and_takes_back_at_once_is_said_to_share_what_it_shares(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connections = Connections(())
    store, match, admission = admission_of(connections)
    grant, may = store.seats.grant, threading.Event()

    def late(match: str, row: WatchRow) -> None:
        may.wait(120)
        grant(match, row)

    monkeypatch.setattr(store.seats, "grant", late)
    both = [asyncio.create_task(admission.grant(Seat(0))), asyncio.create_task(admission.revoke(Seat(0)))]
    await asyncio.sleep(0.05)
    may.set()
    await asyncio.gather(*both)
    assert len(store.seats.watchers(match)) == connections.shared.get(0, 0)


@live
async def test_a_token_that_cannot_be_kept_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    connections = Connections(())
    _, _, admission = admission_of(connections)

    def full(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(MemorySeats, "grant", full)
    with pytest.raises(OSError, match="disk is full"):
        await admission.grant(Seat(0))
    assert not connections.shared


@live
async def test_a_word_is_heard_in_the_speakers_room_alone() -> None:
    ada, bo, watcher, caster = Ear(ADA), Ear(BO), Ear(SPECTATOR), Ear(ADA, "caster")
    connections = crowd_of(ada, bo, watcher, caster)
    _, _, admission = admission_of(connections)
    await admission.say(ada, "a trap")
    await admission.say(watcher, "look at that")
    assert (ada.heard, bo.heard) == (["a trap"], ["a trap"])
    assert (watcher.heard, caster.heard) == (["look at that"], [])
