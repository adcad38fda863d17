"""Words and pictures for a viewer: the same for every world that the viewer cannot distinguish.

A face gets views, so it can leak only facts from elsewhere: from a memory of its own, or of the rules'.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import zip_longest
from typing import Any, Final

from msgspec.json import encode

from domain.kernel import Choice, Hidden, Play, Seat
from domain.kernel.position import seen
from projections import registry
from projections.face import Face
from projections.foresight import foresee
from projections.plain import plain_face
from server.conformance.comparing import DecisionMoment, Leak
from server.conformance.places import causes
from server.conformance.walks import AnyGame, mask
from server.conformance.worlds import Alike

Lines = list[tuple[str, object]]
"""The texts and pictures for a viewer, each with its kind."""
Told = Callable[[Any, Choice, int | None], Lines]
"""The texts and pictures in a world, after a choice, with the shuffles that are drawn anew."""

OPTIONS: Final = 6
"""The number of options of a question that are read."""
FORESEEN: Final = 7
"""The consequences of an answer are requested for one in this many questions."""


@cache
def face_of(game: AnyGame) -> Face[Any]:
    """The game's face; the plain one if it has none, as with the example games."""
    return registry.faces().get(game.name) or plain_face(game)


def shown(face: Face[Any], view: Any, play: Play[Any], viewer: Seat | None) -> Iterator[tuple[str, object]]:
    """The texts for the events, and the Scene and questions after them, each with its kind."""
    for event in play.events:
        held = play.game.redact(event, mask(viewer))
        after = play.game.fold((held,), view)
        yield f"the narration of {type(event).__name__}", face.narrate(view, after, held, viewer)
        view = after
    for name, part in face.scene(view, viewer).items():
        yield f"the Scene's {name}", encode(part)
    yield "the board", face.board(view, viewer)
    for asked in view.asked:
        yield f"the question {asked.kind}", face.question(view, asked)
        if asked.seat == viewer:
            form = play.game.revive_decision(asked).form(view)
            for _, choice in zip(range(OPTIONS), form, strict=False):
                yield f"an option of {asked.kind}", face.option(view, asked, choice)
            if asked.number % FORESEEN == 0 and not isinstance(play.state.stack, Hidden):
                found = foresee(face, view, play.state.stack, asked, next(iter(form)), worlds=2)
                yield f"what follows from an option of {asked.kind}", encode(found)


def shown_alike(
    face: Face[Any], moment: DecisionMoment, others: Iterable[Alike], view: Any, viewer: Seat | None
) -> None:
    """Raise `Leak` when the viewer is shown something else in another world, or knows a fact outside the state."""

    def told(whole: Any, choice: Choice, shuffles: int | None) -> Lines:
        return list(shown(face, seen(view, whole), moment.play(whole, choice, shuffles), viewer))

    real = told(moment.state, moment.choice, None)
    for alike in others:
        _compare(moment, real, alike, view, viewer, told)


def _compare(moment: DecisionMoment, real: Lines, alike: Alike, view: Any, viewer: Seat | None, told: Told) -> None:
    world = seen(view, alike.world)
    if world != view:
        parts = [name for name in view.__struct_fields__ if getattr(world, name) != getattr(view, name)]
        raise Leak(f"seat {viewer}: another world contradicts what the viewer knows: {', '.join(parts)}")
    other = told(alike.world, alike.choice, alike.shuffles)
    if real != other:
        what, ours, theirs = next(parts for parts in _beside(real, other) if parts[1] != parts[2])

        def differs(state: Any) -> bool:
            return dict(told(state, alike.choice, alike.shuffles)).get(what) != dict(real).get(what)

        why = causes(moment.state, alike.world, differs)
        if alike.choice != moment.choice:
            why = f"what was chosen, {why}"
        raise Leak(f"seat {viewer}: {what} tells of {why}: {ours!r} and {theirs!r}")


def _beside(real: Lines, other: Lines) -> Iterator[tuple[str, object, object]]:
    """The texts at one place in two worlds, with their kind."""
    for ours, theirs in zip_longest(real, other, fillvalue=("the end", None)):
        yield (ours if ours[0] != "the end" else theirs)[0], ours[1], theirs[1]
