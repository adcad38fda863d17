"""The wall clock is set while two workers run over one SQLite database."""

import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec import to_builtins

from replay.store.sqlite.store import SqliteStore
from server.table import clocks
from server.wire.protocol import Accepted
from tests.server.tabletop import Player, live, table

HOUR_NS = 3600 * 10**9
JUMPS = (1, -2, 5, -24)
"""In hours, one after another."""


class WallClock:
    """A wall clock that is set by a test, beside a monotonic clock that is not."""

    def __init__(self) -> None:
        self.ahead_ns = 0

    def time_ns(self) -> int:
        return time.time_ns() + self.ahead_ns


async def chosen(players: list[Player]) -> None:
    head = max(player.view.seq for player in players)
    for player in players:
        await player.reach(head)
    mover = next(player for player in players if player.view.asked())
    assert isinstance(await mover.choose(to_builtins(mover.options()[0])), Accepted)


@pytest.mark.parametrize("sign", [1, -1])
def test_whatever_the_wall_clock_does_both_workers_go_on_and_no_time_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sign: int
) -> None:
    wall = WallClock()
    monkeypatch.setattr(clocks, "time", SimpleNamespace(time_ns=wall.time_ns, monotonic=time.monotonic))

    @live
    async def played() -> None:
        path = tmp_path / "herald.sqlite"
        with closing(SqliteStore(path)) as mine, closing(SqliteStore(path)) as other:
            async with table(mine, is_shared=True) as one, table(other, is_shared=True) as two:
                created = await one.create()
                players = [await one.player(created, 0), await two.player(created, 1)]
                for jump in JUMPS:
                    wall.ahead_ns += sign * jump * HOUR_NS
                    await chosen(players)
                assert (mine.pulse().refuses, other.pulse().refuses) == ("", "")
                lines = mine.read(created.match)
                assert [entry.at for entry in lines] == sorted(entry.at for entry in lines)
                assert lines[-1].at - lines[0].at < 60_000
                assert "TimeRanOut" not in {entry.type for entry in lines}

    played()
