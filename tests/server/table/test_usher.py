"""The usher: who comes in and goes, whose eyes are lent, who hears whom."""

import asyncio
import threading
from typing import Any

import pytest

from domain.kernel import Seat
from projections.redaction import SPECTATOR, Viewer
from replay.store.memory import MemorySeats, MemoryStore
from replay.store.seats import WatchRow
from server.operations.settings import DEFAULT_LIMITS
from server.table.chat import Chat
from server.table.crowd import Crowd
from server.table.errors import GrantRefused
from server.table.guests import GRANTS, token_hash
from server.table.usher import Usher
from tests.replay.matches import begun
from tests.server.table.standins import Ear, Office, crowd_of

ADA, BO = Viewer(Seat(0)), Viewer(Seat(1))


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def usher_of(crowd: Crowd, *, behind: bool = False) -> tuple[MemoryStore, str, Usher[Any]]:
    store = MemoryStore()
    match = begun(store, kind="person").match
    horizon: Any = Office(is_behind=behind)
    desk: Any = Office()
    return store, match, Usher(store, match, crowd, Chat(store, match, DEFAULT_LIMITS), horizon, desk)


def test_that_a_seat_is_there_is_told_to_all_and_a_spectator_tells_nobody() -> None:
    ada, watcher, bo = Ear(ADA), Ear(), Ear(BO)
    crowd = Crowd(())
    _, _, usher = usher_of(crowd)
    usher.enter(ada)
    usher.enter(watcher)
    assert (ada.kinds(), watcher.kinds()) == (["presence"], ["presence"])
    usher.enter(bo)
    assert (len(ada.frames), len(watcher.frames), len(bo.frames)) == (2, 2, 1)
    assert watcher.frames[-1]["seats"] == [0, 1]
    usher.leave(watcher)
    assert len(ada.frames) == 2
    usher.leave(bo)
    assert ada.frames[-1]["seats"] == [0]


def test_who_is_kept_behind_is_not_told_who_is_there() -> None:
    watcher = Ear()
    crowd = crowd_of(Ear(ADA), watcher)
    _, _, usher = usher_of(crowd, behind=True)
    usher.tell_presence()
    assert watcher.frames[-1].get("seats", []) == []
    assert crowd.told.seats == (0,)


def test_looking_round_tells_only_what_has_changed() -> None:
    ada = Ear(ADA)
    crowd = crowd_of(ada)
    _, _, usher = usher_of(crowd)
    usher.look_round()
    usher.look_round()
    assert ada.kinds() == ["presence"]
    crowd.enter(Ear())
    usher.look_round()
    assert ada.kinds() == ["presence"] * 2


@pytest.mark.anyio
async def test_a_seat_lends_its_eyes_to_so_many_and_no_more() -> None:
    crowd = Crowd(())
    store, match, usher = usher_of(crowd)
    tokens = [await usher.grant(Seat(0)) for _ in range(GRANTS)]
    with pytest.raises(GrantRefused):
        await usher.grant(Seat(0))
    assert {row.token_hash for row in store.seats.watchers(match)} == {token_hash(token) for token in tokens}
    caster = Ear(ADA, "caster")
    crowd.enter(caster)
    await usher.revoke(Seat(0))
    assert caster.code == 4010
    assert not store.seats.watchers(match)
    assert await usher.grant(Seat(0))


@pytest.mark.parametrize("is_granted_anew", [True, False])
@pytest.mark.anyio
async def test_a_token_that_was_taken_back_elsewhere_sends_its_casters_away(*, is_granted_anew: bool) -> None:
    crowd = Crowd(())
    store, match, usher = usher_of(crowd)
    await usher.grant(Seat(0))
    await usher.grant(Seat(1))
    hers, his, ada = Ear(ADA, "caster"), Ear(BO, "caster"), Ear(ADA)
    for ear in (hers, his, ada):
        usher.enter(ear)
    await usher.look_at_grants()
    assert (hers.code, his.code) == (0, 0)
    store.seats.revoke(match, 0)
    if is_granted_anew:
        store.seats.grant(match, WatchRow(0, b"n" * 32))
    await usher.look_at_grants()
    assert (hers.code, his.code, ada.code) == (4010, 0, 0)
    assert crowd.shared == ({0: 1, 1: 1} if is_granted_anew else {1: 1})


@pytest.mark.parametrize("is_elsewhere", [True, False])
@pytest.mark.anyio
async def test_who_comes_with_a_new_token_is_not_sent_away_for_an_old_one(*, is_elsewhere: bool) -> None:
    crowd = Crowd(())
    store, match, usher = usher_of(crowd)
    await usher.grant(Seat(0))
    first, second = Ear(ADA, "caster"), Ear(ADA, "caster")
    usher.enter(first)
    await usher.look_at_grants()
    usher.leave(first)
    if is_elsewhere:
        store.seats.revoke(match, 0)
    else:
        await usher.revoke(Seat(0))
    store.seats.grant(match, WatchRow(0, b"n" * 32))
    usher.enter(second)
    await usher.look_at_grants()
    assert second.code == 0


@pytest.mark.anyio
async def test_a_seat_that_lends_and_takes_back_at_once_is_said_to_share_what_it_shares(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    crowd = Crowd(())
    store, match, usher = usher_of(crowd)
    grant, may = store.seats.grant, threading.Event()

    def late(match: str, row: WatchRow) -> None:
        may.wait(10)
        grant(match, row)

    monkeypatch.setattr(store.seats, "grant", late)
    both = [asyncio.create_task(usher.grant(Seat(0))), asyncio.create_task(usher.revoke(Seat(0)))]
    await asyncio.sleep(0.05)
    may.set()
    await asyncio.gather(*both)
    assert len(store.seats.watchers(match)) == crowd.shared.get(0, 0)


@pytest.mark.anyio
async def test_a_token_that_cannot_be_kept_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    crowd = Crowd(())
    _, _, usher = usher_of(crowd)

    def full(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(MemorySeats, "grant", full)
    with pytest.raises(OSError, match="disk is full"):
        await usher.grant(Seat(0))
    assert not crowd.shared


@pytest.mark.anyio
async def test_a_word_is_heard_in_the_speakers_room_alone() -> None:
    ada, bo, watcher, caster = Ear(ADA), Ear(BO), Ear(SPECTATOR), Ear(ADA, "caster")
    crowd = crowd_of(ada, bo, watcher, caster)
    _, _, usher = usher_of(crowd)
    await usher.say(ada, "a trap")
    await usher.say(watcher, "look at that")
    assert (ada.heard, bo.heard) == (["a trap"], ["a trap"])
    assert (watcher.heard, caster.heard) == (["look at that"], [])
