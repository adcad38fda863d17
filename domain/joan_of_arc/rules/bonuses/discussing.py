"""The discuss bonus action and discussion cards (section L)."""

from collections.abc import Iterator

from domain.commons.cards import known
from domain.joan_of_arc.cards.cards import LETTERS, Letter
from domain.joan_of_arc.rules.bonuses.moment import able
from domain.joan_of_arc.rules.effects.running import Effects
from domain.joan_of_arc.rules.phases.setup import talk_pile
from domain.joan_of_arc.rules.phases.victory import judge
from domain.joan_of_arc.state.events import (
    AnswerRevealed,
    BonusTaken,
    CardHandedOver,
    DiscussionCardDrawn,
    DiscussionEnded,
    DiscussionStarted,
    PileShuffled,
    QuestionChosen,
    ResourceGained,
    UnitMarked,
    UnitRemoved,
)
from domain.joan_of_arc.state.queries import card_of, opponents, setting_of, unit_of
from domain.joan_of_arc.state.state import Activation, JoanState, Unit, UnitId
from domain.kernel import DONE, Call, Choice, Decision, Flow, Goto, One, Procedure, Resolver, Seat, ask, only, step


class Discuss(Choice, frozen=True):
    """This character talks to this civilian."""

    unit: UnitId
    civilian: UnitId


def offers(state: JoanState, now: Activation) -> Iterator[Discuss]:
    """JA-152, JA-153: with a civilian that shows the bubble in the same area, once a turn."""
    for unit in able(state, now, "discuss"):
        if "discussed" not in unit.marks:
            yield from (Discuss(unit.id, other.id) for other in talkers(state, unit))


def talkers(state: JoanState, unit: Unit) -> Iterator[Unit]:
    """JA-Q31: civilians with the bubble in a unit's area, neutral or its owner's."""
    for other in state.field.units.values():
        here = other.spot == "board" and other.area == unit.area and other.owner in {None, unit.owner}
        if here and card_of(state, other).discussion and talk_pile(other.card, 1) in state.piles:
            yield other


class AskQuestion(Choice, frozen=True):
    """Choose this question."""

    letter: Letter


class QuestionChoice(Decision, frozen=True):
    """JA-D43 The question that is asked."""

    rule = "JA-156"

    unit: UnitId
    card: str

    def form(self, state: JoanState) -> One:
        """JA-156: A and B; JA-157: C and D by a unit with their banner; JA-263: any with Charisma. JA-158: red print
        changes nothing.
        """
        speaker = card_of(state, unit_of(state, self.unit))
        questions = setting_of(state).index.discussions[self.card].questions
        banners = {None, speaker.side, *speaker.banners}
        open_to = (letter for letter in LETTERS if speaker.skills.charisma or questions[letter].banner in banners)
        return only(tuple(AskQuestion(letter) for letter in open_to))

    def resolve(self, r: Resolver[JoanState], choice: AskQuestion) -> Flow:
        """JA-159, JA-397, JA-Q32: the card goes to the next opponent, who reads the answer out; JA-398: only that
        opponent knows the other answers. JA-160: the answer applies to the unit that asked.
        """
        card = setting_of(r.state).index.discussions[self.card]
        r.emit(QuestionChosen(self.by, card.id, choice.letter))
        answer, opponent = card.answers[choice.letter], reader(r.state, self.by)
        r.emit(CardHandedOver(opponent, card.id, card.back()))
        r.emit(AnswerRevealed(opponent, card.id, choice.letter, answer))
        return Call(Effects(self.by, answer, self.unit))


def reader(state: JoanState, asker: Seat) -> Seat:
    """JA-Q32: the next opponent in turn order after the asker."""
    order = setting_of(state).order
    at = order.index(asker)
    foes = opponents(state, asker)
    return next(seat for seat in (*order[at:], *order[:at]) if seat in foes)


def begin(r: Resolver[JoanState], seat: Seat, choice: Discuss) -> Procedure:
    """JA-154: the tokens that the scenario lists for the civilian."""
    tokens = unit_of(r.state, choice.civilian).tokens
    r.emit(BonusTaken(choice.unit, "discuss"))
    r.emit(UnitMarked(choice.unit, "discussed"))
    r.emit(DiscussionStarted(seat, choice.unit, choice.civilian))
    if tokens:
        r.emit(ResourceGained(seat, "intrigue", tokens, "JA-154"))
    return Discussing(seat, choice.unit, choice.civilian)


class Discussing(Procedure, frozen=True):
    """JA-155 to JA-163: a discussion. `level` of the card that is drawn next."""

    seat: Seat
    unit: UnitId
    civilian: UnitId
    level: int = 1

    @step("JA-155", "JA-396")
    def draw(self, r: Resolver[JoanState]) -> Flow:
        """The cards are shuffled, the bottom one is drawn; everybody sees its question side."""
        pile = talk_pile(unit_of(r.state, self.civilian).card, self.level)
        cards = r.shuffle(known(r.state.piles[pile].cards), "JA-155", pile)
        if not cards:
            return Goto("JA-163")
        r.emit(PileShuffled(pile, len(cards), cards))
        r.emit(DiscussionCardDrawn(cards[-1], self.level))
        return ask(QuestionChoice(self.seat, self.unit, cards[-1]))

    @step("JA-162")
    def go_on(self, r: Resolver[JoanState]) -> Flow:
        """If the answer calls for it, a level 2 card follows."""
        goes_on = r.state.talk_goes_on and unit_of(r.state, self.unit).spot == "board"
        if goes_on and self.level == 1:
            return Goto("JA-155", Discussing(self.seat, self.unit, self.civilian, 2))
        return Goto("JA-163")

    @step("JA-163")
    def end(self, r: Resolver[JoanState]) -> Flow:
        """The civilian leaves the game."""
        r.emit(DiscussionEnded(self.unit))
        if unit_of(r.state, self.civilian).spot == "board":
            r.emit(UnitRemoved(self.civilian))
        judge(r)
        return DONE
