"""The prompts of Joan of Arc: each says why it is asked, and names what lies on the table."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from domain.joan_of_arc import GAME
from domain.joan_of_arc.board.table import Bar, entry_bar
from domain.joan_of_arc.cards.dice import COLOURS
from domain.joan_of_arc.rules.attacks.improving import LeaveDice, RollAgain, UseToken
from domain.joan_of_arc.rules.phases.camp import is_last
from domain.joan_of_arc.rules.player_actions.rerolling import KeepDie, RerollDie
from domain.joan_of_arc.state.queries import card_of, table_of
from domain.kernel import Asked, One, Pick, Seat
from projections.games.joan_of_arc.goals import scored_in
from projections.games.joan_of_arc.prompts import WORDS, more
from projections.games.joan_of_arc.terms import unit_terms
from projections.glossary import LONGEST, glossary
from projections.i18n.language import language_of
from projections.ledger import ledger
from projections.prompt import prompt_for
from server.conformance.walks import Walk, mask
from tests.domain.joan_of_arc.fixtures import L1, L2
from tests.domain.joan_of_arc.table import given
from tests.projections.games.joan_of_arc.foresight import course
from tests.projections.games.joan_of_arc.matches import TABLES, questions, viewers

NUMBERS = range(len(TABLES))


def test_every_decision_says_why_it_is_asked_with_rows_of_the_ledger() -> None:
    terms, rows = glossary(GAME.name), ledger(GAME.name).rows
    assert {name for name in terms if name[0].isupper()} == {decision.__name__ for decision in GAME.spec.decisions}
    assert not [term.name for term in terms.values() if len(term.text) > LONGEST]
    for decision in GAME.spec.decisions:
        assert decision.rule in terms[decision.__name__].rules or decision.rule == "ledger 6.13"
    assert not [rule for term in terms.values() for rule in term.rules if rule not in rows]


@pytest.mark.parametrize("number", NUMBERS)
def test_what_a_prompt_offers_is_what_the_form_offers_and_says_why(number: int) -> None:
    terms = glossary(GAME.name)
    for viewer in viewers(number)[1:]:
        assert viewer is not None
        for view, asked in questions(number, viewer):
            prompt = prompt_for(GAME, view, viewer, WORDS)
            form = GAME.revive_decision(asked).form(view)
            assert prompt["mode"] == "you"
            assert prompt["why"] == terms[asked.kind].sentence()
            if isinstance(form, One):
                offered = prompt["fields"][0]["options"]
                rows = {json.dumps({**each, "id": "", "key": ""}, sort_keys=True) for each in offered}
                assert len(offered) == len(rows) == len(list(form)), "each can be told from the others"
                assert all(each["label"][0].isupper() or each["label"][0].isdigit() for each in offered)
            elif isinstance(form, Pick):
                labels = [each["label"] for each in prompt["fields"][0]["items"]]
                assert len(set(labels)) == len(form.items)


@pytest.mark.parametrize("number", NUMBERS)
def test_ja_405_who_is_not_asked_is_told_of_a_question_without_its_options(number: int) -> None:
    for viewer in viewers(number)[1:]:
        assert viewer is not None
        other = Seat((viewer + 1) % len(viewers(number)[1:]))
        for view, asked in questions(number, viewer):
            if all(each.seat == viewer for each in view.asked):
                prompt = prompt_for(GAME, view, other, WORDS)
                assert prompt["mode"] == "wait"
                assert "fields" not in prompt
                assert prompt["ask"].startswith(view.players[asked.seat])


def test_attacks_stand_before_moves_and_moves_that_score_say_so() -> None:
    for viewer in viewers(0)[1:]:
        assert viewer is not None
        for view, asked in questions(0, viewer):
            if asked.kind != "Declaration":
                continue
            offered = prompt_for(GAME, view, viewer, WORDS)["fields"][0]["options"]
            groups = [each.get("grp", "").partition(",")[0] for each in offered]
            moves = [at for at, group in enumerate(groups) if group in {"Move", "Forced march", "Haste"}]
            attacks = [at for at, group in enumerate(groups) if group in {"Melee", "Shoot", "Charge"}]
            assert max(attacks, default=-1) < min(moves, default=len(groups))
            for each in (each for each in offered if each.get("grp") == "Move"):
                area = each["at"][-1].partition("#")[2]
                assert ("holding it scores" in each["sub"]) == bool(scored_in(view, area))


def test_ja_027_ja_228_who_may_go_to_a_free_rally_point_of_the_enemy_is_told_what_holding_it_does() -> None:
    german = language_of("joan_of_arc", "de")
    assert german is not None
    ours = {"orders": "1 command", "units": ["e1: e_knights @L1"]}
    for rallies, units, told in (
        ({"french": ["L2"]}, ["f1: f_voulgiers @L4"], "nobody there; while you hold it the French cannot rally there"),
        ({"english": ["L2"]}, ["f1: f_voulgiers @L4"], "nobody there"),
        ({"french": ["L4"]}, ["f1: f_voulgiers @L4"], "nobody there"),
    ):
        table = given(seat0=ours, seat1={"units": units}, rallies=rallies).do(f"PlayOrder command {L1}")
        offered = prompt_for(GAME, table.state, Seat(0), WORDS)["fields"][0]["options"]
        said = next(each["sub"] for each in offered if each["label"].endswith("2,0"))
        assert said == told
        assert german.has(said)
    table = given(seat0=ours, seat1={"units": ["f1: f_voulgiers @L4"]}, rallies={"french": ["L2"]})
    table.do(f"PlayOrder command {L1}", f"Move {L2}")
    assert entry_bar(table_of(table.state), L2, (), "french") is Bar.ENEMY_AREA


def test_ja_210_a_prayer_to_be_resolved_says_what_it_is_for_in_german_too() -> None:
    german = language_of("joan_of_arc", "de")
    assert german is not None
    units = ["j#1: f_joan_1 @L1", "f1: f_voulgiers @L1"]
    for take, told in (("xp", "prayer for 1 XP"), ("legend", "prayer for 1 legend token")):
        table = given(seat0={"orders": "1 command", "units": units}, seat1={"units": ["e1: e_billmen @L4"]})
        table.do(f"PlayOrder command {L1}", f"Move {L2}", f"Pray {take}")
        offered = prompt_for(GAME, table.state, Seat(0), WORDS)["fields"][0]["options"]
        label = next(each["label"] for each in offered if "prayer" in each["label"])
        assert label.endswith(f": {told}")
        assert german.has(label)
        assert ": Gebet um 1 " in german.text(label)


def test_ja_210_a_prayer_to_be_declared_says_what_its_token_pays_for_in_german_too() -> None:
    german = language_of("joan_of_arc", "de")
    assert german is not None
    legend = "It pays for legend cards; you have 0 legend tokens and 0 legend cards"
    for card, xp in (
        ("f_joan_1", "It pays for level 2 of Joan of Arc, which costs 3; you have 2 XP"),
        ("f_joan_2", "It pays for level 2 of characters and keeps it; you have 2 XP"),
    ):
        units = [f"j#1: {card} @L1", "f1: f_voulgiers @L1"]
        table = given(seat0={"orders": "1 command", "xp": 2, "units": units}, seat1={"units": ["e1: e_billmen @L4"]})
        table.do(f"PlayOrder command {L1}", f"Move {L2}")
        offered = prompt_for(GAME, table.state, Seat(0), WORDS)["fields"][0]["options"]
        told = {each["label"]: each["sub"] for each in offered if each["label"].startswith("Pray")}
        assert told == {"Pray for 1 XP": xp, "Pray for 1 legend token": legend}
        assert [each for each in told.values() if not german.has(each)] == []


def test_ja_093_who_was_declared_to_go_to_an_area_is_told_where_the_next_may_go_in_german_too() -> None:
    german = language_of("joan_of_arc", "de")
    assert german is not None
    units = ["e#1: e_billmen @L1", "e#2: e_billmen @L1"]
    table = given(
        seat0={"orders": "1 command", "units": units},
        seat1={"units": ["f#1: f_voulgiers @L4"]},
        rallies={"french": ["L2"]},
    )
    table.do(f"PlayOrder command {L1}")
    said = []
    for _ in units:
        offered = prompt_for(GAME, table.state, Seat(0), WORDS)["fields"][0]["options"]
        said.append(next(each["sub"] for each in offered if each.get("at") == [f"map#{L2}"]))
        if len(said) == 1:
            table.do(f"Move {L2}")
    alone = "nobody there; while you hold it the French cannot rally there"
    assert said == [alone, f"{alone}; declared to go there: English Billmen 1"]
    assert [each for each in said if not german.has(each)] == []


def test_ja_187_a_swap_between_orders_is_called_no_order_and_elsewhere_nothing_of_orders() -> None:
    swaps = [
        (asked.kind, each.get("grp", ""))
        for number in NUMBERS
        for viewer in viewers(number)[1:]
        for view, asked in questions(number, viewer or Seat(0))
        for each in prompt_for(GAME, view, viewer, WORDS)["fields"][0].get("options", [])
        if each["label"].endswith("for an intrigue token")
    ]
    assert {(kind == "OrderChoice", grp) for kind, grp in swaps} == {(True, "No order"), (False, "")}


def test_ja_226_to_231_who_rolls_doom_is_told_what_the_faces_do() -> None:
    at = course(13, "DoomChoice")
    more_rounds = replace(at.view, piles={**at.view.piles, "rounds": replace(at.view.piles["rounds"], left=1)})
    offered = prompt_for(GAME, more_rounds, Seat(at.state.asked[0].seat), WORDS)["fields"][0].get("options", [])
    fates = "Of 6 faces 2: back at a rally point; 1: back in the next camp; 1: stays away; 2: destroyed"
    assert [each["sub"] for each in offered] == [fates] * 2


def test_units_and_dice_to_choose_some_of_lie_side_by_side() -> None:
    looks = {
        (field["type"] == "many", field.get("look", ""))
        for number in NUMBERS
        for viewer in viewers(number)[1:]
        for view, _ in questions(number, viewer or Seat(0))
        for field in prompt_for(GAME, view, viewer, WORDS)["fields"]
    }
    assert looks == {(True, "chips"), (False, "")}


@pytest.mark.parametrize(
    ("number", "ask", "told"),
    [
        (
            5,
            "Who takes the disrupt?",
            {
                "English Bowmen": "troop: this disrupt sends it to the infirmary",
                "John Fastolf": "3 of 3 HP: this disrupt is a wound",
            },
        ),
        (
            7,
            "Who takes the kill that strikes back?",
            {"English Bowmen": "troop: this kill destroys it", "English Knights": "troop: this kill destroys it"},
        ),
    ],
)
def test_ja_133_to_137_who_may_take_a_result_is_told_what_it_does_to_him(
    number: int, ask: str, told: dict[str, str]
) -> None:
    at = course(number, "ResultTaker")
    prompt = prompt_for(GAME, at.view, Seat(at.state.asked[0].seat), WORDS)
    assert prompt["ask"] == ask
    assert {each["label"]: each["sub"] for each in prompt["fields"][0]["options"]} == told


def test_ja_138_to_140_who_may_take_a_push_is_told_that_it_goes_or_stays_with_a_wound_in_german_too() -> None:
    at = course(5, "ResultTaker")
    asked = at.state.asked[0]
    pushed = replace(asked, terms={**asked.terms, "die": {**asked.terms["die"], "face": "push"}})
    form, german = GAME.revive_decision(asked).form(at.view), language_of("joan_of_arc", "de")
    assert isinstance(form, One)
    assert german is not None
    told = [str(WORDS.more(at.view, pushed, choice)["sub"]) for choice in form.choices]
    assert told == [
        "troop: this push drives it into an area beside",
        "3 of 3 HP: this push drives it into an area beside, unless it takes a wound and stays",
    ]
    assert [german.text(each) for each in told] == [
        "Trupp: Dieser Stoß treibt sie in ein Gebiet daneben",
        "3 von 3 HP: Dieser Stoß treibt sie in ein Gebiet daneben, es sei denn, sie nimmt eine Wunde und bleibt",
    ]


def test_ja_168_ja_170_how_many_a_commander_activates_is_told_before_he_does_in_german_too() -> None:
    at, german = course(12, "NextAction"), language_of("joan_of_arc", "de")
    assert german is not None
    offered = prompt_for(GAME, at.view, Seat(at.state.asked[0].seat), WORDS)["fields"][0].get("options", [])
    told = next(each["sub"] for each in offered if each["label"] == "Joan of Arc commands")
    when = "A bonus action, just before its own or straight after it"
    assert told == f"{when}: up to 2 units elsewhere act at once, even if ordered before"
    assert "bis zu 2 Einheiten anderswo handeln sofort" in german.text(told)
    alone = f"{when}: 1 unit elsewhere acts at once, even if ordered before"
    assert "gleich nach der eigenen: 1 Einheit anderswo handelt sofort" in german.text(alone)


def test_ja_063_who_has_no_charge_is_told_so_where_charge_orders_are_gained() -> None:
    told = {}
    for number in (1, 14):
        at = course(number, "CouncilPick")
        offered = prompt_for(GAME, at.view, Seat(at.state.asked[0].seat), WORDS)["fields"][0].get("options", [])
        spurs = next(each for each in offered if each["label"] == "Spurs")
        assert spurs["end"] == "Gain 1 charge order", "what a card brings stands beside its name"
        told[number] = spurs.get("sub")
    assert told == {1: "Gain 1 charge order; none of your units has Charge", 14: None}


def test_ja_060_an_order_that_lets_nobody_command_is_not_called_like_a_command_order_alone() -> None:
    seen, german = set(), language_of("joan_of_arc", "de")
    assert german is not None
    for number in NUMBERS:
        for viewer in viewers(number)[1:]:
            for view, asked in questions(number, viewer or Seat(0)):
                if asked.kind != "OrderChoice":
                    continue
                for each in prompt_for(GAME, view, viewer, WORDS)["fields"][0]["options"]:
                    if "; like a command order" in each.get("sub", ""):
                        area = each["at"][0].partition("#")[2]
                        there = [unit for unit in view.field.units.values() if unit.area == area]
                        commands = any(card_of(view, unit).command for unit in there if unit.owner == viewer)
                        assert commands == each["sub"].endswith("but without commanding")
                        assert not each.get("end", "").startswith("like"), "what wraps, not what cannot"
                        assert german.has(each["sub"])
                        seen.add(commands)
    assert seen == {True, False}


def test_ja_143_faces_of_the_defence_that_strike_nobody_are_told_to_be_void() -> None:
    told = {}
    for number in (5, 10):
        at = course(number, "RollEffects")
        offered = prompt_for(GAME, at.view, Seat(at.state.asked[0].seat), WORDS)["fields"][0].get("options", [])
        told[number] = next(each["sub"] for each in offered if each["label"] == "Let the dice lie")
    void = "; of the defence shields alone count here"
    assert told == {5: f"As they lie: 2 kills, 1 disrupt and 1 push against 1 shield{void}", 10: told[10]}
    assert void not in told[10], "where the defence shows no such face nothing is said"


def test_dice_to_choose_some_of_are_named_so_short_that_two_stand_side_by_side() -> None:
    at = course(10, "TokenDice")
    items = prompt_for(GAME, at.view, Seat(at.state.asked[0].seat), WORDS)["fields"][0]["items"]
    assert [each["label"] for each in items][:2] == ["1: yellow blank", "2: white blank"]


def rolls(kind: str, seeds: range) -> Iterator[tuple[Walk, Any, Asked]]:
    """Random matches at each question of a kind, with the view of who is asked."""
    for seed in seeds:
        walk = Walk(GAME, seed)
        while not walk.over:
            asked = walk.state.asked[0]
            if asked.kind == kind:
                yield walk, GAME.view(walk.events, mask(asked.seat)), asked
            if not walk.over:
                walk.step()


def test_ja_225_who_may_roll_a_doom_die_again_reads_what_it_brings_as_it_lies_and_anew() -> None:
    german, told = language_of(GAME.name, "de"), set()
    assert german is not None
    brought = {"UnitDestroyed": "It is destroyed", "UnitWaiting": "It is back in the next camp"}
    for walk, view, asked in rolls("RerollOffer", range(12)):
        if view.roll.rule != "JA-225":
            continue
        kept, again = more(view, asked, KeepDie())["sub"], more(view, asked, RerollDie())["sub"]
        assert again.startswith("Of 6 faces ")
        assert german.has(kept), kept
        played = walk.make(asked, KeepDie())
        came = [name for name in brought if name in {type(event).__name__ for event in played.events[:4]}]
        if came and not is_last(view):
            assert kept == brought[came[0]]
        told.add(kept)
    assert len(told) > 2


def test_ja_124_who_leaves_the_attack_as_it_lies_reads_who_may_change_the_defence() -> None:
    german, told = language_of(GAME.name, "de"), set()
    assert german is not None
    for walk, view, asked in rolls("RollEffects", range(8)):
        if asked.terms["roll"] != "attack" or asked.seat != view.attack.by:
            continue
        said = more(view, asked, LeaveDice())["sub"]
        assert german.has(said), said
        walk.make(asked, LeaveDice())
        told.add(" may then roll defence dice again" in said)
        for next_ in walk.state.asked:
            if next_.kind == "RollEffects" and next_.terms["roll"] == "defence":
                form = GAME.revive_decision(next_).form(walk.state)
                changes = any(isinstance(choice, RollAgain | UseToken) for choice in form)
                assert not changes or f"Player {next_.seat + 1} may" in said or f"Player {next_.seat} may" in said
    assert told == {True, False}


def test_a_unit_explains_the_dice_that_it_rolls_the_strongest_first() -> None:
    state = next(rolls("RollEffects", range(8)))[0].state
    colours = set()
    for unit in state.field.units.values():
        card = card_of(state, unit)
        dice = [term for term in unit_terms(state, unit) if term.startswith("die-")]
        assert dice == [f"die-{colour}" for colour in COLOURS if f"die-{colour}" in dice]
        assert set(glossary(GAME.name)) >= set(dice)
        pools = [pool for pool in (card.melee, card.shoot and card.shoot.dice, card.defence) if pool]
        assert set(dice) == {f"die-{colour}" for pool in pools for colour in pool.in_order()}
        colours.update(dice)
    assert len(colours) > 2
