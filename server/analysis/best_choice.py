"""The search's choices: for a question at hand, and for the questions of a finished match."""

import random
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from msgspec import Struct

from domain.kernel import Asked, Choice, Chosen, Event, Game, Hidden
from domain.kernel.history import views_of
from domain.kernel.position import Views
from projections.face import Face
from replay.scenarios.text import write_choice
from server.analysis.simulation import thinned
from server.bots import bots_of, horizon_of, make_bot, sketch_of, with_procedures
from server.bots.strong.bot import Level, StrongBot
from server.bots.strong.search import Budget, Weighed

RIVALS: Final = 8


class Advised(Struct, frozen=True):
    """A choice in the form of scenario files, its seat's chance to win after it, and the standard error of that chance.

    `weight`: how often to choose it, if both sides choose at once; otherwise 1 for the preferred one. `words`: the
    choice as its option says it, in the language of the face.
    """

    choice: str
    share: float
    error: float
    trials: int
    weight: float
    words: str = ""


class Missed(Struct, frozen=True):
    """An answer to which the search prefers another, and the gain by that, from the seat's knowledge."""

    line: int
    seat: int
    kind: str
    made: Advised
    better: Advised

    @property
    def gain(self) -> float:
        """The gain of the other choice, in chances to win."""
        return self.better.share - self.made.share


def level_of(ms: float, trials: int = 0) -> Level:
    """A level that thinks this long, or this many trials."""
    return Level(Budget(ms, trials), most=RIVALS)


def advised(
    face: Face[Any], views: Views[Any], asked: Asked, level: Level, seed: int, beside: Sequence[Choice] = ()
) -> list[Advised]:
    """The choices that the search compared for a question, the preferred one first, from the seat's knowledge.

    `beside`: choices that are always compared. Raises `NoWorld`.
    """
    view = with_procedures(views.seats[asked.seat], views.world)
    return [
        _told(one, face.option(view, asked, one.choice)) for one in weighed(face.game, view, asked, level, seed, beside)
    ]


def weighed(
    game: Game[Any], view: Any, asked: Asked, level: Level, seed: int, beside: Sequence[Choice] = ()
) -> list[Weighed]:
    """The same as `advised`, from a seat's view with the procedures under way. Raises `NoWorld`."""
    form = game.revive_decision(asked).form(view)
    bot = StrongBot(
        game,
        lambda: make_bot(game.name, bots_of(game.name)[0]),
        level,
        # The processor's time counts, so that other programs on the machine do not shorten the search.
        clock=time.thread_time,
        sketch=sketch_of(game.name),
        visible_head=horizon_of(game.name),
    )
    below = random.Random(seed).randrange  # noqa: S311 - repeatable on purpose
    return bot.weighed(view, asked, form, below, tuple(beside))


def _told(one: Weighed, words: str) -> Advised:
    return Advised(write_choice(one.choice), one.share, one.error, one.trials, one.weight, words)


def answers(game: Game[Any], events: Sequence[Event]) -> Iterator[tuple[int, Chosen, Asked]]:
    """The answers of a match that had an alternative: the line before, the answer, and the question."""
    state = game.fold(events[:1])
    for line, event in enumerate(events[1:], 2):
        if isinstance(event, Chosen) and not isinstance(event.choice, Hidden):
            asked = next((asked for asked in state.asked if asked.number == event.number), None)
            if asked is not None and len(list(islice(game.revive_decision(asked).form(state), 2))) > 1:
                yield line - 1, event, asked
        state = game.fold((event,), state)


def missed(face: Face[Any], events: Sequence[Event], level: Level, seed: int, most: int) -> Iterator[Missed | None]:
    """For up to `most` answers, spread evenly over the match, the better choice, or None if there was none.

    Raises `NoWorld`.
    """
    game = face.game
    for line, chosen, asked in thinned(list(answers(game, events)), most):
        made = game.read_choice(chosen.choice)
        weighed = advised(face, views_of(game, events[:line]), asked, level, seed + line, (made,))
        own = next((one for one in weighed if one.choice == write_choice(made)), None)
        best = weighed[0]
        better = own is not None and best.weight == 1 and best.choice != own.choice and best.share > own.share
        yield Missed(line, asked.seat, asked.kind, own, best) if own is not None and better else None
