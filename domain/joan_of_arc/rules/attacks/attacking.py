"""An attack from its beginning to its end (section K): participants, dice, effects, results, follow-up."""

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.cards.hooks import Attack as AttackKind
from domain.joan_of_arc.rules.actions.waiting import wait
from domain.joan_of_arc.rules.attacks.allocating import (
    Allocating,
    Cancelling,
    Guarding,
    bodyguards,
    room_of,
)
from domain.joan_of_arc.rules.attacks.applying import Applying, kills_then_disrupts, pushed, slayers
from domain.joan_of_arc.rules.attacks.besieging import Besieging, siege_engines
from domain.joan_of_arc.rules.attacks.charges import arrived, is_smooth, ride, ways
from domain.joan_of_arc.rules.attacks.dodging import Dodging, dodgers
from domain.joan_of_arc.rules.attacks.following import Following, riders
from domain.joan_of_arc.rules.attacks.improving import step_1, step_2
from domain.joan_of_arc.rules.attacks.pools import (
    attack_of,
    attack_pool,
    defence_pool,
    defenders,
    defending_seat,
    defending_seats,
    throw,
)
from domain.joan_of_arc.rules.attacks.retaliating import PushingBack, Retaliating, pushes_back
from domain.joan_of_arc.rules.attacks.swamps import ShieldSwallowing, swallows
from domain.joan_of_arc.rules.attacks.targets import besieged, foes_in, reaches, whole
from domain.joan_of_arc.rules.attacks.terror import Terrifying
from domain.joan_of_arc.rules.attacks.wrecking import Wrecking, trampled, wrecks
from domain.joan_of_arc.rules.granting import end_grants
from domain.joan_of_arc.rules.phases.victory import judge
from domain.joan_of_arc.rules.player_actions.legends import sides_at
from domain.joan_of_arc.rules.pushing import pushing
from domain.joan_of_arc.state.attack_events import AttackDeclared, AttackEnded, LossesCounted, ResultsDiscarded
from domain.joan_of_arc.state.attack_state import Fighter, Given
from domain.joan_of_arc.state.events import ActionResolved, UnitMarked
from domain.joan_of_arc.state.queries import acting, card_of, setting_of, side_of, stands_in, table_of, unit_of
from domain.joan_of_arc.state.state import JoanState, Plan, UnitId
from domain.kernel import DONE, NEXT, Call, Flow, Goto, Procedure, Resolver, Seat, ask, step


class Resolving(Procedure, frozen=True):
    """JA-124 to JA-145: from step 2, after both rolls and step 1."""

    @step("JA-124")
    def defence_effects(self, r: Resolver[JoanState]) -> Flow:
        """Step 2, the cards of the defender's side too (JA-D20)."""
        return Call(step_2(r.state))

    @step("JA-301")
    def swamp(self, r: Resolver[JoanState]) -> Flow:
        """JA-Q68: before shields are used."""
        return ask(ShieldSwallowing(attack_of(r.state).by)) if swallows(r.state) else NEXT

    @step("JA-123", "JA-125", "JA-126")
    def cancel(self, r: Resolver[JoanState]) -> Flow:
        """Step 3: shields cancel kills, then disrupts, then pushes."""
        return Call(Cancelling(defending_seats(r.state) if attack_of(r.state).defenders else ()))

    @step("JA-Q80")
    def siege(self, r: Resolver[JoanState]) -> Flow:
        """Results that go into a building."""
        engines = siege_engines(r.state)
        return Call(Besieging(engines)) if engines else NEXT

    @step("JA-127")
    def allocate(self, r: Resolver[JoanState]) -> Flow:
        """Step 4; JA-131: if no unit is there, all results are discarded."""
        dice = attack_of(r.state).results
        units = defenders(r.state)
        if dice and not units:
            r.emit(ResultsDiscarded("attack", tuple(die.face for die in dice)))
        return Call(Allocating("attack", dice, room_of(r.state, units))) if dice and units else NEXT

    @step("JA-253")
    def guard(self, r: Resolver[JoanState]) -> Flow:
        """Bodyguards act after the allocation, no matter which player allocated."""
        return Call(Guarding(bodyguards(r.state))) if attack_of(r.state).given else NEXT

    @step("JA-143")
    def retaliate(self, r: Resolver[JoanState]) -> Flow:
        """At the same time as the attack (JA-145)."""
        return Call(Retaliating())

    @step("JA-132")
    def apply(self, r: Resolver[JoanState]) -> Flow:
        """Kills and disrupts of the attack."""
        given = kills_then_disrupts(attack_of(r.state).given)
        return _applied(r.state, given) if given else NEXT

    @step("JA-145")
    def strike_back(self, r: Resolver[JoanState]) -> Flow:
        """Kills and disrupts of retaliation."""
        given = kills_then_disrupts(attack_of(r.state).returned)
        return Call(Applying(given, defending_seat(r.state))) if given else NEXT

    @step("JA-138")
    def push(self, r: Resolver[JoanState]) -> Flow:
        """JA-Q22: pushes on defenders, whose destination the attacker names."""
        by = attack_of(r.state).by
        units = tuple(unit for unit in pushed(attack_of(r.state).given) if unit_of(r.state, unit).spot == "board")
        return Call(pushing(units, by, by, captures=True)) if units else NEXT

    @step("JA-Q22")
    def push_back(self, r: Resolver[JoanState]) -> Flow:
        """Pushes on attackers."""
        return Call(PushingBack(pushes_back(r.state)))

    @step("JA-380")
    def trample(self, r: Resolver[JoanState]) -> Flow:
        """Every unit that is still there is pushed, but not twice (JA-Q51)."""
        by, units = attack_of(r.state).by, trampled(r.state)
        return Call(pushing(units, by, by, captures=True)) if units else NEXT

    @step("JA-381", "JA-382")
    def wreck(self, r: Resolver[JoanState]) -> Flow:
        """JA-345: the attacked units that are gone are counted; then gigantic dice break elements and buildings."""
        r.emit(LossesCounted(_gone(r.state)))
        return Call(Wrecking()) if wrecks(r.state) else DONE

    @step("JA-388")
    def end(self, r: Resolver[JoanState]) -> Flow:
        """All results are applied."""
        return DONE


class Attacking(Procedure, frozen=True):
    """JA-105: the one attack of all units that were declared against an area. `plans`: the units' plans as declared."""

    plans: tuple[Plan, ...]
    ridden: int = 0

    @step("JA-Q42")
    def charge(self, r: Resolver[JoanState]) -> Flow:
        """Chargers move first, way by way."""
        found = ways(self.plans)
        if self.ridden >= len(found):
            return Goto("JA-105")
        asks = ride(r, self.plans, found[self.ridden])
        return NEXT if asks is None else ask(asks)

    @step("JA-Q14")
    def next_way(self, r: Resolver[JoanState]) -> Flow:
        """The chargers of the next way move."""
        return Goto("JA-Q42", Attacking(self.plans, self.ridden + 1))

    @step("JA-105")
    def assemble(self, r: Resolver[JoanState]) -> Flow:
        """Units that can no longer attack wait (JA-090)."""
        moved = declare(r, self.plans)
        return NEXT if moved else DONE

    @step("JA-189")
    def declared_cards(self, r: Resolver[JoanState]) -> Flow:
        """JA-Q82: cards at the declaration, the attacker's side first, until all have passed."""
        by = attack_of(r.state).by
        return Call(sides_at(r.state, by, "attack_declared_self", "attack_declared_opponent"))

    @step("JA-288")
    def terror(self, r: Resolver[JoanState]) -> Flow:
        """Before a melee attack."""
        return Call(Terrifying()) if attack_of(r.state).kind == "melee" else NEXT

    @step("JA-107", "JA-108", "JA-119", "JA-120", "JA-121")
    def roll(self, r: Resolver[JoanState]) -> Flow:
        """The attack dice, then the defence dice."""
        if not attack_of(r.state).starts:
            return Goto("JA-151")
        throw(r, "attack", attack_pool(r.state), attack_of(r.state).by)
        throw(r, "defence", defence_pool(r.state), defending_seat(r.state))
        return NEXT

    @step("JA-266")
    def dodge(self, r: Resolver[JoanState]) -> Flow:
        """Checked once, before any reroll (JA-Q58)."""
        units = dodgers(r.state)
        return Call(Dodging(units)) if units else NEXT

    @step("JA-122")
    def attack_effects(self, r: Resolver[JoanState]) -> Flow:
        """Step 1, the cards of both sides too (JA-D18)."""
        return Call(step_1(r.state))

    @step("JA-124")
    def resolve(self, r: Resolver[JoanState]) -> Flow:
        """Steps 2 to 4, and their outcome."""
        return Call(Resolving())

    @step("JA-148")
    def follow(self, r: Resolver[JoanState]) -> Flow:
        """JA-Q85: the attack with its retaliation is one moment; then units that attacked in melee may follow up."""
        judge(r)
        return Call(Following(riders(r.state))) if attack_of(r.state).kind == "melee" else NEXT

    @step("JA-151")
    def end(self, r: Resolver[JoanState]) -> Flow:
        """The action is over, its target and the areas that chargers entered are used up."""
        attack = attack_of(r.state)
        end_grants(r, "end_of_attack")
        r.emit(AttackEnded(attack.target))
        done = set(acting(r.state).done)
        units = tuple(plan.unit for plan in self.plans if plan.unit not in done)
        first, *rest = attack.moved or (AreaId(""),)
        r.emit(ActionResolved(units, first, attack.target))
        for area in rest:
            r.emit(ActionResolved((), area))
        return DONE


def declare(r: Resolver[JoanState], plans: tuple[Plan, ...]) -> bool:
    """JA-102, JA-105: begin the attack of all units that still reach their target. Returns whether there is one."""
    target, by = plans[0].target, acting(r.state).by
    kind: AttackKind = "shooting" if plans[0].action == "shooting" else "melee"
    chargers = tuple(plan for plan in plans if plan.action == "charge")
    smooth = {plan.unit for plan in chargers if is_smooth(r.state, plan)}
    came = arrived(r.state, chargers)
    able = [plan.unit for plan in plans if (plan.action != "charge" or plan.unit in came)]
    able = [unit for unit in able if _reaches(r.state, unit, target, kind, by)]
    for plan in plans:
        if plan.unit not in able:
            _stop(r, plan, charged=plan in chargers and plan.unit not in came)
    if not able:
        return False
    starts = tuple((Fighter(unit), unit_of(r.state, unit).area) for unit in sorted(able))
    moved = tuple(dict.fromkeys(unit_of(r.state, unit).area for unit in came))
    charged = tuple(Fighter(unit) for unit in sorted(able) if unit in came)
    foes_there = _defenders(r.state, target, by)
    giants = tuple(Fighter(plan.unit) for plan in plans if plan.action == "trample" and plan.unit in able)
    for unit in giants:
        r.emit(UnitMarked(unit, "trampled"))
    momentum = tuple(unit for unit in charged if unit in smooth)
    r.emit(AttackDeclared(by, kind, target, starts, foes_there, charged, momentum, moved, giants))
    return True


def _stop(r: Resolver[JoanState], plan: Plan, *, charged: bool) -> None:
    """JA-303: a swamp stopped a charging unit; JA-Q14: or there was no room for it."""
    moved = charged and unit_of(r.state, plan.unit).area in plan.path
    wait(r, plan.unit, "JA-303" if moved else "JA-Q14" if charged else "JA-090", ends=moved)


def _defenders(state: JoanState, target: AreaId, by: Seat) -> tuple[Fighter, ...]:
    table, side = table_of(state), side_of(state, by) or ""
    found = (unit.unit for area in whole(table, target) for unit in foes_in(table, area, side))
    return tuple(Fighter(unit) for unit in sorted(set(found)))


def _reaches(state: JoanState, unit: UnitId, target: AreaId, kind: AttackKind, by: Seat) -> bool:
    found = unit_of(state, unit)
    card, table = card_of(state, found), table_of(state)
    if found.spot != "board" or not reaches(table, found.area, target, card, kind):
        return False
    return bool(_defenders(state, target, by)) or target in set(besieged(table, card))


def foes(state: JoanState) -> tuple[Seat, ...]:
    """JA-Q84: the players of the defending side, in turn order: the players of all other sides."""
    return setting_of(state).foes(attack_of(state).by)


def _gone(state: JoanState) -> int:
    """JA-345: the attacked units that were pushed, destroyed or disrupted; not units that dodged or took a wound to
    stay.
    """
    attack = attack_of(state)
    units = (unit_of(state, unit) for unit in attack.defenders)
    return sum(unit.spot != "board" or not stands_in(state, unit, attack.target) for unit in units)


def _applied(state: JoanState, given: tuple[Given, ...]) -> Flow:
    by = attack_of(state).by
    return Call(Applying(given, by, captures=True, slaying=slayers(state)))
