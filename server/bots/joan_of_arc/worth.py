"""The value of units and areas to a side, in VP, from the scenario's rewards and a unit's remaining abilities."""

from collections import deque
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from domain.commons.identity_cache import once_of
from domain.joan_of_arc.board.board import Board
from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.scenarios import Reward
from domain.joan_of_arc.cards.hooks import AddDie
from domain.joan_of_arc.cards.units import UnitCard
from domain.joan_of_arc.rules.phases.victory import SCORER
from domain.joan_of_arc.state.queries import card_of, setting_of, side_of
from domain.joan_of_arc.state.setting import seat_of
from domain.joan_of_arc.state.state import JoanState, Unit
from server.bots.joan_of_arc.odds import Counts, counts, expected, plus

STRENGTH: Final = 0.5
"""The weight of a unit's dice, relative to the results that they give."""
TO_COME: Final = 3
"""The number of remaining rounds with which a unit has its full value."""
DECISIVE: Final = 12.0
"""The value of a unit whose end ends the match."""
DOOMED: Final = 0.42
"""The chance that a disrupted unit dies (JA-226, JA-227)."""
DOOMED_AT_LAST: Final = 4 / 6
"""The chance that a disrupted unit dies in the last round, when only units that rally are spared (JA-233)."""
SHAKEN: Final = 0.12
"""The cost of a disrupted unit in addition to its temporary absence."""
WOUND: Final = 0.5
"""The value of a wound other than the last, as a multiple of an even share of the unit's value."""
TELLING: Final = 0.85
"""The same multiple for a unit whose end ends the match."""
FAR: Final = 99


class Worth(Struct, frozen=True):
    """A unit on the board: its value, the costs of a kill and of a disrupt, its remaining HPs (1 if it has none), its
    dice.
    """

    whole: float
    kill: float
    disrupt: float
    hp: int
    strength: float
    melee: Counts
    shoot: Counts
    defence: Counts


class Goal(Struct, frozen=True):
    """An area that scores for its holder: the worth of holding the area, and the sides for which it scores."""

    area: AreaId
    vp: float
    sides: tuple[str, ...]


def rounds_left(view: JoanState) -> int:
    """The number of rounds still to be played, including this one."""
    return view.piles["rounds"].left + 1 if "rounds" in view.piles else len(setting_of(view).scenario.rounds)


def worth_of(view: JoanState, unit: Unit) -> Worth:
    """The value of a unit on the board."""
    card, left = card_of(view, unit), rounds_left(view)
    melee, shoot = counts(card.melee), counts(card.shoot.dice if card.shoot else None)
    reward: Reward = getattr(setting_of(view).scenario.victory.destroyed, card.kind)
    strength = _strength(card, melee, shoot) * min(1.0, left / TO_COME)
    whole = reward.vp + 0.3 * reward.xp + strength + (DECISIVE if _decisive(view, unit) else 0.0)
    hp = 1 if card.hp is None else max(card.hp - unit.wounds, 1)
    full = card.hp or 1
    one = (TELLING if _decisive(view, unit) else WOUND) * whole / full
    kill = one if hp > 1 else whole - one * (full - 1)
    disrupt = one if hp > 1 else kill * _doomed(card, left) + SHAKEN * min(1, left - 1)
    if card.skills.immortal:
        kill = disrupt
    extra = _equipment(view, unit)
    return Worth(whole, kill, disrupt, hp, strength, plus(melee, extra[0]), shoot, plus(counts(card.defence), extra[1]))


def _strength(card: UnitCard, melee: Counts, shoot: Counts) -> float:
    best = max(expected(melee, 1.0, 0.6), 1.2 * expected(shoot, 1.0, 0.6), 1.5 if card.gigantic else 0.0)
    return STRENGTH * best + 0.3 * (card.command is not None) + 0.1 * bool(card.skills.names())


def _doomed(card: UnitCard, left: int) -> float:
    """The chance that a disrupt ends a unit."""
    if card.kind == "civilian" or card.gigantic or "war_machine" in card.traits:
        return 1.0
    if left <= 1:
        return DOOMED_AT_LAST
    return 0.15 if card.skills.immortal else DOOMED


def _decisive(view: JoanState, unit: Unit) -> bool:
    """Whether the unit's end gives the match to the other side."""
    for instant in setting_of(view).scenario.victory.instant:
        named = instant.when.unit_destroyed
        if named is not None and unit.id.startswith((f"{named}#",)) and instant.winner != SCORER:
            return setting_of(view).sides[seat_of(instant.winner)] != side_of(view, unit.owner)
    return False


def _equipment(view: JoanState, unit: Unit) -> tuple[Counts, Counts]:
    """The dice that equipment adds to attacks in melee, and to defence (JA-180)."""
    attack, defence = counts(None), counts(None)
    for name in unit.equipment:
        for effect in setting_of(view).index.equipment[name].effects:
            if isinstance(effect, AddDie):
                more = tuple(effect.n * (effect.colour == kind) for kind in ("black", "red", "yellow", "white"))
                attack = plus(attack, more) if effect.roll == "attack" else attack  # type: ignore[arg-type]
                defence = plus(defence, more) if effect.roll == "defence" else defence  # type: ignore[arg-type]
    return attack, defence


def goals(view: JoanState) -> tuple[Goal, ...]:
    """The areas and interiors that score when held, with the points that they can still score."""
    victory, left = setting_of(view).scenario.victory, rounds_left(view)
    sides = tuple(dict.fromkeys(setting_of(view).sides))
    found = []
    for scored in victory.camp:
        area = scored.when.area_held or scored.when.interior_held
        if area is not None:
            found.append(Goal(AreaId(area), scored.vp * (1 + 0.6 * (left - 1)), sides))
    for extra in victory.final.extra:
        area = extra.when.area_held or extra.when.interior_held
        if area is not None:
            side = setting_of(view).sides[seat_of(extra.player)]
            found.append(Goal(AreaId(area), extra.vp / left, (side,)))
    return tuple(found)


def ruins(view: JoanState) -> Iterator[tuple[AreaId, str, float]]:
    """Buildings whose collapse scores: the surrounding ground area, the side that scores, and the other sides' loss."""
    final = setting_of(view).scenario.victory.final
    for extra in final.extra:
        if extra.when.building_collapsed is not None:
            area = AreaId(extra.when.building_collapsed.partition("/")[0])
            denied = sum(
                other.vp for other in final.extra if (other.when.interior_held or "").partition("/")[0] == area
            )
            yield area, setting_of(view).sides[seat_of(extra.player)], extra.vp + 0.5 * denied


Steps = dict[AreaId, dict[AreaId, int]]


def _steps(board: Board) -> Steps:
    return {area: _steps_from(board, area) for area in board.areas}


def _steps_from(board: Board, start: AreaId) -> dict[AreaId, int]:
    found, waiting = {start: 0}, deque([start])
    while waiting:
        here = waiting.popleft()
        inside = board.interiors.get(here)
        for there in (*board.beside[here], *([inside] if inside else ())):
            if there not in found:
                found[there] = found[here] + 1
                waiting.append(there)
    return found


steps_on = once_of(_steps)
"""The number of borders between two areas of a board, by area."""
