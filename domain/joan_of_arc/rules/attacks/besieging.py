"""Siege (ledger 6.3, JA-388): kills and disrupts of a war machine go into damage on a building."""

from itertools import product

from domain.joan_of_arc.cards.dice import Face
from domain.joan_of_arc.rules.attacks.pools import attack_of
from domain.joan_of_arc.rules.attacks.targets import is_building
from domain.joan_of_arc.rules.phases.burning import harm_building
from domain.joan_of_arc.state.attack_events import ResultsSpent
from domain.joan_of_arc.state.attack_state import Fighter, RolledDie
from domain.joan_of_arc.state.queries import card_of, table_of, unit_of
from domain.joan_of_arc.state.state import JoanState, UnitId
from domain.kernel import DONE, NEXT, Call, Choice, Decision, Flow, Goto, One, Procedure, Resolver, ask, only, step


class Batter(Choice, frozen=True):
    """Spend these numbers of kills and disrupts on the building."""

    kills: int
    disrupts: int


class BatterChoice(Decision, frozen=True):
    """JA-D22 The numbers of kills and disrupts that become damage."""

    rule = "JA-388"

    unit: UnitId

    def form(self, state: JoanState) -> One:
        """As many results as the unit has, or fewer."""
        faces = [die.face for die in spendable(state, self.unit)]
        kills, disrupts = range(faces.count(Face.KILL), -1, -1), range(faces.count(Face.DISRUPT), -1, -1)
        return only(tuple(Batter(*spent) for spent in product(kills, disrupts)))

    def resolve(self, r: Resolver[JoanState], choice: Batter) -> Flow:
        """JA-388: each is one damage token."""
        dice = spendable(r.state, self.unit)
        wanted = {Face.KILL: choice.kills, Face.DISRUPT: choice.disrupts}
        spent = tuple(die for face, number in wanted.items() for die in [d for d in dice if d.face is face][:number])
        if not spent:
            return NEXT
        r.emit(ResultsSpent(Fighter(self.unit), spent))
        asks = harm_building(r, attack_of(r.state).target, len(spent), self.by)
        return NEXT if asks is None else Call(asks)


def spendable(state: JoanState, unit: UnitId) -> tuple[RolledDie, ...]:
    """The kills and disrupts of a unit that shields left."""
    kinds = {Face.KILL, Face.DISRUPT}
    return tuple(die for die in attack_of(state).results if die.unit == unit and die.face in kinds)


def siege_engines(state: JoanState) -> tuple[UnitId, ...]:
    """JA-Q80: the attackers whose card has siege, while a building stands in the target area."""
    attack = attack_of(state)
    if not is_building(table_of(state), attack.target):
        return ()
    found = (UnitId(unit) for unit, _ in attack.starts)
    return tuple(unit for unit in found if "siege" in card_of(state, unit_of(state, unit)).powers)


class Besieging(Procedure, frozen=True):
    """JA-388: each siege engine in turn."""

    units: tuple[UnitId, ...]

    @step("JA-388")
    def batter(self, r: Resolver[JoanState]) -> Flow:
        """While the building stands."""
        if not self.units:
            return DONE
        standing = is_building(table_of(r.state), attack_of(r.state).target)
        if not standing or not spendable(r.state, self.units[0]):
            return NEXT
        return ask(BatterChoice(attack_of(r.state).by, self.units[0]))

    @step("JA-Q80")
    def next_engine(self, r: Resolver[JoanState]) -> Flow:
        """The next siege engine."""
        return Goto("JA-388", Besieging(self.units[1:]))
