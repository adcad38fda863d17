"""Matches to test the record with: random play through the referee, into a store."""

import random
from typing import Any

from domain.kernel import Chosen, Game, Seat, TimeControl
from replay.record.referee import Referee, Ruling, Sign
from replay.store.log import Committed, SeatRow, Store
from replay.store.memory import MemoryStore
from tests.skirmish.game import GAME

START = 1_700_000_000_000


def put(store: Store, referee: Referee[Any], ruling: Ruling[Any]) -> None:
    assert store.append(ruling.commit) == Committed(ruling.commit.entries[-1].seq)
    referee.accept(ruling)


def created(
    store: Store,
    game: Game[Any] = GAME,
    sign: Sign | None = None,
    options: dict[str, Any] | None = None,
    control: TimeControl | None = None,
    kind: str = "bot",
) -> Referee[Any]:
    """A match that waits for its seats."""
    names = tuple("" for _ in range(game.seats))
    referee, creation = Referee.create(game, options or {}, names, at=START, title="Test", control=control, sign=sign)
    rows = tuple(SeatRow(seat, "", kind, "random" if kind == "bot" else "") for seat in range(game.seats))
    assert isinstance(store.create(creation.header, creation.keys, rows, creation.ruling.commit), Committed)
    referee.accept(creation.ruling)
    return referee


def begun(
    store: Store,
    game: Game[Any] = GAME,
    sign: Sign | None = None,
    options: dict[str, Any] | None = None,
    control: TimeControl | None = None,
    kind: str = "bot",
) -> Referee[Any]:
    """A match that has begun; `kind` is who plays it."""
    referee = created(store, game, sign, options, control, kind)
    for seat in range(game.seats):
        put(store, referee, referee.take_seat(Seat(seat), f"Player {seat}", kind, START + seat))
    put(store, referee, referee.begin(START + 10))
    return referee


def step(store: Store, referee: Referee[Any], rng: random.Random, note: Chosen | None = None) -> bool:
    """One random choice; False when the match is over."""
    if not referee.state.asked:
        return False
    asked = rng.choice(referee.state.asked)
    choice = referee.game.revive_decision(asked).form(referee.state).sample(rng.randrange)
    note = note or Chosen(asked.seat, asked.number, id=f"c{referee.seq}")
    put(store, referee, referee.choose(asked.seat, asked.number, choice, note, START + 1000 * referee.seq))
    return True


def played(
    seed: int = 1,
    store: Store | None = None,
    *,
    game: Game[Any] = GAME,
    most: int = 10_000,
    sign: Sign | None = None,
    options: dict[str, Any] | None = None,
) -> tuple[Store, Referee[Any]]:
    """A random match, whole or the first `most` choices of it."""
    store = store or MemoryStore()
    rng = random.Random(seed)
    referee = begun(store, game, sign, options)
    while most and step(store, referee, rng):
        most -= 1
    return store, referee


def taken_back(store: Store, referee: Referee[Any], line: int) -> None:
    """Everybody is put back to where the match stood after a line."""
    events = [referee.read(entry) for entry in store.read(referee.match)]
    put(store, referee, referee.restore(events, line, START + 1000 * referee.seq))
