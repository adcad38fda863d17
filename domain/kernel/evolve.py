"""Folding: the effect of each kernel event on a state. Pure, total, ignorant of rules and of secret values."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from domain.kernel.events import (
    BranchOpened,
    ChanceAnchored,
    Chosen,
    DecisionsOpened,
    DiceRolled,
    EntropyCommitted,
    EntropyRevealed,
    Event,
    MatchBegun,
    MatchEnded,
    PositionSet,
    RulesChanged,
    ScenarioOpened,
    SeatBriefed,
    SeatClaimed,
    SeatKeyed,
    SeatTaken,
    SecretsOpened,
    Shuffled,
)
from domain.kernel.position import placed, united
from domain.kernel.secret import Hidden
from domain.kernel.state import Answered, State
from domain.kernel.table_evolve import TABLE_EVOLVE, chosen_on, cleared, seated

S = TypeVar("S", bound=State)
Evolve = Callable[[S, Any], S]
EvolveTable = Mapping[type[Event], Evolve[S]]


def fold(table: EvolveTable[S], state: S, events: Iterable[Event]) -> S:
    """The state after the events; `table` has one function per event class."""
    for event in events:
        state = table[type(event)](state, event)
    return state


def seat_taken(state: S, event: SeatTaken) -> S:
    """The seat has a name, and, if given, the key that signs its choices."""
    names = tuple(event.name if seat == event.seat else name for seat, name in enumerate(state.players))
    return seated(replace(state, players=names, taken=(*state.taken, (event.seat, event.key))), event)


def seat_keyed(state: S, event: SeatKeyed) -> S:
    """The seat signs with another key."""
    taken = tuple((seat, event.key if seat == event.seat else key) for seat, key in state.taken)
    return replace(state, taken=taken)


def seat_claimed(state: S, event: SeatClaimed) -> S:
    """A person claims the seat's present key."""
    return replace(state, claimed=(*state.claimed, (event.seat, dict(state.taken).get(event.seat, ""))))


def entropy_committed(state: S, event: EntropyCommitted) -> S:
    """A seat's share is fixed."""
    return replace(state, committed=(*state.committed, (event.seat, event.commitment)))


def entropy_revealed(state: S, event: EntropyRevealed) -> S:
    """A seat's share is known."""
    return replace(state, entropy=(*state.entropy, (event.seat, event.entropy)))


def chance_anchored(state: S, event: ChanceAnchored) -> S:
    """Another chain of keys begins."""
    return replace(state, anchors=state.anchors + 1)


def match_begun(state: S, event: MatchBegun) -> S:
    """Play starts; if a position was set, its open decisions are asked."""
    return replace(state, begun=True, asked=state.waiting, waiting=())


def decisions_opened(state: S, event: DecisionsOpened) -> S:
    """The match waits."""
    return replace(
        state,
        number=event.asked[-1].number,
        asked=event.asked,
        answered=(),
        sealed=event.sealed,
        stack=event.stack,
    )


def chosen(state: S, event: Chosen) -> S:
    """The seat is no longer asked; a sealed answer is kept until all are in."""
    asked = state.asked
    if len(asked) == 1:
        answered = asked[0]
        left: tuple[Any, ...] = ()
    else:
        answered = next(a for a in asked if a.number == event.number)
        left = tuple(a for a in asked if a.number != event.number)
    if state.table.offers or state.table.declined:
        state = chosen_on(state, event)
    if not state.sealed:
        return replace(state, asked=left)
    return replace(state, asked=left, answered=(*state.answered, Answered(answered, event.choice)))


def dice_rolled(state: S, event: DiceRolled) -> S:
    """A public draw is spent; the dice lie on the table."""
    return replace(state, draws=event.draw, roll=event)


def shuffled(state: S, event: Shuffled) -> S:
    """A hidden draw is spent."""
    return replace(state, shuffles=event.draw)


def secrets_opened(state: S, event: SecretsOpened) -> S:
    """Nothing to fold: the secrets that are opened were folded with their own events."""
    return state


def rules_changed(state: S, event: RulesChanged) -> S:
    """Nothing to fold: folding is the same under every version of the rules."""
    return state


def branch_opened(state: S, event: BranchOpened) -> S:
    """The position follows."""
    return state


def scenario_opened(state: S, event: ScenarioOpened) -> S:
    """The position follows."""
    return state


def seat_briefed(state: S, event: SeatBriefed) -> S:
    """A seat keeps the view that it receives until the position is set; a viewer of all hands keeps every seat's."""
    if isinstance(event.view, Hidden):
        return state
    return replace(state, briefed=(*(state.briefed or ()), event.view))


def position_set(state: S, event: PositionSet) -> S:
    """The whole position if the holder has it, else the views that seats received, else a spectator's view."""
    if not isinstance(event.world, Hidden):
        return placed(state, event.world)
    return placed(state, event.view if state.briefed is None else united(state, state.briefed))


def match_ended(state: S, event: MatchEnded) -> S:
    """The match has a result, and all questions are closed."""
    return cleared(replace(state, result=event.result, asked=(), answered=(), stack=()))


KERNEL_EVOLVE: dict[type[Event], Evolve[Any]] = {
    SeatTaken: seat_taken,
    SeatKeyed: seat_keyed,
    SeatClaimed: seat_claimed,
    EntropyCommitted: entropy_committed,
    EntropyRevealed: entropy_revealed,
    ChanceAnchored: chance_anchored,
    MatchBegun: match_begun,
    DecisionsOpened: decisions_opened,
    Chosen: chosen,
    DiceRolled: dice_rolled,
    Shuffled: shuffled,
    SecretsOpened: secrets_opened,
    RulesChanged: rules_changed,
    BranchOpened: branch_opened,
    ScenarioOpened: scenario_opened,
    SeatBriefed: seat_briefed,
    PositionSet: position_set,
    MatchEnded: match_ended,
    **TABLE_EVOLVE,
}
"""`MatchCreated` has no entry, because it makes the first state (`Game.created`)."""
