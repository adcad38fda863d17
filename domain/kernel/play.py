"""Play: the course of a match from one pause to the next.

`begin` starts the first procedure, `decide` carries out a choice. Both return a `Play`: the events that followed and
the state after them. The place of a match in its procedures is a stack of frames, which is stored at every pause.
"""

from typing import Final, TypeVar

import msgspec

from domain.kernel.chance import Chance
from domain.kernel.errors import KernelFault, MatchOver, MatchStopped, NotBegun, NotOffered, NotPending, NotYours
from domain.kernel.events import Chosen, DecisionsOpened, MatchBegun, SeatLeft
from domain.kernel.form import Choice
from domain.kernel.game import Game
from domain.kernel.procedure import NEXT, Ask, Call, Done, Flow, Goto, Next, Procedure, steps_of
from domain.kernel.resolver import EndedError, Resolver
from domain.kernel.secret import Hidden, Seat
from domain.kernel.state import Asked, Frame, State, plain
from domain.kernel.table import RULES

S = TypeVar("S", bound=State)

STEP_LIMIT: Final = 20_000
"""The most steps between two pauses; a rule that needs more never ends."""
STAND_IN_LIMIT: Final = 2_000
"""The most questions in a row to seats that have left; a game that asks more never asks anybody else."""


class Play(Resolver[S]):
    """A resolver that also drives the rules: it calls the steps of the procedures until somebody is asked."""

    __slots__ = ("_frames", "_stack", "game")

    def __init__(self, game: Game[S], state: S, chance: Chance) -> None:
        super().__init__(game.evolve, state, chance)
        self.game = game
        self._stack: list[tuple[Procedure, str]] = []
        self._frames: list[tuple[tuple[Procedure, str], Frame]] = []

    def begin(self, procedure: Procedure) -> None:
        """Start the first procedure, or continue from the position that was set."""
        positioned = bool(self.state.waiting)
        self.emit(MatchBegun())
        if positioned:
            return
        self._stack = [(procedure, steps_of(type(procedure)).order[0])]
        self._run()

    def resume(self, procedure: Procedure, at: str = "") -> None:
        """Continue from a position: `procedure` runs from step `at` (default: its first), inside the state's stack."""
        stack = self.state.stack
        if isinstance(stack, Hidden):
            raise KernelFault("a view cannot be played on: its stack is hidden")
        around = [self.game.revive_frame(frame) for frame in stack]
        self._stack = [*around, (procedure, at or steps_of(type(procedure)).order[0])]
        self._run()

    def answer(self, asked: Asked, choice: Choice, chosen: Chosen) -> None:
        """Take an answer: keep it sealed, or carry it out and continue to the next pause for a seat that is
        still here.
        """
        self._take(asked, choice, chosen)
        self.stand_in()

    def leave(self, seat: Seat, reason: str) -> None:
        """A seat is out while the others play on; the game decides the fate of its pieces. `stand_in` must follow."""
        self.emit(SeatLeft(seat, reason))
        try:
            self.game.spec.leave(self, seat)
        except EndedError:
            return

    def stand_in(self) -> None:
        """Answer for seats that have left, with each question's default, until only other seats are asked."""
        left = self.state.table.left
        for _ in range(STAND_IN_LIMIT if left else 0):
            asked = next((asked for asked in self.state.asked if asked.seat in left), None)
            if asked is None:
                return
            choice = self.game.revive_decision(asked).default(self.state)
            self._take(asked, choice, Chosen(asked.seat, asked.number, by=RULES, choice=plain(choice)))
        if left:
            raise KernelFault(f"more than {STAND_IN_LIMIT} questions to seats that have left")

    def _take(self, asked: Asked, choice: Choice, chosen: Chosen) -> None:
        stack = self.state.stack
        if isinstance(stack, Hidden):
            raise KernelFault("a view cannot be played on: its stack is hidden")
        self._stack = [self.game.revive_frame(frame) for frame in stack]
        self._frames = list(zip(self._stack, stack, strict=True))
        self.emit(chosen)
        try:
            flow = self._resolve_all(asked, choice)
            if flow is not None:
                self._apply(flow)
                if not isinstance(flow, Ask):
                    self._run()
        except EndedError:
            pass

    def _resolve_all(self, asked: Asked, choice: Choice) -> Flow | None:
        """Resolve the answers that are complete; None if answers are still missing."""
        if not self.state.sealed:
            flow = self.game.revive_decision(asked).resolve(self, choice)
            if self.state.asked and flow != NEXT:
                raise KernelFault(f"{asked.kind} is answered on its own and must go on with NEXT")
            return None if self.state.asked else flow
        if self.state.asked:
            return None
        flows: list[Flow] = []
        for answered in sorted(self.state.answered, key=lambda a: a.asked.number):
            decision = self.game.revive_decision(answered.asked)
            if isinstance(answered.choice, Hidden):
                raise KernelFault("a sealed answer is hidden")
            flows.append(decision.resolve(self, self.game.read_choice(answered.choice)))
        if any(flow not in (NEXT, flows[-1]) for flow in flows):
            raise KernelFault(f"the sealed answers to {asked.kind} go on in different ways: {flows}")
        return flows[-1]

    def _apply(self, flow: Flow) -> None:
        """Move the top frame, or push or pop one, as the flow says."""
        stack = self._stack
        procedure, at = stack[-1]
        # Class patterns would take several times as long, and this code runs at every step of every playout.
        if type(flow) is Call:
            self._advance(flow.become or procedure, at)
            called = flow.procedure
            stack.append((called, steps_of(type(called)).order[0]))
        elif type(flow) is Done:
            stack.pop()
        elif type(flow) is Ask:
            self._pause(flow)
        elif type(flow) is Next:
            self._advance(flow.become or procedure, at)
        elif type(flow) is Goto:
            self._go_to(flow)

    def _go_to(self, flow: Goto) -> None:
        procedure = flow.become or self._stack[-1][0]
        if flow.step not in steps_of(type(procedure)).methods:
            raise KernelFault(f"{type(procedure).__name__} has no step {flow.step}")
        self._stack[-1] = (procedure, flow.step)

    def _advance(self, procedure: Procedure, at: str) -> None:
        after = steps_of(type(procedure)).after[at]
        if after is None:
            self._stack.pop()
        else:
            self._stack[-1] = (procedure, after)

    def _pause(self, ask: Ask) -> None:
        if not ask.decisions:
            raise KernelFault(f"{self._stack[-1]} asks nobody")
        state = self.state
        number, tells_limits = state.number, state.record > 1
        asked = tuple(
            self.game.asked(number + i, decision, decision.limit_s(state) if tells_limits else 0.0)
            for i, decision in enumerate(ask.decisions, 1)
        )
        self.emit(DecisionsOpened(asked, ask.sealed and len(asked) > 1, self._framed()))

    def _framed(self) -> tuple[Frame, ...]:
        """The stack as plain data; frames that are unchanged since the last pause are plain data already."""
        frames: list[Frame] = []
        for place, (procedure, at) in enumerate(self._stack):
            if place < len(self._frames):
                (former, _), frame = self._frames[place]
                if procedure is former and at == frame.step:
                    frames.append(frame)
                    continue
            frames.append(self.game.frame(procedure, at))
        return tuple(frames)

    def _run(self) -> None:
        """Carry out steps until somebody is asked or the match is over."""
        stack = self._stack
        try:
            for _ in range(STEP_LIMIT):
                if not stack:
                    raise KernelFault("the procedures ended without a result")
                procedure, at = stack[-1]
                steps = steps_of(type(procedure))
                flow = steps.methods[at](procedure, self)
                if flow is NEXT:
                    after = steps.after[at]
                    if after is None:
                        stack.pop()
                    else:
                        stack[-1] = (procedure, after)
                    continue
                self._apply(flow)
                if type(flow) is Ask:
                    return
        except EndedError:
            return
        raise KernelFault(f"more than {STEP_LIMIT} steps without a pause at {stack[-1]}")


def begin(game: Game[S], state: S, chance: Chance) -> Play[S]:
    """Start play once the seats are taken, up to the first pause."""
    play = Play(game, state, chance)
    play.begin(game.spec.opening(state))
    return play


def asked_of(state: State, seat: Seat, number: int) -> Asked:
    """The open decision `number`, which must be the seat's.

    Raises `NotBegun`, `MatchOver`, `MatchStopped`, `NotPending` or `NotYours`.
    """
    if state.result is not None:
        raise MatchOver("The match is over; no more choices are taken.")
    if not state.begun:
        raise NotBegun("The match has not begun: it waits until every seat is taken.")
    if state.table.paused:
        raise MatchStopped("The match is paused; offer to go on, or wait for the end of the pause.")
    for asked in state.asked:
        if asked.number == number:
            if asked.seat != seat:
                raise NotYours("This decision belongs to another seat; wait for your own.")
            return asked
    raise NotPending("This decision is no longer open; answer the one in your latest prompt.")


def decide(
    game: Game[S], state: S, seat: Seat, number: int, choice: Choice, chance: Chance, *, note: Chosen | None = None
) -> Play[S]:
    """Carry out a seat's choice for its open decision `number`, up to the next pause.

    The play returned holds the new events and state; the state given is untouched. `note` carries the choice's
    id, origin and acknowledgement. Raises a `Refusal`, and then nothing has happened.
    """
    asked = asked_of(state, seat, number)
    forbidden = game.why_not(asked, state, choice)
    if forbidden is not None:
        raise NotOffered(forbidden.why, forbidden.rule)
    play = Play(game, state, chance)
    data = plain(choice)
    chosen = msgspec.structs.replace(note, choice=data) if note else Chosen(seat, number, choice=data)
    play.answer(asked, choice, chosen)
    return play
