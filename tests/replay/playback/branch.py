"""Shared by `test_branch` and other tests: branched, trunk."""

import random
from typing import Any

from domain.kernel import Game, Seat
from projections.redaction import Viewer
from replay.files.export import from_store
from replay.playback.branch import Trunk, beginning, trunk_of
from replay.record.creation import create_match
from replay.record.preparation import Preparation
from replay.record.referee import Referee
from replay.store.log import Committed
from replay.store.memory import MemoryStore
from replay.store.seats import SeatRow
from replay.store.store import Store
from tests.replay.matches import START, played, put
from tests.skirmish.game import GAME


def trunk(game: Game[Any] = GAME, seed: int = 3) -> Trunk:
    store, referee = played(seed, game=game)
    return trunk_of(game, from_store(store, referee.match))


def branched(
    game: Game[Any], parent: Trunk, line: int, eyes: Viewer | None, seed: int = 1
) -> tuple[Store, Referee[Any]]:
    """A branch that has begun."""
    begin = beginning(game, parent, line, eyes, random.Random(seed).randrange)
    names = ("",) * game.seats
    referee, creation = create_match(game, parent.created.options, names, at=START, beginning=begin)
    store = MemoryStore()
    rows = tuple(SeatRow(seat, "", "person") for seat in range(game.seats))
    assert isinstance(store.create(creation.header, creation.keys, rows, creation.ruling.commit), Committed)
    referee.accept(creation.ruling)
    assert not referee.state.asked
    for seat in range(game.seats):
        put(store, referee, Preparation(referee).take_seat(Seat(seat), f"Player {seat}", "person", START + seat))
    put(store, referee, Preparation(referee).begin(START + 10))
    return store, referee
