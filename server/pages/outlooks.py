"""The chance to win of a match under way, for overlays: `/api/outlook/MATCH`."""

from http import HTTPStatus
from typing import Any, Final

import msgspec
from websockets.http11 import Response

from replay.store.errors import NoSuchMatch
from server.analysis.outlook import Outlook
from server.lobby.outlook_service import OutlookService
from server.pages.serving import plain, respond

FOLDER: Final = "/api/outlook/"


def is_outlook(path: str) -> bool:
    """Whether a path, without its query, is this module's."""
    return path.startswith(FOLDER)


async def outlook_answer(outlooks: OutlookService, path: str) -> Response:
    """The last outlook; an empty object if there is none yet."""
    try:
        found = await outlooks.ask(path.removeprefix(FOLDER))
    except NoSuchMatch:
        return plain(HTTPStatus.NOT_FOUND, "There is no such match.")
    told = {} if found is None else _told(found)
    return respond(HTTPStatus.OK, msgspec.json.encode(told), "application/json", cache="no-store")


def _told(found: Outlook) -> dict[str, Any]:
    sides = [
        {"seats": seats, "share": round(share, 3), "low": round(low, 3), "high": round(high, 3)}
        for seats, share, low, high in zip(found.sides, found.share, found.low, found.high, strict=True)
    ]
    return {"line": found.line, "samples": found.samples, "sides": sides}
