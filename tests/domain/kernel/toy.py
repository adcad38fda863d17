"""A game for one test: its procedures and decisions are the test's own, and it only notes words in a row."""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel import (
    DONE,
    NEXT,
    Call,
    Chance,
    Choice,
    Decision,
    Event,
    Flow,
    Game,
    GameSpec,
    Mask,
    MatchCreated,
    One,
    Procedure,
    Resolver,
    Seat,
    State,
    ask,
    begin,
    decide,
    only,
    step,
)
from replay.scenarios.chance import ScriptedChance

FIRST, SECOND = Seat(0), Seat(1)


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """None but a number that nothing depends on."""

    size: int = 1


class Words(State, frozen=True, kw_only=True):
    """`words` in the order in which they were noted."""

    words: tuple[str, ...] = ()


class Noted(Event, frozen=True):
    """A word was noted."""

    word: str


class Say(Choice, frozen=True):
    """Note this word."""

    word: str


class Question(Decision, frozen=True):
    """Which word?"""

    rule = "T-Q"

    def form(self, state: Words) -> One:
        return only((Say("yes"), Say("no")))

    def resolve(self, r: Resolver[Words], choice: Say) -> Flow:
        r.emit(Noted(f"{self.by}:{choice.word}"))
        return NEXT


class End(Procedure, frozen=True):
    """The match ends."""

    @step("T-END")
    def end(self, r: Resolver[Words]) -> Flow:
        r.end(FIRST, "done", "T-END")


class Single(Procedure, frozen=True):
    """One question to one seat."""

    by: Seat = FIRST

    @step("T-1")
    def question(self, r: Resolver[Words]) -> Flow:
        return ask(Question(self.by))

    @step("T-2")
    def after(self, r: Resolver[Words]) -> Flow:
        r.emit(Noted("after"))
        return DONE


def noted(state: Words, event: Noted) -> Words:
    return replace(state, words=(*state.words, event.word))


def unchanged(
    state: Words, viewer: Seat | None, below: Callable[[int], int], keep: frozenset[str] = frozenset()
) -> Words:
    return state


def toy_spec(*procedures: type[Procedure], decisions: tuple[type[Decision], ...] = (Question,)) -> GameSpec[Words]:
    """A game that begins with the first of the procedures and ends after it."""

    class Opening(Procedure, frozen=True):
        """The whole match."""

        @step("T-OPEN")
        def open(self, r: Resolver[Words]) -> Flow:
            return Call(procedures[0]())

        @step("T-CLOSE")
        def close(self, r: Resolver[Words]) -> Flow:
            r.end(FIRST, "done", "T-CLOSE")

    return GameSpec(
        name="toy",
        title="Toy",
        about="Words in a row.",
        rules="1",
        seats=2,
        options=Options,
        start=lambda _: Words(),
        opening=lambda _: Opening(),
        events=(Noted,),
        evolve={Noted: noted},
        procedures=(Opening, *procedures),
        decisions=decisions,
        choices=(Say,),
        resample=unchanged,
    )


CREATED = MatchCreated("toy", {}, ("Ada", "Bo"))


class Table:
    """A match of a toy game under way."""

    def __init__(self, *procedures: type[Procedure], decisions: tuple[type[Decision], ...] = (Question,)) -> None:
        self.game = Game(toy_spec(*procedures, decisions=decisions))
        self.chance: Chance = ScriptedChance(range(1, 7), ["reversed"] * 9)
        self.events: list[Event] = [CREATED]
        self.state = self.game.created(CREATED)

    def begin(self) -> "Table":
        return self._take(begin(self.game, self.state, self.chance))

    def answer(self, seat: int, word: str = "yes", number: int | None = None) -> "Table":
        asked = next(a for a in self.state.asked if a.seat == seat) if number is None else None
        at = asked.number if asked else number or 0
        return self._take(decide(self.game, self.state, Seat(seat), at, Say(word), self.chance))

    def _take(self, resolver: Resolver[Words]) -> "Table":
        self.events += resolver.events
        self.state = resolver.state
        return self

    def view(self, seat: int | None) -> Words:
        return self.game.view(self.events, Mask(0 if seat is None else 1 << seat))

    @property
    def words(self) -> tuple[str, ...]:
        return self.state.words
