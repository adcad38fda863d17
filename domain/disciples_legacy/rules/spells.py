"""2.K Spells (DL-074 to DL-081)."""

from collections.abc import Iterator

from domain.disciples_legacy.cards import hooks
from domain.disciples_legacy.cards.cards import Spell
from domain.disciples_legacy.rules.effects import Use, carry_out
from domain.disciples_legacy.rules.planting import with_ability
from domain.disciples_legacy.rules.targets import NO_TARGET, choices_of
from domain.disciples_legacy.state.events import LeaderSpent, SpellCast
from domain.disciples_legacy.state.queries import (
    MOST_MINOR,
    Ready,
    cards_of,
    hand_of,
    has_race,
    leaders,
    mana_owned,
    ready_leaders,
)
from domain.disciples_legacy.state.state import NOBODY, Codes, DisciplesState, MemberId
from domain.kernel import NEXT, Choice, Flow, Resolver, Seat


class Cast(Choice, frozen=True):
    """This Rod Planter casts this Spell on this target: a member, a Party by its Leader, a place, or nothing.

    The Summon of a Leader whom the caster controls is cast on that Leader to remove its damage (DL-080).
    """

    leader: str
    spell: str
    target: str = ""


def actions(state: DisciplesState, seat: Seat, ready: Ready) -> Iterator[Cast]:
    """DL-074: the Spells of the hand that may be cast now, with all their targets."""
    # DL-077
    if state.sides[seat].cast:
        return
    planters = with_ability(state, ready, hooks.CastOperation)
    if not planters:
        return
    index = cards_of(state)
    for card in hand_of(state, seat):
        if card in index.spells:
            for target in targets(state, seat, index.spells[card]):
                for leader in planters:
                    yield Cast(leader, card, target)


def is_paid(state: DisciplesState, seat: Seat, spell: Spell) -> bool:
    """DL-075, DL-070, DL-Q40: as much Mana of each colour is owned as the Spell shows."""
    return all(mana_owned(state, seat, colour) >= symbols for colour, symbols in spell.mana.items())


def targets(state: DisciplesState, seat: Seat, spell: Spell) -> tuple[str, ...]:
    """DL-076, DL-081: the legal targets, none if Mana, race or every target is missing."""
    if not has_race(state, seat, spell.race) or not is_paid(state, seat, spell):
        return ()
    (ability,) = cards_of(state).abilities[spell.id]
    if isinstance(ability.op, hooks.Summon):
        return _summon_targets(state, seat, ability.op.card)
    return choices_of(state, seat, NOBODY, ability)


def _summon_targets(state: DisciplesState, seat: Seat, card: str) -> tuple[str, ...]:
    """DL-079, DL-Q41: one copy in play overall; DL-080: the player's own copy may be healed, or not (DL-D25)."""
    there = next((member for member in state.members.values() if member.card == card), None)
    if there is None:
        return (NO_TARGET,) if len(leaders(state, seat, "minor")) < MOST_MINOR else ()
    return (there.id, NO_TARGET) if there.seat == seat else ()


def cast(r: Resolver[DisciplesState], seat: Seat, choice: Cast) -> Flow:
    """DL-074, DL-077: the turn's one Spell; the Mana stays (DL-070)."""
    leader = MemberId(choice.leader)
    r.emit(LeaderSpent(leader, "DL-074"))
    r.emit(SpellCast(seat, leader, choice.spell, choice.target))
    (ability,) = cards_of(r.state).abilities[choice.spell]
    carry_out(r, Use(seat, NOBODY, ability, choice.target))
    return NEXT


def lacking(state: DisciplesState, seat: Seat) -> Codes:
    """DL-Q59: Spells that a player cannot hold if he is skipped while a Rod Planter could cast them."""
    if state.sides[seat].cast or not with_ability(state, ready_leaders(state, seat), hooks.CastOperation):
        return ()
    return tuple(card for card, spell in cards_of(state).spells.items() if targets(state, seat, spell))
