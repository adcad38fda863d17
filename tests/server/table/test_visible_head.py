"""The visible head: where the record ends for each viewer, and what the server signs of it."""

import asyncio
from typing import Any

from domain.kernel import Seat
from projections.redaction import SPECTATOR, Viewer
from replay.record import sealing
from replay.record.referee import Referee
from replay.store.store import Store
from server.operations.intervals import INTERVALS
from server.table.delay import Backlog
from server.table.visible_head import VisibleHead
from server.wire.protocol import Delay
from tests.replay.matches import START, ended, played
from tests.server.tabletop import live

ADA = Viewer(Seat(0))


def sign(message: bytes) -> bytes:
    return sealing.tagged_hash("key", b"") + sealing.tagged_hash("sign", message) * 2


def behind(
    events: int, keyed: bool = True, heartbeat_s: float = INTERVALS.heartbeat_s
) -> tuple[Store, Referee[Any], VisibleHead[Any]]:
    store, referee = played(2, most=6, sign=sign if keyed else None)
    entries = store.read(referee.match)
    delay = Delay(events) if events else None
    backlogs = {SPECTATOR: Backlog(delay, referee.match, entries, START)} if delay else {}
    return store, referee, VisibleHead(referee, backlogs, heartbeat_s)


def test_without_a_delay_the_record_ends_for_everybody_at_its_last_line() -> None:
    _, referee, visible_head = behind(0)
    assert visible_head.delay_of(SPECTATOR) is None
    assert visible_head.behind == ()
    assert not visible_head.is_behind(SPECTATOR)
    assert visible_head.end_for(SPECTATOR) == visible_head.end_for(ADA) == visible_head.head
    assert visible_head.seq_for(SPECTATOR) == visible_head.seq == referee.seq


def test_spectators_who_are_kept_behind_see_an_earlier_end_and_seats_the_last() -> None:
    store, referee, visible_head = behind(5)
    end = visible_head.end_for(SPECTATOR)
    assert visible_head.is_behind(SPECTATOR)
    assert not visible_head.is_behind(ADA)
    assert end.seq == visible_head.seq_for(SPECTATOR) <= referee.seq - 5
    lines = [entry.line for entry in store.read(referee.match, limit=end.seq)]
    assert end.hash == sealing.b64(sealing.linked(sealing.genesis(sealing.unb64(referee.match)), lines))
    assert end.signed
    assert visible_head.end_for(ADA).seq == visible_head.seq_for(ADA) == referee.seq


def test_a_head_carries_the_signature_of_its_own_line_alone() -> None:
    _, referee, visible_head = behind(0)
    assert visible_head.head.signed == ""
    visible_head.sign(b"signature")
    assert visible_head.head.signed == sealing.b64(b"signature")
    visible_head.sign(None)
    assert visible_head.head.signed == sealing.b64(b"signature")
    referee.accept(ended(referee, START))
    assert visible_head.head.signed == ""


def test_the_last_line_is_signed_anew_only_after_silence() -> None:
    _, _, visible_head = behind(0)
    assert visible_head.sign_anew() == ""
    _, _, silent = behind(0, heartbeat_s=0.0)
    assert silent.sign_anew()


def test_an_earlier_end_is_signed_anew_after_its_own_silence_whatever_has_happened_behind_it() -> None:
    _, _, soon = behind(5)
    assert soon.end_anew(SPECTATOR) is None
    _, referee, visible_head = behind(5, heartbeat_s=0.0)
    referee.accept(ended(referee, START))
    visible_head.sign(b"signature")
    end = visible_head.end_anew(SPECTATOR)
    assert end is not None
    assert end.seq == visible_head.seq_for(SPECTATOR)


def test_without_a_key_nothing_is_signed() -> None:
    _, _, visible_head = behind(5, keyed=False, heartbeat_s=0.0)
    assert visible_head.sign_anew() == ""
    assert visible_head.end_for(SPECTATOR).signed == ""
    assert visible_head.end_anew(SPECTATOR) is None


def test_what_is_due_once_the_match_has_ended_comes_to_the_head() -> None:
    _, referee, visible_head = behind(5)
    assert not list(visible_head.due(SPECTATOR, lifted=False))
    shown = list(visible_head.due(SPECTATOR, lifted=True))
    assert shown[-1][1].hash == sealing.b64(referee.head)
    assert [entry.seq for entries, _ in shown for entry in entries][-1] == referee.seq
    visible_head.lift()
    assert not visible_head.is_behind(SPECTATOR)
    assert not list(visible_head.due(SPECTATOR, lifted=True))


@live
async def test_a_delay_in_time_calls_when_it_has_passed_and_not_once_it_was_stopped() -> None:
    async def waited(*, stopped: bool) -> bool:
        store, referee = played(2, most=6)
        entries = store.read(referee.match)
        later = entries[-1].at - 999
        backlog = Backlog(Delay(0, 1), referee.match, entries, later + 1990)
        visible_head = VisibleHead(referee, {SPECTATOR: backlog})
        called = asyncio.Event()
        visible_head.watch([SPECTATOR], called.set)
        if stopped:
            visible_head.stop()
            await asyncio.sleep(0.1)
        else:
            await asyncio.wait_for(called.wait(), 20)
        return called.is_set()

    assert await waited(stopped=False)
    assert not await waited(stopped=True)


def test_after_a_restart_the_last_head_is_signed_as_in_the_record() -> None:
    store, referee, visible_head = behind(0)
    assert visible_head.head.signed == ""
    visible_head.sign_as_stored(store.checkpoints(referee.match)[-1])
    seq, signed = store.checkpoints(referee.match)[-1]
    assert (visible_head.head.seq, visible_head.head.signed) == (seq, sealing.b64(signed))
    _, _, keyless = behind(0, keyed=False)
    keyless.sign_as_stored(None)
    assert keyless.head.signed == ""
