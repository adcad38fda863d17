"""A lesson in progress: the moment as the learner sees it, the answer to a choice, and the others' next choices."""

from typing import Any, Final, Generic, TypeVar

from msgspec import Struct

from domain.kernel import Choice, Event, Game, Seat, State, decide, pending
from replay.scenarios.chance import ScriptedChance
from replay.scenarios.comparison import mask_of
from replay.scenarios.errors import ScenarioInvalid
from replay.scenarios.lesson_format import Lesson, LessonStep, Mistake, Reply
from replay.scenarios.play import Playing
from replay.scenarios.text import read_choice

S = TypeVar("S", bound=State)

OVER: Final = "The lesson is over."
OTHER: Final = "That is not what this lesson is about. Try the other."
"""The answer to a choice for which a step has no words of its own."""


class SeenEvent(Struct, Generic[S], frozen=True):
    """An event as the learner was sent it, with the learner's state before and after it."""

    before: S
    after: S
    event: Event


class Heard(Struct, Generic[S], frozen=True):
    """The answer to a choice: whether the step is done, the words with their rows, and the events."""

    done: bool
    say: tuple[str, ...]
    rules: tuple[str, ...] = ()
    seen: tuple[SeenEvent[S], ...] = ()


class LessonSession(Generic[S]):
    """A lesson in progress, at one of its steps; `view` is what the learner knows.

    Raises `ScenarioInvalid` for a lesson that cannot begin as it says.
    """

    def __init__(self, game: Game[S], lesson: Lesson) -> None:
        playing = Playing(game, lesson.scenario())
        wrong = [str(found) for found in playing.begin()]
        if wrong or not playing.views:
            raise ScenarioInvalid("; ".join(wrong) or f"{game.name} cannot tell what players know of a position")
        self.game, self.lesson = game, lesson
        self.state, self.view = playing.state, playing.views[f"seat{lesson.seat}"]
        self._at = 0

    @property
    def step(self) -> LessonStep | None:
        """The step to read or do now; None at the end."""
        return self.lesson.step[self._at] if self._at < len(self.lesson.step) else None

    def expected(self) -> list[Choice]:
        """The choices that count as done now; the first is the one to show."""
        return [] if self.step is None else [read_choice(self.game, each, self.state) for each in self.step.expect]

    def read_on(self) -> None:
        """Go to the next step after one that is only read."""
        if self.step is not None and not self.step.expect:
            self._at += 1

    def choose(self, choice: Choice) -> Heard[S]:
        """Answer a choice; only one that the step expects is carried out."""
        step = self.step
        if step is None:
            return Heard(False, (OVER,))
        if choice in self.expected():
            return self._done(step, choice)
        mistake = next((each for each in step.unless if self._is(each, choice)), None)
        if mistake is not None:
            return Heard(False, (mistake.say,), tuple(mistake.rules))
        return Heard(False, (step.otherwise or OTHER,))

    def _is(self, mistake: Mistake, choice: Choice) -> bool:
        return read_choice(self.game, mistake.choice, self.state) == choice

    def _done(self, step: LessonStep, choice: Choice) -> Heard[S]:
        seen, said = self._carried_out(self.lesson.seat, choice, step), list[str]()
        for reply in step.reply:
            seen += self._carried_out(reply.seat, read_choice(self.game, reply.choice, self.state), reply)
            said += [reply.say] if reply.say else []
        self._at += 1
        return Heard(True, (*said, *([step.done] if step.done else [])), tuple(step.rules), tuple(seen))

    def _carried_out(self, seat: int, choice: Choice, script: LessonStep | Reply) -> list[SeenEvent[S]]:
        chance = ScriptedChance(script.dice, script.shuffles, draws=self.state.draws, shuffled=self.state.shuffles)
        (asked, *_) = pending(self.state, Seat(seat))
        made = decide(self.game, self.state, Seat(seat), asked.number, choice, chance)
        self.state = made.state
        return [self._seen(event) for event in made.events]

    def _seen(self, event: Event) -> SeenEvent[S]:
        before = self.view
        sent: Any = self.game.redact(event, mask_of(f"seat{self.lesson.seat}"))
        self.view = self.game.fold([sent], before)
        return SeenEvent(before, self.view, sent)
