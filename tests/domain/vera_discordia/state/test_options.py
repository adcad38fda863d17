"""The options of a match: what contradicts itself, and the simplifications played separately and together."""

from itertools import product
from random import Random
from typing import Any

import pytest

from domain.commons.cards import known
from domain.kernel import DiceRolled, Event, MatchCreated, MatchEnded, begin, decide
from domain.vera_discordia import GAME
from domain.vera_discordia.cards.cards import Rank, index_of
from domain.vera_discordia.cards.shipped import SHIPPED
from domain.vera_discordia.state.events import (
    ArmyDealt,
    AttackDeclared,
    GeneralChosen,
    OrdersIssued,
    TerrainRevealed,
    UnitDeployed,
)
from domain.vera_discordia.state.options import Options
from domain.vera_discordia.state.queries import index_of_options
from domain.vera_discordia.state.state import AttackKind
from server.conformance.walks import Seeded

TYPES = index_of(SHIPPED).types
SIMPLER = ("without_generals", "without_flying", "without_terrain", "without_legendary")
CHOICES = 260


def play(seed: int, options: dict[str, Any]) -> list[Event]:
    """Random play; the invariants hold at every pause."""
    random, chance = Random(seed), Seeded(seed)
    state = GAME.created(MatchCreated("vera_discordia", options, ("Ada", "Bo")))
    resolver = begin(GAME, state, chance)
    events = list(resolver.events)
    for _ in range(CHOICES):
        state = resolver.state
        assert list(GAME.spec.invariants(state)) == []
        if state.result is not None:
            break
        asked = random.choice(state.asked)
        choice = GAME.revive_decision(asked).form(state).sample(random.randrange)
        resolver = decide(GAME, state, asked.seat, asked.number, choice, chance)
        events += resolver.events
    return events


@pytest.mark.parametrize("on", list(product((False, True), repeat=4)), ids=lambda on: "".join(str(int(o)) for o in on))
def test_vd_286_simplifications_separately_and_together(on: tuple[bool, ...]) -> None:
    options = {name: value for name, value in zip(SIMPLER, on, strict=True) if value}
    generals, flying, terrain, legendary = on
    battles = 0
    for seed in range(4):
        events = play(seed, options)
        battles += any(isinstance(event, AttackDeclared) for event in events)
        _check(events, generals=generals, flying=flying, terrain=terrain, legendary=legendary)
    assert battles


def _check(events: list[Event], *, generals: bool, flying: bool, terrain: bool, legendary: bool) -> None:
    for event in events:
        match event:
            case UnitDeployed(general=True):
                assert not generals  # VD-287
            case MatchEnded(result=result):
                assert result.rule in ({"VD-284"} if generals else {"VD-129", "VD-283", "VD-284"})
            case AttackDeclared(kind=AttackKind.AERIAL):
                assert not flying  # VD-288
            case TerrainRevealed():
                assert not terrain  # VD-289
            case DiceRolled(parts=parts):
                assert not terrain or not {"VD-297", "VD-298", "VD-300"} & {part.rule for part in parts}
            case ArmyDealt(cards=cards):
                ranks = [TYPES[card].rank for card in known(cards)]
                assert (Rank.LEGENDARY in ranks) is not legendary  # VD-290


@pytest.mark.parametrize("options", [{"competitive": True}, {"hurry_up_s": 60}, {"same_faction": False}])
def test_vd_095_vd_145_vd_093_other_options_are_played(options: dict[str, Any]) -> None:
    for seed in range(6):
        events = play(seed, options)
        chosen = [event for event in events if isinstance(event, GeneralChosen)]
        assert len({event.general for event in chosen[-2:]}) == 2 or len(chosen) > 2
        assert options.get("same_faction", True) or chosen[0].faction != chosen[1].faction
    assert any(isinstance(event, OrdersIssued) for seed in range(6) for event in play(seed, options))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (Options(generals=("ykora",)), "name two Generals"),
        (Options(generals=("ykora", "nobody")), "there is no General 'nobody'"),
        (Options(generals=("ykora", "ykora")), "VD-092"),
        (Options(generals=("ykora", "orrin"), same_faction=False), "VD-093"),
        (Options(championship=True), "VD-097"),
        (Options(competitive=True, generals=("ykora", "lhaia")), "VD-095"),
        (Options(competitive=True, same_faction=False), "VD-Q50"),
        (Options(hurry_up_s=-1), "VD-145"),
        (Options(hurry_up_s=3601), "VD-145"),
    ],
)
def test_options_that_contradict_themselves_are_named(options: Options, says: str) -> None:
    assert says in "; ".join(options.defects(index_of_options(options)))


@pytest.mark.parametrize(
    "options",
    [
        Options(),
        Options(generals=("ykora", "orrin")),
        Options(generals=("ykora", "lhaia"), same_faction=False, championship=True),
        Options(competitive=True),
        Options(hurry_up_s=3600),
    ],
)
def test_options_that_agree_have_no_defects(options: Options) -> None:
    assert options.defects(index_of_options(options)) == []
