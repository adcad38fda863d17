"""Equipment that is used once, at its moment (JA-180)."""

from collections.abc import Iterator

from domain.joan_of_arc.cards import Timing
from domain.joan_of_arc.events import EquipmentDiscarded
from domain.joan_of_arc.queries import setting_of, units_of
from domain.joan_of_arc.rules.effects.running import Effects
from domain.joan_of_arc.state import JoanState, UnitId
from domain.kernel import Choice, Resolver, Seat


class UseEquipment(Choice, frozen=True):
    """Use this card that a character wears; it is discarded."""

    unit: UnitId
    card: str


def uses(state: JoanState, seat: Seat, timing: Timing) -> Iterator[UseEquipment]:
    """JA-180: the cards for a single use whose moment this is; JA-260: not of who is carried."""
    cards = setting_of(state).index.equipment
    for unit in units_of(state, seat):
        for name in unit.equipment if not unit.carrier else ():
            if cards[name].use == "once" and cards[name].timing == timing:
                yield UseEquipment(unit.id, name)


def use_equipment(r: Resolver[JoanState], seat: Seat, choice: UseEquipment) -> Effects:
    """Its effect concerns the wearer; the card goes onto the discards."""
    card = setting_of(r.state).index.equipment[choice.card]
    r.emit(EquipmentDiscarded(choice.unit, card.type, card.id))
    return Effects(seat, card.effects, choice.unit)
