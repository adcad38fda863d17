"""A vacation in a slow match, over five days of a clock that is set: the own clock stands, and nothing is told."""

from pathlib import Path

from domain.kernel import Seat
from replay.audit.match_audit import audit
from replay.files import export
from replay.store.sqlite.store import SqliteStore
from server.operations.intervals import Intervals
from server.table.clocks import LifeSign
from server.wire.act_messages import Vacation
from server.wire.notice_messages import NoticesTold, SetQuiet
from server.wire.protocol import Accepted, Created, Refused
from tests.server.notifications.postbox import Postbox, postbox
from tests.server.notifications.slow_play import DAY_MS, FREE, begun, both_sign_up, moved, slow_match
from tests.server.tabletop import Table, live, table
from tests.skirmish.game import GAME

HOUR_MS = DAY_MS // 24
SOON = Intervals(remind_s=0.02, look_s=0.02, mail_ms=0)


async def left_for_five_days(at: Table, made: Created, box: Postbox) -> int:
    """A player who is asked is on vacation for five days, at the table and on the page of the account; which seat."""
    until = at.lobby.accounts._now() + 5 * DAY_MS
    for session in await both_sign_up(at, made, box):
        await (await at.client()).ask(SetQuiet(session=session, away_until=until, pace="move"), NoticesTold)
    for player in await begun(at, made):
        await player.client.connection.close()
    seat = await moved(at, made)
    player = await at.player(made, seat)
    assert "not as long" in (await player.client.ask(Vacation("v0", 15), Refused)).why
    await player.client.ask(Vacation("v1", 5), Accepted)
    await player.client.connection.close()
    due = at.lobby.registry.live_match(made.match).reminders.turn(Seat(seat)).due_ms
    assert 7.9 < (due - at.lobby.accounts._now()) / DAY_MS <= 8, "five days on vacation, then three for the move"
    return seat


@live
async def test_a_clock_stands_for_a_vacation_and_its_move_is_told_once_afterwards(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "club.db")
    with postbox() as box:
        told = 0
        for hours in (0, 96, 121, 122):
            life = LifeSign()
            life.ahead_ms = hours * HOUR_MS
            async with table(store, notices=box.settings, limits=FREE, life_sign=life, intervals=SOON) as at:
                if not hours:
                    made = await slow_match(at, vacation_ms=14 * DAY_MS)
                    seat = await left_for_five_days(at, made, box)
                    told = len(box.mails)
                if hours >= 121:
                    await box.until(told + 1)
                await at.lobby.person_sender.look()
                assert len(box.mails) == told + (hours >= 121)
    assert box.mails[-1]["To"] == ("anja@home.example", "bo@home.example")[seat]
    assert [entry.type for entry in store.read(made.match)].count("VacationTaken") == 1
    assert audit(GAME, export.from_store(store, made.match, None)).fault is None
    store.close()
