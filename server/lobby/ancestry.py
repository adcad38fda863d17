"""The ancestry of a match: a branch reveals a position of another match, perhaps a live one (docs/replay.md)."""

from collections.abc import Iterator
from typing import Any

from domain.kernel import BranchOpened, Game, MatchCreated
from replay.record.referee import read_event
from replay.store.errors import NoSuchMatch
from replay.store.log import Log
from replay.store.matches import Header


def ancestors(store: Log, game: Game[Any], match: str) -> Iterator[tuple[Header, MatchCreated]]:
    """The match, the match from which it was branched, and so on; the ancestry ends at a match that was played
    elsewhere. Raises `RecordInvalid` if a record cannot be read.
    """
    while True:
        try:
            header = store.header(match)
        except NoSuchMatch:
            return
        first, *more = [read_event(game, entry) for entry in store.read(match, 0, 2)]
        assert isinstance(first, MatchCreated), "a record begins with MatchCreated"
        yield header, first
        if not more or not isinstance(more[0], BranchOpened):
            return
        match = more[0].match


def goes_on_without_hints(store: Log, game: Game[Any], match: str) -> bool:
    """Whether hints about a match would help the players of a live match that allows none: the match is that live match
    or one of its ancestors.
    """
    return any(header.status != "finished" and not first.hints for header, first in ancestors(store, game, match))
