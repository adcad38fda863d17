"""A game: its classes, its tables, and the checks that reject a faulty game when it is loaded."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final, Generic, Protocol, TypeVar, Union, runtime_checkable

import msgspec
from msgspec import Struct

from domain.kernel.errors import GameInvalid, KernelFault, NotAChoice
from domain.kernel.events import KERNEL_EVENTS, Event, MatchCreated
from domain.kernel.evolve import KERNEL_EVOLVE, Evolve
from domain.kernel.form import Below, Choice, Form
from domain.kernel.naming import classes_named
from domain.kernel.procedure import Decision, Procedure, steps_of
from domain.kernel.secret import MOST_SEATS, Among, Mask, Seat, Slot, conceal, slots_of
from domain.kernel.state import Asked, Frame, State, plain, plain_fields
from domain.kernel.table import Table

S = TypeVar("S", bound=State)
T = TypeVar("T")
Fields = dict[str, Any]
_encode = msgspec.json.Encoder().encode

KEPT: Final = 1024
"""The most questions and procedures that a game keeps as objects beside their plain data."""


class Forbidden(Struct, frozen=True):
    """Why something may not be chosen: the row of the rules that forbids it, and a sentence."""

    rule: str
    why: str


class SeatCount(Struct, frozen=True):
    """The number of seats of a match, if it depends on the options: `of(options)`, from `least` to `most`."""

    least: int
    most: int
    of: Callable[[Any], int]


class Resample(Protocol[S]):
    """Draws everything hidden from a viewer again, consistent with the viewer's knowledge."""

    def __call__(self, state: S, viewer: Seat | None, below: Below, keep: frozenset[str] = frozenset()) -> S:
        """A state that the viewer cannot tell from `state`, which may be its view.

        `keep` names pieces and places that stay as they are: ids of pieces, and the game's own words for places.
        """
        ...


class Positions(Protocol[S]):
    """The game's notation for positions (docs/scenarios.md)."""

    def read(self, given: Fields, options: Fields) -> tuple[S, Procedure]:
        """The state that the notation describes, merged over the default position, and the procedure it starts with.

        The state's stack holds the procedures around that one, outermost first. Raises `ValueError`, which names the
        place and the values allowed.
        """
        ...

    def show(self, state: S) -> Fields:
        """The parts of a state that scenarios compare, as plain data; `HIDDEN` values as "?"."""
        ...


@runtime_checkable
class SeenPositions(Positions[S], Protocol[S]):
    """A notation that can also give a viewer's knowledge of a position."""

    def view(self, state: S, viewer: Seat | None) -> S:
        """The position as a seat or a spectator (None) knows it: values that the viewer does not know are `HIDDEN`."""
        ...


@runtime_checkable
class Figured(Positions[S], Protocol[S]):
    """A notation that also gives figures that the rules compute: the dice of a Unit, the range of a row."""

    sample: Fields
    """A position with an example of every field that `show` gives, for the reference documentation."""

    def figures(self, state: S) -> Fields:
        """The figures of a state or of a view, as plain data, without the figures that a viewer cannot compute."""
        ...


@runtime_checkable
class Named(Positions[S], Protocol[S]):
    """A notation that also lists the names that a position may use for pieces that it need not have."""

    def names(self, state: S) -> Mapping[str, Collection[Any]]:
        """All possible values by field of choices and events; under "" the names that are allowed in any field."""
        ...


@runtime_checkable
class Spelled(Positions[S], Protocol[S]):
    """A notation with short names, such as `L2`, for things that have longer names in choices and events."""

    def spelled(self, state: S, field: str, word: str) -> str:
        """The stored form of a word in a choice's or event's field; a word that is not a short name stays as it is."""
        ...


class GameSpec(Struct, Generic[S], frozen=True, kw_only=True):
    """The specification that a game's package exports as `GAME`, before `Game` checks it."""

    name: str
    title: str
    about: str
    rules: str
    seats: int | SeatCount
    """The number of seats of a match: always the same, or as its options say."""
    options: type[Struct]
    start: Callable[[Any], S]
    opening: Callable[[S], Procedure]
    events: tuple[type[Event], ...]
    evolve: Mapping[type[Event], Evolve[Any]]
    procedures: tuple[type[Procedure], ...]
    decisions: tuple[type[Decision], ...]
    choices: tuple[type[Choice], ...]
    resample: Resample[S]
    quick: Mapping[str, Any] = {}
    """The options of a match that is created without choosing any: a short match, the same for everybody."""
    positions: Positions[S] | None = None
    read_cards: Callable[[bytes, str], Fields] | None = None
    """`(text, file name)`: a card-set file as the option `cards`. Raises `ValueError`, which names every defect."""
    read_army: Callable[[bytes, str, Fields], Fields] | None = None
    """`(text, file name, options)`: an army file as an entry of the option `armies`. Raises `ValueError`, which names
    every defect. None if players of the game have no armies of their own."""
    invariants: Callable[[S], Iterable[str]] = lambda _: ()
    unplayable: Callable[[Any], Iterable[str]] = lambda _: ()
    """`(options)`: why the rules forbid a match with them. Called only for new matches; `start` folds old ones too."""
    forbids: Callable[[S, Decision, Choice], Forbidden | None] = lambda _s, _decision, _choice: None
    """`(state, decision, choice)`: which rule forbids a choice that the decision's form has refused; None if the
    question's own rule forbids it. It decides nothing, and may use only facts that the seat asked knows.
    """
    sides: Callable[[Any], Sequence[Sequence[int]]] | None = None
    """`(options)`: the seats that win together, side by side, each seat in one. None: each seat is its own side."""
    leave: Callable[[Any, Seat], None] = lambda _r, _seat: None
    """`(resolver, seat)`: the fate of a seat that is out (resigned, absent, out of time) while two sides or more
    still stand. It may emit events and may end the match; every question that is open must still have an answer. The
    seat's own questions, open and future, are then answered by their default."""
    opened_at_end: Callable[[S], Iterable[Event]] | None = None
    """`(state)`: the game's events that open hidden things to everybody at the end of a match. The kernel puts them
    before an end by players or the clock, unless the end is void; before an end by the rules the game emits them
    itself."""


class Game(Generic[S]):
    """A loaded game: everything that is needed to fold, decide and redact its matches."""

    def __init__(self, spec: GameSpec[S]) -> None:
        self.spec = spec
        self.name = spec.name
        self.rules = spec.rules
        self.evolve: dict[type[Event], Evolve[Any]] = {**KERNEL_EVOLVE, **spec.evolve}
        self.events: dict[str, type[Event]] = {e.__name__: e for e in (*KERNEL_EVENTS, *spec.events)}
        self.slots: dict[type[Event], tuple[Slot, ...]] = {}
        self._procedures = {p.__name__: p for p in spec.procedures}
        self._decisions = {d.__name__: d for d in spec.decisions}
        self._check()
        self._revived: dict[int, tuple[Asked | Frame, Any]] = {}
        self._formed: tuple[Asked, S, Form] | None = None
        self.seats = self.seats_of({})
        """The number of seats of a match with the default options; `seats_of` gives it for other options."""
        self._choices: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Union[spec.choices])  # noqa: UP007

    def _check(self) -> None:
        least, most = self.seat_range
        if not 1 <= least <= most <= MOST_SEATS:
            many = least if least == most else f"{least} to {most}"
            raise GameInvalid(f"{self.name}: {many} seats; a game has 1 to {MOST_SEATS}")
        try:
            self._check_names()
            self.slots.update((event, slots_of(event)) for event in self.events.values())
            for event in self.events.values():
                _check_storable(event)
            for procedure in self._procedures.values():
                _check_steps(procedure)
            self._check_named()
        except TypeError as wrong:
            raise GameInvalid(f"{self.name}: {wrong}") from wrong
        for event in self.events.values():
            if event not in self.evolve and event is not MatchCreated:
                raise GameInvalid(f"{self.name}: {event.__name__} has no evolve function")
        for decision in self._decisions.values():
            if not decision.rule:
                raise GameInvalid(f"{self.name}: {decision.__name__} names no rule")

    def _check_named(self) -> None:
        """Check that the game lists all procedures and decisions that its rules name, so that a match lacks none."""
        spec = self.spec
        listed = {*spec.procedures, *spec.decisions}
        lineage = {base for kind in listed for base in kind.__mro__ if issubclass(base, Procedure | Decision)}
        rules = [method for kind in lineage for method in vars(kind).values()]
        packages = {".".join(kind.__module__.split(".")[:2]) for kind in listed}
        for named in classes_named([spec.opening, *rules], packages):
            if issubclass(named, Procedure | Decision) and named not in lineage:
                word = "procedures" if issubclass(named, Procedure) else "decisions"
                raise TypeError(f"{named.__name__}, which the rules name, is not among the {word}")

    def _check_names(self) -> None:
        """Check that no two classes of a kind share a name, because classes are stored by name."""
        spec = self.spec
        for kinds in ((*KERNEL_EVENTS, *spec.events), spec.procedures, spec.decisions, spec.choices):
            names = [kind.__name__ for kind in kinds]
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise TypeError(f"{', '.join(twice)} stands there twice")

    @property
    def has_shared_secrets(self) -> bool:
        """Whether several seats can hold the same secret."""
        return any(isinstance(slot.audience, Among) for slots in self.slots.values() for slot in slots)

    @property
    def seat_range(self) -> tuple[int, int]:
        """The least and the greatest number of seats of a match."""
        seats = self.spec.seats
        return (seats, seats) if isinstance(seats, int) else (seats.least, seats.most)

    def seats_of(self, options: Fields) -> int:
        """The number of seats of a match with these options. Raises `msgspec.ValidationError` for unknown options."""
        seats = self.spec.seats
        if isinstance(seats, int):
            return seats
        count = seats.of(msgspec.convert(options, self.spec.options))
        if not seats.least <= count <= seats.most:
            raise msgspec.ValidationError(f"{count} seats; there are {seats.least} to {seats.most}")
        return count

    def sides_of(self, options: Fields) -> tuple[tuple[Seat, ...], ...]:
        """The seats that win together in a match with these options; empty if each seat is alone."""
        if self.spec.sides is None:
            return ()
        given = self.spec.sides(msgspec.convert(options, self.spec.options))
        sides = tuple(tuple(Seat(seat) for seat in sorted(side)) for side in given)
        if sorted(seat for side in sides for seat in side) != list(range(self.seats_of(options))):
            raise GameInvalid(f"{self.name}: the sides {sides} do not hold every seat once")
        return sides

    def assert_playable(self, options: Fields) -> None:
        """Raise `msgspec.ValidationError` for options the game does not have, or with which no new match may begin."""
        wrong = list(self.spec.unplayable(msgspec.convert(options, self.spec.options)))
        if wrong:
            raise msgspec.ValidationError("; ".join(wrong))

    def assert_seats(self, event: MatchCreated) -> None:
        """Raise `msgspec.ValidationError` if a match has another number of seats than its options give."""
        seats = self.seats_of(event.options)
        if len(event.seats) != seats:
            raise msgspec.ValidationError(f"{len(event.seats)} seats; with these options there are {seats}")

    def created(self, event: MatchCreated) -> S:
        """The state a match starts with. Raises `msgspec.ValidationError` for options the game does not have."""
        options = msgspec.convert(event.options, self.spec.options)
        return msgspec.structs.replace(
            self.spec.start(options),
            players=event.seats,
            teams=self.sides_of(event.options),
            record=event.record,
            shares=event.shares,
            dealt="" if event.dealt is None else event.dealt.event,
            ends_open=event.ends_open,
            table=Table(hints=event.hints),
        )

    def fold(self, events: Iterable[Event], state: S | None = None) -> S:
        """The state after the events, from the first line on or from `state` on."""
        evolve = self.evolve
        rest = iter(events)
        if state is None:
            first = next(rest, None)
            if not isinstance(first, MatchCreated):
                raise KernelFault("a record begins with MatchCreated")
            state = self.created(first)
        for event in rest:
            state = evolve[type(event)](state, event)
        return state

    def redact(self, event: Event, viewer: Mask) -> Event:
        """The event as the viewer holds it. Events reach a viewer only through this method."""
        slots = self.slots[type(event)]
        return conceal(event, slots, viewer) if slots else event  # type: ignore[return-value]

    def view(self, events: Iterable[Event], viewer: Mask) -> S:
        """The state as the viewer knows it: the same fold over the viewer's redacted events."""
        return self.fold(self.redact(event, viewer) for event in events)

    def revive_decision(self, asked: Asked) -> Decision:
        """The decision that was asked."""
        kept = self._revived.get(id(asked))
        if kept is not None and kept[0] is asked:
            decision: Decision = kept[1]
            return decision
        return self._keep(asked, msgspec.convert(asked.terms, self._decisions[asked.kind]))

    def form(self, asked: Asked, state: S) -> Form:
        """The legal choices of a decision in a state.

        The last form is kept, because an answer needs it three times: to be read, compared with the signed answer, and
        decided.
        """
        kept = self._formed
        if kept is not None and kept[0] is asked and kept[1] is state:
            return kept[2]
        form = self.revive_decision(asked).form(state)
        self._formed = (asked, state, form)
        return form

    def why_not(self, asked: Asked, state: S, choice: Choice) -> Forbidden | None:
        """Why a choice is not allowed for a decision in a state, and the rule that forbids it; None if allowed."""
        why = self.form(asked, state).check(choice)
        if not why:
            return None
        decision = self.revive_decision(asked)
        return self.spec.forbids(state, decision, choice) or Forbidden(decision.rule, why)

    def limit_s(self, asked: Asked, state: S) -> float:
        """Seconds after which a decision's default is chosen, if the rules set a limit; 0 if they set none."""
        if self._decisions[asked.kind].limit_s is Decision.limit_s:
            return 0.0
        return self.revive_decision(asked).limit_s(state)

    def asked(self, number: int, decision: Decision, limit_s: float = 0.0) -> Asked:
        """A decision as plain data, with its number; `limit_s`: seconds after which the rules' clock answers it."""
        name = type(decision).__name__
        if name not in self._decisions:
            raise KernelFault(f"{name} is not registered with {self.name}")
        asked = Asked(number, decision.by, name, plain_fields(decision), round(limit_s * 1000))
        self._keep(asked, decision)
        return asked

    def frame(self, procedure: Procedure, step: str) -> Frame:
        """A procedure under way as plain data."""
        name = type(procedure).__name__
        if name not in self._procedures:
            raise KernelFault(f"{name} is not registered with {self.name}")
        frame = Frame(name, step, plain(procedure))
        self._keep(frame, (procedure, step))
        return frame

    def revive_frame(self, frame: Frame) -> tuple[Procedure, str]:
        """A procedure under way."""
        kept = self._revived.get(id(frame))
        if kept is not None and kept[0] is frame:
            under_way: tuple[Procedure, str] = kept[1]
            return under_way
        procedure = self._procedures[frame.procedure]
        step = procedure.aliases.get(frame.step, frame.step)
        return self._keep(frame, (msgspec.convert(frame.terms, procedure), step))

    def _keep(self, data: Asked | Frame, live: T) -> T:
        """Remember the values for plain data: the same data, as the same object, usually comes again at once."""
        if len(self._revived) >= KEPT:
            self._revived.clear()
        self._revived[id(data)] = (data, live)
        return live

    def read_choice(self, data: object) -> Choice:
        """A choice from plain data or JSON bytes. Raises `NotAChoice`."""
        try:
            # Converting to a union analyses the union every time; a decoder does that once.
            choice: Choice = self._choices.decode(data if isinstance(data, bytes) else _encode(data))
        except (msgspec.MsgspecError, OverflowError, RecursionError) as wrong:
            raise NotAChoice(f"The choice cannot be read: {wrong}") from wrong
        return choice


def _check_storable(event: type[Event]) -> None:
    """Check that records can be read back. Raises `TypeError`, as for a secret struct without a tag."""
    try:
        msgspec.json.Decoder(event)
    except TypeError as wrong:
        raise TypeError(f"{event.__name__} could not be read from a record: {wrong}") from wrong


def _check_steps(procedure: type[Procedure]) -> None:
    """Check that each former step id leads to a present one. Raises `TypeError`, as `steps_of` does."""
    steps = steps_of(procedure).methods
    for former, present in procedure.aliases.items():
        if former in steps or present not in steps:
            raise TypeError(f"{procedure.__name__} has an alias {former} for {present}; a former id for a present step")
