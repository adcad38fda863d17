"""All actions that a unit may be declared to take, and the execution of each.

A module of this package gives `offers(state, unit, now)`, the choices open to a unit after earlier declarations,
and `carry_out(r, plans)`, which resolves all plans of one action (`declared.action_of`): at once, giving None, or by a
procedure. Both emit `ActionResolved` for the units that have acted, `waiting.wait` for those that no longer can.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from domain.joan_of_arc.rules.actions import (
    charging,
    engineering,
    fighting,
    gigantic_attacks,
    hastening,
    healing,
    jumping,
    marching,
    praying,
    staking,
    striding,
    waiting,
    walking,
)
from domain.joan_of_arc.rules.actions.declared import Declared
from domain.joan_of_arc.state.state import ActionName, Activation, JoanState, Plan, Unit
from domain.kernel import Procedure, Resolver

Offers = Callable[[JoanState, Unit, Activation], Iterator[Declared]]
CarryOut = Callable[[Resolver[JoanState], tuple[Plan, ...]], Procedure | None]

OFFERS: Final[tuple[Offers, ...]] = (
    waiting.offers,
    walking.offers,
    fighting.offers,
    charging.offers,
    gigantic_attacks.offers,
    striding.offers,
    hastening.offers,
    jumping.offers,
    marching.offers,
    praying.offers,
    healing.offers,
    engineering.offers,
    staking.offers,
)
CARRY_OUT: Final[Mapping[ActionName, CarryOut]] = {
    "wait": waiting.carry_out,
    "move": walking.carry_out,
    "melee": fighting.carry_out,
    "shooting": fighting.carry_out,
    "trample": gigantic_attacks.carry_out,
    "charge": charging.carry_out,
    "stride": striding.carry_out,
    "haste": hastening.carry_out,
    "jump": jumping.carry_out,
    "march": marching.carry_out,
    "prayer": praying.carry_out,
    "heal": healing.carry_out,
    "barricade": engineering.build,
    "set_fire": engineering.burn,
    "put_out": engineering.quench,
    "stakes": staking.carry_out,
}


def open_to(state: JoanState, unit: Unit, now: Activation) -> Iterator[Declared]:
    """JA-086, JA-088: the actions that a unit may be declared to take."""
    return (choice for offers in OFFERS for choice in offers(state, unit, now))


def carry_out(r: Resolver[JoanState], plans: tuple[Plan, ...]) -> Procedure | None:
    """Resolve one action, of all units that take part in it."""
    return CARRY_OUT[plans[0].action](r, plans)
