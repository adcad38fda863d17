"""Two slow matches over three days of a clock that is set, with mail, at a server that is started eighteen times."""

from email.utils import parsedate_to_datetime
from itertools import pairwise
from pathlib import Path

from replay.store.sqlite.store import SqliteStore
from server.notifications.quiet import HOUR_MS
from server.operations.intervals import INTERVALS, Intervals
from server.people.own_matches import asked_seats
from server.table.clocks import LifeSign
from server.wire.protocol import Accepted, Created
from tests.server.notifications.postbox import postbox
from tests.server.notifications.slow_play import FREE, begun, both_sign_up, slow_match
from tests.server.tabletop import Table, live, table

MAIL_MS = INTERVALS.mail_ms
HOURS = (0, 6, 12, 24, 30, 36, 48, 54, 60)
"""When people come; the server is started anew then, and once more ten minutes later."""


async def visited(at: Table, made: Created) -> None:
    """Everybody who is asked comes, moves once and goes."""
    for seat in sorted(asked_seats(at.store, made.match)):
        player = await at.player(made, seat)
        assert isinstance(await player.choose(), Accepted)
        await player.client.connection.close()


@live
async def test_each_player_is_mailed_once_a_day_whatever_happens(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "club.db")
    made: list[Created] = []
    with postbox() as box:
        for at_ms in (hour * HOUR_MS + later for hour in HOURS for later in (0, MAIL_MS)):
            life = LifeSign()
            life.ahead_ms = at_ms
            async with table(
                store,
                notices=box.settings,
                limits=FREE,
                life_sign=life,
                intervals=Intervals(remind_s=0.02, look_s=0.02),
            ) as at:
                if not made:
                    made = [await slow_match(at, title) for title in ("Sunday", "Monday")]
                    await both_sign_up(at, made[0], box, *made[1:])
                    for each in made:
                        for player in await begun(at, each):
                            await player.client.connection.close()
                for each in made if at_ms % HOUR_MS == 0 else ():
                    await visited(at, each)
                await at.lobby.person_sender.look()
        mails = box.mails[2:]
    store.close()
    assert len({mail["Message-ID"] for mail in mails}) == len(mails)
    assert {mail["To"] for mail in mails} == {"anja@home.example", "bo@home.example"}
    assert 3 <= len(mails) <= 6
    for address in ("anja@home.example", "bo@home.example"):
        dates = sorted(parsedate_to_datetime(mail["Date"]).timestamp() for mail in mails if mail["To"] == address)
        assert all(later - earlier >= 86_399 for earlier, later in pairwise(dates))
