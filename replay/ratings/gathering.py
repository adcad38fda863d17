"""The rated results of a store: each finished match is audited once; counting results are kept beside the matches."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Protocol

import msgspec

from domain.kernel import Game
from replay.errors import RecordError
from replay.files import export
from replay.ratings.counting import ending_of, rated_result
from replay.ratings.errors import RatingsInvalid
from replay.ratings.fold import Ratings
from replay.ratings.results import BOT, RatedResult
from replay.store.side_tables.ratings import Row
from replay.store.store import Store

PAGE: Final = 1000
BROKEN: Final = "its record cannot be read: "


class Persons(Protocol):
    """The persons of a server, as ratings know them."""

    def pseudonym(self, match: str, seat: int) -> str:
        """A random, permanent name for the person who holds a seat; empty for a guest."""
        ...


def settle(
    store: Store,
    games: Mapping[str, Game[Any]],
    persons: Persons,
    progress: Callable[[str], None] | None = None,
    page: int = PAGE,
) -> int:
    """Decide for every new finished match whether it counts; returns their number. Raises `StoreFailed`.

    A match of a game that is not installed waits until it is.
    """
    number, after = 0, ""
    while found := store.ratings.unsettled(after, page):
        for match in found:
            number += _settle(store, games, persons, match)
            if progress is not None:
                progress(match)
        after = found[-1]
    return number


def _settle(store: Store, games: Mapping[str, Game[Any]], persons: Persons, match: str) -> bool:
    game = games.get(store.header(match).game)
    if game is None:
        return False
    made = _result(store, game, persons, match)
    if isinstance(made, str):
        store.ratings.settle(match, made)
    else:
        store.ratings.settle(match, "", (*made.key, msgspec.json.encode(made).decode()))
    return True


def _result(store: Store, game: Game[Any], persons: Persons, match: str) -> RatedResult | str:
    try:
        if not export.created(store, match).rated:
            return "it was not created as rated"
        header, record = store.header(match), export.from_store(store, match)
    except (RecordError, msgspec.MsgspecError) as wrong:
        return f"{BROKEN}{wrong}"
    rows = store.seats.holders(match)
    players = [f"{BOT}{row.bot}" if row.kind == "bot" and row.bot else "" for row in rows]
    players = [
        persons.pseudonym(match, row.seat) if row.kind == "person" else player
        for row, player in zip(rows, players, strict=True)
    ]
    return rated_result(ending_of(game, record), players, unlisted=header.closed or not header.listed)


def counting(store: Store, until_ms: int, after: tuple[int, str] = (0, ""), page: int = PAGE) -> Iterator[RatedResult]:
    """The counting results after a given one, up to a time, in order. Raises `RatingsInvalid` for an invalid row."""
    while rows := store.ratings.results(after, until_ms, page):
        yield from map(read_row, rows)
        after = rows[-1][:2]


def read_row(row: Row) -> RatedResult:
    """Read a kept result. Raises `RatingsInvalid` for an invalid row."""
    at, match, text = row
    try:
        result = msgspec.json.decode(text, type=RatedResult)
    except msgspec.MsgspecError as wrong:
        raise RatingsInvalid(f"the kept result of match {match} is none: {wrong}") from wrong
    if result.key != (at, match):
        raise RatingsInvalid(f"the kept result of match {match} is that of {result.match}")
    return result


def rated(store: Store, games: Mapping[str, Game[Any]], persons: Persons, now_ms: int) -> Ratings:
    """The ratings of a store at a time, after settling every finished match."""
    settle(store, games, persons)
    ratings = Ratings()
    for result in counting(store, now_ms):
        ratings.add(result)
    return ratings
