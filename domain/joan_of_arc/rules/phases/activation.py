"""Activation (section H): all actions are declared before any unit acts, then resolved in any order."""

from domain.joan_of_arc.rules.actions import action_kinds
from domain.joan_of_arc.rules.actions.declared import Declared, action_of, partners, undeclared
from domain.joan_of_arc.rules.actions.waiting import wait
from domain.joan_of_arc.rules.bonuses import bonus_kinds as bonuses
from domain.joan_of_arc.rules.phases.victory import judge
from domain.joan_of_arc.rules.player_actions.intrigues import TriggerIntrigue, may_trigger, trigger, triggers
from domain.joan_of_arc.rules.player_actions.wearing import DropEquipment, GiveEquipment, hand_over, handovers
from domain.joan_of_arc.state.events import ActionDeclared, ActivationEnded, RerollTokenTaken, UnitMarked
from domain.joan_of_arc.state.queries import acting, card_of, unit_of
from domain.joan_of_arc.state.state import Activation, JoanState, Plan, UnitId
from domain.kernel import DONE, NEXT, Call, Choice, Decision, Flow, Goto, One, Procedure, Resolver, ask, only, step


class Declaration(Decision, frozen=True):
    """JA-D06, JA-D13 The action of a unit; units that name the same area take part in one action (JA-082)."""

    rule = "JA-081"

    unit: UnitId

    def form(self, state: JoanState) -> One:
        """JA-083: one of the actions that are open to it after the earlier declarations."""
        return only(tuple(action_kinds.open_to(state, unit_of(state, self.unit), acting(state))))

    def resolve(self, r: Resolver[JoanState], choice: Declared) -> Flow:
        """The action is declared before anything is resolved."""
        r.emit(ActionDeclared(choice.plan(self.unit)))
        return NEXT


class Resolve(Choice, frozen=True):
    """Resolve the action that this unit takes part in next."""

    unit: UnitId


class FinishActivation(Choice, frozen=True):
    """Take no further bonus action."""


Deed = Resolve | FinishActivation | bonuses.BonusChoice | GiveEquipment | DropEquipment | TriggerIntrigue


class NextAction(Decision, frozen=True):
    """JA-D07, JA-D08 The declared action to resolve next, or a bonus action first; JA-053: in any order."""

    rule = "JA-053"

    def form(self, state: JoanState) -> One:
        """One of the actions that are left, named by the first unit of each, or a bonus action (JA-084)."""
        now = acting(state)
        found = tuple(Resolve(plan.unit) for plan in open_actions(now))
        ends = () if found else (FinishActivation(),)
        slots = triggers(state, self.by) if found and state.turn == self.by else ()
        return only((*found, *ends, *bonuses.open_in(state, now), *slots, *handovers(state, self.by)))

    def resolve(self, r: Resolver[JoanState], choice: Deed) -> Flow:
        """The action, with all units that take part in it; JA-Q37: equipment goes to another at once."""
        match choice:
            case FinishActivation():
                return Goto("JA-056")
            case Resolve(unit):
                asks = resolve_action(r, unit)
                return NEXT if asks is None else Call(asks)
            case TriggerIntrigue():
                return Call(trigger(r, self.by, choice))
            case GiveEquipment() | DropEquipment():
                hand_over(r, choice)
                return NEXT
        return bonuses.carry_out(r, self.by, choice)


def open_actions(now: Activation) -> tuple[Plan, ...]:
    """The actions that may be resolved next, each by its first plan; JA-Q13: after a bonus action that was taken just
    before an action, only that action.
    """
    due, found = bonuses.due_next(now), dict[str, Plan]()
    for plan in now.plans:
        if plan.unit not in now.done and (not due or action_of(plan) in due):
            found.setdefault(action_of(plan), plan)
    return tuple(found.values())


def resolve_action(r: Resolver[JoanState], unit: UnitId) -> Procedure | None:
    """All units of an action act, except units that are gone or that are carried by now (JA-090, JA-260)."""
    now = acting(r.state)
    plan = next(each for each in now.plans if each.unit == unit)
    left = []
    for each in partners(now, plan):
        found = unit_of(r.state, each.unit)
        if found.spot == "board" and not found.carrier:
            left.append(each)
        else:
            wait(r, each.unit, "JA-090")
    return action_kinds.carry_out(r, tuple(left)) if left else None


class TakeToken(Choice, frozen=True):
    """Take the reroll token back."""


class LeaveToken(Choice, frozen=True):
    """Leave the token for now."""


class TokenOffer(Decision, frozen=True):
    """JA-D51 Whether a unit with Reroll takes the token back as it is activated."""

    rule = "JA-282"

    unit: UnitId
    at: int

    def form(self, state: JoanState) -> One:
        """Yes or no; once a game."""
        return only((TakeToken(), LeaveToken()))

    def resolve(self, r: Resolver[JoanState], choice: TakeToken | LeaveToken) -> Flow:
        """The token is the owner's."""
        if isinstance(choice, TakeToken):
            r.emit(UnitMarked(self.unit, "took_token"))
            r.emit(RerollTokenTaken(self.by, "JA-282"))
        return Goto("JA-282", Activating(len(r.state.activations), self.at + 1))


def has_reroll(state: JoanState, unit: UnitId) -> bool:
    """JA-282: whether a unit has the Reroll skill."""
    return card_of(state, unit_of(state, unit)).skills.reroll


def may_take_token(state: JoanState, unit: UnitId) -> bool:
    """JA-282: once a game, and only by a unit without a token."""
    found = unit_of(state, unit)
    owner = found.owner
    return (
        owner is not None
        and has_reroll(state, unit)
        and "took_token" not in found.marks
        and not state.boards[owner].reroll
    )


class Activating(Procedure, frozen=True):
    """JA-081 to JA-090: the innermost activation, at this `depth`; an activation that an action begins runs
    inside it (JA-175). `asked`: the number of its units whose Reroll skill is settled.
    """

    depth: int
    asked: int = 0

    @step("JA-282")
    def tokens(self, r: Resolver[JoanState]) -> Flow:
        """JA-D51: once a game, a unit with Reroll gives its owner the reroll token back (JA-198: at most one)."""
        units = acting(r.state).units
        for at in range(self.asked, len(units)):
            if may_take_token(r.state, units[at]):
                return ask(TokenOffer(acting(r.state).by, units[at], at))
        return Goto("JA-081")

    @step("JA-081")
    def declare(self, r: Resolver[JoanState]) -> Flow:
        """Every unit in turn; the player is not asked about a unit that can only wait."""
        for unit in undeclared(acting(r.state)):
            choices = action_kinds.open_to(r.state, unit_of(r.state, unit), acting(r.state))
            first, more = next(choices), next(choices, None)
            if more is not None:
                return ask(Declaration(acting(r.state).by, unit))
            r.emit(ActionDeclared(first.plan(unit)))
        return Goto("JA-053")

    @step("JA-083")
    def declared(self, r: Resolver[JoanState]) -> Flow:
        """The next unit."""
        return Goto("JA-081")

    @step("JA-053")
    def act(self, r: Resolver[JoanState]) -> Flow:
        """The active player chooses the order of the actions; the last one needs no choice. JA-192: an intrigue effect
        may come before it, at any time in the player's own turn; by public facts (JA-405).
        """
        found, by = open_actions(acting(r.state)), acting(r.state).by
        more = next(bonuses.open_in(r.state, acting(r.state)), None) is not None
        if not found and not more:
            return Goto("JA-056")
        schemes = r.state.turn == by and may_trigger(r.state, by)
        if len(found) > 1 or more or schemes:
            return ask(NextAction(by))
        asks = resolve_action(r, found[0].unit)
        return NEXT if asks is None else Call(asks)

    @step("JA-085")
    def acted(self, r: Resolver[JoanState]) -> Flow:
        """A unit that an action activated acts now; then the next action follows."""
        depth = len(r.state.activations)
        return Call(Activating(depth), self) if depth > self.depth else Goto("JA-053")

    @step("JA-175")
    def commanded(self, r: Resolver[JoanState]) -> Flow:
        """Return to the actions that are left."""
        return Goto("JA-053")

    @step("JA-056")
    def end(self, r: Resolver[JoanState]) -> Flow:
        """The order is fully resolved."""
        r.emit(ActivationEnded())
        judge(r)
        return DONE
