"""After melee: follow-up (JA-148 to JA-151, JA-276) and cavalry breakthrough (JA-345, JA-346)."""

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.table import adjacent, entry_bar, follow_up_barred, move_bar
from domain.joan_of_arc.rules.actions.walking import room_for
from domain.joan_of_arc.rules.attacks.pools import attack_of, hostile_left, target_areas
from domain.joan_of_arc.rules.attacks.results import breaks_through
from domain.joan_of_arc.rules.moving import shift
from domain.joan_of_arc.state.queries import card_of, optional_rules, side_of, standing, table_of, travelling, unit_of
from domain.joan_of_arc.state.state import JoanState, UnitId
from domain.kernel import DONE, NEXT, Choice, Decision, Flow, Goto, One, Pick, Procedure, Resolver, ask, only, step


class FollowUp(Choice, frozen=True):
    """These units move into the attacked area."""

    units: tuple[str, ...]


class FollowUpChoice(Decision, frozen=True):
    """JA-D32 The units that follow up; JA-276: impetuous units have moved already."""

    rule = "JA-148"

    area: AreaId

    def form(self, state: JoanState) -> Pick:
        """JA-150: some, all or none of the units that may, as many as find room."""
        units = followers(state, self.area)
        return Pick(FollowUp, units, 0, room_for(state, units, (self.area,)))

    def resolve(self, r: Resolver[JoanState], choice: FollowUp) -> Flow:
        """They move together."""
        units = tuple(UnitId(unit) for unit in choice.units)
        if units:
            shift(r, units, (self.area,), "follow_up")
        return NEXT


class ImpetuousChoice(Decision, frozen=True):
    """JA-D32 The impetuous units that follow up, if there is no room for all of them."""

    rule = "JA-276"

    area: AreaId

    def form(self, state: JoanState) -> Pick:
        """As many as find room, no fewer."""
        units = tuple(unit for unit in followers(state, self.area) if is_impetuous(state, unit))
        most = room_for(state, units, (self.area,))
        return Pick(FollowUp, units, most, most)

    def resolve(self, r: Resolver[JoanState], choice: FollowUp) -> Flow:
        """They move together."""
        shift(r, tuple(UnitId(unit) for unit in choice.units), (self.area,), "follow_up")
        return NEXT


def is_impetuous(state: JoanState, unit: UnitId) -> bool:
    """JA-276: whether a unit must follow up."""
    return card_of(state, unit_of(state, unit)).skills.impetuous


def followers(state: JoanState, area: AreaId) -> tuple[UnitId, ...]:
    """JA-148, JA-149: attackers on the board whose dice were in the roll and that nothing bars (JA-218, JA-332,
    JA-337) from an attacked area, while no enemy is left in the attacked areas; JA-151: never after shooting; JA-Q72:
    nor units that have ridden on.
    """
    attack = attack_of(state)
    if attack.kind != "melee" or hostile_left(state):
        return ()
    units = (UnitId(unit) for unit, _ in attack.starts)
    return tuple(unit for unit in units if unit not in attack.rode and _may_follow(state, unit, area))


def _may_follow(state: JoanState, unit: UnitId, area: AreaId) -> bool:
    attack, found = attack_of(state), unit_of(state, unit)
    if found.spot != "board" or found.area in target_areas(state) or card_of(state, found).gigantic:
        return False
    (alone,) = standing(state, (unit,))
    start, side = dict(attack.starts)[unit], side_of(state, found.owner) or ""
    if follow_up_barred(table_of(state), start, area, alone):
        return False
    return move_bar(table_of(state), found.area, area, travelling(state, (unit,)), side) is None


class BreakThrough(Choice, frozen=True):
    """Ride on into this area."""

    area: AreaId


class HoldBack(Choice, frozen=True):
    """Do not ride on."""


class BreakthroughOffer(Decision, frozen=True):
    """JA-D33 Whether a cavalry unit rides on after its charge."""

    rule = "JA-345"

    unit: UnitId

    def form(self, state: JoanState) -> One:
        """JA-346: any free or allied area beside the attacked one."""
        return only((HoldBack(), *(BreakThrough(area) for area in openings(state, self.unit))))

    def resolve(self, r: Resolver[JoanState], choice: BreakThrough | HoldBack) -> Flow:
        """JA-Q72: it replaces follow-up for this unit."""
        if isinstance(choice, BreakThrough):
            shift(r, (self.unit,), (choice.area,), "breakthrough")
        return NEXT


def openings(state: JoanState, unit: UnitId) -> tuple[AreaId, ...]:
    """JA-346: the areas adjacent to the attacked area that the unit could enter."""
    table, found = table_of(state), unit_of(state, unit)
    side = side_of(state, found.owner) or ""
    attacked = target_areas(state)
    near = {area for each in attacked for area in adjacent(table, each)} - {found.area, *attacked[1:]}
    return tuple(
        area for area in table.board.in_order(near) if entry_bar(table, area, travelling(state, (unit,)), side) is None
    )


def riders(state: JoanState) -> tuple[UnitId, ...]:
    """JA-345, JA-Q72: the cavalry that charged, if half of the attacked units are gone; JA-276: an impetuous unit that
    can follow up must do that instead.
    """
    attack = attack_of(state)
    attacked = len(attack.defenders) + len(attack.dodged)
    if not optional_rules(state).cavalry_breakthrough or not breaks_through(attacked, attack.gone):
        return ()
    able = (unit for area in target_areas(state) for unit in followers(state, area))
    must = {unit for unit in able if is_impetuous(state, unit)}
    found = (UnitId(unit) for unit in attack.charged if unit not in must)
    return tuple(unit for unit in found if _is_rider(state, unit) and openings(state, unit))


def _is_rider(state: JoanState, unit: UnitId) -> bool:
    found = unit_of(state, unit)
    return found.spot == "board" and card_of(state, found).arm == "cavalry"


class Following(Procedure, frozen=True):
    """JA-148: the follow-up of attackers after melee. `riders`: the cavalry not asked whether it rides on; `at`: the
    number of the attacked area that they may enter now (JA-Q52: a hex that a gigantic creature filled has several).
    """

    riders: tuple[UnitId, ...]
    at: int = 0

    @step("JA-345", "JA-346")
    def ride(self, r: Resolver[JoanState]) -> Flow:
        """Each by itself, before the others follow up."""
        if not self.riders:
            return Goto("JA-276")
        unit = unit_of(r.state, self.riders[0])
        if unit.owner is None or not openings(r.state, unit.id):
            return NEXT
        return ask(BreakthroughOffer(unit.owner, unit.id))

    @step("JA-Q72")
    def next_rider(self, r: Resolver[JoanState]) -> Flow:
        """The next rider."""
        return Goto("JA-345", Following(self.riders[1:]))

    @step("JA-276")
    def impetuous(self, r: Resolver[JoanState]) -> Flow:
        """Impetuous units must follow up whenever they can; if not all of them fit, their owner picks."""
        area = target_areas(r.state)[self.at]
        units = tuple(unit for unit in followers(r.state, area) if is_impetuous(r.state, unit))
        most = room_for(r.state, units, (area,)) if units else 0
        if most < len(units):
            return ask(ImpetuousChoice(attack_of(r.state).by, area))
        if units:
            shift(r, units, (area,), "follow_up")
        return NEXT

    @step("JA-148", "JA-149", "JA-150")
    def follow(self, r: Resolver[JoanState]) -> Flow:
        """The other units may follow up."""
        area = target_areas(r.state)[self.at]
        return ask(FollowUpChoice(attack_of(r.state).by, area)) if followers(r.state, area) else NEXT

    @step("JA-Q52")
    def next_area(self, r: Resolver[JoanState]) -> Flow:
        """The next area of the hex."""
        more = self.at + 1 < len(target_areas(r.state))
        return Goto("JA-276", Following(self.riders, self.at + 1)) if more else NEXT

    @step("JA-151")
    def end(self, r: Resolver[JoanState]) -> Flow:
        """The attack is over."""
        return DONE
