"""Pages that a relay makes from the lines it has checked, and data that it passes on from an origin.

The relay itself makes pictures, link previews, embedded matches and replays of the match so far, from the spectators'
view. Chances to win and commentaries come from an origin. Nobody can check these against the record, so a relay only
checks that they have the right form and mention no line that its spectators do not have.
"""

import asyncio
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qs, urlsplit

import msgspec
from websockets.http11 import Response

from projections.languages import ENGLISH
from server.errors import ServerError
from server.lobby.connection_limits import ConnectionLimits
from server.pages.serving import plain, respond
from server.pages.sharing import ID, Sharing, SpectatedMatch, is_shared, match_in
from server.pages.tracks import bundled, track
from server.relay.registry import RelayRegistry
from server.relay.relayed_match import RelayedMatch
from server.relay.relayed_statements import RelayedStatements

BUNDLE: Final = "/api/bundle/"
OUTLOOK: Final = "/api/outlook/"
COMMENTARY: Final = "/api/commentary/"
MISSING: Final = "There is no such match."
PUBLIC: Final = "pub"


class RelayPages:
    """Answers requests for the pages and data of one match. `embedders`: the origins whose pages may embed a match."""

    def __init__(self, registry: RelayRegistry, embedders: tuple[str, ...] = ()) -> None:
        self._registry, self._embedders = registry, embedders
        self._statements = RelayedStatements(registry.origins)
        self._making = asyncio.Semaphore(1)

    @staticmethod
    def is_made(path: str) -> bool:
        """Whether a path, without its query, is answered here."""
        return path.startswith((BUNDLE, OUTLOOK, COMMENTARY)) or is_shared(path)

    async def answer(self, target: str, base: str, address: str) -> Response:
        """The answer to a GET from an address; `base`: the address under which the client reaches this relay."""
        limits: ConnectionLimits = self._registry.admission
        if not limits.may_replay(address):
            return plain(HTTPStatus.TOO_MANY_REQUESTS, "That was too often; wait a minute, then ask again.")
        path = urlsplit(target).path
        match = match_in(target, base) if is_shared(path) else path.split("/")[3]
        if not ID.fullmatch(match):
            return plain(HTTPStatus.NOT_FOUND, MISSING)
        try:
            show = await self._registry.open(match)
        except ServerError:
            return plain(HTTPStatus.NOT_FOUND, MISSING)
        if path.startswith(OUTLOOK):
            found = await self._statements.outlook(show)
            return respond(HTTPStatus.OK, found, "application/json", cache="no-store")
        if path.startswith(COMMENTARY):
            return await self._commentary(show, path)
        async with self._making:
            return await asyncio.to_thread(self._made, show, target, base)

    def _made(self, show: RelayedMatch, target: str, base: str) -> Response:
        path = urlsplit(target).path
        if is_shared(path):
            return Sharing(lambda _, wanted: _seen(show, wanted), self._embedders).answer(target, base)
        query = {name: values[0] for name, values in parse_qs(urlsplit(target).query).items()}
        if query.get("view", PUBLIC) != PUBLIC:
            return plain(HTTPStatus.NOT_FOUND, MISSING)
        face = show.face
        told = track(face, show.copy.entries(), show.viewer, query.get("lang", ENGLISH))
        title = show.title or face.game.spec.title
        made = bundled(face.game.name, title, [(PUBLIC, "")], {PUBLIC: told})
        return respond(HTTPStatus.OK, msgspec.json.encode(made), "application/json")

    async def _commentary(self, show: RelayedMatch, path: str) -> Response:
        found = await self._statements.commentary(show, path)
        if found is None:
            return plain(HTTPStatus.NOT_FOUND, "There is no such commentary, or its match is not over.")
        return respond(HTTPStatus.OK, *found)


def _seen(show: RelayedMatch, wanted: int) -> SpectatedMatch:
    events = show.copy.events()
    return SpectatedMatch(show.face, show.title, events[:wanted] if wanted else events, show.is_over)
