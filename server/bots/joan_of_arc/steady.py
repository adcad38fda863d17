"""A bot that plays Time of Legends: Joan of Arc to win, using only facts that its seat may know.

Everything has a value in VP (`worth`). The average result of an attack is computed from the faces of the dice (`odds`,
`ground`). A position's prospects are the attacks that either side could still make (`outlook`). An order is worth as
much as the best plan for its units (`plans`), and the best order is played (`ordering`). `answers` holds the answers
inside attacks, and `asides` holds all other answers.
"""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from domain.joan_of_arc.rules.attacks.allocating import GuardOffer, ResultTaker
from domain.joan_of_arc.rules.attacks.dodging import DodgeOffer
from domain.joan_of_arc.rules.attacks.following import BreakthroughOffer
from domain.joan_of_arc.rules.attacks.gigantic_dice import DiceAssignment, StrideIn
from domain.joan_of_arc.rules.attacks.improving import RollEffects, TokenDice
from domain.joan_of_arc.rules.bonuses.commanding import CommandTargets
from domain.joan_of_arc.rules.effects.battle import CardDice
from domain.joan_of_arc.rules.effects.characters import CharacterChoice
from domain.joan_of_arc.rules.effects.mustering import AreaChoice, UnitsChoice
from domain.joan_of_arc.rules.phases.activation import Declaration
from domain.joan_of_arc.rules.player_actions.legends import LegendOffer
from domain.joan_of_arc.rules.pushing import PushDestination, StayOffer
from domain.joan_of_arc.state.state import JoanState
from domain.kernel import AnyForm, Asked, Below, Choice, Decision, Pick
from server.bots.joan_of_arc import answers, asides, ordering
from server.bots.joan_of_arc.ordering import Mind
from server.bots.joan_of_arc.plans import NARROW, WIDE

Choices = tuple[Choice, ...]
READ: Final[dict[str, type[Decision]]] = {
    kind.__name__: kind
    for kind in (
        Declaration,
        GuardOffer,
        ResultTaker,
        DodgeOffer,
        BreakthroughOffer,
        RollEffects,
        TokenDice,
        DiceAssignment,
        StrideIn,
        CommandTargets,
        CardDice,
        CharacterChoice,
        AreaChoice,
        UnitsChoice,
        LegendOffer,
        PushDestination,
        StayOffer,
    )
}
"""Decisions that need more than the list of choices."""


class SteadyBot:
    """The bot that the module describes. It stores its results until the board changes.

    `sketches`: whether it plays out matches in a search, and simulates fewer plans.
    """

    def __init__(self, *, sketches: bool = False) -> None:
        self._mind: Mind | None = None
        self._breadth = NARROW if sketches else WIDE

    def choose(self, view: JoanState, asked: Asked, form: AnyForm, below: Below) -> Choice:
        """The choice with the highest value; a random choice only if the bot has no preference."""
        if form.count() == 1:
            return next(iter(form))
        mind = self._at(view, asked)
        read = READ.get(asked.kind)
        decision = None if read is None else msgspec.convert(asked.terms, read)
        if isinstance(form, Pick):
            return picked(mind, decision, form, asked.kind) or form.sample(below)
        return chosen(mind, decision, tuple(form), asked.kind) or form.sample(below)

    def promising(self, view: JoanState, asked: Asked, form: AnyForm) -> Sequence[Choice]:
        """Orders and declarations by their worth, the best first."""
        if isinstance(form, Pick):
            return ()
        mind = self._at(view, asked)
        if asked.kind == "OrderChoice":
            return ordering.promising_orders(mind, tuple(form))
        if asked.kind == "Declaration":
            declaration = msgspec.convert(asked.terms, Declaration)
            return ordering.promising_declarations(mind, declaration.unit, tuple(form))
        return ()

    def _at(self, view: JoanState, asked: Asked) -> Mind:
        if self._mind is None or not self._mind.fits(view, asked.seat):
            self._mind = Mind(view, asked.seat, self._mind, self._breadth)
        return self._mind.at(view)


def picked(mind: Mind, decision: Decision | None, form: Pick, kind: str) -> Choice | None:
    """The units or dice chosen from a list."""
    match decision:
        case TokenDice(roll=roll):
            return answers.token_dice(mind, roll, form)
        case CardDice(roll=roll):
            return answers.card_dice(mind, roll, form)
        case CommandTargets(commander=commander):
            return ordering.command_these(mind, commander, form)
        case UnitsChoice(area=area):
            return ordering.activate_these(mind, area, form)
    found = PICKS.get(kind)
    return found(mind, form) if found is not None else None


def chosen(mind: Mind, decision: Decision | None, choices: Choices, kind: str) -> Choice | None:
    """The best choice from a list."""
    if decision is not None:
        return _about(mind, decision, choices)
    found = PLAIN.get(kind)
    return found(mind, choices) if found is not None else asides.first_wanted(mind, choices)


def _about(mind: Mind, decision: Decision, choices: Choices) -> Choice | None:
    """Decisions with their own evaluation."""
    match decision:
        case Declaration(unit=unit):
            return ordering.declare(mind, unit, choices)
        case AreaChoice(most=most):
            return ordering.activate_here(mind, most, choices)
        case CharacterChoice(deed=deed):
            return asides.character(mind, deed, choices)
    return _in_attack(mind, decision, choices)


def _in_attack(mind: Mind, decision: Decision, choices: Choices) -> Choice | None:
    match decision:
        case ResultTaker(die=die):
            return answers.take_result(mind, die.face, choices)
        case GuardOffer(unit=unit):
            return answers.guard(mind, unit, choices)
        case DodgeOffer(unit=unit):
            return answers.dodge(mind, unit, choices)
        case BreakthroughOffer(unit=unit):
            return answers.ride_on(mind, unit, choices)
        case RollEffects():
            return answers.improve(mind, decision, choices)
        case DiceAssignment(areas=areas):
            return answers.assign_dice(mind, areas, choices)
        case StrideIn(unit=unit, area=area):
            return answers.take_ground(mind, unit, area, choices)
        case PushDestination():
            return answers.push(mind, choices)
        case StayOffer(units=units):
            return answers.stay_or_go(mind, units[0], choices)
        case LegendOffer():
            return answers.legend(mind, decision, choices)
    return None


PLAIN: Final[dict[str, Callable[[Mind, Choices], Choice]]] = {
    "OrderChoice": ordering.play_order,
    "InterruptOffer": ordering.break_in,
    "NextAction": ordering.next_action,
    "CouncilPick": asides.council,
    "FrightChoice": answers.frighten,
    "DieChoice": answers.roll_only,
    "BatterChoice": answers.batter,
    "WreckChoice": answers.wreck,
    "RerollOffer": asides.reroll,
    "CharismaReroll": asides.reroll_test,
    "QuestionChoice": asides.question,
    "RallyPlace": asides.rally,
    "EffectMove": asides.shift,
    "EffectJump": asides.shift,
    "FireChoice": asides.burn,
    "PatientChoice": asides.patient,
    "EquipmentLimit": asides.lay_down,
    "Upkeep": asides.upkeep,
}
"""Decisions for which the list of choices is enough."""

PICKS: Final[dict[str, Callable[[Mind, Pick], Choice]]] = {
    "FollowUpChoice": answers.follow_up,
    "WhoMoves": asides.who_moves,
    "ImpetuousChoice": answers.as_many,
    "CancelledResults": answers.as_many,
    "ReturnedResults": answers.as_many,
    "TerrorDice": asides.reroll_terror,
    "CollapseDice": asides.reroll_collapse,
}
"""Decisions for several units or dice, whose list contains every answer."""
