"""Sections 2 and 9 of docs/record.md: matches that differ only in secrets look the same to who may not see them."""

import copy
import json
import random
from typing import Any

import pytest

from domain.kernel import Chosen, Game, NotOffered, Seat, State
from domain.vera_discordia import GAME as VERA
from projections.redaction import SPECTATOR, Viewer, item
from replay.record.line import read_line
from replay.record.referee import Referee, Ruling
from replay.store.log import Entry
from replay.store.memory import MemoryStore
from tests.replay.matches import START, begun, put
from tests.skirmish.game import GAME as SKIRMISH

VIEWERS = (SPECTATOR, Viewer(Seat(0)), Viewer(Seat(1)))


def ideal(entry: Entry, viewer: Viewer) -> tuple[str, list[int]]:
    """What a viewer receives of a line, with every commitment replaced by a function of its place alone.

    A line's cause is a commitment too: the hash of a line with sealed answers. Of the openings it is entitled to the
    slots count, not the values: they may tell it something new.
    """
    text, openings = item(entry.line, read_line(entry.line).masks, entry.openings, viewer)
    line = json.loads(text)
    line[7] = "cause" if line[7] else ""
    line[9] = [[mask, f"seal {slot}"] for slot, (mask, _) in enumerate(line[9])]
    return json.dumps(line), [slot for slot, _ in openings]


def in_another_world(referee: Referee[Any], viewer: Viewer, rng: random.Random) -> Referee[Any]:
    """The referee of a match that the viewer cannot tell from this one."""
    twin = copy.copy(referee)
    twin.state = referee.game.spec.resample(referee.state, viewer.seat, rng.randrange)
    return twin


def ruled(referee: Referee[Any], seat: Seat, number: int, choice: Any) -> Ruling[Any] | None:
    """The ruling; None where the choice is not on offer, which is all that may differ between the worlds."""
    try:
        return referee.choose(seat, number, choice, Chosen(seat, number, id="c"), START)
    except NotOffered:
        return None


@pytest.mark.parametrize("viewer", VIEWERS, ids=lambda v: v.label)
@pytest.mark.parametrize(("game", "seeds"), [(SKIRMISH, 30), (VERA, 5)], ids=["skirmish", "vera_discordia"])
def test_sealed_answers_and_hidden_draws_look_the_same_in_every_world(
    game: Game[Any], seeds: int, viewer: Viewer
) -> None:
    compared = 0
    for seed in range(seeds):
        rng = random.Random(seed)
        store = MemoryStore()
        referee = begun(store, game)
        for _ in range(120):
            if not referee.state.asked:
                break
            asked = rng.choice(referee.state.asked)
            choice = game.revive_decision(asked).form(referee.state).sample(rng.randrange)
            here = ruled(referee, asked.seat, asked.number, choice)
            assert here is not None
            twin = in_another_world(referee, viewer, rng)
            if waits_for_others(referee.state) and asked.seat != viewer.seat:
                choice = game.revive_decision(asked).form(twin.state).sample(rng.randrange)
            there = ruled(twin, asked.seat, asked.number, choice)
            if there is not None and nothing_shown(here, referee.state):
                one, two = ([ideal(e, viewer) for e in ruling.commit.entries] for ruling in (here, there))
                assert one == two
                compared += 1
            put(store, referee, here)
    assert compared > 5


def waits_for_others(state: State) -> bool:
    return state.sealed and len(state.asked) > 1


def nothing_shown(ruling: Ruling[Any], before: State) -> bool:
    """Whether no secret became public by it: an answer was sealed, or only events came of it that show none."""
    return len(ruling.events) == 1 or (
        not before.sealed and {type(event).__name__ for event in ruling.events} <= {*QUIET, "Chosen", "DecisionsOpened"}
    )


QUIET = {"Scored", "CardDrawn", "RoundEnded", "DiceRolled", "TerrainExamined", "PhaseBegan", "TurnBegan"}
