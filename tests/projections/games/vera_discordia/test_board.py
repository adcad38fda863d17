"""The table as text."""

import re

import pytest

from domain.kernel import Hidden, Seat
from domain.vera_discordia import GAME
from projections.games.vera_discordia.words import ORDER_NAMES, unit_title
from tests.projections.matches import VERA_FACE, VIEWERS, vera, walk


@pytest.mark.parametrize("viewer", VIEWERS)
def test_it_fits_into_a_hundred_columns(viewer: Seat | None) -> None:
    for _, _, view in walk(GAME, vera(3), viewer):
        assert max(len(line) for line in VERA_FACE.board(view, viewer).split("\n")) <= 100


def test_it_shows_every_unit_where_it_stands() -> None:
    view = GAME.view(vera(3)[:300], 1)  # type: ignore[arg-type]
    text = VERA_FACE.board(view, Seat(0))
    assert len(view.units) == 16
    for unit in view.units.values():
        assert f"{unit.space} {unit_title(view, unit)}" in text


@pytest.mark.parametrize("viewer", VIEWERS)
def test_it_shows_the_own_hand_alone(viewer: Seat | None) -> None:
    for _, _, view in walk(GAME, vera(3), viewer):
        hands = [side.hand for side in view.sides]
        mine = None if viewer is None else hands[viewer]
        text = VERA_FACE.board(view, viewer)
        if mine and not isinstance(mine, Hidden):
            assert all(ORDER_NAMES[card] in text for card in mine)
        else:
            assert "Hand:" not in text


def test_the_own_army_is_below() -> None:
    view = GAME.view(vera(3)[:300], 0)  # type: ignore[arg-type]
    for seat, names in ((Seat(0), ("Doviso", "Abel")), (Seat(1), ("Abel", "Doviso"))):
        lines = VERA_FACE.board(view, seat).split("\n")
        mine = next(i for i, line in enumerate(lines) if line.startswith(names[1]))
        assert lines[0].startswith(names[0])
        assert mine > max(i for i, line in enumerate(lines) if line.startswith("+--"))


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_face_down_order_is_named_to_its_owner_alone(viewer: Seat | None) -> None:
    names = "|".join(ORDER_NAMES.values())
    seen = set()
    for _, _, view in walk(GAME, vera(3), viewer):
        for unit in view.units.values():
            if unit.order is not None and not unit.order.up and not unit.order.seen:
                assert isinstance(unit.order.type, Hidden) == (unit.seat != viewer)
                seen.add(unit.seat)
        shown = re.findall(rf"\[({names})", VERA_FACE.board(view, viewer))
        known = [u for u in view.units.values() if u.order and not u.order.up and not isinstance(u.order.type, Hidden)]
        assert len(shown) == len(known)
    assert seen == {0, 1}


def test_pairs_of_numbers_are_explained_below_the_board() -> None:
    assert "\nLife left/full, dice (" in VERA_FACE.board(GAME.view(vera(3)[:300], 1), Seat(0))  # type: ignore[arg-type]
