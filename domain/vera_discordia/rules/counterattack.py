"""Section Z: the Counterattack."""

from domain.commons.cards import known
from domain.kernel import DONE, NEXT, Call, Choice, Decision, Flow, Goto, Next, One, Procedure, Resolver, ask, step
from domain.vera_discordia.cards.cards import Ability, OrderType
from domain.vera_discordia.rules.launch import Launch, attack_of
from domain.vera_discordia.rules.morale import Check, check_morale
from domain.vera_discordia.rules.orders import discard_order, effective_order
from domain.vera_discordia.rules.strategy import StarStrategy, has_star, strike_of
from domain.vera_discordia.rules.supports import offer_supports
from domain.vera_discordia.state.events import (
    CounterattackDeclared,
    CounterattackRefused,
    OrderConverted,
    OrderTurnedUp,
)
from domain.vera_discordia.state.queries import has, in_vanguard, is_prepared
from domain.vera_discordia.state.state import AttackKind, Strike, Unit, UnitId, VeraState

OBLIGED = (OrderType.ATTACK, OrderType.DEFENSE)


def must_counterattack(state: VeraState, unit: Unit) -> bool:
    """VD-227, VD-317: an Attack or Defense order or Chaos obliges; only a passed check refuses (VD-Q38)."""
    return unit.chaotic or effective_order(state, unit.id) in OBLIGED


def ways_to_counterattack(state: VeraState, unit: Unit) -> list[str]:
    """The rows by which a Unit may strike back: VD-227 and VD-317 oblige, VD-349, VD-355 allow; else none (VD-228)."""
    if must_counterattack(state, unit):
        return ["VD-317" if unit.chaotic else "VD-227"]
    ways = ["VD-349"] if unit.enraged and in_vanguard(unit) and is_prepared(unit) else []  # VD-Q41
    if has(state, unit, Ability.RIPOSTE):
        ways.append("VD-355")  # VD-Q39
    return ways


class StrikeBack(Choice, frozen=True):
    """Counterattack, by this row."""

    rule: str


class HoldBack(Choice, frozen=True):
    """Do not Counterattack; if it is a duty, try to refuse it."""


class Counterattacking(Decision, frozen=True):
    """VD-227 The owner of the target strikes back or holds the Unit back (VD-233)."""

    rule = "VD-227"

    unit: UnitId

    def form(self, state: VeraState) -> One:
        """Every possible way, or none."""
        ways = ways_to_counterattack(state, state.units[self.unit])
        return One((*(StrikeBack(way) for way in ways), HoldBack()))

    def resolve(self, r: Resolver[VeraState], choice: StrikeBack | HoldBack) -> Flow:
        """VD-233: passed, the order is not used; failed, it must Counterattack."""
        if isinstance(choice, StrikeBack):
            return Next(become=Counterattack(choice.rule))
        way = ways_to_counterattack(r.state, r.state.units[self.unit])[0]
        if way in {"VD-349", "VD-355"}:
            r.emit(CounterattackRefused(self.unit, way))
            return DONE
        if check_morale(r, self.unit, Check.REFUSAL):
            r.emit(CounterattackRefused(self.unit, "VD-233"))
            return DONE
        return Next(become=Counterattack(way))


class Counterattack(Procedure, frozen=True):
    """Z. The target strikes back, inside the attacker's turn (VD-230). `way`: the row by which it does."""

    way: str = ""

    @step("VD-227", "VD-228", "VD-229", "VD-239", "VD-280")
    def duty(self, r: Resolver[VeraState]) -> Flow:
        """Only while both Units stand, and only once (VD-242)."""
        attack = attack_of(r.state)
        target = r.state.units.get(attack.target)
        if target is None or attack.attacker not in r.state.units or attack.counter or attack.counter_done:
            return DONE
        return ask(Counterattacking(target.seat, target.id)) if ways_to_counterattack(r.state, target) else DONE

    @step("VD-235", "VD-236", "VD-237", "VD-349")
    def order(self, r: Resolver[VeraState]) -> Flow:
        """An Attack order is discarded, a Defense order lies face up; by Riposte or Chaos nothing is used."""
        unit = r.state.units[attack_of(r.state).target]
        if self.way == "VD-349":
            r.emit(OrderConverted(unit.id, OrderType.ATTACK))
            discard_order(r, unit.id, "VD-349")
        if self.way != "VD-227":
            return Goto("VD-231")
        return self._execute(r, unit)

    def _execute(self, r: Resolver[VeraState], unit: Unit) -> Flow:
        held, order = unit.order, effective_order(r.state, unit.id)
        assert held is not None, "VD-227 needs an order"
        executed = not held.up  # VD-237: a Defense order that lay face up was executed before
        if executed:
            r.emit(OrderTurnedUp(unit.id, known(held.type), by_counter=True))
        if order is OrderType.ATTACK:
            discard_order(r, unit.id, "VD-235")
        tactic = executed and known(held.type) is OrderType.TACTIC
        if tactic and has_star(r.state, unit.seat):  # VD-064, VD-Q11
            return ask(StarStrategy(unit.seat, unit.id, counter=True))
        return NEXT

    @step("VD-231")
    def declaration(self, r: Resolver[VeraState]) -> Flow:
        """Its target is always the attacking Unit, which has no reaction (VD-234, VD-282)."""
        unit = r.state.units[attack_of(r.state).target]
        inspired = r.state.sides[unit.seat].deferred == unit.id
        strike = strike_of(r.state, unit.seat) if inspired else Strike()
        r.emit(CounterattackDeclared(unit.id, self.way, strike))
        return NEXT

    @step("VD-232", "VD-199", "VD-209", "VD-281")
    def supports(self, r: Resolver[VeraState]) -> Flow:
        """Not against an Aerial Attack, not through an Opening."""
        attack = attack_of(r.state)
        if attack.kind is AttackKind.AERIAL or attack.opening:
            return NEXT
        return offer_supports(r.state, attack.target, counter=True)

    @step("VD-238")
    def launch(self, r: Resolver[VeraState]) -> Flow:
        """Dice and damage as in an Attack (VD-240)."""
        return Call(Launch(counter=True))
