"""The steady bot of Disciples: Legacy: its Battles in thought go as in the rules, and it beats play by chance."""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from domain.disciples_legacy import GAME
from domain.disciples_legacy.positions.positions import POSITIONS
from domain.disciples_legacy.rules.battle.striking import Strike, strikes
from domain.disciples_legacy.state.state import DisciplesState, MemberId
from domain.disciples_legacy.state.stats import hp
from domain.kernel import MatchCreated, Result, begin, decide
from domain.kernel.history import views_of
from server.analysis.simulation import played
from server.bots import bots_of, make_bot
from server.bots.chance import SeededChance
from server.bots.disciples_legacy.battle import Fight, PlannedAction, actions, fight_now, fight_on, perform
from tests.domain.disciples_legacy.table import Table, fight, given, text_of


def moments(seed: int, names: tuple[str, str], options: dict[str, Any]) -> Iterator[DisciplesState]:
    """Every state of a match between bots that see only their views."""
    source = random.Random(seed)
    chance = SeededChance(source)
    created = MatchCreated(GAME.name, options, ("a", "b"))
    opening = begin(GAME, GAME.created(created), chance)
    views = views_of(GAME, [created, *opening.events])
    for made in played(GAME, views, [make_bot(GAME.name, name) for name in names], chance, source):
        yield made.state


def duel(seed: int, names: tuple[str, str], options: dict[str, Any]) -> Result:
    """How a match ends."""
    *_, last = moments(seed, names, options)
    assert last.result is not None
    return last.result


@cache
def battles() -> tuple[DisciplesState, ...]:
    """Moments of a match at which a Battle Action is due."""
    states = moments(4, ("steady", "steady"), {"turn_limit": 10})
    return tuple(state for state in states if state.asked and state.asked[0].kind == "BattleAction")


def answer(table: Table) -> str:
    """What the bot answers to the first question of a position."""
    asked = table.asked()
    view = POSITIONS.view(table.state, asked.seat)
    form = GAME.revive_decision(asked).form(view)
    return text_of(make_bot(GAME.name, "steady").choose(view, asked, form, random.Random(1).randrange))


def test_steady_is_the_strongest_bot() -> None:
    assert bots_of(GAME.name)[:3] == ("steady", "gentle", "random")


def test_attacks_in_thought_reach_whom_the_rules_let_them_reach() -> None:
    assert len(battles()) > 20
    for state in battles():
        seat = state.asked[0].seat
        battle = fight_now(state)
        thought = {_strike(battle, action) for _, action in actions(battle, seat) if action.skill < 0}
        ready = (fighter for fighter in battle.living(seat) if not fighter.tapped and fighter.strike)
        assert thought == {strike for fighter in ready for strike in strikes(state, MemberId(fighter.id))}


def _strike(battle: Fight, action: PlannedAction) -> Strike:
    return Strike(battle.everybody[action.by].id, battle.everybody[action.target].id if action.target >= 0 else "")


def test_an_attack_in_thought_does_what_the_rules_make_of_it() -> None:
    compared = 0
    for state in battles():
        asked = state.asked[0]
        for _, action in actions(fight_now(state), asked.seat):
            battle = fight_now(state)
            if action.skill >= 0:
                continue
            choice = _strike(battle, action)
            after = decide(GAME, state, asked.seat, asked.number, choice, SeededChance(random.Random(0))).state
            if after.battle is None or after.battle.round != battle.round:
                continue
            perform(battle, action)
            for fighter in battle.everybody:
                assert fighter.hp == (hp(after, MemberId(fighter.id)) if MemberId(fighter.id) in after.members else 0)
                compared += 1
    assert compared > 200


def test_a_fight_thought_through_leaves_where_it_began_alone() -> None:
    battle = fight_now(battles()[0])
    before = battle.copy()
    fight_on(battle.copy())
    assert battle == before


def test_steady_kills_who_has_not_acted_rather_than_scratch_the_strongest() -> None:
    theirs = [{"2": "D: dread_duke", "1": "P: possessed damage:3", "5": "C: cultist"}]
    assert answer(fight([{"2": "K: knight_captain"}], theirs)) == "Strike K P"


def test_steady_takes_a_city_that_nobody_can_defend() -> None:
    theirs = {"parties": [{"2": "D: dread_duke spent", "1": "P: possessed"}], "cities": ["A: ash_town"]}
    assert answer(given({"parties": [{"2": "K: knight_captain"}]}, theirs)) == "Assault K A"


@pytest.mark.parametrize(
    ("defender", "expected"),
    [({"2": "D: dread_duke", "1": "P: devil"}, "Block D"), ({"2": "D: imp_herald damage:5"}, "DeclineBlock")],
)
def test_steady_blocks_where_the_battle_is_won(defender: dict[str, str], expected: str) -> None:
    ours = {"parties": [{"2": "K: knight_captain", "1": "S: squire", "3": "T: squire"}]}
    theirs = {"parties": [defender], "cities": ["A: ash_town"]}
    assert answer(given(ours, theirs).do("Assault K A")) == expected


@pytest.mark.parametrize("turn_limit", [1, 4])
def test_steady_plays_to_the_end(turn_limit: int) -> None:
    assert duel(turn_limit, ("steady", "steady"), {"turn_limit": turn_limit}).reason


def test_steady_answers_the_same_to_the_same() -> None:
    assert duel(8, ("steady", "random"), {}) == duel(8, ("steady", "random"), {})


def test_steady_beats_random_from_either_seat() -> None:
    won = sum(duel(seed, ("steady", "random"), {}).winner == 0 for seed in range(3))
    won += sum(duel(seed, ("random", "steady"), {}).winner == 1 for seed in range(3, 6))
    assert won >= 5


@pytest.mark.deep
def test_steady_beats_random_in_nine_of_ten() -> None:
    won = sum(duel(seed, ("steady", "random"), {}).winner == 0 for seed in range(200))
    won += sum(duel(seed, ("random", "steady"), {}).winner == 1 for seed in range(200, 400))
    assert won >= 360
