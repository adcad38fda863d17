"""Section AF: Terrain."""

from domain.kernel import Part
from domain.vera_discordia.cards.cards import Ability, Terrain
from domain.vera_discordia.state.queries import column_of, has, terrain_in
from domain.vera_discordia.state.state import Attack, AttackKind, Unit, VeraState


def attack_column_is_targets(kind: AttackKind) -> bool:
    """VD-294: an Aerial Attack takes place over the target; VD-291, VD-293: the others in the attacker's column."""
    return kind is AttackKind.AERIAL


def terrain_penalty(state: VeraState, attack: Attack, striker: Unit, *, counter: bool) -> list[Part]:
    """The die an Attack or Counterattack loses to the Terrain it takes place in; Plains have none (VD-296).

    VD-292: a Counterattack uses the Terrain of its Direct Attack; VD-281, VD-295: after an Aerial Attack it uses none.
    """
    kind, terrain = attack.kind, terrain_in(state, attack.column)
    if counter and kind is AttackKind.AERIAL:
        return []
    match terrain:
        case Terrain.RIVER if kind is AttackKind.DIRECT and not has(state, striker, Ability.AFFINITY_RIVERS):  # VD-304
            return [Part("VD-297", -1, "River")]
        case Terrain.FOREST if kind is not AttackKind.DIRECT and not has(state, striker, Ability.AFFINITY_FORESTS):
            return [Part("VD-298", -1, "Forest")]  # VD-303
        case Terrain.MOUNTAIN if kind is not AttackKind.AERIAL and not _knows_mountain(state, attack, striker):
            return [Part("VD-300", -1, "Mountain")]
    return []


def _knows_mountain(state: VeraState, attack: Attack, striker: Unit) -> bool:
    """VD-305: Affinity; VD-301: the Mountain it holds, and no other (VD-Q30)."""
    holds = striker.capture and column_of(striker.space) == attack.column
    return holds or has(state, striker, Ability.AFFINITY_MOUNTAINS)
