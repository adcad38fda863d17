"""Answers outside orders and attacks: council cards, doom dice, discussions, and cards that move or heal units."""

from collections.abc import Sequence
from typing import Final

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.cards.dice import Die, Face, face
from domain.joan_of_arc.cards.hooks import Effect, Heal
from domain.joan_of_arc.rules.actions.walking import MoveThese
from domain.joan_of_arc.rules.attacks.retaliating import StrikeBack
from domain.joan_of_arc.rules.attacks.swamps import SwallowShield
from domain.joan_of_arc.rules.bonuses.discussing import AskQuestion
from domain.joan_of_arc.rules.capturing import Slay
from domain.joan_of_arc.rules.effects.banners import LeaveBanner
from domain.joan_of_arc.rules.effects.characters import LayDown, NameCharacter
from domain.joan_of_arc.rules.effects.infirmary import CareFor
from domain.joan_of_arc.rules.effects.shifting import JumpTo, MoveUnit
from domain.joan_of_arc.rules.effects.tokens import BurnArea
from domain.joan_of_arc.rules.phases.activation import TakeToken
from domain.joan_of_arc.rules.phases.council import PayUpkeep, TakeCouncilCard
from domain.joan_of_arc.rules.phases.rallying import RallyAt
from domain.joan_of_arc.rules.phases.ransoming import PayRansom
from domain.joan_of_arc.rules.player_actions.exchanging import ExchangeForXp
from domain.joan_of_arc.rules.player_actions.rerolling import KeepDie, RerollDie, RollAgainThese
from domain.joan_of_arc.state.queries import setting_of, unit_of
from domain.joan_of_arc.state.state import UnitId
from domain.kernel import Choice, Pick
from server.bots.joan_of_arc.answers import placed
from server.bots.joan_of_arc.odds import chance
from server.bots.joan_of_arc.ordering import Mind, council_worth

DEAR: Final = 2.0
"""The minimum value of a unit for which the reroll token is spent while rounds are left."""
SHIFTED: Final = 0.05
"""The minimum value of a move without an action."""
WANTED: Final = (TakeToken, Slay, SwallowShield, StrikeBack, PayRansom, LeaveBanner)
"""Choices that are taken wherever they are offered."""
Choices = Sequence[Choice]


def first_wanted(mind: Mind, choices: Choices) -> Choice:
    """A choice that is always good, otherwise the first choice."""
    del mind
    return next((choice for choice in choices if isinstance(choice, WANTED)), choices[0])


def who_moves(mind: Mind, form: Pick) -> Choice:
    """JA-Q14: choose as many of the strongest units as fit."""
    strong = sorted(form.items, key=lambda item: -mind.known.worth[item].strength)[: form.most]
    return MoveThese(tuple(item for item in form.items if item in strong))


def council(mind: Mind, choices: Choices) -> Choice:
    """JA-044: take the river card that is worth most."""
    cards = [choice for choice in choices if isinstance(choice, TakeCouncilCard)]
    index = setting_of(mind.view).index.war_council
    return max(cards, key=lambda choice: council_worth(mind, index[choice.card].effects))


def upkeep(mind: Mind, choices: Choices) -> Choice:
    """JA-047: pay the upkeep, exchanging a token for it if necessary; nothing is exchanged in the last round."""
    wanted: tuple[type[Choice], ...] = (PayUpkeep, ExchangeForXp) if mind.known.left > 1 else (PayUpkeep,)
    for kind in wanted:
        found = next((choice for choice in choices if isinstance(choice, kind)), None)
        if found is not None:
            return found
    return choices[0]


def reroll(mind: Mind, choices: Choices) -> Choice:
    """JA-196: reroll for a unit that would die if the unit is worth the token; do not reroll other single dice."""
    roll = mind.view.roll
    wanted = False
    if roll is not None and roll.title == "Doom":
        shown = face("doom", roll.dice[0])
        bad = {Face.DEATH} if mind.known.left > 1 else {Face.DEATH, Face.DISRUPT, Face.DELAYED_RALLY}
        dear = mind.known.worth[roll.about[0]].whole >= DEAR or mind.known.left == 1
        wanted = shown in bad and dear
    return next(choice for choice in choices if isinstance(choice, RerollDie if wanted else KeepDie))


def reroll_terror(mind: Mind, form: Pick) -> Choice:
    """JA-Q77: reroll the terror dice without a shield, if there are two or more."""
    dice = mind.view.roll.dice
    bare = tuple(item for item in form.items if face("black", dice[int(item)]) is not Face.SHIELD)
    return RollAgainThese(bare if len(bare) > 1 else ())


def reroll_collapse(mind: Mind, form: Pick) -> Choice:
    """JA-Q77: reroll all dice if a valuable unit would be lost and none of them shows a shield."""
    roll = mind.view.roll
    shown = [face(kind, value) for kind, value in zip(roll.kinds, roll.dice, strict=True)]
    safe = Face.SHIELD in shown[1:] or shown[0] in {Face.SHIELD, Face.PUSH}
    dear = mind.known.worth[roll.about[0]].whole >= DEAR
    return RollAgainThese(form.items if dear and not safe else ())


def reroll_test(mind: Mind, choices: Choices) -> Choice:
    """JA-264: reroll a die that gives nothing or does harm."""
    roll = mind.view.roll
    die: Die = roll.kinds[0]
    wanted = face(die, roll.dice[0]) in {Face.KILL, Face.DISRUPT, Face.BLANK}
    return next(choice for choice in choices if isinstance(choice, RerollDie if wanted else KeepDie))


def question(mind: Mind, choices: Choices) -> Choice:
    """JA-156: ask a question without risk, with the seat's own banner if possible.

    Nobody may know the answers (JA-397).
    """
    card = str(mind.view.asked[0].terms["card"])
    questions = setting_of(mind.view).index.discussions[card].questions
    asks = [choice for choice in choices if isinstance(choice, AskQuestion)]
    return max(asks, key=lambda ask: (not questions[ask.letter].risk, questions[ask.letter].banner is not None))


def rally(mind: Mind, choices: Choices) -> Choice:
    """JA-Q48: rally at the place nearest to enemies and to areas that score."""
    areas = [choice for choice in choices if isinstance(choice, RallyAt)]
    return min(areas, key=lambda choice: mind.planner.far(choice.area))


def shift(mind: Mind, choices: Choices) -> Choice:
    """The move that improves the position most, or no move."""
    best, most = choices[0], mind.planner.before + SHIFTED
    for choice in choices:
        if isinstance(choice, MoveUnit | JumpTo):
            end: AreaId = choice.path[-1] if isinstance(choice, MoveUnit) else choice.area
            worth = placed(mind, (choice.unit,), end)
            if worth > most:
                best, most = choice, worth
    return best


def burn(mind: Mind, choices: Choices) -> Choice:
    """JA-240: choose the place at which a red die for every unit harms the enemy most."""
    areas = [choice for choice in choices if isinstance(choice, BurnArea)]
    return max(areas, key=lambda choice: _burnt(mind, choice.area))


def _burnt(mind: Mind, area: AreaId) -> float:
    known, worth = mind.known, 0.0
    for unit in known.here.table.standing.get(area, ()):
        harm = known.worth[unit.unit]
        lost = chance("red", Face.KILL) * harm.kill + chance("red", Face.DISRUPT) * harm.disrupt
        if unit.side is not None and not unit.card.skills.fireproof:
            worth += -lost if unit.side == known.side else lost
    return worth


def patient(mind: Mind, choices: Choices) -> Choice:
    """The most valuable unit in the infirmary."""
    return max(choices, key=lambda choice: mind.known.worth[choice.unit].whole if isinstance(choice, CareFor) else 0.0)


def character(mind: Mind, deed: Effect, choices: Choices) -> Choice:
    """Heal the unit with the worst wounds; give every other benefit to the strongest unit."""
    named = [choice for choice in choices if isinstance(choice, NameCharacter)]

    def worth(unit: UnitId) -> float:
        wounds = unit_of(mind.view, unit).wounds if isinstance(deed, Heal) else 0
        return wounds + mind.known.worth[unit].strength

    return max(named, key=lambda choice: worth(choice.unit))


def lay_down(mind: Mind, choices: Choices) -> Choice:
    """JA-178: discard a card for one use rather than a card that stays."""
    index = setting_of(mind.view).index.equipment
    cards = [choice for choice in choices if isinstance(choice, LayDown)]
    return next((choice for choice in cards if index[choice.card].use == "once"), cards[0])
