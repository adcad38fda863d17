"""The analysis of a match in small tasks, which a server gives to a separate process one after another.

Each task is one call with plain data, and counts by side rather than by seat: `sides` are the seats that win together.
`MatchAnalysis` holds the results for a match and is stored beside it.
"""

import random
import time
from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from math import hypot
from typing import Any, Final

from msgspec import Struct

from domain.kernel import Asked, Choice, Chosen, Event, Game, Hidden, MatchEnded
from domain.kernel.history import taken_back, views_of
from domain.kernel.position import Views
from domain.kernel.state import sides_of
from projections.face import Face
from projections.registry import faces
from replay.files import export
from replay.playback.branch import pause_before, trunk_of
from replay.store.log import Log
from server.analysis.best_choice import answers, level_of, weighed
from server.analysis.luck import Luck, Turning, luck, turnings
from server.analysis.simulation import CHUNK, Estimate, choose_lines, play_on, thinned
from server.bots import judge_of, with_procedures
from server.bots.errors import NoWorld

POINTS: Final = 24
"""The largest number of lines from which a match is played out."""
COARSE: Final = 6
"""The number of lines from each of which one match is played out first."""
FEW: Final = 12
"""If the chronicle has fewer headings, a match is played out from other lines."""
OF_A_TURN: Final = 4
"""The number of answers that are examined between two lines where the match turned."""
ELSEWHERE: Final = 12
"""The number of answers that are also examined, spread evenly over the match."""
THINK_MS: Final = 1500
"""The effort for one answer."""
ENOUGH: Final = 30
"""The number of trials of each of two answers before one is called better; fewer do not show the error."""
SHOWN: Final = 6
"""The largest number of choices listed for a question."""
SURE: Final = 1_000_000
"""The true end of the match counts as this many matches played out."""
VERSION: Final = 5
"""The version of the method: results of another version are computed again."""


class WholeMatch(Struct, frozen=True):
    """A complete record as the bytes of a file, so that it goes to another process at little cost."""

    data: bytes

    def __repr__(self) -> str:
        return "Whole()"


def whole_of(store: Log, match: str, upto: int | None = None) -> WholeMatch:
    """A match from the store; `upto`: the last line that is read. Raises `NoSuchMatch`."""
    return WholeMatch(b"".join(export.write(export.from_store(store, match, upto=upto))))


@lru_cache(maxsize=2)
def _read(whole: WholeMatch) -> tuple[Face[Any], Sequence[Event]]:
    record = export.read(BytesIO(whole.data))
    face = faces()[record.game]
    return face, trunk_of(face.game, record).events


def events_of(whole: WholeMatch) -> tuple[Game[Any], Sequence[Event]]:
    """The game and the events of a record."""
    face, events = _read(whole)
    return face.game, events


def views_at(whole: WholeMatch, line: int) -> Views[Any]:
    """A moment of the match, as known to everybody."""
    return _views(whole, line)


@lru_cache(maxsize=POINTS)
def _views(whole: WholeMatch, line: int) -> Views[Any]:
    face, events = _read(whole)
    return views_of(face.game, events[:line])


class Wanted(Struct, frozen=True):
    """A record, and the line of it that is analysed; 0: the whole match."""

    whole: WholeMatch
    line: int = 0


class Outline(Struct, frozen=True):
    """The work of an analysis: lines to play from, sides, how the dice fell, and the last line with the winners."""

    lines: tuple[int, ...]
    sides: tuple[tuple[int, ...], ...]
    luck: tuple[Luck, ...]
    end: int
    won: tuple[int, ...]


def outlined(wanted: Wanted) -> Outline:
    """The lines to analyse; none if nobody was asked. Raises `CannotBranch` for a line before the first question."""
    face, events = _read(wanted.whole)
    game = face.game
    state = game.fold(events)
    sides = tuple(tuple(int(seat) for seat in side) for side in sides_of(state))
    lines = (pause_before(game, events, wanted.line),) if wanted.line else _moments(face, events)
    ended = next((event for event in events if isinstance(event, MatchEnded)), None)
    won = () if ended is None else ended.result.won
    winners = tuple(number for number, side in enumerate(sides) if any(seat in won for seat in side))
    return Outline(lines, sides, tuple(luck(face.tries(events), len(state.players))), len(events), winners)


def coarsely(lines: Sequence[int]) -> tuple[int, ...]:
    """Some of the lines, evenly from the first to the last: they give a coarse curve."""
    return tuple(thinned(lines, COARSE))


def _moments(face: Face[Any], events: Sequence[Event]) -> tuple[int, ...]:
    """The lines to play from: the moments of the chronicle, or, if these are few, any line at which
    somebody is asked.
    """
    lines = choose_lines(face, events, "turn", POINTS)
    return lines if len(lines) >= FEW else choose_lines(face, events, "choice", POINTS)


class Sampling(Struct, frozen=True):
    """Some matches that are played out from a line, numbered from the first."""

    whole: WholeMatch
    line: int
    first: int
    count: int = CHUNK


class Sampled(Struct, frozen=True):
    """Matches won by each side, matches without a winner, and the processor time used."""

    line: int
    won: tuple[int, ...]
    drawn: int
    cpu_s: float
    count: int = CHUNK


def sampled(job: Sampling) -> Sampled:
    """Play on between the game's own bots; each sees only its seat's view."""
    begun = time.process_time()
    face, _ = _read(job.whole)
    game, views = face.game, _views(job.whole, job.line)
    sides = sides_of(views.world)
    bots = [judge_of(game.name) for _ in views.seats]
    won, drawn = [0] * len(sides), 0
    for number in range(job.first, job.first + job.count):
        source = random.Random(f"judged:{job.line}:{number}")  # noqa: S311 - repeatable on purpose
        winners = play_on(game, views, bots, source)
        drawn += not winners
        for side, seats in enumerate(sides):
            won[side] += any(seat in winners for seat in seats)
    return Sampled(job.line, tuple(won), drawn, time.process_time() - begun, job.count)


def added(former: Estimate | None, more: Sampled) -> Estimate:
    """An estimate, by side, to which more matches are added."""
    if former is None:
        return Estimate(more.line, more.won, more.drawn, played=more.count)
    won = tuple(one + other for one, other in zip(former.won, more.won, strict=True))
    return Estimate(more.line, won, former.drawn + more.drawn, played=former.played + more.count)


class Looking(Struct, frozen=True):
    """The answers of a match that are examined: those around its turning points, and some elsewhere."""

    whole: WholeMatch
    points: tuple[Estimate, ...]


def looked_at(job: Looking) -> tuple[int, ...]:
    """The lines after which an answer is examined, in order."""
    face, events = _read(job.whole)
    undone = taken_back(events)
    found = [line for line, _, _ in answers(face.game, events) if line not in undone]
    chosen = set(thinned(found, ELSEWHERE))
    for turn in turnings(job.points):
        chosen |= set(thinned([line for line in found if turn.before <= line < turn.line], OF_A_TURN))
    return tuple(sorted(chosen))


class Better(Struct, frozen=True):
    """An answer to which the search prefers another: both in words, and the preferred answer's gain, ± its error.

    The answer followed `line`; the chances are those of its seat's side, as far as the seat could know then.
    """

    line: int
    seat: int
    made: str
    other: str
    gain: float
    error: float


class Thinking(Struct, frozen=True):
    """The questions that are open after a line, each with its effort."""

    whole: WholeMatch
    line: int
    think_ms: int


def better(job: Thinking) -> Better | None:
    """The choice that the search prefers to the answer after a line; None if no gain exceeds its error."""
    face, events = _read(job.whole)
    game = face.game
    _, chosen, asked = next(one for one in answers(game, events) if one[0] == job.line)
    view, made = _seen(job, asked), game.read_choice(chosen.choice)
    try:
        found = weighed(game, view, asked, level_of(job.think_ms), job.line, (made,))
    except NoWorld:
        return None
    own, best = next(one for one in found if one.choice == made), found[0]
    gain, error = best.share - own.share, hypot(best.error, own.error)
    if own.weight or gain <= error or min(own.trials, best.trials) < ENOUGH:
        return None
    said, other = (face.option(view, asked, choice) for choice in (made, best.choice))
    return Better(job.line, int(asked.seat), said, other, gain, error)


def _seen(job: Thinking, asked: Asked) -> Any:
    views = _views(job.whole, job.line)
    return with_procedures(views.seats[asked.seat], views.world)


class Tried(Struct, frozen=True):
    """A choice in words, its side's chance to win after it, the standard error, and how often to choose it.

    `made`: whether it was the choice made in the match.
    """

    choice: str
    share: float
    error: float
    weight: float
    made: bool = False


class BestChoices(Struct, frozen=True):
    """The choices that the search prefers for a question to a seat, the best first."""

    seat: int
    ask: str
    choices: tuple[Tried, ...]


def advice(job: Thinking) -> tuple[BestChoices, ...]:
    """The choices that the search prefers for each question after a line, with the choice that was made."""
    face, events = _read(job.whole)
    views = _views(job.whole, job.line)
    found = []
    for asked in views.world.asked:
        view = with_procedures(views.seats[asked.seat], views.world)
        told = better_choice(face, view, asked, job.think_ms, job.line, _made(face, events[job.line :], asked))
        found += [] if told is None else [told]
    return tuple(found)


def _made(face: Face[Any], later: Sequence[Event], asked: Asked) -> Choice | None:
    """The answer to a question; None if there is none, for example after a takeback."""
    found = (event for event in later if isinstance(event, Chosen) and event.number == asked.number)
    chosen = next((event for event in found if not isinstance(event.choice, Hidden)), None)
    return None if chosen is None else face.game.read_choice(chosen.choice)


def better_choice(
    face: Face[Any], view: Any, asked: Asked, think_ms: int, seed: int, made: Choice | None = None
) -> BestChoices | None:
    """The choices that the search prefers for a question, from its seat's view and the procedures; None if it fails.

    `made`: the choice made in the match, which is always listed.
    """
    try:
        found = weighed(face.game, view, asked, level_of(think_ms), seed, () if made is None else (made,))
    except NoWorld:
        return None
    found = sorted(found, key=lambda one: (-one.weight, -one.share))
    shown = [one for at, one in enumerate(found) if at < SHOWN or one.choice == made]
    told = [
        Tried(face.option(view, asked, one.choice), one.share, one.error, one.weight, one.choice == made)
        for one in shown
    ]
    return BestChoices(int(asked.seat), face.question(view, asked), tuple(told))


class MatchAnalysis(Struct, frozen=True):
    """The results so far for a match, or for a line of it.

    `points` are by side; `end` is the last line, which the sides in `won` have won.
    """

    sides: tuple[tuple[int, ...], ...]
    points: tuple[Estimate, ...]
    end: int
    won: tuple[int, ...]
    luck: tuple[Luck, ...] = ()
    better: tuple[Better, ...] = ()
    advice: tuple[BestChoices, ...] = ()

    @property
    def course(self) -> tuple[Estimate, ...]:
        """The points of a match, the last of which is its certain end."""
        won = tuple(SURE * (side in self.won) for side in range(len(self.sides)))
        return (*self.points, Estimate(self.end, won, 0 if self.won else SURE, played=SURE))

    @property
    def turnings(self) -> list[Turning]:
        """The turning points of the match; `seat` is the number of the side."""
        return turnings(self.course)
