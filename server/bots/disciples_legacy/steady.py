"""A bot that plays Disciples: Legacy to win: it builds while that pays, and attacks when it expects to win.

The bot sees only a view. Each answer has a value, roughly in units of a Squire's strength. An attack's value is the
worth of both Parties after the simulated fight (`battle`), in which the enemy answers as well as it can.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from domain.commons.rows import foe
from domain.disciples_legacy.cards import hooks
from domain.disciples_legacy.rules.attacking import Assault, Block, Cancel, DeclineBlock, Engage, blockers
from domain.disciples_legacy.rules.battle.rounds import FinishRound, PassRound
from domain.disciples_legacy.rules.battle.skills import UseItem, UseSkill
from domain.disciples_legacy.rules.battle.steps import Retreat, Stand
from domain.disciples_legacy.rules.battle.striking import Strike
from domain.disciples_legacy.rules.founding import RecruitCity
from domain.disciples_legacy.rules.healing import ConfirmHeals, ConfirmRevives, Heal, Revive
from domain.disciples_legacy.rules.paying import TapCity
from domain.disciples_legacy.rules.planting import Plant
from domain.disciples_legacy.rules.rearranging import Keep, Move
from domain.disciples_legacy.rules.recruiting import DiscardUnits, PlaceUnit, RecruitMinor, RecruitUnit
from domain.disciples_legacy.rules.replacing import ReplaceLeader
from domain.disciples_legacy.rules.setup import ChooseDeck, DeployAsListed
from domain.disciples_legacy.rules.shopping import Shop
from domain.disciples_legacy.rules.spells import Cast
from domain.disciples_legacy.rules.strategic import Finish, Pass
from domain.disciples_legacy.rules.thieving import UseAbility
from domain.disciples_legacy.state.formation import moves
from domain.disciples_legacy.state.queries import (
    cards_of,
    cities_of,
    hand_of,
    leaders,
    leadership,
    living,
    mana_owned,
    purse,
    races_of,
    unit_price,
    units_of,
)
from domain.disciples_legacy.state.state import DisciplesState, MemberId, PlaceId
from domain.kernel import AnyForm, Asked, Below, Choice, One
from server.bots.disciples_legacy.battle import (
    REVIVABLE,
    Fight,
    Known,
    PlannedAction,
    actions,
    blow,
    fight_between,
    fight_now,
    fight_on,
    fighter_of,
    perform,
    strength,
)

CITY: Final = 1.7
"""The value of one (C) per turn."""
ENOUGH: Final = 9
"""The number of (C) in a turn above which further (C) are worth little."""
PRICE: Final = 0.25
"""The value of a (C) spent in the Strategic Phase; none can be saved for another turn."""
SPARE: Final = 0.1
MANA: Final = 1.2
RESERVE: Final = 3
"""The number of (C) left untapped in the Healing Phase, for recruiting later."""
CANDIDATES: Final = 14
"""The number of Battle Actions that are simulated."""
KEEN: Final = 3.0
"""How much a larger army raises its player's readiness to fight; at 1, an army that is twice as large weighs losses a
sixth less.
"""
WIPED: Final = 1.5
"""The worth of destroying an enemy Party, in addition to the worth of its members."""

MOVED: Final = 0.1
"""The minimum gain for a move before a Battle."""

Rate = Callable[["Thought", Any], float]


class Thought:
    """One decision: the view, its seat, and the fights simulated so far."""

    def __init__(self, view: DisciplesState, asked: Asked) -> None:
        self.view = view
        self.asked = asked
        self.seat = asked.seat
        self.index = cards_of(view)
        self.known: Known = {}
        """The view's members as fighters."""
        self._duels: dict[tuple[MemberId, MemberId], tuple[float, bool]] = {}
        self._keen = _keen(view, self.seat)

    def strength(self, member: str) -> float:
        """The value of a member in play by its card."""
        return strength(self.index, self.view.members[MemberId(member)].card)

    def duel(self, attacker: MemberId, defender: MemberId) -> tuple[float, bool]:
        """The value of a Battle to its attacker, and whether it removes the defender."""
        found = self._duels.get((attacker, defender))
        if found is None:
            found = self._duels[attacker, defender] = self._fought(attacker, defender)
        return found

    def _fought(self, attacker: MemberId, defender: MemberId) -> tuple[float, bool]:
        """Simulate the fight with the defender standing or retreating, whichever is better for the defender."""
        start = fight_between(self.view, attacker, defender, known=self.known)
        seat = start.attacking
        before = self.balance(start, seat)
        flight = start.copy()
        flight.retreating, flight.free = 1 - seat, 2
        stood, fled = self.balance(fight_on(start), seat), self.balance(fight_on(flight), seat)
        if stood <= fled:
            return stood - before, not start.living(1 - seat)
        return fled - before, True

    def balance(self, fight: Fight, seat: int) -> float:
        """The seat's value after a fight, less the enemy's value; the side that is ahead gains by exchanges."""
        own, enemy = fight.left(seat), fight.left(1 - seat)
        gone = WIPED * ((not fight.living(1 - seat)) - (not fight.living(seat)))
        return gone + (own - self._keen * enemy if seat == self.seat else self._keen * own - enemy)


def _keen(view: DisciplesState, seat: int) -> float:
    """The weight of the enemy's losses relative to the seat's own; it is greater for the side with the larger army."""
    sums = [0.1, 0.1]
    for member in view.members.values():
        sums[member.seat] += strength(cards_of(view), member.card) * (REVIVABLE if member.dead else 1.0)
    return 1.0 + KEEN * max(0.0, sums[seat] / sum(sums) - 0.5)


class SteadyBot:
    """The bot that the module describes.

    `sketches`: whether it plays out matches in a search; it then leaves each Party in its formation.
    """

    def __init__(self, *, sketches: bool = False) -> None:
        self._sketches = sketches

    def choose(self, view: DisciplesState, asked: Asked, form: AnyForm, below: Below) -> Choice:
        """The choice with the highest worth; ties are broken at random."""
        if not isinstance(form, One):
            return _set_up(form, below)
        if len(form.choices) == 1:
            return form.choices[0]
        if self._sketches and asked.kind == "BattleFormation":
            return Keep()
        thought = Thought(view, asked)
        whole = TOGETHER.get(asked.kind)
        if whole is not None:
            return whole(thought, form.choices)
        worths = [_worth(thought, choice) for choice in form.choices]
        best = max(worths)
        return form.choices[_drawn([n for n, worth in enumerate(worths) if worth > best - 1e-6], below)]

    def promising(self, view: DisciplesState, asked: Asked, form: AnyForm) -> Sequence[Choice]:
        """All choices that have a value, the best first."""
        if not isinstance(form, One):
            return ()
        thought = Thought(view, asked)
        weigh = WEIGHED.get(asked.kind)
        if weigh is not None:
            worths = weigh(thought, form.choices)
        elif asked.kind in TOGETHER:
            return ()
        else:
            worths = [(_worth(thought, choice), choice) for choice in form.choices]
        return [choice for _, choice in sorted(worths, key=lambda pair: -pair[0])]


def _drawn(numbers: Sequence[int], below: Below) -> int:
    return numbers[below(len(numbers))] if len(numbers) > 1 else numbers[0]


def _set_up(form: AnyForm, below: Below) -> Choice:
    """A random deck, deployed as it is listed."""
    listed = [choice for choice in form if isinstance(choice, ChooseDeck | DeployAsListed)]
    return listed[below(len(listed))] if listed else form.sample(below)


def _worth(thought: Thought, choice: Choice) -> float:
    rate = RATES.get(type(choice))
    return rate(thought, choice) if rate else -9.0


def _income(thought: Thought, seat: int) -> int:
    return sum(thought.index.towns[city.card].yield_c for city in cities_of(thought.view, seat))


def _per_c(thought: Thought, seat: int) -> float:
    """The value to a player of one more (C) in each turn; it is small when the match is nearly over."""
    left = thought.view.options.turn_limit - thought.view.turn
    need = 1.0 if _income(thought, seat) < ENOUGH else SPARE
    return CITY * need * min(1.0, left / 4)


def _city(thought: Thought, choice: RecruitCity) -> float:
    city = thought.index.cities[choice.card]
    fresh = city.race not in races_of(thought.view, thought.seat) and any(
        thought.index.units[card].race == city.race
        for card in hand_of(thought.view, thought.seat)
        if card in thought.index.units
    )
    worth = city.yield_c * _per_c(thought, thought.seat) + 0.3 * len(city.abilities) + 0.8 * fresh
    return worth - _better(thought, choice.leader)


def _better(thought: Thought, leader: str) -> float:
    """The loss when a Leader does a job that another Leader could do.

    Strong Parties are saved for attacks and blocks.
    """
    return 0.04 * sum(thought.strength(id_) for id_ in living(thought.view, MemberId(leader)))


def _minor(thought: Thought, choice: RecruitMinor) -> float:
    view, index = thought.view, thought.index
    mine = {view.members[id_].card for id_ in leaders(view, thought.seat, "minor")}
    if choice.card in mine:
        return -2.0
    hand = hand_of(view, thought.seat)
    plants = any(isinstance(ability.op, hooks.PlantOperation) for ability in index.abilities[choice.card])
    spells = any(card in index.spells for card in hand) and any(card in index.mana for card in hand)
    worth = 2.6 if plants and spells else 0.9 if not plants else 0.0
    return worth - PRICE * index.minors[choice.card].cost - _better(thought, choice.leader)


def _unit(thought: Thought, choice: RecruitUnit) -> float:
    """The value of the Unit, less the value of the member that it replaces.

    It is higher in a Party with other members and a free place.
    """
    view, leader = thought.view, MemberId(choice.leader)
    card = thought.index.units[choice.card]
    worth = strength(thought.index, choice.card) - PRICE * unit_price(view, thought.seat, card)
    units = units_of(view, leader)
    room = sum(slot == "" for slot in view.parties[leader].slots)
    if len(units) >= leadership(view, leader) or room < 1 + card.giant:
        worth -= min((_left(thought, unit) for unit in units), default=9.0) + 0.5
        if card.giant and room == 0:
            worth -= 2.0
    return (
        worth + 0.15 * len(living(view, leader)) - (0.3 if card.style == "adj" and _rear_only(thought, leader) else 0)
    )


def _rear_only(thought: Thought, leader: MemberId) -> bool:
    return all(thought.view.parties[leader].slots[:3])


def _left(thought: Thought, unit: MemberId) -> float:
    """The loss when a Unit is discarded."""
    member = thought.view.members[unit]
    return thought.strength(unit) * (0.35 if member.dead else 1.0)


def _item_worth(thought: Thought, item: str, leader: str) -> float:
    (ability,) = thought.index.abilities[item]
    company = len(living(thought.view, MemberId(leader)))
    if item in thought.view.members[MemberId(leader)].items:
        return 0.0
    match ability.op:
        case hooks.MaxHp(n) | hooks.WardOperation(n):
            return 0.35 * n
        case hooks.Atk(n):
            return 0.6 * n * (company if ability.selector == "allies" else 1)
        case hooks.Damage(n):
            return 0.5 * n * (3 if ability.selector == "enemies" else 1)
        case hooks.HealOperation(n):
            return 0.25 * n
    return 0.9


def _shop(thought: Thought, choice: Shop) -> float:
    cost = sum(thought.index.items[item].cost for item in choice.items)
    worth = sum(_item_worth(thought, item, choice.leader) for item in choice.items)
    return worth - PRICE * max(0, cost - 1)


def _replace(thought: Thought, choice: ReplaceLeader) -> float:
    return strength(thought.index, choice.card) - PRICE * thought.index.majors[choice.card].cost


def _place(thought: Thought, place: str, seat: int) -> float:
    """The value of a City or Mana card to a player."""
    city = thought.view.cities.get(PlaceId(place))
    if city is None:
        return MANA
    card = thought.index.towns[city.card]
    return card.yield_c * _per_c(thought, seat) + 0.3


def _swing(thought: Thought, place: str) -> float:
    """The worth of a City or Mana card, compared with leaving the card to the enemy."""
    return _place(thought, place, 0) + _place(thought, place, 1)


def _unblocked(thought: Thought, leader: MemberId, target: str) -> float:
    if target in thought.view.parties:
        return thought.duel(leader, MemberId(target))[0]
    return _swing(thought, target)


def _blocked(thought: Thought, leader: MemberId, blocker: MemberId, target: str) -> float:
    """The value of the Battle with the blocker, and of the planned one if the blocker is beaten."""
    worth, away = thought.duel(leader, blocker)
    if not away or worth < -4:
        return worth
    return worth + (
        max(0.0, 0.5 * _unblocked(thought, leader, target))
        if target in thought.view.parties
        else _swing(thought, target)
    )


def _assault(thought: Thought, choice: Assault) -> float:
    """The value of the attack after the enemy's best answer."""
    leader, enemy = MemberId(choice.leader), foe(thought.seat)
    answers = [_unblocked(thought, leader, choice.target)]
    for blocker in blockers(thought.view, enemy, choice.target):
        answers.append(_blocked(thought, leader, blocker, choice.target) + 0.4)
    return min(answers)


def _plant(thought: Thought, choice: Plant) -> float:
    """Planting pays until the most expensive Spell in the hand can be cast."""
    view, index = thought.view, thought.index
    colour = index.mana[choice.card].colour
    needs = [index.spells[card].mana.get(colour, 0) for card in hand_of(view, thought.seat) if card in index.spells]
    return 1.5 if max(needs, default=0) > mana_owned(view, thought.seat, colour) else 0.05


def _cast(thought: Thought, choice: Cast) -> float:
    (ability,) = thought.index.abilities[choice.spell]
    if isinstance(ability.op, hooks.Summon):
        if choice.target:
            return 0.1 * thought.view.members[MemberId(choice.target)].damage
        return strength(thought.index, ability.op.card)
    return _effect(thought, ability, choice.target) + 0.1


def _effect(thought: Thought, ability: hooks.Ability, target: str) -> float:
    """The value of an ability used outside Battle on a target."""
    view = thought.view
    if target in view.parties and ability.selector in {"enemy_party", "own_party"}:
        return sum(_on_member(thought, ability.op, id_) for id_ in living(view, MemberId(target)))
    return _on_member(thought, ability.op, MemberId(target)) if target in view.members else 0.0


def _on_member(thought: Thought, op: hooks.Op, id_: MemberId) -> float:
    member = thought.view.members[id_]
    fighter = fighter_of(thought.view, id_, thought.view.parties[member.party].slots)
    match op:
        case hooks.Damage(n):
            return blow(fighter, n)
        case hooks.HealOperation(n):
            return 0.45 * min(n, member.damage) * fighter.worth / fighter.most
        case hooks.ReviveOperation():
            return 0.6 * fighter.worth
        case hooks.WardOperation(n):
            return 0.15 * n
        case hooks.Atk(n):
            return 0.25 * abs(n)
        case hooks.MaxHp(n):
            return blow(fighter, -n) if -n >= fighter.hp else 0.1
        case hooks.Spend() | hooks.Unspend():
            return 1.5 + 0.05 * fighter.worth
    return 0.0


def _ability(thought: Thought, choice: UseAbility) -> float:
    card = thought.view.members[MemberId(choice.leader)].card
    ability = thought.index.abilities[card][choice.ability]
    match ability.op:
        case hooks.StealItem():
            item = choice.target.split("/")[1]
            return 0.4 + _item_worth(thought, item, choice.receiver)
        case hooks.StealMana():
            return 1.3 * MANA
        case hooks.TapCityOperation():
            return 0.3 * thought.index.towns[thought.view.cities[PlaceId(choice.target)].card].yield_c
        case hooks.Peek():
            return 0.06
    return _effect(thought, ability, choice.target)


def _place_unit(thought: Thought, choice: PlaceUnit) -> float:
    """The value of a place: close fighters stand in front, the middle first; all other members stand behind them."""
    card = thought.index.units[thought.asked.terms["card"]]
    front = choice.slot <= 3
    return 2.0 * (front == (card.style == "adj" and not card.abilities)) + 0.5 * (choice.slot in {2, 5})


def _discard(thought: Thought, choice: DiscardUnits) -> float:
    return -sum(_left(thought, MemberId(unit)) for unit in choice.units)


def _revive(thought: Thought, choice: Revive) -> float:
    return 5.0 + thought.strength(choice.member)


def _heal(thought: Thought, choice: Heal) -> float:
    """The value of healing: removing two points is better than removing one."""
    member = thought.view.members[MemberId(choice.member)]
    return 5.0 + min(2, member.damage) * thought.strength(choice.member) / thought.index.bodies[member.card].hp


def _tap(thought: Thought, choice: TapCity) -> float:
    """When a price is due, tap the smallest City that is enough, otherwise the largest.

    In the Healing Phase, tap a City while that pays.
    """
    view = thought.view
    give = thought.index.towns[view.cities[PlaceId(choice.city)].card].yield_c
    if thought.asked.kind == "Payment":
        due = int(thought.asked.terms["due"])
        return 10.0 - give if give >= due else give / 10
    credit = view.sides[thought.seat].credit
    if thought.asked.kind == "Revival":
        dead = [member for member in view.members.values() if member.seat == thought.seat and member.dead]
        dear = max((thought.strength(member.id) for member in dead), default=0.0)
        return 2.0 - give / 10 if dead and dear >= 1.5 and credit < 2 else -1.0
    hurt = sum(
        (member.damage + 1) // 2
        for member in view.members.values()
        if member.seat == thought.seat and not member.dead and member.damage >= 2
    )
    left = purse(view, thought.seat) - credit - give
    return 1.0 - give / 10 if not credit and hurt >= give and left >= RESERVE else -1.0


def _block(thought: Thought, choice: Block | DeclineBlock) -> float:
    attack = thought.view.attack
    assert attack is not None
    if isinstance(choice, DeclineBlock):
        return -_unblocked(thought, attack.leader, attack.target)
    return -_blocked(thought, attack.leader, MemberId(choice.leader), attack.target) - 0.6


def _engage(thought: Thought, choice: Engage) -> float:
    del choice
    attack = thought.view.attack
    assert attack is not None
    return thought.duel(attack.leader, MemberId(attack.target))[0]


def _battle_action(thought: Thought, choices: tuple[Choice, ...]) -> Choice:
    """The action that leads to the highest value."""
    best, most = choices[-1], -1e9
    for worth, choice in _battle_worths(thought, choices):
        if worth > most + 1e-9:
            best, most = choice, worth
    return best


def _battle_worths(thought: Thought, choices: tuple[Choice, ...]) -> list[tuple[float, Choice]]:
    """Simulate each promising action and the Battle after it; gives the resulting values."""
    fight = fight_now(thought.view)
    seat = int(thought.seat)
    fight.to_act = seat
    places = {fighter.id: number for number, fighter in enumerate(fight.everybody)}
    worths = {action: worth for worth, action in actions(fight, seat)}
    acted = [(choice, found) for choice in choices if (found := _action(fight, places, choice)) is not None]
    acted.sort(key=lambda pair: -worths.get(pair[1], 0.0))
    tried: list[tuple[Choice, PlannedAction | None]] = [
        *acted[:CANDIDATES],
        *((choice, None) for choice in choices if isinstance(choice, PassRound | FinishRound)),
    ]
    return [
        (_after(thought, fight, action, finish=isinstance(choice, FinishRound)), choice) for choice, action in tried
    ]


def _after(thought: Thought, fight: Fight, action: PlannedAction | None, *, finish: bool) -> float:
    """The value after the Battle continues with this action."""
    then, seat = fight.copy(), int(thought.seat)
    if action is not None:
        perform(then, action)
        then.free = max(0, then.free - 1)
    elif finish:
        then.free = 0
        for fighter in then.everybody:
            fighter.tapped = fighter.tapped or fighter.seat == seat
    then.to_act = 1 - seat
    return thought.balance(fight_on(then), seat)


def _action(fight: Fight, places: dict[str, int], choice: Choice) -> PlannedAction | None:
    match choice:
        case Strike(member, target):
            return PlannedAction(places[member], places[target] if target else -1)
        case UseSkill(member, ability, target):
            return _skilled(fight, places, member, ability, target)
        case UseItem(leader, item, target):
            return _skilled(fight, places, leader, item, target)
    return None


def _skilled(fight: Fight, places: dict[str, int], by: str, key: int | str, target: str) -> PlannedAction | None:
    skills = fight.everybody[places[by]].skills
    number = next((number for number, skill in enumerate(skills) if skill.key == key), None)
    return None if number is None else PlannedAction(places[by], places.get(target, -1), number)


def _retreat(thought: Thought, choices: tuple[Choice, ...]) -> Choice:
    """The answer with the higher resulting value; a Leader who lets an attack pass loses its target."""
    seat = int(thought.seat)
    fight = fight_now(thought.view)
    fight.round = min(2, thought.view.battle.round + 1) if thought.view.battle else 1
    fight.to_act = fight.attacking if fight.round == 2 else 1 - fight.attacking
    flight = fight.copy()
    flight.retreating, flight.free = seat, 2
    stood, fled = thought.balance(fight_on(fight), seat), thought.balance(fight_on(flight), seat)
    attack = thought.view.attack
    if attack is not None and attack.blocker and seat != attack.seat and fight.living(seat):
        fled -= _swing(thought, attack.target) if attack.target not in thought.view.parties else 1.0
    wanted = Retreat() if fled > stood + 0.2 else Stand()
    return wanted if wanted in choices else choices[0]


def _form_up(thought: Thought, choices: tuple[Choice, ...]) -> Choice:
    """The single move that improves the Battle most; None if no move improves it."""
    return max(_formation_worths(thought, choices), key=lambda pair: pair[0])[1]


def _formation_worths(thought: Thought, choices: tuple[Choice, ...]) -> list[tuple[float, Choice]]:
    """The value of the Battle after each move; keeping the formation gets a small bonus."""
    view, battle = thought.view, thought.view.battle
    assert battle is not None
    seat = int(thought.seat)
    own = battle.party(seat)
    start = thought.balance(fight_on(fight_between(view, battle.attacker, battle.defender, known=thought.known)), seat)
    found: list[tuple[float, Choice]] = [(start + MOVED, Keep())]
    for choice in choices:
        if isinstance(choice, Move):
            ways = moves(thought.index, view, view.parties[own], MemberId(choice.member))
            slots = next(slots for slot, slots in ways if slot == choice.slot)
            fight = fight_between(view, battle.attacker, battle.defender, {own: slots}, thought.known)
            found.append((thought.balance(fight_on(fight), seat), choice))
    return found


TOGETHER: Final[dict[str, Callable[[Thought, tuple[Choice, ...]], Choice]]] = {
    "BattleAction": _battle_action,
    "FreeAction": _battle_action,
    "RetreatOffer": _retreat,
    "BattleFormation": _form_up,
}
"""Decisions whose choices are weighed together."""
WEIGHED: Final[dict[str, Callable[[Thought, tuple[Choice, ...]], list[tuple[float, Choice]]]]] = {
    "BattleAction": _battle_worths,
    "FreeAction": _battle_worths,
    "BattleFormation": _formation_worths,
}
"""The decisions of `TOGETHER` for which each choice has a value."""
RATES: Final[dict[type[Choice], Rate]] = {
    RecruitCity: _city,
    RecruitMinor: _minor,
    RecruitUnit: _unit,
    Shop: _shop,
    ReplaceLeader: _replace,
    Assault: _assault,
    Plant: _plant,
    Cast: _cast,
    UseAbility: _ability,
    PlaceUnit: _place_unit,
    DiscardUnits: _discard,
    Revive: _revive,
    Heal: _heal,
    TapCity: _tap,
    Block: _block,
    DeclineBlock: _block,
    Engage: _engage,
    Cancel: lambda *_: 0.0,
    ConfirmRevives: lambda *_: 0.0,
    ConfirmHeals: lambda *_: 0.0,
    Keep: lambda *_: 0.0,
    Pass: lambda *_: 0.0,
    Finish: lambda *_: 0.0,
}
"""The value of a choice. Confirming is worth 0; a choice without a value here is avoided."""
