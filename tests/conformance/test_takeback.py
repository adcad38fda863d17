"""Takebacks in every game: every viewer is back where it was, chance goes on, and the audit agrees.

That nobody can tell worlds apart after a takeback is in test_secrecy.
"""

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.kernel import Agreed, Chosen, Event, Mask, NotNow, Offered, Seat, TakeBack
from domain.kernel.act import is_unlearnt, line_before
from domain.kernel.history import pauses
from domain.kernel.position import OF_THE_RECORD
from replay.audit.match_audit import audit
from replay.files import export
from replay.record.referee import Referee, read_event
from replay.store.memory import MemoryStore
from server.conformance.walks import AnyGame, mask
from tests.conformance.walks import games
from tests.replay.matches import START, begun, put, step

GAMES = [pytest.param(game, id=game.name) for game in games()]
RENUMBERED = {"number", "asked", "answered"}
CHOICES = 50


def events_of(game: AnyGame, store: MemoryStore, match: str) -> list[Event]:
    return [read_event(game, entry) for entry in store.read(match)]


def assert_is_back(game: AnyGame, events: list[Event], line: int) -> None:
    """Everybody's view is what it was after the line; numbers of questions and what is the record's go on."""
    for viewer in [None, *(Seat(seat) for seat in range(game.seats)), "all"]:
        bits = Mask(-1) if viewer == "all" else mask(viewer)  # type: ignore[arg-type]
        redacted = events if viewer == "all" else [game.redact(event, bits) for event in events]
        then, now = game.fold(redacted[:line]), game.fold(redacted)
        for name in then.__struct_fields__:
            if name not in OF_THE_RECORD | RENUMBERED:
                assert getattr(then, name) == getattr(now, name), (viewer, name)
        assert [(a.seat, a.kind, a.terms) for a in then.asked] == [(a.seat, a.kind, a.terms) for a in now.asked]
        assert (now.draws, now.shuffles) >= (then.draws, then.shuffles)


def play(game: AnyGame, seed: int) -> tuple[MemoryStore, Referee[Any], Counter[str]]:
    """Random choices of two people, now and then one of them taken back."""
    store, rng, done = MemoryStore(), random.Random(seed), Counter[str]()
    referee = begun(store, game, kind="person")
    for _ in range(CHOICES):
        if not step(store, referee, rng) or not referee.state.asked:
            break
        done["sealed"] += referee.state.sealed
        if rng.random() < 0.3:
            done[take_back(game, store, referee, rng)] += 1
    return store, referee, done


def take_back(game: AnyGame, store: MemoryStore, referee: Referee[Any], rng: random.Random) -> str:
    """Somebody's last choice, or anything before; how it was granted."""
    events = events_of(game, store, referee.match)
    last = [event.seat for event in events if isinstance(event, Chosen)][-1]
    seat, at = rng.choice([last, last, Seat(rng.randrange(game.seats))]), START + 1000 * referee.seq
    line = line_before(events, seat) if rng.random() < 0.7 else rng.choice(pauses(game, events))
    number = referee.state.table.last_offer + 1
    spent = (referee.state.draws, referee.state.shuffles)
    try:
        ruling = referee.act(Offered(seat, number=number, terms=TakeBack(line)), at, lambda: events)
    except NotNow:
        return "refused"
    put(store, referee, ruling)
    how = "at once"
    if referee.state.table.offers:
        how = "by consent"
        assert not is_unlearnt(game, events, line, seat)
        for other in range(game.seats):
            if other != seat:
                past = events_of(game, store, referee.match)
                agreed = Agreed(Seat(other), number=number)
                put(store, referee, referee.act(agreed, at, lambda past=past: past))  # type: ignore[misc]
    assert not referee.state.table.offers
    assert (referee.state.draws, referee.state.shuffles) == spent
    assert_is_back(game, events_of(game, store, referee.match), line)
    return how


@settings(max_examples=3, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
@pytest.mark.parametrize("game", GAMES)
def test_takebacks_put_everybody_back_and_audit_as_played(game: AnyGame, seed: int) -> None:
    store, referee, _ = play(game, seed)
    assert Referee.open(game, store, referee.match).state == referee.state
    report = audit(game, export.from_store(store, referee.match))
    assert report.fault is None, str(report.fault)


@pytest.mark.parametrize("game", GAMES)
def test_choices_are_taken_back_at_once_and_by_consent(game: AnyGame) -> None:
    done = sum((play(game, seed)[2] for seed in range(20 if game.name == "skirmish" else 4)), Counter[str]())
    assert done["by consent"]
    assert done["at once"] or not done["sealed"], "who answers in secret before the others have takes it back at once"


def test_others_who_have_chosen_since_are_asked() -> None:
    game = games()[0]
    store = MemoryStore()
    referee = begun(store, game, kind="person")
    rng = random.Random(2)
    while len([e for e in events_of(game, store, referee.match) if isinstance(e, Chosen)]) < 2:
        step(store, referee, rng)
    events = events_of(game, store, referee.match)
    first = next(event.seat for event in events if isinstance(event, Chosen))
    assert not is_unlearnt(game, events, line_before(events, first), first)
