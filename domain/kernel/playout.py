"""Playouts of matches in a search: from any state, by the rules themselves, with given chance.

A `Playout` keeps no events and checks no choice: its caller takes choices from the forms. It holds its place in the
rules as live procedures and decisions, because no record needs them as plain data.
"""

from typing import TypeVar

from domain.kernel.chance import Chance
from domain.kernel.errors import KernelFault
from domain.kernel.events import Chosen, DecisionsOpened, Event
from domain.kernel.form import AnyForm, Choice
from domain.kernel.game import Game
from domain.kernel.play import STAND_IN_LIMIT, Play
from domain.kernel.procedure import Ask, Decision, Flow
from domain.kernel.resolver import EndedError
from domain.kernel.secret import HIDDEN, Hidden
from domain.kernel.state import Asked, State, plain_fields

S = TypeVar("S", bound=State)


class Playout(Play[S]):
    """A match that is played out without a record, seals or viewers. `fork` copies only references.

    The state given must hold its stack of procedures. During the playout the state's stack does not change, and sealed
    answers are `HIDDEN` in the state: the playout itself holds both.
    """

    __slots__ = ("_answers", "_open")

    def __init__(self, game: Game[S], state: S, chance: Chance, origin: "Playout[S] | None" = None) -> None:
        """`origin`: a playout that is already at this state. Raises `KernelFault` for a view, whose stack is hidden."""
        super().__init__(game, state, chance)
        self._open: dict[int, Decision]
        self._answers: dict[int, tuple[Decision, Choice]]
        if origin is not None:
            self._stack = list(origin._stack)
            self._open, self._answers = dict(origin._open), dict(origin._answers)
            return
        if isinstance(state.stack, Hidden):
            raise KernelFault("a view cannot be played on: its stack is hidden")
        self._stack = [game.revive_frame(frame) for frame in state.stack]
        self._open = {asked.number: game.revive_decision(asked) for asked in state.asked}
        self._answers = {
            answered.asked.number: (game.revive_decision(answered.asked), game.read_choice(answered.choice))
            for answered in state.answered
        }

    def fork(self, chance: Chance) -> "Playout[S]":
        """A copy of the playout at the same moment, which continues with other chance."""
        return Playout(self.game, self.state, chance, self)

    @property
    def is_over(self) -> bool:
        """Whether the match has a result."""
        return self.state.result is not None

    def form(self, asked: Asked) -> AnyForm:
        """The legal choices of an open decision."""
        return self._open[asked.number].form(self.state)

    def choose(self, asked: Asked, choice: Choice) -> None:
        """Carry out a choice of the form, and continue to the next question to a seat that is still here."""
        self._go_on(asked, choice)
        left = self.state.table.left
        for _ in range(STAND_IN_LIMIT if left else 0):
            other = next((other for other in self.state.asked if other.seat in left), None)
            if other is None:
                return
            self._go_on(other, self._open[other.number].default(self.state))

    def emit(self, event: Event) -> None:
        """Fold the event, and forget it."""
        self.state = self._evolve[type(event)](self.state, event)

    def _go_on(self, asked: Asked, choice: Choice) -> None:
        self.emit(Chosen(asked.seat, asked.number, choice=HIDDEN))
        decision = self._open.pop(asked.number)
        try:
            flow = self._flow(asked, decision, choice)
            if flow is not None:
                self._apply(flow)
                if type(flow) is not Ask:
                    self._run()
        except EndedError:
            return

    def _flow(self, asked: Asked, decision: Decision, choice: Choice) -> Flow | None:
        """The flow that follows from the answers; None if answers are still missing."""
        if not self.state.sealed:
            flow = decision.resolve(self, choice)
            return None if self.state.asked else flow
        self._answers[asked.number] = (decision, choice)
        if self.state.asked:
            return None
        answers = [self._answers[number] for number in sorted(self._answers)]
        return [answered.resolve(self, answer) for answered, answer in answers][-1]

    def _pause(self, ask: Ask) -> None:
        """Pause as in a match, but keep the stack in the playout."""
        number = self.state.number
        self._open = opened = dict(enumerate(ask.decisions, number + 1))
        self._answers = {}
        asked = tuple(
            [
                Asked(number, decision.by, type(decision).__name__, plain_fields(decision))
                for number, decision in opened.items()
            ]
        )
        self.emit(DecisionsOpened(asked, ask.sealed and len(asked) > 1, ()))
