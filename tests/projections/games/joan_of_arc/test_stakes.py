"""What a question of Joan of Arc is about, beside its options."""

import pytest
from msgspec.structs import replace

from domain.joan_of_arc import GAME
from domain.joan_of_arc.events import OrderPlayed, UnitDestroyed
from domain.joan_of_arc.hooks import Order
from domain.joan_of_arc.queries import setting_of
from domain.joan_of_arc.rules.camp import is_last
from domain.joan_of_arc.rules.orders import EndTurn, PlayOrder
from domain.joan_of_arc.state import NOWHERE, JoanState
from domain.kernel import Asked, One, Seat
from projections.games.joan_of_arc import FACE
from projections.games.joan_of_arc.goals import goals
from projections.games.joan_of_arc.prompts import WORDS
from projections.games.joan_of_arc.stakes import LAST, at_stake
from projections.games.joan_of_arc.texts import WHEN
from projections.games.joan_of_arc.words import area_name, plain_name
from projections.prompt import prompt_for, why_alone
from projections.spoken import Tongue, tongue
from tests.projections.games.joan_of_arc.matches import TABLES, questions, steps, viewers
from tests.projections.games.joan_of_arc.test_foresight import course

NUMBERS = range(len(TABLES))
SEATS = [(number, viewer) for number in NUMBERS for viewer in viewers(number)[1:] if viewer is not None]


def german() -> Tongue:
    found = tongue(GAME.name, "de")
    assert found is not None
    return found


@pytest.mark.parametrize("number", NUMBERS)
def test_the_first_question_says_what_the_match_is_won_by(number: int) -> None:
    for viewer in viewers(number)[1:]:
        assert viewer is not None
        first, asked = next((view, asked) for view, asked in questions(number, viewer) if asked.kind == "CouncilPick")
        assert at_stake(first, asked) == " ".join(goals(first))
        assert prompt_for(GAME, first, viewer, WORDS)["also"].endswith(goals(first)[-1])
        assert german().has(at_stake(first, asked))
        assert f"({first.players[0]}) win." in goals(first)[-1] or f"({first.players[1]}) win." in goals(first)[-1]
        assert not any(
            at_stake(view, asked)
            for view, asked in questions(number, viewer)
            if asked.kind == "CouncilPick" and view.round > 1 and not is_last(view)
        )


def test_ja_071_who_may_break_in_is_told_after_which_order() -> None:
    told = 0
    for number, viewer in SEATS:
        last: OrderPlayed | None = None
        for _, event, view in steps(number, viewer):
            last = event if isinstance(event, OrderPlayed) and not event.interrupt else last
            for asked in view.asked:
                if asked.kind != "InterruptOffer" or asked.seat != viewer:
                    continue
                said = at_stake(view, asked)
                assert last is not None
                assert not said or f"{last.order} order on {area_name(view, last.area)}." in said
                told += bool(said)
    assert told > 3


@pytest.mark.parametrize(("order", "name"), [("command", "a command order"), ("interrupt", "an interrupt order")])
def test_ja_071_the_order_is_named_in_german_too(order: Order, name: str) -> None:
    view, _ = next(each for each in questions(0, Seat(0)) if each[0].turn is not None)
    area = next(iter(view.field.units.values())).area
    placed = replace(view, placed={area: (order,)})
    said = at_stake(placed, Asked(1, Seat(0), "InterruptOffer", {}))
    assert f"plays {name} on" in said
    assert "befehl auf" in german().text(said)


def test_ja_189_ja_190_a_legend_card_of_another_moment_or_that_costs_too_much_says_so() -> None:
    view, _ = next(questions(0, Seat(0)))
    cards = setting_of(view).index.legend
    dear = next(card for card in cards.values() if card.cost > 1)
    other = next(card for card in cards.values() if card.timing != dear.timing)
    asked = Asked(1, Seat(0), "LegendOffer", {"timing": dear.timing})
    for tokens in range(dear.cost + 1):
        board = replace(view.boards[0], hand=(dear.id, other.id, dear.id), legend=tokens)
        said = at_stake(replace(view, boards=(board, *view.boards[1:])), asked)
        assert said.count(" costs ") == (tokens < dear.cost)
        assert f"{plain_name(other.name)} is played {WHEN[other.timing]}." in said
        assert (f"you have {tokens}." in said) == (tokens < dear.cost)
        assert german().has(said)


def test_ja_054_why_there_is_one_order_is_told_apart_from_why_there_is_none() -> None:
    asked = Asked(1, Seat(0), "OrderChoice", {})
    assert (
        why_alone(One((EndTurn(),)), asked, WORDS)
        == "Every area of yours has its order, or you hold none that it takes."
    )
    only = why_alone(One((PlayOrder("command", NOWHERE),)), asked, WORDS)
    assert only == "No other order can be placed, and on no other area."
    assert german().has(only)


def test_ja_047_who_may_raise_a_character_is_told_that_keeping_it_costs_in_each_war_council() -> None:
    told = {
        each["sub"]
        for number, viewer in SEATS
        for view, asked in questions(number, viewer)
        for each in prompt_for(GAME, view, viewer, WORDS)["fields"][0].get("options", [])
        if " becomes " in each["label"]
    }
    assert told
    assert all(each.endswith("; 1 XP in each war council keeps it") for each in told)
    assert all(german().text(each).endswith("; 1 XP in jedem Kriegsrat erhält sie") for each in told)


def test_ja_084_a_bonus_action_says_whether_it_can_be_taken_now_only() -> None:
    told = set()
    for number, viewer in SEATS:
        for view, asked in questions(number, viewer):
            form = GAME.revive_decision(asked).form(view)
            for choice in form.choices if isinstance(form, One) else ():
                said = str(WORDS.more(view, asked, choice).get("sub", ""))
                if said.startswith("A bonus action"):
                    acted = getattr(choice, "unit", "") in view.activations[-1].done
                    assert said.startswith("A bonus action, after its own and now only") == acted
                    assert german().has(said)
                    told.add(acted)
    assert told == {False, True}


def last_round(view: JoanState) -> JoanState:
    """The same moment with no round card left."""
    return replace(view, piles={**view.piles, "rounds": replace(view.piles["rounds"], left=0)})


def test_ja_233_the_last_round_says_that_who_is_in_an_infirmary_counts_as_destroyed_in_german_too() -> None:
    viewer = viewers(0)[1]
    assert viewer is not None
    council = next((view, asked) for view, asked in questions(0, viewer) if asked.kind == "CouncilPick")
    ends = next((view, asked) for view, asked in questions(0, viewer) if asked.kind == "OrderChoice")
    assert WORDS.more(*ends, EndTurn())["sub"] == "Up to 3 unused orders of each kind are kept"
    assert WORDS.more(last_round(ends[0]), ends[1], EndTurn())["sub"] == LAST
    later = replace(last_round(council[0]), round=3)
    assert at_stake(later, council[1]) == f"{LAST}."
    assert german().has(LAST)
    assert german().has(f"{LAST}.")


def test_ja_233_who_may_take_a_disrupt_or_rolls_doom_in_the_last_round_is_told_so_in_german_too() -> None:
    told = []
    for number, kind in ((5, "ResultTaker"), (13, "DoomChoice")):
        at = course(number, kind)
        asked = at.state.asked[0]
        form = GAME.revive_decision(asked).form(at.view)
        assert isinstance(form, One)
        told += [str(WORDS.more(last_round(at.view), asked, choice)["sub"]) for choice in form.choices]
    assert told == [
        "troop: this disrupt sends it to the infirmary, and there it counts as destroyed at the end of this last round",
        "3 of 3 HP: this disrupt is a wound",
        "Of 6 faces 2: back at a rally point; on all others it counts as destroyed",
        "Of 6 faces 2: back at a rally point; on all others it counts as destroyed",
    ]
    assert all(german().has(each) for each in told)


def test_ja_233_who_is_lost_in_the_infirmary_at_the_end_is_told_why() -> None:
    at = course(13, "DoomChoice")
    unit = next(iter(at.view.field.units))
    for by, whose in ((None, ""), (Seat(0), f" by {at.view.players[0]}")):
        told = FACE.narrate(at.view, at.view, UnitDestroyed(unit, by, "JA-233"), Seat(0))
        assert told.startswith(f"Destroyed{whose}, for it is in the infirmary at the end: ")
        assert german().has(told)
