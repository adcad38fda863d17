"""What a scenario can say of a moment: what viewers were sent, what may be chosen, what was not asked, by cases."""

import pytest

from replay.scenarios.comparison import compare
from replay.scenarios.errors import ScenarioInvalid
from replay.scenarios.play import check, parse
from tests.skirmish.game import GAME

DRAWING = """
title = "Pressing for two"
game = "skirmish"
at = "SK-02"

[position]
hands = [[6, 1], [2, 2]]
deck = [5, 3]

[begin.then]
offered.seat0 = ["Play 1"]
not_offered.seat1 = [{ choice = "Play 6", rule = "SK-02" }, "Take"]
not_asked = ["Pursuit"]
gets.seat1 = { hands = ["?", [2, 2]], held = [2, 2] }

[[when]]
seat = 0
choice = "Play 6"

[[when]]
seat = 1
choice = "Play 2"
dice = ["SK-03: 3 4"]
then.offered = ["Take", "Press"]
then.not_asked = ["seat1 Pursuit"]

[[when]]
seat = 0
choice = "Press"
dice = [4]
then.sent.seat1 = ["Scored seat=0", "CardDrawn seat=0 card=?", "CardDrawn seat=1 card=5"]
then.sent.spectator = ["CardDrawn seat=1 card=?"]
then.never_sent.spectator = ["CardDrawn card=5"]
then.never_sent.seat0 = ["CardDrawn seat=1 card=5", "HandDealt"]
then.gets.spectator = { hands = ["?", "?"], held = [1, 2], scores = [2, 0] }
"""


def told(text: str) -> list[str]:
    return [str(difference) for difference in check(GAME, parse(text))]


def test_sendings_offers_and_questions_that_are_as_told_make_no_difference() -> None:
    text = DRAWING.replace('"CardDrawn seat=0 card=?", ', "")
    assert told(text) == []


@pytest.mark.parametrize(
    ("was", "becomes", "place", "got"),
    [
        ('["CardDrawn seat=1 card=?"]', '["CardDrawn card=5"]', "when 3: sent.spectator", "seat=1 card=?"),
        ('["CardDrawn card=5"]', '["CardDrawn card=?"]', "when 3: never_sent.spectator", "CardDrawn seat=1 card=?"),
        ('seat0 = ["CardDrawn', 'seat1 = ["CardDrawn', "when 3: never_sent.seat1", "CardDrawn seat=1 card=5"),
        ('spectator = { hands = ["?"', 'spectator = { hands = [[1]', "when 3: gets.spectator.hands", '["?", "?"]'),
        ('seat0 = ["Play 1"]', 'seat0 = ["Play 2"]', "begin: offered.seat0", "SK-02: It is not among the options."),
        ('seat0 = ["Play 1"]', 'seat0 = ["Play 2"]', "begin: offered.seat0", "Offered: Play 1 | Play 6"),
        ('"Take"]\nnot_asked', '"Play 2"]\nnot_asked', "begin: not_offered.seat1", "it may be chosen"),
        ('rule = "SK-02"', 'rule = "SK-03"', "begin: not_offered.seat1", "refused by SK-02"),
        ('offered = ["Take", "Press"]', 'offered.seat1 = ["Take"]', "when 2: offered.seat1", "seat1 is asked nothing"),
        ('offered.seat0 = ["Play 1"]', 'offered = ["Play 1"]', "begin: offered", "seat0 CardSelection, seat1 CardSel"),
        ('["seat1 Pursuit"]', '["Pursuit"]', "when 2: not_asked", "seat0 Pursuit"),
        ('["seat1 Pursuit"]', '["CardSelection", "Pursuit"]', "when 2: not_asked", "seat0 Pursuit"),
    ],
)  # fmt: skip
def test_what_came_out_otherwise_is_named(was: str, becomes: str, place: str, got: str) -> None:
    text = DRAWING.replace('"CardDrawn seat=0 card=?", ', "")
    assert text.count(was) == 1
    found = check(GAME, parse(text.replace(was, becomes)))
    assert [(one.place, got in one.got) for one in found] == [(place, True)]


@pytest.mark.parametrize(
    ("was", "becomes", "message"),
    [
        ("then.sent.spectator", "then.sent.seat7", "[when 3: sent.seat7]: there is no viewer 'seat7'"),
        ("gets.spectator", "gets.everybody", "there is no viewer 'everybody'; allowed: seat0, seat1, spectator"),
        ('["Pursuit"]', '["Persuit"]', "[begin: not_asked]: there is no question 'Persuit'; did you mean 'Pursuit'?"),
        ('"Take", "Press"', '"Tke", "Press"', "there is no choice 'Tke'; did you mean 'Take'?"),
        ('rule = "SK-02"', 'rul = "SK-02"', "has the keys choice and rule"),
        ("offered.seat0", "state.figures.x = 1\noffered.seat0", "the notation of skirmish shows no figures"),
        ('"Play 1"', '{ do = "Play", card = "one" }', "card: a whole number is needed, not a text"),
        ('"Play 1"', '{ do = "Plai" }', "there is no choice 'Plai'; did you mean 'Play'?"),
    ],
)
def test_what_a_game_does_not_have_is_refused_in_words(was: str, becomes: str, message: str) -> None:
    assert DRAWING.count(was) == 1
    with pytest.raises(ScenarioInvalid) as refused:
        check(GAME, parse(DRAWING.replace(was, becomes)))
    assert message in str(refused.value)


CASES = """
title = "Who scores"
game = "skirmish"
at = "SK-06"
options = { rounds = 2 }
position = { round = 2, scores = [1, 3] }
begin.then.result.winner = 1

[[case]]
name = "a"

[[case]]
name = "b"
title = "the other"
position.scores = [4, 3]
begin.then.result.winner = 0

[[case]]
name = "c"
at = "SK-02"
options = { rounds = 3 }
position = { hands = [[6], [2]], deck = [5, 3] }
begin.then.asked = ["seat0 CardSelection", "seat1 CardSelection"]
[[case.when]]
seat = 0
choice = "Play 6"
"""


def test_cases_share_a_position_and_say_what_differs() -> None:
    assert told(CASES) == []
    cases = parse(CASES).cases()
    assert [case.title for case in cases.values()] == ["Who scores (a)", "Who scores (b: the other)", "Who scores (c)"]
    assert cases["c"].position == {"round": 2, "scores": [1, 3], "hands": [[6], [2]], "deck": [5, 3]}
    assert cases["c"].options == {"rounds": 3}


def test_a_difference_names_its_case() -> None:
    found = check(GAME, parse(CASES.replace("winner = 0", "winner = 1").replace('"Play 6"\n', '"Play 5"\n')))
    assert [one.place for one in found] == ["case b: begin: result.winner", "case c: when 1"]


def test_a_set_is_compared_in_any_order_and_a_list_in_its_own() -> None:
    shown = {"set": frozenset({"b", "a"}), "list": ["b", "a"]}
    assert list(compare("at", {"set": ["b", "a"], "list": ["b", "a"]}, shown)) == []
    assert [str(one.got) for one in compare("at", {"set": ["a"], "list": ["a", "b"]}, shown)] == [
        '["a", "b"]',
        '["b", "a"]',
    ]
