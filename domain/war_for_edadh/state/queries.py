"""Questions about the table that several rules ask."""

from collections.abc import Iterator
from typing import Final

from domain.commons.rows import BOTH, foe
from domain.kernel import Seat
from domain.war_for_edadh.cards.armies import fielding_defects
from domain.war_for_edadh.cards.cards import (
    SHIPPED_INDEX,
    Army,
    CardIndex,
    End,
    Level,
    Stratagem,
    StratagemEffect,
    TerrainCard,
    TroopCard,
    index_of,
)
from domain.war_for_edadh.state.state import DRAW, Codes, Column, Columns, Position, Side, TroopId, Unit, WarState

UNITS: Final[tuple[Unit, ...]] = ("main", "support")
DURATIONS_AT_BALLISTIC: Final = 2
"""WE-057: the number of Durations at the Ballistic Combat Level before the Charge."""


def cards_of(state: WarState) -> CardIndex:
    """The cards that the match is played with."""
    cards = state.options.cards
    return SHIPPED_INDEX if cards is None else index_of(cards)


def card(state: WarState, troop: str) -> TroopCard:
    """The printed values of a Troop Card."""
    return cards_of(state).troops[state.troops[TroopId(troop)].code]


def columns_of(side: Side, unit: Unit) -> Columns:
    """The columns of one of the player's Units, the front card first."""
    return side.columns if unit == "main" else side.support


def front(side: Side, unit: Unit = "main") -> Column:
    """WE-052: the Front Rank, from the player's own left."""
    return tuple([column[0] for column in columns_of(side, unit) if column])


def everyone(side: Side) -> Column:
    """Every card of both Units."""
    return tuple(troop for unit in UNITS for column in columns_of(side, unit) for troop in column)


def facing(column: int) -> int:
    """WE-Q07: the opponent's column that faces this one; columns are 1 to 3 from the owner's left."""
    return 4 - column


def place(state: WarState, troop: str) -> tuple[Unit, int, int]:
    """The place of a card: its Unit, its column 1 to 3 and its rank, 1 at the front; a place, not a mark (WE-Q51)."""
    side = state.sides[state.troops[TroopId(troop)].seat]
    for unit in UNITS:
        for number, column in enumerate(columns_of(side, unit), 1):
            if troop in column:
                return unit, number, column.index(TroopId(troop)) + 1
    raise KeyError(troop)


def without(columns: Columns, troop: str) -> Columns:
    """The columns closed up after a card has left."""
    first, second, third = (tuple(t for t in column if t != troop) for column in columns)
    return first, second, third


def end_of(state: WarState, seat: int) -> End:
    """The end of the Mastery Card that the player has laid."""
    laid = state.round.laid[seat]
    assert laid is not None
    return cards_of(state).ends[laid.cv]


def secondary(state: WarState, seat: int) -> str:
    """How the player laid the Secondary Mastery Card in this round: tcts, mst or not at all."""
    laid = state.round.laid[seat]
    return laid.secondary if laid else ""


def roles(state: WarState, seat: int) -> frozenset[str]:
    """WE-068, WE-090: the player's role in this round; in a draw each is Attacker and Defender in turn."""
    if state.round.attacker == DRAW:
        return frozenset({"attacker", "defender", "draw"})
    return frozenset({"attacker" if state.round.attacker == seat else "defender"})


def directions(state: WarState) -> tuple[tuple[Seat, Seat], ...]:
    """WE-090: (Attacker, Defender) once, in a draw both ways."""
    if state.round.attacker == DRAW:
        return ((Seat(0), Seat(1)), (Seat(1), Seat(0)))
    return ((Seat(state.round.attacker), foe(state.round.attacker)),)


def next_position(state: WarState) -> tuple[Position, str]:
    """WE-057 to WE-059, WE-193 to WE-196: the position of the Units after this Duration, and the rule.

    WE-Q82: two Durations are played at the Ballistic Combat Level, counted from the start or the last Retreat.
    """
    both_played = state.duration - state.sent_back >= DURATIONS_AT_BALLISTIC
    match (state.position, state.movement):
        case ("ballistic", "retreat"):
            return "range", "WE-195"
        case ("charge", "retreat"):
            return "ballistic", "WE-196"
        case ("range" | "ballistic", _) if both_played:
            return "charge", "WE-057"
        case ("range", "hold"):
            return "range", "WE-194"
        case ("range", _):
            return "ballistic", "WE-193"
        case ("ballistic", _):
            return "ballistic", "WE-057"
        case ("charge", _):
            return "melee", "WE-058"
    return "melee", "WE-059"


def coming_position(state: WarState) -> Position:
    """WE-147, WE-Q82: the position of the Units in the Duration in which a card picked now is In Play."""
    return state.position if state.duration == 0 else next_position(state)[0]


def initiative(state: WarState) -> tuple[Seat, Seat]:
    """WE-Q24: the order in which players decide if the book gives none."""
    first, second = state.sides
    return (Seat(1), Seat(0)) if (-second.mp, second.dmg) < (-first.mp, first.dmg) else BOTH


def half_cards(state: WarState, seat: int) -> tuple[TerrainCard, ...]:
    """WE-232, WE-237: the Terrain Cards that count on the player's half, the top one first."""
    ground = state.ground
    if ground is None:
        return ()
    index = cards_of(state).terrain
    return (index[ground.code], *(index[under.code] for under in ground.under if under.seat == seat))


def terrain_effects(state: WarState, seat: int) -> frozenset[str]:
    """WE-234: the Terrain Effects on the player's half."""
    return frozenset([effect for found in half_cards(state, seat) for effect in found.effects])


def effects_on(state: WarState, seat: int) -> Iterator[tuple[str, StratagemEffect]]:
    """WE-061: the effects of face-up Stratagems that work on this player at this Combat Level, with the card's name."""
    index = cards_of(state).stratagems
    for owner in BOTH:
        wanted = "own" if owner == seat else "enemy"
        for lying in state.sides[owner].in_play:
            found = index[lying.code]
            if state.level not in found.levels or lying.since > state.duration or not attached(state, owner, found):
                continue
            for effect in found.effects:
                if effect.side == wanted and not effect.instant and state.level in (effect.levels or found.levels):
                    yield found.name, effect


def attached(state: WarState, owner: int, found: Stratagem) -> bool:
    """WE-184: whether the master that a Stratagem is assigned to stands behind the Unit."""
    side = state.sides[owner]
    match found.assign_to:
        case "combat_master":
            return has_combat_master(side)
        case "battle_master":
            return bool(side.battle_master)
    return True


def no_formation(state: WarState, seat: int) -> bool:
    """WE-209, WE-230: whether the player may use no Formation."""
    if "no_formation" in terrain_effects(state, seat):
        return True
    return any(effect.op == "no_formation" for _, effect in effects_on(state, seat))


def standards_left(state: WarState, seat: int) -> Codes:
    """WE-178: the Standards that are not flipped yet."""
    side = state.sides[seat]
    return tuple(code for code in side.standards if code not in side.standards_used)


def has_combat_master(side: Side) -> bool:
    """Whether a Combat Master stands behind the Unit (WE-176)."""
    return bool(side.combat_master) and not side.master_lost


def ready_armies(state: WarState) -> tuple[Army, ...]:
    """The armies that may be chosen: the ready armies within the cap and those that the players brought."""
    options = state.options
    return tuple(
        army
        for army in (*cards_of(state).armies.values(), *options.armies)
        if army.total <= options.cap and not any(fielding_defects(army, options.game))
    )


def weapon_at(found: TroopCard, level: Level) -> bool:
    """WE-239: whether the Troop has a weapon at this level."""
    return found.rows[level].weapon is not None
