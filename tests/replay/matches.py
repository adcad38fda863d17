"""Matches to test the record with: random play through the referee, into a store."""

import random
from typing import Any

from domain.kernel import Agreed, Chosen, Event, Game, MatchEnded, Offered, Result, Seat, TakeBack, TimeControl
from replay.record import sealing
from replay.record.creation import Deal, create_match
from replay.record.preparation import Preparation
from replay.record.referee import SERVER, Referee, Ruling, Sign, read_event
from replay.store.log import Committed
from replay.store.memory import MemoryStore
from replay.store.seats import SeatRow
from replay.store.store import Store
from tests.skirmish.game import GAME

START = 1_700_000_000_000


def sit(store: MemoryStore, match: str, row: SeatRow) -> None:
    """The holder of a seat, without a line that says so."""
    store._shelf.matches[match].sit(row)


def put(store: Store, referee: Referee[Any], ruling: Ruling[Any]) -> None:
    assert store.append(ruling.commit) == Committed(ruling.commit.entries[-1].seq)
    referee.accept(ruling)


def created(
    store: Store,
    game: Game[Any] = GAME,
    sign: Sign | None = None,
    options: dict[str, Any] | None = None,
    control: TimeControl | None = None,
    kind: str = "person",
    version: int = sealing.VERSION,
    deal: Deal | None = None,
    hints: bool = False,
) -> Referee[Any]:
    """A match that waits for its seats."""
    names = ("",) * game.seats_of(options or {})
    more: dict[str, Any] = {"control": control, "sign": sign, "version": version, "deal": deal, "hints": hints}
    referee, creation = create_match(game, options or {}, names, at=START, title="Test", **more)
    rows = tuple(SeatRow(seat, "", kind, "random" if kind == "bot" else "") for seat in range(len(names)))
    assert isinstance(store.create(creation.header, creation.keys, rows, creation.ruling.commit), Committed)
    referee.accept(creation.ruling)
    return referee


def begun(
    store: Store,
    game: Game[Any] = GAME,
    sign: Sign | None = None,
    options: dict[str, Any] | None = None,
    control: TimeControl | None = None,
    kind: str = "person",
    version: int = sealing.VERSION,
    kinds: tuple[str, ...] = (),
    deal: Deal | None = None,
    hints: bool = False,
) -> Referee[Any]:
    """A match that has begun; `kind` is the kind of its players, or `kinds`, seat by seat."""
    referee = created(store, game, sign, options, control, kind, version, deal, hints)
    for seat, who in enumerate(kinds or (kind,) * len(referee.state.players)):
        put(store, referee, Preparation(referee).take_seat(Seat(seat), f"Player {seat}", who, START + seat))
    put(store, referee, Preparation(referee).begin(START + 10))
    return referee


def step(store: Store, referee: Referee[Any], rng: random.Random, note: Chosen | None = None) -> bool:
    """One random choice; False when the match is over."""
    if not referee.state.asked:
        return False
    asked = rng.choice(referee.state.asked)
    choice = referee.game.revive_decision(asked).form(referee.state).sample(rng.randrange)
    by = "bot" if asked.seat in referee.state.table.bots else "seat"
    note = note or Chosen(asked.seat, asked.number, f"c{referee.seq}", by)
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
    kind: str = "person",
    version: int = sealing.VERSION,
) -> tuple[Store, Referee[Any]]:
    """A random match, whole or the first `most` choices of it."""
    store = store or MemoryStore()
    rng = random.Random(seed)
    referee = begun(store, game, sign, options, None, kind, version)
    while most and step(store, referee, rng):
        most -= 1
    return store, referee


def ended(referee: Referee[Any], at: int) -> Ruling[Any]:
    """The match is over, whatever the record makes of it."""
    return referee.rule((MatchEnded(Result(None, "for a test")),), None, SERVER, at)


def taken_back(store: Store, referee: Referee[Any], line: int) -> None:
    """Everybody agrees to go back to where the match stood after a line."""

    def past() -> list[Event]:
        return [read_event(referee.game, entry) for entry in store.read(referee.match)]

    number, at = referee.state.table.last_offer + 1, START + 1000 * referee.seq
    put(store, referee, referee.act(Offered(Seat(0), number=number, terms=TakeBack(line)), at, past))
    for seat in range(1, len(referee.state.players)):
        if referee.state.table.offers:
            put(store, referee, referee.act(Agreed(Seat(seat), number=number), at, past))
