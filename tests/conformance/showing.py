"""What a viewer is shown in words and pictures: the same of every world that it cannot tell apart.

A face is given views, so it can leak only what it has from elsewhere: from a memory of its own, or of the rules'.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec.json import encode

from domain.kernel import Hidden, Play, Seat
from domain.kernel.position import seen
from projections import registry
from projections.face import Face
from projections.foresight import foresee
from projections.plain import plain_face
from tests.conformance.moments import Leak, Moment
from tests.conformance.walks import mask
from tests.conformance.worlds import Alike
from tests.pennants import game as pennants
from tests.skirmish import game as skirmish

OPTIONS: Final = 6
"""Options of a question that are read."""
FORESEEN: Final = 7
"""Of so many questions one is asked what would follow from an answer."""

EXAMPLES: Final = {game.name: plain_face(game) for game in (skirmish.GAME, pennants.GAME)}
FACES: Final[Mapping[str, Face[Any]]] = {**EXAMPLES, **registry.faces()}


def shown(face: Face[Any], view: Any, play: Play[Any], viewer: Seat | None) -> Iterator[tuple[str, object]]:
    """What the viewer reads of the events, what it sees and is asked after them, each with what it is."""
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


def shown_alike(face: Face[Any], moment: Moment, alike: Alike, view: Any, viewer: Seat | None) -> None:
    """Raise `Leak` when the viewer is shown something else in the other world, or knows what is not in the state."""
    world = seen(view, alike.world)
    if world != view:
        parts = [name for name in view.__struct_fields__ if getattr(world, name) != getattr(view, name)]
        raise Leak(f"seat {viewer}: another world contradicts what the viewer knows: {', '.join(parts)}")
    real = list(shown(face, view, moment.play(moment.state, moment.choice), viewer))
    other = list(shown(face, world, moment.play(alike.world, alike.choice, alike.shuffles), viewer))
    for (what, ours), (_, theirs) in zip(real, other, strict=True):
        if ours != theirs:
            raise Leak(f"seat {viewer}: {what} tells of a secret: {ours!r} and {theirs!r}")
