"""The attack action (section J): melee and shooting; all units that name an area attack it together (JA-105)."""

from collections.abc import Iterator

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.cards.hooks import Attack as AttackKind
from domain.joan_of_arc.rules.actions.declared import ATTACKS, Declared
from domain.joan_of_arc.rules.attacks.attacking import Attacking
from domain.joan_of_arc.rules.attacks.targets import besieged, enemy_areas, foes_in, reaches
from domain.joan_of_arc.state.queries import card_of, side_of, table_of
from domain.joan_of_arc.state.state import Activation, JoanState, Plan, Unit, UnitId
from domain.kernel import Procedure, Resolver


class Melee(Declared, frozen=True):
    """Attack this area in melee."""

    area: AreaId

    def plan(self, unit: UnitId) -> Plan:
        """With all units that attack the area."""
        return Plan(unit, "melee", target=self.area)


class Shoot(Declared, frozen=True):
    """Shoot at this area."""

    area: AreaId

    def plan(self, unit: UnitId) -> Plan:
        """With all units that shoot at the area."""
        return Plan(unit, "shooting", target=self.area)


def offers(state: JoanState, unit: Unit, now: Activation) -> Iterator[Declared]:
    """JA-102, JA-103, JA-106: an enemy area in reach, in melee or by shooting."""
    card, table = card_of(state, unit), table_of(state)
    kinds: tuple[AttackKind, ...] = ("melee",) if card.melee is not None else ()
    kinds += ("shooting",) if card.shoot is not None else ()
    for area in enemy_areas(state, now.by) if kinds else ():
        for kind in kinds:
            if open_target(now, area, kind) and reaches(table, unit.area, area, card, kind):
                yield Melee(area) if kind == "melee" else Shoot(area)
    side = side_of(state, now.by) or ""
    for area in besieged(table, card):
        free = not foes_in(table, area, side) and open_target(now, area, "shooting")
        if free and reaches(table, unit.area, area, card, "shooting"):
            yield Shoot(area)


def open_target(now: Activation, area: AreaId, kind: AttackKind) -> bool:
    """JA-104: an area that was not attacked in this activation; JA-Q15: nor by the other kind of attack."""
    if area in now.attacked:
        return False
    others = (plan for plan in now.plans if plan.target == area and plan.action in ATTACKS)
    return all((plan.action == "shooting") == (kind == "shooting") for plan in others)


def carry_out(r: Resolver[JoanState], plans: tuple[Plan, ...]) -> Procedure | None:
    """JA-105, JA-Q42: one attack of all of them, after the chargers have moved."""
    return Attacking(plans)
