"""Questions about the board that several rules ask."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, TypeVar

from domain.commons.cards import known
from domain.commons.rows import foe
from domain.kernel import Seat
from domain.vera_discordia.cards.cards import (
    Ability,
    CardIndex,
    CardKey,
    Die,
    GeneralCard,
    Hook,
    OrderType,
    Terrain,
    Train,
    index_of,
)
from domain.vera_discordia.cards.shipped import SHIPPED
from domain.vera_discordia.state.options import Options
from domain.vera_discordia.state.state import (
    SPACES,
    VANGUARD,
    AttackKind,
    Column,
    Held,
    Profile,
    Side,
    Space,
    Unit,
    VeraState,
    place,
)

H = TypeVar("H", bound=Hook)

SHIPPED_INDEX: Final = index_of(SHIPPED)
FIRING: Final = (Die.RANGE, Die.ARTILLERY)

PLACES: Final = tuple(tuple(place(Seat(seat), space) for space in SPACES) for seat in range(2))
"""The keys of each player's spaces in `VeraState.at`, in the order V1 to V4, R1 to R4."""

# VD-084, VD-087, VD-088: orthogonally joined spaces of one side, Terrain between the sides apart; a Vanguard space
# stands before the Rearguard space of its column.
ADJACENT: Final[dict[Space, tuple[Space, ...]]] = {
    space: tuple(
        Space(other)
        for other in (
            f"{space[0]}{int(space[1]) - 1}",
            f"{space[0]}{int(space[1]) + 1}",
            f"{'R' if space[0] == 'V' else 'V'}{space[1]}",
        )
        if other in SPACES
    )
    for space in SPACES
}
DIAGONAL: Final[dict[Space, tuple[Space, ...]]] = {
    space: tuple(o for o in SPACES if o[0] != space[0] and abs(int(o[1]) - int(space[1])) == 1) for space in SPACES
}


def column_of(space: Space) -> Column:
    """The column of a space, 1 to 4."""
    return Column(int(space[1]))


def in_vanguard(unit: Unit) -> bool:
    """Whether the Unit stands next to the Terrain (VD-085)."""
    return unit.space[0] == "V"


def unit_at(state: VeraState, seat: Seat, space: Space) -> Unit | None:
    """The Unit on a space of a side, if any."""
    unit_id = state.at.get(place(seat, space))
    return None if unit_id is None else state.units[unit_id]


def army(state: VeraState, seat: Seat) -> list[Unit]:
    """A player's Units in play, in the order V1 to V4, R1 to R4."""
    at, units = state.at, state.units
    return [units[at[key]] for key in PLACES[seat] if key in at]


def count_units(state: VeraState, seat: Seat) -> int:
    """How many Units a player has in play."""
    return sum(1 for unit in state.units.values() if unit.seat == seat)


def openings(state: VeraState, seat: Seat) -> list[Space]:
    """The empty spaces of a side (VD-089)."""
    return [space for space in SPACES if place(seat, space) not in state.at]


def neighbours(state: VeraState, unit: Unit) -> Iterator[Unit]:
    """Units of the same player that are orthogonally adjacent to a Unit (VD-088)."""
    for space in ADJACENT[unit.space]:
        other = unit_at(state, unit.seat, space)
        if other is not None:
            yield other


def cards_of(state: VeraState) -> CardIndex:
    """The card set of the match."""
    cards = state.cards
    return SHIPPED_INDEX if cards is None else index_of(cards)


def index_of_options(options: Options) -> CardIndex:
    """The card set that a match with these options uses."""
    return SHIPPED_INDEX if options.cards is None else index_of(options.cards)


def general_of(state: VeraState, seat: Seat) -> GeneralCard | None:
    """A player's General; None without Generals (VD-287) or before the choice."""
    general = state.sides[seat].general
    if not general or state.options.without_generals:
        return None
    return cards_of(state).general(general)[1]


def leadership(state: VeraState, seat: Seat, hook: type[H]) -> list[H]:
    """The Leadership hooks of one kind that are in force for a player's army."""
    general = general_of(state, seat)
    return [] if general is None else [h for h in general.leadership.hooks if isinstance(h, hook)]


@lru_cache(maxsize=8192)
def _profile(index: CardIndex, card: CardKey, hero: str, commander: str, forest: bool, without_flying: bool) -> Profile:
    unit_type = index.types[card]
    abilities = set(unit_type.abilities)
    dice, max_life = unit_type.dice, unit_type.max_lp  # VD-018, VD-027, VD-028, VD-336
    if commander:
        hooks = index.general(commander)[1].leadership.hooks
        for hook in hooks:
            if isinstance(hook, Train) and unit_type.type_id in hook.types:  # VD-K08
                abilities.add(hook.ability)
    if hero:
        heroism = index.general(hero)[1].heroism
        abilities |= set(heroism.abilities)  # VD-058, VD-061
        dice = dice + heroism.dice  # VD-059: to the right of the Unit's own
        max_life += Ability.GUARDS in heroism.abilities  # VD-068, VD-330
    if forest:
        abilities.add(Ability.REFLEXES)  # VD-179, VD-299
    if Ability.FLYING in abilities and (hero or without_flying):  # VD-060, VD-062, VD-288
        abilities.remove(Ability.FLYING)
        abilities.add(Ability.GLIDE)
    return Profile(unit_type, frozenset(abilities), dice, unit_type.shields, max_life)


def profile_of(state: VeraState, card: CardKey, seat: Seat, *, hero: bool, forest: bool, changed: bool) -> Profile:
    """The profile of a card in a player's army, Open or Closed alike (VD-048); `hero`: it holds the General.

    `changed`: by Metamorphosis.
    """
    options = state.options
    general = "" if options.without_generals else state.sides[seat].general
    return _profile(
        cards_of(state), card, general if hero else "", "" if changed else general, forest, options.without_flying
    )


def profile(state: VeraState, unit: Unit) -> Profile:
    """The profile of a Unit now; its identity must be known."""
    forest = unit.capture and terrain_in(state, column_of(unit.space)) is Terrain.FOREST
    return profile_of(state, known(unit.card), unit.seat, hero=unit.general, forest=forest, changed=unit.changed)


def has(state: VeraState, unit: Unit, ability: Ability) -> bool:
    """Whether the Unit has the ability now."""
    return ability in profile(state, unit).abilities


def terrain_in(state: VeraState, column: Column) -> Terrain:
    """The Terrain of a column; Plains everywhere without Terrain (VD-289)."""
    if state.options.without_terrain or not state.terrain:
        return Terrain.PLAINS
    return state.terrain[column - 1]


def is_decimated(life: int) -> bool:
    """VD-031: exactly 1 or 2 Life Points left."""
    return 1 <= life <= 2


def decimated_die(state: VeraState, unit: Unit) -> int:
    """VD-032, VD-326: the die a Decimated Unit lacks, 0 or 1; none with Endurance."""
    return int(is_decimated(known(unit.life)) and not has(state, unit, Ability.ENDURANCE))


def is_prepared(unit: Unit) -> bool:
    """VD-078: a face-down order."""
    return unit.order is not None and not unit.order.up


def order_type(side: Side, held: Held) -> OrderType:
    """The type as which an order counts: for a Tactic its declared type, Tactic while undeclared (VD-069, VD-071)."""
    kind = known(held.type)
    return side.declared if kind is OrderType.TACTIC and side.declared else kind


def flies(state: VeraState, unit: Unit) -> bool:
    """Whether Movement and Castling need no adjacency (VD-165, VD-328, VD-329)."""
    abilities = profile(state, unit).abilities
    return Ability.FLYING in abilities or Ability.GLIDE in abilities


def flight(state: VeraState, unit: Unit) -> Ability:
    """The name under which a Unit flies (VD-Q55)."""
    return Ability.FLYING if has(state, unit, Ability.FLYING) else Ability.GLIDE


def prepared_units(state: VeraState, seat: Seat) -> list[Unit]:
    """A player's Prepared Units, in the order V1 to R4."""
    return [unit for unit in army(state, seat) if is_prepared(unit)]


def has_prepared(state: VeraState, seat: Seat) -> bool:
    """Whether a player has a Prepared Unit; rules ask several times a turn, and a loop takes half the time of a
    generator.
    """
    for unit in state.units.values():  # noqa: SIM110
        if unit.seat == seat and is_prepared(unit):
            return True
    return False


def reach_through_openings(state: VeraState, attacker: Unit) -> list[Unit]:
    """VD-193, VD-194: enemy Units next to the Opening in front or next to any Opening joined to it.

    Only enemy Openings count, never the player's own (VD-090, VD-196), so reach need not be mutual (VD-197).
    """
    enemy = foe(attacker.seat)
    front = Space(f"V{attacker.space[1]}")
    seen, frontier = {front}, [front]
    reached: list[Unit] = []
    while frontier:
        for space in ADJACENT[frontier.pop()]:
            if space in seen:
                continue
            seen.add(space)
            unit = unit_at(state, enemy, space)
            if unit is None:
                frontier.append(space)
            else:
                reached.append(unit)
    return sorted(reached, key=lambda unit: SPACES.index(unit.space))


def direct_targets(state: VeraState, attacker: Unit) -> list[Unit]:
    """VD-191 to VD-194: the Units a Direct Attack may be aimed at."""
    if not in_vanguard(attacker):
        return []
    front = unit_at(state, foe(attacker.seat), Space(f"V{attacker.space[1]}"))
    return reach_through_openings(state, attacker) if front is None else [front]


def indirect_target(state: VeraState, attacker: Unit) -> Unit | None:
    """VD-243 to VD-246, VD-251, VD-Q08: the Unit an Indirect Attack hits, if it is possible.

    Never a Closed one (VD-047).
    """
    firing = sum(1 for die in profile(state, attacker).dice if die in FIRING)
    if firing - decimated_die(state, attacker) < 1:
        return None
    row = "R" if in_vanguard(attacker) else "V"
    target = unit_at(state, foe(attacker.seat), Space(f"{row}{attacker.space[1]}"))
    return target if target is not None and target.open else None


def aerial_targets(state: VeraState, attacker: Unit) -> list[Unit]:
    """VD-252, VD-253, VD-257, VD-258: the Units an Aerial Attack may be aimed at."""
    if state.sides[attacker.seat].grounded or not has(state, attacker, Ability.FLYING):
        return []
    return [unit for unit in army(state, foe(attacker.seat)) if not unit.struck_from_air]


def attack_kinds(state: VeraState, attacker: Unit, *, direct_only: bool) -> list[AttackKind]:
    """VD-186 to VD-189: the types of attack that are possible; `direct_only` by Charge (VD-321) or Rage (VD-349)."""
    kinds = [AttackKind.DIRECT] if direct_targets(state, attacker) else []
    if direct_only:
        return kinds
    if indirect_target(state, attacker) is not None:
        kinds.append(AttackKind.INDIRECT)
    if aerial_targets(state, attacker):
        kinds.append(AttackKind.AERIAL)
    return kinds


def supporters(state: VeraState, unit: Unit) -> list[Unit]:
    """VD-201, VD-206: Vanguard Units next to the attacking Unit that are Busy (VD-079) with a face-up Support."""
    if not in_vanguard(unit):
        return []
    side = state.sides[unit.seat]
    return [
        other
        for other in neighbours(state, unit)
        if other.space in VANGUARD
        and other.order is not None
        and other.order.up
        and order_type(side, other.order) is OrderType.SUPPORT
    ]
