"""The list of matches, and of games that can be played, as every client may see them."""

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from domain.kernel import Game
from projections.face import Face
from projections.open_cards import lasting_secrets
from projections.redaction import SPECTATOR
from replay.store.matches import Header
from replay.store.seats import SeatRow
from replay.store.store import Store
from server.bots import bots_of
from server.lobby.listed_persons import ListedPersons, listed_persons
from server.lobby.open_offers import attended, can_be_taken, is_alive
from server.matchmaking.match_terms import OpenTerms, terms_of
from server.operations.intervals import INTERVALS, Intervals
from server.table.delay import delay_of
from server.table.live_match import LiveMatch
from server.wire.protocol import GameInfo, Games, Matches, MatchInfo, SeatInfo

LISTED = 50
"""The maximum number of matches read for each status."""
NOT_LISTED: tuple[float, Matches] = (float("-inf"), Matches((), (), ()))


class MatchList:
    """Lists matches and games.

    `found`: looks up a match in memory; `intervals`: how long one list is used for everybody.
    """

    def __init__(
        self,
        store: Store,
        faces: dict[str, Face[Any]],
        found: Callable[[str], LiveMatch[Any] | None],
        intervals: Intervals = INTERVALS,
        now: Callable[[], int] = lambda: 0,
    ) -> None:
        self._store, self._faces, self._found, self._intervals = store, faces, found, intervals
        self._listed: tuple[float, Matches] | None = None
        self._now = now
        self._begun_with: dict[str, OpenTerms] = {}
        """The terms of the matches in the latest list."""
        self._attended: frozenset[str] = frozenset()
        self._persons: dict[str, ListedPersons] = {}
        self._listing = asyncio.Lock()

    def games(self) -> Games:
        """The games that can be played."""
        return Games(tuple(self._game_info(face) for face in self._faces.values()))

    def _game_info(self, face: Face[Any]) -> GameInfo:
        spec = face.game.spec
        defaults = msgspec.structs.asdict(spec.options())
        plain = {
            name: value
            for name, value in defaults.items()
            if isinstance(value, bool | int | str) and _stands_alone(face.game, name, value)
        }
        hints = get_type_hints(spec.options)
        values = {name: get_args(hints[name]) for name in plain if get_origin(hints[name]) is Literal}
        bots, quick, by = bots_of(spec.name), dict(spec.quick), _seats_by(face.game, plain, values)
        return GameInfo(
            spec.name,
            spec.title,
            spec.about,
            face.game.seats,
            plain,
            bots,
            values,
            quick,
            by,
            open_cards_s=face.open_cards_s,
            lasting=lasting_secrets(face),
        )

    async def matches(self) -> Matches:
        """The matches that are listed, latest first; the list is at most `listed_s` old."""
        async with self._listing:
            now = time.monotonic()
            listed = self._listed
            if listed is None or now - listed[0] >= self._intervals.listed_s:
                self._listed = NOT_LISTED  # `forget` removes this mark if somebody creates or joins a match meanwhile
                found = [self._infos(rows) for rows in await asyncio.to_thread(self._read_list)]
                listed = now, Matches(*found)
                if self._listed is NOT_LISTED:
                    self._listed = listed
            return listed[1]

    def _read_list(self) -> "list[list[tuple[Header, tuple[SeatRow, ...]]]]":
        found = [self._store.matches.listing(status, LISTED) for status in ("open", "running", "finished")]
        before = self._begun_with
        # Line 1 never changes, so it is read once.
        self._begun_with = {
            header.match: before[header.match] if header.match in before else terms_of(self._store, header.match)
            for rows in found
            for header, _ in rows
        }
        # If spectators see a match with a delay, a line that names a person may be news.
        told = {header.match: seats for rows in found for header, seats in rows if delay_of(header) is None}
        self._persons = listed_persons(self._store, told)
        waiting = [header.match for header, _ in found[0]]
        self._attended = attended(self._store, self._now() - self._intervals.gone_ms, waiting)
        return found

    def _infos(self, rows: "list[tuple[Header, tuple[SeatRow, ...]]]") -> tuple[MatchInfo, ...]:
        return tuple(
            self._info(header, seats)
            for header, seats in rows
            if header.listed and not header.closed and (header.status != "open" or self._is_offer(header, seats))
        )

    def _is_offer(self, header: Header, rows: tuple[SeatRow, ...]) -> bool:
        """Whether an open match is listed: a seat is free, and the match can still begin."""
        return can_be_taken(rows) and is_alive(
            header,
            self._begun_with.get(header.match, OpenTerms()),
            self._found(header.match),
            self._now(),
            is_attended=header.match in self._attended,
        )

    def _info(self, header: Header, rows: tuple[SeatRow, ...]) -> MatchInfo:
        delay, live_match = delay_of(header), self._found(header.match)
        if delay is not None and live_match is not None:
            seats = live_match.views.seats(SPECTATOR)
        else:
            # If spectators see the match with a delay, this news is hidden: a bot with a token has replaced a person.
            kinds = ["person" if row.kind and row.token_hash and delay else row.kind for row in rows]
            seats = tuple(SeatInfo(row.seat, row.name, kind) for row, kind in zip(rows, kinds, strict=True))
        # A seat that is reserved for somebody cannot be taken by others, and the name intended for it is not shown.
        awaited = {row.seat for row in rows if row.token_hash and not row.kind}
        seats = tuple(SeatInfo(one.seat, "", "person") if one.seat in awaited else one for one in seats)
        terms = self._begun_with.get(header.match, OpenTerms())
        persons = self._persons.get(header.match, ListedPersons())
        first, is_open = terms.first, header.status == "open"
        return MatchInfo(
            header.match,
            header.game,
            header.title,
            header.created_ms,
            seats,
            header.result,
            delay,
            hints=first is not None and first.hints and is_open,
            rated=first is not None and first.rated,
            open_cards=None if first is None else first.open_cards,
            options=first.options if first is not None and is_open else {},
            time=terms.time if is_open and terms.time.kind != "none" else None,
            guests=persons.guests,
            handles=persons.handles,
        )

    def forget(self) -> None:
        """Rebuild the list for the next client that asks, because somebody has created or joined a match."""
        self._listed = None


def _stands_alone(game: Game[Any], name: str, default: bool | int | str) -> bool:
    """Whether a match can begin with only this option changed; for an option that is no tick box, this is assumed."""
    given = {name: not default if isinstance(default, bool) else default}
    try:
        game.assert_playable(given)
        game.spec.start(msgspec.convert(given, game.spec.options))
    except msgspec.ValidationError:
        return False
    return True


def _seats_by(
    game: Game[Any], options: Mapping[str, object], values: Mapping[str, tuple[str | int, ...]]
) -> dict[str, dict[str, int]]:
    """By option and value, as text: the number of seats, if it differs from the default number."""
    found: dict[str, dict[str, int]] = {}
    if game.seat_range[0] == game.seat_range[1]:
        return found
    for name, default in options.items():
        tried = (True, False) if isinstance(default, bool) else values.get(name, ())
        counts = {msgspec.json.encode(value).decode().strip('"'): game.seats_of({name: value}) for value in tried}
        others = {value: seats for value, seats in counts.items() if seats != game.seats}
        if others:
            found[name] = others
    return found
