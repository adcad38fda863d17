"""200 clients at once, at full speed and then at half of it: nothing is refused, lost, or told otherwise to anybody."""

import asyncio
import random
import sys
import time
from contextlib import suppress

import pytest
from conftest import live

from herald_client import Asked, Closed, Complained, HeraldError, Key, Lost, Match, Server, friend, me, some

pytestmark = pytest.mark.xdist_group("herald-client")
GAMES = ("vera_discordia", "war_for_edadh")
CLIENTS = 200
PROBE_S = 20.0
LOAD_S = 40.0


class Load:
    """The results of the clients together: how fast they answer, and the outcome."""

    def __init__(self, rate: float = 0.0) -> None:
        self._pause = 1 / rate if rate else 0.0
        self._next = time.monotonic()
        self.is_over = False
        self.choices = self.matches = self.lines = 0
        self.waits: list[float] = []
        self.wrong: list[str] = []

    async def turn(self) -> None:
        """Wait until it is this client's turn to answer."""
        now = time.monotonic()
        self._next = max(self._next + self._pause, now)
        await asyncio.sleep(self._next - now)

    async def play(self, match: Match, chance: random.Random) -> None:
        """Answer until the match or the load is over."""
        async for news in match:
            if self.is_over:
                return
            if isinstance(news, Asked):
                await self.turn()
                began = time.monotonic()
                await match.answer(some(news.prompt["fields"][0], chance.randrange), news.prompt)
                self.waits.append(time.monotonic() - began)
                self.choices += 1
            elif isinstance(news, Complained | Lost):
                self.wrong.append(repr(news))

    async def two(self, server: Server, number: int) -> None:
        """Matches of two clients, one after another, until the load is over."""
        chance = random.Random(number)
        while not self.is_over:
            keys = Key(), Key()
            wishes = [me(f"A{number}", key=keys[0]), friend(f"B{number}")]
            created = await server.create(GAMES[number % 2], wishes, listed=False, shares=True)
            at = [server.play(created.match, created.tokens[str(seat)], key=key) for seat, key in enumerate(keys)]
            async with at[0], at[1]:
                players = [asyncio.create_task(self.play(match, chance)) for match in at]
                while not self.is_over and not all(player.done() for player in players):
                    await asyncio.wait(players, timeout=0.5)
                for player in players:
                    player.cancel()
                    with suppress(asyncio.CancelledError, Closed):
                        await player
                if at[0].result is not None:
                    self.matches += 1
                self.lines += sum(match.verifier.seq for match in at)
                assert [match.verifier.fault for match in at] == [None, None]

    async def run(self, server: Server, seconds: float) -> float:
        """Let all play for this long; choices a second."""
        tables = [asyncio.create_task(self.two(server, number)) for number in range(CLIENTS // 2)]
        await asyncio.sleep(seconds)
        rate = self.choices / seconds
        self.is_over = True
        for told in await asyncio.gather(*tables, return_exceptions=True):
            if isinstance(told, HeraldError | AssertionError):
                self.wrong.append(repr(told))
            elif isinstance(told, BaseException):
                raise told
        return rate


@pytest.mark.deep
@live
async def test_200_clients_play_at_half_the_servers_rate_without_an_error(server: Server) -> None:
    full = Load()
    most = await full.run(server, PROBE_S)
    half = Load(most / 2)
    rate = await half.run(server, LOAD_S)
    waits = sorted(half.waits)
    middle, late = (waits[len(waits) * share // 100] * 1000 for share in (50, 99))
    sys.stderr.write(
        f"\n{CLIENTS} clients: {most:.0f} choices/s at most, then {rate:.0f} for {LOAD_S:.0f} s:"
        f" {half.choices} choices, {half.matches} matches to their end, {half.lines} lines checked;"
        f" answered in {middle:.0f} ms, {late:.0f} ms at p99\n"
    )
    assert full.wrong == []
    assert half.wrong == []
    assert half.choices > 100
