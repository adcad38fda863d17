"""A secret is part of the type; what is not allowed by an audience is hidden."""

import operator
from typing import Annotated, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from domain.kernel import HIDDEN, Chosen, DecisionsOpened, Event, Hidden, Mask, Nobody, Only, Seat, Shuffled
from domain.kernel.secret import conceal, slots_of

Cards = tuple[int, ...]


class Dealt(Event, frozen=True):
    """Two secrets of one seat, one of the other, one of nobody."""

    seat: Seat
    foe: Seat
    size: int
    hand: Annotated[Cards | Hidden, Only("seat")] = HIDDEN
    tricks: Annotated[Cards | Hidden, Only("foe")] = HIDDEN
    deck: Annotated[Cards | Hidden, Nobody()] = HIDDEN
    note: Annotated[Any, Only()] = HIDDEN


class Shown(Event, frozen=True):
    """Nothing secret."""

    card: int


DEALT = Dealt(Seat(0), Seat(1), 3, (1, 2), (3,), (4, 5), {"a": 1})


def test_slots_are_the_secret_fields_in_their_order() -> None:
    slots = slots_of(Dealt)
    assert [(slot.number, slot.name) for slot in slots] == [(0, "hand"), (1, "tricks"), (2, "deck"), (3, "note")]
    assert [slot.audience for slot in slots] == [Only("seat"), Only("foe"), Nobody(), Only("seat")]
    assert slots[0].type == Cards | Hidden
    assert slots_of(Shown) == ()


def test_an_audience_follows_from_public_fields() -> None:
    assert [slot.mask(DEALT) for slot in slots_of(Dealt)] == [0b01, 0b10, 0, 0b01]


@given(st.integers(0, 7), st.integers(0, 7), st.integers(0, 255))
def test_a_viewer_holds_a_slot_only_if_its_audience_names_the_viewer(seat: int, foe: int, viewer: int) -> None:
    event = Dealt(Seat(seat), Seat(foe), 3, (1, 2), (3,), (4, 5), "note")
    seen = conceal(event, slots_of(Dealt), Mask(viewer))
    assert isinstance(seen, Dealt)
    assert (seen.hand == (1, 2)) is bool(viewer >> seat & 1)
    assert (seen.tricks == (3,)) is bool(viewer >> foe & 1)
    assert seen.deck is HIDDEN
    assert (seen.note is HIDDEN) is not bool(viewer >> seat & 1)
    assert (seen.seat, seen.foe, seen.size) == (seat, foe, 3)


def test_concealing_leaves_the_event_itself_whole() -> None:
    conceal(DEALT, slots_of(Dealt), Mask(0))
    assert DEALT.hand == (1, 2)


def test_an_event_without_closed_slots_is_not_copied() -> None:
    shown = Shown(3)
    assert conceal(shown, slots_of(Shown), Mask(0)) is shown


def test_a_spectator_is_sent_no_trace_of_a_secret() -> None:
    sent = msgspec.json.encode(conceal(DEALT, slots_of(Dealt), Mask(0)))
    assert msgspec.json.decode(sent) == {"seat": 0, "foe": 1, "size": 3}


class NamesNoAudience(Event, frozen=True):
    card: int | Hidden = HIDDEN


class NamesNoneDeepDown(Event, frozen=True):
    cards: tuple[int | Hidden, ...] = ()


class Piece(Struct, frozen=True):
    face: str | Hidden = HIDDEN


class HoldsAPieceThatMayBeHidden(Event, frozen=True):
    piece: Piece


class HoldsManyPieces(Event, frozen=True):
    pieces: dict[str, tuple[Piece, ...]]


class DefaultsToNothing(Event, frozen=True):
    card: Annotated[int | Hidden, Only("seat")]


class DefaultsToAValue(Event, frozen=True):
    card: Annotated[int | Hidden, Only("seat")] = 0


@pytest.mark.parametrize(
    "event", [NamesNoAudience, NamesNoneDeepDown, HoldsAPieceThatMayBeHidden, HoldsManyPieces, DefaultsToNothing]
)
def test_a_field_that_may_be_hidden_and_names_no_audience_is_an_error(event: type[Event]) -> None:
    with pytest.raises(TypeError, match=event.__name__):
        slots_of(event)


def test_a_secret_must_be_hidden_by_default() -> None:
    with pytest.raises(TypeError, match="HIDDEN"):
        slots_of(DefaultsToAValue)


def test_the_kernels_own_secrets() -> None:
    assert {slot.name: slot.audience for slot in slots_of(Chosen)} == {"choice": Only("seat"), "signed": Only("seat")}
    assert {slot.name: slot.audience for slot in slots_of(DecisionsOpened)} == {"stack": Nobody()}
    assert {slot.name: slot.audience for slot in slots_of(Shuffled)} == {"order": Nobody()}


def test_a_part_of_something_hidden_is_hidden_and_shows_nothing() -> None:
    assert HIDDEN[0] is HIDDEN
    assert HIDDEN[1:] is HIDDEN
    assert operator.add(HIDDEN, (1,)) is HIDDEN
    assert operator.add((1,), HIDDEN) is HIDDEN
    assert repr(HIDDEN) == "HIDDEN"


def test_hidden_survives_the_record() -> None:
    data = msgspec.json.encode(HIDDEN)
    assert msgspec.json.decode(data, type=Cards | Hidden) == HIDDEN
    assert msgspec.convert(msgspec.to_builtins(HIDDEN), Hidden) == HIDDEN


class NamesNoField(Event, frozen=True):
    owner: Seat
    card: Annotated[int | Hidden, Only("seat")] = HIDDEN


class NamesASecretField(Event, frozen=True):
    seat: Annotated[Seat | Hidden, Nobody()] = HIDDEN
    card: Annotated[int | Hidden, Only("seat")] = HIDDEN


@pytest.mark.parametrize("event", [NamesNoField, NamesASecretField])
def test_an_audience_is_named_by_a_public_field(event: type[Event]) -> None:
    with pytest.raises(TypeError, match="no public field"):
        slots_of(event)
