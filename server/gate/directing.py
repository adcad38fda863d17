"""Serves directors: the view that they choose for spectators, and the commentary that is stored beside the match."""

import asyncio
import logging
from typing import Any

from server.direction.directions import checked
from server.direction.errors import CommentaryRefused, DirectionRefused
from server.errors import place_of
from server.gate.match_listener import MatchListener
from server.lobby.lobby import Lobby
from server.table.live_match import LiveMatch
from server.wire.direction_messages import Direct, Direction, Kept, Remark, Voice

LOG = logging.getLogger(__name__)


async def direct(
    lobby: Lobby, live_match: LiveMatch[Any] | None, stream: MatchListener, message: Direct | Remark | Voice
) -> None:
    """Carry out a director's message.

    Raises `DirectionRefused` for a direction that is not allowed, and `CommentaryRefused` if a part of a commentary is
    not allowed.
    """
    if live_match is None or not stream.guest.directs:
        raise DirectionRefused("A director enters with a director's token, which a seat has given.")
    if isinstance(message, Direct):
        live_match.direct(stream, message)
        return
    if isinstance(message, Remark):
        _check_remark(live_match, stream, message)
    try:
        kept = await asyncio.to_thread(_keep, lobby, live_match.match, stream.name, message)
    except OSError as wrong:
        LOG.error("a commentary cannot be written: %s", place_of(wrong))
        raise CommentaryRefused("The commentary cannot be written now; send this part again.") from wrong
    stream.answer(Kept(message.id, kept))


def _keep(lobby: Lobby, match: str, by: str, message: Remark | Voice) -> int:
    kept = lobby.commentaries
    return kept.remark(match, by, message) if isinstance(message, Remark) else kept.voice(match, by, message)


def _check_remark(live_match: LiveMatch[Any], stream: MatchListener, remark: Remark) -> None:
    viewer = stream.guest.viewer
    end = live_match.visible_head.seq_for(viewer)
    pointed = remark.direction or Direction()
    for each in (pointed, Direction(line=remark.line)):
        checked(each, end, sees_hands=viewer.sees_hands)
