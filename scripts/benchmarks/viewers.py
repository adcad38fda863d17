"""Viewers of one match in a separate process, with and without open cards: each frame that they receive, and its time.

`python -m scripts.benchmarks.viewers MATCH PLAIN OPEN PORT,PORT` connects this many spectators and viewers of open
cards, alternating between the ports, and prints `ready` once each viewer has the lines so far. A line of input begins
measuring, the next ends it; then it prints one line of JSON (`Seen`).

Real viewers use separate machines. The viewers here therefore read their sockets with as little work as possible
(Linux, epoll(7)), and leave the processor to the relays.
"""

import select
import socket
import sys
import time
from array import array
from collections.abc import Sequence
from typing import Final, Literal

import msgspec
from msgspec import Struct
from websockets.frames import Opcode

from scripts.benchmarks.sockets import NO_MASK, allow_files, client_frame, server_frame, upgrade_request
from server.wire.addresses import SOCKET
from server.wire.protocol import Events, Hello, read_server_message, write_client_message

Kind = Literal["spectator", "open"]
PLAIN: Final[Kind] = "spectator"
OPEN: Final[Kind] = "open"
EVENTS: Final = b'{"t":"events"'
PATIENCE_S: Final = 300.0
READ_BYTES: Final = 1 << 14
"""More bytes than most frames have. For a much larger buffer the system would allocate fresh memory at each read."""
TOGETHER_S: Final = 0.002
"""Received data stays in the sockets for this long, and is then read together: a frame counts as this much later, but
the machine does not switch between sender and reader for each frame."""


class Frame(Struct, frozen=True):
    """A frame with lines `first` to `last`, and when each viewer had it, in ms since 1970; `live`: while measured."""

    kind: str
    text: str
    first: int
    last: int
    live: bool
    times: list[float]


class Seen(Struct, frozen=True):
    """All frames. `unordered`: the number of frames that did not begin right after the previous line; `closed`:
    connections lost; `used_s`: processor time of this process while measured.
    """

    frames: list[Frame]
    unordered: int
    closed: int
    used_s: float = 0.0


class Kept:
    """A frame while it is counted."""

    __slots__ = ("first", "last", "times")

    def __init__(self, payload: bytes) -> None:
        told = read_server_message(payload.decode())
        assert isinstance(told, Events)
        self.first, self.last = told.first, told.last
        self.times = array("d")


class Crowd:
    """The frames that viewers of one kind have received, before measuring and since."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.greeted = self.closed = self.unordered = 0
        self._kept: dict[tuple[bytes, bool], Kept] = {}
        self.is_measured = False
        self.reads: dict[bytes, list[Kept]] = {}
        """The frames in a read of a socket, by the bytes read, if all of these are frames with lines."""

    def begin(self) -> None:
        """Begin measuring."""
        self.is_measured = True
        self.reads.clear()

    def kept(self, payload: bytes) -> Kept:
        """A frame with lines."""
        which = payload, self.is_measured
        if which not in self._kept:
            self._kept[which] = Kept(payload)
        return self._kept[which]

    def frames(self) -> list[Frame]:
        """The frames with lines, once measuring has ended."""
        return [
            Frame(self.kind, payload.decode(), kept.first, kept.last, live, [*kept.times])
            for (payload, live), kept in self._kept.items()
        ]


class Viewer:
    """One viewer: a websocket."""

    __slots__ = ("_crowd", "_rest", "_seq", "_socket")

    def __init__(self, crowd: Crowd, joined: socket.socket) -> None:
        self._crowd, self._socket = crowd, joined
        self._rest, self._seq = b"", 0

    def read(self) -> bool:
        """Read the received data; returns False if the connection is closed."""
        data = self._socket.recv(READ_BYTES)
        at = time.time() * 1000
        if not data:
            self._crowd.closed += 1
            return False
        self.take(data, at)
        return True

    def take(self, data: bytes, at: float) -> None:
        """Note the lines in the data of one moment."""
        if self._rest:
            data = self._rest + data
        frames = self._crowd.reads.get(data)
        if frames is None:
            frames, is_all = self._parsed(data)
            if is_all:
                self._crowd.reads[data] = frames
        else:
            self._rest = b""
        for kept in frames:
            kept.times.append(at)
            self._crowd.greeted += not self._seq
            self._crowd.unordered += kept.first != self._seq + 1
            self._seq = kept.last

    def _parsed(self, data: bytes) -> tuple[list[Kept], bool]:
        """The frames with lines, and whether there was nothing else."""
        found: list[Kept] = []
        at, is_all = 0, True
        while (frame := server_frame(data, at)) is not None and frame[2] <= len(data):
            opcode, begin, at = frame
            payload = data[begin:at]
            if opcode == Opcode.TEXT and payload.startswith(EVENTS):
                found.append(self._crowd.kept(payload))
                continue
            is_all = False
            if opcode == Opcode.PING:
                self._socket.send(bytes((0x8A, 0x80 | len(payload))) + NO_MASK + payload)
        self._rest = data[at:]
        return found, is_all and not self._rest


class Viewers:
    """All viewers of this process."""

    def __init__(self, match: str, ports: Sequence[int]) -> None:
        self._match, self._ports = match, ports
        self.crowds: dict[Kind, Crowd] = {PLAIN: Crowd(PLAIN), OPEN: Crowd(OPEN)}
        self._poll = select.epoll()
        self._viewers: dict[int, Viewer] = {}

    def enter(self, kind: Kind, number: int) -> None:
        """Connect one more viewer, and wait until it is greeted. Raises `TimeoutError`."""
        joined = socket.create_connection(("127.0.0.1", self._ports[number % len(self._ports)]), PATIENCE_S)
        joined.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        joined.sendall(upgrade_request(SOCKET))
        head = b""
        while b"\r\n\r\n" not in head:
            head += joined.recv(1)
        assert head.startswith(b"HTTP/1.1 101"), head
        crowd = self.crowds[kind]
        joined.sendall(client_frame(write_client_message(Hello(self._match, viewer=kind, since=0)).encode()))
        self._viewers[joined.fileno()] = Viewer(crowd, joined)
        self._poll.register(joined.fileno(), select.EPOLLIN)
        wanted, until = crowd.greeted + 1, time.monotonic() + PATIENCE_S
        while crowd.greeted < wanted:
            self.look(0.1)
            if time.monotonic() > until:
                raise TimeoutError("a viewer was not greeted")

    def look(self, seconds: float) -> bool:
        """Read the data that has arrived or arrives in that time; returns whether there is a line of input."""
        asked = False
        time.sleep(TOGETHER_S)
        for number, _ in self._poll.poll(seconds):
            if number == sys.stdin.fileno():
                asked = True
            elif not self._viewers[number].read():
                self._poll.unregister(number)
        return asked

    def until_asked(self) -> None:
        """Read until there is a line of input."""
        self._poll.register(sys.stdin.fileno(), select.EPOLLIN)
        while not self.look(1.0):
            pass
        sys.stdin.readline()
        self._poll.unregister(sys.stdin.fileno())

    def seen(self, used_s: float = 0.0) -> Seen:
        """The result, once measuring has ended."""
        crowds = self.crowds.values()
        frames = [frame for crowd in crowds for frame in crowd.frames()]
        return Seen(frames, sum(one.unordered for one in crowds), sum(one.closed for one in crowds), used_s)


def watch(match: str, plain: int, opened: int, ports: Sequence[int]) -> Seen:
    """See the module."""
    viewers = Viewers(match, ports)
    wishes: tuple[tuple[Kind, int], ...] = ((PLAIN, plain), (OPEN, opened))
    for kind, many in wishes:
        for number in range(many):
            viewers.enter(kind, number)
    print("ready", flush=True)
    viewers.until_asked()
    for crowd in viewers.crowds.values():
        crowd.begin()
    used = time.process_time()
    viewers.until_asked()
    return viewers.seen(time.process_time() - used)


if __name__ == "__main__":
    allow_files(32_768)
    of, plain_count, open_count, at_ports = sys.argv[1:5]
    told = watch(of, int(plain_count), int(open_count), [int(port) for port in at_ports.split(",")])
    print(msgspec.json.encode(told).decode())
