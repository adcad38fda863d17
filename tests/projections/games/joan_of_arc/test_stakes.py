"""What a question of Joan of Arc is about, beside its options."""

import pytest
from msgspec.structs import replace

from domain.joan_of_arc import GAME
from domain.joan_of_arc.events import OrderPlayed
from domain.joan_of_arc.hooks import Order
from domain.kernel import Asked, Seat
from projections.games.joan_of_arc.goals import goals
from projections.games.joan_of_arc.prompts import WORDS
from projections.games.joan_of_arc.stakes import at_stake
from projections.games.joan_of_arc.words import area_name
from projections.prompt import prompt_for
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
