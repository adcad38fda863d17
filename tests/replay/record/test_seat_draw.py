"""Seats follow from all lots together, and whoever holds lots and commitments checks it."""

from collections import Counter
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from replay.record import sealing
from replay.record.seat_draw import SeatDraw, bot_lots, drawn, is_opened, match_id, occasion_of, sealed_lot

LOTS = [bytes([n]) * 32 for n in range(4)]


def draw(lots: list[bytes]) -> tuple[SeatDraw, str]:
    made = drawn({sealed_lot(lot): sealing.b64(lot) for lot in lots})
    return made, sealing.b64(match_id(occasion_of(made.sealed), 3))


def test_a_draw_holds_whatever_the_order_in_which_the_lots_came() -> None:
    made, match = draw(LOTS)
    assert draw(LOTS[::-1]) == (made, match)
    assert made.fault(match) == ""


def test_the_places_of_two_are_even() -> None:
    first = Counter(
        draw([bot_lots(b"a", n)[-1], bot_lots(b"b", n)[-1]])[0].lots[0] == sealing.b64(bot_lots(b"a", n)[-1])
        for n in range(1, 400)
    )
    assert 160 < first[True] < 240


def test_one_lot_alone_moves_the_others() -> None:
    orders = {
        tuple(made.sealed.index(sealed_lot(lot)) for lot in LOTS[:3])
        for n in range(60)
        for made in [draw([*LOTS[:3], bot_lots(b"x", n + 1)[-1]])[0]]
    }
    assert len(orders) > 6


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (lambda it: replace(it, lots=it.lots[::-1]), "seat 1 is not the one that was sealed"),
        (lambda it: replace(it, lots=("A", *it.lots[1:])), "seat 1 is not the one that was sealed"),
        (lambda it: SeatDraw(it.sealed[::-1], it.lots[::-1]), "another order of seats"),
        (lambda it: SeatDraw(it.sealed[:1] * 2, it.lots[:1] * 2), "commitment of its own"),
        (lambda it: replace(it, lots=it.lots[:1]), "commitment of its own"),
        (lambda it: draw(LOTS[1:3])[0], "id of the match"),
    ],
)
def test_a_draw_that_somebody_has_changed_is_refused_with_what_is_wrong(
    wrong: Callable[[SeatDraw], SeatDraw], why: str
) -> None:
    made, match = draw(LOTS[:2])
    assert why in wrong(made).fault(match)


def test_a_lot_opens_its_own_commitment_alone() -> None:
    one, other = LOTS[:2]
    assert is_opened(sealed_lot(one), sealing.b64(one))
    assert not is_opened(sealed_lot(one), sealing.b64(other))
    assert not is_opened(sealed_lot(one), "!")
    assert not is_opened(sealed_lot(b"short"), sealing.b64(b"short"))
