"""Why a bot's move in Vera Discordia makes sense, judged only by the view before the move."""

from msgspec.structs import replace

from domain.commons.rows import foe
from domain.kernel import Event, Hidden
from domain.vera_discordia.cards.cards import Terrain
from domain.vera_discordia.rules.counterattack import ways_to_counterattack
from domain.vera_discordia.state.events import AttackDeclared, TerrainCaptured, UnitMoved
from domain.vera_discordia.state.queries import army, direct_targets, in_vanguard, terrain_in, unit_at
from domain.vera_discordia.state.state import AttackKind, Space, Unit, VeraState, place
from projections.games.vera_discordia.words import is_plural, own_name

LOW = 2
USEFUL = frozenset({Terrain.FOREST, Terrain.MOUNTAIN})
"""Terrain that is useful to its holder (VD-179, VD-299, VD-301)."""


def reason(view: VeraState, event: Event) -> str:
    """A sentence about a player's event; empty if the event is clear by itself."""
    match event:
        case AttackDeclared():
            return _attack(view, event)
        case UnitMoved(unit=unit, to=to) if unit in view.units:
            return _move(view, view.units[unit], to)
        case TerrainCaptured(column=column) if terrain_in(view, column) in USEFUL:
            return "Why: who holds the Terrain has its advantage, and the other side has not."
    return ""


def _attack(view: VeraState, event: AttackDeclared) -> str:
    attacker, target = view.units.get(event.attacker), view.units.get(event.target)
    if attacker is None or target is None:
        return ""
    name, plural = own_name(view, target.id), is_plural(view, target.id)
    if target.general:
        return f"Why: the General stands with {name}, and a side without its General loses."
    left = _life(target)
    if left is not None and left <= LOW:
        return f"Why: {name} {'have' if plural else 'has'} {left} Life left, so few hits are enough."
    if event.kind is not AttackKind.DIRECT:
        return ""
    if [other.id for other in direct_targets(view, attacker)] == [target.id]:
        return f"Why: nobody but {name} can be struck directly from there."
    if _cannot_answer(view, target):
        return f"Why: {name} {'hold' if plural else 'holds'} no order and cannot strike back."
    return ""


def _cannot_answer(view: VeraState, target: Unit) -> bool:
    """Whether an Exhausted Unit is known to have no way to strike back: no Riposte, no Chaos (VD-228)."""
    if target.order is not None or isinstance(target.card, Hidden):
        return False
    return not ways_to_counterattack(view, target)


def _life(unit: Unit) -> int | None:
    return unit.marker if isinstance(unit.life, Hidden) else unit.life


def _move(view: VeraState, unit: Unit, to: Space) -> str:
    before, after = unit.space[0], to[0]
    if before == "R" and after == "V":
        facing = unit_at(view, foe(unit.seat), Space(f"V{to[1]}"))
        there = f"it faces {own_name(view, facing.id)}" if facing is not None else "a gap lets it reach further"
        return f"Why: from the Vanguard it can strike directly, and there {there}."
    if before == "V" and after == "R" and not _in_reach(view, replace(unit, space=to)):
        return "Why: in the Rearguard no Direct Attack reaches it as the Units stand."
    return ""


def _in_reach(view: VeraState, moved: Unit) -> bool:
    """Whether an enemy Unit could strike directly at a Unit on its new space (VD-192, VD-193)."""
    elsewhere = {spot: unit for spot, unit in view.at.items() if unit != moved.id}
    at = {**elsewhere, place(moved.seat, moved.space): moved.id}
    after = replace(view, units={**view.units, moved.id: moved}, at=at)
    enemies = [enemy for enemy in army(after, foe(moved.seat)) if in_vanguard(enemy)]
    return any(moved.id in {aim.id for aim in direct_targets(after, enemy)} for enemy in enemies)
