"""The feeds of a server: headlines of all listed matches as server-sent events, finished matches as Atom."""

import asyncio
import re
import time
import uuid
from html import escape
from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs, quote, urlsplit

import msgspec
from websockets.http11 import Request, Response

from projections.i18n.language import language_of
from projections.languages import ENGLISH, known_language
from replay.record import sealing
from server.lobby.connection_limits import is_local
from server.pages.headlines import Headline, HeadlineFeed
from server.pages.serving import respond
from server.table.chat import Paces
from server.wire.protocol import MatchInfo

if TYPE_CHECKING:
    from server.lobby.lobby import Lobby

EVENTS: Final = "/feed"
ATOM: Final = "/feed.atom"
RETRY_MS: Final = 2_000
"""The pause before a client's next request, as the answer states it."""
LATER_MS: Final = 60_000
"""The same for a client that asks too often."""
REMADE_S: Final = 5.0
"""How long one Atom feed serves everybody."""
NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not allow."""


class Feeds:
    """Answers `EVENTS` and `ATOM`."""

    def __init__(self, lobby: "Lobby") -> None:
        self._lobby = lobby
        self.headlines = HeadlineFeed(lobby)
        self._paces = Paces(lobby.bounds.feed_requests, lobby.bounds.feed_requests)
        self._made: dict[tuple[str, str], tuple[float, bytes]] = {}

    async def answer(self, request: Request, address: str) -> Response:
        """The answer to a request for one of the two feeds. `address`: the client's address, as limits count it."""
        parts = urlsplit(request.path)
        given = parse_qs(parts.query)
        language = known_language(given.get("lang", [ENGLISH])[0])
        if parts.path == ATOM:
            host = ",".join(request.headers.get_all("Host"))
            return respond(HTTPStatus.OK, await self._atom(host, language), "application/atom+xml")
        if not is_local(address) and not self._paces.may(address):
            return _events(f"retry: {LATER_MS}\n: too often\n\n")
        last = request.headers.get_all("Last-Event-ID") or given.get("last", [])
        told = await self.headlines.since(self._number(last[0] if last else ""))
        text = "".join(self._event(number, one, language) for number, one in told)
        return _events(f"retry: {RETRY_MS}\n{text or ': nothing new'}\n\n")

    def _number(self, told: str) -> int:
        """The number in the id of an event of this feed; 0 for an id of another process, or for no id."""
        name, _, number = told.partition("-")
        return int(number) if name == self.headlines.name and re.fullmatch(r"\d{1,15}", number) else 0

    def _event(self, number: int, headline: Headline, language: str) -> str:
        said = language_of(headline.game, language)
        told = {**msgspec.structs.asdict(headline), "lang": ENGLISH}
        if said is not None and (text := said.sentence(headline.text)):
            told |= {"text": text, "lang": language}
        data = msgspec.json.encode(told).decode()
        return f"id: {self.headlines.name}-{number}\nevent: headline\ndata: {data}\n\n"

    async def _atom(self, host: str, language: str) -> bytes:
        at, made = self._made.get((host, language), (float("-inf"), b""))
        if time.monotonic() - at >= REMADE_S:
            finished = (await self._lobby.listing.matches()).finished
            changed = await asyncio.to_thread(self._changed, finished)
            titles = {name: face.game.spec.title for name, face in self._lobby.faces.items()}
            named = tuple(msgspec.structs.replace(one, title=one.title or titles.get(one.game, "")) for one in finished)
            made = atom(host, named, changed, language)
            self._made = {(host, language): (time.monotonic(), made)}
        return made

    def _changed(self, matches: tuple[MatchInfo, ...]) -> dict[str, int]:
        """The end of each of the matches, in ms."""
        return {one.match: self._lobby.store.header(one.match).changed_ms for one in matches}


def _events(text: str) -> Response:
    return respond(HTTPStatus.OK, text.encode(), "text/event-stream", cache="no-store")


def atom(host: str, matches: tuple[MatchInfo, ...], changed: dict[str, int], language: str) -> bytes:
    """An Atom feed (RFC 4287) of finished matches; `host`: how the server was called, `changed`: when each ended."""
    name = uuid.uuid5(uuid.NAMESPACE_DNS, host.casefold())
    updated = _time(max(changed.values(), default=0))
    entries = [_entry(one, changed[one.match], language) for one in matches]
    head = (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">'
        f"<id>urn:uuid:{name}</id><title>Herald: finished matches</title><updated>{updated}</updated>"
        f'<link rel="self" href="{ATOM}"/><link href="/"/><author><name>Herald</name></author>\n'
    )
    return f"{head}{''.join(entries)}</feed>\n".encode()


def _entry(info: MatchInfo, changed: int, language: str) -> str:
    players = " – ".join(seat.name or f"Seat {seat.seat + 1}" for seat in info.seats)
    who, _, why = info.result.partition(": ")
    said = language_of(info.game, language)
    reason = said.text(why) if said is not None else why
    won = [info.seats[int(n)].name for n in who.split(" ")[1:] if n.isdecimal() and int(n) < len(info.seats)]
    result = f"{' and '.join(won) or who}: {reason}"
    return (
        f"<entry><id>{uuid.UUID(bytes=sealing.unb64(info.match)).urn}</id>"
        f"<title>{_xml(f'{info.title}: {players}')}</title>"
        f'<link href="/replay#m={quote(info.match)}"/><published>{_time(info.created_ms)}</published>'
        f"<updated>{_time(changed)}</updated><summary>{_xml(result)}</summary></entry>\n"
    )


def _time(ms: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(ms / 1000))


def _xml(text: str) -> str:
    return escape(NOT_XML.sub("\ufffd", text))


def is_feed(path: str) -> bool:
    """Whether a path, without its query, is one of the two feeds' paths."""
    return path in (EVENTS, ATOM)
