"""The moves that wait for a person, as the person's own list of matches shows them."""

from collections.abc import Iterable

from msgspec import Struct

from replay.store.errors import NoSuchMatch
from replay.store.side_tables.notices import WaitRow
from replay.store.store import Store
from server.notifications.notice_texts import Move
from server.people.own_matches import asked_seats
from server.webhooks.delivery import Notice


class OwnMove(Struct, frozen=True):
    """A move that waits: its row, its words in a message, and the body of a plain webhook."""

    wait: WaitRow
    move: Move
    notice: Notice


def own_moves(store: Store, person: str, waits: Iterable[WaitRow]) -> tuple[list[OwnMove], list[WaitRow]]:
    """The moves that still wait, and those that do not. It waits for the store.

    Public lines alone decide whether a match waits for a seat: the result can reveal nothing hidden.
    """
    live: list[OwnMove] = []
    stale: list[WaitRow] = []
    for wait in waits:
        found = _own_move(store, person, wait)
        if found is None:
            stale.append(wait)
        else:
            live.append(found)
    return live, stale


def _own_move(store: Store, person: str, wait: WaitRow) -> OwnMove | None:
    match, seat = wait.match, wait.seat
    try:
        header = store.header(match)
    except NoSuchMatch:
        return None
    if header.status != "running" or not any(
        row.person == person and row.seat == seat for row in store.people.at(match)
    ):
        return None
    if seat not in asked_seats(store, match):
        return None
    players = store.matches.players([match]).get(match, ())
    others = tuple(name for at, name in enumerate(players) if at != seat)
    name = players[seat] if seat < len(players) else ""
    notice = Notice("your-move", match, header.game, wait.title, 0, seat, name, wait.due, decision=wait.decision)
    return OwnMove(wait, Move(wait.title, header.game, others, wait.due), notice)
