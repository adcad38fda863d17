"""6.4: the effects of a General's Strategy, hook by hook, and when it may be used (VD-064, VD-065)."""

from __future__ import annotations

from collections.abc import Callable

from domain.commons.cards import known
from domain.commons.rows import foe
from domain.kernel import (
    DONE,
    NEXT,
    Call,
    Choice,
    Decision,
    Flow,
    Goto,
    One,
    Pick,
    Procedure,
    Resolver,
    Seat,
    ask,
    step,
)
from domain.vera_discordia.cards import cards as c
from domain.vera_discordia.rules.damage import regain_life
from domain.vera_discordia.rules.deployment import holder
from domain.vera_discordia.rules.morale import Check, check_morale
from domain.vera_discordia.rules.orders import appearance, deal_order, discard_order, draw_orders, examine_order
from domain.vera_discordia.state.events import (
    CaptureLost,
    MoraleRaised,
    StrategyUsed,
    UnitMoved,
    UnitsSwapped,
)
from domain.vera_discordia.state.queries import ADJACENT, army, general_of, neighbours, prepared_units, profile, unit_at
from domain.vera_discordia.state.state import Space, Strike, Unit, UnitId, VeraState


class UseStrategy(Choice, frozen=True):
    """Use the General's Strategy."""


class DeclineStrategy(Choice, frozen=True):
    """Do not use it."""


def hooks_of(state: VeraState, seat: Seat) -> tuple[c.AnyHook, ...]:
    """The hooks of a player's Strategy, in the order of the card."""
    general = general_of(state, seat)
    return () if general is None else general.strategy.hooks


def has_star(state: VeraState, seat: Seat) -> bool:
    """VD-064: the Strategy counts as written on the Tactic."""
    general = general_of(state, seat)
    return general is not None and general.strategy.icon == "star" and bool(general.strategy.hooks)


def has_diamond(state: VeraState, seat: Seat, moment: c.Moment) -> bool:
    """VD-065: an unused Strategy for this moment."""
    general = general_of(state, seat)
    if general is None or general.strategy.icon != "diamond" or not general.strategy.hooks:
        return False
    return general.strategy.moment == moment and not state.sides[seat].strategy_spent


def strike_of(state: VeraState, seat: Seat) -> Strike:
    """VD-K10: the Strategy's addition to one Attack or Counterattack."""
    for hook in hooks_of(state, seat):
        if isinstance(hook, c.StrikeHook):
            return Strike(hook.dice, None if hook.ability == "none" else c.Ability(hook.ability))
    return Strike()


def use_diamond(r: Resolver[VeraState], seat: Seat) -> Strategy:
    """VD-065: used, and spent for the game. Returns the part that remains to be carried out."""
    r.emit(StrategyUsed(seat, r.state.sides[seat].general, spent=True))
    return Strategy(seat, None)


class DiamondStrategy(Decision, frozen=True):
    """VD-065 Once a game, at the moment on the card, the owner may use the Strategy."""

    rule = "VD-065"

    moment: c.Moment

    def form(self, state: VeraState) -> One:
        """Use it or wait."""
        return One((DeclineStrategy(), UseStrategy()))

    def resolve(self, r: Resolver[VeraState], choice: UseStrategy | DeclineStrategy) -> Flow:
        """All hooks together, or none."""
        return Call(use_diamond(r, self.by)) if isinstance(choice, UseStrategy) else NEXT


class DiamondMoment(Procedure, frozen=True):
    """A moment at which diamond Strategies may be used; the holder of the Initiative marker decides first."""

    moment: c.Moment
    by: Seat | None = None

    @step("VD-065")
    def offer(self, r: Resolver[VeraState]) -> Flow:
        """Asked only while it is unused."""
        by = holder(r.state) if self.by is None else self.by
        return ask(DiamondStrategy(by, self.moment)) if has_diamond(r.state, by, self.moment) else NEXT

    @step("VD-065/other")
    def other(self, r: Resolver[VeraState]) -> Flow:
        """Then the other player."""
        if self.by is not None:
            return DONE
        return Goto("VD-065", become=DiamondMoment(self.moment, foe(holder(r.state))))


class Strategy(Procedure, frozen=True):
    """Carries out a Strategy: its hooks in list order. `unit` executes the Tactic; it is None for a diamond."""

    by: Seat
    unit: UnitId | None
    at: int = 0

    @step("VD-064", "VD-065")
    def hook(self, r: Resolver[VeraState]) -> Flow:
        """The next hook: at once, or after its Units are named."""
        hooks = hooks_of(r.state, self.by)
        if self.at >= len(hooks):
            return DONE
        match hooks[self.at]:
            case c.MoraleBonus(bonus, scope):
                raise_morale(r, self.by, bonus, scope)
            case c.DrawCards(cards):  # VD-K12
                draw_orders(r, self.by, cards)
            case c.Shift(moves):
                return ask(Shifting(self.by, moves))
            case c.Mend() | c.Spy() | c.Reissue() | c.Sabotage() as hook:
                return self._designation(r.state, hook)
            case _:  # VD-K10 belongs to the attack itself
                pass
        return NEXT

    def _designation(self, state: VeraState, hook: Designating) -> Flow:
        kind = DESIGNATIONS[type(hook)]
        decision = kind(self.by, self.at, self.unit)
        return ask(decision) if decision.candidates(state) else NEXT

    @step("VD-064/next")
    def following(self, r: Resolver[VeraState]) -> Flow:
        """The hook after it."""
        return Goto("VD-064", become=Strategy(self.by, self.unit, self.at + 1))


def raise_morale(r: Resolver[VeraState], seat: Seat, bonus: int, scope: str) -> None:
    """VD-K09: until the end of the round, for the whole army or around the General."""
    units = army(r.state, seat)
    if scope == "general":
        units = [u for u in units if u.general or any(other.general for other in neighbours(r.state, u))]
    r.emit(MoraleRaised(seat, bonus, tuple(unit.id for unit in units)))


class Designate(Choice, frozen=True):
    """These Units, in this order."""

    units: tuple[str, ...]


class _Designation(Decision, frozen=True):
    """6.4, 4: the Units a hook concerns, all named before anything is rolled or drawn; naming none is allowed."""

    at: int
    unit: UnitId | None

    def hook(self, state: VeraState) -> Designating:
        """The hook that is carried out."""
        hook = hooks_of(state, self.by)[self.at]
        assert isinstance(hook, c.Mend | c.Spy | c.Reissue | c.Sabotage), "only these name Units"
        return hook

    def most(self, state: VeraState) -> int:
        """How many Units may be named."""
        hook = self.hook(state)
        return hook.units if isinstance(hook, c.Mend) else hook.orders

    def candidates(self, state: VeraState) -> list[Unit]:
        """The Units that may be named: public facts only."""
        raise NotImplementedError

    def form(self, state: VeraState) -> Pick:
        """Up to the number on the card, in the order of naming."""
        items = tuple(unit.id for unit in self.candidates(state))
        return Pick(Designate, items, 0, min(self.most(state), len(items)), ordered=True)


class Mending(_Designation, frozen=True):
    """VD-K11 Damaged Units of the player regain life."""

    rule = "VD-K11"

    def candidates(self, state: VeraState) -> list[Unit]:
        """Damaged Units within reach."""
        hook = self.hook(state)
        units = army(state, self.by)
        if isinstance(hook, c.Mend) and hook.reach != "army":
            executing = state.units.get(self.unit) if self.unit else None
            near = [executing] if executing else []
            if executing and hook.reach == "adjacent":
                near += list(neighbours(state, executing))
            units = [unit for unit in units if unit in near]
        return [unit for unit in units if is_damaged(state, unit)]

    def resolve(self, r: Resolver[VeraState], choice: Designate) -> Flow:
        """VD-029, VD-033."""
        hook = self.hook(r.state)
        assert isinstance(hook, c.Mend), "asked by this hook"
        for unit in choice.units:
            regain_life(r, UnitId(unit), hook.lp, "VD-K11")
        return NEXT


def is_damaged(state: VeraState, unit: Unit) -> bool:
    """Whether the Unit lacks life: everybody sees it (VD-034, VD-365)."""
    if not unit.open:
        return unit.marker is not None
    return known(unit.life) < profile(state, unit).max_life


class Spying(_Designation, frozen=True):
    """VD-K13 Enemy face-down orders are examined (VD-074)."""

    rule = "VD-K13"

    def candidates(self, state: VeraState) -> list[Unit]:
        """Prepared enemy Units."""
        return prepared_units(state, foe(self.by))

    def resolve(self, r: Resolver[VeraState], choice: Designate) -> Flow:
        """A Tactic among them appears and is declared by its owner (VD-Q09)."""
        flow: Flow = NEXT
        for unit in choice.units:
            examine_order(r, UnitId(unit), "VD-K13")
            due = appearance(r.state, UnitId(unit))
            flow = due if due != NEXT else flow
        return flow


class Reissuing(_Designation, frozen=True):
    """VD-K14 Exhausted Units of the player each get the top card of the deck."""

    rule = "VD-K14"

    def candidates(self, state: VeraState) -> list[Unit]:
        """Exhausted Units that are not Chaotic and do not execute the Tactic."""
        return [u for u in army(state, self.by) if u.order is None and not u.chaotic and u.id != self.unit]

    def resolve(self, r: Resolver[VeraState], choice: Designate) -> Flow:
        """One after another; they are Prepared again."""
        for unit in choice.units:
            deal_order(r, UnitId(unit), "VD-K14")
        return NEXT


class Sabotaging(_Designation, frozen=True):
    """VD-K15 Enemy Units check as against Disorganisation, or lose their orders."""

    rule = "VD-K15"

    def candidates(self, state: VeraState) -> list[Unit]:
        """Prepared enemy Units."""
        return prepared_units(state, foe(self.by))

    def resolve(self, r: Resolver[VeraState], choice: Designate) -> Flow:
        """No Discord; a discarded order was never executed (VD-077), and an order that stays is not shown."""
        for unit in choice.units:
            if not check_morale(r, UnitId(unit), Check.DISORGANISATION):
                discard_order(r, UnitId(unit), "VD-K15")
        return NEXT


Designating = c.Mend | c.Spy | c.Reissue | c.Sabotage
DESIGNATIONS: dict[type[Designating], Callable[[Seat, int, UnitId | None], _Designation]] = {
    c.Mend: Mending,
    c.Spy: Spying,
    c.Reissue: Reissuing,
    c.Sabotage: Sabotaging,
}


class ShiftUnit(Choice, frozen=True):
    """The Unit goes to the adjacent Opening."""

    unit: UnitId
    to: Space


class ShiftPair(Choice, frozen=True):
    """These adjacent Units exchange spaces."""

    first: UnitId
    second: UnitId


class StopShifting(Choice, frozen=True):
    """No (further) move."""


class Shifting(Decision, frozen=True):
    """VD-K16 Units of the player move one space without an order."""

    rule = "VD-K16"

    left: int

    def form(self, state: VeraState) -> One:
        """A Unit to an adjacent empty space, two adjacent Units, or no more; flight does not help."""
        options: list[Choice] = [StopShifting()]
        for unit in army(state, self.by):
            for space in ADJACENT[unit.space]:
                other = unit_at(state, self.by, space)
                if other is None:
                    options.append(ShiftUnit(unit.id, space))
                elif unit.space < space:
                    options.append(ShiftPair(unit.id, other.id))
        return One(tuple(options))

    def resolve(self, r: Resolver[VeraState], choice: ShiftUnit | ShiftPair | StopShifting) -> Flow:
        """A Unit that moved loses its Capture."""
        match choice:
            case ShiftUnit(unit, to):
                _lose_capture(r, unit)
                r.emit(UnitMoved(unit, to, "VD-K16"))
            case ShiftPair(first, second):
                _lose_capture(r, first)
                _lose_capture(r, second)
                r.emit(UnitsSwapped(first, second, "VD-K16"))
            case StopShifting():
                return NEXT
        return ask(Shifting(self.by, self.left - 1)) if self.left > 1 else NEXT


def _lose_capture(r: Resolver[VeraState], unit: UnitId) -> None:
    if r.state.units[unit].capture:
        r.emit(CaptureLost(unit, "VD-K16"))


class StarStrategy(Decision, frozen=True):
    """VD-064 The Tactic is executed: the owner may use the Strategy (VD-Q11)."""

    rule = "VD-064"

    unit: UnitId
    counter: bool = False

    def form(self, state: VeraState) -> One:
        """Use it or not."""
        return One((DeclineStrategy(), UseStrategy()))

    def resolve(self, r: Resolver[VeraState], choice: UseStrategy | DeclineStrategy) -> Flow:
        """6.4, 2: at once on one's own turn; in a Counterattack all but `strike` waits until the attack is over."""
        if isinstance(choice, DeclineStrategy):
            return NEXT
        r.emit(StrategyUsed(self.by, r.state.sides[self.by].general, self.unit, deferred=self.counter))
        return NEXT if self.counter else Call(Strategy(self.by, self.unit))
