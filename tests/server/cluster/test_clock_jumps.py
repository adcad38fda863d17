"""The wall clock is set while two servers run over one database."""

import re
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec import to_builtins

from replay.store.postgres.store import PostgresStore
from replay.store.sqlite.store import SqliteStore
from server.table import clocks
from server.wire.protocol import Accepted
from tests.postgres import Instance
from tests.server.tabletop import Player, live, table

ROOT = Path(__file__).parents[3]
POSTGRES = [pytest.mark.postgres, pytest.mark.xdist_group("postgres")]
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


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=POSTGRES)])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], SqliteStore | PostgresStore]:
    """One more store over the same database, each time."""
    if request.param == "sqlite":
        return lambda: SqliteStore(tmp_path / "herald.sqlite")
    instance: Instance = request.getfixturevalue("postgres")
    address = instance.emptied()
    return lambda: PostgresStore(address)


@pytest.mark.parametrize("sign", [1, -1])
def test_whatever_the_wall_clock_does_both_servers_go_on_and_no_time_is_lost(
    opened: Callable[[], SqliteStore | PostgresStore], monkeypatch: pytest.MonkeyPatch, sign: int
) -> None:
    wall = WallClock()
    monkeypatch.setattr(clocks, "time", SimpleNamespace(time_ns=wall.time_ns, monotonic=time.monotonic))

    @live
    async def played() -> None:
        with closing(opened()) as mine, closing(opened()) as other:
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


CLOCKS = re.compile(
    r"\b(now|clock_timestamp|statement_timestamp|unixepoch|julianday)\s*\(|current_timestamp|localtime", re.I
)


def test_the_clock_of_a_database_is_read_in_one_place_when_a_server_begins() -> None:
    """So a database whose clock is set while servers run changes nothing."""
    found = {
        f"{module.relative_to(ROOT)}: {line.strip()}"
        for module in (ROOT / "replay" / "store").rglob("*.py")
        for line in module.read_text("utf-8").splitlines()
        if CLOCKS.search(line) and "def " not in line
    }
    (where,) = found
    assert where.startswith("replay/store/postgres/store.py: sql = ")
    asked = (ROOT / "server" / "cli" / "serve.py").read_text("utf-8")
    everywhere = [found for found in (ROOT / "server").rglob("*.py") if "store.now_ms()" in found.read_text("utf-8")]
    assert (asked.count("store.now_ms()"), everywhere) == (2, [ROOT / "server" / "cli" / "serve.py"])
