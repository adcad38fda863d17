"""Intrigue effects (JA-192 to JA-195): each slot of a player's intrigue card triggers once."""

from collections.abc import Iterator
from typing import Final

from domain.joan_of_arc.rules.effects.running import Effects
from domain.joan_of_arc.state.events import IntrigueTriggered
from domain.joan_of_arc.state.queries import setting_of
from domain.joan_of_arc.state.state import JoanState
from domain.kernel import Choice, Hidden, Resolver, Seat

MOST_SLOTS: Final = 4
"""Slots that an intrigue card may have (ledger 6.9)."""


class TriggerIntrigue(Choice, frozen=True):
    """Put the tokens on this slot."""

    slot: int


def may_trigger(state: JoanState, seat: Seat) -> bool:
    """JA-405: whether by public facts a player could trigger an effect: by card, tokens and slots used."""
    board = state.boards[seat]
    return board.holds_intrigue and board.intrigue > 0 and len(board.slots) < MOST_SLOTS


def triggers(state: JoanState, seat: Seat, *, interrupting: bool = False) -> Iterator[TriggerIntrigue]:
    """JA-D49: the unused slots whose cost is at hand; in an opponent's turn only those that may interrupt (JA-192)."""
    board = state.boards[seat]
    if isinstance(board.intrigue_card, Hidden) or not board.intrigue_card:
        return
    used = {slot.slot for slot in board.slots}
    for slot in setting_of(state).index.intrigue[board.intrigue_card].slots:
        timely = slot.timing == "own_turn_or_interrupt" or not interrupting
        if timely and slot.slot not in used and slot.cost <= board.intrigue:
            yield TriggerIntrigue(slot.slot)


def trigger(r: Resolver[JoanState], seat: Seat, choice: TriggerIntrigue) -> Effects:
    """JA-193, JA-194: the tokens stay on the slot; its effect is public now (JA-399)."""
    card = r.state.boards[seat].intrigue_card
    assert isinstance(card, str), "a rule plays with the whole state"
    slots = setting_of(r.state).index.intrigue[card].slots
    slot = next(slot for slot in slots if slot.slot == choice.slot)
    r.emit(IntrigueTriggered(seat, slot))
    return Effects(seat, slot.effects)
