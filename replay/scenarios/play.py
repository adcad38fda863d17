"""Checks scenarios (docs/scenarios.md): plays a position's choices with scripted chance and compares the results.

`load` reads a file; `check` plays it against a game and returns the differences, none if every claim holds.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Generic, TypeVar

import msgspec
from msgspec.structs import replace

from domain.commons.notation import in_words
from domain.kernel import (
    Asked,
    Choice,
    DiceRolled,
    Event,
    Game,
    MatchBegun,
    MatchCreated,
    NotAChoice,
    Play,
    Procedure,
    Refusal,
    Seat,
    SeenPositions,
    State,
    decide,
    pending,
)
from domain.kernel.act import carry_out
from domain.kernel.position import Views, set_events
from domain.kernel.procedure import steps_of
from domain.kernel.state import plain
from replay.scenarios.acting import read_act
from replay.scenarios.chance import ScriptedChance
from replay.scenarios.comparison import SPECTATOR, Barred, Difference, StepMoment, compare_all, fields_of, mask_of, tell
from replay.scenarios.errors import ScenarioInvalid
from replay.scenarios.format import Begin, Scenario, Then, When, load, parse
from replay.scenarios.invariants import seats_beyond, unsound
from replay.scenarios.naming import ROW, Names
from replay.scenarios.text import read_choice, write_choice

__all__ = ["Difference", "Scenario", "ScriptedChance", "check", "load", "parse"]

S = TypeVar("S", bound=State)
T = TypeVar("T")


class _Stopped(Exception):
    """Stops the scenario at a difference after which nothing else can be compared."""


class Playing(Generic[S]):
    """A scenario in progress: the state, what each viewer knows, the differences so far.

    Raises `ScenarioInvalid` if this is no scenario of the game.
    """

    def __init__(self, game: Game[S], scenario: Scenario, case: str = "") -> None:
        self.game = game
        self.scenario = scenario
        self.found: list[Difference] = []
        self._case = f"case {case}: " if case else ""
        place = f"{self._case}position"
        self.state, self.procedure = _position(game, scenario, self._case)
        self.views = _readable(place, self._first_views)
        self.names = Names(game)
        self.names.learn(self.state)
        self._before = self.views_now() if self.views else None
        self._events: list[Event] = []

    def _first_views(self) -> dict[str, S]:
        positions = self.game.spec.positions
        if not isinstance(positions, SeenPositions):
            return {}
        seats = {f"seat{seat}": Seat(seat) for seat in range(len(self.state.players))}
        return {name: positions.view(self.state, seat) for name, seat in [*seats.items(), (SPECTATOR, None)]}

    @property
    def _seats(self) -> int:
        return len(self.state.players)

    def views_now(self) -> Views[S]:
        """The current state and views; only for a notation that defines what viewers know."""
        return Views(self.state, self.views[SPECTATOR], tuple(self.views[f"seat{s}"] for s in range(self._seats)))

    def connected(self, name: str) -> S:
        """The state of a client that connects now, folded from all lines as they are sent to it."""
        return self.game.view(self.lines(), mask_of(name))

    def lines(self) -> list[Event]:
        """The events of a match that began in the position, with all secrets; only if the notation defines views."""
        assert self._before is not None, "the notation tells what viewers know"
        options, opens = self.scenario.options, self.state.ends_open
        created = MatchCreated(self.game.name, options, self.state.players, ends_open=opens)
        fresh = self.game.created(created)
        placed = set_events(Views(fresh, fresh, (fresh,) * self._seats), self._before)
        return [created, *placed, MatchBegun(), *self._events]

    def run(self) -> list[Difference]:
        """Play the whole scenario."""
        with suppress(_Stopped):
            self._begin()
            for number, when in enumerate(self.scenario.when, 1):
                self._when(f"{self._case}when {number}", when)
        return self.found

    def _differ(self, place: str, expected: str, got: str) -> None:
        self.found.append(Difference(place, expected, got))

    def _chance(self, place: str, step: Begin | When) -> ScriptedChance:
        try:
            return ScriptedChance(step.dice, step.shuffles, draws=self.state.draws, shuffled=self.state.shuffles)
        except ValueError as wrong:
            raise ScenarioInvalid(f"[{place}]: {wrong}") from wrong

    def begin(self) -> list[Difference]:
        """Play from the position up to the first question only."""
        with suppress(_Stopped):
            self._begin()
        return self.found

    def _begin(self) -> None:
        place, begin = f"{self._case}begin", self.scenario.begin
        chance = self._chance(place, begin)
        resolver = Play(self.game, self.state, chance)
        self._guarded(place, lambda: resolver.resume(self.procedure, self.scenario.at))
        self._follow(place, resolver, chance, begin.dice, begin.then)

    def _guarded(self, place: str, play: Callable[[], None]) -> None:
        try:
            play()
        except (ScenarioInvalid, Refusal, _Stopped):
            raise
        except Exception as wrong:  # rules may fail in any way on a position that no match can reach
            self._differ(place, "the rules carry it out", f"they fail: {type(wrong).__name__}: {wrong}")
            raise _Stopped from wrong

    def _when(self, place: str, when: When) -> None:
        self.names.check_seat(f"{place}: seat", when.seat)
        if ROW.fullmatch(when.refused):
            self.names.check_rule(f"{place}: refused", when.refused)
        if when.act:
            self._act(place, when)
            return
        asked = self._asked(place, when)
        chance = self._chance(place, when)
        made: list[Play[S]] = []

        def choose() -> None:
            choice = self._choice(place, when, asked)
            made.append(decide(self.game, self.state, Seat(when.seat), asked.number, choice, chance))

        try:
            self._guarded(place, choose)
        except Refusal as refused:
            question = self.game.revive_decision(asked).rule if asked.kind else ""
            self._refused(place, when, refused, question)
            return
        if when.refused:
            self._differ(place, f"refused by {when.refused}", f"accepted: {tell(made[0].events)}")
            raise _Stopped
        self._follow(place, made[0], chance, when.dice, when.then)

    def _act(self, place: str, when: When) -> None:
        """Carry out a seat's act: it resigns, makes an offer or answers one."""
        try:
            act = read_act(when.act, when.seat, self.state, self._past)
        except ValueError as wrong:
            raise ScenarioInvalid(f"[{place}] act: {wrong}") from wrong
        chance = self._chance(place, when)
        made: list[Play[S]] = []
        try:
            self._guarded(
                place, lambda: made.append(carry_out(self.game, self.state, None, act, 0, chance, self._past))
            )
        except Refusal as refused:
            self._refused(place, when, refused, "")
            return
        if when.refused:
            self._differ(place, f"refused by {when.refused}", f"done: {tell(made[0].events)}")
            raise _Stopped
        self._follow(place, made[0], chance, when.dice, when.then)

    def _past(self) -> list[Event]:
        if self._before is None:
            raise ValueError(f"the notation of {self.game.name} cannot tell what was before")
        return self.lines()

    def _asked(self, place: str, when: When) -> Asked:
        """The decision that is answered: the seat's, or any if the scenario tries another seat's decision."""
        own = pending(self.state, Seat(when.seat))
        fitting = [asked for asked in own if when.decision in {"", asked.kind}]
        if when.decision and not fitting:
            self._differ(place, f"seat{when.seat} is asked {when.decision}", self._now().asked_now())
            raise _Stopped
        if fitting:
            return fitting[0]
        if when.refused:
            return next(iter(self.state.asked), Asked(self.state.number, Seat(when.seat), "", {}))
        self._differ(place, f"seat{when.seat} is asked something", self._now().asked_now())
        raise _Stopped

    def _now(self, events: Sequence[Event] = ()) -> StepMoment[S]:
        return StepMoment(self.game, self.state, self.views, events, self.connected, self.names)

    def _choice(self, place: str, when: When, asked: Asked) -> Choice:
        if when.choice is not None:
            try:
                choice = read_choice(self.game, when.choice, self.state)
            except NotAChoice as wrong:
                if when.refused == NotAChoice.code:
                    raise
                raise ScenarioInvalid(f"[{place}] choice: {wrong}") from wrong
            if when.refused:
                self.names.check(f"{place}: choice", type(choice), fields_of(choice))
            return choice
        return self._answer(when, asked)

    def _answer(self, when: When, asked: Asked) -> Choice:
        """The choice: the decision's default, or the meaning of a person's answer."""
        decision = self.game.revive_decision(asked)
        if when.time_out:
            return decision.default(self.state)
        assert when.answer is not None, "the format gives one of the three"
        choice = decision.form(self.state).read(when.answer)
        if choice is None:
            raise NotAChoice("The answer cannot be read.")
        return choice

    def _refused(self, place: str, when: When, refused: Refusal, question: str) -> None:
        barred = Barred(refused.rule, refused.why, question, refused.code)
        told = f"refused by {barred}"
        if not when.refused:
            offered = " | ".join(write_choice(choice) for choice in self._now().offered(Seat(when.seat), 12))
            self._differ(place, "accepted", f"{told} Offered: {offered}")
            raise _Stopped
        if not barred.is_named_by(when.refused):
            self._differ(place, f"refused by {when.refused}", told)
        self._compare(place, (), when.then)

    def _follow(
        self, place: str, resolver: Play[S], chance: ScriptedChance, dice: Sequence[int | str], then: Then
    ) -> None:
        """Take in the events and compare the claims."""
        rolls = [event for event in resolver.events if isinstance(event, DiceRolled)]
        told = chance.told(rolls) or "none"
        scripted = " | ".join(map(str, dice)) or "none"
        wrong = [*chance.wrong, *chance.left_over()]
        if chance.short or wrong or chance.mismatches(rolls):
            self._differ(f"{place}: chance", f"dice {scripted}", "; ".join([f"dice {told}", *wrong]))
        self.state = resolver.state
        self.names.learn(self.state)
        self._events += resolver.events
        for name, view in self.views.items():
            seen = (self.game.redact(event, mask_of(name)) for event in resolver.events)
            self.views[name] = self.game.fold(seen, view)
        self._guarded(place, partial(self._check_invariants, place))
        self._compare(place, resolver.events, then)
        if chance.short or wrong:
            raise _Stopped

    def _check_invariants(self, place: str) -> None:
        for why in unsound(self.game, self.state):
            self._differ(f"{place}: invariants", "a state that can be", why)

    def _compare(self, place: str, events: Sequence[Event], then: Then) -> None:
        moment = self._now(events)

        def compare() -> None:
            self.found += compare_all(place, moment, then)

        self._guarded(place, compare)


def _readable(place: str, read: Callable[[], T]) -> T:
    """A value read from a position. Raises `ScenarioInvalid` for any error of the notation."""
    try:
        return read()
    except msgspec.ValidationError as wrong:
        inner, said = in_words(wrong)
        raise ScenarioInvalid(f"[{place}{'.' if inner else ''}{inner}]: {said}") from wrong
    except ValueError as wrong:
        raise ScenarioInvalid(f"[{place}]: {wrong}") from wrong
    except Exception as wrong:  # a notation may fail in any way on a new text; the author needs the place
        why = f"{type(wrong).__name__}: {wrong}"
        raise ScenarioInvalid(f"[{place}]: a value there is of a kind that cannot be read ({why})") from wrong


def _position(game: Game[S], scenario: Scenario, case: str) -> tuple[S, Procedure]:
    """The scenario's position. Raises `ScenarioInvalid`."""
    if scenario.game != game.name:
        raise ScenarioInvalid(f"game: the scenario is of {scenario.game!r}, not of {game.name!r}")
    positions = game.spec.positions
    if positions is None:
        raise ScenarioInvalid(f"game: {game.name} has no notation for positions")
    state, procedure = _readable(f"{case}position", partial(positions.read, scenario.position, scenario.options))
    steps = steps_of(type(procedure)).order
    if scenario.at and scenario.at not in steps:
        name = type(procedure).__name__
        raise ScenarioInvalid(f"{case}at: {name} has no step {scenario.at!r}; allowed: {', '.join(steps)}")
    options = options_of(game, scenario, state)
    try:
        game.assert_playable(options)
        seats = game.seats_of(options)
    except msgspec.ValidationError as wrong:
        raise ScenarioInvalid(f"[{case}options]: no match begins with them: {wrong}") from wrong
    if scenario.seats and len(scenario.seats) != seats:
        raise ScenarioInvalid(f"seats: {game.name} has {seats} seats; {len(scenario.seats)} names are given")
    names = tuple(scenario.seats) or tuple(f"Seat {seat}" for seat in range(seats))
    opens = game.spec.opened_at_end is not None
    begun = replace(state, begun=True, players=names, teams=game.sides_of(options), ends_open=opens)
    for why in _readable(f"{case}position", lambda: [*seats_beyond(procedure, seats), *unsound(game, begun)]):
        raise ScenarioInvalid(f"[{case}position]: it is no position of the game: {why}")
    return begun, procedure


def options_of(game: Game[Any], scenario: Scenario, state: State) -> dict[str, Any]:
    """The scenario's options; if the state holds its own options, those of them that differ from the defaults."""
    usual, agreed = game.spec.options(), getattr(state, "options", None)
    if not isinstance(agreed, game.spec.options):
        return scenario.options
    names = [name for name in agreed.__struct_fields__ if getattr(agreed, name) != getattr(usual, name)]
    given: dict[str, Any] = plain({name: getattr(agreed, name) for name in names})
    return given


def check(game: Game[Any], scenario: Scenario) -> list[Difference]:
    """Play every case of the scenario, and return the differences from its claims, in order.

    Raises `ScenarioInvalid` for a scenario that cannot be played: it names table and key and says what is allowed.
    """
    played = [Playing(game, one, name).run() for name, one in scenario.cases().items()]
    return [difference for found in played for difference in found]
