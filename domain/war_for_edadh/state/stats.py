"""The figures of a Chosen Troop in this round, each with its parts (WE-006, WE-023 to WE-031)."""

from domain.commons.rows import foe
from domain.kernel import Part, Parts, total
from domain.war_for_edadh.cards.cards import (
    FORMATIONS,
    Composition,
    Kind,
    Level,
    Lowers,
    Row,
    Stat,
    StratagemEffect,
    TroopCard,
)
from domain.war_for_edadh.state.queries import (
    card,
    columns_of,
    effects_on,
    front,
    half_cards,
    no_formation,
    place,
    roles,
    terrain_effects,
)
from domain.war_for_edadh.state.state import RowName, TroopId, WarState

PLUS_KINDS = {
    Level.BALLISTIC: (Kind.RATE_OF_FIRE,),
    Level.CHARGE: (Kind.RATE_OF_FIRE,),
    Level.MELEE: (Kind.SPEAR_HEDGE, Kind.WAR_BEAST),
}
"""WE-210, WE-213, WE-216: the compositions that add to cb, by level."""


def works(state: WarState, seat: int, kind: Kind) -> bool:
    """Whether this player may use the composition at all (WE-003, WE-209)."""
    return state.options.compositions and not (kind in FORMATIONS and no_formation(state, seat))


def bonus_row_allowed(state: WarState, seat: int) -> bool:
    """WE-185 to WE-187, WE-228: whether the player's 1st Duration Melee Bonus rows count."""
    if state.level is not Level.MELEE or not state.sides[seat].fresh:
        return False
    # WE-232 overrides WE-228: a card combined on one half affects only that half's player.
    if "counter_mounts" in terrain_effects(state, seat):
        return False
    return not any(effect.op == "deny_first_melee_row" for _, effect in effects_on(state, seat))


def helping(state: WarState, troop: str, kind: Kind) -> list[tuple[TroopId, int]]:
    """WE-197, WE-198, WE-208, WE-Q49: the other cards of the Chosen Troop's column that add this, and how much."""
    seat = state.troops[TroopId(troop)].seat
    unit, number, _ = place(state, troop)
    found: list[tuple[TroopId, int]] = []
    for rank, other in enumerate(columns_of(state.sides[seat], unit)[number - 1], 1):
        printed = card(state, other)
        if not printed.compositions or other == troop:
            continue
        symbol = printed.composition(kind, state.level)
        if symbol and symbol.works_in(rank):
            found.append((other, symbol.amount or 0))
    # Few cards have such a symbol, and the test whether it works is slow.
    return found if found and works(state, seat, kind) else []


def row_of(state: WarState, troop: str) -> Row:
    """WE-006: the stat row that counts. WE-185 the bonus row, or what its player chose (WE-Q85), else the level's."""
    found = card(state, troop)
    seat = state.troops[TroopId(troop)].seat
    if found.first_melee_row and bonus_row_allowed(state, seat) and not state.fresh_again:
        return found.first_melee_row
    picked = state.rows[seat] if state.round.chosen[seat] == troop else ""
    if picked == "first_melee" and found.first_melee_row:
        return found.first_melee_row
    if picked == "vs_mounts" and found.vs_mounts_row:
        return found.vs_mounts_row
    return found.rows[state.level]


def rows_open(state: WarState, seat: int) -> tuple[RowName, ...]:
    """WE-Q54, WE-Q85: the rows that the player's Chosen Troop may use in the Melee row's place; none where it must use
    the bonus row (WE-185).
    """
    troop = state.round.chosen[seat]
    if state.level is not Level.MELEE or not troop:
        return ()
    found, bonus = card(state, troop), bonus_row_allowed(state, seat)
    if found.first_melee_row and bonus and not state.fresh_again:
        return ()
    rows: list[RowName] = ["first_melee"] if found.first_melee_row and bonus else []
    if found.vs_mounts_row and _hedge_against_mounts(state, troop, state.round.chosen[foe(seat)]):
        rows.append("vs_mounts")
    return tuple(rows)


def _hedge_against_mounts(state: WarState, troop: str, enemy: str) -> bool:
    """WE-212: a Spear Hedge with another behind or before it, against Mounts."""
    if not enemy or not card(state, enemy).composition(Kind.MOUNTS, Level.MELEE):
        return False
    hedge = card(state, troop).composition(Kind.SPEAR_HEDGE, Level.MELEE)
    return hedge is not None and bool(helping(state, troop, Kind.SPEAR_HEDGE))


def chosen_row(state: WarState, seat: int) -> Row:
    """The row of the player's Chosen Troop against the enemy's."""
    return row_of(state, state.round.chosen[seat])


def star(state: WarState, seat: int) -> bool:
    """WE-091: whether the player's Chosen Troop has att *(5)."""
    return chosen_row(state, seat).att is None


def mastery_of(state: WarState, troop: str) -> int:
    """WE-023, WE-160: the Mastery Level that a Troop lends, with its Terrain Troop Symbol (WE-033, WE-Q55)."""
    return row_of(state, troop).ml + len(_symbol_parts(state, troop))


def _symbol_parts(state: WarState, troop: str) -> Parts:
    seat = state.troops[TroopId(troop)].seat
    symbols = {found.symbol for found in half_cards(state, seat)}
    return (Part("WE-Q55", 1, "terrain"),) if symbols & set(card(state, troop).terrain_symbols) else ()


def _serves(effect: StratagemEffect, found: TroopCard, row: Row, level: Level) -> bool:
    """Whether an effect is for this Chosen Troop."""
    match effect.filter:
        case "rate_of_fire":
            return found.composition(Kind.RATE_OF_FIRE, level) is not None
        case "type_a":
            return found.type == "a"
        case "shielded":
            return row.guard_value >= 1
    return True


def parts_of(state: WarState, seat: int, stat: Stat) -> Parts:
    """A figure of the player's Chosen Troop as its parts; the first part is the printed figure."""
    troop = state.round.chosen[seat]
    found, row = card(state, troop), chosen_row(state, seat)
    printed = found.dv if stat == "dv" else row.stat(stat)
    parts = [Part("WE-006", printed, found.name)]
    if stat == "ml":
        parts += _symbol_parts(state, troop)
    if stat == "att" and row.att is None:
        return tuple(parts)
    parts += [Part(b.rule, b.amount, b.why) for b in state.round.boosts if b.seat == seat and b.stat == stat]
    for name, effect in effects_on(state, seat):
        applies = effect.when == "always" or effect.when in roles(state, seat)
        if effect.op == "stat" and effect.stat == stat and applies and _serves(effect, found, row, state.level):
            parts.append(Part("WE-061", effect.amount, name))
    if stat == "cb":
        parts += plus_parts(state, troop)
    return tuple(parts)


def figure(state: WarState, seat: int, stat: Stat) -> int:
    """A figure of the player's Chosen Troop in this round; never below 0 (WE-Q58)."""
    return max(0, total(parts_of(state, seat, stat)))


def plus_parts(state: WarState, troop: str) -> Parts:
    """WE-206, WE-210, WE-213, WE-216: the amounts that the cards of the Chosen Troop's column add to its cb."""
    return tuple(
        Part("WE-206", amount, card(state, other).name)
        for kind in PLUS_KINDS[state.level]
        for other, amount in helping(state, troop, kind)
    )


def most_common(amounts: list[int]) -> int:
    """WE-222: the most common figure; on a tie the smallest reduction."""
    return max(amounts, key=lambda amount: (amounts.count(amount), amount)) if amounts else 0


def minus_parts(state: WarState, seat: int) -> list[tuple[Part, Lowers]]:
    """WE-207: the damage of the round that Shield Wall and Shield Cover take off, and the figure that they lower."""
    if state.level is Level.MELEE and works(state, seat, Kind.SHIELD_WALL):
        return _minus_part("WE-215", "Shield Wall", _shield_wall(state, seat))
    if state.level is Level.BALLISTIC and works(state, seat, Kind.SHIELD_COVER):
        return _minus_part("WE-220", "Shield Cover", shield_cover(state, state.round.chosen[seat]))
    return []


def _minus_part(rule: str, name: str, symbols: list[Composition]) -> list[tuple[Part, Lowers]]:
    amount = most_common([symbol.amount or 0 for symbol in symbols])
    lowers: Lowers = next((symbol.lowers for symbol in symbols if symbol.amount == amount), "damage")
    return [(Part(rule, amount, name), lowers)] if amount else []


def _shield_wall(state: WarState, seat: int) -> list[Composition]:
    """WE-204, WE-215: all of two or more Front Rank cards have the symbol (WE-Q50)."""
    symbols = [card(state, t).composition(Kind.SHIELD_WALL, Level.MELEE) for t in front(state.sides[seat])]
    return [] if len(symbols) < 2 or None in symbols else [symbol for symbol in symbols if symbol]


def shield_cover(state: WarState, troop: str) -> list[Composition]:
    """WE-205, WE-220, WE-221: the front card of two or more has the symbol and at most one lacks it; in a Unit of two
    ranks none does. Empty where there is no cover.
    """
    seat = state.troops[TroopId(troop)].seat
    unit, number, _ = place(state, troop)
    columns = columns_of(state.sides[seat], unit)
    symbols = [card(state, t).composition(Kind.SHIELD_COVER, Level.BALLISTIC) for t in columns[number - 1]]
    may_lack = 1 if max(map(len, columns)) > 2 else 0
    if len(symbols) < 2 or symbols[0] is None or symbols.count(None) > may_lack:
        return []
    return [symbol for symbol in symbols if symbol]
