"""A bot that plays Vera Discordia to win, from its seat's knowledge: expected hits, and a few rules of thumb.

The bot gets only its seat's view. It assumes average shields for a Closed enemy, and uses nothing else about hidden
cards.
"""

from collections.abc import Callable
from typing import Any, Final

from domain.commons.cards import known
from domain.commons.rows import foe
from domain.kernel import AnyForm, Asked, Assign, Below, Choice, Hidden, One, Pick
from domain.vera_discordia.cards.cards import Ability, Die, OrderType, Rank, Terrain, UnitType
from domain.vera_discordia.rules.launch import shield_against
from domain.vera_discordia.rules.recruiting import recruits
from domain.vera_discordia.state.queries import (
    FIRING,
    aerial_targets,
    army,
    cards_of,
    column_of,
    decimated_die,
    direct_targets,
    in_vanguard,
    is_prepared,
    neighbours,
    profile,
    reach_through_openings,
    terrain_in,
    unit_at,
)
from domain.vera_discordia.state.state import AttackKind, Space, Unit, UnitId, VeraState

MIDDLING: Final = 0.5
"""The chance that a die hits a Unit whose shields are unknown."""
KILL: Final = 4.0
GENERAL: Final = 9.0


def hit_chance(view: VeraState, die: Die, target: Unit) -> float:
    """The chance that one die hits a target, as far as the target is known."""
    if isinstance(target.card, Hidden):
        return MIDDLING
    need = shield_against(profile(view, target).shields, die)
    return max(0, 7 - need) / 6


def life_of(unit: Unit) -> int:
    """The known life of a Unit; 6 for an undamaged Closed Unit."""
    if isinstance(unit.life, Hidden):
        return 6 if unit.marker is None else unit.marker
    return unit.life


def extra_dice(view: VeraState, unit: Unit, target: Unit, kind: AttackKind) -> int:
    """The dice that Ambush, an Opening and Terrain add or remove."""
    abilities = profile(view, unit).abilities
    extra = 2 * (Ability.AMBUSH in abilities and not unit.open)
    column = column_of(target.space if kind is AttackKind.AERIAL else unit.space)
    terrain = terrain_in(view, column)
    match kind:
        case AttackKind.DIRECT:
            extra += unit_at(view, target.seat, Space(f"V{unit.space[1]}")) is None
            extra -= terrain is Terrain.RIVER and Ability.AFFINITY_RIVERS not in abilities
            extra -= terrain is Terrain.MOUNTAIN and Ability.AFFINITY_MOUNTAINS not in abilities and not unit.capture
        case AttackKind.INDIRECT:
            extra -= terrain is Terrain.MOUNTAIN and Ability.AFFINITY_MOUNTAINS not in abilities and not unit.capture
            extra -= terrain is Terrain.FOREST and Ability.AFFINITY_FORESTS not in abilities
        case AttackKind.AERIAL:
            extra -= terrain is Terrain.FOREST and Ability.AFFINITY_FORESTS not in abilities
    return extra


def attack_worth(view: VeraState, unit: Unit, target: Unit, kind: AttackKind) -> float:
    """The value of an attack: the expected hits, with more value if they destroy or rout, and most against the
    General.
    """
    row = profile(view, unit).dice
    if kind is AttackKind.INDIRECT:
        row = tuple(die for die in row if die in FIRING)
    if not row:
        return 0.0
    net = extra_dice(view, unit, target, kind) - decimated_die(view, unit)
    row = row[-net:] if net < 0 else (row[0],) * net + row
    hits = sum(hit_chance(view, die, target) for die in row)
    life = life_of(target)
    worth = min(hits, life)
    worth += KILL * max(0.0, min(1.0, hits / life - 0.45))
    if life > 2 and hits >= life - 2:
        worth += 0.8
    if target.general:
        worth *= 1.5
        worth += GENERAL * max(0.0, min(1.0, hits / life - 0.5))
    return worth


def rear_target(view: VeraState, unit: Unit) -> Unit | None:
    """The Unit three rows ahead, if it is Open and this Unit could fire at it."""
    dice = sum(die in FIRING for die in profile(view, unit).dice)
    if dice - decimated_die(view, unit) < 1:
        return None
    row = "R" if in_vanguard(unit) else "V"
    target = unit_at(view, foe(unit.seat), Space(f"{row}{unit.space[1]}"))
    return target if target is not None and target.open else None


def best_attack(view: VeraState, unit: Unit) -> float:
    """The value of the best attack that the Unit could make now; 0 if it has none."""
    worths = [attack_worth(view, unit, target, AttackKind.DIRECT) for target in direct_targets(view, unit)]
    worths += [attack_worth(view, unit, target, AttackKind.AERIAL) - 1 for target in aerial_targets(view, unit)]
    target = rear_target(view, unit)
    if target is not None:
        worths.append(attack_worth(view, unit, target, AttackKind.INDIRECT) + 0.5)
    return max(worths, default=0.0)


def threat(view: VeraState, unit: Unit) -> float:
    """The enemy's Direct Attack that the Unit has to expect."""
    if in_vanguard(unit):
        front = unit_at(view, foe(unit.seat), Space(f"V{unit.space[1]}"))
        return 1.0 if front is not None else 0.4
    exposed = any(
        unit.id in {other.id for other in reach_through_openings(view, enemy)}
        for enemy in army(view, foe(unit.seat))
        if in_vanguard(enemy) and unit_at(view, unit.seat, Space(f"V{enemy.space[1]}")) is None
    )
    return 0.9 if exposed else 0.1


def order_worth(view: VeraState, unit: Unit, order: OrderType) -> float:
    """The value of an order on a Unit, roughly in hits."""
    attack = best_attack(view, unit)
    match order:
        case OrderType.ATTACK:
            return attack if attack else -1.0 if in_vanguard(unit) else -0.6
        case OrderType.TACTIC:
            return max(attack, 1.6 * threat(view, unit)) + 0.6
        case OrderType.DEFENSE:
            guard = 2.0 if unit.general else 1.5
            return guard * threat(view, unit)
        case OrderType.SUPPORT:
            if not in_vanguard(unit):
                return 0.05
            return 0.9 * any(in_vanguard(near) and best_attack(view, near) > 1 for near in neighbours(view, unit))
        case OrderType.MANEUVER:
            return maneuver_worth(view, unit)


def maneuver_worth(view: VeraState, unit: Unit) -> float:
    """The value of advancing into an Opening, or of taking useful Terrain."""
    if in_vanguard(unit):
        terrain = terrain_in(view, column_of(unit.space))
        return 0.7 if terrain in {Terrain.MOUNTAIN, Terrain.FOREST} and not unit.capture else 0.15
    empty = unit_at(view, unit.seat, Space(f"V{unit.space[1]}")) is None
    return 0.2 if unit.general or not empty else 1.3


class SteadyBot:
    """The bot that the module describes."""

    def choose(self, view: VeraState, asked: Asked, form: AnyForm, below: Below) -> Choice:
        """The choice with the highest worth; ties are broken at random."""
        match form:
            case Assign():
                return self._issue(view, asked, form, below)
            case Pick():
                return self._pick(view, asked, form)
            case One(choices):
                return max(choices, key=lambda choice: (self._worth(view, asked, choice), below(1 << 20)))
        return form.sample(below)

    def _issue(self, view: VeraState, asked: Asked, form: Assign, below: Below) -> Choice:
        """Place orders, repeatedly choosing the most valuable pairing."""
        del asked
        left = {kind: number for kind, number in form.stock.items() if kind != "?"}
        if sum(left.values()) < len(form.slots):
            return form.sample(below)
        worths = {
            (slot, kind): order_worth(view, view.units[UnitId(slot)], OrderType(kind)) + below(100) / 1000
            for slot in form.slots
            for kind in left
        }
        placed: dict[str, str] = {}
        free = list(form.slots)
        while free:
            slot, kind = max(
                ((s, k) for s in free for k in left if left[k]),
                key=lambda pair: worths[pair] - _second_best(worths, pair[0], pair[1], left) * 0.5,
            )
            placed[slot] = kind
            left[kind] -= 1
            free.remove(slot)
        return form.make(tuple(placed[slot] for slot in form.slots))

    def _pick(self, view: VeraState, asked: Asked, form: Pick) -> Choice:
        """Pick as many items as may be named, the best first; leftover cards are kept."""
        if asked.kind == "LeftoverDisposal":
            return form.make(())
        if asked.kind == "ClosedSelection":
            cards = recruits(view, asked.seat)
            ranked = sorted(
                form.items, key=lambda item: -_closing_worth(cards_of(view).types[cards[int(item[1:]) - 1]])
            )
            chosen = ranked[: form.most]
            return form.make(tuple(item for item in form.items if item in chosen))
        ranked = sorted(form.items, key=lambda item: -_unit_worth(view, item))
        return form.make(tuple(ranked[: form.most]))

    def _worth(self, view: VeraState, asked: Asked, choice: Choice) -> float:
        rate = WORTHS.get(type(choice).__name__)
        return rate(view, asked, choice) if rate else 0.0


def _second_best(worths: dict[tuple[str, str], float], slot: str, kind: str, left: dict[str, int]) -> float:
    return max((worths[slot, other] for other in left if left[other] and other != kind), default=-1.0)


def _closing_worth(card: UnitType) -> float:
    """A Unit's gain from being Closed: for Ambush, for Elite Units, which may hold the General, and for shooters."""
    worth = 2.0 * (Ability.AMBUSH in card.abilities) + 2.5 * (card.rank is Rank.ELITE)
    return worth + 0.3 * sum(die in FIRING for die in card.dice) - 0.1 * card.max_lp


def _unit_worth(view: VeraState, name: str) -> float:
    unit = view.units.get(UnitId(name))
    if unit is None:
        return 0.0
    return 3.0 * unit.general + 1.0 * is_prepared(unit) + 0.2 * life_of(unit) + in_vanguard(unit)


def _deploy(view: VeraState, asked: Asked, choice: Any) -> float:
    """The value of a deployment: strong Units stand forward, shooters and the General behind."""
    card = cards_of(view).types[choice.card]
    front = choice.space[0] == "V"
    shields = card.shields
    tough = (shields.melee + shields.range + shields.magic + shields.orange) / 4 + card.max_lp / 3
    close = sum(die not in FIRING for die in card.dice)
    fire = len(card.dice) - close
    worth = (tough - 5.2 + close - 1.5 * fire) * (1 if front else -1)
    if Ability.FLYING in card.abilities:
        worth -= 0.5 * front
    if choice.general:
        worth -= 2.0 * (Ability.METAMORPHOSIS in card.abilities)
        worth += 3.0 + 2.0 * choice.closed - 4.0 * front + 0.5 * (choice.space in {"R1", "R4"}) + 1.0 * tough
    elif card.rank is Rank.ELITE and not view.sides[asked.seat].general_deployed:
        worth -= 6.0
    return worth


def _execute(view: VeraState, asked: Asked, choice: Any) -> float:
    """The order of attacks: Aerial Attacks first, Supports before the attacks they help, Defenses last."""
    del asked
    unit = view.units[choice.unit]
    held = unit.order
    order = known(held.type) if held is not None else OrderType.DEFENSE
    side = view.sides[unit.seat]
    if order is OrderType.TACTIC and side.declared:
        order = side.declared
    attack = best_attack(view, unit)
    match order:
        case OrderType.ATTACK | OrderType.TACTIC:
            if aerial_targets(view, unit) and attack > 1:
                return 20 + attack
            return 6 + attack if attack else 2.5
        case OrderType.SUPPORT:
            helps = any(
                is_prepared(near)
                and in_vanguard(near)
                and near.order is not None
                and known(near.order.type) in {OrderType.ATTACK, OrderType.TACTIC}
                for near in neighbours(view, unit)
            )
            return 12.0 if helps and in_vanguard(unit) else 3.0
        case OrderType.MANEUVER:
            return 4.0
    return 2.0


def _declare(view: VeraState, asked: Asked, choice: Any) -> float:
    unit = view.units[asked.terms["unit"]]
    own_turn = view.turn == asked.seat
    attack = best_attack(view, unit) if own_turn else 0.0
    if choice.type is OrderType.ATTACK:
        return 5.0 if attack > 0.5 else 0.5 + (not own_turn)
    return {OrderType.DEFENSE: 2.0, OrderType.SUPPORT: 0.2, OrderType.MANEUVER: 0.1}[choice.type]


def _move(view: VeraState, asked: Asked, choice: Any) -> float:
    unit = view.units[asked.terms["unit"]]
    forward = choice.to[0] == "V" and not in_vanguard(unit)
    if unit.general:
        return 1.0 if choice.to[0] == "R" and in_vanguard(unit) else -1.0
    return 2.0 if forward else -0.5


def _castle(view: VeraState, asked: Asked, choice: Any) -> float:
    unit, other = view.units[asked.terms["unit"]], view.units[choice.unit]
    weaker = life_of(other) < life_of(unit) - 1 and in_vanguard(other) and not in_vanguard(unit)
    held = other.order
    ready = choice.mobility or (held is not None and held.type == OrderType.MANEUVER)
    return 1.2 if weaker and ready and not unit.general else -1.0


def _capture(view: VeraState, asked: Asked, choice: Any) -> float:
    del choice
    unit = view.units[asked.terms["unit"]]
    terrain = terrain_in(view, column_of(unit.space))
    return -1.0 if unit.capture else {Terrain.MOUNTAIN: 1.5, Terrain.FOREST: 1.0}.get(terrain, 0.3)


def _target(view: VeraState, asked: Asked, choice: Any) -> float:
    unit = view.units[asked.terms["unit"]]
    return attack_worth(view, unit, view.units[choice.unit], AttackKind(asked.terms["kind"]))


def _attack_by(view: VeraState, asked: Asked, choice: Any) -> float:
    unit = view.units[asked.terms["unit"]]
    match choice.kind:
        case AttackKind.DIRECT:
            reach = direct_targets(view, unit)
        case AttackKind.AERIAL:
            reach = aerial_targets(view, unit)
        case _:
            target = rear_target(view, unit)
            reach = [target] if target else []
    bonus = 0.5 if choice.kind is AttackKind.INDIRECT else 0.0
    return max((attack_worth(view, unit, target, choice.kind) for target in reach), default=0.0) + bonus


def _intercept(view: VeraState, asked: Asked, choice: Any) -> float:
    attack = view.attack
    unit = view.units[choice.unit]
    support = choice.declare is OrderType.SUPPORT or (unit.order is not None and unit.order.type == OrderType.SUPPORT)
    target = attack is not None and view.units[attack.target].general
    del asked
    return 1.0 * support + 1.5 * target - 0.4 * best_attack(view, unit)


def _take_back(view: VeraState, asked: Asked, choice: Any) -> float:
    """An order that would be wasted is saved for the next round."""
    del asked
    unit = view.units[choice.unit]
    held = unit.order
    order = known(held.type) if held is not None else OrderType.DEFENSE
    if order is OrderType.ATTACK and not best_attack(view, unit):
        return 0.6
    return -1.0


def _redeploy(view: VeraState, asked: Asked, choice: Any) -> float:
    del view, asked, choice
    return -1.0


def _convert(view: VeraState, asked: Asked, choice: Any) -> float:
    del choice
    unit = view.units[asked.terms["unit"]]
    held = unit.order
    if held is not None and held.type in {OrderType.ATTACK, OrderType.TACTIC}:
        return -1.0
    return 1.0 if in_vanguard(unit) and direct_targets(view, unit) else -0.5


def _strategy(view: VeraState, asked: Asked, choice: Any) -> float:
    del choice
    if asked.kind == "DiamondStrategy":
        return 1.0 if view.round >= 2 else -1.0
    return 15.0


def _shift(view: VeraState, asked: Asked, choice: Any) -> float:
    del asked
    unit = view.units[choice.unit]
    return 0.5 if choice.to[0] == "V" and not in_vanguard(unit) and not unit.general else -1.0


WORTHS: Final[dict[str, Callable[[VeraState, Asked, Any], float]]] = {
    "ExchangeRank": lambda *_: -1.0,
    "StopExamining": lambda *_: -1.0,
    "Deploy": _deploy,
    "ExchangeSpaces": _redeploy,
    "UseStrategy": _strategy,
    "ShiftUnit": _shift,
    "ShiftPair": lambda *_: -1.0,
    "TakeBack": _take_back,
    "Execute": _execute,
    "ExchangeCard": lambda *_: -1.0,
    "ExchangeOrders": lambda *_: -1.0,
    "ReclaimOrder": lambda *_: -1.0,
    "ConvertOrder": _convert,
    "Declare": _declare,
    "DoNothing": lambda *_: 0.1,
    "Move": _move,
    "Castle": _castle,
    "Capture": _capture,
    "AttackBy": _attack_by,
    "Target": _target,
    "Intercept": _intercept,
    "Reroll": lambda *_: 1.0,
    "StrikeBack": lambda *_: 1.0,
}

BOTS: Final[dict[str, Callable[[], SteadyBot]]] = {"steady": SteadyBot}
HORIZON: Final = 32
"""The number of choices that a search plays before it judges a position; 16 would not reach the answer to an attack."""
