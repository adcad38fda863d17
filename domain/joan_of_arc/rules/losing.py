"""The fate of units that are hit: wounds, the infirmary, the graveyard, rewards (JA-133 to JA-142, section S).

`by` is the seat that caused it, or None; it gets the reward if the unit was hostile to it (JA-Q83).
Victory is judged later, at the end of the moment (`victory.judge`).
"""

from domain.joan_of_arc.board.scenarios import Reward
from domain.joan_of_arc.rules.attacks.results import Struck, lost
from domain.joan_of_arc.rules.phases.victory import score
from domain.joan_of_arc.state.events import (
    CivilianReleased,
    EquipmentDiscarded,
    ResourceGained,
    UnitDestroyed,
    UnitDisrupted,
    UnitWounded,
)
from domain.joan_of_arc.state.queries import card_of, setting_of, side_of, unit_of
from domain.joan_of_arc.state.state import JoanState, Unit, UnitId
from domain.kernel import Resolver, Seat


def suffer(r: Resolver[JoanState], unit: UnitId, struck: Struck, by: Seat | None, rule: str) -> None:
    """Apply the outcome of a result to a unit (`results.kill`, `results.disrupt`, `results.stay`, `results.lost`)."""
    if struck.fate == "destroyed":
        destroy(r, unit, by, rule)
    elif struck.fate == "disrupted":
        disrupt(r, unit, struck.wounds, by)
    elif struck.wounds != unit_of(r.state, unit).wounds:
        r.emit(UnitWounded(unit, struck.wounds))


def disrupt(r: Resolver[JoanState], unit: UnitId, wounds: int, by: Seat | None) -> None:
    """JA-135, JA-137: to the disrupted section; `by` is kept; JA-261: a unit that it carries is destroyed."""
    drop_passenger(r, unit, by)
    r.emit(UnitDisrupted(unit, wounds, by))
    release_civilians(r)


def destroy(r: Resolver[JoanState], unit: UnitId, by: Seat | None, rule: str) -> None:
    """JA-133: to the graveyard; JA-181: its equipment is discarded; JA-142: its reward. JA-273, JA-Q59: an immortal
    unit is disrupted instead, with 1 HP remaining; only the end of the last round destroys it (JA-233).
    """
    gone = unit_of(r.state, unit)
    spared = lost(card_of(r.state, gone), gone.wounds)
    if spared.fate == "disrupted" and gone.spot == "board":
        disrupt(r, unit, spared.wounds, by)
        return
    drop_passenger(r, unit, by)
    discard_equipment(r, unit)
    r.emit(UnitDestroyed(unit, by, rule))
    reward(r, gone, by)
    release_civilians(r)


def drop_passenger(r: Resolver[JoanState], carrier: UnitId, by: Seat | None) -> None:
    """JA-261, JA-Q83: a carried unit is destroyed at once; its reward goes to the player who removed the carrier."""
    for unit in tuple(r.state.field.units.values()):
        if unit.carrier == carrier:
            destroy(r, unit.id, by, "JA-261")


def discard_equipment(r: Resolver[JoanState], unit: UnitId) -> None:
    """JA-181: all cards that the unit wears."""
    for card in unit_of(r.state, unit).equipment:
        r.emit(EquipmentDiscarded(unit, setting_of(r.state).index.equipment[card].type, card))


def reward(r: Resolver[JoanState], gone: Unit, by: Seat | None) -> None:
    """JA-142, JA-Q83: the scenario's reward for a unit of this kind goes to the hostile player who caused it."""
    side = side_of(r.state, by)
    if by is None or side is None or side_of(r.state, gone.owner) == side:
        return
    found: Reward = getattr(setting_of(r.state).scenario.victory.destroyed, card_of(r.state, gone).kind)
    grant_reward(r, found, by, "JA-142")


def grant_reward(r: Resolver[JoanState], found: Reward, by: Seat, rule: str) -> None:
    """Tokens are the player's, VP the side's."""
    if found.xp:
        r.emit(ResourceGained(by, "xp", found.xp, rule))
    if found.legend:
        r.emit(ResourceGained(by, "legend", found.legend, rule))
    score(r, setting_of(r.state).sides[by], found.vp, rule)


def release_civilians(r: Resolver[JoanState]) -> None:
    """JA-099, JA-Q29: release recruited civilians without a unit of their owner's side, other than civilians, in their
    area.
    """
    state = r.state
    recruited = [
        unit
        for unit in state.field.units.values()
        if unit.owner is not None and unit.spot == "board" and card_of(state, unit).kind == "civilian"
    ]
    if not recruited:
        return
    guarded = {
        (unit.area, side_of(state, unit.owner))
        for unit in state.field.units.values()
        if unit.owner is not None and unit.spot == "board" and card_of(state, unit).kind != "civilian"
    }
    left = tuple(unit.id for unit in recruited if (unit.area, side_of(state, unit.owner)) not in guarded)
    if left:
        r.emit(CivilianReleased(left))
