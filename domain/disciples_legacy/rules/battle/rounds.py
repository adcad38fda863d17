"""2.Z Step 5 and 2.AE: Battle Actions in turns, and the free actions after a retreat (DL-176 to DL-183, DL-218)."""

from collections.abc import Iterator

from domain.commons.rows import foe
from domain.disciples_legacy.rules.battle.skills import UseItem, UseSkill, skills, use_item, use_skill
from domain.disciples_legacy.rules.battle.striking import Strike, strike, strikes
from domain.disciples_legacy.state.events import (
    BattlePassed,
    BattlePlayerToAct,
    BattleSkipped,
    RoundFinished,
)
from domain.disciples_legacy.state.queries import (
    living,
)
from domain.disciples_legacy.state.state import Battle, DisciplesState, MemberId
from domain.kernel import DONE, NEXT, Choice, Decision, Flow, Goto, One, Procedure, Resolver, Seat, ask, only, step


class PassRound(Choice, frozen=True):
    """Do nothing this time."""


class FinishRound(Choice, frozen=True):
    """Take no further Battle Action in this round."""


def battle_of(state: DisciplesState) -> Battle:
    """The Battle under way."""
    assert state.battle is not None
    return state.battle


def is_over(state: DisciplesState) -> bool:
    """DL-183: one Battle Party has no living member."""
    battle = battle_of(state)
    return battle.attacker not in state.parties or battle.defender not in state.parties


def battle_actions(state: DisciplesState, seat: Seat) -> Iterator[Choice]:
    """DL-179: attacks first, by slot and target slot, then abilities and Items, of untapped living members (DL-002).

    A Leader acts as a Unit does (DL-041): it attacks (DL-042) or uses an Item (DL-043).
    """
    party = battle_of(state).party(seat)
    ready: list[MemberId] = [id_ for id_ in living(state, party) if not state.members[id_].tapped]
    for id_ in ready:
        yield from strikes(state, id_)
    for id_ in ready:
        yield from skills(state, id_)


def can_act(state: DisciplesState, seat: Seat) -> bool:
    """DL-Q14: whether any untapped living member has a legal Battle Action; passing is none (DL-Q15)."""
    return next(battle_actions(state, seat), None) is not None


def has_run_out(state: DisciplesState, seat: Seat) -> bool:
    """DL-Q17: whether the player was skipped, or has just used the last member; in a Battle this is public."""
    return battle_of(state).skipped[seat] or not can_act(state, seat)


def carry_out(r: Resolver[DisciplesState], choice: Choice) -> None:
    """DL-199: carry out the Battle Action at once."""
    match choice:
        case Strike():
            strike(r, choice)
        case UseSkill():
            use_skill(r, choice)
        case UseItem():
            use_item(r, choice)


class BattleAction(Decision, frozen=True):
    """DL-D20 One Battle Action, or a pass."""

    rule = "DL-179"

    def form(self, state: DisciplesState) -> One:
        """The choices open now."""
        return only((*battle_actions(state, self.by), *self._without(state)))

    def _without(self, state: DisciplesState) -> Iterator[Choice]:
        """DL-180, DL-181: one pass a round, not right after a pass; DL-Q17: or the end, after the other was skipped."""
        battle = battle_of(state)
        if not battle.passed[self.by] and not battle.last_passed:
            yield PassRound()
        if has_run_out(state, foe(self.by)):
            yield FinishRound()

    def resolve(self, r: Resolver[DisciplesState], choice: Choice) -> Flow:
        """The action is carried out; the other player acts next."""
        if isinstance(choice, FinishRound):
            r.emit(RoundFinished(self.by))
            return DONE
        if isinstance(choice, PassRound):
            r.emit(BattlePassed(self.by))
        else:
            carry_out(r, choice)
        return NEXT

    def default(self, state: DisciplesState) -> Choice:
        """DL-D20: the first attack, else pass, else the first ability."""
        options = self.form(state).choices
        for kind in (Strike, PassRound):
            found = next((choice for choice in options if isinstance(choice, kind)), None)
            if found is not None:
                return found
        return options[0]


class BattleRound(Procedure, frozen=True):
    """DL-178: Battle Actions in turns until neither has one, or a Party is wiped out."""

    @step("DL-176", "DL-177")
    def begin(self, r: Resolver[DisciplesState]) -> Flow:
        """The event that began the round named the first side."""
        return NEXT if _turn_to_anybody(r, battle_of(r.state).to_act) else DONE

    @step("DL-179", "DL-180", "DL-181")
    def action(self, r: Resolver[DisciplesState]) -> Flow:
        """The player to act is asked."""
        return ask(BattleAction(battle_of(r.state).to_act))

    @step("DL-178", "DL-182", "DL-183", "DL-Q16")
    def other_player(self, r: Resolver[DisciplesState]) -> Flow:
        """The other player acts next, if that player has an action; otherwise the same player again."""
        return Goto("DL-179") if _turn_to_anybody(r, foe(battle_of(r.state).to_act)) else DONE


def _turn_to_anybody(r: Resolver[DisciplesState], first: Seat) -> bool:
    """DL-Q14: the first of the two players that has a Battle Action is next; False when the round is over."""
    return not is_over(r.state) and any(_turn_to(r, seat) for seat in (first, foe(first)))


def _turn_to(r: Resolver[DisciplesState], seat: Seat) -> bool:
    able = can_act(r.state, seat)
    r.emit(BattlePlayerToAct(seat, able))
    if not able and not battle_of(r.state).skipped[seat]:
        r.emit(BattleSkipped(seat))
    return able


class FreeAction(Decision, frozen=True):
    """DL-D21 A Battle Action while the enemy retreats; the player need not take any (DL-Q28)."""

    rule = "DL-218"

    def form(self, state: DisciplesState) -> One:
        """DL-219: normal Battle Actions, or no more."""
        return only((*battle_actions(state, self.by), FinishRound()))

    def resolve(self, r: Resolver[DisciplesState], choice: Choice) -> Flow:
        """Two at most."""
        if isinstance(choice, FinishRound):
            r.emit(RoundFinished(self.by))
            return DONE
        carry_out(r, choice)
        return Goto("DL-218")


class FreeActions(Procedure, frozen=True):
    """DL-217 to DL-221: the player who did not retreat has up to two Battle Actions."""

    @step("DL-218", "DL-219", "DL-220", "DL-217")
    def action(self, r: Resolver[DisciplesState]) -> Flow:
        """Until two are taken, none is possible, or the retreating Party is wiped out."""
        if is_over(r.state):
            return DONE
        battle = battle_of(r.state)
        seat = foe(battle.retreating)
        return ask(FreeAction(seat)) if battle.free and can_act(r.state, seat) else DONE
