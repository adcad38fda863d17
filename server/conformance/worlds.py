"""The proof that nothing leaks: a viewer's messages are the same in every world it cannot distinguish.

At a moment of a match everything hidden from a viewer is drawn anew, the same public choice is made in both worlds with
the same chance, and every byte for the viewer is compared, field by field. Facts opened to the viewer (a card he draws)
and facts that a rule publishes (an order turned up; each game names the fields in its `disclosure.py`) may differ: such
a fact is then fixed and the world is drawn once more. Any remaining difference, in another public field, in the seat
that is asked, in its question or in a refusal, is a leak.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.kernel import Choice, DecisionsOpened, Event, Play, Refusal, Seat, begin
from server.conformance.choosing import kept_to_itself, tells_of_a_choice
from server.conformance.comparing import DecisionMoment, Leak, Reshuffled, alternatives, difference
from server.conformance.disclosure import TOLD_BY_NONE, disclosure_of, happening, untold
from server.conformance.places import causes
from server.conformance.walks import AnyGame, Seeded, seated

RETRIES: Final = 60
PATIENCE: Final = 2
"""The number of worlds drawn before rightly revealed facts are fixed: a world that agrees unaided proves more."""

WORLDS: Final = 4
ANSWERS: Final = 3
"""The numbers of worlds, choices and answers that are tried."""


def prompts(game: AnyGame, state: Any, viewer: Seat | None) -> list[bytes]:
    """The viewer's own open questions with their possible answers, as bytes."""
    found = []
    for asked in state.asked:
        if asked.seat == viewer:
            form = game.revive_decision(asked).form(state)
            choices = [msgspec.json.encode(choice) for _, choice in zip(range(300), form, strict=False)]
            found += [msgspec.json.encode(asked), *choices]
    return found


def refusals(moment: DecisionMoment, state: Any) -> list[str]:
    """The refusals of choices that are not offered, to each seat that is asked."""
    told = []
    for choice in moment.refused:
        forbidden = moment.game.why_not(moment.asked, state, choice)
        said = "offered" if forbidden is None else f"{forbidden.rule}: {forbidden.why}"
        told.append(f"{type(choice).__name__}: {said}")
    return told


class Alike(Struct, frozen=True):
    """Another world, and a choice in it after which the viewer has received the same as in the real one."""

    world: Any
    choice: Choice
    shuffles: int | None


def indistinguishable(moment: DecisionMoment, viewer: Seat | None, told: Counter[str]) -> Alike:
    """Another world that the viewer cannot tell from the real one, in which everything goes the same way.

    Raises `Leak` when the viewer can distinguish them. `told` counts the facts that were rightly revealed.
    """
    game, rng = moment.game, random.Random(moment.seed)
    real = moment.real.state
    before, after = (prompts(game, state, viewer) for state in (moment.state, real))
    keep: frozenset[str] = frozenset()
    for tried in range(RETRIES):
        world = game.spec.resample(moment.state, viewer, rng.randrange, keep)
        _compare_questions(moment, world, viewer, before)
        shuffles = None if tried else moment.seed + 1
        choice, other = _same_choice(moment, world, viewer, shuffles)
        if other is None:
            named = set(_strings(msgspec.to_builtins(moment.choice)))
            keep = _more(keep, places(moment.asked.seat) | named, moment)
            continue
        pair = difference(game, moment.real.events, other.events, viewer)
        if pair:
            rightly = _revealed(moment, pair, viewer, told)
            keep = _more(keep, rightly, moment) if tried % PATIENCE == PATIENCE - 1 else keep
            continue
        if other.state.stack != real.stack:
            raise Leak(f"seat {viewer}: a procedure's parameter holds a secret: {real.stack}")
        if prompts(game, other.state, viewer) == after:
            return Alike(world, choice, shuffles)
        keep = _more(keep, places(viewer), moment)
    raise Leak(f"after {RETRIES} worlds: {moment.asked.kind} {moment.choice}: other worlds differ by {pair}")


def other_choices(moment: DecisionMoment, viewer: Seat | None) -> list[Alike]:
    """Choices that another seat could have made in the same world, which the viewer cannot tell from the one made.

    Raises `Leak` when the viewer can distinguish them.
    """
    choices = [*sealed(moment, viewer), *kept_to_itself(moment, viewer)]
    return [Alike(moment.state, choice, None) for choice in choices]


def sealed(moment: DecisionMoment, viewer: Seat | None) -> list[Choice]:
    """Other answers that a seat could have given, while they are sealed; raises `Leak` if the viewer can tell."""
    state, asked = moment.state, moment.asked
    if asked.seat == viewer or not state.sealed or len(state.asked) < 2:
        return []
    answers = list(islice(alternatives(moment, state), ANSWERS))
    for choice in answers:
        pair = difference(moment.game, moment.real.events, moment.play(state, choice).events, viewer)
        if pair:
            named = ", ".join(untold(TOLD_BY_NONE, pair, moment.game.slots))
            raise Leak(f"seat {viewer}: {named} tells of a sealed answer to {asked.kind}: {pair}")
    return answers


def beginning(game: AnyGame, options: dict[str, Any], seed: int, told: Counter[str]) -> None:
    """Raise `Leak` when everybody's view of a match's beginning depends on the shuffle of a deck."""
    disclosure, state = disclosure_of(game.name), game.fold(seated(game, options))
    real = begin(game, state, Seeded(seed)).events
    for shuffles in range(WORLDS):
        pair = difference(game, real, begin(game, state, Reshuffled(seed, seed + shuffles + 1)).events, None)
        wrong = list(untold(disclosure, pair, game.slots)) if pair else []
        if wrong:
            raise Leak(f"{', '.join(wrong)} tells how a deck lies and no rule says so: {pair}")
        if pair:
            told[happening(pair)] += 1


def _compare_questions(moment: DecisionMoment, world: Any, viewer: Seat | None, before: list[bytes]) -> None:
    """Compare the viewer's options, and the refusals of other choices."""
    asked = moment.asked
    if prompts(moment.game, world, viewer) != before:
        why = causes(moment.state, world, lambda state: prompts(moment.game, state, viewer) != before)
        raise Leak(f"seat {viewer}: the options of its own question betray {why}: {asked}")
    if asked.seat == viewer and moment.refused:
        real, other = refusals(moment, moment.state), refusals(moment, world)
        if real != other:
            why = causes(moment.state, world, lambda state: refusals(moment, state) != real)
            raise Leak(f"seat {viewer}: a refusal of {asked.kind} betrays {why}: {real} and {other}")


PLACES = ("army", "deck", "hand")
"""The words that games use for a seat's hidden things, followed by the seat's number; kept in this order."""


def places(seat: Seat | None) -> set[str]:
    """The secrets of a seat, and the secrets that nobody knows."""
    return {f"{place}{seat}" for place in PLACES} | {"deck", "terrain"}


def _more(keep: frozenset[str], further: set[str], moment: DecisionMoment) -> frozenset[str]:
    """The facts to fix from now on: pieces before places, and one kind of place after the other; few are enough."""
    if further <= keep:  # one number may concern both sides
        further = {word for seat in range(len(moment.state.players)) for word in places(Seat(seat))}
    if further <= keep:
        raise Leak(f"{moment.asked.kind} {moment.choice}: other worlds differ although {sorted(further)} are kept")
    held = {place: {f"{place}{seat}" for seat in range(moment.game.seats)} & further for place in PLACES}
    pieces = further.difference(*held.values())
    return keep | next(words for words in (pieces, *held.values()) if not words <= keep)


def _same_choice(
    moment: DecisionMoment, world: Any, viewer: Seat | None, shuffles: int | None
) -> tuple[Choice, Play[Any] | None]:
    """The choice in the other world; if it holds a secret of that world, another that looks the same."""
    try:
        return moment.choice, moment.play(world, moment.choice, shuffles)
    except Refusal as refused:
        if moment.asked.seat == viewer:
            raise Leak(f"seat {viewer}: its own choice is not offered in another world: {moment.choice}") from refused
    for choice in alternatives(moment, world):
        other = moment.play(world, choice, shuffles)
        if not difference(moment.game, moment.real.events, other.events, viewer):
            return choice, other
        tells_of_a_choice(moment, viewer, choice, other.events)
    return moment.choice, None


def _revealed(moment: DecisionMoment, pair: Sequence[Event], viewer: Seat | None, told: Counter[str]) -> set[str]:
    """The pieces and places of the first events that differ: they may be fixed, because the choice reveals them."""
    if any(isinstance(event, DecisionsOpened) for event in pair):
        what = " and ".join(str(getattr(event, "asked", event)) for event in pair)
        raise Leak(f"seat {viewer} sees who is asked what depend on a secret: {moment.choice}: {what}")
    wrong = list(untold(moment.disclosure, pair, moment.game.slots))
    if wrong:
        of = f"{moment.asked.kind} {moment.choice}"
        raise Leak(f"seat {viewer}: {', '.join(wrong)} tells of a secret and no rule says so: {of}: {pair}")
    told[happening(pair)] += 1
    words: set[str] = set()
    for event in pair:
        words |= set(_strings(msgspec.to_builtins(event)))
        words |= places(getattr(event, "seat", None))
    return words


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _strings(part)
