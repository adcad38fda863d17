"""A viewer is given nothing that no audience says is his."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel import Mask, Seat
from projections.redaction import SPECTATOR, Viewer, item, openings_for
from tests.skirmish.game import GAME
from tests.skirmish.playing import play

VIEWERS = [SPECTATOR, *(Viewer(Seat(seat)) for seat in range(8))]


@given(st.integers(0, 2**32 - 1), st.sampled_from(VIEWERS[1:]))
def test_a_seat_is_entitled_by_its_own_bit_alone(mask: int, viewer: Viewer) -> None:
    assert viewer.seat is not None
    assert bool(openings_for([mask], [b"1"], viewer)) == bool(mask >> viewer.seat & 1)


@given(st.integers(0, 2**32 - 1))
def test_a_spectator_is_entitled_to_nothing(mask: int) -> None:
    assert not openings_for([mask], [b"1"], SPECTATOR)


@pytest.mark.parametrize("viewer", VIEWERS, ids=lambda v: v.label)
def test_a_slot_for_nobody_is_for_nobody(viewer: Viewer) -> None:
    assert openings_for([0], [b"1"], viewer) == ()


def test_openings_keep_their_slot() -> None:
    assert openings_for([1, 2, 3], [b"1", b"2", b"3"], Viewer(Seat(1))) == ((1, b"2"), (2, b"3"))


def test_items_hold_the_line_and_the_openings_as_text() -> None:
    assert item('[1,"ö"]'.encode(), [1, 2], [b'"a"', b'"b"'], Viewer(Seat(0))) == ('[1,"ö"]', ((0, '"a"'),))
    assert item(b"[]", [], [], SPECTATOR) == ("[]", ())


def test_a_line_and_openings_that_disagree_go_to_nobody() -> None:
    with pytest.raises(ValueError, match="zip"):
        openings_for([1, 2], [b"1"], Viewer(Seat(0)))


@pytest.mark.parametrize(("masks", "openings"), [([1], []), ([], [b"1"])])
def test_no_item_is_made_of_slots_without_openings_or_openings_without_slots(
    masks: list[int], openings: list[bytes]
) -> None:
    with pytest.raises(ValueError, match="zip"):
        item(b"[]", masks, openings, Viewer(Seat(0)))


@pytest.mark.parametrize("seat", [-1, 8])
def test_a_seat_beyond_the_audience_bits_is_refused(seat: int) -> None:
    with pytest.raises(ValueError, match=f"seat {seat} is not 0 to 7$"):
        Viewer(Seat(seat))


def test_a_view_is_the_same_fold_over_redacted_events() -> None:
    events = play(7)
    for viewer in VIEWERS[:3]:
        assert GAME.fold(GAME.redact(event, viewer.mask) for event in events) == GAME.view(events, viewer.mask)
    assert GAME.view(events, Mask(1)) != GAME.view(events, Mask(2))
