"""The effect of events on a Battle: its rounds, the side to act, passes, skips, retreat, end."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.commons.rows import put
from domain.disciples_legacy.state import events as e
from domain.disciples_legacy.state.state import Battle, DisciplesState
from domain.kernel import Event, Seat


def _with(s: DisciplesState, **fields: object) -> DisciplesState:
    assert s.battle is not None
    return replace(s, battle=replace(s.battle, **fields))


def battle_began(s: DisciplesState, event: e.BattleBegan) -> DisciplesState:
    """Two Parties face each other."""
    defending = Seat(1 - event.attacking)
    return replace(s, battle=Battle(event.attacker, event.defender, event.attacking, to_act=defending))


def battle_round_began(s: DisciplesState, event: e.BattleRoundBegan) -> DisciplesState:
    """Each player has one pass again, and nobody has run out."""
    clear = (False, False)
    return _with(s, round=event.round, to_act=event.first, last_passed=False, passed=clear, skipped=clear)


def retreated(s: DisciplesState, event: e.Retreated) -> DisciplesState:
    """The other side has its free actions."""
    return _with(s, retreating=event.seat, free=event.free, to_act=Seat(1 - event.seat))


def _acted(s: DisciplesState, seat: int) -> DisciplesState:
    """A Battle Action ends the effects of an earlier pass or skip, and uses one free action."""
    assert s.battle is not None
    free = max(0, s.battle.free - 1)
    return _with(s, last_passed=False, skipped=put(s.battle.skipped, seat, False), free=free)


def struck(s: DisciplesState, event: e.Struck) -> DisciplesState:
    """Tapping and damage follow."""
    return _acted(s, s.members[event.member].seat)


def ability_used(s: DisciplesState, event: e.AbilityUsed) -> DisciplesState:
    """Its effects follow as events; outside Battle it cost a Leader's token."""
    return s if s.battle is None else _acted(s, s.members[event.member].seat)


def battle_passed(s: DisciplesState, event: e.BattlePassed) -> DisciplesState:
    """DL-180, DL-181."""
    assert s.battle is not None
    return _with(s, passed=put(s.battle.passed, event.seat, True), last_passed=True)


def battle_skipped(s: DisciplesState, event: e.BattleSkipped) -> DisciplesState:
    """DL-Q15: it is no pass."""
    assert s.battle is not None
    return _with(s, skipped=put(s.battle.skipped, event.seat, True), last_passed=False)


def battle_player_to_act(s: DisciplesState, event: e.BattlePlayerToAct) -> DisciplesState:
    """DL-178; a player who can act again no longer counts as skipped (DL-Q14)."""
    assert s.battle is not None
    skipped = put(s.battle.skipped, event.seat, s.battle.skipped[event.seat] and not event.able)
    return _with(s, to_act=event.seat, skipped=skipped)


def round_finished(s: DisciplesState, _: e.RoundFinished) -> DisciplesState:
    """No free actions are left."""
    return _with(s, free=0)


def battle_ended(s: DisciplesState, event: e.BattleEnded) -> DisciplesState:
    """DL-189: whether the blocker escaped is remembered with the attack."""
    attack = s.attack
    if attack is not None and attack.blocker and attack.blocker == event.escaped:
        attack = replace(attack, escaped=True)
    return replace(s, battle=None, attack=attack)


BATTLE_EVOLVE: dict[type[Event], Callable[[Any, Any], DisciplesState]] = {
    e.BattleBegan: battle_began,
    e.BattleRoundBegan: battle_round_began,
    e.Retreated: retreated,
    e.Struck: struck,
    e.AbilityUsed: ability_used,
    e.BattlePassed: battle_passed,
    e.BattleSkipped: battle_skipped,
    e.BattlePlayerToAct: battle_player_to_act,
    e.RoundFinished: round_finished,
    e.BattleEnded: battle_ended,
}
