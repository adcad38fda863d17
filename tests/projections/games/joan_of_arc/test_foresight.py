"""What would follow from a choice of Joan of Arc, as far as its seat may know."""

from domain.joan_of_arc import GAME
from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.state.attack_events import AttackEnded
from domain.joan_of_arc.state.events import EffectSkipped, ResourceGained, UnitsMoved, UnitWaited
from domain.joan_of_arc.state.state import JoanState, UnitId
from domain.kernel import DiceRolled, Hidden, Seat
from projections.foresight import _called, foresee, roll_words
from projections.games.joan_of_arc import FACE
from projections.games.joan_of_arc.ahead import ahead
from projections.i18n.language import language_of
from replay.scenarios.lesson_session import LessonSession
from tests.projections.games.joan_of_arc.foresight import course


def foretold(at: LessonSession[JoanState]) -> list[str]:
    """Every line that is told of the options of its question."""
    asked, stack = at.state.asked[0], at.state.stack
    assert not isinstance(stack, Hidden)
    form = GAME.revive_decision(asked).form(at.state)
    return [line for choice in form for line in foresee(FACE, at.view, stack, asked, choice).lines]


def test_ja_397_no_answer_is_foretold_before_its_question_is_asked() -> None:
    assert foretold(course(11, "QuestionChoice")) == []


def test_what_an_option_says_itself_is_not_foretold() -> None:
    assert foretold(course(1, "CouncilPick")) == []
    assert foretold(course(4, "Declaration")) == []


def test_what_becomes_of_units_is_foretold() -> None:
    told = foretold(course(5, "ResultTaker"))
    assert "John Fastolf is wounded: 1 wound now." in told
    assert "Disrupted by Rival, now in the infirmary: English Bowmen." in told


def test_the_first_line_says_what_the_option_itself_says_and_loses_nothing_that_follows() -> None:
    at = course(5, "ResultTaker")
    asked, stack = at.state.asked[0], at.state.stack
    assert not isinstance(stack, Hidden)
    for choice in GAME.revive_decision(asked).form(at.state):
        first, *follows = foresee(FACE, at.view, stack, asked, choice).lines
        assert first == FACE.option(at.view, asked, choice)
        assert follows
        assert follows[0].endswith((" is wounded: 1 wound now.", "now in the infirmary: English Bowmen."))


def test_ja_225_the_doom_die_of_the_camp_is_not_foretold_as_the_options_own_roll() -> None:
    assert roll_words(_called(FACE, DiceRolled("JA-225", "Doom", 0, "", 6, (0,)))).startswith("The turn is over")


def test_ja_d17_who_plays_no_legend_card_is_not_told_so_once_more() -> None:
    at = course(10, "LegendOffer")
    asked, stack = at.state.asked[0], at.state.stack
    assert not isinstance(stack, Hidden)
    passes = [choice for choice in GAME.revive_decision(asked).form(at.state) if type(choice).__name__ == "KeepLegends"]
    assert len(passes) == 1
    lines = foresee(FACE, at.view, stack, asked, passes[0]).lines
    assert [line for line in lines if "plays no legend card" in line] == []


def test_ja_198_why_nothing_comes_of_a_second_reroll_token_is_told() -> None:
    at = course(1, "CouncilPick")
    told = FACE.narrate(at.view, at.view, EffectSkipped(Seat(0), "gain_reroll", "JA-198"), Seat(0))
    assert told == f"{at.view.players[0]} has the reroll token already."


def test_an_attack_that_follows_says_whose_it_is_in_german_too() -> None:
    at = course(6, "NextAction")
    asked, stack = at.state.asked[0], at.state.stack
    assert not isinstance(stack, Hidden)
    told = [foresee(FACE, at.view, stack, asked, choice) for choice in GAME.revive_decision(asked).form(at.state)]
    assert [each.roll for each in told] == ["Attack of English Bowmen: 2 dice.", "Attack of Welsh Skirmishers: 1 die."]
    german = language_of(GAME.name, "de")
    assert german is not None
    for each in told:
        assert german.text(each.roll).startswith("Angriff (")


def test_ja_225_the_doom_die_that_is_chosen_now_is_not_told_as_one_of_a_turn_that_ends() -> None:
    at = course(13, "DoomChoice")
    asked, stack = at.state.asked[0], at.state.stack
    assert not isinstance(stack, Hidden)
    told = [foresee(FACE, at.view, stack, asked, choice) for choice in GAME.revive_decision(asked).form(at.state)]
    assert [each.roll for each in told] == ["Doom: 1 die."] * 2


def test_ja_053_what_comes_before_the_attack_of_others_is_told_in_front_of_it_in_german_too() -> None:
    at, german = course(12, "NextAction"), language_of(GAME.name, "de")
    while at.state.asked[0].kind != "NextAction" or not any("move" in each for each in _labels(at)):
        at.choose(at.expected()[0]) if at.step is not None and at.step.expect else at.read_on()
    asked, stack = at.state.asked[0], at.state.stack
    assert not isinstance(stack, Hidden)
    assert german is not None
    told = {
        FACE.option(at.view, asked, choice): foresee(FACE, at.view, stack, asked, choice).roll
        for choice in GAME.revive_decision(asked).form(at.state)
    }
    assert told["Crossbowmen: shooting, the plain 1,0"] == "Attack of Crossbowmen: 1 die."
    assert told["Voulgiers: move, the plain 1,-1"] == (
        "Moved to the plain 1,-1: Voulgiers. Attack of Crossbowmen: 1 die."
    )
    assert all(german.has(each) for each in told.values() if each)


def _labels(at: LessonSession[JoanState]) -> list[str]:
    asked = at.state.asked[0]
    return [FACE.option(at.view, asked, choice) for choice in GAME.revive_decision(asked).form(at.state)]


def test_ja_053_actions_without_dice_and_the_end_of_an_attack_are_told_ahead_and_what_an_attack_brings_about_not() -> (
    None
):
    area, unit = AreaId("1,0"), UnitId("f1")
    assert ahead(AttackEnded(area))
    assert ahead(UnitWaited(unit, "JA-089"))
    assert ahead(UnitsMoved((unit,), (area,), "move"))
    assert not ahead(UnitsMoved((unit,), (area,), "push"))
    assert ahead(ResourceGained(Seat(0), "xp", 1, "JA-210"))
    assert not ahead(ResourceGained(Seat(0), "xp", 1, "JA-142"))
