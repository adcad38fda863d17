"""Every invariant says something of a state that breaks it, and nothing of one that does not."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.disciples_legacy.checks.invariants import invariants
from domain.disciples_legacy.state.evolve_state import with_members, with_side
from domain.disciples_legacy.state.state import EMPTY, DisciplesState, MemberId, Poison
from domain.kernel import HIDDEN, Seat
from tests.domain.disciples_legacy.table import given

K = MemberId("K")
MISCOUNTED = "seat 0: the hand is counted wrongly, or not what was seen of it"
OURS: dict[str, Any] = {"parties": [{"1": "S: squire", "2": "K: knight_captain"}, {"2": "L: longbow_ranger"}]}


def sound() -> DisciplesState:
    return given(OURS).state


def party(state: DisciplesState, **fields: Any) -> DisciplesState:
    return replace(state, parties={**state.parties, K: replace(state.parties[K], **fields)})


def test_a_position_as_it_should_be_is_faultless() -> None:
    assert list(invariants(sound())) == []


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (lambda s: with_members(s, (K,), damage=-1), "K lives with -1 damage of 8"),
        (lambda s: with_members(s, (K,), damage=8), "K lives with 8 damage of 8"),
        (lambda s: with_members(s, (K,), tapped=True), "K is tapped outside Battle"),
        (lambda s: with_members(s, (K,), items=("shroud", "shroud")), "K carries an Item twice"),
        (lambda s: with_members(s, (MemberId("S"),), items=("shroud",)), "S is a Unit and carries Items"),
        (lambda s: with_members(s, (K,), dead=True, damage=8, poison=Poison(1, 1)), "K is dead and under an effect"),
        (lambda s: with_members(s, (K, MemberId("S")), dead=True), "the Party of K is wiped out and still there"),
        (lambda s: with_members(s, (MemberId("S"),), seat=Seat(1)), "S stands in the Party of K, which is not its own"),
        (lambda s: party(s, slots=EMPTY), "S is in no Party"),
        (lambda s: party(s, slots=("S", "K", "K", "", "", "")), "K stands in [2, 3]"),
        (lambda s: with_side(s, 0, credit=-1), "seat 0 has -1 (C)"),
        (lambda s: with_side(s, 0, hand=HIDDEN), "seat 0: the hand is hidden"),
        (lambda s: with_side(s, 0, hand_size=3), MISCOUNTED),
        (lambda s: with_side(s, 0, known=("devil",)), MISCOUNTED),
        (lambda s: with_side(s, 0, rearranged=("S",)), "seat 0 has arranged S, which is no Party of its own"),
        (lambda s: with_side(s, 1, rearranged=("K",)), "seat 1 has arranged K, which is no Party of its own"),
        (lambda s: with_side(s, 0, rearranged=("A9",)), "seat 0 has arranged A9, which is no Party of its own"),
        (lambda s: with_members(s, (MemberId("S"),), kind="major"), "seat 0 has too many Leaders of the kind major"),
    ],
)
def test_what_cannot_be_is_said(broken: Any, said: str) -> None:
    state = sound()
    if "too many" in said:
        state = given({"parties": [*OURS["parties"], {"2": "H: high_prelate"}]}).state
    assert said in list(invariants(broken(state)))


def test_dl_q62_a_party_that_was_arranged_may_be_wiped_out_in_the_action_that_follows() -> None:
    state = sound()
    assert list(invariants(with_side(state, 0, rearranged=("A9",), entered=state.sides[0].entered + 1))) == []


def test_dl_139_a_party_may_be_overfull_while_its_owner_is_asked_or_will_be_where_a_match_begins_there() -> None:
    full = {
        "parties": [{"1": "S: squire", "2": "K: banner_herald", "3": "T: squire"}],
        "hand": ["archer", "market_town"],
    }
    table = given(full).do("RecruitUnit K archer", "PlaceUnit 5")
    state = table.state
    assert [asked.kind for asked in state.asked] == ["OverflowDiscard"]
    begun_there = replace(state, asked=(), waiting=state.asked)
    assert list(invariants(state)) == list(invariants(begun_there)) == []
    assert any("too many Units" in said for said in invariants(replace(state, asked=())))
