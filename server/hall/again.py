"""A match that has ended is played once more: it begins at the server of the first seat, once all people want it."""

import logging
from collections.abc import Mapping
from functools import partial
from typing import Any

from replay.record import hr1
from replay.store.errors import MatchExists
from server.errors import ServerError, place_of
from server.hall.matches import Hall
from server.hall.rematches import once_more
from server.table.host import Host
from server.wire.protocol import Error, write_message

LOG = logging.getLogger(__name__)
LATER = "The match could not begin now; ask for it once more."


async def ask(hall: Hall, host: Host[Any], seat: int, address: str, *, on: bool) -> None:
    """A seat would like to play once more, or no longer. Raises `CannotCreate` and `TooOften`."""
    await hall.board.look((host.match,))
    await hall.rematches.wish(host, seat, address, on=on)
    hall.board.changed(host.match)
    if hall.rematches.asker(host) is None:
        hall.rematches.tell(host)
    else:
        await _begin(hall, host, seat, address)


async def news(hall: Hall, host: Host[Any]) -> None:
    """What other servers say has changed: tell the seats, and begin the match where that falls to this server."""
    if not host.is_over:
        return
    await hall.rematches.take_in(host)
    hall.board.changed(host.match)
    seat = hall.rematches.asker(host)
    if seat is None:
        return
    try:
        await _begin(hall, host, seat, hall.rematches.address_of(host, seat))
    except Exception as wrong:
        LOG.warning("match %s cannot be played once more: %s", host.match, place_of(wrong))
        code, why = (wrong.code, str(wrong)) if isinstance(wrong, ServerError) else ("try-again", LATER)
        for listener in list(host.crowd):
            if listener.guest.role == "seat" and listener.guest.viewer.seat == seat:
                listener.send(write_message(Error(code, why)))
        hall.rematches.tell(host)


def follow(hall: Hall) -> None:
    """Be told of what other servers say."""
    hall.board.took_in = partial(news, hall)


async def _begin(hall: Hall, host: Host[Any], seat: int, address: str) -> None:
    """Begin the match. Where the first seat asked at two servers at once both come here, and the store lets one."""
    occasion = hall.rematches.occasion(host)
    held, hashes = hall.rematches.take(host)
    mid = hall.home.new_match_id(occasion)
    try:
        hall.admission.assert_may_create(address)
        used = await _made(hall, host, hashes, mid)
    except BaseException:
        hall.rematches.refused(host, held, seat)
        raise
    finally:
        hall.board.changed(host.match)
    hall.rematches.begun(host, hr1.b64(mid), held, used)


async def _made(hall: Hall, host: Host[Any], hashes: Mapping[int, bytes], mid: bytes) -> set[bytes]:
    """Make the match, or find it made; the hashes of the tokens that let into it."""
    try:
        await hall.create(await once_more(hall.store, host), hashes=hashes, mid=mid)
    except MatchExists:
        return await hall.rematches.used_in(hr1.b64(mid))
    return set(hashes.values())
