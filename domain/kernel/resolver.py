"""The resolver: the one place where choices become events.

`emit` appends an event and folds it, and is the only way to change state. `roll` and `shuffle` are the only
randomness. `decide` takes a choice to the next pause.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, Generic, NoReturn, TypeVar

import msgspec

from domain.kernel.chance import Chance
from domain.kernel.errors import KernelFault, MatchOver, MatchStopped, NotBegun, NotOffered, NotPending, NotYours
from domain.kernel.events import Chosen, DecisionsOpened, DiceRolled, Event, MatchBegun, MatchEnded, Shuffled
from domain.kernel.form import Choice
from domain.kernel.modifiers import Part
from domain.kernel.procedure import NEXT, Ask, Call, Done, Flow, Goto, Next, Procedure, steps_of
from domain.kernel.secret import Hidden, Seat
from domain.kernel.state import Asked, Frame, Result, State, plain

if TYPE_CHECKING:
    from domain.kernel.game import Game

S = TypeVar("S", bound=State)
T = TypeVar("T")

STEP_LIMIT: Final = 20_000
"""Steps between two pauses; a rule that needs more never ends."""


class _EndedError(Exception):
    """Unwinds the rules the moment the match is over."""


class Resolver(Generic[S]):
    """Carries out rules against a state, gathering events."""

    __slots__ = ("_chance", "_evolve", "_frames", "_stack", "events", "game", "state")

    def __init__(self, game: "Game[S]", state: S, chance: Chance) -> None:
        self.game = game
        self.state = state
        self.events: list[Event] = []
        self._chance = chance
        self._evolve = game.evolve
        self._stack: list[tuple[Procedure, str]] = []
        self._frames: list[tuple[tuple[Procedure, str], Frame]] = []

    def emit(self, event: Event) -> None:
        """Append the event and fold it."""
        self.state = self._evolve[type(event)](self.state, event)
        self.events.append(event)

    def roll(
        self,
        count: int,
        rule: str,
        title: str,
        *,
        sides: int = 6,
        seat: Seat | None = None,
        about: tuple[str, ...] = (),
        kinds: tuple[str, ...] = (),
        needs: tuple[int, ...] = (),
        parts: Sequence[Part] = (),
    ) -> tuple[int, ...]:
        """Roll `count` dice in the open for `rule`; the faces, left to right. No dice, no draw."""
        if count:
            draw = self._chance.dice(count, sides)
            number, key, dice = draw.number, draw.key, draw.values
        else:
            number, key, dice = self.state.draws, "", ()
        self.emit(DiceRolled(rule, title, number, key, sides, dice, seat, about, kinds, needs, tuple(parts)))
        return dice

    def shuffle(self, items: Sequence[T], rule: str, title: str, *, seat: Seat | None = None) -> tuple[T, ...]:
        """The items in a secret random order."""
        if len(items) < 2:
            return tuple(items)
        draw = self._chance.shuffle(len(items))
        self.emit(Shuffled(rule, title, draw.number, len(items), seat, draw.values))
        return tuple(items[i] for i in draw.values)

    def end(self, winner: Seat | None, reason: str, rule: str) -> NoReturn:
        """The match is over; nothing further is resolved."""
        self.emit(MatchEnded(Result(winner, reason, rule)))
        raise _EndedError

    def begin(self, procedure: Procedure) -> None:
        """Start the first procedure, or go on from the position that was set."""
        positioned = bool(self.state.waiting)
        self.emit(MatchBegun())
        if positioned:
            return
        self._stack = [(procedure, steps_of(type(procedure)).order[0])]
        self._run()

    def resume(self, procedure: Procedure, at: str = "") -> None:
        """Play on from a position: `procedure` from the step `at` (its first) on, inside those of the state's stack."""
        stack = self.state.stack
        if isinstance(stack, Hidden):
            raise KernelFault("a view cannot be played on: its stack is hidden")
        around = [self.game.revive_frame(frame) for frame in stack]
        self._stack = [*around, (procedure, at or steps_of(type(procedure)).order[0])]
        self._run()

    def answer(self, asked: Asked, choice: Choice, chosen: Chosen) -> None:
        """Take an answer: keep it sealed, or carry it out and go on to the next pause."""
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
        except _EndedError:
            pass

    def _resolve_all(self, asked: Asked, choice: Choice) -> Flow | None:
        """Resolve what is due; None when answers are still missing."""
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
        procedure, at = self._stack[-1]
        match flow:
            case Next(become):
                self._advance(become or procedure, at)
            case Done():
                self._stack.pop()
            case Goto(to, become):
                if to not in steps_of(type(become or procedure)).methods:
                    raise KernelFault(f"{type(become or procedure).__name__} has no step {to}")
                self._stack[-1] = (become or procedure, to)
            case Call(called, become):
                self._advance(become or procedure, at)
                self._stack.append((called, steps_of(type(called)).order[0]))
            case Ask():
                self._pause(flow)

    def _advance(self, procedure: Procedure, at: str) -> None:
        after = steps_of(type(procedure)).after[at]
        if after is None:
            self._stack.pop()
        else:
            self._stack[-1] = (procedure, after)

    def _pause(self, ask: Ask) -> None:
        if not ask.decisions:
            raise KernelFault(f"{self._stack[-1]} asks nobody")
        number = self.state.number
        asked = tuple(self.game.asked(number + i, decision) for i, decision in enumerate(ask.decisions, 1))
        self.emit(DecisionsOpened(asked, ask.sealed and len(asked) > 1, self._framed()))

    def _framed(self) -> tuple[Frame, ...]:
        """The stack as plain data; what it still has from the last pause is that already."""
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
        try:
            for _ in range(STEP_LIMIT):
                if not self._stack:
                    raise KernelFault("the procedures ended without a result")
                procedure, at = self._stack[-1]
                flow = steps_of(type(procedure)).methods[at](procedure, self)
                if flow is NEXT:
                    self._advance(procedure, at)
                    continue
                self._apply(flow)
                if type(flow) is Ask:
                    return
        except _EndedError:
            return
        raise KernelFault(f"more than {STEP_LIMIT} steps without a pause at {self._stack[-1]}")


def pending(state: State, seat: Seat | None = None) -> tuple[Asked, ...]:
    """The open decisions, of one seat or of all."""
    return tuple(asked for asked in state.asked if seat is None or asked.seat == seat)


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
                raise NotYours("This decision belongs to the other side; wait for your own.")
            return asked
    raise NotPending("This decision is no longer open; answer the one in your latest prompt.")


def decide(
    game: "Game[S]", state: S, seat: Seat, number: int, choice: Choice, chance: Chance, *, note: Chosen | None = None
) -> Resolver[S]:
    """Carry out a seat's choice for its open decision `number`, up to the next pause.

    The resolver returned holds the new events and state; the state given is untouched. `note` carries the choice's
    id, origin and acknowledgement. Raises a `Refusal`, and then nothing has happened.
    """
    asked = asked_of(state, seat, number)
    decision = game.revive_decision(asked)
    why = decision.form(state).check(choice)
    if why:
        raise NotOffered(why, decision.rule)
    resolver = Resolver(game, state, chance)
    data = plain(choice)
    chosen = msgspec.structs.replace(note, choice=data) if note else Chosen(seat, number, choice=data)
    resolver.answer(asked, choice, chosen)
    return resolver


def frames(stack: Iterable[Frame] | Hidden) -> tuple[str, ...]:
    """The stack as readable text, innermost last; nothing for a view."""
    return () if isinstance(stack, Hidden) else tuple(f"{f.procedure} {f.step}" for f in stack)
