"""2.AA Attacks: styles adj, any and all, damage at once, then on-hit effects (DL-195 to DL-200)."""

from collections.abc import Iterator

from domain.disciples_legacy.cards import hooks
from domain.disciples_legacy.rules.battle.adjacency import adjacent_enemies, opposing
from domain.disciples_legacy.rules.dying import bury, deal, judge, wipe_out
from domain.disciples_legacy.rules.effects import TEXT, heal
from domain.disciples_legacy.state.events import MembersTapped, Poisoned, Struck
from domain.disciples_legacy.state.queries import cards_of, living
from domain.disciples_legacy.state.state import DisciplesState, MemberId, Poison
from domain.disciples_legacy.state.stats import attack, style
from domain.kernel import Choice, Resolver


class Strike(Choice, frozen=True):
    """This member attacks that one. With style all it attacks every enemy, and `target` is empty."""

    member: str
    target: str = ""


def strikes(state: DisciplesState, member: MemberId) -> Iterator[Strike]:
    """DL-196 to DL-198: the targets that the member's style reaches; none outside the Battle (DL-194)."""
    enemies = living(state, opposing(state, member))
    if not enemies:
        return
    reach = style(state, member)
    if reach == "all":
        yield Strike(member)
    else:
        for target in enemies if reach == "any" else adjacent_enemies(state, member):
            yield Strike(member, target)


def strike(r: Resolver[DisciplesState], choice: Strike) -> None:
    """DL-199: the damage is dealt at once; the target does not strike back (DL-200)."""
    member = MemberId(choice.member)
    targets = (MemberId(choice.target),) if choice.target else living(r.state, opposing(r.state, member))
    amount = attack(r.state, member)
    r.emit(MembersTapped((member,), "DL-195"))
    r.emit(Struck(member, targets, amount))
    hits = tuple(on_hit(r.state, member))
    damaged = deal(r, targets, amount, "DL-196" if choice.target else "DL-198")
    bury(r)
    if damaged:
        _after_hit(r, member, damaged, hits)
    wipe_out(r)
    judge(r)


def on_hit(state: DisciplesState, member: MemberId) -> Iterator[hooks.Ability]:
    """6.2, window H: the abilities of the member's card and of the Items it carries."""
    index = cards_of(state)
    found = state.members[member]
    for card in (found.card, *found.items):
        yield from (ability for ability in index.abilities[card] if ability.window == "H")


def _after_hit(
    r: Resolver[DisciplesState], member: MemberId, damaged: tuple[MemberId, ...], hits: tuple[hooks.Ability, ...]
) -> None:
    """6.2: poison on each damaged target that lives; the attacker drains only once."""
    for ability in hits:
        if isinstance(ability.op, hooks.PoisonOperation):
            _poison(r, damaged, ability.op)
    for ability in hits:
        if isinstance(ability.op, hooks.Drain):
            heal(r, (member,), ability.op.n, TEXT)


def _poison(r: Resolver[DisciplesState], damaged: tuple[MemberId, ...], op: hooks.PoisonOperation) -> None:
    """A new poison replaces an old one if it is not weaker; Minor Leaders are immune (DL-Q23)."""
    targets = []
    for id_ in damaged:
        member = r.state.members[id_]
        weaker = member.poison is not None and member.poison.amount > op.n
        if not member.dead and member.kind != "minor" and not weaker:
            targets.append(id_)
    if targets and op.n and op.rounds:
        r.emit(Poisoned(tuple(targets), Poison(op.n, op.rounds)))
