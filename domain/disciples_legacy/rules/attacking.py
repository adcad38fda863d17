"""2.W, 2.X Attacking Cities, Mana and Parties, and blocking (DL-152 to DL-164, DL-189 to DL-193)."""

from collections.abc import Iterator

from domain.commons.rows import foe
from domain.disciples_legacy.cards import hooks
from domain.disciples_legacy.rules.battle.steps import Battling
from domain.disciples_legacy.rules.dying import deal, settle
from domain.disciples_legacy.state.events import (
    AttackBlocked,
    AttackDeclared,
    AttackEnded,
    AttackEngaged,
    BlockDeclined,
    LeaderSpent,
    PlaceCaptured,
)
from domain.disciples_legacy.state.queries import (
    Ready,
    cards_of,
    parties_of,
    ready_leaders,
)
from domain.disciples_legacy.state.state import DisciplesState, MemberId, PlaceId
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


class Assault(Choice, frozen=True):
    """This Leader's Party attacks: a Party by its Leader, a City or a Mana card."""

    leader: str
    target: str


class Block(Choice, frozen=True):
    """This Leader's Party blocks the attack."""

    leader: str


class DeclineBlock(Choice, frozen=True):
    """Nobody blocks."""


class Engage(Choice, frozen=True):
    """Fight the intended Party."""


class Cancel(Choice, frozen=True):
    """Cancel the attack."""


def prints_action(state: DisciplesState, leader: MemberId, action: str) -> bool:
    """DL-052: whether a Minor Leader's card prints this action of Major Leaders (6.2)."""
    abilities = cards_of(state).abilities[state.members[leader].card]
    return any(isinstance(ability.op, hooks.Action) and ability.op.action == action for ability in abilities)


def actions(state: DisciplesState, seat: Seat, ready: Ready) -> Iterator[Assault]:
    """DL-152: an enemy Party (DL-049, DL-157), City or Mana; DL-153, DL-066: never a Capital."""
    enemies = parties_of(state, foe(seat))
    places = [city.id for city in state.cities.values() if city.seat != seat and not city.capital]
    places += [mana.id for mana in state.mana.values() if mana.seat != seat]
    for leader in ready.major:
        for target in (*enemies, *places):
            yield Assault(leader, target)
    for leader in ready.minor:
        if prints_action(state, leader, "attack_party"):
            for party in enemies:
                # DL-Q23: not against a Minor Leader by its own ability.
                if state.members[party].kind == "major":
                    yield Assault(leader, party)


def assault(r: Resolver[DisciplesState], seat: Seat, choice: Assault) -> Flow:
    """DL-152: the Leader is spent at declaration."""
    leader = MemberId(choice.leader)
    r.emit(LeaderSpent(leader, "DL-152"))
    r.emit(AttackDeclared(seat, leader, choice.target))
    return Call(Assaulting(seat, leader, choice.target))


def blockers(state: DisciplesState, seat: Seat, target: str) -> tuple[MemberId, ...]:
    """DL-160, DL-Q20: living, unspent Major Leaders, and Minor ones whose card allows it; not the attacked Leader."""
    found = ready_leaders(state, seat)
    minors = (id_ for id_ in found.minor if prints_action(state, id_, "block"))
    return tuple(id_ for id_ in (*found.major, *minors) if id_ != target)


class BlockOffer(Decision, frozen=True):
    """DL-D15 Whether one of the defender's Leaders blocks; there is no other reaction (DL-Q52, DL-158)."""

    rule = "DL-159"

    target: str

    def form(self, state: DisciplesState) -> One:
        """Nobody, or one Leader that may block (DL-164: only now)."""
        return only((DeclineBlock(), *(Block(id_) for id_ in blockers(state, self.by, self.target))))

    def resolve(self, r: Resolver[DisciplesState], choice: Block | DeclineBlock) -> Flow:
        """DL-161: the blocker is spent; that is a reaction, not the player's action (DL-Q19)."""
        if isinstance(choice, Block):
            leader = MemberId(choice.leader)
            r.emit(LeaderSpent(leader, "DL-161", reaction=True))
            r.emit(AttackBlocked(leader))
        else:
            r.emit(BlockDeclined(self.by))
        return NEXT


class Engagement(Decision, frozen=True):
    """DL-D22 Whether the attack continues to the intended Party."""

    rule = "DL-191"

    def form(self, state: DisciplesState) -> One:
        """Cancel or engage."""
        return only((Cancel(), Engage()))

    def resolve(self, r: Resolver[DisciplesState], choice: Engage | Cancel) -> Flow:
        """DL-Q22: a completely new Battle, as if unblocked (DL-Q21)."""
        if isinstance(choice, Engage):
            r.emit(AttackEngaged(self.by))
            return Goto("DL-154")
        return Goto("DL-192")


class Assaulting(Procedure, frozen=True):
    """An attack from the block to its end; `target` is a Party, a City or a Mana card."""

    seat: Seat
    leader: MemberId
    target: str

    @step("DL-159", "DL-160", "DL-161", "DL-163", "DL-164")
    def block(self, r: Resolver[DisciplesState]) -> Flow:
        """The defender is asked if any Leader could block."""
        defender = foe(self.seat)
        return ask(BlockOffer(defender, self.target)) if blockers(r.state, defender, self.target) else NEXT

    @step("DL-162", "DL-156")
    def blocked(self, r: Resolver[DisciplesState]) -> Flow:
        """First there is a Battle with the blocker."""
        attack = r.state.attack
        assert attack is not None
        if not attack.blocker:
            return Goto("DL-154")
        return Call(Battling(self.leader, attack.blocker, self.seat))

    @step("DL-189", "DL-190", "DL-191", "DL-222", "DL-223")
    def after_block(self, r: Resolver[DisciplesState]) -> Flow:
        """Whether the attack still succeeds; then a City or Mana is taken, and for a Party the attacker is asked."""
        if not breaks_through(r.state):
            return Goto("DL-192")
        if self.target not in r.state.members:
            return Goto("DL-154")
        # DL-Q22: the intended target may be gone.
        return ask(Engagement(self.seat)) if MemberId(self.target) in r.state.parties else Goto("DL-192")

    @step("DL-154", "DL-155")
    def unblocked(self, r: Resolver[DisciplesState]) -> Flow:
        """A City or Mana changes control; a Party is fought."""
        if MemberId(self.target) in r.state.parties:
            return Call(Battling(self.leader, MemberId(self.target), self.seat))
        _garrison(r, self.leader, self.target)
        r.emit(PlaceCaptured(PlaceId(self.target), self.seat, "DL-154"))
        return NEXT

    @step("DL-193")
    def reached(self, r: Resolver[DisciplesState]) -> Flow:
        """The attack reached its target and is over, with any result (DL-Q25)."""
        r.emit(AttackEnded(True, "DL-193"))
        return DONE

    @step("DL-192")
    def failed(self, r: Resolver[DisciplesState]) -> Flow:
        """The attack ends without effect on its target."""
        r.emit(AttackEnded(False, "DL-192"))
        return DONE


def breaks_through(state: DisciplesState) -> bool:
    """DL-189: the blocker retreated (DL-Q24), or is wiped out while the attacking Party lives (DL-Q56)."""
    attack = state.attack
    assert attack is not None
    if attack.leader not in state.parties:
        return False
    return attack.escaped or attack.blocker not in state.parties


def _garrison(r: Resolver[DisciplesState], leader: MemberId, place: str) -> None:
    """6.2 `garrison`: the City's damage to the living Leader who captures it; it changes hands anyway."""
    city = r.state.cities.get(PlaceId(place))
    member = r.state.members.get(leader)
    if city is None or member is None or member.dead:
        return
    amount = cards_of(r.state).modifier(city.card, "garrison")
    if amount:
        deal(r, (leader,), amount, "DL-Q51")
        settle(r)
