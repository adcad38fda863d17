"""2.Q The Strategic Phase: single actions in turns, one pass a player, until nobody can act (DL-121 to DL-130)."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from domain.commons.rows import foe
from domain.disciples_legacy.rules import (
    attacking,
    founding,
    planting,
    rearranging,
    recruiting,
    replacing,
    shopping,
    spells,
    thieving,
    trading,
)
from domain.disciples_legacy.state.events import (
    Passed,
    PhaseFinished,
    PlayerSkipped,
    PlayerToAct,
)
from domain.disciples_legacy.state.queries import (
    Ready,
    parties_of,
    ready_leaders,
)
from domain.disciples_legacy.state.state import NOBODY, DisciplesState, MemberId
from domain.kernel import (
    DONE,
    NEXT,
    Call,
    Choice,
    Decision,
    Flow,
    Goto,
    One,
    Procedure,
    Resolver,
    Seat,
    ask,
    only,
    step,
)

Actions = Callable[[DisciplesState, Seat, Ready], Iterator[Choice]]
CarryOut = Callable[[Resolver[DisciplesState], Seat, Any], Flow]


class Pass(Choice, frozen=True):
    """Do nothing this time."""


class Finish(Choice, frozen=True):
    """End the Strategic Phase."""


class Rearrange(Choice, frozen=True):
    """Change the formation of this Party."""

    party: str


ACTIONS: Final[tuple[Actions, ...]] = (
    founding.actions,
    recruiting.actions,
    shopping.actions,
    trading.actions,
    attacking.actions,
    replacing.actions,
    planting.actions,
    spells.actions,
    thieving.actions,
)
"""DL-128: the actions of Major Leaders, and those printed on Minor Leaders' cards (DL-052)."""
CARRY_OUT: Final[dict[type[Choice], CarryOut]] = {
    founding.RecruitCity: founding.recruit_city,
    recruiting.RecruitMinor: recruiting.recruit_minor,
    recruiting.RecruitUnit: recruiting.recruit_unit,
    shopping.Shop: shopping.shop,
    trading.Trade: trading.trade,
    attacking.Assault: attacking.assault,
    replacing.ReplaceLeader: replacing.replace_leader,
    planting.Plant: planting.plant,
    spells.Cast: spells.cast,
    thieving.UseAbility: thieving.use_ability,
}


def actions(state: DisciplesState, seat: Seat) -> Iterator[Choice]:
    """DL-123: every `(S)` ability that a living, unspent Leader of the player may use."""
    ready = ready_leaders(state, seat)
    if any(ready):
        for options in ACTIONS:
            yield from options(state, seat, ready)


def can_act(state: DisciplesState, seat: Seat) -> bool:
    """DL-Q18: whether the player has any action; a pass is none (DL-Q15)."""
    return next(actions(state, seat), None) is not None


def may_pass(state: DisciplesState, seat: Seat) -> bool:
    """DL-125, DL-126: once a turn, and not right after a pass."""
    return not state.sides[seat].passed and not state.last_passed


def may_finish(state: DisciplesState, seat: Seat) -> bool:
    """DL-Q17: only after the opponent was skipped and has not acted since."""
    return state.sides[foe(seat)].skipped


class StrategicAction(Decision, frozen=True):
    """DL-D06 One action, or a pass; formations may be changed before it (DL-090).

    `(S)` abilities are offered only here (DL-007), so never during a Battle (DL-008); a Block answers an attack.
    """

    rule = "DL-123"

    def form(self, state: DisciplesState) -> One:
        """The choices that the player has now."""
        return only(tuple(self._options(state)))

    def _options(self, state: DisciplesState) -> Iterator[Choice]:
        if may_pass(state, self.by):
            yield Pass()
        if may_finish(state, self.by):
            yield Finish()
        yield from actions(state, self.by)
        # DL-Q62: a second time before the next action would change nothing.
        done = state.sides[self.by].rearranged
        yield from (Rearrange(party) for party in parties_of(state, self.by) if party not in done)

    def resolve(self, r: Resolver[DisciplesState], choice: Choice) -> Flow:
        """The action is carried out; then the other player acts."""
        if isinstance(choice, Pass):
            r.emit(Passed(self.by))
            return NEXT
        if isinstance(choice, Finish):
            r.emit(PhaseFinished(self.by))
            return DONE
        if isinstance(choice, Rearrange):
            return Goto("DL-090", StrategicPhase(MemberId(choice.party)))
        return CARRY_OUT[type(choice)](r, self.by, choice)

    def default(self, state: DisciplesState) -> Choice:
        """DL-D06: pass, else finish, else a City, a known one if possible, else the first ability."""
        options = self.form(state).choices
        for kind in (Pass, Finish):
            found = next((choice for choice in options if isinstance(choice, kind)), None)
            if found is not None:
                return found
        cities = [choice for choice in options if isinstance(choice, founding.RecruitCity)]
        shown = [choice for choice in cities if choice.card in state.sides[self.by].known]
        return (*shown, *cities, *options)[0]


class StrategicPhase(Procedure, frozen=True):
    """DL-010, DL-122: one action each in turns; a player without one is skipped (DL-124, DL-Q14).

    `arranging` is a Party to rearrange first.
    """

    arranging: MemberId = NOBODY

    @step("DL-121")
    def begin(self, r: Resolver[DisciplesState]) -> Flow:
        """The player whose turn it is takes the first action."""
        return NEXT if _turn_to_anybody(r, r.state.to_act) else DONE

    @step("DL-090", "DL-Q46")
    def arrange(self, r: Resolver[DisciplesState]) -> Flow:
        """The player to act changes a formation first; that is no action."""
        if not self.arranging:
            return NEXT
        return Call(rearranging.Rearranging(r.state.to_act, self.arranging), StrategicPhase())

    @step("DL-123", "DL-125", "DL-126", "DL-127")
    def action(self, r: Resolver[DisciplesState]) -> Flow:
        """The player to act is asked."""
        return ask(StrategicAction(r.state.to_act))

    @step("DL-122", "DL-124", "DL-130")
    def other_player(self, r: Resolver[DisciplesState]) -> Flow:
        """DL-Q19: the attacker's opponent acts next, with or without a block; DL-Q18: until nobody can act."""
        return Goto("DL-090") if _turn_to_anybody(r, foe(r.state.to_act)) else DONE


def _turn_to_anybody(r: Resolver[DisciplesState], first: Seat) -> bool:
    """The first of the two players that has an action is next; False if neither has one."""
    return any(_turn_to(r, seat) for seat in (first, foe(first)))


def _turn_to(r: Resolver[DisciplesState], seat: Seat) -> bool:
    able = can_act(r.state, seat)
    r.emit(PlayerToAct(seat, able))
    if not able:
        _skip(r, seat)
    return able


def _skip(r: Resolver[DisciplesState], seat: Seat) -> None:
    """DL-124, DL-Q59: everybody sees that the player has no action, and may infer which cards the hand lacks."""
    if not r.state.sides[seat].skipped:
        r.emit(PlayerSkipped(seat, (*planting.lacking(r.state, seat), *spells.lacking(r.state, seat))))
