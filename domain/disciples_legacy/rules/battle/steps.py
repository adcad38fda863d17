"""2.Z The steps of a Battle (DL-170 to DL-188) and retreating (2.AE)."""

from domain.commons.rows import foe
from domain.disciples_legacy.rules.battle.rounds import BattleRound, FreeActions, battle_of, is_over
from domain.disciples_legacy.rules.battle.skills import begin_battle
from domain.disciples_legacy.rules.dying import deal, settle
from domain.disciples_legacy.rules.effects import TEXT
from domain.disciples_legacy.rules.rearranging import Keep, Move, formation_moves, move
from domain.disciples_legacy.state.events import (
    BattleBegan,
    BattleEnded,
    BattleRoundBegan,
    EffectsEnded,
    FormationKept,
    MembersUntapped,
    PoisonFaded,
    Retreated,
)
from domain.disciples_legacy.state.queries import (
    members_of,
)
from domain.disciples_legacy.state.state import NOBODY, DisciplesState, MemberId, Until
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

ROUNDS = 2
"""DL-187."""
FREE_ACTIONS = 2
"""DL-218."""


def acts_first(attacking: Seat, number: int) -> Seat:
    """DL-177: the side that begins a Battle Round: in the first the defender, in the second the attacker."""
    return foe(attacking) if number % 2 else attacking


class Retreat(Choice, frozen=True):
    """Retreat; the enemy has two Battle Actions first."""


class Stand(Choice, frozen=True):
    """Stay and fight."""


class BattleFormation(Decision, frozen=True):
    """DL-D16, DL-D17 The last chance to rearrange a Battle Party, move by move; each member moves at most once."""

    rule = "DL-091"

    def form(self, state: DisciplesState) -> One:
        """Keep it, or move one member."""
        battle = battle_of(state)
        return only((Keep(), *formation_moves(state, battle.party(self.by), battle.arranged)))

    def resolve(self, r: Resolver[DisciplesState], choice: Move | Keep) -> Flow:
        """DL-173: the other side sees it at once."""
        battle = battle_of(r.state)
        party = battle.party(self.by)
        if isinstance(choice, Move):
            move(r, party, choice)
            return Goto("DL-172" if self.by == battle.attacking else "DL-173")
        r.emit(FormationKept(party))
        return NEXT


class RetreatOffer(Decision, frozen=True):
    """DL-D18, DL-D19 Whether the Party retreats before this round."""

    rule = "DL-224"

    def form(self, state: DisciplesState) -> One:
        """Stand or retreat."""
        return only((Stand(), Retreat()))

    def resolve(self, r: Resolver[DisciplesState], choice: Retreat | Stand) -> Flow:
        """DL-217; DL-Q26: only one side can retreat."""
        if isinstance(choice, Stand):
            return NEXT
        r.emit(Retreated(self.by, FREE_ACTIONS))
        return Goto("DL-218")


class Battling(Procedure, frozen=True):
    """DL-171: `attacker` and `defender` are the Battle Parties, by their Leaders; `attacking` the Attacking Player."""

    attacker: MemberId
    defender: MemberId
    attacking: Seat

    @step("DL-170", "DL-171")
    def begin(self, r: Resolver[DisciplesState]) -> Flow:
        """Every other card is outside the Battle."""
        r.emit(BattleBegan(self.attacker, self.defender, self.attacking))
        return NEXT

    @step("DL-172")
    def attacker_arranges(self, r: Resolver[DisciplesState]) -> Flow:
        """Step 1."""
        return ask(BattleFormation(self.attacking))

    @step("DL-173", "DL-Q53")
    def defender_arranges(self, r: Resolver[DisciplesState]) -> Flow:
        """Step 2."""
        return ask(BattleFormation(foe(self.attacking)))

    @step("DL-Q63")
    def begin_effects(self, r: Resolver[DisciplesState]) -> Flow:
        """Between Step 2 and Step 3 of the first round: abilities at the beginning of a Battle."""
        begin_battle(r)
        return Goto("DL-188") if is_over(r.state) else NEXT

    @step("DL-174", "DL-224", "DL-Q27")
    def attacker_retreats(self, r: Resolver[DisciplesState]) -> Flow:
        """Step 3."""
        return ask(RetreatOffer(self.attacking))

    @step("DL-175")
    def defender_retreats(self, r: Resolver[DisciplesState]) -> Flow:
        """Step 4."""
        return ask(RetreatOffer(foe(self.attacking)))

    @step("DL-176", "DL-177")
    def round(self, r: Resolver[DisciplesState]) -> Flow:
        """Step 5: in round 1 the defender begins, in round 2 the attacker."""
        number = battle_of(r.state).round + 1
        r.emit(BattleRoundBegan(number, acts_first(self.attacking, number)))
        return Call(BattleRound())

    @step("DL-184", "DL-185", "DL-186")
    def end_of_round(self, r: Resolver[DisciplesState]) -> Flow:
        """Step 6: poison, the end of effects for the round, deaths, then all untap; after round 2 the Battle ends."""
        if is_over(r.state):
            return Goto("DL-188")
        _poison(r)
        _end_effects(r, "round")
        settle(r)
        if is_over(r.state):
            return Goto("DL-188")
        _untap(r)
        return Goto("DL-174" if battle_of(r.state).round < ROUNDS else "DL-188")

    @step("DL-218")
    def free_actions(self, r: Resolver[DisciplesState]) -> Flow:
        """DL-221: after them the Party escapes, if any member lives."""
        return Call(FreeActions())

    @step("DL-188", "DL-221", "DL-Q29")
    def end(self, r: Resolver[DisciplesState]) -> Flow:
        """Step 7: effects that last for the Battle end, and all members still in play untap.

        Damage stays (DL-205); members that defended are not spent for it (DL-Q30).
        """
        _end_effects(r, "round")
        _end_effects(r, "battle")
        settle(r)
        _untap(r)
        battle = battle_of(r.state)
        retreated = battle.party(battle.retreating) if battle.retreating >= 0 else NOBODY
        r.emit(BattleEnded(retreated if retreated in r.state.parties else NOBODY))
        return DONE


def _battling(state: DisciplesState) -> tuple[MemberId, ...]:
    battle = battle_of(state)
    parties = (party for party in (battle.attacker, battle.defender) if party in state.parties)
    return tuple(id_ for party in parties for id_ in members_of(state, party))


def _poison(r: Resolver[DisciplesState]) -> None:
    """6.2: at the start of Step 6; it works one time less from now on."""
    poisoned = [id_ for id_ in _battling(r.state) if r.state.members[id_].poison is not None]
    for id_ in poisoned:
        poison = r.state.members[id_].poison
        assert poison is not None
        deal(r, (id_,), poison.amount, TEXT)
    if poisoned:
        r.emit(PoisonFaded(tuple(poisoned)))


def _end_effects(r: Resolver[DisciplesState], until: Until) -> None:
    ended = []
    for id_ in _battling(r.state):
        member = r.state.members[id_]
        lasting = any(effect.until == until for effect in member.effects)
        warded = member.ward is not None and member.ward.until == until
        if lasting or warded or (until == "battle" and member.poison is not None):
            ended.append(id_)
    if ended:
        r.emit(EffectsEnded(until, tuple(ended)))


def _untap(r: Resolver[DisciplesState]) -> None:
    """DL-184: dead members untap too."""
    tapped = tuple(id_ for id_ in _battling(r.state) if r.state.members[id_].tapped)
    if tapped:
        r.emit(MembersUntapped(tapped, "DL-184"))
