"""The text board of Joan of Arc: narrow, whole, and silent about what is hidden."""

import pytest

from domain.joan_of_arc.state.queries import setting_of
from domain.kernel import Hidden, Seat
from projections.games.joan_of_arc.board import WIDTH, board
from projections.games.joan_of_arc.words import card_name, unit_name
from tests.projections.games.joan_of_arc.matches import TABLES, steps, viewers

NUMBERS = range(len(TABLES))
EVERY = 20
"""Of so many events one is looked at."""


@pytest.mark.parametrize("number", NUMBERS)
def test_the_board_is_plain_text_without_ids_at_every_moment(number: int) -> None:
    for viewer in viewers(number):
        for at, (_, __, view) in enumerate(steps(number, viewer)):
            if at % EVERY == 0:
                shown = board(view, viewer)
                assert max(map(len, shown.splitlines())) <= WIDTH
                assert "#" not in shown
                assert "_" not in shown


@pytest.mark.parametrize("number", NUMBERS)
def test_every_unit_that_is_in_the_game_is_named_once_on_the_board(number: int) -> None:
    *_, (_, __, view) = steps(number, None)
    shown = " ".join(line.strip() for line in board(view, None).splitlines())
    for unit in view.field.units.values():
        assert (unit_name(view, unit.id) in shown) == (unit.spot != "removed")


@pytest.mark.parametrize("number", NUMBERS)
def test_ja_392_a_hand_is_shown_to_its_holder_alone(number: int) -> None:
    for viewer in viewers(number):
        *_, (_, __, view) = steps(number, viewer)
        shown = board(view, viewer)
        mine = () if viewer is None else view.boards[viewer].hand
        assert all(isinstance(each.hand, Hidden) for seat, each in enumerate(view.boards) if seat != viewer)
        assert not isinstance(mine, Hidden) or not view.boards[Seat(viewer or 0)].hand_size
        held = () if isinstance(mine, Hidden) else mine
        assert ("Your legend cards" in shown) == bool(held)
        seen = set(held) | {card for pile in view.piles.values() for card in pile.discards}
        for card in setting_of(view).index.legend:
            assert card in seen or card_name(view, card) not in shown
