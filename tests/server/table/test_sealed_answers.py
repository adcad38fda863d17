"""What others receive of a sealed answer is the same for every answer: as many messages of the same sizes."""

import copy
import random
from typing import Any

import msgspec
import pytest
from anyio import create_task_group, sleep
from msgspec import to_builtins
from msgspec.structs import replace

from domain.kernel import Choice, Game, Seat
from domain.war_for_edadh.cards.cards import index_of
from domain.war_for_edadh.rules.fielding import BringArmy
from projections.plain import plain_face
from projections.registry import faces
from replay.record.creation import create_match
from replay.record.preparation import Preparation
from replay.record.referee import Referee
from replay.store.log import Committed
from replay.store.memory import MemoryStore
from replay.store.seats import SeatRow
from server.gate.app import port_of, running
from server.lobby.lobby import Lobby
from server.table.guests import token_hash
from server.wire.client import connected, enter
from server.wire.protocol import (
    Accepted,
    Choose,
    Events,
    Ping,
    Pong,
    Presence,
    read_server_message,
    write_client_message,
)
from tests.replay.matches import START, put, step
from tests.server.tabletop import live
from tests.skirmish.game import GAME as SKIRMISH

FACES = {**faces(), SKIRMISH.name: plain_face(SKIRMISH)}
TOKENS = ("first-seat", "second-seat")
SAMPLES = 200
OWN = replace(index_of(None).armies["Dzaa quick start"], name="Of one's own, by a long name")
SEALED = [
    ("skirmish", {}, "CardSelection"),
    ("vera_discordia", {}, "OrderIssue"),
    ("war_for_edadh", {}, "ArmySelection"),
    ("war_for_edadh", {}, "DeckSelection"),
    ("war_for_edadh", {"game": "best_of_3"}, "UnitSelection"),
    ("war_for_edadh", {}, "Deployment"),
    ("war_for_edadh", {}, "StratagemSelection"),
    ("war_for_edadh", {}, "MasteryLay"),
    ("war_for_edadh", {}, "TieLay"),
    ("war_for_edadh", {}, "Resolve"),
]


def sealed_moment(game: Game[Any], options: dict[str, Any], kind: str) -> tuple[MemoryStore, Referee[Any]]:
    """A match in which both seats are asked this and neither has answered."""
    for seed in range(200):
        store, rng = MemoryStore(), random.Random(seed)
        referee, creation = create_match(game, options, ("", ""), at=START)
        rows = tuple(SeatRow(i, "", "person", "", token_hash(token)) for i, token in enumerate(TOKENS))
        assert isinstance(store.create(creation.header, creation.keys, rows, creation.ruling.commit), Committed)
        referee.accept(creation.ruling)
        for seat in range(2):
            put(store, referee, Preparation(referee).take_seat(Seat(seat), f"Player {seat}", "person", START + seat))
        put(store, referee, Preparation(referee).begin(START + 10))
        while True:
            asked = [asked.kind for asked in referee.state.asked]
            if referee.state.sealed and asked == [kind, kind] and len(answers(referee, 0)) > 1:
                return store, referee
            if not step(store, referee, rng):
                break
    raise AssertionError(f"{kind} is never asked of both")


def answers(referee: Referee[Any], seat: int) -> list[Choice]:
    """The shortest answer to write and the longest, of many; where all are as long, two different ones."""
    asked = next(asked for asked in referee.state.asked if asked.seat == seat)
    form = referee.game.revive_decision(asked).form(referee.state)
    rng = random.Random(1)
    found = sorted({form.sample(rng.randrange) for _ in range(SAMPLES)}, key=lambda c: (len(written(c)), written(c)))
    return list(dict.fromkeys((found[0], found[-1])))


def written(choice: Choice) -> bytes:
    return msgspec.json.encode(choice)


EVERYBODY = Presence((0, 1), 2)
"""All who listen have come. Who comes in at a seat that somebody watches already is told of too: all hear this before
they listen for what follows from the answer."""


async def heard(store: MemoryStore, referee: Referee[Any], choice: Choice) -> dict[str, list[int]]:
    """The size of every message that the other seat and spectators receive when seat 0 answers."""
    copied = MemoryStore()
    copied._shelf.matches.update(copy.deepcopy(store._shelf.matches))
    decision = next(asked.number for asked in referee.state.asked if asked.seat == 0)
    sizes: dict[str, list[int]] = {}
    async with running(Lobby(copied, FACES)) as server:
        url = f"ws://127.0.0.1:{port_of(server)}/ws"

        async def listen(name: str, token: str, caps: tuple[str, ...]) -> None:
            async with connected(url) as client:
                await enter(client, referee.match, token, caps=caps)
                while await client.expect(Presence) != EVERYBODY:
                    pass
                come.append(name)
                while len(come) < 4:
                    await client.ask(Ping(1), Pong)
                await client.ask(Ping(1), Pong)
                waiting.append(name)
                sizes[name] = []
                while True:
                    frame = await client.connection.recv()
                    message = read_server_message(frame)
                    if isinstance(message, Pong):
                        break
                    sizes[name].append(len(frame))
                    if isinstance(message, Events):
                        await client.send(Ping(2))
                heard_all.append(name)
                while len(heard_all) < 4:  # those who still listen are told that somebody leaves
                    await sleep(0.01)

        come: list[str] = []
        heard_all: list[str] = []
        waiting: list[str] = []
        async with connected(url) as chooser:
            await enter(chooser, referee.match, TOKENS[0])
            async with create_task_group() as group:
                for caps in ((), ("scene",)):
                    group.start_soon(listen, f"seat {caps}", TOKENS[1], caps)
                    group.start_soon(listen, f"spectator {caps}", "", caps)
                while len(waiting) < 4:
                    await chooser.ask(Ping(3), Pong)
                await chooser.connection.send(write_client_message(Choose("c", decision, to_builtins(choice))))
                await chooser.expect(Accepted)
    return sizes


@pytest.mark.parametrize(("game", "options", "kind"), SEALED, ids=[f"{game}-{kind}" for game, _, kind in SEALED])
@live
async def test_an_answer_that_comes_first_tells_nothing_by_sizes_or_numbers(
    game: str, options: dict[str, Any], kind: str
) -> None:
    store, referee = sealed_moment(FACES[game].game, options, kind)
    choices = answers(referee, 0)
    if kind == "ArmySelection":
        choices.append(BringArmy(OWN))
    told = {written(choice): await heard(store, referee, choice) for choice in choices}
    first = next(iter(told.values()))
    assert all(first.values()), first
    assert len(told) > 1
    for choice, sizes in told.items():
        assert sizes == first, choice
