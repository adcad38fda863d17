"""HTTP on the websocket's port: the web client's files, health, and finished matches as bundles."""

import base64
import gzip
import hashlib
import mimetypes
import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from http import HTTPStatus
from pathlib import PurePosixPath
from urllib.parse import parse_qs, unquote, urlsplit

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from projections.languages import ENGLISH
from server.pages.armies import ARMIES
from server.pages.assets import sent
from server.pages.lessons import GUIDES, LESSONS
from server.pages.line_tables import FOLDER, line_table_at
from server.pages.rulebooks import rulebook
from server.wire.schemas import documents

CSP = (
    "default-src 'none'; script-src 'self'{scripts}; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; media-src 'self' blob:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors {ancestors}"
)
EMBEDDED = "/embed/"
"""Below this path lie the pages that others may embed, if their origins are named."""
ZERO = re.compile(r"q=0(?:\.0*)?")
INLINE_SCRIPT = re.compile(rb"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", re.DOTALL)
PAGES = {
    "/": "index.html",
    "/army": "army.html",
    "/desk": "desk.html",
    "/follow": "follow.html",
    "/guide": "guide.html",
    "/learn": "learn.html",
    "/lesson": "lesson.html",
    "/me": "me.html",
    "/play": "table.html",
    "/privacy": "privacy.html",
    "/ratings": "ratings.html",
    "/watch": "table.html",
    "/replay": "table.html",
    "/staff": "staff.html",
    "/wall": "wall.html",
}
BELOW = {"/overlay/": "overlay.html", "/embed/": "embed.html"}
"""Pages whose address ends with a match's id."""
TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".json": "application/json",
    ".css": "text/css",
    ".woff2": "font/woff2",
}
FOR_EVER = "public, max-age=31536000, immutable"
"""Fonts have their version in their names: a browser that has one need not ask again, and shows text in it at once."""

RECORD = "/api/record/"
"""Below this path lie records as files to audit: JSON lines."""
SCHEMA = "/schema/"
"""Below this path lie descriptions of the protocol, in JSON Schema and AsyncAPI."""
INSPECTOR = "inspect"
"""The folder of the inspector: it exists only on a server that runs with `--develop`."""
Api = Callable[[str, dict[str, str]], bytes | None]
"""`(path, query)`: the JSON of an address below `/api/`, `ARMIES`, `LESSONS` or `GUIDES`, None when there is none."""


def respond(
    status: HTTPStatus,
    body: bytes,
    content_type: str,
    *,
    cache: str = "no-cache",
    zipped: bytes = b"",
    embedders: Sequence[str] = (),
) -> Response:
    """A response with the headers every page has; `zipped`: the body as gzip (RFC 1952), sent in its place.

    `embedders`: the origins whose pages may embed it.
    """
    headers = Headers()
    headers["Content-Type"] = content_type
    headers["Content-Length"] = str(len(zipped or body))
    if zipped:
        headers["Content-Encoding"] = "gzip"
        headers["Vary"] = "Accept-Encoding"
    headers["Cache-Control"] = cache
    headers["Content-Security-Policy"] = CSP.format(
        scripts=_hashes(body) if "html" in content_type else "", ancestors=" ".join(embedders) or "'none'"
    )
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "no-referrer"
    headers["Connection"] = "close"
    return Response(status.value, status.phrase, headers, zipped or body)


def plain(status: HTTPStatus, text: str) -> Response:
    """A response of one line of text."""
    return respond(status, f"{text}\n".encode(), "text/plain; charset=utf-8")


def _hashes(html: bytes) -> str:
    """Herald's inline scripts by their hashes (CSP 3, 8.4); no other script may run."""
    found = (hashlib.sha256(script).digest() for script in INLINE_SCRIPT.findall(html))
    return "".join(f" 'sha256-{base64.b64encode(digest).decode()}'" for digest in found)


def accepted_codings(request: Request) -> str:
    """The packings that a request accepts for its answer."""
    return ",".join(request.headers.get_all("Accept-Encoding"))


def takes_gzip(accepted: str) -> bool:
    """Whether the sender of this `Accept-Encoding` reads gzip (RFC 9110, 12.5.3)."""
    for part in accepted.split(","):
        coding, _, weight = part.partition(";")
        if coding.strip().lower() == "gzip":
            return not ZERO.fullmatch(weight.replace(" ", ""))
    return False


def page(
    target: str, api: Api, *, develop: bool = False, accepted: str = "", embedders: Sequence[str] = ()
) -> Response:
    """The answer to a GET of anything but the websocket; `develop`: the inspector is served too.

    `embedders`: the origins whose pages may embed those below `EMBEDDED`.

    `accepted`: the request's `Accept-Encoding`. Only files of the client and tables of lines are compressed: they hold
    no secret that their length could reveal.
    """
    parts = urlsplit(target)
    path = unquote(parts.path)
    is_zipped = takes_gzip(accepted)
    if path == f"/{INSPECTOR}" and develop:
        return _file(f"{INSPECTOR}/index.html", is_zipped=is_zipped)
    if path == "/healthz":
        return respond(HTTPStatus.OK, b"ok\n", "text/plain; charset=utf-8")
    if path.startswith(("/api/", ARMIES, LESSONS, GUIDES)):
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        book = rulebook(path, query.get("lang", ENGLISH))
        if book is not None:
            return respond(HTTPStatus.OK, book[0], "application/json", cache=book[1])
        body = api(path, query)
        if body is None:
            return _missing()
        return respond(HTTPStatus.OK, body, "application/x-ndjson" if path.startswith(RECORD) else "application/json")
    if path.startswith(FOLDER):
        table = line_table_at(path)
        if table is None:
            return _missing()
        return respond(HTTPStatus.OK, table, "application/json", zipped=_zipped(table) if is_zipped else b"")
    if path.startswith(SCHEMA):
        found = _schemas().get(path.removeprefix(SCHEMA) or "index.json")
        return _missing() if found is None else respond(HTTPStatus.OK, found, "application/schema+json")
    name = PAGES.get(path) or next((name for at, name in BELOW.items() if path.startswith(at)), path.lstrip("/"))
    if PurePosixPath(name).parts[:1] == (INSPECTOR,) and not develop:
        return _missing()
    return _file(name, is_zipped=is_zipped, embedders=embedders if path.startswith(EMBEDDED) else ())


@cache
def _schemas() -> dict[str, bytes]:
    return documents()


def _missing() -> Response:
    text = b"There is nothing here. The first page is at /.\n"
    return respond(HTTPStatus.NOT_FOUND, text, "text/plain; charset=utf-8")


@lru_cache(maxsize=512)
def _zipped(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)


def _file(name: str, *, is_zipped: bool, embedders: Sequence[str] = ()) -> Response:
    pure = PurePosixPath(name)
    if pure.is_absolute() or not pure.parts or any(part in {"..", "."} or "\\" in part for part in pure.parts):
        return _missing()
    try:
        body = sent(pure)
    except (OSError, ValueError):
        return _missing()
    kind = TYPES.get(pure.suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    charset = "; charset=utf-8" if kind.startswith("text/") or kind == "application/json" else ""
    caching = FOR_EVER if pure.suffix == ".woff2" else "no-cache"
    return respond(
        HTTPStatus.OK,
        body,
        kind + charset,
        cache=caching,
        zipped=_zipped(body) if is_zipped and charset else b"",
        embedders=embedders,
    )
