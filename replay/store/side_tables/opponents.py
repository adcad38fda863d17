"""People who look for opponents, invitations from one person to another, and what profiles show; side tables.

They are no part of a record. Several servers share them: a server that pairs seekers compares and sets all of their
rows in one transaction. The first row makes the tables in a SQLite database.
"""

from collections.abc import Sequence
from typing import Any, Final, Protocol

from msgspec import Struct
from msgspec.structs import astuple

from replay.store.side_tables.sql import Statement, Tables

MADE: Final = {
    "seekers": "CREATE TABLE seekers (person TEXT PRIMARY KEY, offer TEXT NOT NULL, pool TEXT NOT NULL,"
    " terms TEXT NOT NULL, rating INTEGER NOT NULL, token_hash BLOB NOT NULL, sealed TEXT NOT NULL,"
    " lot TEXT NOT NULL, server_lot TEXT NOT NULL, since INTEGER NOT NULL, seen INTEGER NOT NULL,"
    " meeting TEXT NOT NULL, met INTEGER NOT NULL, bot TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "seeker_lock": "CREATE TABLE seeker_lock (name TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    "seat_draws": "CREATE TABLE seat_draws (match TEXT PRIMARY KEY, drawn TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "person_invitations": "CREATE TABLE person_invitations (id TEXT PRIMARY KEY, sender TEXT NOT NULL,"
    " receiver TEXT NOT NULL, match TEXT NOT NULL, seat INTEGER NOT NULL, at INTEGER NOT NULL)"
    " STRICT, WITHOUT ROWID",
    "person_shown": "CREATE TABLE person_shown (person TEXT PRIMARY KEY, shown TEXT NOT NULL) STRICT, WITHOUT ROWID",
}
"""How the tables are made in SQLite. `terms`, `drawn` and `shown` are JSON of the programs that store them."""
MAKE: Final = tuple(made.replace("TABLE ", "TABLE IF NOT EXISTS ", 1) for made in MADE.values())
_COLUMNS: Final = (
    "person, offer, pool, terms, rating, token_hash, sealed, lot, server_lot, since, seen, meeting, met, bot"
)
_LOCK: Final[Statement] = (
    "INSERT INTO seeker_lock VALUES ('', 1) ON CONFLICT (name) DO UPDATE SET n = seeker_lock.n + 1",
    (),
)
"""The first statement of a transaction that pairs, parts or removes seekers: it makes another server's wait."""
_PUT: Final = f"""INSERT INTO seekers ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (person) DO UPDATE SET offer = excluded.offer, pool = excluded.pool, terms = excluded.terms,
rating = excluded.rating, token_hash = excluded.token_hash, sealed = excluded.sealed, lot = excluded.lot,
server_lot = excluded.server_lot, since = excluded.since, seen = excluded.seen, meeting = excluded.meeting,
met = excluded.met, bot = excluded.bot"""  # noqa: S608
BOTS: Final = "?"
"""The name in place of a bot's of a seeker who would play with bots by now; no bot is called so."""
USED: Final = "!"
"""The prefix of a commitment whose lot was shown in vain: a new commitment must replace it."""
_CLAIM: Final = """UPDATE seekers SET meeting = ?, met = ?, bot = ? WHERE person {0} AND meeting = ''
AND substr(sealed, 1, 1) <> '!' AND seen >= ? AND (SELECT count(*) FROM seekers AS free
WHERE free.person {0} AND free.meeting = '' AND substr(free.sealed, 1, 1) <> '!' AND free.seen >= ?) = ?
RETURNING person"""
_PART: Final = "UPDATE seekers SET meeting = '', met = 0, bot = '', lot = '', sealed = '!' || sealed WHERE meeting = ?"
_GONE: Final = "DELETE FROM seekers WHERE meeting = ? AND lot = '' AND (seen < ? OR met < ?)"
_HEARD: Final = """UPDATE seekers SET seen = ?, bot = CASE WHEN meeting = '' THEN ? ELSE bot END
WHERE person = ? AND seen <= ?"""
_FRESH: Final = """UPDATE seekers SET sealed = ? WHERE person = ? AND substr(sealed, 1, 1) = '!' AND sealed <> ?
AND meeting = ''"""
_FREE: Final = "seen >= ? AND meeting = '' AND (pool = ? OR ? = '') ORDER BY since, person LIMIT ?"
_DRAWN: Final = "INSERT INTO seat_draws VALUES (?, ?) ON CONFLICT DO NOTHING"
_DROP: Final = "DELETE FROM seekers WHERE person = ? AND token_hash = ?"
_INVITATION: Final = "INSERT INTO person_invitations VALUES (?, ?, ?, ?, ?, ?)"
_INVITED: Final = "SELECT id, sender, receiver, match, seat, at FROM person_invitations WHERE "
_SHOW: Final = "INSERT INTO person_shown VALUES (?, ?) ON CONFLICT (person) DO UPDATE SET shown = excluded.shown"


class SeekerRow(Struct, frozen=True):
    """A person who looks for opponents. Times are in ms; a time of 0 is never.

    `offer`: the random name under which others see it; `pool`: the hash of the terms that must be equal; `sealed`: the
    commitment to the person's lot, `lot` the lot once it is shown, `server_lot` the server's own; `seen`: when the
    person was last heard of; `meeting`: the id of the match that all seekers with the same id will play, since `met`;
    `bot`: the bot that plays in all other seats of the meeting; before a meeting, `BOTS` if the person waits for bots
    too.
    """

    person: str
    offer: str
    pool: str
    terms: str
    rating: int
    token_hash: bytes
    sealed: str
    server_lot: str
    since: int
    seen: int
    lot: str = ""
    meeting: str = ""
    met: int = 0
    bot: str = ""

    def __repr__(self) -> str:
        return f"SeekerRow({self.person})"


class InvitationRow(Struct, frozen=True):
    """An invitation from one person to another, to a seat of a match that is kept free for it."""

    id: str
    sender: str
    receiver: str
    match: str
    seat: int
    at: int


class Seekers(Protocol):
    """The people of a store who look for opponents. Every method may be called from any thread, and waits."""

    def seek(self, row: SeekerRow) -> None:
        """Let a person look for opponents on these terms."""
        ...

    def heard(self, person: str, seen: int, sealed: str = "", *, bots: bool = False) -> None:
        """Note that a seeker was heard of; `sealed`: its commitment, which counts if it had to draw another lot;
        `bots`: it would play with bots too.
        """
        ...

    def seekers(self, since: int, pool: str = "", limit: int = 1000) -> list[SeekerRow]:
        """Seekers that were heard of since a time and have no opponent yet, of one pool or of all, the longest waiting
        first."""
        ...

    def seeker(self, person: str) -> SeekerRow | None:
        """The search of a person."""
        ...

    def offered(self, offer: str) -> SeekerRow | None:
        """The seeker with a random name."""
        ...

    def claim(self, persons: Sequence[str], meeting: str, at: int, since: int, bot: str = "") -> bool:
        """Bring seekers together, all or none: nothing changes unless each is free and was heard of since a time."""
        ...

    def meeting(self, meeting: str) -> list[SeekerRow]:
        """The seekers of a meeting."""
        ...

    def reveal(self, person: str, meeting: str, lot: str) -> None:
        """Show a seeker's lot for a meeting; the first one counts."""
        ...

    def part(self, meeting: str, seen_before: int, met_before: int) -> None:
        """Let the seekers of a meeting look again, with new lots, except those who have not shown theirs in time."""
        ...

    def stop(self, person: str, token_hash: bytes) -> None:
        """End the person's search with this token."""
        ...

    def sweep(self, seen_before: int) -> None:
        """Delete seekers that were not heard of since a time."""
        ...


class Opponents(Seekers, Protocol):
    """Seekers, seat draws, invitations and profiles."""

    def keep_draw(self, match: str, drawn: str) -> None:
        """Keep the draw of a match's seats; the first one stays."""
        ...

    def draw(self, match: str) -> str:
        """The draw of a match's seats; empty if there was none."""
        ...

    def invite(self, row: InvitationRow) -> None:
        """Keep an invitation. Raises `RowExists` if there is one with its id."""
        ...

    def invitation(self, id: str) -> InvitationRow | None:  # noqa: A002 - the column's name
        """An invitation by its id."""
        ...

    def invitations(self, person: str) -> list[InvitationRow]:
        """Invitations from and to a person, the latest first."""
        ...

    def end_invitation(self, id: str) -> bool:  # noqa: A002 - the column's name
        """Mark an invitation as answered or withdrawn; False if it was already."""
        ...

    def show(self, person: str, shown: str) -> None:
        """Keep the parts that a person's profile shows."""
        ...

    def shown(self, person: str) -> str:
        """The parts that a person's profile shows; empty if the person has set none."""
        ...

    def shown_by(self, persons: Sequence[str]) -> dict[str, str]:
        """The parts that the profiles of these persons show, for those who have set them."""
        ...

    def forget(self, person: str) -> None:
        """Delete everything of a person."""
        ...


class SqlSeekers:
    """See `Seekers`; in tables of a database. `made`: the statements that make tables that may be missing."""

    def __init__(self, tables: Tables, made: Sequence[Statement] = ()) -> None:
        self._tables, self._made = tables, made

    def seek(self, row: SeekerRow) -> None:
        """See `Opponents`."""
        values = tuple(getattr(row, name) for name in _COLUMNS.split(", "))
        self._tables.change([*self._made, _LOCK, (_PUT, values)])

    def heard(self, person: str, seen: int, sealed: str = "", *, bots: bool = False) -> None:
        """See `Opponents`."""
        statements: list[Statement] = [(_HEARD, (seen, BOTS if bots else "", person, seen))]
        if sealed:
            statements.append((_FRESH, (sealed, person, USED + sealed)))
        self._tables.change(statements)

    def seekers(self, since: int, pool: str = "", limit: int = 1000) -> list[SeekerRow]:
        """See `Opponents`."""
        return self._rows(_FREE, since, pool, pool, limit)

    def seeker(self, person: str) -> SeekerRow | None:
        """See `Opponents`."""
        return next(iter(self._rows("person = ?", person)), None)

    def offered(self, offer: str) -> SeekerRow | None:
        """See `Opponents`."""
        return next(iter(self._rows("offer = ?", offer)), None)

    def claim(self, persons: Sequence[str], meeting: str, at: int, since: int, bot: str = "") -> bool:
        """See `Opponents`."""
        listed, among = self._tables.listed(persons), self._tables.among
        claim = _CLAIM.format(among), (meeting, at, bot, listed, since, listed, since, len(persons))
        return len(self._tables.change([_LOCK, claim])) == len(persons)

    def meeting(self, meeting: str) -> list[SeekerRow]:
        """See `Opponents`."""
        return self._rows("meeting = ? ORDER BY person", meeting)

    def reveal(self, person: str, meeting: str, lot: str) -> None:
        """See `Opponents`."""
        sql = "UPDATE seekers SET lot = ? WHERE person = ? AND meeting = ? AND lot = ''"
        self._tables.change([(sql, (lot, person, meeting))])

    def part(self, meeting: str, seen_before: int, met_before: int) -> None:
        """See `Opponents`."""
        self._tables.change([_LOCK, (_GONE, (meeting, seen_before, met_before)), (_PART, (meeting,))])

    def stop(self, person: str, token_hash: bytes) -> None:
        """See `Opponents`."""
        if self._there:
            self._tables.change([_LOCK, (_DROP, (person, token_hash))])

    def sweep(self, seen_before: int) -> None:
        """See `Opponents`."""
        if self._there:
            self._tables.change([_LOCK, ("DELETE FROM seekers WHERE seen < ?", (seen_before,))])

    @property
    def _there(self) -> bool:
        return self._tables.has("seekers")

    def _ask(self, sql: str, *values: object) -> Sequence[tuple[Any, ...]]:
        return self._tables.ask(sql, *values) if self._there else ()

    def _rows(self, where: str, *values: object) -> list[SeekerRow]:
        names = _COLUMNS.split(", ")
        rows = self._ask(f"SELECT {_COLUMNS} FROM seekers WHERE {where}", *values)  # noqa: S608
        return [SeekerRow(**dict(zip(names, row, strict=True))) for row in rows]

    def _one(self, sql: str, *values: object) -> str:
        rows = self._ask(sql, *values)
        return str(rows[0][0]) if rows else ""


class SqlOpponents(SqlSeekers):
    """See `Opponents`; in tables of a database."""

    def keep_draw(self, match: str, drawn: str) -> None:
        """See `Opponents`."""
        self._tables.change([*self._made, (_DRAWN, (match, drawn))])

    def draw(self, match: str) -> str:
        """See `Opponents`."""
        return self._one("SELECT drawn FROM seat_draws WHERE match = ?", match)

    def invite(self, row: InvitationRow) -> None:
        """See `Opponents`."""
        self._tables.change([*self._made, (_INVITATION, astuple(row))])

    def invitation(self, id: str) -> InvitationRow | None:  # noqa: A002 - the column's name
        """See `Opponents`."""
        rows = self._ask(f"{_INVITED}id = ?", id)
        return InvitationRow(*rows[0]) if rows else None

    def invitations(self, person: str) -> list[InvitationRow]:
        """See `Opponents`."""
        rows = self._ask(f"{_INVITED}sender = ? OR receiver = ? ORDER BY at DESC, id", person, person)
        return [InvitationRow(*row) for row in rows]

    def end_invitation(self, id: str) -> bool:  # noqa: A002 - the column's name
        """See `Opponents`."""
        sql = "DELETE FROM person_invitations WHERE id = ? RETURNING id"
        return self._there and bool(self._tables.change([(sql, (id,))]))

    def show(self, person: str, shown: str) -> None:
        """See `Opponents`."""
        self._tables.change([*self._made, (_SHOW, (person, shown))])

    def shown(self, person: str) -> str:
        """See `Opponents`."""
        return self._one("SELECT shown FROM person_shown WHERE person = ?", person)

    def shown_by(self, persons: Sequence[str]) -> dict[str, str]:
        """See `Opponents`."""
        sql = f"SELECT person, shown FROM person_shown WHERE person {self._tables.among}"  # noqa: S608
        return dict(self._ask(sql, self._tables.listed(persons))) if persons else {}

    def forget(self, person: str) -> None:
        """See `Opponents`."""
        if self._there:
            self._tables.change(
                [
                    _LOCK,
                    ("DELETE FROM seekers WHERE person = ?", (person,)),
                    ("DELETE FROM person_invitations WHERE sender = ? OR receiver = ?", (person, person)),
                    ("DELETE FROM person_shown WHERE person = ?", (person,)),
                ]
            )
