"""The store on the PostgreSQL protocol: for several machines over one database (docs/scaling.md)."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress

from msgspec.structs import astuple
from psycopg import errors
from psycopg.rows import TupleRow

from replay.store.errors import MatchExists, NoSuchMatch, StoreFailed
from replay.store.health import Health, Pulse
from replay.store.log import Append, Commit, Committed, Conflict, Done, Entrance, Entry, Follower, Head, Keys, Whole
from replay.store.matches import COLUMNS, Header, SqlMatches, header_of
from replay.store.postgres.connections import NUL, StoreConnections
from replay.store.postgres.rows import SEAT, Rows
from replay.store.postgres.schema import Cursor, Line, assert_usable
from replay.store.postgres.tables import PostgresTables
from replay.store.postgres.writer import Writer
from replay.store.seats import SeatRow, SqlSeats, WatchRow
from replay.store.side_tables.analysis import SqlAnalyses
from replay.store.side_tables.calendars import SqlCalendars
from replay.store.side_tables.chat import SqlChat
from replay.store.side_tables.claims import SqlClaims
from replay.store.side_tables.devices import SqlDevices
from replay.store.side_tables.moderation import SqlModeration
from replay.store.side_tables.notices import SqlNotices
from replay.store.side_tables.opponents import SqlOpponents
from replay.store.side_tables.passkeys import SqlPasskeys
from replay.store.side_tables.people import SqlPeople
from replay.store.side_tables.presence import SqlPresence
from replay.store.side_tables.rated_players import SqlRatedPlayers
from replay.store.side_tables.ratings import SqlRatedResults
from replay.store.side_tables.rulings import SqlRulings
from replay.store.side_tables.seat_entries import SqlSeatEntries
from replay.store.side_tables.standing import SqlStandingAnswers
from replay.store.side_tables.webhooks import SqlWebhooks

_CREATE = f"""INSERT INTO matches ({COLUMNS}, seq, head)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, 0, '')"""  # noqa: S608
_LINES = """SELECT seq, at, type, actor, line FROM records
WHERE match = %s AND seq > %s AND seq <= %s ORDER BY seq"""
_OPENINGS = "SELECT seq, value FROM openings WHERE match = %s AND seq > %s AND seq <= %s ORDER BY seq, slot"
_KEYS = "SELECT k_m, k_n, hid FROM match_keys WHERE match = %s"
_HEAD = "SELECT seq, head FROM matches WHERE match = %s"
_CHECKPOINTS = "SELECT seq, signed FROM checkpoints WHERE match = %s ORDER BY seq"
_HEADER = f"SELECT {COLUMNS} FROM matches WHERE match = %s"  # noqa: S608
_HOLDERS = "SELECT seat, name, kind, bot, token_hash FROM seats WHERE match = %s ORDER BY seat"
_WATCHERS = "SELECT seat, token_hash FROM watchers WHERE match = %s"
_ALL = (0, 1 << 62)
_LIVE = """INSERT INTO herald VALUES ('alive', %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value
WHERE CAST(herald.value AS BIGINT) < CAST(excluded.value AS BIGINT)"""


class PostgresStore:
    """See `Store`. No failure of a network or a database is final: a later write may succeed."""

    def __init__(self, address: str, *, readonly: bool = False) -> None:
        """Raises `StoreFailed` if the database cannot be used as it is. `readonly`: appends are refused."""
        self._health = Health()
        self._connections = StoreConnections(address, self._health)
        if readonly:
            self._health.fail(f"{self._connections.where} was opened to be read only")
        beside, tables = PostgresTables(self._connections), PostgresTables(self._connections, is_beside=False)
        self.matches = SqlMatches(tables)
        self.seats = SqlSeats(tables)
        # The database overwrites deleted rows only later, and keeps them in its log for a while.
        self.chat = SqlChat(tables, lambda: False)
        self.analyses = SqlAnalyses(beside)
        self.presence = SqlPresence(beside)
        self.webhooks = SqlWebhooks(beside)
        self.devices = SqlDevices(beside)
        self.claims = SqlClaims(beside)
        self.passkeys = SqlPasskeys(beside)
        self.people = SqlPeople(beside, lambda: False)
        self.ratings = SqlRatedResults(beside)
        self.rated_players = SqlRatedPlayers(beside)
        self.opponents = SqlOpponents(beside)
        self.rulings = SqlRulings(beside)
        self.standing = SqlStandingAnswers(beside)
        self.calendars = SqlCalendars(beside)
        self.seat_entries = SqlSeatEntries(beside)
        self.notices = SqlNotices(beside)
        self.moderation = SqlModeration(beside)
        self._writer = Writer(self._connections, self._health)
        self._connections.ask(lambda line: assert_usable(line, address))
        if not readonly:
            self._writer.start()

    def create(self, header: Header, keys: Keys, seats: tuple[SeatRow, ...], commit: Commit) -> Append:
        """See `Log`."""
        rows = Rows()
        last = rows.add(commit)

        def write(line: Line) -> Sequence[Cursor]:
            line.execute(_CREATE, astuple(header))
            line.execute("INSERT INTO match_keys VALUES (%s, %s, %s, %s)", (header.match, keys.k_m, keys.k_n, keys.hid))
            for row in seats:
                line.execute(SEAT, (header.match, *astuple(row)))
            rows.send(line)
            return ()

        if commit.expected != 0:
            return Conflict(0)
        try:
            self._connections.carry(write)
        except errors.UniqueViolation as wrong:
            raise MatchExists(f"the match {header.match!r} exists already") from wrong
        self._writer.tell(header.match, last)
        return Committed(last)

    def submit(self, commit: Commit) -> "Future[Append]":
        """See `Log`."""
        return self._writer.submit(commit)

    def stage(self, commits: Sequence[Commit], done: Done) -> bool:
        """See `Log`; always False, because a network must be waited for: `submit` instead."""
        del commits, done
        return False

    def append(self, commit: Commit) -> Append:
        """See `Log`."""
        return self.submit(commit).result()

    def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """See `Log`."""
        asked = (match, after, (1 << 62) if limit is None else after + limit)
        # Read lines before openings: an append between the two gives too many openings, never too few.
        return _entries(*self._connections.rows_of_each(((_LINES, asked), (_OPENINGS, asked))))

    def head(self, match: str) -> Head:
        """See `Log`."""
        return Head(*self._connections.row(_HEAD, match))

    def heads(self, matches: Sequence[str]) -> dict[str, int]:
        """See `Log`."""
        asked = [match for match in matches if NUL not in match]
        return dict(self._connections.rows("SELECT match, seq FROM matches WHERE match = ANY(%s)", asked))

    def header(self, match: str) -> Header:
        """See `Log`."""
        return header_of(self._connections.row(_HEADER, match))

    def keys(self, match: str) -> Keys:
        """See `Log`."""
        return Keys(*self._connections.row(_KEYS, match))

    def checkpoints(self, match: str) -> list[tuple[int, bytes]]:
        """See `Log`."""
        return [(seq, signed) for seq, signed in self._connections.rows(_CHECKPOINTS, match)]

    def whole(self, match: str) -> Whole:
        """See `Log`."""
        one, all_lines = (match,), (match, *_ALL)
        keys, lines, opened, head, checkpoints = self._connections.rows_of_each(
            ((_KEYS, one), (_LINES, all_lines), (_OPENINGS, all_lines), (_HEAD, one), (_CHECKPOINTS, one))
        )
        if not keys or not head:
            raise NoSuchMatch(f"there is no match {match!r}")
        signed = tuple((seq, stamp) for seq, stamp in checkpoints)
        return Whole(Keys(*keys[0]), tuple(_entries(lines, opened)), Head(*head[0]), signed)

    def entrance(self, match: str) -> Entrance:
        """See `Log`."""
        one = (match,)
        headers, rows, watchers = self._connections.rows_of_each(((_HEADER, one), (_HOLDERS, one), (_WATCHERS, one)))
        header = header_of(headers[0]) if headers else None
        return Entrance(header, tuple(SeatRow(*row) for row in rows), tuple(WatchRow(*row) for row in watchers))

    def follow(self, follower: Follower) -> None:
        """See `Log`."""
        self._writer.follow(follower)

    def now_ms(self) -> int:
        """See `SharedStore`."""
        sql = "SELECT CAST(extract(epoch FROM current_timestamp) * 1000 AS BIGINT)"
        return int(self._connections.rows(sql)[0][0])

    def alive_ms(self) -> int:
        """See `SharedStore`."""
        rows = self._connections.rows("SELECT value FROM herald WHERE name = 'alive'")
        return int(rows[0][0]) if rows else 0

    def live(self, at: int) -> None:
        """See `SharedStore`."""
        self._connections.carry(lambda line: [line.execute(_LIVE, (str(at),))])

    def pulse(self) -> Pulse:
        """See `Store`; only the database knows how many bytes it has."""
        return self._health.pulse(self._writer.waiting)

    def probe(self) -> None:
        """See `Store`."""
        with suppress(StoreFailed):
            self._connections.carry(
                lambda line: [line.execute("UPDATE herald SET value = value WHERE name = 'schema'")]
            )

    def on_failure(self, failed: Callable[[str], None]) -> None:
        """See `Store`; a database that is away comes back, so this concerns only failures of the program."""
        self._health.on_failure(failed)

    def close(self) -> None:
        """See `Store`."""
        self._writer.close()
        self._connections.end()


def _entries(lines: Sequence[TupleRow], opened: Sequence[TupleRow]) -> list[Entry]:
    values: dict[int, tuple[bytes, ...]] = {}
    for seq, value in opened:
        values[seq] = (*values.get(seq, ()), value.encode())
    return [Entry(seq, at, kind, actor, line.encode(), values.get(seq, ())) for seq, at, kind, actor, line in lines]
