"""Section U: Attack orders in general: type, target, declaration."""

from domain.commons.rows import BOTH
from domain.kernel import DONE, NEXT, Call, Choice, Decision, Flow, Next, One, Procedure, Resolver, Seat, ask, step
from domain.vera_discordia.rules.aerial_attack import AerialAttack
from domain.vera_discordia.rules.direct_attack import DirectAttack
from domain.vera_discordia.rules.indirect_attack import IndirectAttack
from domain.vera_discordia.rules.strategy import Strategy, strike_of
from domain.vera_discordia.rules.terrain import attack_column_is_targets
from domain.vera_discordia.state.events import AttackDeclared, AttackFailed, PlayerGrounded, StrategyResumed
from domain.vera_discordia.state.queries import (
    aerial_targets,
    attack_kinds,
    column_of,
    direct_targets,
    indirect_target,
    unit_at,
)
from domain.vera_discordia.state.state import AttackKind, Space, Strike, Unit, UnitId, VeraState


def ground(r: Resolver[VeraState], seat: Seat) -> None:
    """VD-253: the player executed an order other than an Aerial Attack on the player's own turn (VD-Q33, VD-Q68).

    Several Aerial Attacks may come first (VD-255); Counterattacks never count (VD-254).
    """
    if not r.state.sides[seat].grounded:
        r.emit(PlayerGrounded(seat))


def targets(state: VeraState, attacker: Unit, kind: AttackKind) -> list[Unit]:
    """The Units that an attack of this type may be aimed at."""
    if kind is AttackKind.DIRECT:
        return direct_targets(state, attacker)
    if kind is AttackKind.AERIAL:
        return aerial_targets(state, attacker)
    target = indirect_target(state, attacker)
    return [target] if target else []


class AttackBy(Choice, frozen=True):
    """Attack in this way."""

    kind: AttackKind


class AttackSelection(Decision, frozen=True):
    """VD-188 Several types are possible: the player chooses one."""

    rule = "VD-188"

    unit: UnitId
    closed: bool

    def form(self, state: VeraState) -> One:
        """Every possible type."""
        kinds = attack_kinds(state, state.units[self.unit], direct_only=False)
        return One(tuple(AttackBy(kind) for kind in kinds))

    def resolve(self, r: Resolver[VeraState], choice: AttackBy) -> Flow:
        """The attack must be made."""
        return Next(become=AttackOrder(self.unit, self.closed, kind=choice.kind))


class Target(Choice, frozen=True):
    """Attack this Unit."""

    unit: UnitId


class TargetSelection(Decision, frozen=True):
    """VD-193 Several Units are in reach: the attacker names one (VD-195, VD-257)."""

    rule = "VD-193"

    unit: UnitId
    kind: AttackKind
    closed: bool

    def form(self, state: VeraState) -> One:
        """Every Unit in reach."""
        return One(tuple(Target(unit.id) for unit in targets(state, state.units[self.unit], self.kind)))

    def resolve(self, r: Resolver[VeraState], choice: Target) -> Flow:
        """The attack is declared."""
        declare_attack(r, self.unit, choice.unit, self.kind, closed=self.closed)
        return NEXT


def declare_attack(
    r: Resolver[VeraState], unit_id: UnitId, target_id: UnitId, kind: AttackKind, *, closed: bool
) -> None:
    """Fix the facts of the whole attack: target, column (VD-291 to VD-294), Opening (VD-198), Closed Units."""
    state = r.state
    unit, target = state.units[unit_id], state.units[target_id]
    if kind is not AttackKind.AERIAL:
        ground(r, unit.seat)
    column = column_of(target.space if attack_column_is_targets(kind) else unit.space)
    front = unit_at(state, target.seat, Space(f"V{unit.space[1]}"))
    inspired = state.sides[unit.seat].inspired == unit_id
    r.emit(
        AttackDeclared(
            attacker=unit_id,
            target=target_id,
            kind=kind,
            column=column,
            opening=kind is AttackKind.DIRECT and front is None,
            closed_attacker=closed,
            closed_target=not target.open,
            strike=strike_of(state, unit.seat) if inspired else Strike(),
        )
    )


PROCEDURES: dict[AttackKind, type[DirectAttack | IndirectAttack | AerialAttack]] = {
    AttackKind.DIRECT: DirectAttack,
    AttackKind.INDIRECT: IndirectAttack,
    AttackKind.AERIAL: AerialAttack,
}


class AttackOrder(Procedure, frozen=True):
    """U. A Unit carries out an Attack order, already discarded. `closed`: it was Closed until this order."""

    unit: UnitId
    closed: bool
    direct_only: bool = False
    kind: AttackKind | None = None

    @step("VD-186", "VD-187", "VD-188", "VD-189", "VD-190")
    def type(self, r: Resolver[VeraState]) -> Flow:
        """One of the possible types; if there is none, nothing else happens (VD-Q69)."""
        unit = r.state.units[self.unit]
        kinds = attack_kinds(r.state, unit, direct_only=self.direct_only)
        if not kinds:
            r.emit(AttackFailed(self.unit))
            ground(r, unit.seat)
            return DONE
        if len(kinds) > 1:
            return ask(AttackSelection(unit.seat, self.unit, self.closed))
        return Next(become=AttackOrder(self.unit, self.closed, self.direct_only, kinds[0]))

    @step("VD-193", "VD-191", "VD-192", "VD-194", "VD-246", "VD-256", "VD-257")
    def target(self, r: Resolver[VeraState]) -> Flow:
        """The only Unit in reach, or the one named."""
        assert self.kind is not None, "the type is chosen"
        unit = r.state.units[self.unit]
        reach = targets(r.state, unit, self.kind)
        if len(reach) > 1:
            return ask(TargetSelection(unit.seat, self.unit, self.kind, self.closed))
        declare_attack(r, self.unit, reach[0].id, self.kind, closed=self.closed)
        return NEXT

    @step("VD-211")
    def attack(self, r: Resolver[VeraState]) -> Flow:
        """The attack itself."""
        assert self.kind is not None, "the type is chosen"
        return Call(PROCEDURES[self.kind]())

    @step("VD-064")
    def deferred(self, r: Resolver[VeraState]) -> Flow:
        """6.4, 2: a Strategy used in the Counterattack takes effect now."""
        for seat in BOTH:
            unit = r.state.sides[seat].deferred
            if unit is not None:
                r.emit(StrategyResumed(seat))
                return Call(Strategy(seat, unit))
        return NEXT
