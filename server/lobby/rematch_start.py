"""A match that has ended is played once more: it begins at the server of the first seat, once all people want it."""

import logging
from collections.abc import Mapping
from functools import partial
from typing import Any

from replay.record import sealing
from replay.store.errors import MatchExists
from server.errors import ServerError, place_of
from server.lobby.match_registry import MatchRegistry
from server.lobby.rematch_votes import once_more
from server.table.live_match import LiveMatch
from server.wire.protocol import Error, write_message

LOG = logging.getLogger(__name__)
LATER = "The match could not begin now; ask for it once more."


async def ask(registry: MatchRegistry, live_match: LiveMatch[Any], seat: int, address: str, *, on: bool) -> None:
    """A seat would like to play once more, or no longer. Raises `CannotCreate` and `TooOften`."""
    await registry.board.look((live_match.match,))
    await registry.rematches.wish(live_match, seat, address, on=on)
    registry.board.changed(live_match.match)
    if registry.rematches.asker(live_match) is None:
        registry.rematches.tell(live_match)
    else:
        await _begin(registry, live_match, seat, address)


async def news(registry: MatchRegistry, live_match: LiveMatch[Any]) -> None:
    """What other servers say has changed: tell the seats, and begin the match where that falls to this server."""
    if not live_match.is_over:
        return
    await registry.rematches.take_in(live_match)
    registry.board.changed(live_match.match)
    seat = registry.rematches.asker(live_match)
    if seat is None:
        return
    try:
        await _begin(registry, live_match, seat, registry.rematches.address_of(live_match, seat))
    except Exception as wrong:
        LOG.warning("match %s cannot be played once more: %s", live_match.match, place_of(wrong))
        code, why = (wrong.code, str(wrong)) if isinstance(wrong, ServerError) else ("try-again", LATER)
        for listener in list(live_match.connections):
            if listener.guest.role == "seat" and listener.guest.viewer.seat == seat:
                listener.send(write_message(Error(code, why)))
        registry.rematches.tell(live_match)


def follow(registry: MatchRegistry) -> None:
    """Be told of what other servers say."""
    registry.board.took_in = partial(news, registry)


async def _begin(registry: MatchRegistry, live_match: LiveMatch[Any], seat: int, address: str) -> None:
    """Begin the match. Where the first seat asked at two servers at once both come here, and the store lets one."""
    occasion = registry.rematches.occasion(live_match)
    held, hashes = registry.rematches.take(live_match)
    mid = registry.home.new_match_id(occasion)
    try:
        registry.admission.assert_may_create(address)
        used = await _made(registry, live_match, hashes, mid)
    except BaseException:
        registry.rematches.refused(live_match, held, seat)
        raise
    finally:
        registry.board.changed(live_match.match)
    registry.rematches.begun(live_match, sealing.b64(mid), held, used)


async def _made(
    registry: MatchRegistry, live_match: LiveMatch[Any], hashes: Mapping[int, bytes], mid: bytes
) -> set[bytes]:
    """Make the match, or find it made; the hashes of the tokens that let into it."""
    try:
        await registry.create(await once_more(registry.store, live_match), hashes=hashes, mid=mid)
    except MatchExists:
        return await registry.rematches.used_in(sealing.b64(mid))
    return set(hashes.values())
