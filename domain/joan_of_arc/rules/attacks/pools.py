"""The dice of an attack: gathered from cards, ground and equipment (JA-107, JA-108), rolled, and rolled again."""

from collections.abc import Iterable

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.table import units_in
from domain.joan_of_arc.cards.dice import NONE, Dice, Face, face
from domain.joan_of_arc.cards.hooks import Roll
from domain.joan_of_arc.rules.attacks.rolls import (
    Roller,
    Thrown,
    barricade,
    clouds,
    cohesion,
    concentrated_fire,
    in_order,
    rainbow,
    stakes,
    support,
    walls_around,
)
from domain.joan_of_arc.rules.attacks.targets import foes_in
from domain.joan_of_arc.state.attack_events import DiceRerolled, DiceThrown
from domain.joan_of_arc.state.attack_state import Attack, RolledDie
from domain.joan_of_arc.state.queries import (
    card_of,
    optional_rules,
    setting_of,
    side_of,
    standing,
    table_of,
    unit_of,
    worn_dice,
)
from domain.joan_of_arc.state.state import JoanState, UnitId
from domain.kernel import Resolver, Seat


def attack_of(state: JoanState) -> Attack:
    """The attack that is under way."""
    assert state.attack is not None, "an attack is under way"
    return state.attack


def defenders(state: JoanState) -> tuple[UnitId, ...]:
    """JA-108: the defenders that are still in the area, by id."""
    units = state.field.units
    return tuple(UnitId(unit) for unit in attack_of(state).defenders if units[UnitId(unit)].spot == "board")


def defending_seats(state: JoanState) -> tuple[Seat, ...]:
    """JA-Q08: the players whose units defend, in turn order, also of those that dodged: their dice stay in the roll
    (JA-Q58).
    """
    attack = attack_of(state)
    owners = {unit_of(state, unit).owner for unit in (*attack.defenders, *attack.dodged)}
    return tuple(seat for seat in setting_of(state).order if seat in owners)


def defending_seat(state: JoanState) -> Seat | None:
    """The first of the defending players in turn order, who owns the common dice; None if no unit defends."""
    return next(iter(defending_seats(state)), None)


def is_of(state: JoanState, die: RolledDie, seat: Seat) -> bool:
    """JA-Q08: whether a die of the defence is a player's: of one of his units, or a common die if he is first."""
    owner = unit_of(state, die.unit).owner if die.unit else defending_seat(state)
    return owner == seat


def target_areas(state: JoanState) -> tuple[AreaId, ...]:
    """The attacked areas: one; JA-Q52: if a gigantic creature defends, its whole hex."""
    attack, board = attack_of(state), table_of(state).board
    defending = (card_of(state, unit_of(state, unit)) for unit in (*attack.defenders, *attack.dodged))
    if not any(card.gigantic for card in defending):
        return (attack.target,)
    at = board.areas[attack.target]
    return board.hexes[at.level][at.hex]


def attack_dice(state: JoanState, unit: UnitId) -> Dice:
    """The dice printed on a unit's card for the kind of the attack."""
    card, attack = card_of(state, unit_of(state, unit)), attack_of(state)
    if unit in attack.giants:
        target, board = table_of(state).board.areas[attack.target], table_of(state).board
        return Dice(gigantic=len(board.hexes[target.level][target.hex]) if card.gigantic else 1)
    if attack.kind == "melee":
        return card.melee or NONE
    return NONE if card.shoot is None else card.shoot.dice


def starts_of(state: JoanState) -> tuple[AreaId, ...]:
    """The areas that attackers attack from; JA-Q89: a gigantic creature from every area of its hex."""
    board, found = table_of(state).board, list[AreaId]()
    for unit, start in attack_of(state).starts:
        here = board.areas[start]
        found += board.hexes[here.level][here.hex] if card_of(state, unit_of(state, unit)).gigantic else (start,)
    return tuple(found)


def attack_pool(state: JoanState) -> tuple[Thrown, ...]:
    """JA-107: the dice of all attackers, then common ones (JA-286, JA-344); JA-289: one die for a frightened unit."""
    attack, table = attack_of(state), table_of(state)
    single = dict(attack.frightened)
    rollers = []
    for name, start in attack.starts:
        unit = unit_of(state, name)
        (found,) = standing(state, (name,))
        if name in attack.giants:
            rollers.append(Roller(name, Dice(gigantic=1)))  # JA-251
        elif name in single:
            rollers.append(Roller(name, Dice(**{single[name]: 1})))
        else:
            bonus = rainbow(table, start, found) + worn_dice(state, unit, "attack", attack.kind)
            rollers.append(Roller(name, attack_dice(state, UnitId(name)), bonus))
    known = zip(
        standing(state, (unit for unit, _ in attack.starts)), (start for _, start in attack.starts), strict=True
    )
    crowd = NONE
    if attack.kind == "shooting" and optional_rules(state).concentrated_fire:
        crowd = concentrated_fire([unit for unit in units_in(table, attack.target) if not unit.carried])
    return in_order(rollers, (support(known, table), crowd, attack.common_attack))


def defence_pool(state: JoanState) -> tuple[Thrown, ...]:
    """JA-108: the dice of all defenders with those that barricade, stakes and equipment add (JA-217, JA-331), then
    common ones: cohesion, walls, clouds, cards.
    """
    attack, table = attack_of(state), table_of(state)
    starts = starts_of(state)
    melee, rollers = attack.kind == "melee", []
    for found in standing(state, defenders(state)):
        bonus = NONE if found.card.gigantic else barricade(table, attack.target)
        if melee:
            bonus += stakes(table, attack.target, starts, found)
        bonus += worn_dice(state, unit_of(state, found.unit), "defence", attack.kind)
        rollers.append(Roller(found.unit, found.card.defence, bonus))
    inside = walls_around(table, attack.target, starts)
    giant = any(card_of(state, unit_of(state, unit)).gigantic for unit in defenders(state))
    sky = NONE if melee or giant else clouds(table, attack.target)  # JA-Q52
    common = (cohesion(standing(state, defenders(state))), inside, sky, attack.common_defence)
    return in_order(rollers, common) if rollers else ()


def throw(r: Resolver[JoanState], roll: Roll, pool: tuple[Thrown, ...], seat: Seat | None) -> None:
    """JA-119, JA-121: a roll, which keeps the source of every die."""
    rule, title = ("JA-107", "Attack") if roll == "attack" else ("JA-108", "Defence")
    kinds = tuple(die.colour for die in pool)
    about = tuple(dict.fromkeys(die.unit for die in pool if die.unit))
    values = r.roll(len(pool), rule, title, seat=seat, about=about, kinds=kinds) if pool else ()
    shown = zip(pool, values, strict=True)
    dice = tuple(RolledDie(die.colour, die.unit, face(die.colour, value)) for die, value in shown)
    r.emit(DiceThrown(roll, dice))


def rolled(state: JoanState, roll: Roll) -> tuple[RolledDie, ...]:
    """The dice of a roll."""
    attack = attack_of(state)
    return attack.attack_dice if roll == "attack" else attack.defence_dice


def loose_of(state: JoanState, roll: Roll, seat: Seat) -> tuple[int, ...]:
    """JA-196, JA-Q08: the numbers of a player's own dice of a roll that may be rolled again: in the attack all of the
    attacker's, in the defence those of the player's units.
    """
    dice, again = rolled(state, roll), loose(state, roll)
    if roll == "attack":
        return again if attack_of(state).by == seat else ()
    return tuple(at for at in again if is_of(state, dice[at], seat))


def loose(state: JoanState, roll: Roll) -> tuple[int, ...]:
    """JA-Q60: the numbers of the dice of a roll that may be rolled again: not of those that Ruthless has changed."""
    return tuple(at for at, die in enumerate(rolled(state, roll)) if not die.settled)


def reroll(r: Resolver[JoanState], roll: Roll, at: Iterable[int], source: str, seat: Seat) -> None:
    """JA-197, JA-Q77: these dice are rolled again; the second result stands before another source is used."""
    places = tuple(at)
    dice = rolled(r.state, roll)
    kinds = tuple(dice[place].colour for place in places)
    values = r.roll(len(places), "JA-Q77", source.partition(" ")[0].capitalize(), seat=seat, kinds=kinds)
    faces: tuple[Face, ...] = tuple(face(colour, value) for colour, value in zip(kinds, values, strict=True))
    r.emit(DiceRerolled(roll, places, faces, source))


def hostile_left(state: JoanState) -> bool:
    """JA-148: whether an enemy unit is left in the attacked areas."""
    side, table = side_of(state, attack_of(state).by) or "", table_of(state)
    return any(foes_in(table, area, side) for area in target_areas(state))
