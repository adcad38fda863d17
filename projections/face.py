"""The face of a game: the functions that turn a view into words, a text board and a Scene."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from msgspec import Struct

from domain.kernel import Asked, Choice, DiceRolled, Event, Game, MatchEnded, Seat, State
from projections.armies import Builder
from projections.dice_odds import Try, needed

S = TypeVar("S", bound=State)

Scene = dict[str, Any]
"""A Scene as plain data (docs/scene.md); the key `log` holds the last lines of the chronicle."""

Narrate = Callable[[Any, Any, Event, Seat | None], str]
"""`(view before, view after, redacted event, viewer)`: one sentence, or "" if there is nothing to say."""


def actor(view: Any, event: Event) -> int | None:
    """The seat that an event names."""
    del view
    seat = getattr(event, "seat", None)
    return seat if isinstance(seat, int) else None


class Face(Struct, Generic[S], frozen=True, kw_only=True):
    """A game and its words. Every function gets a view, never a state that holds more than the viewer knows.

    `narrate`: see `Narrate`. `board(view, viewer)`: the table as plain text. `question(view, asked)`: the question, a
    sentence. `option(view, asked, choice)`: a choice in words. `scene(view, viewer)`: the Scene without its log.
    `headings`: events whose sentence is a heading of the chronicle. `cues(before, event)`: the animations, beside what
    the change of the Scene shows by itself (docs/scene.md 5). `speaker(before, event)`: the seat whose event it is.
    `named(view, event)`: the things that the event's sentence may name, each with its ref in the Scene. `sides(view)`:
    by seat, what the player plays, as {what: which}: faction, General. `turns`: events that begin a turn;
    `rounds(event)`: whether the event begins a round. `builder`: for games that are played with armies of one's own.
    `fails(event)`: whether the event makes the attempt fail. `reason(before, event)`: why a player's event makes sense,
    a sentence from the knowledge of the view before it; empty if the event is clear by itself. `plain`: events that an
    option states already, so that they are not foretold. `discloses`: events with facts that nobody could know from any
    view, such as the back of a printed card, or a card that a seat draws or looks at. Nothing after such an event is
    foretold, because a few worlds may agree on its facts by chance. `rolling(view, event)`: the roller of a roll to
    come, in words, and the roll with what the viewer knows of it. `titles`: the names of rolls that are foretold, by
    their title on the table. `open_ends`: rules that end a match by facts that everybody sees. `settled(view)`: the
    possible ends, if before the end of the match it is certain that one of them will come. `tries(events)`: the dice of
    a finished match that needed a certain result. `ahead(event)`: whether the event is told before a coming roll,
    because otherwise the roll would seem to be the choice itself. `lasting`: every secret of the game that a seat
    holds, by `Event.field`. A secret that is worth knowing for longer than the delay of open cards is described in
    words, any other by "" (`projections.open_cards`). None if the game does not say. `open_cards_s`: the shortest delay
    of open cards, in seconds.
    """

    game: Game[S]
    narrate: Narrate
    board: Callable[[Any, Seat | None], str]
    question: Callable[[Any, Asked], str]
    option: Callable[[Any, Asked, Choice], str]
    scene: Callable[[Any, Seat | None], Scene]
    headings: frozenset[type[Event]] = frozenset()
    cues: Callable[[Any, Event], list[dict[str, Any]]] = lambda _, __: []
    speaker: Callable[[Any, Event], int | None] = actor
    named: Callable[[Any, Event], dict[str, str]] = lambda _, __: {}
    sides: Callable[[Any], tuple[dict[str, str], ...]] = lambda _: ()
    turns: frozenset[type[Event]] = frozenset()
    rounds: Callable[[Event], bool] = lambda _: False
    builder: Builder | None = None
    fails: Callable[[Event], bool] = lambda _: False
    reason: Callable[[Any, Event], str] = lambda _, __: ""
    plain: frozenset[type[Event]] = frozenset()
    discloses: frozenset[type[Event]] = frozenset()
    rolling: Callable[[Any, DiceRolled], tuple[str, DiceRolled]] = lambda _, event: ("", event)
    titles: Mapping[str, str] = {}
    open_ends: frozenset[str] = frozenset()
    settled: Callable[[Any], tuple[MatchEnded, ...]] = lambda _: ()
    tries: Callable[[Iterable[Event]], Iterator[Try]] = needed
    ahead: Callable[[Event], bool] = lambda _: False
    lasting: Mapping[str, str] | None = None
    open_cards_s: int = 120
