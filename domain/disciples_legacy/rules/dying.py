"""2.AB, 2.AC, 2.AD, 2.AF: damage, death, Parties wiped out, and defeat."""

from collections.abc import Iterable

from domain.commons.cards import known
from domain.commons.rows import BOTH
from domain.disciples_legacy.state.events import (
    Hurt,
    ItemMoved,
    ItemsDiscarded,
    MembersDamaged,
    MembersDied,
    PartyWipedOut,
    ReservesShown,
)
from domain.disciples_legacy.state.queries import (
    loses,
    members_of,
)
from domain.disciples_legacy.state.state import DisciplesState, MemberId
from domain.disciples_legacy.state.stats import max_hp
from domain.kernel import Resolver, Seat


def deal(r: Resolver[DisciplesState], targets: Iterable[MemberId], amount: int, rule: str) -> tuple[MemberId, ...]:
    """DL-202: damage to all targets at once, wards first (6.2). Returns the damaged ones; deaths come later."""
    hurt = []
    for id_ in targets:
        member = r.state.members[id_]
        absorbed = min(member.ward.points, amount) if member.ward is not None else 0
        # DL-Q39: no more damage lies on a card than its Max HP.
        room = max_hp(r.state, id_) - member.damage
        hurt.append(Hurt(id_, min(amount - absorbed, max(0, room)), absorbed))
    if hurt:
        r.emit(MembersDamaged(tuple(hurt), rule))
    return tuple(each.member for each in hurt if each.damage)


def settle(r: Resolver[DisciplesState]) -> None:
    """Settle deaths, wipe-outs and the result, after any event that may kill."""
    bury(r)
    wipe_out(r)
    judge(r)


def bury(r: Resolver[DisciplesState]) -> None:
    """DL-207: a member with damage equal to its Max HP is dead; a death may lower the Max HP of others."""
    while True:
        dead = []
        for member in r.state.members.values():
            if not member.dead and member.damage:
                whole = max_hp(r.state, member.id)
                if member.damage >= whole:
                    dead.append(Hurt(member.id, whole))
        if not dead:
            return
        r.emit(MembersDied(tuple(dead)))


def wipe_out(r: Resolver[DisciplesState]) -> None:
    """DL-212, DL-216: Parties without a living member go to the discard pile; others stay (DL-210)."""
    members, parties = r.state.members, r.state.parties
    gone = [p for p in parties if members[p].dead and all(members[id_].dead for id_ in members_of(r.state, p))]
    for party in gone:
        _give_items(r, party, _victor(r.state, party, gone))
    for party in gone:
        cards = tuple(r.state.members[id_].card for id_ in members_of(r.state, party))
        r.emit(PartyWipedOut(party, cards))


def _victor(state: DisciplesState, party: MemberId, gone: list[MemberId]) -> MemberId | None:
    """DL-213, DL-Q36, DL-Q48: the living Leader of the opposing Battle Party; None if there is none."""
    battle = state.battle
    if battle is None or party not in {battle.attacker, battle.defender}:
        return None
    other = battle.attacker if party == battle.defender else battle.defender
    if other in gone or other not in state.parties or state.members[other].dead:
        return None
    return other


def _give_items(r: Resolver[DisciplesState], party: MemberId, victor: MemberId | None) -> None:
    """DL-213 to DL-215, DL-Q37: captured Items, without those the victor already has (DL-214), or all discarded."""
    for item in r.state.members[party].items:
        if victor is not None and item not in r.state.members[victor].items:
            r.emit(ItemMoved(item, party, victor, "DL-213"))
    left = r.state.members[party].items
    if left:
        r.emit(ItemsDiscarded(party, left, "DL-214" if victor is not None else "DL-215"))


def judge(r: Resolver[DisciplesState]) -> None:
    """DL-225, DL-Q48: a player without living members has lost; both at once is a draw.

    There is no other way to lose (DL-227) but conceding, which is the kernel's `Resigned` (DL-Q49).
    """
    lost = [seat for seat in BOTH if loses(r.state, seat)]
    if len(lost) == len(BOTH):
        finish(r, None, "nobody is left", "DL-Q48")
    if lost:
        finish(r, Seat(1 - lost[0]), "no living Leader or Unit", "DL-225")


def finish(r: Resolver[DisciplesState], winner: Seat | None, reason: str, rule: str) -> None:
    """The match is over; both hands and deck names are public (DL-Q59)."""
    for event in reserves(r.state):
        r.emit(event)
    r.end(winner, reason, rule)


def reserves(state: DisciplesState) -> Iterable[ReservesShown]:
    """DL-Q59: both hands and deck names, which every end opens."""
    for seat in BOTH:
        side = state.sides[seat]
        deck = known(side.deck)
        yield ReservesShown(seat, deck.id if deck is not None else "", known(side.hand))


def discard_duplicates(r: Resolver[DisciplesState], leader: MemberId) -> None:
    """DL-071: all copies but one of an Item go to the discard pile."""
    items = r.state.members[leader].items
    surplus = tuple(item for at, item in enumerate(items) if item in items[:at])
    if surplus:
        r.emit(ItemsDiscarded(leader, surplus, "DL-071"))
