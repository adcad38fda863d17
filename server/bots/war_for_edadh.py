"""A bot that plays War for Edaðh to win: it mixes its Mastery Cards by solving the round's small matrix game.

The bot sees only a view. Its mixture does not depend on a guess about the opponent, and solves the matrix exactly, so
an opponent who knows the bot gains nothing. The bot chooses Troops by computing the round with the game's own figures.
"""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from domain.commons.rows import BOTH, foe
from domain.kernel import AnyForm, Asked, Assign, Below, Choice, Part, Seat, total
from domain.war_for_edadh.cards.cards import CardIndex, End, Row
from domain.war_for_edadh.rules.blows import (
    extra_damage,
    guard_chance,
    guard_ways,
    moved_by,
    out_of_range,
)
from domain.war_for_edadh.rules.choosing import ChooseTroop, choosable, open_columns
from domain.war_for_edadh.rules.combat_masters import HoldBonus, LendBonus, TakeMp, amount_of
from domain.war_for_edadh.rules.combining import Combine, CombineNoMore
from domain.war_for_edadh.rules.discarding import Discard, Retire, StopRetiring
from domain.war_for_edadh.rules.end_of_duration import StopSwapping
from domain.war_for_edadh.rules.fielding import ChooseArmy, Deploy, FieldUnits, unit_codes
from domain.war_for_edadh.rules.round import LayCards
from domain.war_for_edadh.rules.rows import UseRow
from domain.war_for_edadh.rules.standards import FlipStandard, KeepStandards
from domain.war_for_edadh.rules.stratagems import PickStratagems
from domain.war_for_edadh.rules.support import JoinUnits, KeepApart
from domain.war_for_edadh.rules.tie_break import LayTieCard, effective, winner_of
from domain.war_for_edadh.state.queries import card, cards_of, directions, everyone, facing, place
from domain.war_for_edadh.state.state import DRAW, RowName, Secondary, TroopId, WarState
from domain.war_for_edadh.state.stats import figure, mastery_of, parts_of, row_of, rows_open, star
from server.bots.mixing import Matrix, mixture, pick

KILL: Final = 4.0
"""The value of an Instant Discard, in points of Damage."""
STAR: Final = 5.0
MP_WORTH: Final = 1.3
"""The value of a point of MP: Damage leaves with Troops that are Discarded, but spent MP do not return."""
LOW_MP: Final = 14
"""The MP Counter at which a Troop is Retired for its Psy."""
USUAL_DV: Final = 12
"""The typical Discard Value of Troops."""


def blow(ours: Row, theirs: Row) -> float:
    """The value of an attack before cards and Terrain: its Damage, or the MP that *(5) takes."""
    if ours.att is None:
        return STAR
    return float((ours.att_dmg or 0) if ours.att > theirs.defence else theirs.def_dmg)


def guards(ours: Row, theirs: Row) -> bool:
    """Whether the second Troop would guard against the first, given the chance."""
    return theirs.ml > ours.ml or theirs.guard_value > ours.guard_penetration


def clash(view: WarState, attacker: Seat) -> tuple[float, bool, bool]:
    """The likely blow when this seat attacks: its value, whether the Defender could guard, and whether it is worth
    *(5).
    """
    defender = foe(attacker)
    ours, theirs = choosable(view, attacker), choosable(view, defender)
    best: tuple[float, bool, bool] = (0.0, False, False)
    for troop in ours:
        row = row_of(view, troop)
        column = facing(place(view, troop)[1])
        replies = [t for t in theirs if place(view, t)[1] == column] if view.position == "melee" else list(theirs)
        answers = [(blow(row, row_of(view, t)), guards(row, row_of(view, t))) for t in replies or theirs]
        worth, guarded = min(answers, default=(0.0, False))
        if worth > best[0]:
            best = (worth, guarded, row.att is None)
    return best


def cost(own: End, enemy: End) -> int:
    """The MP that one end costs against another."""
    altered = own.altered_mp
    return altered.value if altered and enemy.cv in altered.against else own.mp


def lay_matrix(view: WarState, seat: Seat) -> Matrix:
    """The value of each pair of ends to the player: Damage dealt minus Damage taken, plus MP that the enemy pays minus
    MP that the player pays.
    """
    index = cards_of(view)
    blows = {side: clash(view, side) for side in BOTH}
    ends = [index.ends[cv] for cv in sorted(index.ends)]
    return [[_cell(index, seat, blows, own, enemy) for enemy in ends] for own in ends]


def _cell(index: CardIndex, seat: Seat, blows: dict[Seat, tuple[float, bool, bool]], own: End, enemy: End) -> float:
    worth = MP_WORTH * (cost(enemy, own) - cost(own, enemy))
    winner = winner_of(index, own.cv, enemy.cv)
    if winner == DRAW:
        ours, theirs = blows[seat], blows[foe(seat)]
        worth += 0 if ours[2] else ours[0] + own.damage
        return worth - (0 if theirs[2] else theirs[0] + enemy.damage)
    first, second = (own, enemy) if winner == 0 else (enemy, own)
    attacker = seat if winner == 0 else foe(seat)
    damage, guarded, is_star = blows[attacker]
    if guarded and effective(index, first.cv, second.cv) in second.guard:
        return worth
    dealt = damage if is_star else damage + first.damage
    dealt += KILL if dealt > USUAL_DV and not is_star else 0
    return worth + dealt if winner == 0 else worth - dealt


def outcome(view: WarState, seat: Seat, own: str, enemy: str) -> float:
    """The value of the round to the player with these Chosen Troops, computed with the figures of the rules."""
    chosen = (own, enemy) if seat == 0 else (enemy, own)
    world = replace(view, round=replace(view.round, chosen=chosen))
    world = replace(world, rows=tuple(view.rows[side] or next(iter(rows_open(world, side)), "") for side in BOTH))
    guarded = guard_chance(world) and bool(guard_ways(world))
    mp = [figure(world, side, "mp_bonus") for side in BOTH]
    damage: tuple[list[Part], list[Part]] = ([], [])
    free = [False, False]
    for attacker, defender in directions(world):
        free[defender] = out_of_range(world, attacker, defender)
        if guarded:
            continue
        if star(world, attacker):
            mp[defender] -= 5 if world.round.attacker != DRAW else 0
            continue
        mp[defender] -= 5 if free[defender] else 0
        hit = figure(world, attacker, "att") > figure(world, defender, "def")
        blow_damage = figure(world, attacker, "att_dmg") if hit else figure(world, defender, "def_dmg")
        damage[defender].extend((Part("WE-087", blow_damage), *extra_damage(world, attacker, defender)))
    bonus = [total(parts_of(world, side, "cb")) for side in BOTH]
    worth = 0.0
    for side in BOTH:
        damage[side].append(Part("WE-097", max(0, bonus[1 - side] - bonus[side])))
    summed = replace(world.round, damage=(tuple(damage[0]), tuple(damage[1])), shielded=(free[0], free[1]))
    world = replace(world, round=summed)
    for side in BOTH:
        taken, _ = moved_by(world, side)
        lost = taken - mp[side] + (KILL if taken > figure(world, side, "dv") and world.round.attacker != side else 0)
        worth += -lost if side == seat else lost
    return worth


class SteadyBot:
    """Plays War for Edaðh with mixtures and look-ahead; it chooses at random where it has no preference."""

    def choose(self, view: WarState, asked: Asked, form: AnyForm, below: Below) -> Choice:
        """A choice of the form."""
        if isinstance(form, Assign):
            return _deploy(view, asked, form)
        rule = RULES.get(asked.kind)
        choices = tuple(form) if rule else ()
        picked = rule(view, asked, choices, below) if rule else None
        return form.sample(below) if picked is None else picked


Rule = Callable[[WarState, Asked, tuple[Choice, ...], Below], Choice | None]


def _lay(view: WarState, asked: Asked, choices: tuple[Choice, ...], below: Below) -> Choice:
    ends = sorted(cards_of(view).ends)
    cv = ends[pick(mixture(lay_matrix(view, asked.seat)), below)]
    ways = [choice.secondary for choice in choices if isinstance(choice, LayCards) and choice.cv == cv]
    left = max(1, view.rounds - view.round.number + 1)
    wanted: list[Secondary] = []
    if "tcts" in ways and view.sides[asked.seat].holding_count:
        wanted.append("tcts")
    if "mst" in ways:
        wanted.append("mst")
    now = wanted and below(left) == 0
    return LayCards(cv, wanted[below(len(wanted))] if now else "")


def _lay_tie(view: WarState, asked: Asked, choices: tuple[Choice, ...], below: Below) -> Choice:
    del asked
    ends = [choice.cv for choice in choices if isinstance(choice, LayTieCard)]
    index = cards_of(view)
    won = {DRAW: 0.0, 0: 1.0, 1: -1.0}
    matrix = [[won[winner_of(index, own, enemy)] for enemy in ends] for own in ends]
    return LayTieCard(ends[pick(mixture(matrix), below)])


def _choose_troop(view: WarState, asked: Asked, choices: tuple[Choice, ...], below: Below) -> Choice | None:
    del below
    seat = asked.seat
    enemy = view.round.chosen[foe(seat)]
    worths: list[tuple[float, ChooseTroop]] = []
    for choice in choices:
        if isinstance(choice, ChooseTroop):
            worths.append((_worth(view, seat, choice.troop, enemy), choice))
    return max(worths, key=lambda pair: pair[0])[1] if worths else None


def _worth(view: WarState, seat: Seat, troop: str, enemy: str) -> float:
    """The best Troop against the Troop that has been chosen.

    If none has been chosen, the Troop whose worst reply is best.
    """
    if view.troops[TroopId(troop)].seat != seat:
        return outcome(view, seat, view.round.chosen[seat], troop)
    if enemy:
        return outcome(view, seat, troop, enemy)
    replies: tuple[TroopId, ...] = choosable(view, foe(seat))
    if view.position == "melee":
        column = facing(place(view, troop)[1])
        if column in open_columns(view, foe(seat)):
            replies = tuple(reply for reply in replies if place(view, reply)[1] == column)
    return min((outcome(view, seat, troop, reply) for reply in replies), default=0.0)


def _bonus(view: WarState, asked: Asked, choices: tuple[Choice, ...], below: Below) -> Choice | None:
    """Lend MP if that changes the outcome; keep MP for the end of the round."""
    del below
    seat, bonus = asked.seat, str(asked.terms["bonus"])
    offered = next((choice for choice in choices if isinstance(choice, LendBonus)), None)
    amount = amount_of(view, seat, bonus)
    useful = False
    match bonus:
        case "att":
            gap = figure(view, foe(seat), "def") - figure(view, seat, "att")
            useful = 0 <= gap < amount
        case "def":
            gap = figure(view, foe(seat), "att") - figure(view, seat, "def")
            useful = 0 < gap <= amount
        case "ml":
            gap = figure(view, foe(seat), "ml") - figure(view, seat, "ml")
            useful = 0 <= gap < amount if view.round.attacker != seat else -amount <= -gap < 0
        case "dmg":
            useful = amount >= amount_of(view, seat, "mp")
    return offered if useful else HoldBonus()


def _row(view: WarState, asked: Asked, choices: tuple[Choice, ...], below: Below) -> Choice | None:
    """The row that gives the round the highest value."""
    del below
    own, enemy = view.round.chosen[asked.seat], view.round.chosen[foe(asked.seat)]

    def worth(row: RowName) -> float:
        rows = (row, view.rows[1]) if asked.seat == 0 else (view.rows[0], row)
        return outcome(replace(view, rows=rows), asked.seat, own, enemy)

    return max((choice for choice in choices if isinstance(choice, UseRow)), key=lambda c: worth(c.row), default=None)


def _late(view: WarState, asked: Asked, choices: tuple[Choice, ...], below: Below) -> Choice:
    del view, asked, choices, below
    return TakeMp()


def _standard(view: WarState, asked: Asked, choices: tuple[Choice, ...], below: Below) -> Choice:
    del below
    side, window = view.sides[asked.seat], asked.terms["window"]
    flips = [choice for choice in choices if isinstance(choice, FlipStandard)]
    urgent = side.mp - side.dmg < 20 or len(side.standards_used) == 0
    if window == "after_cr6":
        urgent = total(view.round.damage[asked.seat]) >= 6
    elif window == "after_chosen":
        gap = figure(view, foe(asked.seat), "att") - figure(view, asked.seat, "def")
        urgent = view.round.attacker != asked.seat and 0 < gap <= 2
    return flips[0] if urgent and flips else KeepStandards()


def _resolve(view: WarState, asked: Asked, choices: tuple[Choice, ...], below: Below) -> Choice:
    """WE-127: use a Standard for a test that would otherwise be lost."""
    del below
    own, enemy = (len(view.sides[s].pile) + view.sides[s].master_in_pile for s in (asked.seat, foe(asked.seat)))
    flips = [choice for choice in choices if isinstance(choice, FlipStandard)]
    index = cards_of(view).standards
    enough = [choice for choice in flips if own - index[choice.standard].res <= enemy]
    return enough[0] if own > enemy and enough else KeepStandards()


def _combine(view: WarState, asked: Asked, choices: tuple[Choice, ...], below: Below) -> Choice:
    """A helper's Mastery Level always counts if it is added to the Conflict Bonus."""
    del asked, below
    helps = [choice for choice in choices if isinstance(choice, Combine) and choice.stat == "cb" and choice.amount > 0]
    return max(helps, key=lambda choice: mastery_of(view, choice.helper), default=CombineNoMore())


def _removal(view: WarState, asked: Asked, choices: tuple[Choice, ...], below: Below) -> Choice | None:
    del below
    dmg = view.sides[asked.seat].dmg
    discards = [choice for choice in choices if isinstance(choice, Discard)]

    def loss(choice: Discard) -> float:
        """The cost of the card, and of another Troop if this card does not lower Damage enough."""
        troop = card(view, choice.troop)
        return troop.cost + (5.0 if dmg - troop.dv >= USUAL_DV - 1 else 0.0) - troop.dv / 8

    if discards:
        return min(discards, key=loss)
    retires = [choice for choice in choices if isinstance(choice, Retire)]
    if retires and view.sides[asked.seat].mp <= LOW_MP and len(everyone(view.sides[asked.seat])) > len(retires) + 2:
        return max(retires, key=lambda choice: card(view, choice.troop).psy - card(view, choice.troop).cost)
    return StopRetiring() if StopRetiring() in choices else None


def _stay(view: WarState, asked: Asked, choices: tuple[Choice, ...], below: Below) -> Choice:
    del view, asked, choices, below
    return StopSwapping()


def _support(view: WarState, asked: Asked, choices: tuple[Choice, ...], below: Below) -> Choice:
    """At Ballistic, a Support Unit shoots from behind; further forward, it is needed in the ranks."""
    del asked, choices, below
    return KeepApart() if view.position == "range" else JoinUnits()


def _army(view: WarState, asked: Asked, choices: tuple[Choice, ...], below: Below) -> Choice | None:
    """The most expensive of the armies that field the most Troops."""
    del asked
    armies = {**cards_of(view).armies, **{army.name: army for army in view.options.armies}}
    named = [choice for choice in choices if isinstance(choice, ChooseArmy)]

    def strength(choice: ChooseArmy) -> tuple[int, int]:
        army = armies[choice.army]
        sizes = {role: [len(u.troops) for u in army.units if u.role == role] for role in ("main", "support")}
        behind = max(sizes["support"], default=0) if view.options.support else 0
        return max(sizes["main"]) + behind, army.total

    most = max(map(strength, named), default=None)
    best = [choice for choice in named if strength(choice) == most]
    return best[below(len(best))] if best else None


def _field(view: WarState, asked: Asked, choices: tuple[Choice, ...], below: Below) -> Choice | None:
    """Field as many Troops as possible."""
    sizes: list[tuple[int, FieldUnits]] = []
    for choice in choices:
        if isinstance(choice, FieldUnits):
            units = (choice.main, choice.support)
            sizes.append((sum(len(unit_codes(view, asked.seat, n)) for n in units if n >= 0), choice))
    most = max((size for size, _ in sizes), default=0)
    best = [choice for size, choice in sizes if size == most]
    return best[below(len(best))] if best else None


def _stratagems(view: WarState, asked: Asked, choices: tuple[Choice, ...], below: Below) -> Choice | None:
    """The most expensive set, face-up cards before face-down ones."""
    del asked
    index = cards_of(view).stratagems

    def worth(choice: Choice) -> float:
        codes = choice.codes if isinstance(choice, PickStratagems) else ()
        cards = [index[code] for code in codes]
        spent = sum(2 if found.cost == "*" else found.cost for found in cards)
        waste = sum(1 for found in cards if found.effects[0].op in {"hold", "retreat"})
        return spent - 3 * waste - 0.5 * sum(found.secondary for found in cards) + below(100) / 1000

    return max(choices, key=worth, default=None)


def _deploy(view: WarState, asked: Asked, form: Assign) -> Choice:
    """The best shooters of each Unit stand in front, the other Troops behind by their strength at Melee."""
    del asked
    troops = cards_of(view).troops
    stock = [code for code, copies in form.stock.items() for _ in range(copies)]

    def shot(code: str) -> float:
        row = troops[code].rows[view.level]
        return float((row.att_dmg or 0) + (row.att or 0) + row.ml)

    def blade(code: str) -> float:
        row = troops[code].rows[list(troops[code].rows)[-1]]
        return float((row.att_dmg or 0) + (row.att or 0) + row.defence + row.cb)

    placed: dict[str, str] = {}
    for slot in form.slots:
        value = shot if slot.endswith("r1") else blade
        best = max(stock, key=value)
        stock.remove(best)
        placed[slot] = best
    return Deploy(tuple(placed[slot] for slot in form.slots))


RULES: Final[dict[str, Rule]] = {
    "MasteryLay": _lay,
    "TieLay": _lay_tie,
    "TroopSelection": _choose_troop,
    "BowTarget": _choose_troop,
    "RowOffer": _row,
    "BonusOffer": _bonus,
    "LateMp": _late,
    "StandardOffer": _standard,
    "Resolve": _resolve,
    "CombiningOffer": _combine,
    "Removal": _removal,
    "SwapOffer": _stay,
    "SupportOffer": _support,
    "ArmySelection": _army,
    "UnitSelection": _field,
    "StratagemSelection": _stratagems,
}

BOTS: Final = {"steady": SteadyBot}
