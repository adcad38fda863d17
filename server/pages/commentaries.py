"""Commentaries on matches that are over, for replays, below `/api/commentary/`."""

from http import HTTPStatus
from typing import TYPE_CHECKING, Final

import msgspec
from websockets.http11 import Response

from replay.store.errors import NoSuchMatch
from server.pages.serving import plain, respond

if TYPE_CHECKING:
    from server.lobby.lobby import Lobby

FOLDER: Final = "/api/commentary/"
SOUND: Final = ".webm"


def is_commentary(path: str) -> bool:
    """Whether a path, without its query, is answered by this module."""
    return path.startswith(FOLDER)


def commentary_answer(lobby: "Lobby", path: str) -> Response:
    """The requested commentary on a match that may be watched; until the match is over, the answer is that there is
    none.
    """
    match, _, name = path.removeprefix(FOLDER).partition("/")
    missing = plain(HTTPStatus.NOT_FOUND, "There is no such commentary, or its match is not over.")
    try:
        header = lobby.store.header(match)
    except NoSuchMatch:
        return missing
    if header.closed:
        return missing
    is_over = header.status == "finished"
    if not name:
        tracks = lobby.commentaries.tracks(match) if is_over else []
        return respond(HTTPStatus.OK, msgspec.json.encode({"tracks": tracks}), "application/json")
    sound = lobby.commentaries.sound(match, name.removesuffix(SOUND)) if is_over and name.endswith(SOUND) else None
    return missing if sound is None else respond(HTTPStatus.OK, sound, "audio/webm")
