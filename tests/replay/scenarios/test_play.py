"""Scenarios: positions as text, scripted chance, differences that can be read. Played with the example game."""

from pathlib import Path

import pytest

from replay.scenarios.chance import ScriptedChance, arrange
from replay.scenarios.errors import ScenarioInvalid
from replay.scenarios.play import Difference, check, load, parse
from tests.skirmish.game import GAME

PURSUIT = """
title = "Pressing for two"
game = "skirmish"
at = "SK-02"

[position]
hands = [[6, 1], [2, 2]]
deck = [5, 3]

[begin.then]
asked = ["seat0 CardSelection", "seat1 CardSelection"]
offers = { seat0 = ["Play 1", "Play 6"], seat1 = ["Play 2"] }
sees.seat0 = { hands = [[1, 6], "?"], deck = "?" }
sees.spectator = { hands = ["?", "?"], held = [2, 2] }

[[when]]
seat = 0
choice = "Play 6"
then = { exact = true, asked = ["seat1 CardSelection"] }

[[when]]
seat = 1
decision = "CardSelection"
choice = { do = "Play", card = 2 }
dice = ["SK-03: 3 4"]
then.events = ["CardShown seat=0 card=6", "CardShown seat=1 card=2", "DiceRolled rule=SK-03"]
then.exact = true
then.state = { played = [6, 2], hands = [[1], [2]] }

[[when]]
seat = 1
choice = "Take"
refused = "not-your-decision"

[[when]]
seat = 0
choice = "Play 1"
refused = "SK-04"

[[when]]
seat = 0
choice = "Press"
dice = [4]
then.events = ["Scored seat=0 score=2", "CardDrawn seat=1 card=5", "RoundEnded"]
then.never = ["HandDealt"]
then.sees.seat0 = { scores = [2, 0], held = [1, 2], hands = [[1], "?"] }
then.sees.seat1.hands = ["?", [2, 5]]
"""


def told(text: str) -> list[str]:
    return [str(difference) for difference in check(GAME, parse(text))]


def test_a_scenario_that_is_as_told_has_no_difference() -> None:
    assert told(PURSUIT) == []


def test_it_may_begin_at_the_first_step_with_a_scripted_shuffle() -> None:
    text = """
    title = "The deal"
    game = "skirmish"
    [begin]
    shuffles = [[11, 10, 9, "..."]]
    then.events = ["HandDealt seat=0 count=3 cards=[4,5,6]", "HandDealt seat=1", "DeckPlaced size=6"]
    then.sees.seat1.hands = ["?", [1, 2, 3]]
    """
    assert told(text) == []


def test_it_may_begin_at_any_step_of_the_sequence() -> None:
    text = """
    title = "The last round ends"
    game = "skirmish"
    at = "SK-06"
    options = { rounds = 2 }
    position = { round = 2, scores = [1, 3] }
    [begin.then]
    asked = []
    result = { winner = 1, reason = "more points", rule = "SK-06" }
    """
    assert told(text) == []
    assert any("tie" in line for line in told(text.replace("[1, 3]", "[2, 2]")))


@pytest.mark.parametrize(
    ("was", "becomes", "place", "got"),
    [
        ("score=2", "score=1", "when 5: events", "Scored seat=0 score=2"),
        ("dice = [4]", "dice = [4, 4]", "when 5: chance", "not rolled: 4"),
        ("dice = [4]", "dice = []", "when 5: chance", "SK-04: ?"),
        ("dice = [4]", "dice = [7]", "when 5: chance", "a die of 6 sides cannot show 7"),
        ("SK-03: 3 4", "SK-04: 3 4", "when 2: chance", "SK-03: 3 4"),
        ("[2, 0], held", "[1, 0], held", "when 5: sees.seat0.scores", "[2, 0]"),
        ("played = [6, 2]", "plaid = [6, 2]", "when 2: state.plaid", "did you mean 'played'?"),
        ('offers = { seat0 = ["Play 1", ', "offers = { seat0 = [", "begin: offers.seat0", "also offered: Play 1"),
        ('["Play 2"]', '["Play 3", "..."]', "begin: offers.seat1", "not offered: Play 3"),
        ('never = ["HandDealt"]', 'never = ["CardDrawn seat=1"]', "when 5: events", "CardDrawn seat=1 card=5"),
        ('refused = "SK-04"', 'refused = "SK-05"', "when 4", "refused by SK-04 (not-offered)"),
        ('choice = "Press"', 'choice = "Play 6"', "when 5", "Offered: Take | Press"),
        ('decision = "CardSelection"', 'decision = "Pursuit"', "when 2", "seat1 CardSelection"),
        (
            '[when]]\nseat = 0\nchoice = "Play 6"',
            '[when]]\nseat = 0\nrefused = "x"\nchoice = "Play 6"',
            "when 1",
            "acc",
        ),
    ],
)
def test_a_difference_names_place_and_what_came_out(was: str, becomes: str, place: str, got: str) -> None:
    assert PURSUIT.count(was) == 1
    found = check(GAME, parse(PURSUIT.replace(was, becomes)))
    assert found
    assert found[0].place == place
    assert got in found[0].got


def test_exact_tells_of_events_that_are_not_in_the_file() -> None:
    text = PURSUIT.replace('"RoundEnded"]', '"RoundEnded"]\nthen.exact = true').replace(
        '"CardDrawn seat=1 card=5", ', ""
    )
    assert check(GAME, parse(text)) == [Difference("when 5: events", "RoundEnded", "CardDrawn seat=1 card=5")]


@pytest.mark.parametrize(
    ("was", "becomes", "message"),
    [
        ('title = "Pressing for two"', "", "the key `title` is missing"),
        ("\nat = ", "\natt = ", "the key `att` is not known; allowed there: title, game"),
        ("then = { exact = true", "then = { exakt = true", "[when 1.then]: the key `exakt` is not known"),
        ('choice = "Press"', 'choice = "Press"\nanswer = 1', "[when 5]: give one of"),
        ('refused = "SK-04"', 'refused = "SK-04"\ndice = [1]', "[when 4]: a refused choice uses no dice"),
        ("seat = 1\ndecision", 'seat = "one"\ndecision', "[when 2.seat]: a whole number is needed, not a text"),
        ("hands = [[6", "hants = [[6", "[position]: hants: allowed are hands"),
        ('at = "SK-02"', 'at = "SK-20"', "Match has no step 'SK-20'; allowed: SK-01, SK-02"),
        ('"RoundEnded"]', '"RundEnded"]', "no event 'RundEnded'; did you mean 'RoundEnded'?"),
        ("seat=0 score=2", "seat=0 scor=2", "Scored has no field 'scor'; did you mean 'score'?"),
        ('choice = "Press"', 'choice = "Pres"', "[when 5] choice: there is no choice 'Pres'; did you mean 'Press'?"),
        ("sees.spectator", "sees.seat2", "there is no viewer 'seat2'; allowed: seat0, seat1, spectator"),
        ("dice = [4]", 'dice = [4, "SK-04: 4"]', "[when 5]: dice are either all numbers or all groups"),
        ('game = "skirmish"', 'game = "chess"', "the scenario is of 'chess', not of 'skirmish'"),
        ("[position]", "[position", "not TOML"),
    ],
)
def test_a_file_that_cannot_be_read_says_where_and_what_is_allowed(was: str, becomes: str, message: str) -> None:
    assert PURSUIT.count(was) == 1
    with pytest.raises(ScenarioInvalid) as told:
        check(GAME, parse(PURSUIT.replace(was, becomes), "press.toml"))
    assert message in str(told.value)


def test_load_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "press.toml"
    path.write_text(PURSUIT)
    assert load(path).title == "Pressing for two"
    with pytest.raises(ScenarioInvalid, match="missing\\.toml: it cannot be read"):
        load(tmp_path / "missing.toml")


def test_answers_and_time_outs_are_choices_too() -> None:
    text = PURSUIT.replace('choice = "Play 6"', "answer = 1").replace('choice = "Press"\ndice = [4]', "time_out = true")
    text = text.replace("score=2", "score=1").replace("[2, 0], held", "[1, 0], held")
    assert told(text) == []


@pytest.mark.parametrize(
    ("order", "size", "places"),
    [("as is", 3, (0, 1, 2)), ("reversed", 3, (2, 1, 0)), ([2, "..."], 3, (2, 0, 1)), ([1, 0], 2, (1, 0))],
)
def test_a_shuffle_is_scripted_by_places(order: str | list[int | str], size: int, places: tuple[int, ...]) -> None:
    assert arrange(order, size) == places


@pytest.mark.parametrize("order", ["sorted", [0], [0, 0, 1], [0, 3, "..."], ["...", 1, 2]])
def test_a_scripted_shuffle_names_different_places(order: str | list[int | str]) -> None:
    with pytest.raises(ValueError, match="a shuffle"):
        arrange(order, 3)


def test_a_script_that_ends_too_early_goes_on_and_says_so() -> None:
    chance = ScriptedChance([3])
    assert chance.dice(2, 6).values == (3, 1)
    assert chance.short
    assert chance.shuffle(3).values == (0, 1, 2)
    assert chance.wrong == ["a shuffle of 3 cards is not scripted"]
