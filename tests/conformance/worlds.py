"""The proof that nothing leaks (DESIGN 4): what a viewer receives is the same in every world it cannot tell apart.

At a moment of a match everything hidden from a viewer is drawn anew, the same public choice is made in both worlds
with the same chance, and every byte the viewer would receive is compared. A value that the choice rightly reveals (an
order turned up, a card drawn by the viewer) is kept as it was and the world drawn once more; whatever still differs,
and any difference in who is asked what, is a leak.
"""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from domain.kernel import HIDDEN, Asked, Choice, DecisionsOpened, Event, Play, Refusal, Resolver, Seat, decide
from domain.kernel.secret import conceal
from tests.conformance.walks import AnyGame, Seeded, mask

RETRIES = 40
ALTERNATIVES = 60


class Leak(AssertionError):
    """A viewer could tell two worlds apart by something nobody showed."""


class Received(Struct, frozen=True):
    """What a viewer receives of one event: its type, public fields and the secrets it is entitled to, as bytes."""

    kind: str
    public: bytes
    opened: bytes


def received(game: AnyGame, event: Event, viewer: Seat | None) -> Received:
    """An event as it goes to the viewer."""
    slots = game.slots[type(event)]
    seen = game.redact(event, mask(viewer))
    held = {slot.name: getattr(seen, slot.name) for slot in slots if getattr(seen, slot.name) is not HIDDEN}
    public = msgspec.json.encode(conceal(event, slots, mask(None)))
    return Received(type(event).__name__, public, msgspec.json.encode(held))


def prompts(game: AnyGame, state: Any, viewer: Seat | None) -> list[bytes]:
    """The viewer's own open questions with what may be chosen, as bytes."""
    found = []
    for asked in state.asked:
        if asked.seat == viewer:
            form = game.revive_decision(asked).form(state)
            choices = [msgspec.json.encode(choice) for _, choice in zip(range(300), form, strict=False)]
            found += [msgspec.json.encode(asked), *sorted(choices)]
    return found


class Moment(Struct, frozen=True):
    """A decision about to be answered in the real world."""

    game: AnyGame
    state: Any
    asked: Asked
    choice: Choice
    seed: int

    def play(self, state: Any, choice: Choice) -> Play[Any]:
        """What comes of a choice; chance is the same in every world."""
        return decide(self.game, state, self.asked.seat, self.asked.number, choice, Seeded(self.seed))


def indistinguishable(moment: Moment, viewer: Seat | None, told: Counter[str]) -> None:
    """Raise `Leak` when the viewer can tell the real world from another. `told` counts what rightly revealed."""
    game, rng = moment.game, random.Random(moment.seed)
    real = moment.play(moment.state, moment.choice)
    expected = [received(game, event, viewer) for event in real.events]
    keep: frozenset[str] = frozenset()
    for _ in range(RETRIES):
        world = game.spec.resample(moment.state, viewer, rng.randrange, keep)
        if prompts(game, world, viewer) != prompts(game, moment.state, viewer):
            raise Leak(f"seat {viewer}: the options of its own question betray something: {moment.asked}")
        other = _same_choice(moment, world, viewer, expected)
        if other is None:
            named = set(_strings(msgspec.to_builtins(moment.choice)))
            keep = _more(keep, places(moment.asked.seat) | named, moment)
            continue
        got = [received(game, event, viewer) for event in other.events]
        if got == expected:
            if other.state.stack != real.state.stack:
                raise Leak(f"seat {viewer}: a procedure's parameter holds a secret: {real.state.stack}")
            if prompts(game, other.state, viewer) != prompts(game, real.state, viewer):
                keep = _more(keep, places(viewer), moment)
                continue
            return
        at = next(i for i in range(len(expected) + 1) if expected[i : i + 1] != got[i : i + 1])
        keep = _more(keep, _revealed(moment, real, other, at, viewer, told), moment)
    raise Leak(f"after {RETRIES} worlds: {moment.asked.kind} {moment.choice}: {expected[at]} and {got[at]}")


TELLING: dict[str, frozenset[str]] = {
    "skirmish": frozenset({"CardShown", "CardDrawn"}),
    "disciples_legacy": frozenset(
        {
            "ArmyDeployed",  # sealed answers, shown when both are in
            *("PlayerToAct", "HandPeeked", "ReservesShown"),  # DL-Q59, DL-232
        }
    ),
    "vera_discordia": frozenset(
        {
            *("OrderTurnedUp", "OrderExamined", "OrderDiscarded", "LeftoverDiscarded", "CardsDrawn", "UnitTookOrder"),
            *("UnitOpened", "ArmyShown", "ArmyCounted", "TerrainExamined", "TerrainRevealed", "GeneralChosen"),
            "LeftoverDiscarded/PhaseBegan",  # VD-316: an answer given in secret, shown when both are in
            "DiceRolled/GeneralChosen",  # VD-096: the lot between two that chose alike in secret
            *("AbilityShown", "AbilityShown/DiceRolled", "AbilityShown/UnitsRolled", "AbilityShown/MoraleChecked"),
        }
    ),
    "war_for_edadh": frozenset(
        {
            *("CardLaid", "TieCardLaid", "ResShown", "UnitDeployed"),  # sealed answers, shown when both are in
            *("DeckChosen", "StratagemsPicked", "StratagemsEntered"),  # the deck's size, what lies face up
            *("TerrainLaid", "TerrainCut"),  # the next card of the deck
        }
    ),
}
"""Per game the events by which a viewer rightly learns something hidden; `A/B`: that A happens, where B would have.

In a game not listed every event may show values, but none may happen or not depending on a secret.
"""

PLACES = ("hand", "army", "deck")
"""The words that games use for what a seat holds hidden; with the seat's number behind them."""


def places(seat: Seat | None) -> set[str]:
    """What a seat holds, and what lies hidden for all."""
    return {f"{place}{seat}" for place in PLACES} | {"deck", "terrain"}


def _more(keep: frozenset[str], further: set[str], moment: Moment) -> frozenset[str]:
    if further <= keep:  # one number may tell of both sides
        further = {word for seat in range(moment.game.seats) for word in places(Seat(seat))}
    if further <= keep:
        raise Leak(f"{moment.asked.kind} {moment.choice}: other worlds differ although {sorted(further)} are kept")
    return keep | further


def _same_choice(moment: Moment, world: Any, viewer: Seat | None, expected: list[Received]) -> Play[Any] | None:
    """The choice in the other world; where it holds a secret of that world, another that looks the same."""
    try:
        return moment.play(world, moment.choice)
    except Refusal as refused:
        if moment.asked.seat == viewer:
            raise Leak(f"seat {viewer}: its own choice is not offered in another world: {moment.choice}") from refused
    for choice in _alternatives(moment, world):
        other = moment.play(world, choice)
        if [received(moment.game, event, viewer) for event in other.events] == expected:
            return other
    return None


def _alternatives(moment: Moment, world: Any) -> Iterator[Choice]:
    form = moment.game.revive_decision(moment.asked).form(world)
    below = random.Random(moment.seed).randrange
    same_kind = (choice for choice in (form.sample(below) for _ in range(ALTERNATIVES)))
    yield from (choice for choice in same_kind if type(choice) is type(moment.choice))


def _revealed(
    moment: Moment, real: Play[Any], other: Resolver[Any], at: int, viewer: Seat | None, told: Counter[str]
) -> set[str]:
    """The pieces and places of the first events that differ: they may be kept, for the choice reveals them."""
    pair = [resolver.events[at] for resolver in (real, other) if at < len(resolver.events)]
    if any(isinstance(event, DecisionsOpened) for event in pair):
        what = " and ".join(str(getattr(event, "asked", event)) for event in pair)
        raise Leak(f"seat {viewer} sees who is asked what depend on a secret: {moment.choice}: {what}")
    words: set[str] = set()
    kind = "/".join(sorted({type(event).__name__ for event in pair}))
    told[kind] += 1
    telling = TELLING.get(moment.game.name)
    if kind not in telling if telling is not None else "/" in kind or len(pair) == 1:
        raise Leak(f"seat {viewer}: {kind} tells of a secret: {moment.asked.kind} {moment.choice}: {pair}")
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
