"""Why a move of Vera Discordia makes sense, said of a bot's: by what the view knew before it, and nothing else."""

from domain.commons.rows import foe
from domain.kernel import Event, Hidden
from domain.vera_discordia.cards import Terrain
from domain.vera_discordia.events import AttackDeclared, TerrainCaptured, UnitMoved
from domain.vera_discordia.queries import direct_targets, is_prepared, terrain_in, unit_at
from domain.vera_discordia.state import AttackKind, Space, Unit, VeraState
from projections.games.vera_discordia.words import is_plural, own_name

LOW = 2
USEFUL = frozenset({Terrain.FOREST, Terrain.MOUNTAIN})
"""Terrain that is good for something to who holds it (VD-179, VD-299, VD-301)."""


def reason(view: VeraState, event: Event) -> str:
    """A sentence to a player's event, empty where it speaks for itself."""
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
    if not is_prepared(target):
        return f"Why: {name} {'hold' if plural else 'holds'} no order any more, so nobody strikes back."
    return ""


def _life(unit: Unit) -> int | None:
    return unit.marker if isinstance(unit.life, Hidden) else unit.life


def _move(view: VeraState, unit: Unit, to: Space) -> str:
    before, after = unit.space[0], to[0]
    if before == "R" and after == "V":
        facing = unit_at(view, foe(unit.seat), Space(f"V{to[1]}"))
        there = f"it faces {own_name(view, facing.id)}" if facing is not None else "a gap lets it reach further"
        return f"Why: from the Vanguard it can strike directly, and there {there}."
    if before == "V" and after == "R":
        return "Why: in the Rearguard a Direct Attack does not reach it while somebody stands in front."
    return ""
