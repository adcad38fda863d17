"""The face of a game without a face of its own: readable words, board and Scene made from the game's classes."""

from textwrap import wrap
from typing import Any, Final, TypeVar

import msgspec

from domain.kernel import (
    Asked,
    BranchOpened,
    ChanceAnchored,
    Choice,
    Chosen,
    DecisionsOpened,
    DiceRolled,
    EntropyCommitted,
    EntropyRevealed,
    Event,
    Game,
    Hidden,
    MatchBegun,
    MatchCreated,
    MatchEnded,
    PositionSet,
    RulesChanged,
    ScenarioOpened,
    Seat,
    SeatBriefed,
    SeatTaken,
    SecretsOpened,
    Shuffled,
    State,
)
from domain.kernel.table import STANDING
from projections.face import Face, Scene
from projections.scene import plain_scene
from projections.table_words import narrate_table
from projections.words import count, join, outcome, player, reasons, sentence, spaced

S = TypeVar("S", bound=State)

WIDTH: Final = 100
MOST_LINES: Final = 6
"""The most lines of one field, because a deck of cards would fill the screen."""


def _value(value: object) -> str:
    if isinstance(value, Hidden):
        return "hidden"
    if isinstance(value, tuple | list):
        return join([_value(item) for item in value]) or "none"
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_value(item)}" for key, item in value.items()) or "none"
    if isinstance(value, msgspec.Struct):
        return ", ".join(f"{name} {_value(getattr(value, name))}" for name in value.__struct_fields__)
    return str(value)


KERNEL_SILENT: Final = frozenset(
    {MatchCreated, EntropyCommitted, EntropyRevealed, DecisionsOpened, Chosen, SeatBriefed}
)
"""Kernel events that are not told, because the events after them tell everything."""


def _narrate_position(event: BranchOpened | ScenarioOpened | PositionSet) -> str:
    match event:
        case BranchOpened(match, line):
            return f"This match branches off {match} after its line {line}."
        case ScenarioOpened(title):
            return f"This match begins in a position that was written: {title}."
        case PositionSet(line=0):
            return "The position is set."
    return f"The match stands where it stood earlier (line {event.line})."


def narrate_kernel(before: Any, after: Any, event: Event, viewer: Seat | None) -> str | None:
    """A sentence about one of the kernel's own events; None for a game's event, "" if there is nothing to say."""
    del viewer
    if isinstance(event, Chosen) and event.by == STANDING:
        return f"{player(after, event.seat)} had signed this answer ahead, before the question came."
    if type(event) in KERNEL_SILENT:
        return ""
    match event:
        case ChanceAnchored(after=after):
            return f"A new chain of dice keys begins after roll {after}; its keys were fixed at the start."
        case SecretsOpened(slots):
            return f"{count(len(slots), 'secret')} of earlier lines {'is' if len(slots) == 1 else 'are'} opened to all."
        case RulesChanged(was, now):
            return f"The match goes on under rules {now}; until here they were {was}."
        case BranchOpened() | ScenarioOpened() | PositionSet():
            return _narrate_position(event)
        case SeatTaken(seat, name, kind):
            return f"{name} takes seat {seat + 1}{' (bot)' if kind == 'bot' else ''}."
        case MatchBegun():
            return "The match begins."
        case DiceRolled():
            return narrate_roll(after, event)
        case Shuffled(rule="clock"):
            return "A choice is drawn by lot."
        case Shuffled(title=title, size=size, seat=seat):
            whose = f"{player(after, seat)}: " if seat is not None else ""
            return f"{whose}{title} shuffled, {count(size, 'card')}."
        case MatchEnded(result):
            return outcome(after.players, result)
    return narrate_table(before, after, event)


def narrate_roll(view: Any, event: DiceRolled) -> str:
    """A roll with its faces, the faces it needed, and the reasons for the number of dice."""
    who = f"{player(view, event.seat)}: " if event.seat is not None else ""
    if not event.dice:
        faces = "no dice"
    else:
        faces = " ".join(
            f"{face}{'✓' if i < len(event.needs) and face >= event.needs[i] else ''}"
            for i, face in enumerate(event.dice)
        )
        if event.kinds:
            kinds = [f"{kind} {face}" for kind, face in zip(event.kinds, faces.split(" "), strict=True)]
            faces = ", ".join(kinds)
    why = f" ({count(len(event.dice), 'die', 'dice')}: {reasons(event.parts)})" if event.parts else ""
    return f"{who}{event.title}, {event.rule}: {faces}{why}."


def narrate(before: Any, after: Any, event: Event, viewer: Seat | None) -> str:
    """A sentence about any event, from its fields."""
    told = narrate_kernel(before, after, event, viewer)
    if told is not None:
        return told
    fields = [
        f"{spaced(name)} {_value(getattr(event, name))}"
        for name in event.__struct_fields__
        if name != "seat" and not isinstance(getattr(event, name), Hidden)
    ]
    seat = getattr(event, "seat", None)
    who = f"{player(after, seat)}: " if isinstance(seat, int) else ""
    return sentence(f"{who}{spaced(type(event).__name__)} {'; '.join(fields)}".strip())


def question(view: Any, asked: Asked) -> str:
    """The question, from the decision's name."""
    del view
    return sentence(spaced(asked.kind))


def option(view: Any, asked: Asked, choice: Choice) -> str:
    """A choice in words, from its class and fields."""
    del view, asked
    values = [_value(getattr(choice, name)) for name in choice.__struct_fields__]
    return " ".join([spaced(type(choice).__name__).capitalize(), *values])


def board(view: Any, viewer: Seat | None) -> str:
    """Every field of the view, at most 100 columns wide."""
    del viewer
    kernel = set(State.__struct_fields__)
    told = [f"{spaced(name)}: {_value(getattr(view, name))}" for name in view.__struct_fields__ if name not in kernel]
    return "\n".join(line for text in told for line in wrap(text, WIDTH, subsequent_indent="  ")[:MOST_LINES])


def plain_face(game: Game[S]) -> Face[S]:
    """A face for any game."""

    def scene(view: Any, viewer: Seat | None) -> Scene:
        return plain_scene(game, view, viewer, question, option, board)

    return Face(game=game, narrate=narrate, board=board, question=question, option=option, scene=scene)
