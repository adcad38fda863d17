"""Several reads of one match, made one after another, because each is cheap with a local store."""

from contextlib import suppress

from msgspec.structs import replace

from replay.store.errors import NoSuchMatch
from replay.store.log import Entrance, Log, Whole
from replay.store.matches import Header
from replay.store.seats import SeatRow
from replay.store.store import Store


def whole_of(log: Log, match: str) -> Whole:
    """See `Log.whole`."""
    keys, entries = log.keys(match), tuple(log.read(match))
    return Whole(keys, entries, log.head(match), tuple(log.checkpoints(match)))


def read_whole(log: Log, match: str) -> Whole:
    """The whole record, with a head that fits its last line. Raises `NoSuchMatch`."""
    whole = log.whole(match)
    if whole.head.seq > len(whole.entries):
        # Another server may have appended between the two reads.
        whole = replace(whole, entries=(*whole.entries, *log.read(match, after=len(whole.entries))))
    return whole


def entrance_of(store: Store, match: str) -> Entrance:
    """See `Log.entrance`."""
    header: Header | None = None
    rows: tuple[SeatRow, ...] = ()
    with suppress(NoSuchMatch):
        header = store.header(match)
    with suppress(NoSuchMatch):
        rows = store.seats.holders(match)
    return Entrance(header, rows, store.seats.watchers(match))
