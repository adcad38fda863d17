"""The ratings of a server as it plays: the fold of docs/ratings.md, kept in memory and brought up to date in steps."""

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from domain.kernel import Game
from replay.ratings import gathering, model
from replay.ratings.fold import Ratings, Standing
from replay.ratings.history import Change, History
from replay.ratings.results import BOT, hidden_match
from replay.record import sealing
from replay.store.store import Store
from server.operations.intervals import INTERVALS


class Standings:
    """Ratings, asked by person or bot. Every method waits for the store. `now`: the time in ms.

    Results count in the order in which they are settled; if one belongs before others that were folded already, all are
    folded anew.
    """

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game[Any]],
        now: Callable[[], int],
        fresh_s: float = INTERVALS.fresh_s,
    ) -> None:
        """`fresh_s`: how long earlier reads count as current; every server over a store reads by itself."""
        self._store, self._games, self._now, self._fresh_s = store, games, now, fresh_s
        self._lock = threading.Lock()
        self._boards: dict[str, list[Standing]] = {}
        self._read_at = float("-inf")
        self._history = History()
        self._ratings = Ratings(self._history.note)
        self._folded = 0
        """The number of results that were folded, whether or not they were within the limit of a day."""

    def refresh(self) -> None:
        """Settle and fold finished matches, unless that was done a moment ago. Raises `StoreFailed`."""
        with self._lock:
            if time.monotonic() - self._read_at < self._fresh_s:
                return
            gathering.settle(self._store, self._games, self._store.rated_players)
            now = self._now()
            last = self._ratings.last
            if self._store.ratings.count(last) != self._folded:
                self._history = History()
                self._ratings, self._folded, last = Ratings(self._history.note), 0, (0, "")
            for result in gathering.counting(self._store, now, last):
                self._ratings.add(result)
                self._folded += 1
            self._boards.clear()
            self._read_at = time.monotonic()

    def player(self, person: str) -> str:
        """The name under which a person is rated; a bot has its own. Empty if there is none yet."""
        return person if person.startswith(BOT) else self._store.rated_players.name(person)

    def standing_of(self, game: str, person: str) -> Standing | None:
        """The standing of a person or `bot:NAME` in a game."""
        player = self.player(person)
        return self._ratings.standing(game, player, self._now()) if player else None

    def points(self, game: str, person: str) -> float:
        """The rating of a person or bot in points; a newcomer's if there is none"""
        found = self.standing_of(game, person)
        return model.MEAN if found is None else found.rating / model.UNIT

    def board(self, game: str) -> list[Standing]:
        """All players of a game: established ones first, each group by rating."""
        with self._lock:
            if game not in self._boards:
                self._boards[game] = self._ratings.standings(self._now(), game)
            return self._boards[game]

    def games(self) -> tuple[str, ...]:
        """The games in which anybody has a rating."""
        with self._lock:
            return self._history.all_games()

    def played(self, person: str) -> list[str]:
        """The games in which a person has a rating."""
        player = self.player(person)
        with self._lock:
            return self._history.games(player)

    def curve(self, game: str, person: str, last: int) -> list[Change]:
        """The last results of a person in a game."""
        return self._history.changes(self._ratings, game, self.player(person), last)

    def change(self, game: str, person: str, match: str) -> Change | None:
        """The change of a person's rating by a match; None if the match has not counted, or not yet."""
        player, mid = self.player(person), sealing.unb64(match)
        for known in (match, hidden_match(mid)) if player else ():
            found = self._history.change(self._ratings, game, player, known)
            if found is not None:
                return found
        return None

    def person(self, player: str) -> str:
        """The person behind a name of the ratings; empty for a bot, and for a person who was deleted."""
        return "" if player.startswith(BOT) else self._store.rated_players.person(player)
