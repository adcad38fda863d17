"""Compares a scenario's claims with the events: every claim that does not hold is a difference."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct

from domain.kernel import (
    Asked,
    Choice,
    Chosen,
    DecisionsOpened,
    Event,
    Figured,
    Game,
    Mask,
    NotAChoice,
    Result,
    Seat,
    State,
    pending,
)
from domain.kernel.events import KERNEL_EVENTS
from replay.scenarios.chance import REST
from replay.scenarios.errors import ScenarioInvalid
from replay.scenarios.format import Fields, Then
from replay.scenarios.naming import ROW, Names
from replay.scenarios.text import (
    fits,
    is_as,
    nearest,
    plain,
    read_choice,
    read_pattern,
    write_choice,
    write_event,
    write_pattern,
    write_value,
)

S = TypeVar("S", bound=State)

SPECTATOR: Final = "spectator"
FIGURES: Final = "figures"
"""The key of `state` and `sees` under which a game shows values computed from its cards."""
ABSENT: Final = "nothing of that name"
OFFERS_LIMIT: Final = 10_000
_Told = list[str | Fields] | dict[str, list[str | Fields]]


class Difference(Struct, frozen=True):
    """A difference: the place in the file, the claim, and the actual value."""

    place: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.place}\n  expected  {self.expected}\n  got       {self.got}"


class Barred(Struct, frozen=True):
    """Why a choice is refused: the row that forbids it, a sentence, the row of the question, and a code."""

    rule: str
    why: str
    question: str
    code: str = "not-offered"

    def is_named_by(self, claim: str) -> bool:
        """Whether a claim names this reason: one of the rows, the code, or words of the sentence."""
        return claim in {self.rule, self.question, self.code} or claim.casefold() in self.why.casefold()

    def __str__(self) -> str:
        return f"{self.rule or self.code} ({self.code}): {self.why}"


class StepMoment(Struct, Generic[S], frozen=True):
    """The material for comparison after a step: the state, each viewer's knowledge, the events since the last step.

    `connected`: the state of a viewer's client that connects now, by the viewer's name. `names`: the names allowed in a
    negative claim.
    """

    game: Game[S]
    state: S
    views: Mapping[str, S]
    events: Sequence[Event]
    connected: Callable[[str], S]
    names: Names[S]

    def sent(self, name: str) -> list[Event]:
        """The events as a viewer was sent them."""
        return [self.game.redact(event, mask_of(name)) for event in self.events]

    def asked_now(self) -> str:
        """The open questions and their seats, on one line."""
        result = self.state.result
        if result is not None:
            return f"the match is over: {result.reason} ({result.rule})"
        return ", ".join(sorted(map(ask_of, self.state.asked))) or "nobody is asked"

    def offered(self, seat: Seat, most: int = OFFERS_LIMIT) -> Iterator[Choice]:
        """A seat's possible choices, at most `most` for each decision."""
        for asked in pending(self.state, seat):
            for number, choice in enumerate(self.game.revive_decision(asked).form(self.state)):
                if number == most:
                    return
                yield choice

    def refusals(self, seat: Seat, choice: Choice) -> list[Barred | None]:
        """Why each of the seat's open decisions refuses a choice; None for a decision that does not."""
        return [self._barred(asked, choice) for asked in pending(self.state, seat)]

    def _barred(self, asked: Asked, choice: Choice) -> Barred | None:
        forbidden = self.game.why_not(asked, self.state, choice)
        question = self.game.revive_decision(asked).rule
        return None if forbidden is None else Barred(forbidden.rule, forbidden.why, question)


def mask_of(name: str) -> Mask:
    """The viewer's mask among the audiences of secrets."""
    return Mask(0 if name == SPECTATOR else 1 << int(name[4:]))


def ask_of(asked: Asked) -> str:
    """The name of an open decision in scenarios."""
    return f"seat{asked.seat} {asked.kind}"


def tell(events: Sequence[Event]) -> str:
    """Events on one line, without the choice that they follow from."""
    return " | ".join(write_event(event) for event in events if not isinstance(event, Chosen)) or "no events"


def compare_all(place: str, moment: StepMoment[Any], then: Then) -> Iterator[Difference]:
    """Compare every claim of a `then`. Raises `ScenarioInvalid` for a name that the game does not have."""
    yield from _compare_events(f"{place}: events", moment, moment.events, then.events, exact=then.exact)
    yield from _compare_never(f"{place}: events", moment, moment.events, then.never)
    for name, given in then.sent.items():
        where = f"{place}: sent.{name}"
        _check_viewer(where, moment, name)
        yield from _compare_events(where, moment, moment.sent(name), given, exact=False)
    for name, given in then.never_sent.items():
        where = f"{place}: never_sent.{name}"
        _check_viewer(where, moment, name)
        yield from _compare_never(where, moment, moment.sent(name), given)
    yield from _compare_asked(place, moment, then)
    yield from _compare_offers(f"{place}: offers", moment, then.offers)
    yield from _compare_offered(f"{place}: offered", moment, then.offered)
    yield from _compare_not_offered(f"{place}: not_offered", moment, then.not_offered)
    yield from _compare_states(place, moment, then)
    if then.result:
        result = moment.state.result
        shown = {} if result is None else _ended(result)
        yield from compare(f"{place}: result", then.result, shown)


def _ended(result: Result) -> Fields:
    """The end of a match as a scenario writes it, with `winners` and `places` even if one seat won alone."""
    alone: Fields = {"winner": result.winner, "reason": result.reason, "rule": result.rule}
    return {**alone, "winners": list(result.won), "places": [list(place) for place in result.places]}


def _compare_states(place: str, moment: StepMoment[Any], then: Then) -> Iterator[Difference]:
    if then.state:
        shown = _shown(place, moment, moment.state, then.state)
        yield from compare(f"{place}: state", then.state, shown, moment.names.knows)
    for name, told in then.sees.items():
        where = f"{place}: sees.{name}"
        _check_viewer(where, moment, name)
        yield from compare(where, told, _shown(where, moment, moment.views[name], told), moment.names.knows)
    for name, told in then.gets.items():
        where = f"{place}: gets.{name}"
        _check_viewer(where, moment, name)
        yield from compare(where, told, _shown(where, moment, moment.connected(name), told), moment.names.knows)


def _shown(place: str, moment: StepMoment[Any], state: State, told: Fields) -> Fields:
    """A state as the game's notation shows it, with the computed values if the claims ask for them."""
    positions = moment.game.spec.positions
    assert positions is not None, "checked when the position was read"
    shown = positions.show(state)
    if FIGURES not in told:
        return shown
    if not isinstance(positions, Figured):
        raise ScenarioInvalid(f"[{place}]: the notation of {moment.game.name} shows no figures")
    return {**shown, FIGURES: positions.figures(state)}


def _check_viewer(place: str, moment: StepMoment[Any], name: str) -> None:
    if name not in moment.views:
        allowed = ", ".join(moment.views) or "none: this game's notation cannot tell what viewers know"
        raise ScenarioInvalid(f"[{place}]: there is no viewer {name!r}; allowed: {allowed}")


def _pattern(place: str, moment: StepMoment[Any], given: str | Fields) -> tuple[str, Fields]:
    try:
        return read_pattern(moment.game, given, moment.state)
    except ValueError as wrong:
        raise ScenarioInvalid(f"[{place}]: {wrong}") from wrong


def _compare_never(
    place: str, moment: StepMoment[Any], events: Sequence[Event], never: Sequence[str | Fields]
) -> Iterator[Difference]:
    """Check that no such event occurred; refuses a claim about something that the position does not know (`Names`)."""
    for kind, fields in (_pattern(place, moment, given) for given in never):
        moment.names.check(place.replace("events", "never"), moment.game.events[kind], fields)
        met = [event for event in events if fits(event, kind, fields)]
        if met:
            yield Difference(place, f"never {write_pattern(kind, fields)}", write_event(met[0]))


def _compare_events(
    place: str, moment: StepMoment[Any], events: Sequence[Event], told: Sequence[str | Fields], *, exact: bool
) -> Iterator[Difference]:
    wanted = [_pattern(place, moment, given) for given in told]
    named = {kind for kind, _ in wanted}
    left = [event for event in events if type(event) not in KERNEL_EVENTS or type(event).__name__ in named]
    for kind, fields in wanted:
        passed = []
        while left and not fits(left[0], kind, fields):
            passed.append(left.pop(0))
        if not left:
            yield Difference(place, write_pattern(kind, fields), tell(passed or events))
            return
        left.pop(0)
        if passed and exact:
            yield Difference(place, write_pattern(kind, fields), tell(passed))
    if left and exact:
        yield Difference(place, "nothing more", tell(left))


def _compare_asked(place: str, moment: StepMoment[Any], then: Then) -> Iterator[Difference]:
    if then.asked is not None and sorted(then.asked) != sorted(map(ask_of, moment.state.asked)):
        yield Difference(f"{place}: asked", ", ".join(sorted(then.asked)) or "nobody", moment.asked_now())
    opened = [asked for event in moment.events if isinstance(event, DecisionsOpened) for asked in event.asked]
    for told in then.not_asked:
        met = [asked for asked in (*moment.state.asked, *opened) if told in {asked.kind, ask_of(asked)}]
        if met:
            yield Difference(f"{place}: not_asked", f"not asked: {told}", ask_of(met[0]))
        kind = told.split(" ")[-1]
        kinds = [decision.__name__ for decision in moment.game.spec.decisions]
        if kind not in kinds:
            raise ScenarioInvalid(f"[{place}: not_asked]: there is no question {kind!r}; {nearest(kind, kinds)}")
        seats = [f"seat{seat}" for seat in range(len(moment.state.players))]
        if told not in {kind, *(f"{seat} {kind}" for seat in seats)}:
            raise ScenarioInvalid(
                f"[{place}: not_asked]: {told!r}: write {kind}, or name the seats: {', '.join(seats)}"
            )


def _by_seat(place: str, moment: StepMoment[Any], told: _Told) -> Iterator[tuple[str, list[str | Fields], Seat | None]]:
    """The claims about each seat's choices; the seat is None if the text does not say which is meant."""
    if isinstance(told, list):
        asked = sorted({asked.seat for asked in moment.state.asked})
        told = {f"seat{asked[0]}" if len(asked) == 1 else "one seat": told} if told else {}
    for name, choices in told.items():
        seats = {f"seat{seat}": Seat(seat) for seat in range(len(moment.state.players))}
        if name not in seats and name != "one seat":
            raise ScenarioInvalid(f"[{place}]: there is no seat {name!r}; {nearest(name, seats)}")
        yield f"{place}.{name}", choices, seats.get(name)


def _compare_offers(place: str, moment: StepMoment[Any], told: _Told | None) -> Iterator[Difference]:
    """Check `offers`: exactly these choices, or at least these."""
    if told is None:
        return
    for where, choices, seat in _by_seat(place, moment, told if told or moment.state.asked else {}):
        if seat is None:
            yield Difference(place, "one seat is asked", moment.asked_now())
            continue
        others = bool(choices) and choices[-1] == REST
        given = choices[: len(choices) - others]
        wanted = {write_choice(_choice(place, moment, each)) for each in given}
        offered = {write_choice(choice) for choice in moment.offered(seat)}
        missing = [f"not offered: {choice}" for choice in sorted(wanted - offered)]
        more = [] if others else [f"also offered: {choice}" for choice in sorted(offered - wanted)]
        if missing or more:
            yield Difference(where, " | ".join(sorted(wanted)) or "none", "; ".join(missing + more))


def _compare_offered(place: str, moment: StepMoment[Any], told: _Told) -> Iterator[Difference]:
    """Check `offered`: the forms of the open decisions accept the choice, although nobody chooses it."""
    for where, choices, seat in _by_seat(place, moment, told):
        if seat is None:
            yield Difference(place, "one seat is asked", moment.asked_now())
            continue
        for given in choices:
            choice = _choice(place, moment, given)
            why = moment.refusals(seat, choice)
            if None not in why:
                some = " | ".join(write_choice(each) for each in moment.offered(seat, 12))
                told_why = "; ".join(f"{one.rule}: {one.why}" for one in why if one is not None)
                reasons = told_why or f"seat{seat} is asked nothing"
                yield Difference(where, f"offered: {write_choice(choice)}", f"{reasons} Offered: {some}")


def _compare_not_offered(place: str, moment: StepMoment[Any], told: _Told) -> Iterator[Difference]:
    """Check `not_offered`: the choice is refused, and by the row or words named, if any."""
    for where, choices, seat in _by_seat(place, moment, told):
        if seat is None:
            yield Difference(place, "one seat is asked", moment.asked_now())
            continue
        for given in choices:
            choice, wanted = _forbidden(place, moment, given)
            moment.names.check(place, type(choice), fields_of(choice))
            refusals = moment.refusals(seat, choice)
            expected = f"not offered{f' by {wanted}' if wanted else ''}: {write_choice(choice)}"
            barred = [one for one in refusals if one is not None]
            if len(barred) < len(refusals):
                yield Difference(where, expected, "it may be chosen")
            elif wanted and not any(one.is_named_by(wanted) for one in barred):
                by = "; ".join(f"refused by {one.rule}: {one.why}" for one in barred)
                yield Difference(where, expected, by or f"seat{seat} is asked nothing")


def _forbidden(place: str, moment: StepMoment[Any], given: str | Fields) -> tuple[Choice, str]:
    """A choice, and the row or words that forbid it: `{ choice = "Execute D", rule = "..." }`."""
    if isinstance(given, dict) and "choice" in given:
        unknown = set(given) - {"choice", "rule"}
        if unknown or not isinstance(given.get("rule", ""), str):
            raise ScenarioInvalid(f"[{place}]: a choice that is not offered has the keys choice and rule, both texts")
        rule = given.get("rule", "")
        if ROW.fullmatch(rule):
            moment.names.check_rule(place, rule)
        return _choice(place, moment, given["choice"]), rule
    return _choice(place, moment, given), ""


def fields_of(choice: Choice) -> Fields:
    """A choice's fields as plain data."""
    return {name: plain(getattr(choice, name)) for name in choice.__struct_fields__}


def _choice(place: str, moment: StepMoment[Any], given: object) -> Choice:
    if not isinstance(given, str | dict):
        raise ScenarioInvalid(f"[{place}]: a choice is a text or a table, not {given!r}")
    try:
        return read_choice(moment.game, given, moment.state)
    except NotAChoice as wrong:
        raise ScenarioInvalid(f"[{place}]: {wrong}") from wrong


def compare(
    place: str, told: Fields, shown: Fields, knows: Callable[[str], bool] = lambda _: False
) -> Iterator[Difference]:
    """Every value of `told` that differs in `shown`, by its path; a value shown as a set is compared as a set.

    `knows`: whether a name is known although `shown` lacks it, such as a Unit that is gone; its value is `"none"`.
    """
    for key, expected in told.items():
        path = f"{place}.{key}"
        got = shown.get(key)
        value = plain(got)
        if isinstance(expected, dict) and isinstance(got, dict):
            yield from compare(path, expected, got, knows)
            continue
        wanted = sorted(expected, key=str) if isinstance(got, Set) and isinstance(expected, list) else expected
        if not is_as(wanted, value) or (key not in shown and not knows(key)):
            missing = f"{ABSENT}; {nearest(key, shown)}" if key not in shown else write_value(value)
            yield Difference(path, write_value(expected), missing)
