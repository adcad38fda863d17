"""Profiles and leaderboards: of a person they show only the parts that the person has chosen."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.kernel import Game
from replay.ratings import model
from replay.ratings.fold import Standing
from replay.ratings.results import BOT
from replay.store.matches import Header
from replay.store.store import Store
from server.people.own_matches import outcome_of
from server.people.profiles import Profiles
from server.people.standings import Standings
from server.wire.opponent_messages import (
    CurvePoint,
    ProfileGame,
    ProfileMatch,
    ProfileTold,
    RankInfo,
    RatingsTold,
    ShowProfile,
)
from server.wire.text import skeleton

PAGE: Final = 100
CURVE: Final = 300
"""The number of results in a curve."""
LATEST: Final = 10
BEST: Final = 3
LOOKED_AT: Final = 100
"""The number of listed matches among which the best ones are looked for."""


class ShownParts(Struct, frozen=True, omit_defaults=True):
    """The parts that a profile shows, as the store keeps them.

    `at_table`: the wish about seats in which the person sits down: not to note them, to note them, or to be named
    behind them in the record and be shown to opponents or to everybody. Nobody else learns of this wish.
    """

    shows: tuple[str, ...] = ()
    favourites: tuple[str, ...] = ()
    at_table: str = "noted"


class PublicProfiles:
    """Reads the parts of profiles that persons show. Every method waits for the store."""

    def __init__(self, store: Store, games: Mapping[str, Game[Any]], standings: Standings, profiles: Profiles) -> None:
        self._store, self._games, self._standings, self._own = store, games, standings, profiles

    def handle(self, person: str) -> str:
        """The handle of a person; empty if there is no such person."""
        return self._own.handle(person)

    def shown(self, person: str) -> ShownParts:
        """The parts of a profile that its person shows: none by default."""
        kept = self._store.opponents.shown(person)
        return msgspec.json.decode(kept, type=ShownParts) if kept else ShownParts()

    def shows_ratings(self, person: str) -> bool:
        """Whether others may know a person's ratings."""
        return "ratings" in self.shown(person).shows

    def showing_ratings(self, persons: Sequence[str]) -> frozenset[str]:
        """The persons among these who show their ratings."""
        kept = self._store.opponents.shown_by(persons)
        return frozenset(
            one for one, text in kept.items() if "ratings" in msgspec.json.decode(text, type=ShownParts).shows
        )

    def show(self, person: str, wish: ShowProfile) -> ProfileTold:
        """Store which parts a person shows from now on; returns the profile as others see it."""
        known = tuple(game for game in dict.fromkeys(wish.favourites) if game in self._games)
        at_table = wish.at_table or self.shown(person).at_table
        kept = ShownParts(tuple(dict.fromkeys(wish.shows)), known, at_table)
        self._store.opponents.show(person, msgspec.json.encode(kept).decode())
        return self.told(self.handle(person))

    def told(self, handle: str) -> ProfileTold:
        """The profile under a handle, or of a bot. The answer is the same for an unknown person and for a person who
        shows nothing.
        """
        if handle.startswith(BOT):
            self._standings.refresh()
            return ProfileTold(handle, ("ratings", "results"), games=self._games_of(handle, handle, shows=True))
        row = self._store.people.named(skeleton(handle))
        shown = self.shown("" if row is None else row.person)  # unknown persons are looked up too: it takes as long
        if row is None or not (shown.shows or shown.favourites):
            return ProfileTold(handle)
        self._standings.refresh()
        games = self._games_of(row.person, row.handle, shows="results" in shown.shows)
        told = ProfileTold(row.handle, shown.shows, shown.favourites, games if "ratings" in shown.shows else ())
        return self._with_matches(told, row.person) if "matches" in shown.shows else told

    def _games_of(self, person: str, handle: str, *, shows: bool) -> tuple[ProfileGame, ...]:
        told = []
        for game in self._standings.played(person):
            standing = self._standings.standing_of(game, person)
            if standing is not None:
                rank = _rank(standing, handle)
                counted = rank if shows else msgspec.structs.replace(rank, matches=0, won=0, drawn=0, lost=0)
                points = [
                    CurvePoint(one.at_ms, one.after / model.UNIT, one.deviation / model.UNIT)
                    for one in self._standings.curve(game, person, CURVE)
                ]
                told.append(ProfileGame(game, counted, tuple(points)))
        return tuple(told)

    def _with_matches(self, told: ProfileTold, person: str) -> ProfileTold:
        """The profile with the listed, finished matches of its person: nobody else may know of other matches."""
        seats = {row.match: row.seat for row in self._store.people.seats(person)}
        headers = [
            header
            for header in self._store.matches.named(list(seats))
            if header.status == "finished" and header.listed and not header.closed
        ]
        headers.sort(key=lambda header: (-header.changed_ms, header.match))
        looked_at = headers[:LOOKED_AT]
        players = self._store.matches.players([header.match for header in looked_at])
        shows = "ratings" in told.shows
        rows = [
            self._match(header, seats[header.match], players.get(header.match, ()), person, rated=shows)
            for header in looked_at
        ]
        won = [row for row in rows if row.change is not None and outcome_of(row.result, row.seat) == "won"]
        won.sort(key=lambda row: -(row.change or 0))
        return msgspec.structs.replace(told, latest=tuple(rows[:LATEST]), best=tuple(won[:BEST]))

    def _match(self, header: Header, seat: int, players: tuple[str, ...], person: str, *, rated: bool) -> ProfileMatch:
        change = self._standings.change(header.game, person, header.match) if rated else None
        rose = None if change is None else (change.after - change.before) / model.UNIT
        return ProfileMatch(
            header.match, header.game, header.title, seat, players, header.result, header.changed_ms, rose
        )

    def board(self, game: str, after: int, now: int) -> RatingsTold:
        """A page of a leaderboard; persons who do not show their ratings appear in it without a name."""
        self._standings.refresh()
        all_rows = self._standings.board(game) if game else []
        rows = tuple(self._row(one) for one in all_rows[after : after + PAGE])
        return RatingsTold(game, now, rows, len(all_rows), self._standings.games(), len(all_rows) > after + PAGE)

    def _row(self, standing: Standing) -> RankInfo:
        if standing.player.startswith(BOT):
            return _rank(standing, standing.player)
        person = self._standings.person(standing.player)
        return _rank(standing, self.handle(person) if person and self.shows_ratings(person) else "")


def _rank(standing: Standing, handle: str) -> RankInfo:
    return RankInfo(
        standing.rating / model.UNIT,
        standing.deviation / model.UNIT,
        standing.matches,
        standing.won,
        standing.drawn,
        standing.lost,
        handle,
        standing.is_provisional,
    )
