"""Simulated Battles of Disciples: Legacy: a bot's expectation of a fight, in which it can see everything.

The model knows reach, damage, wards, poison, retreat and the gains from tapping members and Items. Both sides take the
action with the highest immediate value. The model is separate from the rules, so an error in it can only cost the bot a
fight.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Final, NamedTuple

from domain.disciples_legacy.cards import hooks
from domain.disciples_legacy.cards.cards import CardIndex, MajorLeader
from domain.disciples_legacy.cards.hooks import Ability, Style
from domain.disciples_legacy.state.queries import cards_of, members_of
from domain.disciples_legacy.state.state import DisciplesState, Member, MemberId, Slots
from domain.disciples_legacy.state.stats import attack, max_hp, style

STYLES: Final[dict[Style, float]] = {"adj": 0.6, "any": 0.8, "all": 1.4}
"""The value of a point of Attack by its style, in the bot's unit, in which a Squire is worth about 2.5."""
HP: Final = 0.25
"""The value of a point of Max HP."""
SKILL: Final = 0.8
LEADER: Final = 2.5
"""The value of a Major Leader in addition to its fighting: the Leader's action in each turn."""
ALIVE: Final = 0.55
"""The share of a member's worth that remains while it is alive; the other share is lost with its HP."""
REVIVABLE: Final = 0.25
"""The share of a member's worth that remains when it is dead and its Party is not wiped out."""
TEMPO: Final = 0.3
"""The value of a point of Attack that cannot be used any more in this round."""
ROUNDS: Final = 2


@lru_cache(maxsize=4096)
def strength(index: CardIndex, card: str) -> float:
    """The value of a Unit or Leader by its printed figures."""
    body = index.bodies[card]
    skills = sum(ability.window != "S" for ability in index.abilities[card])
    major = LEADER if isinstance(body, MajorLeader) else 0.0
    return HP * body.hp + STYLES[body.style] * body.attack + SKILL * skills + major


class Skill(NamedTuple):
    """The abilities for which a member may tap: `key` is the number on its card, or the Item."""

    key: int | str
    ability: Ability
    once: bool = False


@dataclass(slots=True)
class Fighter:
    """A member in a simulated Battle. `place`: the member's index among all fighters."""

    id: str
    seat: int
    slot: int
    hp: int
    most: int
    attack: int
    style: Style
    worth: float
    minor: bool
    tapped: bool
    ward: int
    poison: tuple[int, int]
    venom: tuple[int, int]
    drain: int
    skills: tuple[Skill, ...]
    round_attack: int = 0
    place: int = -1

    @property
    def strike(self) -> int:
        """The damage that the member deals now."""
        return max(0, self.attack + self.round_attack)

    def copy(self) -> "Fighter":
        """A copy to change; `dataclasses.replace` would take five times as long."""
        return Fighter(*_ALL_OF(self))


_ALL_OF: Final = attrgetter(*Fighter.__slots__)
"""The parts of a fighter, in order, for copying: a fight is copied for every possible continuation."""


class PlannedAction(NamedTuple):
    """A Battle Action: the target of an attack, or a skill and its target.

    Without a target, it affects everybody it can.
    """

    by: int
    target: int = -1
    skill: int = -1


@dataclass(slots=True)
class Fight:
    """A Battle from its current state: all members of both Battle Parties, and the fighter whose turn it is."""

    attacking: int
    everybody: list[Fighter]
    round: int = 1
    to_act: int = 0
    retreating: int = -1
    free: int = 0

    def copy(self) -> "Fight":
        """A copy with which to continue the simulation."""
        everybody = [fighter.copy() for fighter in self.everybody]
        return Fight(self.attacking, everybody, self.round, self.to_act, self.retreating, self.free)

    def living(self, seat: int) -> list[Fighter]:
        """The living fighters of one side."""
        return [fighter for fighter in self.everybody if fighter.seat == seat and fighter.hp > 0]

    def left(self, seat: int) -> float:
        """The worth of a side's remaining members; the dead of a Party that is not wiped out can be revived."""
        dead = REVIVABLE if self.living(seat) else 0.0
        return sum(
            fighter.worth * (ALIVE + (1 - ALIVE) * fighter.hp / fighter.most if fighter.hp > 0 else dead)
            for fighter in self.everybody
            if fighter.seat == seat
        )

    def is_over(self) -> bool:
        """Whether a side has nobody left."""
        return not self.living(0) or not self.living(1)


def _slot(id_: MemberId, slots: Slots) -> int:
    """A member's place; a member without a place counts as being in the last place."""
    return slots.index(id_) + 1 if id_ in slots else 6


def fighter_of(state: DisciplesState, id_: MemberId, slots: Slots) -> Fighter:
    """A member in its current state."""
    member = state.members[id_]
    index = cards_of(state)
    most = max_hp(state, id_)
    skills = [Skill(n, a) for n, a in enumerate(index.abilities[member.card]) if a.window == "T"]
    venom, drain = (0, 0), 0
    for card in (member.card, *member.items):
        for ability in index.abilities[card]:
            match ability.op:
                case hooks.PoisonOperation(n, rounds):
                    venom = (n, rounds)
                case hooks.Drain(n):
                    drain += n
        if card != member.card and index.abilities[card][0].window == "T":
            skills.append(Skill(card, index.abilities[card][0], index.items[card].consumable))
    return Fighter(
        id_,
        member.seat,
        _slot(id_, slots),
        0 if member.dead else most - member.damage,
        most,
        attack(state, id_),
        style(state, id_),
        strength(index, member.card),
        member.kind == "minor",
        member.tapped,
        member.ward.points if member.ward else 0,
        (member.poison.amount, member.poison.left) if member.poison else (0, 0),
        venom,
        drain,
        tuple(skills),
    )


Known = dict[MemberId, Fighter]
"""The fighters of one state, computed once for all simulated fights."""


def _standing(state: DisciplesState, id_: MemberId, slots: Slots, known: Known) -> Fighter:
    """A copy of a member, in these places, that can be changed."""
    found = known.get(id_)
    if found is None:
        found = known[id_] = fighter_of(state, id_, slots)
    fighter = found.copy()
    fighter.slot = _slot(id_, slots)
    return fighter


def fight_between(
    state: DisciplesState,
    attacker: MemberId,
    defender: MemberId,
    slots: dict[MemberId, Slots] | None = None,
    known: Known | None = None,
) -> Fight:
    """The Battle of two Parties, in these formations or their current ones, after the effects at its beginning.

    `known`: earlier results about this state, to which new ones are added.
    """
    other, found = slots or {}, {} if known is None else known
    fighters: list[Fighter] = []
    for party in (attacker, defender):
        stand = other.get(party, state.parties[party].slots)
        fighters += [_standing(state, id_, stand, found) for id_ in members_of(state, party)]
    for place, fighter in enumerate(fighters):
        fighter.place = place
    attacking = int(state.parties[attacker].seat)
    fight = Fight(attacking, fighters, to_act=1 - attacking)
    if state.battle is None or not state.battle.round:
        for fighter in fighters:
            _shield(state, state.members[MemberId(fighter.id)], fighter)
    return fight


def _shield(state: DisciplesState, member: Member, fighter: Fighter) -> None:
    """Set the fighter's ward from the abilities of window B."""
    index = cards_of(state)
    for card in (member.card, *member.items):
        for ability in index.abilities[card]:
            if ability.window == "B" and isinstance(ability.op, hooks.WardOperation):
                fighter.ward = max(fighter.ward, ability.op.n)


def fight_now(state: DisciplesState) -> Fight:
    """The current Battle, as the view shows it."""
    battle = state.battle
    assert battle is not None
    fight = fight_between(state, battle.attacker, battle.defender)
    fight.round = max(1, battle.round)
    fight.to_act = int(battle.to_act)
    fight.retreating, fight.free = int(battle.retreating), battle.free
    return fight


def reach(fighter: Fighter, own: list[Fighter], enemies: list[Fighter]) -> list[Fighter]:
    """The fighters that an attack reaches (DL-094 to DL-104)."""
    if fighter.style != "adj":
        return enemies
    if fighter.slot > 3 and any(other.slot <= 3 for other in own):
        return []
    row = [enemy for enemy in enemies if enemy.slot <= 3] or enemies
    column = fighter.slot % 3
    if column == 2 or len(row) == 1:
        return row
    return [enemy for enemy in row if enemy.slot % 3 != column]


def actions(fight: Fight, seat: int) -> Iterator[tuple[float, PlannedAction]]:
    """A side's Battle Actions, each with the value of its immediate effect."""
    own, enemies = fight.living(seat), fight.living(1 - seat)
    for fighter in own:
        if fighter.tapped:
            continue
        by, amount = fighter.place, fighter.strike
        if amount and fighter.style == "all":
            yield sum(blow(enemy, amount) for enemy in enemies), PlannedAction(by)
        elif amount:
            for enemy in reach(fighter, own, enemies):
                yield blow(enemy, amount), PlannedAction(by, enemy.place)
        for number, skill in enumerate(fighter.skills):
            for target in _targets(fight, fighter, skill, own, enemies):
                at = -1 if target is None else target.place
                yield _skill_worth(skill, target, own, enemies), PlannedAction(by, at, number)


def blow(enemy: Fighter, amount: int) -> float:
    """The value of this much damage to an enemy."""
    amount -= min(enemy.ward, amount)
    share = (1 - ALIVE) * enemy.worth / enemy.most
    if amount < enemy.hp:
        return 0.05 + share * amount
    return share * enemy.hp + ALIVE * enemy.worth + (0.0 if enemy.tapped else TEMPO * enemy.strike)


def _targets(
    fight: Fight, by: Fighter, skill: Skill, own: list[Fighter], enemies: list[Fighter]
) -> list[Fighter] | list[Fighter | None] | list[None]:
    """The targets of a skill; None stands for everybody whom it affects.

    The model knows no Minor Leader as a target.
    """
    match skill.ability.selector:
        case "ally":
            return [fighter for fighter in own if not fighter.minor]
        case "other_ally":
            return [fighter for fighter in own if fighter is not by and not fighter.minor]
        case "dead_ally":
            return [fighter for fighter in fight.everybody if fighter.seat == by.seat and fighter.hp <= 0]
        case "enemy":
            return [fighter for fighter in enemies if not fighter.minor]
        case "adj_enemy":
            return [fighter for fighter in reach(by, own, enemies) if not fighter.minor]
        case "self" | "holder":
            return [by]
    return [None]


def _skill_worth(skill: Skill, target: Fighter | None, own: list[Fighter], enemies: list[Fighter]) -> float:
    op = skill.ability.op
    meant = [target] if target else (enemies if skill.ability.selector == "enemies" else own)
    worth = sum(_use_worth(op, fighter) for fighter in meant)
    return worth - (0.4 if skill.once else 0.0)


def _use_worth(op: hooks.Op, target: Fighter) -> float:
    match op:
        case hooks.Damage(n):
            return blow(target, n)
        case hooks.HealOperation(n):
            return min(n, target.most - target.hp) * (1 - ALIVE) * target.worth / target.most
        case hooks.ReviveOperation():
            return (ALIVE - REVIVABLE) * target.worth
        case hooks.Tap():
            return 0.0 if target.tapped else 2 * TEMPO * target.strike
        case hooks.Untap():
            return 2 * TEMPO * target.strike if target.tapped else 0.0
        case hooks.WardOperation(n):
            return 0.25 * max(0, n - target.ward)
        case hooks.Atk(n):
            return TEMPO * abs(n) * (1.0 if not target.tapped else 0.5)
    return 0.0


def perform(fight: Fight, action: PlannedAction) -> None:
    """Take the action, without changing whose turn it is."""
    fighter = fight.everybody[action.by]
    fighter.tapped = True
    enemies = fight.living(1 - fighter.seat)
    targets = [fight.everybody[action.target]] if action.target >= 0 else enemies
    if action.skill < 0:
        amount, hurt = fighter.strike, False
        for enemy in targets:
            hurt = _hit(enemy, amount) or hurt
            if fighter.venom[0] and not enemy.minor:
                enemy.poison = fighter.venom
        if hurt:
            fighter.hp = min(fighter.most, fighter.hp + fighter.drain)
        return
    skill = fighter.skills[action.skill]
    if skill.once:
        fighter.skills = tuple(other for other in fighter.skills if other is not skill)
    if action.target < 0 and skill.ability.selector != "enemies":
        targets = fight.living(fighter.seat)
    for target in targets:
        _apply(skill.ability.op, target)


def _hit(target: Fighter, amount: int) -> bool:
    absorbed = min(target.ward, amount)
    target.ward -= absorbed
    target.hp = max(0, target.hp - (amount - absorbed))
    return amount > absorbed


def _apply(op: hooks.Op, target: Fighter) -> None:
    match op:
        case hooks.Damage(n):
            _hit(target, n)
        case hooks.HealOperation(n):
            target.hp = min(target.most, target.hp + n)
        case hooks.ReviveOperation(n):
            target.hp = min(n, target.most)
        case hooks.Tap():
            target.tapped = True
        case hooks.Untap():
            target.tapped = False
        case hooks.WardOperation(n):
            target.ward = max(target.ward, n)
        case hooks.Atk(n, duration):
            if duration == "round":
                target.round_attack += n
            else:
                target.attack += n


def greedy(fight: Fight, seat: int) -> PlannedAction | None:
    """The action with the highest immediate value; None if no action has a value."""
    best, worth = None, 0.0
    for value, action in actions(fight, seat):
        if value > worth:
            best, worth = action, value
    return best


def fight_on(fight: Fight) -> Fight:
    """Play the Battle to its end, with both sides acting greedily; if a side retreats, play only the free actions."""
    if fight.retreating >= 0:
        return _pursue(fight)
    while True:
        _round(fight)
        if fight.is_over() or fight.round >= ROUNDS:
            return fight
        fight.round += 1
        fight.to_act = fight.attacking


def _round(fight: Fight) -> None:
    idle = 0
    while idle < 2:
        action = greedy(fight, fight.to_act)
        fight.to_act = 1 - fight.to_act
        if action is None:
            idle += 1
            continue
        idle = 0
        perform(fight, action)
    for fighter in fight.everybody:
        fighter.tapped, fighter.round_attack = False, 0
        amount, left = fighter.poison
        if left and fighter.hp > 0:
            fighter.hp = max(0, fighter.hp - amount)
            fighter.poison = (amount, left - 1)


def _pursue(fight: Fight) -> Fight:
    while fight.free and not fight.is_over():
        action = greedy(fight, 1 - fight.retreating)
        if action is None:
            break
        perform(fight, action)
        fight.free -= 1
    return fight
