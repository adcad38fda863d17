"""The steady bot of Joan of Arc: it reckons dice as they fall, knows only its view, and beats play by chance."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest

from domain.joan_of_arc import GAME
from domain.joan_of_arc.board.scenarios import SHIPPED_SCENARIOS
from domain.joan_of_arc.cards.dice import FACES, Face
from domain.joan_of_arc.positions.positions import POSITIONS
from domain.joan_of_arc.state.state import JoanState
from domain.kernel import Asked, Choice, MatchCreated, Play, Result, begin
from domain.kernel.history import views_of
from server.analysis.simulation import played
from server.bots import bots_of, make_bot
from server.bots.chance import SeededChance
from server.bots.joan_of_arc.odds import KINDS, Counts, hits, left_over, shields, target
from server.bots.joan_of_arc.steady import SteadyBot
from tests.domain.joan_of_arc.fixtures import L0, L1, L2, W
from tests.domain.joan_of_arc.table import Table, given, text_of

SCENARIOS = sorted(SHIPPED_SCENARIOS)


def moments(seed: int, names: tuple[str, ...], options: dict[str, Any]) -> Iterator[Play[JoanState]]:
    """Every decision of a match between bots that see only their views."""
    source = random.Random(seed)
    chance = SeededChance(source)
    created = MatchCreated(GAME.name, options, names)
    opening = begin(GAME, GAME.created(created), chance)
    views = views_of(GAME, [created, *opening.events])
    yield from played(GAME, views, [make_bot(GAME.name, name) for name in names], chance, source)


def duel(seed: int, names: tuple[str, ...], **options: Any) -> Result:
    """How a match ends."""
    *_, last = moments(seed, names, options)
    assert last.state.result is not None
    return last.state.result


def won_by_steady(seed: int, scenario: str, seats: int = 2) -> bool:
    """Whether steady wins against random: with the first side in even matches, the second in odd ones."""
    first = seed % 2
    names = tuple("steady" if seat % 2 == first else "random" for seat in range(seats))
    options = {"scenario": scenario} if seats == 2 else {"scenario": scenario, "seats": seats}
    return first in duel(seed, names, **options).won


def answer(table: Table) -> str:
    """What the bot answers to the first question of a position."""
    asked = table.asked()
    view = POSITIONS.view(table.state, asked.seat)
    form = GAME.revive_decision(asked).form(view)
    return text_of(make_bot(GAME.name, "steady").choose(view, asked, form, random.Random(1).randrange))


def rolls(dice: Counts) -> Iterator[list[Face]]:
    """Every way in which these dice fall, each as likely."""
    faces = [FACES[kind] for kind, number in zip(KINDS, dice, strict=True) for _ in range(number)]
    yield from map(list, product(*faces))


def test_steady_is_the_strongest_bot() -> None:
    assert bots_of(GAME.name)[:3] == ("steady", "gentle", "random")


@pytest.mark.parametrize("dice", [(0, 2, 0, 1), (1, 0, 2, 0)])
def test_the_odds_of_an_attack_roll_are_those_of_its_dice(dice: Counts) -> None:
    ways = list(rolls(dice))
    for (kills, disrupts), likely in hits(dice).items():
        shown = sum(way.count(Face.KILL) == kills and way.count(Face.DISRUPT) == disrupts for way in ways)
        assert likely == pytest.approx(shown / len(ways))


@pytest.mark.parametrize("dice", [(2, 0, 0, 1), (0, 0, 1, 2)])
def test_the_odds_of_shields_are_those_of_the_dice(dice: Counts) -> None:
    ways = list(rolls(dice))
    shown = [sum(way.count(Face.SHIELD) == number for way in ways) / len(ways) for number in range(sum(dice) + 1)]
    assert shields(dice) == pytest.approx(shown)


def test_ja_126_shields_stop_kills_before_disrupts() -> None:
    left = left_over((0, 1, 0, 0), (0, 0, 0, 0), 1, 0)
    assert {(kills, disrupts) for kills, disrupts, _ in left.hits} == {(0, 0)}
    open_ = left_over((0, 1, 0, 0), (0, 0, 0, 0), 0, 0)
    assert sum(likely for kills, _, likely in open_.hits if kills) == pytest.approx(1 / 3)


def test_ja_378_a_gigantic_die_counts_once_for_each_enemy() -> None:
    left = left_over((0, 0, 0, 0), (0, 0, 0, 0), 0, 3)
    assert {(kills, disrupts) for kills, disrupts, _ in left.hits} == {(3, 0), (0, 3), (0, 0)}


def test_ja_128_ja_129_the_cheapest_suffer_first_and_nobody_twice_before_all_have() -> None:
    aim = target([(1.0, 0.4, 1), (0.5, 0.5, 2)])
    assert aim.most == 3
    assert [aim.loss(kills, 0) for kills in range(5)] == [0.0, 0.5, 1.5, 2.0, 2.0]
    assert aim.loss(1, 1) == pytest.approx(0.9)


def stand(ours: list[str], theirs: list[str], **more: Any) -> Table:
    """The seat's turn, with three command orders."""
    seat0 = {"orders": "3 command", "units": ours, **more.pop("board", {})}
    return given(seat0=seat0, seat1={"units": theirs}, **more)


def test_steady_attacks_whom_it_can_beat() -> None:
    table = stand(["k1: e_knights @L1", "k2: e_knights @L1"], ["f1: f_peasants @L2"])
    assert answer(table) == f"PlayOrder command {L1}"
    assert answer(table.do(f"PlayOrder command {L1}")) == f"Melee {L2}"


def test_steady_shoots_from_afar_rather_than_walk_up() -> None:
    table = stand(["b1: e_bowmen @L0", "b2: e_bowmen @L0"], ["f1: f_peasants @L2"])
    assert answer(table.do(f"PlayOrder command {L0}")) == f"Shoot {L2}"


def test_ja_149_steady_attacks_with_all_who_reach_the_same_area() -> None:
    table = stand(["e1: e_billmen @L1", "e2: e_billmen @L1", "e3: e_billmen @L1"], ["f1: f_peasants @L2"])
    table.do(f"PlayOrder command {L1}")
    for _ in range(2):
        assert answer(table) == f"Melee {L2}"
        table.do(f"Melee {L2}")


@pytest.mark.parametrize(("held", "expected"), [("e1: e_billmen @L0", f"Move {L1}"), ("e1: e_billmen @L1", "Wait")])
def test_steady_goes_to_an_area_that_scores_and_stays_there(held: str, expected: str) -> None:
    victory = {"camp": [{"if": {"area_held": L1}, "vp": 2}]}
    table = stand([held], ["f1: f_peasants @L3"], victory=victory)
    start = {"L0": L0, "L1": L1}[held[-2:]]
    assert answer(table.do(f"PlayOrder command {start}")) == expected


@pytest.mark.parametrize(("shields", "expected"), [("yellow=S black=D", 1), ("yellow=S black=S", 2)])
def test_ja_125_steady_uses_all_shields(shields: str, expected: int) -> None:
    assert answer(defended(shields)) == f"UseShields {expected}"


def test_ja_127_steady_gives_a_kill_to_who_only_takes_a_wound() -> None:
    table = defended("yellow=B black=D")
    assert table.kinds() == ["1 ResultTaker"]
    assert answer(table) == "GiveResult f2"


def defended(dice: str) -> Table:
    """A knight's kill and disrupt on a peasant and a guard with 2 HPs, who roll this."""
    theirs = ["f1: f_peasants @L2", "f2: f_household_guard @L2"]
    seat0 = {"orders": "1 command", "units": ["k1: e_knights @L1"]}
    table = given(f"red=K red=D {dice}", seat0=seat0, seat1={"units": theirs})
    return table.do(f"PlayOrder command {L1}", f"Melee {L2}")


@pytest.mark.parametrize(("dice", "expected"), [("black=K black=D", "RollAgainThese 0 1"), ("black=S black=D", "")])
def test_ja_q77_steady_spends_the_token_on_terror_dice_of_which_none_frightens(dice: str, expected: str) -> None:
    seat0 = {"orders": "1 command", "units": ["k1: e_knights @L1", "k2: e_knights @L1"]}
    seat1 = {"reroll": True, "units": ["bp: e_black_prince_2 @L2"]}
    table = given(dice, seat0=seat0, seat1=seat1).do(f"PlayOrder command {L1}", f"Melee {L2}", f"Melee {L2}")
    assert answer(table) == (expected or "RollAgainThese")


@pytest.mark.parametrize(("dice", "expected"), [("black=D", "RollAgainThese 1"), ("black=S", "RollAgainThese")])
def test_ja_q77_steady_spends_the_token_on_a_dear_unit_under_a_falling_house(dice: str, expected: str) -> None:
    house: dict[str, Any] = {"terrain": "village", "building": "small_house", "elements": {}, "damage": 1, "fire": 0}
    seat0 = {"units": ["t: e_fastolf @L1/small_house wounds:2"], "reroll": True}
    seat1 = {"units": ["f1: f_voulgiers @L4"]}
    table = given(f"red=K {dice}", start="Camp", areas={"L1": house}, seat0=seat0, seat1=seat1)
    assert (table.kinds(), answer(table)) == (["0 CollapseDice"], expected)


@cache
def asked_of_steady() -> tuple[tuple[JoanState, Asked, Choice], ...]:
    """What steady was asked in a match, by its whole state, and what it answered."""
    found = []
    before: JoanState | None = None
    for made in moments(3, ("steady", "steady"), {"scenario": SCENARIOS[0]}):
        if before is not None:
            found.append((before, before.asked[0]))
        before = made.state
    bot = SteadyBot()
    answered = []
    for state, asked in found:
        answered.append((state, asked, chosen(bot, state, asked)))
    return tuple(answered)


def chosen(bot: SteadyBot, state: JoanState, asked: Asked) -> Choice:
    """What a bot chooses that knows what its seat may know of a state."""
    view = POSITIONS.view(state, asked.seat)
    return bot.choose(view, asked, GAME.revive_decision(asked).form(view), random.Random(7).randrange)


def test_steady_chooses_alike_in_worlds_that_its_seat_cannot_tell_apart() -> None:
    rng, compared = random.Random(5), 0
    for state, asked, choice in asked_of_steady()[::4]:
        world = GAME.spec.resample(state, asked.seat, rng.randrange)
        assert chosen(SteadyBot(), world, asked) == choice
        compared += world != state
    assert compared > 20


def test_what_steady_remembers_changes_nothing() -> None:
    for state, asked, choice in asked_of_steady()[::5]:
        assert chosen(SteadyBot(), state, asked) == choice


@pytest.mark.parametrize(("seed", "scenario"), [*enumerate(SCENARIOS)])
def test_steady_beats_random_in_every_scenario(seed: int, scenario: str) -> None:
    assert won_by_steady(seed, scenario)


def test_steady_plays_in_company() -> None:
    assert won_by_steady(3, SCENARIOS[0], 3)


@pytest.mark.deep
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_steady_beats_random_in_nine_of_ten(seats: int) -> None:
    matches = 402 if seats == 2 else 60
    won = sum(won_by_steady(seed, SCENARIOS[seed % 3], seats) for seed in range(matches))
    assert won >= 0.9 * matches


@pytest.mark.deep
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_match_is_over_after_the_rounds_of_its_scenario(scenario: str) -> None:
    for seed in range(20):
        *_, last = moments(seed, ("steady", "steady"), {"scenario": scenario})
        assert last.state.round <= len(SHIPPED_SCENARIOS[scenario].rounds)


@pytest.mark.parametrize(
    ("rolled", "unit", "wise"),
    [
        ("doom=death", "e_black_prince_1", "RerollDie"),
        ("doom=death", "e_billmen", "KeepDie"),
        ("doom=disrupt", "e_black_prince_1", "KeepDie"),
        ("doom=rally", "e_black_prince_1", "KeepDie"),
    ],
)
def test_the_token_saves_a_dear_unit_from_death_and_no_other(rolled: str, unit: str, wise: str) -> None:
    ours = {"units": [f"x: {unit} disrupted", "y: e_billmen @L0", "z: e_billmen @L0"], "reroll": True}
    table = given(f"{rolled} doom=rally", seat0=ours, seat1={"units": ["f: f_voulgiers @L4"]}, start="Camp")
    assert table.kinds() == ["0 RerollOffer"]
    assert answer(table) == wise


def test_ja_164_steady_has_its_commander_activate_those_who_can_beat_an_enemy() -> None:
    ours = {"orders": "2 command", "units": ["bp: e_black_prince_1 @W", "k1: e_knights @C", "k2: e_knights @C"]}
    table = given(map="flower", seat0=ours, seat1={"units": ["f1: f_peasants @E"]})
    table.do(f"PlayOrder command {W}", "Wait")
    assert answer(table) == "Command bp"
    assert answer(table.do("Command bp")) == "CommandThese k1 k2"
