"""Links of a server's pages: `http://HOST:PORT/play#m=MATCH&t=TOKEN&k=KEY`; no server sees the part after the `#`.

An invitation is `/play#m=MATCH&i=INVITATION`; the first person who sits down by it has a link of their own from then
on.
"""

from urllib.parse import parse_qs, urlsplit

from msgspec import Struct

from herald_client.errors import BadLink
from herald_client.keys import Key

PORTS = {"http": ":80", "https": ":443"}
SCHEMES = {"http": "http", "https": "https", "ws": "http", "wss": "https"}


class Link(Struct, frozen=True):
    """A match on a server; with a token its seat, with `key` the seat's private key as text.

    `invitation`: the secret that opens a seat of the match once.
    """

    server: str
    match: str
    token: str = ""
    key: str = ""
    invitation: str = ""

    def __str__(self) -> str:
        if self.invitation and not self.token:
            return f"{self.server}/play#m={self.match}&i={self.invitation}"
        page = f"play#m={self.match}&t={self.token}" if self.token else f"watch#m={self.match}"
        return f"{self.server}/{page}{f'&k={self.key}' if self.key else ''}"

    def __repr__(self) -> str:
        return f"Link({self.server}, {self.match})"


def base_of(url: str) -> str:
    """A server's address without a path, as its pages have it. Raises `BadLink`."""
    try:
        parts = urlsplit(url)
        is_whole = parts.scheme in SCHEMES and parts.hostname and parts.port != 0
    except ValueError:  # brackets that do not fit, or a port that is no number
        is_whole = False
    if not is_whole:
        raise BadLink(f"{url!r} is no server's address, as http://HOST:PORT.")
    return f"{SCHEMES[parts.scheme]}://{parts.netloc}"


def site_of(url: str) -> str:
    """A server's name as a client calls it: its host, and the port if it is not the usual one. Raises `BadLink`."""
    parts = urlsplit(base_of(url))
    return parts.netloc.rpartition("@")[2].removesuffix(PORTS[parts.scheme])


def socket_of(base: str) -> str:
    """The websocket's address of a server."""
    return f"ws{base.removeprefix('http')}/ws"


def socket_at(socket: str, match: str) -> str:
    """The address at which a match is entered, derived from the address of the server's websocket, with a short hash of
    the match.

    A server of several processes, or a proxy before several servers, uses the hash to route the connection to the
    match.
    """
    if not match:
        return socket
    short = 0x811C9DC5
    for byte in match.encode():
        short = (short ^ byte) * 0x01000193 & 0xFFFFFFFF
    return f"{socket}/{short:08x}"


def read_link(text: str) -> Link:
    """A page's link, taken apart. Raises `BadLink` for a text that is no link to a match, or holds half a key."""
    address, _, fragment = text.partition("#")
    held = {name: values[0] for name, values in parse_qs(fragment).items()}
    if not address.startswith(("http://", "https://")) or not held.get("m"):
        raise BadLink(f"{text!r} is no link to a match, as http://HOST:PORT/play#m=MATCH&t=TOKEN.")
    if "k" in held:
        Key.read(held["k"])
    return Link(base_of(text), held["m"], held.get("t", ""), held.get("k", ""), held.get("i", ""))
