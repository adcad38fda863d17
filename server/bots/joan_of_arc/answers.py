"""Answers inside an attack: rerolls, shields, the allocation of results, and the moves of units after it."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.cards.dice import FACES, FACES_OF_A_DIE, Face
from domain.joan_of_arc.rules.attacks.allocating import GiveResult, LeaveResults, TakeOver, ordered, walls
from domain.joan_of_arc.rules.attacks.besieging import Batter
from domain.joan_of_arc.rules.attacks.dodging import DodgeTo
from domain.joan_of_arc.rules.attacks.following import BreakThrough, FollowUp
from domain.joan_of_arc.rules.attacks.gigantic_dice import AssignDice, TakeGround
from domain.joan_of_arc.rules.attacks.improving import (
    RollAgain,
    RollEffects,
    RollThese,
    TurnToKill,
    UseToken,
    ruthless,
)
from domain.joan_of_arc.rules.attacks.pools import attack_of, defenders, loose_of
from domain.joan_of_arc.rules.attacks.terror import Frighten, RollOnly
from domain.joan_of_arc.rules.attacks.wrecking import BreakBuilding
from domain.joan_of_arc.rules.effects.battle import RerollByCard
from domain.joan_of_arc.rules.player_actions.exchanging import ExchangeForLegend
from domain.joan_of_arc.rules.player_actions.legends import LegendOffer, PlayLegend
from domain.joan_of_arc.rules.pushing import GiveWay, PushTo, Stay
from domain.joan_of_arc.state.attack_state import RolledDie
from domain.joan_of_arc.state.queries import setting_of, standing, unit_of
from domain.joan_of_arc.state.state import NOWHERE, UnitId
from domain.kernel import Choice, Pick
from server.bots.joan_of_arc.ground import PUSHED, whole_hex
from server.bots.joan_of_arc.odds import Target, chance
from server.bots.joan_of_arc.ordering import TOKEN, Mind
from server.bots.joan_of_arc.worth import WOUND

Rolls = tuple[tuple[RolledDie, ...], tuple[RolledDie, ...]]
"""The dice of the attack and of the defence."""
LITTLE: Final = 0.03
"""The minimum value of a free reroll."""
MUCH: Final = 0.45
"""The minimum value for which the reroll token is used while rounds are left."""
CARD: Final = 0.1
"""The minimum value of a card beyond the price of its tokens."""
DIE_OF_A_CARD: Final = 0.3
"""The value of a die that a card adds."""


class TableDice:
    """The dice on the table in an attack, and their cost to the defenders."""

    def __init__(self, mind: Mind) -> None:
        self.mind, self.view = mind, mind.view
        attack = attack_of(mind.view)
        self.rolls: Rolls = (attack.attack_dice, attack.defence_dice)
        self.walls = walls(mind.view)
        self.target: Target = mind.known.target(standing(mind.view, defenders(mind.view)))
        mine = mind.known.sides[attack.by] == mind.known.side
        self.sign = 1.0 if mine else -1.0
        self.now = self.worth(self.rolls)

    def worth(self, rolls: Rolls) -> float:
        """The value of the dice to the seat's side."""
        shields = self.walls + sum(die.face is Face.SHIELD for die in rolls[1])
        left = ordered(self.view, rolls[0])[shields:]
        kills = sum(die.face is Face.KILL for die in left)
        disrupts = sum(die.face is Face.DISRUPT for die in left)
        pushes = min(len(left) - kills - disrupts, self.target.most)
        return self.sign * (self.target.loss(kills, disrupts) + PUSHED * pushes)

    def shown(self, roll: int, at: int, face: Face) -> float:
        """The value of the dice if one die shows this face."""
        dice = self.rolls[roll]
        changed = (*dice[:at], replace(dice[at], face=face), *dice[at + 1 :])
        return self.worth((changed, self.rolls[1]) if roll == 0 else (self.rolls[0], changed))

    def again(self, roll: int, at: int) -> float:
        """The average worth of rerolling a die."""
        faces = FACES[self.rolls[roll][at].colour]
        seen = {face: self.shown(roll, at, face) for face in set(faces)}
        return sum(seen[face] for face in faces) / FACES_OF_A_DIE - self.now

    def deadly(self, at: int) -> float:
        """The worth of a die of the attack that counts as a kill."""
        return self.shown(0, at, Face.KILL) - self.now

    def gains(self, roll: int) -> list[float]:
        """The worth of rerolling each die of a roll."""
        return [self.again(roll, at) for at in range(len(self.rolls[roll]))]


def improve(mind: Mind, asked: RollEffects, choices: Sequence[Choice]) -> Choice:
    """JA-D18, JA-D20: take the option that improves a roll most, or a card that is worth its cost, if any."""
    roll = asked.roll
    dice, at = TableDice(mind), 0 if roll == "attack" else 1
    gains = dice.gains(at)
    needed = MUCH if mind.known.left > 1 else CARD
    best, most = choices[0], 0.0
    for choice in choices:
        worth = 0.0
        match choice:
            case RollAgain(_, die):
                worth = gains[die] - LITTLE
            case TurnToKill(die):
                worth = dice.deadly(die) - TOKEN
            case ExchangeForLegend() if ruthless(mind.view) and not mind.view.boards[mind.seat].legend:
                worth = max(dice.deadly(die) for die in ruthless(mind.view)) - TOKEN
            case UseToken():
                worth = sum(gains[die] for die in loose_of(mind.view, roll, asked.by) if gains[die] > 0) - needed
        if worth > most:
            best, most = choice, worth
    return best if most else legend(mind, asked, choices)


def token_dice(mind: Mind, roll: str, form: Pick) -> Choice:
    """JA-D50: reroll all dice whose rerolling improves the roll."""
    gains = TableDice(mind).gains(0 if roll == "attack" else 1)
    chosen = tuple(item for item in form.items if gains[int(item)] > 0)
    best = max(form.items, key=lambda item: gains[int(item)])
    return RollThese(chosen or (best,))


def card_dice(mind: Mind, roll: str, form: Pick) -> Choice:
    """JA-Q77: choose the best dice to roll again by a card, as many as the card requires."""
    gains = TableDice(mind).gains(0 if roll == "attack" else 1)
    ranked = sorted(form.items, key=lambda item: -gains[int(item)])
    wanted = [item for item in ranked[: form.most] if gains[int(item)] > 0]
    chosen = wanted if len(wanted) >= form.least else ranked[: form.least]
    return RerollByCard(tuple(item for item in form.items if item in chosen))


def suffers(mind: Mind, unit: str, face: Face) -> float:
    """The cost of one more result on a unit."""
    attack, worth = attack_of(mind.view), mind.known.worth[unit]
    taken = sum(each.unit == unit for each in (*attack.given, *attack.returned))
    if face is Face.PUSH:
        return PUSHED * worth.whole
    if worth.hp - taken > 1:
        return min(worth.kill, WOUND * worth.whole)
    return max(worth.kill, worth.disrupt) if face is Face.KILL or worth.hp > 1 else worth.disrupt


def take_result(mind: Mind, face: Face, choices: Sequence[Choice]) -> Choice:
    """JA-127: give the result to the least valuable of the seat's units, or to the most valuable of the enemy's."""
    known = mind.known

    def worth(choice: Choice) -> float:
        assert isinstance(choice, GiveResult)
        owner = known.owners[choice.unit]
        own = owner is not None and known.sides[owner] == known.side
        return (-1.0 if own else 1.0) * suffers(mind, choice.unit, face)

    return max(choices, key=worth)


def guard(mind: Mind, unit: UnitId, choices: Sequence[Choice]) -> Choice:
    """JA-253: the bodyguard takes the results that cost less on the bodyguard."""
    best: Choice = LeaveResults()
    most = 0.0
    for choice in choices:
        if isinstance(choice, TakeOver):
            before = attack_of(mind.view)
            taken = sum(each.unit == choice.unit for each in before.given)
            spared = mind.known.worth[choice.unit]
            saved = spared.kill if choice.face is Face.KILL or taken > 1 else spared.disrupt
            worth = saved - suffers(mind, unit, choice.face)
            if worth > most + LITTLE:
                best, most = choice, worth
    return best


def stay_or_go(mind: Mind, unit: UnitId, choices: Sequence[Choice]) -> Choice:
    """JA-140: the unit takes a wound only to stay in an area that scores, and never takes its last wound."""
    area = unit_of(mind.view, unit).area
    scores = any(goal.area == area for goal in mind.known.goals)
    wanted = Stay if scores and mind.known.worth[unit].hp > 2 else GiveWay
    return next(choice for choice in choices if isinstance(choice, wanted) and choice.unit == unit)


def placed(mind: Mind, units: Sequence[str], area: AreaId) -> float:
    """The value of the position with these units in an area."""
    return mind.outlook.value(mind.known.moved(mind.known.here, units, area)) if units else mind.planner.before


def push(mind: Mind, choices: Sequence[Choice]) -> Choice:
    """JA-138: push the unit into the area that is best for the seat's side.

    JA-139: choose no area only if there is none.
    """
    pushes = [choice for choice in choices if isinstance(choice, PushTo)]
    somewhere = [choice for choice in pushes if choice.area != NOWHERE]
    return max(somewhere or pushes[:1], key=lambda choice: placed(mind, (choice.unit,), choice.area))


def follow_up(mind: Mind, form: Pick) -> Choice:
    """JA-148: nobody, one unit, or all that fit follow up, whichever leaves the best position."""
    area = attack_of(mind.view).target
    strong = sorted(form.items, key=lambda item: -mind.known.worth[item].strength)
    sizes = dict.fromkeys((0, 1, form.most))
    groups = [tuple(strong[:size]) for size in sizes if size <= form.most]
    if form.most:
        groups.append((strong[-1],))
    best = max(groups, key=lambda group: placed(mind, group, area))
    return FollowUp(tuple(item for item in form.items if item in best))


def as_many(mind: Mind, form: Pick) -> Choice:
    """Name as many results as allowed, beginning with the first, because the list begins with those most valuable to
    the roller.
    """
    del mind
    return form.make(form.items[: form.most])


def ride_on(mind: Mind, unit: UnitId, choices: Sequence[Choice]) -> Choice:
    """JA-345: the unit rides on, if that is better than staying."""
    return _best_place(choices, lambda choice: placed(mind, (unit,), _where(choice)) if _where(choice) else 0.0, mind)


def _where(choice: Choice) -> AreaId:
    return choice.area if isinstance(choice, BreakThrough | DodgeTo) else AreaId("")


def _best_place(choices: Sequence[Choice], worth: Callable[[Choice], float], mind: Mind) -> Choice:
    return max(choices, key=lambda choice: worth(choice) if _where(choice) else mind.planner.before)


def dodge(mind: Mind, unit: UnitId, choices: Sequence[Choice]) -> Choice:
    """JA-266: the unit dodges if the coming attack is worse than the new place."""
    share = max(-TableDice(mind).now, 0.0) / max(len(defenders(mind.view)), 1)
    return _best_place(choices, lambda choice: placed(mind, (unit,), _where(choice)) + share, mind)


def frighten(mind: Mind, choices: Sequence[Choice]) -> Choice:
    """JA-289: frighten the strongest unit."""
    units = [choice for choice in choices if isinstance(choice, Frighten)]
    return max(units, key=lambda choice: mind.known.worth[choice.unit].strength)


def roll_only(mind: Mind, choices: Sequence[Choice]) -> Choice:
    """JA-D16: roll the die that does the most harm."""
    del mind
    dice = [choice for choice in choices if isinstance(choice, RollOnly)]
    return max(dice, key=lambda die: chance(die.colour, Face.KILL) + 0.5 * chance(die.colour, Face.DISRUPT))


def batter(mind: Mind, choices: Sequence[Choice]) -> Choice:
    """JA-388: all results go into the building if its collapse scores, or if nobody is there."""
    ruin = mind.known.ruins.get(attack_of(mind.view).target)
    wanted = (ruin is not None and ruin[0] == mind.known.side) or not attack_of(mind.view).defenders
    sizes = [choice for choice in choices if isinstance(choice, Batter)]
    spent = max if wanted else min
    return spent(sizes, key=lambda choice: choice.kills + choice.disrupts)


def assign_dice(mind: Mind, areas: Sequence[AreaId], choices: Sequence[Choice]) -> Choice:
    """JA-377: the harder faces go to the areas with more to lose."""
    worths = [_crowd(mind, area) for area in areas]

    def worth(choice: Choice) -> float:
        assert isinstance(choice, AssignDice)
        force = {Face.KILL: 1.0, Face.DISRUPT: 0.5, Face.TRAMPLE: 0.3, Face.PUSH: 0.1}
        return sum(force.get(face, 0.0) * each for face, each in zip(choice.faces, worths, strict=True))

    return max(choices, key=worth)


def _crowd(mind: Mind, area: AreaId) -> float:
    known, ruin = mind.known, mind.known.ruins.get(area)
    there = known.here.table.standing.get(area, ())
    foes = sum(known.worth[unit.unit].whole for unit in there if unit.side not in {None, known.side})
    return foes + (ruin[1] / 3 if ruin is not None and ruin[0] == known.side else 0.0)


def take_ground(mind: Mind, unit: UnitId, area: AreaId, choices: Sequence[Choice]) -> Choice:
    """JA-383: the creature takes the ground if this improves the position."""
    wanted = placed(mind, (unit,), whole_hex(mind.known.here.table, area)[0]) > mind.planner.before
    return next(choice for choice in choices if isinstance(choice, TakeGround) == wanted)


def wreck(mind: Mind, choices: Sequence[Choice]) -> Choice:
    """JA-381: hit the building if its collapse scores, otherwise another target."""
    ruin = mind.known.ruins.get(attack_of(mind.view).target)
    wanted = ruin is not None and ruin[0] == mind.known.side
    return next((choice for choice in choices if isinstance(choice, BreakBuilding) == wanted), choices[0])


def legend(mind: Mind, asked: LegendOffer | RollEffects, choices: Sequence[Choice]) -> Choice:
    """JA-D17, JA-D48: play the card that is worth most beyond the price of its tokens, if any."""
    best, most = choices[0], 0.0
    for choice in choices:
        if isinstance(choice, PlayLegend):
            cost = TOKEN * _cost(mind, choice.card) * (mind.known.left > 1)
            worth = _moment_worth(mind, asked.timing) - cost - CARD
            if worth > most:
                best, most = choice, worth
    return best


def _cost(mind: Mind, card: str) -> int:
    return setting_of(mind.view).index.legend[card].cost


def _moment_worth(mind: Mind, timing: str) -> float:
    """The value of a card that is played at this moment."""
    match timing:
        case "attack_declared_self" | "attack_declared_opponent":
            attack = attack_of(mind.view)
            stake = sum(mind.known.worth[unit].whole for unit in attack.defenders)
            return DIE_OF_A_CARD * min(1.5, stake) * (len(attack.starts) > 1 or stake > 2)
        case "attack_effects_self" | "attack_effects_opponent":
            gains = sorted(TableDice(mind).gains(0), reverse=True)
            number = 2 if timing == "attack_effects_self" else 1
            return sum(max(gain, 0.0) for gain in gains[:number])
        case "defence_effects_self":
            dice = TableDice(mind)
            kill = next((at for at, die in enumerate(dice.rolls[0]) if die.face is Face.KILL), None)
            return 0.0 if kill is None else dice.shown(0, kill, Face.BLANK) - dice.now
        case "camp_before_doom":
            return max(_saved(mind), default=0.0)
    return 0.0


def _saved(mind: Mind) -> Iterator[float]:
    """The gain for each disrupted unit that does not have to roll."""
    for unit in mind.view.field.units.values():
        if unit.owner == mind.seat and unit.spot == "disrupted" and mind.known.left > 1:
            yield 0.4 * mind.known.worth[unit.id].whole
