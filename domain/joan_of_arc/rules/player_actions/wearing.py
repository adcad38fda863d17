"""Equipment that is used once, at its moment (JA-180)."""

from collections.abc import Iterator
from typing import Final

from domain.joan_of_arc.cards.cards import Timing
from domain.joan_of_arc.rules.effects.running import Effects
from domain.joan_of_arc.state.events import EquipmentDiscarded, EquipmentHanded
from domain.joan_of_arc.state.queries import card_of, setting_of, side_of, units_of
from domain.joan_of_arc.state.state import JoanState, UnitId
from domain.kernel import Choice, Resolver, Seat

MOST: Final = 2
"""JA-178: equipment cards of one character."""


class UseEquipment(Choice, frozen=True):
    """Use this card that a character wears; it is discarded."""

    unit: UnitId
    card: str


def uses(state: JoanState, seat: Seat, timing: Timing) -> Iterator[UseEquipment]:
    """JA-180: the single-use cards that this moment allows; JA-260: not of carried units."""
    cards = setting_of(state).index.equipment
    for unit in units_of(state, seat):
        for name in unit.equipment if not unit.carrier else ():
            if cards[name].use == "once" and cards[name].timing == timing:
                yield UseEquipment(unit.id, name)


class GiveEquipment(Choice, frozen=True):
    """Hand this card to another character."""

    unit: UnitId
    to: UnitId
    card: str


class DropEquipment(Choice, frozen=True):
    """Discard this card."""

    unit: UnitId
    card: str


def handovers(state: JoanState, seat: Seat) -> Iterator[GiveEquipment | DropEquipment]:
    """JA-179, JA-D45: the card goes to another character in the same area, a team-mate's too, that carries fewer than
    two (JA-178), or is discarded. JA-Q37: a character that was given a card cannot hand it on before a unit has acted.
    """
    side = side_of(state, seat)
    friends = [unit for unit in state.field.units.values() if unit.spot == "board" and unit.owner is not None]
    friends = [unit for unit in friends if side_of(state, unit.owner) == side]
    wearers = [unit for unit in units_of(state, seat) if unit.equipment and not unit.carrier]
    for unit in wearers:
        for other in friends:
            near = other.id != unit.id and other.area == unit.area and not other.carrier
            if near and len(other.equipment) < MOST and card_of(state, other).kind == "character":
                free = (card for card in unit.equipment if f"{unit.id} {card}" not in state.handed)
                yield from (GiveEquipment(unit.id, other.id, card) for card in free)
        yield from (DropEquipment(unit.id, card) for card in unit.equipment)


def hand_over(r: Resolver[JoanState], choice: GiveEquipment | DropEquipment) -> None:
    """JA-Q37: in the owner's turn, or as the owner is asked, while no roll is unresolved."""
    if isinstance(choice, GiveEquipment):
        r.emit(EquipmentHanded(choice.unit, choice.to, choice.card))
    else:
        deck = setting_of(r.state).index.equipment[choice.card].type
        r.emit(EquipmentDiscarded(choice.unit, deck, choice.card))


def use_equipment(r: Resolver[JoanState], seat: Seat, choice: UseEquipment) -> Effects:
    """Its effect concerns the wearer; the card goes onto the discards."""
    card = setting_of(r.state).index.equipment[choice.card]
    r.emit(EquipmentDiscarded(choice.unit, card.type, card.id))
    return Effects(seat, card.effects, choice.unit)
