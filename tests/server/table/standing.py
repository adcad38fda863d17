"""Two people who sign, at one server or two, of whom one has answers kept for when nobody is there."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

import anyio

from herald_client import Instruction, Key, Match, Server, friend, me
from replay.record.referee import read_event
from tests.replay.verifiers import TABLES
from tests.server.tabletop import Table
from tests.skirmish.game import GAME

TAKE: Final = Instruction("Pursuit", {"do": "Take"})
PRESS: Final = Instruction("Pursuit", {"do": "Press"})


class Two:
    """A match of two who sign, each with a connection."""

    def __init__(self, at: Table, match: str, tokens: dict[str, str], players: list[Match], keys: list[Key]) -> None:
        self.at, self.match, self.tokens, self.players, self.keys = at, match, tokens, players, keys

    def events(self) -> list[Any]:
        """All that has happened, as the store has it."""
        return [read_event(GAME, entry) for entry in self.at.store.read(self.match)]

    def other(self, player: Match) -> Match:
        """The player's opponent."""
        return next(one for one in self.players if one is not player)

    async def settled(self, player: Match) -> None:
        """Wait until the player has every line that there is, and its Scene."""
        while player.verifier.seq < self.at.store.head(self.match).seq or self._is_behind(player):
            await anyio.sleep(0.005)

    def _is_behind(self, player: Match) -> bool:
        return bool((player.scene or {}).get("seq", 0) < player.verifier.seq)

    async def answer(self, player: Match, option: int = 0) -> None:
        """Answer the open question by hand."""
        await self.settled(player)
        assert player.question is not None, "it is asked"
        await player.answer(player.question["fields"][0]["options"][option]["id"])

    async def until_pursued(self) -> Match:
        """Play by hand until the winner of a round is asked; returns the winner."""
        while True:
            for player in self.players:
                await self.settled(player)
                kinds = [one["kind"] for one in player.verifier.asked if one["seat"] == player.seat]
                if kinds == ["Pursuit"]:
                    return player
                if kinds:
                    await self.answer(player)


def has_keys(player: Match) -> bool:
    """Whether the lines that the player has verified hold a key of each seat."""
    return all(seat in player.verifier.seated and player.verifier.seated[seat].key for seat in (0, 1))


@asynccontextmanager
async def two_who_sign(at: Table, other: Table | None = None) -> AsyncIterator[Two]:
    """A match, entered by both at one server, or by the second at another."""
    server, keys = Server(at.url), [Key(), Key()]
    created = await server.create(GAME.name, [me("Ada"), friend("Bo")])
    tokens = created.tokens
    async with AsyncExitStack() as stack:
        players = []
        for seat, where in ((0, at), (1, other or at)):
            options: dict[str, Any] = {"key": keys[seat], "lines": TABLES["games"]["skirmish"], "stay": True}
            player = Server(where.url).play(created.match, tokens[str(seat)], **options)
            players.append(await stack.enter_async_context(player))
        two = Two(at, created.match, tokens, players, keys)
        while not all(player.verifier.asked and has_keys(player) for player in players):
            await anyio.sleep(0.005)
        yield two
