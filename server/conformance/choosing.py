"""Secret parts of a seat's choice: all choices that differ only in them look the same to others.

An example is the card of a Unit that is laid face down, in an answer that is not sealed. In the same world, with the
same chance, another card laid in the same place must give everybody else the same messages. The results of a choice
show which of its parts are secret: a value that went into hidden fields, or a part that alone decides the values that
its own events hide. The game's `disclosure.py` names the parts that a rule shows nevertheless.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import reduce
from itertools import combinations, islice
from operator import getitem
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.json import encode

from domain.kernel import HIDDEN, AnyForm, Choice, Event, Resolver, Seat
from domain.kernel.events import KERNEL_EVENTS
from domain.kernel.resolver import EndedError
from domain.kernel.state import plain
from server.conformance.comparing import DecisionMoment, Leak, difference
from server.conformance.disclosure import untold
from server.conformance.places import Leaves, Path, leaves
from server.conformance.walks import AnyGame, Seeded, mask

SAMPLED: Final = 24
"""The number of choices drawn beside the one made; each provides its parts, one at a time."""

ALIKE: Final = 6
"""The number of choices that differ in the same parts."""

FEW: Final = 4
"""Two parts are taken at once only if two choices differ in at most this many."""

TRIED: Final = 24
"""The largest number of choices that are carried out."""

KERNEL: Final = frozenset(event.__name__ for event in KERNEL_EVENTS)

Place = tuple[str, int, str]
"""The name of an event, its number among those of its kind, and its secret field."""


def parts_of(choice: Choice) -> dict[Path, object]:
    """The parts of a choice."""
    return leaves(plain(choice))


def apart(one: Leaves, other: Leaves) -> frozenset[Path]:
    """The places in which two choices differ."""
    return frozenset(path for path in {*one, *other} if one.get(path, HIDDEN) != other.get(path, HIDDEN))


def concealed(game: AnyGame, events: Sequence[Event], viewer: Seat | None) -> dict[Place, object]:
    """The parts of events that are hidden from the viewer, as plain data."""
    found: dict[Place, object] = {}
    numbers: Counter[str] = Counter()
    for event in events:
        kind = type(event).__name__
        numbers[kind] += 1
        for slot in game.slots[type(event)] if kind not in KERNEL else ():
            value = getattr(event, slot.name)
            if value is not HIDDEN and not slot.mask(event) & mask(viewer):
                found[kind, numbers[kind], slot.name] = plain(value)
    return found


class TriedChoice(Struct, frozen=True):
    """A choice and its results: its parts, the events, and those of them that its own decision made."""

    choice: Choice
    parts: Leaves
    events: Sequence[Event]
    own: Sequence[Event] = ()


def kept_to_itself(moment: DecisionMoment, viewer: Seat | None) -> list[Choice]:
    """Other choices that a seat could have made, which the viewer cannot tell from the one it made.

    Raises `Leak` when the viewer can distinguish two choices that differ only in parts that the seat hides.
    """
    game, asked = moment.game, moment.asked
    alike: list[Choice] = []
    if asked.seat == viewer or not concealed(game, moment.real.events, viewer):
        return alike
    made, *others = moment.remembered("choices beside", lambda: list(_options(moment)))
    hidden: list[frozenset[Path]] = []
    for other in sorted(others, key=lambda other: len(apart(made.parts, other.parts))):
        differing = apart(made.parts, other.parts)
        whole = _carried(game, made, other, viewer)
        if whole or (_decides(game, made, other, viewer) and not any(part < differing for part in hidden)):
            hidden.append(differing)
            if not _compare(moment, made, other, viewer):
                alike.append(other.choice)
    return alike


def tells_of_a_choice(moment: DecisionMoment, viewer: Seat | None, choice: Choice, events: Sequence[Event]) -> None:
    """Raise `Leak` when the viewer can distinguish the choice made from one of another world that differs only in
    hidden parts.
    """
    made = TriedChoice(moment.choice, parts_of(moment.choice), moment.real.events)
    other = TriedChoice(choice, parts_of(choice), events)
    if _carried(moment.game, made, other, viewer):
        _compare(moment, made, other, viewer)


def _options(moment: DecisionMoment) -> Iterator[TriedChoice]:
    """Yield the choice made, then other choices in the same position."""
    game, state = moment.game, moment.state
    decision = game.revive_decision(moment.asked)
    beside = choices_beside(decision.form(state), moment.choice, random.Random(moment.seed))
    for choice in (moment.choice, *islice(beside, TRIED)):
        own = Resolver(game.evolve, state, Seeded(moment.seed))
        with suppress(EndedError):
            if not state.sealed:
                decision.resolve(own, choice)
        yield TriedChoice(choice, parts_of(choice), moment.play(state, choice).events, own.events)


def _carried(game: AnyGame, made: TriedChoice, other: TriedChoice, viewer: Seat | None) -> bool:
    """Whether every part in which two choices differ went into something hidden, in both choices."""
    ours, theirs = (concealed(game, option.events, viewer) for option in (made, other))
    held = [
        (Counter(leaves(ours[place]).values()), Counter(leaves(theirs[place]).values()))
        for place in ours.keys() & theirs.keys()
        if ours[place] != theirs[place]
    ]

    def went(path: Path) -> bool:
        one, another = made.parts.get(path), other.parts.get(path)
        return any(a[one] > b[one] and b[another] > a[another] for a, b in held)

    differing = apart(made.parts, other.parts)
    return bool(held and differing) and all(map(went, differing))


def _decides(game: AnyGame, made: TriedChoice, other: TriedChoice, viewer: Seat | None) -> bool:
    """Whether the decision itself hides different values after the two choices."""
    ours, theirs = (concealed(game, option.own, viewer) for option in (made, other))
    return any(ours[place] != theirs[place] for place in ours.keys() & theirs.keys())


def _compare(moment: DecisionMoment, made: TriedChoice, other: TriedChoice, viewer: Seat | None) -> bool:
    """Whether the viewer rightly tells two choices apart. Raises `Leak` if no rule allows it."""
    pair = difference(moment.game, made.events, other.events, viewer)
    told = moment.disclosure.chosen
    wrong = [what for what in untold(moment.disclosure, pair, moment.game.slots) if what not in told] if pair else []
    if wrong:
        choices = f"{made.choice} or {other.choice}"
        raise Leak(f"seat {viewer}: {', '.join(wrong)} tells what seat {moment.asked.seat} hides: {choices}: {pair}")
    return bool(pair)


def choices_beside(form: AnyForm, choice: Choice, rng: random.Random) -> Iterator[Choice]:
    """Other choices of the same kind, those that differ least first, a few for each way in which they differ."""
    made, seen, ways = parts_of(choice), {encode(choice)}, Counter[frozenset[Path]]()
    found: list[tuple[frozenset[Path], Choice]] = []
    drawn = (form.sample(rng.randrange) for _ in range(SAMPLED))
    for lender in (*drawn, *islice(form, SAMPLED)):
        for candidate in (*_crossed(choice, made, lender), lender) if type(lender) is type(choice) else ():
            way, name = apart(made, parts_of(candidate)), encode(candidate)
            if name not in seen and ways[way] < ALIKE and not form.check(candidate):
                seen.add(name)
                ways[way] += 1
                found.append((way, candidate))
    yield from (candidate for _, candidate in sorted(found, key=lambda pair: len(pair[0])))


def _crossed(choice: Choice, made: Leaves, lender: Choice) -> Iterator[Choice]:
    """The choice with one part of another, and with two if they differ in few."""
    lent = parts_of(lender)
    differing = sorted(apart(made, lent), key=str)
    if len(differing) < 2 or made.keys() != lent.keys():
        return
    for size in (1, 2) if 2 < len(differing) <= FEW else (1,):
        for paths in combinations(differing, size):
            data = plain(choice)
            for path in paths:
                reduce(getitem, path[:-1], data)[path[-1]] = lent[path]
            with suppress(msgspec.ValidationError):
                yield msgspec.convert(data, type(choice))
