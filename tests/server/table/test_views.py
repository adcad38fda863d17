"""What each viewer is given who asks: lines in portions, seats, keys."""

import asyncio
from itertools import accumulate
from typing import Any

import msgspec
import pytest

from domain.kernel import Seat
from projections.plain import plain_face
from projections.redaction import SPECTATOR, Viewer
from replay.errors import RecordInvalid
from replay.record import sealing
from replay.record.referee import Referee
from replay.store.store import Store
from server.operations.bounds import BOUNDS, Bounds
from server.table.audience import Audience
from server.table.clocks import ServerTime
from server.table.frame_times import NO_TIMES
from server.table.seats import Seats
from server.table.table_state import TableState
from server.table.views import ViewAnswers
from server.table.visible_head import VisibleHead
from server.wire.protocol import HeadInfo
from tests.replay.matches import played
from tests.server.table.standins import Office
from tests.skirmish.game import GAME

ADA = Viewer(Seat(0))


def views_of(visible_head: Any = None, bounds: Bounds = BOUNDS) -> tuple[Store, Referee[Any], ViewAnswers[Any]]:
    store, referee = played(2, most=6)
    table_state: Any = Office(times="the times")
    kept: VisibleHead[Any] = visible_head or VisibleHead(referee, {})
    return (
        store,
        referee,
        ViewAnswers(plain_face(GAME), store, referee, kept, roll_of(store, referee), table_state, bounds),
    )


def frames(views: ViewAnswers[Any], viewer: Viewer, since: int) -> list[dict[str, Any]]:
    async def told() -> list[str]:
        return [frame async for frame, _ in views.lines_since(viewer, since)]

    return [msgspec.json.decode(frame) for frame in asyncio.run(told())]


def audience(views: ViewAnswers[Any], viewer: Viewer) -> Audience[Any]:
    found: Audience[Any] = asyncio.run(views.audience(viewer))
    return found


def roll_of(store: Store, referee: Referee[Any]) -> Seats:
    return Seats(GAME, referee.match, store, store.seats.holders(referee.match))


def test_lines_come_in_portions_without_a_gap() -> None:
    _, _, whole = views_of()
    assert len(frames(whole, SPECTATOR, 0)) == 1
    _, referee, views = views_of(bounds=Bounds(frame_lines=3, frame_bytes=600))
    told = frames(views, SPECTATOR, 4)
    assert len(told) > 2
    numbers = [n for frame in told for n in range(frame["from"], frame["to"] + 1)]
    assert numbers == list(range(5, referee.seq + 1))
    assert not frames(views, SPECTATOR, referee.seq)


def test_a_record_that_is_shorter_than_its_head_says_where_it_ends() -> None:
    head = HeadInfo(10_000, "")
    _, referee, views = views_of(Office(end_for=head, seq_for=head.seq))
    with pytest.raises(RecordInvalid, match="the record ends here") as wrong:
        frames(views, SPECTATOR, 0)
    assert str(referee.seq) in str(wrong.value)


def test_a_view_is_folded_once_and_only_so_far_as_its_viewer_may_see() -> None:
    _, _, views = views_of(Office(seq_for=3, end_for=HeadInfo(3, "")))
    early = audience(views, SPECTATOR)
    assert not early.view.begun
    assert audience(views, SPECTATOR) is early
    _, referee, all_of_it = views_of()
    assert audience(all_of_it, ADA).view.number == referee.state.number


def test_who_is_kept_behind_is_not_told_what_the_clocks_show() -> None:
    _, _, views = views_of(Office(is_behind=True))
    assert views.times_for(SPECTATOR) is NO_TIMES
    _, _, others = views_of()
    assert others.times_for(SPECTATOR) != NO_TIMES


def test_a_seat_holds_one_key_and_a_spectator_none() -> None:
    _, referee, views = views_of()
    assert views.keys_of(SPECTATOR) == {}
    key = sealing.audience_key(referee.keys.k_m, sealing.unb64(referee.match), ADA.mask)
    assert views.keys_of(ADA) == {str(int(ADA.mask)): sealing.b64(key)}


def test_a_scene_carries_the_end_that_its_viewer_sees() -> None:
    store, referee = played(2, most=6)
    table_state = TableState(referee, ServerTime())
    visible_head = VisibleHead(referee, {})
    views = ViewAnswers(plain_face(GAME), store, referee, visible_head, roll_of(store, referee), table_state)
    audience(views, ADA)
    shown = msgspec.json.decode(views.snapshot(ADA))
    assert shown["scene"]["seq"] == referee.seq
    assert shown["head"]["hash"] == sealing.b64(referee.head)


def test_each_portion_of_a_backlog_says_the_head_after_its_last_line(monkeypatch: pytest.MonkeyPatch) -> None:
    store, referee, views = views_of(bounds=Bounds(frame_lines=3))
    lines = [entry.line for entry in store.read(referee.match)]
    heads = list(accumulate(lines, sealing.link, initial=sealing.genesis(sealing.unb64(referee.match))))
    for since in (0, 4):
        for frame in frames(views, SPECTATOR, since):
            assert frame["head"]["seq"] == frame["to"]
            assert frame["head"]["hash"] == sealing.b64(heads[frame["to"]])
    monkeypatch.setattr(referee, "head_at", lambda _: None)
    assert frames(views, SPECTATOR, 4)[0]["head"]["hash"] == sealing.b64(heads[7])
