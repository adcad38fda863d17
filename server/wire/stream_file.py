"""A viewer's stream as a file: the protocol's own messages, one per line, for audits and verifiers."""

from collections.abc import AsyncIterator, Iterator

from herald_client import BadLink, Link
from herald_client import read_link as parts_of
from herald_client.links import socket_of
from projections.redaction import Viewer
from replay.files import export
from replay.record import sealing
from replay.store.store import Store
from server.errors import Misconfigured
from server.wire.client import connected, enter
from server.wire.protocol import Checkpoint, Events, HeadInfo, SeatInfo, ViewerInfo, Welcome, write_message

CHUNK = 200
"""The number of lines in one message."""


def stream_of(store: Store, match: str, viewer: Viewer) -> Iterator[str]:
    """The messages for a viewer who enters the match now, without Scenes. Raises `NoSuchMatch` if the match is not
    stored.
    """
    record = export.from_store(store, match, viewer)
    header = store.header(match)
    signed = dict(record.checkpoints)
    head, heads = sealing.genesis(sealing.unb64(match)), []
    for held in record.held:
        head = sealing.link(head, held.line)
        heads.append(sealing.b64(head))
    info = ViewerInfo("spectator") if viewer.seat is None else ViewerInfo("seat", viewer.seat)
    seats = tuple(SeatInfo(row.seat, row.name if row.kind else "", row.kind) for row in store.seats.holders(match))
    keys = {str(mask): sealing.b64(key) for mask, key in record.keys.items()}
    last = _head(len(heads), heads, signed)
    yield write_message(Welcome(match, header.game, header.title, header.rules, info, seats, last, keys, header.status))
    for first in range(1, len(heads) + 1, CHUNK):
        end = min(first + CHUNK - 1, len(heads))
        items = tuple(
            (held.line.decode(), tuple((slot, value.decode()) for slot, value in sorted(held.openings.items())))
            for held in record.held[first - 1 : end]
        )
        yield write_message(Events(first, end, items, _head(end, heads, signed)))


def _head(seq: int, heads: list[str], signed: dict[int, bytes]) -> HeadInfo:
    return HeadInfo(seq, heads[seq - 1], sealing.b64(signed[seq]) if seq in signed else "")


def link_of(text: str) -> Link:
    """The parts of a page's link. Raises `Misconfigured` for an address that is no link to a match."""
    try:
        return parts_of(text)
    except BadLink as wrong:
        raise Misconfigured(str(wrong)) from wrong


def read_link(text: str) -> tuple[str, str, str]:
    """The websocket's address, the match and the token ("" for a spectator) of a link. Raises `Misconfigured` if it is
    none.
    """
    link = link_of(text)
    return socket_of(link.server), link.match, link.token


async def live_stream(link: str, *, follow: bool) -> AsyncIterator[tuple[str, int, int]]:
    """A match's messages from its server, each with the last line received and the last line that exists.

    The stream ends at the line that was the last on entering; with `follow`, it ends when the match has ended. Raises
    `NotAdmitted` if the server refuses, `Misconfigured` for a wrong address, and `OSError` if there is no server.
    """
    url, match, token = read_link(link)
    async with connected(url) as client:
        welcome = await enter(client, match, token)
        end, seq = welcome.head.seq, 0
        yield write_message(welcome), 0, end
        while seq < end or follow:
            message = await client.receive()
            if isinstance(message, Events):
                seq, end = message.last, max(end, message.head.seq)
                yield write_message(message), seq, end
                if any('"MatchEnded"' in line for line, _ in message.items) and seq >= end:
                    return
            elif isinstance(message, Checkpoint):
                yield write_message(message), seq, end
