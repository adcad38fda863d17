"""Chances to win and commentaries that a relay fetches from an origin over HTTP and passes on as signed."""

import asyncio
import logging
import re
import time
from collections import OrderedDict
from typing import Annotated, Final, Literal
from urllib.error import URLError
from urllib.request import HTTPDefaultErrorHandler, HTTPErrorProcessor, HTTPHandler, HTTPSHandler, OpenerDirector

import msgspec
from msgspec import Meta, Struct

from replay.record import statements
from server.direction.commentary import SOUND_BYTES, TRACKS, WEBM, TimedRemark, Track
from server.errors import place_of
from server.relay.relayed_match import RelayedMatch

LOG = logging.getLogger(__name__)
FRESH_S: Final = 10.0
"""How long everybody gets the same chances."""
MOST: Final = 64
"""The number of matches whose chances are remembered."""
PATIENCE_S: Final = 5.0
OUTLOOK_BYTES: Final = 4096
TRACKS_BYTES: Final = 8 << 20
NAMED: Final = re.compile(r"[A-Za-z0-9_-]{1,32}\.webm")
NONE: Final = b"{}"
Share = Annotated[float, Meta(ge=0, le=1)]


class _Side(Struct, frozen=True):
    seats: list[Annotated[int, Meta(ge=0, le=7)]]
    share: Share
    low: Share
    high: Share


Samples = Annotated[int, Meta(ge=1, le=10_000)]
Sides = Annotated[list[_Side], Meta(min_length=1, max_length=8)]


class _Outlook(Struct, frozen=True, omit_defaults=True):
    line: int
    samples: Samples
    sides: Sides
    said: str = ""
    signed: str = ""


Words = tuple[Literal["chance"], str, int, int, Samples, Sides]
"""The signed statement: the match, the time, the line, and the figures."""


class _Tracks(Struct, frozen=True):
    tracks: Annotated[tuple[Track, ...], Meta(max_length=TRACKS)]


def _opener() -> OpenerDirector:
    """Opens addresses without following redirects, so that an origin cannot name another address to read from."""
    made = OpenerDirector()
    for part in (HTTPHandler, HTTPSHandler, HTTPDefaultErrorHandler, HTTPErrorProcessor):
        made.add_handler(part())
    return made


class RelayedStatements:
    """Asks the origins in their order, and caches the last chances of each match for a while."""

    def __init__(self, origins: tuple[str, ...]) -> None:
        """`origins`: addresses of websockets."""
        self._bases = tuple(re.sub(r"^ws(.*)/ws$", r"http\1", origin) for origin in origins)
        self._known: OrderedDict[str, tuple[float, bytes]] = OrderedDict()
        self._asking = asyncio.Lock()
        self._opener = _opener()

    async def outlook(self, show: RelayedMatch) -> bytes:
        """The chances to win as JSON; an empty object if no origin has any that spectators may see."""
        async with self._asking:
            at, told = self._known.get(show.match, (float("-inf"), NONE))
            if time.monotonic() - at >= FRESH_S:
                told = await self._told(show)
                self._known[show.match] = time.monotonic(), told
                self._known.move_to_end(show.match)
                if len(self._known) > MOST:
                    self._known.popitem(last=False)
            return told

    async def _told(self, show: RelayedMatch) -> bytes:
        data = await self._asked(f"/api/outlook/{show.match}", OUTLOOK_BYTES)
        if data is None or data.strip() == NONE:
            return NONE
        try:
            found = msgspec.json.decode(data, type=_Outlook)
        except (msgspec.MsgspecError, UnicodeError):
            LOG.error("an origin told no chances of %s that are any", show.match)
            return NONE
        if not _is_signed_so(found, show.match):
            LOG.error("an origin told chances of %s that were not signed so", show.match)
            return NONE
        if not 0 < found.line <= show.copy.seq:
            return NONE  # the lines have not yet arrived here
        return msgspec.json.encode(found)

    async def commentary(self, show: RelayedMatch, path: str) -> tuple[bytes, str] | None:
        """The list of commentaries on a finished match, or the sound of one commentary, with the content's type."""
        name = path.split("/", 4)[4] if path.count("/") > 3 else ""
        if not show.is_over or (name and not NAMED.fullmatch(name)):
            return None
        if name:
            sound = await self._asked(f"/api/commentary/{show.match}/{name}", SOUND_BYTES)
            return (sound, "audio/webm") if sound is not None and sound.startswith(WEBM) else None
        data = await self._asked(f"/api/commentary/{show.match}", TRACKS_BYTES)
        try:
            found = msgspec.json.decode(data or b"", type=_Tracks)
        except (msgspec.MsgspecError, UnicodeError):
            return None
        return msgspec.json.encode(
            {"tracks": [_bounded(one, show.copy.seq) for one in found.tracks]}
        ), "application/json"

    async def _asked(self, path: str, most: int) -> bytes | None:
        """An origin's answer; None if no origin has one within the limit of bytes."""
        for base in self._bases:
            data = await asyncio.to_thread(self._read, base + path, most)
            if data is not None:
                return data
        return None

    def _read(self, address: str, most: int) -> bytes | None:
        try:
            with self._opener.open(address, timeout=PATIENCE_S) as answer:
                data: bytes = answer.read(most + 1)
        except (URLError, OSError, ValueError) as wrong:
            LOG.debug("%s cannot be read: %s", address, place_of(wrong))
            return None
        return data if len(data) <= most else None


def _is_signed_so(found: _Outlook, match: str) -> bool:
    """Whether the signed statement, if there is one, has exactly this content; viewers judge whose key signed it."""
    if not found.said and not found.signed:
        return True
    if not statements.signer(found.said, found.signed):
        return False
    try:
        _, of, _, line, samples, sides = msgspec.json.decode(found.said, type=Words)
    except (msgspec.MsgspecError, UnicodeError):
        return False
    return (of, line, samples, sides) == (match, found.line, found.samples, found.sides)


def _bounded(track: Track, end: int) -> Track:
    """A commentary without its references to lines that the match does not have."""
    return msgspec.structs.replace(track, said=tuple(one for one in track.said if _points_within(one, end)))


def _points_within(said: TimedRemark, end: int) -> bool:
    return max(said.line, *(said.direction.lines if said.direction is not None else (0,))) <= end
