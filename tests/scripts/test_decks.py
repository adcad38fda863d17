"""How even the ready decks are: who plays whom, and what is counted."""

import random
from itertools import islice

import pytest

from domain.disciples_legacy import GAME
from domain.kernel import MatchCreated, begin
from scripts.benchmarks.decks import DECKS, Outcome, plan, rate, report
from server.bots.chance import SeededChance


def test_every_ready_deck_plays() -> None:
    state = begin(GAME, GAME.created(MatchCreated(GAME.name, {}, ("a", "b"))), SeededChance(random.Random(1))).state
    offered = GAME.revive_decision(state.asked[0]).form(state)
    assert {choice.deck for choice in offered} == set(DECKS)  # type: ignore[attr-defined]


def test_seats_change_from_round_to_round_and_no_seed_comes_twice() -> None:
    pairs = list(islice(plan(7), 56))
    assert [decks for decks, _ in pairs[28:]] == [decks[::-1] for decks, _ in pairs[:28]]
    assert len({seed for _, seed in pairs}) == 56


def test_a_draw_is_half_a_match_won() -> None:
    lines = list(
        report([Outcome(("empire_a", "clans_b"), None, 20, "", 9), Outcome(("clans_b", "empire_a"), 0, 8, "", 5)])
    )
    assert lines[0].startswith("| empire_a | 0.5 | 2 | 25.0% |")
    assert lines[1].startswith("| clans_b | 1.5 | 2 | 75.0% |")


@pytest.mark.parametrize(("won", "of", "band"), [(50, 100, "40% to 60%"), (100, 100, "96% to 100%")])
def test_the_interval_is_wilsons(won: int, of: int, band: str) -> None:
    assert rate(won, of).endswith(band)
