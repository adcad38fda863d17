"""Links to a match or to a moment of it that other programs show with a picture, embedded pages, and oEmbed.

`/match/MATCH?at=LINE` is a page for programs that show previews of links; it sends people on to the table.
`/picture/MATCH.svg` and `.png` draw the table, `/oembed?url=` says how a page embeds it. All of them show only things
that a spectator may see.
"""

import re
from collections.abc import Callable, Sequence
from html import escape
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qs, quote, unquote, urlsplit

import msgspec
from msgspec import Struct
from websockets.datastructures import Headers
from websockets.http11 import Response

from domain.kernel import Event
from projections.chronicle import line
from projections.face import Face, Scene
from projections.words import outcome
from server.pages.serving import plain, respond
from server.pages.table_picture import HEIGHT, NOT_XML, WIDTH, can_paint, png, svg

MATCH: Final = "/match/"
PICTURE: Final = "/picture/"
OEMBED: Final = "/oembed"
ID: Final = re.compile(r"[A-Za-z0-9_-]{22}")
LINE: Final = re.compile(r"\d{1,9}")
WIDE: Final = 960
HIGH: Final = 640
SMALLEST: Final = 200
TOLD: Final = 40
"""The number of lines before the moment among which the last event is searched for."""


class SpectatedMatch(Struct, frozen=True):
    """A match as spectators see it: the redacted events up to a line; `title`: "" if it has none of its own."""

    face: Face[Any]
    title: str
    events: Sequence[Event]
    is_over: bool

    def __repr__(self) -> str:
        return f"Seen({self.face.game.name}, {len(self.events)} events)"


Find = Callable[[str, int], SpectatedMatch | None]
"""A match at a line, or earlier if spectators may not see that yet; 0: the last line that they may see. None if there
is no such match.
"""


class SharedMoment(Struct, frozen=True):
    """A match at one of its lines, as a spectator sees it; `at`: the line that a link names, 0 for none."""

    match: str
    title: str
    players: tuple[str, ...]
    at: int
    event: str
    scene: Scene
    is_over: bool

    @property
    def named(self) -> str:
        """The match in one line of text."""
        return f"{self.title}: {' – '.join(self.players)}"

    @property
    def query(self) -> str:
        """The moment as the query of an address."""
        return f"?at={self.at}" if self.at else ""

    @property
    def table(self) -> str:
        """The address at which people see the moment."""
        if self.at or self.is_over:
            return f"/replay#m={self.match}{f'&seq={self.at}' if self.at else ''}"
        return f"/watch#m={self.match}"


def is_shared(path: str) -> bool:
    """Whether a path, without its query, is answered by this module."""
    return path.startswith((MATCH, PICTURE)) or path == OEMBED


def base_of(headers: Headers, *, is_tls: bool) -> str:
    """The address by which a client has called the server; answers to the client contain it."""
    told = headers.get_all("X-Forwarded-Proto")
    scheme = "https" if is_tls or told == ["https"] else "http"
    return f"{scheme}://{','.join(headers.get_all('Host'))}"


class Sharing:
    """Answers the paths that `is_shared` accepts. `embedders`: the origins whose pages may embed a match."""

    def __init__(self, find: Find, embedders: tuple[str, ...] = ()) -> None:
        self._find, self._embedders = find, embedders

    def answer(self, target: str, base: str) -> Response:
        """The answer to a GET; it reads and folds a match, so it belongs in a thread."""
        parts = urlsplit(target)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == OEMBED:
            return self._oembed(query, base)
        name, _, kind = unquote(parts.path).rpartition("/")[2].partition(".")
        moment = self._moment(name, query.get("at", ""))
        if moment is None:
            return _nothing()
        if parts.path.startswith(MATCH):
            return respond(HTTPStatus.OK, _page(moment, base).encode(), "text/html; charset=utf-8")
        return _picture(moment, kind)

    def _moment(self, match: str, at: str) -> SharedMoment | None:
        """The moment, or None for a match that spectators cannot see."""
        if not ID.fullmatch(match):
            return None
        wanted = int(at) if LINE.fullmatch(at) else 0
        seen = self._find(match, wanted)
        if seen is None or not seen.events:
            return None
        view, event = _folded(seen.face, seen.events)
        title = seen.title or seen.face.game.spec.title
        at_line = len(seen.events) if wanted else 0
        return SharedMoment(
            match, title, tuple(view.players), at_line, event, seen.face.scene(view, None), seen.is_over
        )

    def _oembed(self, query: dict[str, str], base: str) -> Response:
        """The data for embedding the page at `url` (oEmbed 1.0, 2.3.4)."""
        if query.get("format", "json") != "json":
            return plain(HTTPStatus.NOT_IMPLEMENTED, "Only JSON is answered.")
        match, at = _of_url(query.get("url", ""), base)
        moment = self._moment(match, at)
        if moment is None:
            return _nothing()
        width = _size(query.get("maxwidth", ""), WIDE)
        height = min(_size(query.get("maxheight", ""), HIGH), width * HIGH // WIDE + 1)
        told: dict[str, Any] = {
            "version": "1.0",
            "type": "link",
            "title": moment.named,
            "provider_name": "Herald",
            "provider_url": f"{base}/",
            "cache_age": 60,
        }
        if can_paint():
            told |= {
                "thumbnail_url": f"{base}{PICTURE}{match}.png{moment.query}",
                "thumbnail_width": WIDTH,
                "thumbnail_height": HEIGHT,
            }
        if self._embedders:
            source = escape(f"{base}/embed/{match}{moment.query}")
            frame = f'<iframe src="{source}" width="{width}" height="{height}" title="{_plain(moment.named)}"></iframe>'
            told |= {"type": "rich", "html": frame, "width": width, "height": height}
        return respond(HTTPStatus.OK, msgspec.json.encode(told), "application/json")


def _folded(face: Face[Any], events: Sequence[Event]) -> tuple[Any, str]:
    """The spectators' view after these events, and the last event."""
    game = face.game
    first = max(1, len(events) - TOLD)
    view: Any = game.fold(events[:first])
    said = ""
    for event in events[first:]:
        before = view
        view = game.fold((event,), before)
        told = line(face, before, view, event, None)
        parts = told["t"] if told is not None else ""
        text = parts if isinstance(parts, str) else "".join(p if isinstance(p, str) else p["t"] for p in parts)
        said = text or said
    return view, outcome(view.players, view.result) if view.result is not None else said


def _picture(moment: SharedMoment, kind: str) -> Response:
    if kind not in ("svg", "png") or (kind == "png" and not can_paint()):
        return _nothing()
    drawing = svg(moment.scene, moment.event)
    if kind == "svg":
        return respond(HTTPStatus.OK, drawing.encode(), "image/svg+xml")
    return respond(HTTPStatus.OK, png(drawing), "image/png")


def _page(moment: SharedMoment, base: str) -> str:
    """The page of a moment: tags for programs, and a link to the table for people."""
    kind = "png" if can_paint() else "svg"
    here = f"{base}{MATCH}{moment.match}{moment.query}"
    picture = f"{base}{PICTURE}{moment.match}.{kind}{moment.query}"
    tags = {
        "og:type": "website",
        "og:site_name": "Herald",
        "og:title": moment.named,
        "og:description": moment.event,
        "og:url": here,
        "og:image": picture,
        "og:image:type": "image/png" if kind == "png" else "image/svg+xml",
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
        "og:image:alt": f"{moment.named}. {moment.event}",
        "twitter:card": "summary_large_image",
    }
    metas = "".join(f'<meta property="{name}" content="{_plain(text)}">\n' for name, text in tags.items())
    table, oembed = escape(moment.table), escape(f"{base}{OEMBED}?url={quote(here, safe='')}")
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{_plain(moment.named)}</title>\n{metas}'
        f'<link rel="alternate" type="application/json+oembed" href="{oembed}">\n'
        f'<meta http-equiv="refresh" content="0;url={table}">\n<a href="{table}">{_plain(moment.named)}</a>\n</html>\n'
    )


def match_in(target: str, base: str) -> str:
    """The match named by an address that `is_shared` accepts; "" for none."""
    parts = urlsplit(target)
    if parts.path == OEMBED:
        return _of_url(parse_qs(parts.query).get("url", [""])[0], base)[0]
    return unquote(parts.path).rpartition("/")[2].partition(".")[0]


def _of_url(url: str, base: str) -> tuple[str, str]:
    """The match and the line that an address of this server names; empty texts for any other."""
    parts = urlsplit(url[:1000])
    if f"{parts.scheme}://{parts.netloc}" not in (base, base.replace("http://", "https://", 1)):
        return "", ""
    if parts.path in ("/watch", "/replay"):
        held = parse_qs(parts.fragment)
        return held.get("m", [""])[0], held.get("seq", [""])[0]
    if parts.path.startswith((MATCH, "/embed/")):
        return parts.path.rpartition("/")[2], parse_qs(parts.query).get("at", [""])[0]
    return "", ""


def _size(text: str, most: int) -> int:
    return max(SMALLEST, min(most, int(text))) if LINE.fullmatch(text) else most


def _plain(text: str) -> str:
    return escape(NOT_XML.sub("\ufffd", text))


def _nothing() -> Response:
    return plain(HTTPStatus.NOT_FOUND, "There is no such match.")
