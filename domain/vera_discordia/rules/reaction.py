"""Section X: the reaction of the target, and Metamorphosis, which happens in it."""

from domain.commons.cards import known
from domain.kernel import NEXT, Flow, Procedure, Resolver, step
from domain.vera_discordia.cards.cards import Ability, OrderType
from domain.vera_discordia.rules.launch import attack_of, discord_of
from domain.vera_discordia.rules.morale import Check, check_morale
from domain.vera_discordia.rules.orders import appearance, discard_order, effective_order, examine_order
from domain.vera_discordia.state.events import ChrysalisMet, RanksClosed, UnitOpened, UnitTransformed
from domain.vera_discordia.state.queries import has, profile_of
from domain.vera_discordia.state.state import UnitId, VeraState

HELD_FIRMLY = (OrderType.MANEUVER, OrderType.SUPPORT)


def open_unit(r: Resolver[VeraState], unit_id: UnitId, rule: str) -> None:
    """VD-045: a Closed Unit is turned face up, for good."""
    unit = r.state.units[unit_id]
    if not unit.open:
        r.emit(UnitOpened(unit_id, known(unit.card), known(unit.life), rule))


class Reaction(Procedure, frozen=True):
    """X. The same for Direct, Indirect and Aerial Attacks (VD-211)."""

    @step("VD-210", "VD-379")
    def examination(self, r: Resolver[VeraState]) -> Flow:
        """The target's order is seen by both; a Tactic that appears is declared."""
        target = attack_of(r.state).target
        examine_order(r, target, "VD-210")
        return appearance(r.state, target)

    @step("VD-051")
    def opening(self, r: Resolver[VeraState]) -> Flow:
        """A Closed target becomes Open."""
        open_unit(r, attack_of(r.state).target, "VD-051")
        return NEXT

    @step("VD-337", "VD-342")
    def metamorphosis(self, r: Resolver[VeraState]) -> Flow:
        """As soon as both are Open, before any check (VD-Q43)."""
        attack = attack_of(r.state)
        changing = [
            unit
            for unit in (attack.attacker, attack.target)
            if has(r.state, r.state.units[unit], Ability.METAMORPHOSIS)
        ]
        if len(changing) == 2:
            r.emit(ChrysalisMet(attack.attacker, attack.target))
        elif changing:
            other = attack.target if changing[0] == attack.attacker else attack.attacker
            transform(r, changing[0], other)
        return NEXT

    @step("VD-212", "VD-213", "VD-214", "VD-215", "VD-216")
    def check(self, r: Resolver[VeraState]) -> Flow:
        """Defense: Close Ranks. Maneuver or Support: Disorganisation. Attack or Exhausted: nothing (VD-318)."""
        target = attack_of(r.state).target
        order = effective_order(r.state, target)
        discord = discord_of(r.state, counter=False)
        if order is OrderType.DEFENSE:
            if check_morale(r, target, Check.CLOSE_RANKS, discord=discord):
                r.emit(RanksClosed(target))
        elif order in HELD_FIRMLY and not check_morale(r, target, Check.DISORGANISATION, discord=discord):
            discard_order(r, target, "VD-214")
        return NEXT


def transform(r: Resolver[VeraState], unit_id: UnitId, model: UnitId) -> None:
    """VD-337 to VD-341: a copy of the values printed on the enemy's card, with full life; for a changed enemy VD-Q71.

    The Heroism of the player's own General stays on top (VD-Q43).
    """
    unit = r.state.units[unit_id]
    card = known(r.state.units[model].card)
    life = profile_of(r.state, card, unit.seat, hero=unit.general, forest=False, changed=True).max_life  # VD-339
    r.emit(UnitTransformed(unit_id, card, life))
