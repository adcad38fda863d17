"""The effect of an attack's events on the state."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.joan_of_arc.state import attack_events as e
from domain.joan_of_arc.state.attack_state import Attack, Given, RolledDie
from domain.joan_of_arc.state.state import JoanState
from domain.kernel import Event


def with_attack(s: JoanState, **fields: Any) -> JoanState:
    """The state with a changed attack."""
    assert s.attack is not None, "an attack is under way"
    changed: Attack = replace(s.attack, **fields)
    return replace(s, attack=changed)


def attack_declared(s: JoanState, event: e.AttackDeclared) -> JoanState:
    """The attack is under way."""
    attack = Attack(
        event.seat,
        event.kind,
        event.target,
        event.starts,
        event.defenders,
        charged=event.charged,
        smooth=event.smooth,
        moved=event.moved,
        giants=event.giants,
    )
    return replace(s, attack=attack)


def bonus_dice_added(s: JoanState, event: e.BonusDiceAdded) -> JoanState:
    """The dice join those of other cards."""
    name = f"common_{event.roll}"
    return with_attack(s, **{name: getattr(s.attack, name) + event.dice})


def terror_applied(s: JoanState, event: e.TerrorApplied) -> JoanState:
    """A unit that waits is no longer in the attack."""
    assert s.attack is not None
    if event.die is None:
        return with_attack(s, starts=tuple(each for each in s.attack.starts if each[0] != event.unit))
    return with_attack(s, frightened=(*s.attack.frightened, (event.unit, event.die)))


def dice_thrown(s: JoanState, event: e.DiceThrown) -> JoanState:
    """The dice are on the table."""
    return with_attack(s, **{f"{event.roll}_dice": event.dice})


def dice_rerolled(s: JoanState, event: e.DiceRerolled) -> JoanState:
    """Each die once by each source."""
    assert s.attack is not None
    name = f"{event.roll}_dice"
    dice: list[RolledDie] = list(getattr(s.attack, name))
    for at, shown in zip(event.at, event.faces, strict=True):
        dice[at] = replace(dice[at], face=shown)
    return with_attack(s, **{name: tuple(dice), "used": (*s.attack.used, event.source)})


def result_changed(s: JoanState, event: e.ResultChanged) -> JoanState:
    """The die counts as that face for good (JA-Q60)."""
    assert s.attack is not None
    dice = list(s.attack.attack_dice)
    dice[event.at] = replace(dice[event.at], face=event.face, settled=True)
    return with_attack(s, attack_dice=tuple(dice), used=(*s.attack.used, event.source))


def results_removed(s: JoanState, event: e.ResultsRemoved) -> JoanState:
    """The dice are gone."""
    name = f"{event.roll}_dice"
    dice = getattr(s.attack, name)
    return with_attack(s, **{name: tuple(die for at, die in enumerate(dice) if at not in event.at)})


def unit_dodged(s: JoanState, event: e.UnitDodged) -> JoanState:
    """It takes no results; its dice stay (JA-Q58)."""
    assert s.attack is not None
    left = tuple(unit for unit in s.attack.defenders if unit != event.unit)
    return with_attack(s, defenders=left, dodged=(*s.attack.dodged, event.unit))


def results_cancelled(s: JoanState, event: e.ResultsCancelled) -> JoanState:
    """The remaining results are allocated."""
    return with_attack(s, results=event.left, shielded=True)


def results_spent(s: JoanState, event: e.ResultsSpent) -> JoanState:
    """The spent results are not allocated."""
    assert s.attack is not None
    left = list(s.attack.results)
    for die in event.spent:
        left.remove(die)
    return with_attack(s, results=tuple(left))


def result_allocated(s: JoanState, event: e.ResultAllocated) -> JoanState:
    """The unit has the result."""
    assert s.attack is not None
    if event.party == "retaliation":
        return with_attack(s, returned=(*s.attack.returned, event.given))
    return with_attack(s, given=(*s.attack.given, event.given))


def result_reassigned(s: JoanState, event: e.ResultReassigned) -> JoanState:
    """The bodyguard has the result."""
    assert s.attack is not None
    given = list(s.attack.given)
    mine = (
        at for at, each in enumerate(given) if (each.unit, each.face, each.guarded) == (event.unit, event.face, False)
    )
    at = next(mine)
    given[at] = Given(event.to, event.face, given[at].source, guarded=True)
    return with_attack(s, given=tuple(given))


def losses_counted(s: JoanState, event: e.LossesCounted) -> JoanState:
    """For breakthroughs."""
    return with_attack(s, gone=event.gone)


def unchanged(s: JoanState, event: Event) -> JoanState:
    """The consequences are separate events."""
    return s


def attack_ended(s: JoanState, event: e.AttackEnded) -> JoanState:
    """No attack is under way."""
    return replace(s, attack=None)


ATTACK_EVOLVE: dict[type[Event], Callable[[JoanState, Any], JoanState]] = {
    e.AttackDeclared: attack_declared,
    e.GiganticDiceAssigned: unchanged,
    e.BonusDiceAdded: bonus_dice_added,
    e.TerrorApplied: terror_applied,
    e.DiceThrown: dice_thrown,
    e.DiceRerolled: dice_rerolled,
    e.ResultChanged: result_changed,
    e.ResultsRemoved: results_removed,
    e.UnitDodged: unit_dodged,
    e.ResultsCancelled: results_cancelled,
    e.ResultsSpent: results_spent,
    e.ResultAllocated: result_allocated,
    e.ResultReassigned: result_reassigned,
    e.ResultsDiscarded: unchanged,
    e.LossesCounted: losses_counted,
    e.AttackEnded: attack_ended,
}
