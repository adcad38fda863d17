"""What a question of Joan of Arc is about, beside its options."""

import pytest
from msgspec.structs import replace

from domain.joan_of_arc import GAME
from domain.joan_of_arc.events import OrderPlayed
from domain.joan_of_arc.hooks import Order
from domain.joan_of_arc.queries import setting_of
from domain.joan_of_arc.rules.orders import EndTurn, PlayOrder
from domain.joan_of_arc.state import NOWHERE
from domain.kernel import Asked, One, Seat
from projections.games.joan_of_arc.goals import goals
from projections.games.joan_of_arc.prompts import WORDS
from projections.games.joan_of_arc.stakes import at_stake
from projections.games.joan_of_arc.texts import WHEN
from projections.games.joan_of_arc.words import area_name, plain_name
from projections.prompt import prompt_for, why_alone
from projections.spoken import Tongue, tongue
from tests.projections.games.joan_of_arc.matches import TABLES, questions, steps, viewers

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
        assert not any(
            at_stake(view, asked)
            for view, asked in questions(number, viewer)
            if asked.kind == "CouncilPick" and view.round > 1
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
