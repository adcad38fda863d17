"""Checking scenarios (DESIGN 10): play a position's choices with scripted chance and compare what came of it.

`load` reads a file; `check` plays it against a game and returns the differences, none when all is as told.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Generic, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.kernel import (
    Asked,
    Choice,
    Chosen,
    DiceRolled,
    Event,
    Game,
    KernelError,
    Mask,
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
from domain.kernel.events import KERNEL_EVENTS
from domain.kernel.procedure import steps_of
from replay.scenarios.chance import REST, ScriptedChance
from replay.scenarios.errors import ScenarioInvalid
from replay.scenarios.format import Begin, Fields, Scenario, Then, When, load, parse
from replay.scenarios.text import (
    NONE,
    fits,
    nearest,
    plain,
    read_choice,
    read_pattern,
    write_choice,
    write_event,
    write_pattern,
    write_value,
)

__all__ = ["Difference", "Scenario", "ScriptedChance", "check", "load", "parse"]

S = TypeVar("S", bound=State)

SPECTATOR: Final = "spectator"
ABSENT: Final = "nothing of that name"


class Difference(Struct, frozen=True):
    """Something that came out otherwise: where in the file, what it says, what there was instead."""

    place: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.place}\n  expected  {self.expected}\n  got       {self.got}"


class _Stopped(Exception):
    """Unwinds the scenario at a difference after which nothing else can be compared."""


class _Playing(Generic[S]):
    """A scenario under way: the state, what each viewer knows, the differences so far."""

    def __init__(self, game: Game[S], scenario: Scenario) -> None:
        self.game = game
        self.scenario = scenario
        self.found: list[Difference] = []
        self.state, self.procedure = _position(game, scenario)
        self.views = self._first_views()

    def _first_views(self) -> dict[str, S]:
        positions = self.game.spec.positions
        if not isinstance(positions, SeenPositions):
            return {}
        seats = {f"seat{seat}": Seat(seat) for seat in range(self.game.seats)}
        return {name: positions.view(self.state, seat) for name, seat in [*seats.items(), (SPECTATOR, None)]}

    def run(self) -> list[Difference]:
        """Play it all."""
        try:
            self._begin(self.scenario.begin)
            for number, when in enumerate(self.scenario.when, 1):
                self._when(f"when {number}", when)
        except _Stopped:
            pass
        return self.found

    def _differ(self, place: str, expected: str, got: str) -> None:
        self.found.append(Difference(place, expected, got))

    def _chance(self, place: str, step: Begin | When) -> ScriptedChance:
        try:
            return ScriptedChance(step.dice, step.shuffles, draws=self.state.draws, shuffled=self.state.shuffles)
        except ValueError as wrong:
            raise ScenarioInvalid(f"[{place}]: {wrong}") from wrong

    def _begin(self, begin: Begin) -> None:
        chance = self._chance("begin", begin)
        resolver = Play(self.game, self.state, chance)
        self._guarded("begin", lambda: resolver.resume(self.procedure, self.scenario.at))
        self._follow("begin", resolver, chance, begin.dice, begin.then)

    def _guarded(self, place: str, play: Callable[[], None]) -> None:
        try:
            play()
        except (KernelError, AssertionError, LookupError) as wrong:
            self._differ(place, "the rules carry it out", f"they fail: {type(wrong).__name__}: {wrong}")
            raise _Stopped from wrong

    def _when(self, place: str, when: When) -> None:
        asked = self._asked(place, when)
        chance = self._chance(place, when)
        made: list[Play[S]] = []
        try:
            choice = self._choice(place, when, asked)
            resolver = decide(self.game, self.state, Seat(when.seat), asked.number, choice, chance)
            made.append(resolver)
        except Refusal as refused:
            self._refused(place, when, refused)
            return
        except (KernelError, AssertionError, LookupError) as wrong:
            self._differ(place, "the rules carry it out", f"they fail: {type(wrong).__name__}: {wrong}")
            raise _Stopped from wrong
        if when.refused:
            self._differ(place, f"refused by {when.refused}", f"accepted: {self._told(resolver.events)}")
            raise _Stopped
        self._follow(place, resolver, chance, when.dice, when.then)

    def _asked(self, place: str, when: When) -> Asked:
        """The decision that is answered: the seat's, or any when another seat's is tried."""
        own = pending(self.state, Seat(when.seat))
        fitting = [asked for asked in own if when.decision in {"", asked.kind}]
        if when.decision and not fitting:
            self._differ(place, f"seat{when.seat} is asked {when.decision}", self._asked_now())
            raise _Stopped
        if fitting:
            return fitting[0]
        if when.refused:
            return next(iter(self.state.asked), Asked(self.state.number, Seat(when.seat), "", {}))
        self._differ(place, f"seat{when.seat} is asked something", self._asked_now())
        raise _Stopped

    def _asked_now(self) -> str:
        if self.state.result is not None:
            return f"the match is over: {self.state.result.reason} ({self.state.result.rule})"
        return ", ".join(sorted(f"seat{asked.seat} {asked.kind}" for asked in self.state.asked)) or "nobody is asked"

    def _choice(self, place: str, when: When, asked: Asked) -> Choice:
        if when.choice is not None:
            try:
                return read_choice(self.game, when.choice)
            except NotAChoice as wrong:
                if when.refused:
                    raise
                raise ScenarioInvalid(f"[{place}] choice: {wrong}") from wrong
        decision = self.game.revive_decision(asked)
        if when.time_out:
            return decision.default(self.state)
        assert when.answer is not None, "the format gives one of the three"
        choice = decision.form(self.state).read(when.answer)
        if choice is None:
            raise NotAChoice("The answer cannot be read.")
        return choice

    def _refused(self, place: str, when: When, refused: Refusal) -> None:
        told = f"refused by {refused.rule or refused.code} ({refused.code}): {refused.why}"
        if not when.refused:
            offered = " | ".join(write_choice(choice) for choice in self._offered(Seat(when.seat), 12))
            self._differ(place, "accepted", f"{told} Offered: {offered}")
            raise _Stopped
        if when.refused not in {refused.rule, refused.code}:
            self._differ(place, f"refused by {when.refused}", told)
        self._compare(place, (), when.then)

    def _offered(self, seat: Seat, most: int) -> Iterator[Choice]:
        for asked in pending(self.state, seat):
            form = self.game.revive_decision(asked).form(self.state)
            for number, choice in enumerate(form):
                if number == most:
                    return
                yield choice

    def _follow(
        self, place: str, resolver: Play[S], chance: ScriptedChance, dice: Sequence[int | str], then: Then
    ) -> None:
        """Take the events in, and compare."""
        rolls = [event for event in resolver.events if isinstance(event, DiceRolled)]
        told = chance.told(rolls) or "none"
        scripted = " | ".join(map(str, dice)) or "none"
        wrong = [*chance.wrong, *chance.left_over()]
        if chance.short or wrong or chance.mismatches(rolls):
            self._differ(f"{place}: chance", f"dice {scripted}", "; ".join([f"dice {told}", *wrong]))
        self.state = resolver.state
        for name, view in self.views.items():
            mask = Mask(0 if name == SPECTATOR else 1 << int(name[4:]))
            seen = (self.game.redact(event, mask) for event in resolver.events)
            self.views[name] = self.game.fold(seen, view)
        for why in self.game.spec.invariants(self.state):
            self._differ(f"{place}: invariants", "a state that can be", why)
        self._compare(place, resolver.events, then)
        if chance.short or wrong:
            raise _Stopped

    def _told(self, events: Sequence[Event]) -> str:
        return " | ".join(write_event(event) for event in events if not isinstance(event, Chosen)) or "no events"

    def _compare(self, place: str, events: Sequence[Event], then: Then) -> None:
        self._compare_events(f"{place}: events", events, then)
        if then.asked is not None:
            now = sorted(f"seat{asked.seat} {asked.kind}" for asked in self.state.asked)
            if sorted(then.asked) != now:
                self._differ(f"{place}: asked", ", ".join(sorted(then.asked)) or "nobody", self._asked_now())
        self._compare_offers(f"{place}: offers", then)
        show = self._show()
        self.found += compare(f"{place}: state", then.state, lambda: show(self.state))
        for name, told in then.sees.items():
            self._compare_view(f"{place}: sees.{name}", name, told, show)
        if then.result:
            result = self.state.result
            shown = {} if result is None else {"winner": result.winner, "reason": result.reason, "rule": result.rule}
            self.found += compare(f"{place}: result", then.result, lambda: shown)

    def _show(self) -> Callable[[S], Fields]:
        positions = self.game.spec.positions
        assert positions is not None, "checked when the position was read"
        return positions.show

    def _compare_view(self, place: str, name: str, told: Fields, show: Callable[[S], Fields]) -> None:
        if name not in self.views:
            allowed = ", ".join(self.views) or "none: this game's notation cannot tell what viewers know"
            raise ScenarioInvalid(f"[{place}]: there is no viewer {name!r}; allowed: {allowed}")
        self.found += compare(place, told, lambda: show(self.views[name]))

    def _compare_events(self, place: str, events: Sequence[Event], then: Then) -> None:
        wanted = [self._pattern(place, given) for given in then.events]
        named = {kind for kind, _ in wanted}
        left = [event for event in events if type(event) not in KERNEL_EVENTS or type(event).__name__ in named]
        for kind, fields in (self._pattern(place, given) for given in then.never):
            met = [event for event in events if fits(event, kind, fields)]
            if met:
                self._differ(place, f"never {write_pattern(kind, fields)}", write_event(met[0]))
        for kind, fields in wanted:
            passed = []
            while left and not fits(left[0], kind, fields):
                passed.append(left.pop(0))
            if not left:
                self._differ(place, write_pattern(kind, fields), self._told(passed or events))
                return
            left.pop(0)
            if passed and then.exact:
                self._differ(place, write_pattern(kind, fields), self._told(passed))
        if left and then.exact:
            self._differ(place, "nothing more", self._told(left))

    def _pattern(self, place: str, given: str | Fields) -> tuple[str, Fields]:
        try:
            return read_pattern(self.game, given)
        except ValueError as wrong:
            raise ScenarioInvalid(f"[{place}]: {wrong}") from wrong

    def _compare_offers(self, place: str, then: Then) -> None:
        if then.offers is None:
            return
        told = then.offers
        if isinstance(told, list):
            seats = sorted({asked.seat for asked in self.state.asked})
            told = {f"seat{seats[0]}" if len(seats) == 1 else "one seat": told}
        for name, choices in told.items():
            if not (name.startswith("seat") and name[4:].isdecimal()):
                self._differ(place, "one seat is asked", self._asked_now())
                continue
            others = bool(choices) and choices[-1] == REST
            wanted = {write_choice(self._offer(place, given)) for given in choices[: len(choices) - others]}
            offered = {write_choice(choice) for choice in self._offered(Seat(int(name[4:])), 10_000)}
            if wanted - offered or (offered - wanted and not others):
                missing = [f"not offered: {choice}" for choice in sorted(wanted - offered)]
                more = [] if others else [f"also offered: {choice}" for choice in sorted(offered - wanted)]
                self._differ(f"{place}.{name}", " | ".join(sorted(wanted)) or "none", "; ".join(missing + more))

    def _offer(self, place: str, given: str | Fields) -> Choice:
        try:
            return read_choice(self.game, given)
        except NotAChoice as wrong:
            raise ScenarioInvalid(f"[{place}]: {wrong}") from wrong


def compare(place: str, told: Fields, shown: Callable[[], Fields]) -> list[Difference]:
    """Every value of `told` that is not in `shown`, by its path."""
    return list(_compare_tables(place, told, plain(shown()))) if told else []


def _compare_tables(place: str, told: Fields, shown: Fields) -> Iterator[Difference]:
    for key, expected in told.items():
        path = f"{place}.{key}"
        got = shown.get(key)
        if isinstance(expected, dict) and isinstance(got, dict):
            yield from _compare_tables(path, expected, got)
        elif (None if expected == NONE else expected) != got:
            missing = f"{ABSENT}; {nearest(key, shown)}" if key not in shown else write_value(got)
            yield Difference(path, write_value(expected), missing)


def _position(game: Game[S], scenario: Scenario) -> tuple[S, Procedure]:
    """The scenario's position. Raises `ScenarioInvalid`."""
    if scenario.game != game.name:
        raise ScenarioInvalid(f"game: the scenario is of {scenario.game!r}, not of {game.name!r}")
    positions = game.spec.positions
    if positions is None:
        raise ScenarioInvalid(f"game: {game.name} has no notation for positions")
    try:
        state, procedure = positions.read(scenario.position, scenario.options)
    except (ValueError, msgspec.ValidationError) as wrong:
        raise ScenarioInvalid(f"[position]: {wrong}") from wrong
    steps = steps_of(type(procedure)).order
    if scenario.at and scenario.at not in steps:
        name = type(procedure).__name__
        raise ScenarioInvalid(f"at: {name} has no step {scenario.at!r}; allowed: {', '.join(steps)}")
    names = tuple(scenario.seats) or tuple(f"Seat {seat}" for seat in range(game.seats))
    return replace(state, begun=True, players=names), procedure


def check(game: Game[Any], scenario: Scenario) -> list[Difference]:
    """Play the scenario; what came out otherwise than it says, in order.

    Raises `ScenarioInvalid` for a scenario that cannot be played: it names table and key and says what is allowed.
    """
    return _Playing(game, scenario).run()
