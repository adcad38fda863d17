"""The bot that looks ahead: it plays every game only through the kernel, with the game's own bot as its policy.

For every trial, the bot draws new values for the facts that are unknown to its seat. It therefore knows no more than a
person in its seat, and the same view with the same random numbers gives the same answer.
"""

import logging
import time
from collections.abc import Callable
from itertools import islice
from typing import Any, Final

from msgspec import Struct

from domain.kernel import AnyForm, Asked, Below, Choice, Game, Hidden
from server.bots.errors import NoWorld
from server.bots.strong.judgement import judgement_of
from server.bots.strong.search import Budget, ChoiceSearch, Meter, Weighed, drawn
from server.bots.strong.trials import Policy, Trials

LOG = logging.getLogger(__name__)
SEEDS: Final = 1 << 62
HORIZON: Final = 16
"""The number of choices, by all seats, that are played before a position is judged, unless a game sets its own
number.
"""
MOST: Final = 12
"""The number of choices that are tried."""


class Level(Struct, frozen=True):
    """The strength of a bot: its budget and `slip`. Its policy makes one in `slip` decisions (0: none).

    `visible_head`: the number of choices, by all seats, after which a position is judged; 0: the game's own number.
    """

    budget: Budget
    slip: int = 0
    most: int = MOST
    visible_head: int = 0


LEVELS: Final = {
    1: Level(Budget(50), slip=2, most=6),
    2: Level(Budget(100), slip=4, most=8),
    3: Level(Budget(300)),
    4: Level(Budget(1000), most=16),
    5: Level(Budget(3000), most=24),
}


class StrongBot:
    """The bot that the module describes.

    `policy` makes the game's own bot. `sketch` makes a faster bot, if there is one, for playing out `visible_head`
    choices. `clock` gives the seconds that a budget counts.
    """

    looks_ahead = True

    def __init__(
        self,
        game: Game[Any],
        policy: Callable[[], Policy],
        level: Level,
        name: str = "",
        clock: Callable[[], float] = time.perf_counter,
        sketch: Callable[[], Policy] | None = None,
        visible_head: int = HORIZON,
    ) -> None:
        self._game, self._policy, self._level, self.name, self._clock = game, policy, level, name, clock
        self._sketch, self._visible_head = sketch, level.visible_head or visible_head

    def choose(self, view: Any, asked: Asked, form: AnyForm, below: Below) -> Choice:
        """The best choice found; the policy's choice if the view does not contain the running procedures."""
        few = list(islice(form, 2))
        if len(few) == 1:
            return few[0]
        slips = self._level.slip and below(self._level.slip) == 0
        if slips or isinstance(view.stack, Hidden):
            return self._policy().choose(view, asked, form, below)
        try:
            return drawn(self.weighed(view, asked, form, below), below)
        except NoWorld as wrong:
            LOG.warning("a bot answers without looking ahead: %s", wrong)
            return self._policy().choose(view, asked, form, below)

    def weighed(
        self, view: Any, asked: Asked, form: AnyForm, below: Below, beside: tuple[Choice, ...] = ()
    ) -> list[Weighed]:
        """The choices that were tried, the best first. `beside`: choices that are always tried.

        Raises `NoWorld` if no world fits the view.
        """
        judgement = judgement_of(self._game.name)
        seed, visible_head = below(SEEDS), self._visible_head
        trials = Trials(self._game, view, asked, seed, self._policy, judgement, visible_head, self._sketch)
        search = ChoiceSearch(
            trials, asked, form, Meter(self._level.budget, trials, self._clock), self._level.most, below
        )
        return search.weighed(beside)
