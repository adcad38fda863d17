"""Section AC: Interception."""

from domain.commons.cards import known
from domain.kernel import DONE, NEXT, Choice, Decision, Flow, Goto, One, Procedure, Resolver, ask, step
from domain.vera_discordia.cards.cards import Ability, Die, OrderType
from domain.vera_discordia.rules.damage import lose_life
from domain.vera_discordia.rules.launch import attack_of
from domain.vera_discordia.rules.orders import WILDCARD, discard_order, effective_order
from domain.vera_discordia.rules.reaction import open_unit
from domain.vera_discordia.state.events import Disrupted, HitsCounted, TacticDeclared
from domain.vera_discordia.state.queries import ADJACENT, DIAGONAL, army, order_type, profile
from domain.vera_discordia.state.state import Unit, UnitId, VeraState

LIMIT_FACE = 6


def interception_dice(state: VeraState, unit: Unit) -> tuple[Die, ...]:
    """VD-262, VD-265: exactly the Range dice, no gains and no losses; with Accuracy Artillery too (VD-302)."""
    whole = profile(state, unit)
    counted = {Die.RANGE, Die.ARTILLERY} if Ability.ACCURACY in whole.abilities else {Die.RANGE}
    return tuple(die for die in whole.dice if die in counted)


def is_near(target: Unit, unit: Unit) -> bool:
    """VD-261: the target itself and Units adjacent to it."""
    return unit.id == target.id or unit.space in ADJACENT[target.space]


def ways_to_intercept(state: VeraState, target: Unit, unit: Unit) -> list[OrderType | None]:
    """The types as which the Unit's order may be spent; None is its own type. Empty if it cannot Intercept.

    VD-263: it needs an order, not one from Charge (VD-Q26). VD-270: diagonally only a Support; a Tactic that has not
    appeared may be declared one (VD-Q10).
    """
    held = unit.order
    if held is None or held.charge or not interception_dice(state, unit):
        return []
    near, diagonal = is_near(target, unit), unit.space in DIAGONAL[target.space]
    side = state.sides[unit.seat]
    if known(held.type) is OrderType.TACTIC and side.declared is None:
        return list(WILDCARD) if near else [OrderType.SUPPORT] if diagonal else []
    supports = order_type(side, held) is OrderType.SUPPORT
    return [None] if near or (diagonal and supports) else []


def could_intercept(state: VeraState, target: Unit, unit: Unit) -> bool:
    """VD-Q70, VD-395: whether the Unit may be able to Intercept, judged by public knowledge only."""
    held = unit.order
    if held is None or held.charge:
        return False
    if not is_near(target, unit):
        known_type = held.up or held.seen
        if unit.space not in DIAGONAL[target.space]:
            return False
        if known_type and order_type(state.sides[unit.seat], held) is not OrderType.SUPPORT:
            return False
    return not unit.open or bool(interception_dice(state, unit))


class Intercept(Choice, frozen=True):
    """This Unit Intercepts; a Tactic that appears by it is declared `declare`."""

    unit: UnitId
    declare: OrderType | None = None


class StopIntercepting(Choice, frozen=True):
    """No (further) Interception."""


class InterceptionOffer(Decision, frozen=True):
    """VD-268 The defender may Intercept with one more Unit, or stop (VD-269)."""

    rule = "VD-268"

    def form(self, state: VeraState) -> One:
        """Every Unit that can, or none."""
        target = state.units[attack_of(state).target]
        options = (
            Intercept(unit.id, way) for unit in army(state, self.by) for way in ways_to_intercept(state, target, unit)
        )
        return One((StopIntercepting(), *options))

    def resolve(self, r: Resolver[VeraState], choice: Intercept | StopIntercepting) -> Flow:
        """One Unit at a time; after each result the defender is asked again."""
        if isinstance(choice, StopIntercepting):
            return DONE
        intercept(r, choice)
        return Goto("VD-268")


def intercept(r: Resolver[VeraState], choice: Intercept) -> None:
    """VD-264 to VD-271: the order is discarded, the Unit opens (VD-052, VD-392), its Range dice are rolled.

    Nothing else helps or hinders it (VD-Q36). Damage takes effect at once (VD-Q34). Against Range shield X there is
    neither Disruption nor hit (VD-Q35).
    """
    unit_id, flyer = choice.unit, attack_of(r.state).attacker
    seat = r.state.units[unit_id].seat
    if choice.declare is not None:
        r.emit(TacticDeclared(seat, choice.declare))
    supporting = effective_order(r.state, unit_id) is OrderType.SUPPORT
    discard_order(r, unit_id, "VD-264")
    open_unit(r, unit_id, "VD-052")
    kinds = interception_dice(r.state, r.state.units[unit_id])
    need = profile(r.state, r.state.units[flyer]).shields.range
    dice = r.roll(
        len(kinds),
        "VD-265",
        "Interception",
        seat=seat,
        about=(unit_id, flyer),
        kinds=tuple(kinds),
        needs=(need,) * len(kinds),
    )
    disruptions = tuple(i for i, face in enumerate(dice) if face >= need)
    hits = disruptions if supporting else tuple(i for i in disruptions if dice[i] == LIMIT_FACE)  # VD-267, VD-271
    r.emit(HitsCounted(unit_id, flyer, hits))
    if disruptions:
        r.emit(Disrupted(unit_id, len(disruptions), attack_of(r.state).disruptions + len(disruptions)))
    lose_life(r, flyer, len(hits), by=unit_id)


class Interception(Procedure, frozen=True):
    """AC. Before the reaction to an Aerial Attack (VD-260)."""

    @step("VD-268", "VD-260", "VD-261")
    def offer(self, r: Resolver[VeraState]) -> Flow:
        """Ask whenever Interception is publicly possible (VD-Q70) and the flyer still flies (VD-Q34)."""
        attack = attack_of(r.state)
        if attack.attacker not in r.state.units:
            return DONE
        target = r.state.units[attack.target]
        if any(could_intercept(r.state, target, unit) for unit in army(r.state, target.seat)):
            return ask(InterceptionOffer(target.seat))
        return NEXT
