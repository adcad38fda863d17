"""The chance to win of a match under way, for overlays: `/api/outlook/MATCH`."""

from http import HTTPStatus
from typing import Any, Final

import msgspec
from websockets.http11 import Response

from replay.store.errors import NoSuchMatch
from server.lobby.outlook_service import OutlookService, StatedOutlook, sides_of
from server.pages.serving import plain, respond

FOLDER: Final = "/api/outlook/"


def is_outlook(path: str) -> bool:
    """Whether a path, without its query, is answered by this module."""
    return path.startswith(FOLDER)


async def outlook_answer(outlooks: OutlookService, path: str) -> Response:
    """The last outlook; an empty object if there is none yet."""
    try:
        found = await outlooks.ask(path.removeprefix(FOLDER))
    except NoSuchMatch:
        return plain(HTTPStatus.NOT_FOUND, "There is no such match.")
    return respond(HTTPStatus.OK, msgspec.json.encode(_told(found)), "application/json", cache="no-store")


def _told(found: StatedOutlook | None) -> dict[str, Any]:
    if found is None:
        return {}
    told = {"line": found.outlook.line, "samples": found.outlook.samples, "sides": sides_of(found.outlook)}
    return told | {"said": found.said, "signed": found.stamp} if found.stamp else told
