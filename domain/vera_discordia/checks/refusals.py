"""The ledger row that forbids a refused choice of Vera Discordia (`GameSpec.forbids`).

The forms alone decide which choices are legal. This module examines a refused choice again, to name the row.
It uses only the knowledge of the seat that is asked: its own cards and open cards.
"""

from collections import Counter

from domain.commons.cards import known
from domain.commons.forbidding import Reasons, first_of
from domain.commons.rows import foe
from domain.kernel import Choice, Decision, Forbidden, Seat
from domain.vera_discordia.cards.cards import Ability, OrderType
from domain.vera_discordia.rules.attack import AttackBy, AttackSelection, Target, TargetSelection
from domain.vera_discordia.rules.counterattack import Counterattacking, StrikeBack
from domain.vera_discordia.rules.deployment import Deploy, Examine, ExchangeSpaces, general_ranks
from domain.vera_discordia.rules.generals import ChooseGeneral, GeneralSelection, OtherGeneral
from domain.vera_discordia.rules.interception import Intercept, InterceptionOffer, interception_dice, is_near
from domain.vera_discordia.rules.issuing import DiscardLeftovers, IssueOrders, OrderIssue, TakeBack, units_to_order
from domain.vera_discordia.rules.maneuver import Capture, Castle, DoNothing, ManeuverChoice, Move
from domain.vera_discordia.rules.recruiting import CloseUnits, ExchangeRank
from domain.vera_discordia.rules.resolution import ExchangeCard, ExchangeOrders, Execute, ReclaimOrder
from domain.vera_discordia.rules.strategy import Designate, ShiftPair, ShiftUnit, UseStrategy
from domain.vera_discordia.rules.supports import Support, SupportSelection
from domain.vera_discordia.state.queries import (
    ADJACENT,
    DIAGONAL,
    aerial_targets,
    army,
    cards_of,
    decimated_die,
    direct_targets,
    flies,
    general_of,
    has,
    in_vanguard,
    is_prepared,
    neighbours,
    openings,
    order_type,
    unit_at,
)
from domain.vera_discordia.state.state import SPACES, VANGUARD, AttackKind, Space, Unit, UnitId, VeraState, place


def forbids(state: VeraState, decision: Decision, choice: Choice) -> Forbidden | None:
    """The row that forbids the choice; None if it is the row of the question itself."""
    return first_of(_reasons(state, decision, choice))


def _reasons(state: VeraState, decision: Decision, choice: Choice) -> Reasons:
    seat = decision.by
    match choice:
        case Execute(unit=unit):
            yield from _executing(state, seat, state.units.get(unit))
        case ExchangeCard() | ExchangeOrders() | ReclaimOrder():
            yield from _linking(state, seat, choice)
        case UseStrategy():
            yield state.sides[seat].strategy_spent, "VD-065", "The Strategy was used already."
        case Move() | Castle() | Capture() | DoNothing() if isinstance(decision, ManeuverChoice):
            yield from _maneuvering(state, decision, choice)
        case AttackBy(kind=kind) if isinstance(decision, AttackSelection):
            yield from _kinds(state, state.units[decision.unit], kind)
        case Target(unit=unit) if isinstance(decision, TargetSelection):
            yield from _targets(state, decision, state.units.get(unit))
        case StrikeBack() if isinstance(decision, Counterattacking):
            yield True, "VD-228", "The Unit has no order and no ability by which it strikes back so."
        case Intercept() if isinstance(decision, InterceptionOffer):
            yield from _intercepting(state, seat, decision, choice)
        case Support(units=units) if isinstance(decision, SupportSelection):
            yield from _supporting(state, state.units[decision.unit], units)
        case _:
            yield from _preparing(state, decision, choice)


def _preparing(state: VeraState, decision: Decision, choice: Choice) -> Reasons:
    """Set-up, and the phases in which orders are given."""
    seat = decision.by
    match choice:
        case Deploy():
            yield from _deploying(state, seat, choice)
        case Examine(column=column):
            yield not 1 <= column <= len(VANGUARD), "VD-116", "There are four columns of Terrain."
            yield f"{seat}{column}" in state.looked, "VD-116", "That Terrain card was looked at."
        case ExchangeRank(rank=rank):
            yield True, "VD-105", f"No Unit of the rank {rank.value} was dealt."
        case CloseUnits():
            yield True, "VD-111", "As many Units are Closed as Stealth and Vision say."
        case ChooseGeneral(general=general):
            yield from _general(state, decision, general)
        case ExchangeSpaces(first=first, second=second) | ShiftPair(first=first, second=second):
            units = [state.units.get(unit) for unit in (first, second)]
            yield any(unit is not None and unit.seat != seat for unit in units), "VD-086", "It is the enemy's Unit."
            yield first == second, decision.rule, "Two Units are named."
        case ShiftUnit(unit=unit, to=to):
            yield from _shifting(seat, state.units.get(unit), to)
        case IssueOrders(orders=orders) if isinstance(decision, OrderIssue):
            yield from _issuing(state, seat, orders)
        case DiscardLeftovers():
            yield True, "VD-316", "One card at most for each Chaotic Unit, and cards of the hand."
        case TakeBack(unit=unit):
            yield from _taking(seat, state.units.get(unit))
        case Designate(units=units):
            yield len(set(units)) < len(units), decision.rule, "A Unit is named twice."


def _executing(state: VeraState, seat: Seat, unit: Unit | None) -> Reasons:
    if unit is None:
        return
    yield unit.seat != seat, "VD-152", "It is the enemy's Unit."
    yield unit.order is None, "VD-080", "The Unit is Exhausted: it has no order."
    yield not is_prepared(unit), "VD-079", "The Unit is Busy: its order lies face up."
    yield any(map(is_prepared, army(state, seat))), "VD-Q25", "One Link action a turn; now a Unit executes its order."


def _linking(state: VeraState, seat: Seat, choice: Choice) -> Reasons:
    named = (
        (choice.first, choice.second) if isinstance(choice, ExchangeOrders) else (UnitId(getattr(choice, "unit", "")),)
    )
    units = [state.units[name] for name in named if name in state.units]
    yield any(unit.seat != seat for unit in units), "VD-Q25", "It is the enemy's Unit."
    yield any(not is_prepared(unit) for unit in units), "VD-Q25", "Link takes the orders of Prepared Units alone."
    yield any(unit.order is not None and unit.order.charge for unit in units), "VD-Q25", "An order from Charge stays."
    own = [unit for unit in units if unit.seat == seat]
    yield any(not has(state, unit, Ability.LINK) for unit in own), "VD-332", "The Unit has no Link."
    hand = Counter(known(state.sides[seat].hand))
    if isinstance(choice, ExchangeCard):
        yield not hand[choice.card], "VD-332", "There is no such card in the hand."
    if isinstance(choice, ReclaimOrder):
        yield bool(hand), "VD-334", "That takes an empty hand."
    yield True, "VD-Q25", "One Link action a turn, at its beginning."


def _maneuvering(state: VeraState, decision: ManeuverChoice, choice: Choice) -> Reasons:
    unit = state.units[decision.unit]
    match choice:
        case Capture():
            yield not in_vanguard(unit), "VD-175", "Terrain is captured from the Vanguard."
        case Move(to=to):
            yield to not in SPACES, "VD-086", "A Unit moves within its owner's eight spaces."
            yield place(unit.seat, Space(to)) in state.at, "VD-164", "Somebody stands there."
            far = to not in ADJACENT[unit.space] and not flies(state, unit)
            yield far, "VD-164", "A Unit that neither flies nor glides moves to an adjacent space."
        case Castle(unit=name, mobility=mobility):
            yield from _castling(state, unit, state.units.get(UnitId(name)), mobility=mobility)
    yield decision.rage, "VD-350", "In Rage a Unit moves or castles into the Vanguard."


def _castling(state: VeraState, unit: Unit, other: Unit | None, *, mobility: bool) -> Reasons:
    if other is None:
        return
    yield other.seat != unit.seat, "VD-168", "It is the enemy's Unit."
    yield other.id == unit.id, "VD-166", "A Unit castles with another one."
    airborne = flies(state, unit) and flies(state, other)
    yield (
        other.space not in ADJACENT[unit.space] and not airborne,
        "VD-166",
        ("The Units are not adjacent, and do not both fly or glide."),
    )
    yield mobility and not has(state, other, Ability.MOBILITY), "VD-Q28", "That Unit has no Mobility."


def _kinds(state: VeraState, unit: Unit, kind: AttackKind) -> Reasons:
    if kind is AttackKind.DIRECT:
        yield not in_vanguard(unit), "VD-191", "Direct Attacks come from the Vanguard."
        yield True, "VD-193", "No enemy is in reach."
    elif kind is AttackKind.AERIAL:
        yield not has(state, unit, Ability.FLYING), "VD-252", "Aerial Attacks take Flying."
        yield state.sides[unit.seat].grounded, "VD-253", "An order that was no Aerial Attack was executed this round."
        yield not aerial_targets(state, unit), "VD-258", "Every enemy Unit has received an Aerial Attack this round."
    else:
        row = "R" if in_vanguard(unit) else "V"
        target = unit_at(state, foe(unit.seat), Space(f"{row}{unit.space[1]}"))
        yield target is None, "VD-244", "Nobody stands where an Indirect Attack hits."
        yield target is not None and not target.open, "VD-047", "A Closed Unit is no target of an Indirect Attack."
        yield decimated_die(state, unit) == 1, "VD-251", "The Unit is Decimated and lacks the die for it."
        yield True, "VD-243", "The Unit has no Range or Artillery die."


def _targets(state: VeraState, decision: TargetSelection, target: Unit | None) -> Reasons:
    unit = state.units[decision.unit]
    if target is None:
        return
    yield target.seat == unit.seat, "VD-193", "It is one's own Unit."
    if decision.kind is AttackKind.DIRECT:
        front = [each.id for each in direct_targets(state, unit) if each.space[1] == unit.space[1]]
        yield bool(front), "VD-192", "The Unit in the Vanguard of the column is the only target."
        yield True, "VD-193", "No Opening leads there."
    yield decision.kind is AttackKind.AERIAL and target.struck_from_air, "VD-258", "It was attacked from the air."


def _intercepting(state: VeraState, seat: Seat, decision: InterceptionOffer, choice: Intercept) -> Reasons:
    unit, attack = state.units.get(choice.unit), state.attack
    if unit is None or attack is None:
        return
    target = state.units[attack.target]
    yield unit.seat != seat, decision.rule, "It is the attacker's Unit."
    if unit.seat != seat:
        return
    held = unit.order
    yield held is None, "VD-263", "Interception takes an order."
    yield held is not None and held.charge, "VD-Q26", "An order from Charge does not Intercept."
    yield not interception_dice(state, unit), "VD-261", "The Unit has no die that Intercepts."
    near, diagonal = is_near(target, unit), unit.space in DIAGONAL[target.space]
    yield not near and not diagonal, "VD-261", "The Unit is not beside the target."
    if held is None:
        return
    supports = order_type(state.sides[seat], held) is OrderType.SUPPORT
    tactic = known(held.type) is OrderType.TACTIC and state.sides[seat].declared is None
    yield not near and not supports and not tactic, "VD-270", "From a diagonal space only a Support Intercepts."
    yield tactic, "VD-Q10", "A Tactic that appears is declared, from a diagonal space as a Support."
    yield choice.declare is not None, "VD-Q10", "Only a Tactic is declared."


def _supporting(state: VeraState, unit: Unit, names: tuple[str, ...]) -> Reasons:
    side = state.sides[unit.seat]
    beside = {other.id for other in neighbours(state, unit)}
    yield len(set(names)) < len(names), "VD-206", "A Unit is named twice."
    for name in names:
        other = state.units.get(UnitId(name))
        if other is None:
            continue
        yield other.seat != unit.seat, "VD-201", "It is the enemy's Unit."
        yield not in_vanguard(other), "VD-201", "Units of the Vanguard Support."
        yield other.id not in beside, "VD-201", "It is not adjacent."
        held = other.order
        yield held is None or not held.up, "VD-159", "Its order does not lie face up."
        yield (
            held is not None and held.up and order_type(side, held) is not OrderType.SUPPORT,
            "VD-201",
            ("Its order is no Support."),
        )


def _deploying(state: VeraState, seat: Seat, choice: Deploy) -> Reasons:
    side, index = state.sides[seat], cards_of(state)
    cards = known(side.covert) if choice.closed else side.reserve
    yield choice.card not in cards, "VD-124", "There is no such Unit left to deploy."
    yield choice.space not in SPACES, "VD-086", "A Unit stands on one of its owner's eight spaces."
    yield choice.space not in openings(state, seat), "VD-122", "Somebody stands there."
    if choice.general and choice.card in index.types:
        yield general_of(state, seat) is None, "VD-287", "There is no General to deploy."
        yield side.general_deployed, "VD-126", "The General is deployed."
        rank = index.types[choice.card].rank
        yield (
            rank not in general_ranks(state, seat),
            "VD-127",
            f"A General does not lead a Unit of the rank {rank.value}.",
        )


def _general(state: VeraState, decision: Decision, name: str) -> Reasons:
    factions = {card.general_id: faction for faction, card in cards_of(state).generals()}
    if name not in factions:
        return
    other = state.sides[foe(decision.by)]
    if isinstance(decision, OtherGeneral):
        yield name == decision.taken, "VD-092", "That General is taken."
        yield True, "VD-096", "One of the Generals left of that faction is chosen."
    if isinstance(decision, GeneralSelection):
        yield name == other.general, "VD-092", "That General is taken."
        yield factions[name] == other.faction, "VD-093", "That faction is taken."


def _shifting(seat: Seat, unit: Unit | None, to: Space) -> Reasons:
    if unit is None:
        return
    yield unit.seat != seat, "VD-086", "It is the enemy's Unit."
    yield to not in SPACES, "VD-086", "A Unit stands on one of its owner's eight spaces."
    yield to not in ADJACENT[unit.space], "VD-K16", "That space is not adjacent."
    yield True, "VD-K16", "Somebody stands there."


def _issuing(state: VeraState, seat: Seat, orders: tuple[str, ...]) -> Reasons:
    units, hand = units_to_order(state, seat), Counter(known(state.sides[seat].hand))
    chaotic = any(unit.chaotic for unit in army(state, seat))
    yield len(orders) > len(units) and chaotic, "VD-315", "A Chaotic Unit is given no order."
    yield len(orders) != len(units), "VD-141", f"One order for each of {len(units)} Units."
    hurried = bool(state.options.hurry_up_s)
    yield "?" in orders and not hurried, "VD-145", "Nothing is left to chance without the option Hurry Up."
    short = [order for order in set(orders) if orders.count(order) > hand[order]]  # type: ignore[index]
    yield bool(short), "VD-142", f"The hand has not enough: {', '.join(sorted(short))}."


def _taking(seat: Seat, unit: Unit | None) -> Reasons:
    if unit is None:
        return
    yield unit.seat != seat, "VD-146", "It is the enemy's Unit."
    yield unit.order is None, "VD-146", "It has no order."
    yield unit.order is not None and unit.order.dealt, "VD-Q18", "Its order was dealt, not placed."
