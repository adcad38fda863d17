"""The horizon: where the record ends for each viewer, and what the server signs of it."""

import asyncio
from typing import Any

import pytest

from domain.kernel import Seat
from projections.redaction import SPECTATOR, Viewer
from replay.record import hr1
from replay.record.referee import Referee
from replay.store.store import Store
from server.table.delay import Backlog
from server.table.horizon import Horizon
from server.wire.protocol import Delay
from tests.replay.matches import START, ended, played

ADA = Viewer(Seat(0))


def sign(message: bytes) -> bytes:
    return hr1.tagged_hash("key", b"") + hr1.tagged_hash("sign", message) * 2


def behind(events: int, keyed: bool = True) -> tuple[Store, Referee[Any], Horizon[Any]]:
    store, referee = played(2, most=6, sign=sign if keyed else None)
    entries = store.read(referee.match)
    delay = Delay(events) if events else None
    return store, referee, Horizon(referee, Backlog(delay, referee.match, entries, START) if delay else None)


def test_without_a_delay_the_record_ends_for_everybody_at_its_last_line() -> None:
    _, referee, horizon = behind(0)
    assert horizon.delay is None
    assert not horizon.is_behind(SPECTATOR)
    assert horizon.end_for(SPECTATOR) == horizon.end_for(ADA) == horizon.head
    assert horizon.seq_for(SPECTATOR) == horizon.seq == referee.seq


def test_spectators_who_are_kept_behind_see_an_earlier_end_and_seats_the_last() -> None:
    store, referee, horizon = behind(5)
    end = horizon.end_for(SPECTATOR)
    assert horizon.is_behind(SPECTATOR)
    assert not horizon.is_behind(ADA)
    assert end.seq == horizon.seq_for(SPECTATOR) <= referee.seq - 5
    lines = [entry.line for entry in store.read(referee.match, limit=end.seq)]
    assert end.hash == hr1.b64(hr1.linked(hr1.genesis(hr1.unb64(referee.match)), lines))
    assert end.signed
    assert horizon.end_for(ADA).seq == horizon.seq_for(ADA) == referee.seq


def test_a_head_carries_the_signature_of_its_own_line_alone() -> None:
    _, referee, horizon = behind(0)
    assert horizon.head.signed == ""
    horizon.sign(b"signature")
    assert horizon.head.signed == hr1.b64(b"signature")
    horizon.sign(None)
    assert horizon.head.signed == hr1.b64(b"signature")
    referee.accept(ended(referee, START))
    assert horizon.head.signed == ""


def test_the_last_line_is_signed_anew_only_after_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, horizon = behind(0)
    assert horizon.sign_anew() == ""
    monkeypatch.setattr("server.table.horizon.HEARTBEAT_S", 0.0)
    assert horizon.sign_anew()


def test_without_a_key_nothing_is_signed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.table.horizon.HEARTBEAT_S", 0.0)
    _, _, horizon = behind(5, keyed=False)
    assert horizon.sign_anew() == ""
    assert horizon.end_for(SPECTATOR).signed == ""


def test_what_is_due_once_the_match_has_ended_comes_to_the_head() -> None:
    _, referee, horizon = behind(5)
    assert not list(horizon.due(lifted=False))
    shown = list(horizon.due(lifted=True))
    assert shown[-1][1].hash == hr1.b64(referee.head)
    assert [entry.seq for entries, _ in shown for entry in entries][-1] == referee.seq
    horizon.lift()
    assert not horizon.is_behind(SPECTATOR)
    assert not list(horizon.due(lifted=True))


def test_a_delay_in_time_calls_when_it_has_passed_and_not_once_it_was_stopped() -> None:
    async def waited(*, stopped: bool) -> bool:
        store, referee = played(2, most=6)
        entries = store.read(referee.match)
        later = entries[-1].at - 999
        horizon = Horizon(referee, Backlog(Delay(0, 1), referee.match, entries, later + 1990))
        called = asyncio.Event()
        horizon.watch(called.set)
        if stopped:
            horizon.stop()
            await asyncio.sleep(0.1)
        else:
            await asyncio.wait_for(called.wait(), 20)
        return called.is_set()

    assert asyncio.run(waited(stopped=False))
    assert not asyncio.run(waited(stopped=True))


def test_after_a_restart_the_last_head_is_signed_as_in_the_record() -> None:
    store, referee, horizon = behind(0)
    assert horizon.head.signed == ""
    horizon.sign_as_stored(store.checkpoints(referee.match)[-1])
    seq, signed = store.checkpoints(referee.match)[-1]
    assert (horizon.head.seq, horizon.head.signed) == (seq, hr1.b64(signed))
    _, _, keyless = behind(0, keyed=False)
    keyless.sign_as_stored(None)
    assert keyless.head.signed == ""
