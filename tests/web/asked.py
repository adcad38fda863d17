"""The questions of recorded matches as their players saw them: each with its Scene, and what would follow."""

from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.kernel import Asked, DecisionsOpened, Hidden, One, Refusal, Seat
from projections.chronicle import Line, line
from projections.face import Face
from projections.foresight import foresee
from projections.redaction import Viewer
from projections.registry import faces
from replay.playback.seek import Replay
from tests.replay import packed

RECORDS: Final = Path(__file__).parents[1] / "records"
LINES: Final = 40
"""The number of lines of the chronicle beside a question."""


class Question(Struct, frozen=True):
    """A decision of a recorded match. `foreseen`: by option, what the server would tell of it, where it was asked.

    `before`: the Scene of the question that the seat was asked before, with its lines; None for the first one.
    """

    game: str
    seat: Seat
    scene: dict[str, Any]
    foreseen: dict[str, Any]
    before: dict[str, Any] | None = None

    @property
    def options(self) -> int:
        """How many options, or things to choose among, it has."""
        return sum(len(field.get("options", field.get("items", ()))) for field in self.scene["prompt"]["fields"])


def kept(game: str) -> list[Path]:
    """The recorded matches of a game, longest first."""
    found = (RECORDS / game).glob(f"*{packed.SUFFIX}")
    return sorted(found, key=lambda path: (-path.stat().st_size, path.name))


def questions(path: Path, *, each: int = 1, foreseen: int = 0) -> Iterator[Question]:
    """Every `each`th question of a recorded match, with what follows from the first so many options."""
    record = packed.unpack(path.read_bytes())[0]
    replay = Replay.of_record(faces()[record.game], record)
    opened = [seq for seq in range(1, replay.end + 1) if isinstance(replay.events[seq - 1], DecisionsOpened)]
    asked = [(seq, each_asked) for seq in opened for each_asked in replay.at(seq, None).asked]
    for at, (seq, found) in islice(enumerate(asked), each // 2, None, each):
        earlier = (other for other, one in reversed(asked[:at]) if one.seat == found.seat and other < seq)
        yield _question(replay, next(earlier, 0), seq, found, foreseen)


def _question(replay: Replay[Any], earlier: int, seq: int, asked: Asked, foreseen: int) -> Question:
    viewer = Viewer(asked.seat)
    face, view = replay.face, replay.at(seq, viewer)
    since = earlier or max(1, seq - LINES)
    told = [{"t": line.text} for line in replay.chronicle(max(2, since - 3 * LINES), since, viewer)][-LINES:]
    scene = {**face.scene(view, asked.seat), "seq": seq, "log": told + _lines(replay, since + 1, seq, viewer)}
    before = {**face.scene(replay.at(earlier, viewer), asked.seat), "seq": earlier, "log": told} if earlier else None
    stack = replay.at(seq, None).stack
    foretold = {} if isinstance(stack, Hidden) else _foreseen(face, view, stack, asked, foreseen)
    return Question(replay.game.name, asked.seat, scene, foretold, before)


def _lines(replay: Replay[Any], first: int, last: int, viewer: Viewer) -> list[Line]:
    """The lines of some events, as they are sent: with whose they are."""
    views = [replay.at(seq, viewer) for seq in range(first - 1, last + 1)]
    events = [replay.seen(seq, viewer) for seq in range(first, last + 1)]
    told = (line(replay.face, *pair, event, viewer.seat) for pair, event in zip(pairwise(views), events, strict=True))
    return [one for one in told if one is not None]


def _foreseen(face: Face[Any], view: Any, stack: Any, asked: Asked, most: int) -> dict[str, Any]:
    form = face.game.form(asked, view)
    if not isinstance(form, One):
        return {}
    found = {}
    for number, choice in enumerate(form.choices[:most]):
        try:
            found[str(number)] = msgspec.to_builtins(foresee(face, view, stack, asked, choice))
        except Refusal:
            continue
    return found
