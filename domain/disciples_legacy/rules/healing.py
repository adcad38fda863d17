"""2.P The Healing Phase: revive, heal 1, heal for (C); DL-108 to DL-120."""

from collections.abc import Iterator

from domain.commons.rows import BOTH
from domain.disciples_legacy.rules.dying import settle
from domain.disciples_legacy.rules.paying import TapCity, lose_surplus, tap, tappable
from domain.disciples_legacy.state.events import (
    CostPaid,
    CreditGiven,
    Healed,
    HealingConfirmed,
    HealingReopened,
    MemberRevived,
    MembersHealed,
    PhaseBegan,
)
from domain.disciples_legacy.state.queries import (
    can_pay,
    modifier,
    of_seat,
    untapped_yield,
)
from domain.disciples_legacy.state.state import DisciplesState, Member, MemberId
from domain.disciples_legacy.state.stats import revived_damage
from domain.kernel import NEXT, Choice, Decision, Flow, Goto, One, Procedure, Resolver, Seat, ask, only, step

UNIT_REVIVAL = 1
"""DL-110, in (C)."""
LEADER_REVIVAL = 2
"""DL-111, in (C)."""
REVIVED_HP = 1
"""DL-109."""
FREE_HP = 1
"""DL-113: the HP that every living member heals in Step 2."""
HP_PER_C = 2
"""DL-116."""


class Revive(Choice, frozen=True):
    """Revive this dead member."""

    member: str


class ConfirmRevives(Choice, frozen=True):
    """Revive no further member."""


class Heal(Choice, frozen=True):
    """Heal this member for 1 (C)."""

    member: str


class ConfirmHeals(Choice, frozen=True):
    """Heal no further member."""


def revival_price(state: DisciplesState, member: Member) -> int:
    """DL-110, DL-111; `free_revives` (6.2): this many Units a turn cost nothing."""
    if member.kind != "unit":
        return LEADER_REVIVAL
    free = state.sides[member.seat].free_revives < modifier(state, member.seat, "free_revives")
    return 0 if free else UNIT_REVIVAL


def revivable(state: DisciplesState, seat: int) -> tuple[Member, ...]:
    """DL-109, DL-112, DL-Q09: the player's dead members that are still in a Party, if the player can pay for one."""
    return tuple(
        member for member in of_seat(state, seat) if member.dead and can_pay(state, seat, revival_price(state, member))
    )


def wounded(state: DisciplesState, seat: int) -> tuple[Member, ...]:
    """DL-116, DL-Q09, DL-Q66: the player's own living members with damage."""
    return tuple(member for member in of_seat(state, seat) if not member.dead and member.damage)


class Revival(Decision, frozen=True):
    """DL-D04 Healing Step 1: the member to revive and the cards to tap; more may be tapped than needed (DL-Q07)."""

    rule = "DL-109"

    def form(self, state: DisciplesState) -> One:
        """No further member, a member that the available (C) can revive, or a City to tap."""
        return only((ConfirmRevives(), *self._options(state)))

    def _options(self, state: DisciplesState) -> Iterator[Choice]:
        credit = state.sides[self.by].credit
        for member in revivable(state, self.by):
            if revival_price(state, member) <= credit:
                yield Revive(member.id)
        for city in tappable(state, self.by):
            yield TapCity(city.id)

    def resolve(self, r: Resolver[DisciplesState], choice: Revive | TapCity | ConfirmRevives) -> Flow:
        """DL-109: the member comes back with 1 HP."""
        if isinstance(choice, TapCity):
            tap(r, self.by, choice.city)
        elif isinstance(choice, Revive):
            _revive(r, self.by, MemberId(choice.member))
        else:
            r.emit(HealingConfirmed(self.by))
        return NEXT


def _revive(r: Resolver[DisciplesState], seat: Seat, id_: MemberId) -> None:
    member = r.state.members[id_]
    price = revival_price(r.state, member)
    if price:
        r.emit(CostPaid(seat, price, "DL-110" if member.kind == "unit" else "DL-111"))
    r.emit(MemberRevived(id_, revived_damage(r.state, id_, REVIVED_HP), "DL-109", free=price == 0))
    # DL-204: its passives may lower the Max HP of others.
    settle(r)


class HealingPurchase(Decision, frozen=True):
    """DL-D05 Healing Step 3: the member to heal, and the cards to tap for it; each (C) heals one member (DL-235)."""

    rule = "DL-116"

    def form(self, state: DisciplesState) -> One:
        """No further member, a member that has damage, or a City to tap."""
        return only((ConfirmHeals(), *self._options(state)))

    def _options(self, state: DisciplesState) -> Iterator[Choice]:
        if state.sides[self.by].credit:
            for member in wounded(state, self.by):
                yield Heal(member.id)
        for city in tappable(state, self.by):
            yield TapCity(city.id)

    def resolve(self, r: Resolver[DisciplesState], choice: Heal | TapCity | ConfirmHeals) -> Flow:
        """DL-117: one (C) heals one member; DL-119: any surplus is lost."""
        if isinstance(choice, TapCity):
            tap(r, self.by, choice.city)
        elif isinstance(choice, Heal):
            member = r.state.members[MemberId(choice.member)]
            each = HP_PER_C + modifier(r.state, self.by, "heal3_amount")
            r.emit(CostPaid(self.by, 1, "DL-116"))
            r.emit(MembersHealed((Healed(member.id, min(each, member.damage)),), "DL-116"))
        else:
            r.emit(HealingConfirmed(self.by))
        return NEXT


class Healing(Procedure, frozen=True):
    """DL-108: three steps, each finished for both before the next begins; no order within a step (DL-Q08, DL-Q67)."""

    @step("DL-108")
    def begin(self, r: Resolver[DisciplesState]) -> Flow:
        """Step 1 is open."""
        r.emit(PhaseBegan("healing", 1))
        r.emit(HealingReopened())
        return NEXT

    @step("DL-109", "DL-110", "DL-111", "DL-112")
    def revive(self, r: Resolver[DisciplesState]) -> Flow:
        """Players with a member to revive are asked until both have finished."""
        asked = [seat for seat in BOTH if not r.state.sides[seat].confirmed and revivable(r.state, seat)]
        return ask(*(Revival(seat) for seat in asked)) if asked else NEXT

    @step("DL-D04")
    def revive_more(self, r: Resolver[DisciplesState]) -> Flow:
        """Repeat until no player revives any more."""
        open_ = any(not r.state.sides[seat].confirmed and revivable(r.state, seat) for seat in BOTH)
        return Goto("DL-109") if open_ else NEXT

    @step("DL-113", "DL-114", "DL-115")
    def heal(self, r: Resolver[DisciplesState]) -> Flow:
        """Every living member heals 1 HP, those just revived as well, the dead nothing."""
        r.emit(PhaseBegan("healing", 2))
        healed = tuple(
            Healed(member.id, FREE_HP) for member in r.state.members.values() if not member.dead and member.damage
        )
        if healed:
            r.emit(MembersHealed(healed, "DL-113"))
        return NEXT

    @step("DL-120")
    def bonus(self, r: Resolver[DisciplesState]) -> Flow:
        """Step 3 is open; `heal3_bonus_c` (6.2) is there for it."""
        r.emit(PhaseBegan("healing", 3))
        r.emit(HealingReopened())
        for seat in BOTH:
            bonus = modifier(r.state, seat, "heal3_bonus_c")
            if bonus:
                r.emit(CreditGiven(seat, bonus, "DL-Q51"))
        return NEXT

    @step("DL-116", "DL-117", "DL-118", "DL-119")
    def buy(self, r: Resolver[DisciplesState]) -> Flow:
        """Players with a member to heal, and (C) for it, are asked until both have finished."""
        asked = [seat for seat in BOTH if _may_heal(r.state, seat)]
        return ask(*(HealingPurchase(seat) for seat in asked)) if asked else NEXT

    @step("DL-D05")
    def buy_more(self, r: Resolver[DisciplesState]) -> Flow:
        """Repeat until no player heals any more."""
        return Goto("DL-116") if any(_may_heal(r.state, seat) for seat in BOTH) else NEXT

    @step("DL-084", "DL-083")
    def lose(self, r: Resolver[DisciplesState]) -> Flow:
        """The rest of Step 1's surplus is lost."""
        for seat in BOTH:
            lose_surplus(r, seat)
        return NEXT


def _may_heal(state: DisciplesState, seat: int) -> bool:
    side = state.sides[seat]
    return not side.confirmed and bool(side.credit or untapped_yield(state, seat)) and bool(wounded(state, seat))
