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
"""`(view before, view after, redacted event, viewer)`: one sentence, or "" where there is nothing to say."""


def actor(view: Any, event: Event) -> int | None:
    """The seat that an event names."""
    del view
    seat = getattr(event, "seat", None)
    return seat if isinstance(seat, int) else None


class Face(Struct, Generic[S], frozen=True, kw_only=True):
    """A game and its words. Every function gets a view, never a state that knows more than the viewer.

    `narrate`: see `Narrate`. `board(view, viewer)`: the table as plain text. `question(view, asked)`: what is asked, a
    sentence. `option(view, asked, choice)`: a choice in words. `scene(view, viewer)`: the Scene without its log.
    `headings`: events whose sentence is a heading of the chronicle. `cues(before, event)`: what to animate, beside what
    the change of the Scene shows by itself (docs/scene.md 5). `speaker(before, event)`: whose event it is. `named(view,
    event)`: the things that the event's sentence may name, each with its ref in the Scene. `sides(view)`: by seat, what
    each player plays, as {what: which}: faction, General. `turns`: events that begin one; `rounds(event)`: whether it
    begins a round. `builder`: for games that are played with armies of one's own. `fails(event)`: whether the attempt
    comes to nothing by it. `reason(before, event)`: why a player's event makes sense, a sentence from the knowledge of
    the view before it; empty if it speaks for itself. `plain`: events that an option states by itself, so that they are
    not foretold. `discloses`: events with facts that nobody could know from any view, such as the back of a printed
    card, or a card that a seat draws or looks at, in which a few worlds may agree by chance: nothing is foretold from
    them on. `rolling(view, event)`: whose roll to come it is, in words, and the roll with what the viewer knows of it.
    `titles`: what rolls are called where they are foretold, by their title on the table. `open_ends`: rules that end a
    match by what everybody sees alone. `settled(view)`: the ends of which one will certainly come, if that is so before
    the match ends. `tries(events)`: of a match that is over, the dice that had to show something. `ahead(event)`:
    whether it is told in front of a coming roll, which without it would seem to be the choice itself. `lasting`: every
    secret of the game that a seat holds, by `Event.field`, and what it is in words where it is worth knowing for longer
    than open cards are kept back, else "" (`projections.open_cards`); None where the game does not say. `open_cards_s`:
    for how many seconds they are kept back at least.
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
