"""Limits of a server's memory and storage that no operator has to set (operators set `Limits`)."""

from typing import Final

from msgspec import Struct


class Bounds(Struct, frozen=True):
    """No operator sets these limits; tests use smaller ones.

    `hints_waiting`: the maximum number of waiting requests for hints; `hints_at_once`: the number of hints for which a
    seat may ask at once, before a limit per minute applies. `analyses_waiting`: matches and lines that wait to be
    analysed.

    `feed_requests`: requests per minute from one address for the feed of headlines; `feed_readers`: requests that wait
    for news at the same time (further requests are answered at once); `headlines`: headlines in memory (the oldest are
    dropped first).

    `own_reports`: waiting reports from one source; `reports`: waiting reports in total; at this limit, the host has to
    settle some before more are stored. `invitations`: one person's unanswered invitations.

    `pages`: the sockets for pages, in addition to websocket connections. `handshakes`: connections in their handshake;
    above this limit, the oldest is closed.

    `frame_lines`, `frame_bytes`: the maximum number of lines, and of bytes of lines, in one frame when a client catches
    up; a single line can have more bytes.
    """

    hints_waiting: int = 8
    hints_at_once: float = 6.0
    analyses_waiting: int = 8
    feed_requests: float = 120.0
    feed_readers: int = 64
    headlines: int = 200
    own_reports: int = 10
    reports: int = 10_000
    invitations: int = 20
    pages: int = 256
    handshakes: int = 1_000
    frame_lines: int = 500
    frame_bytes: int = 128 * 1024


BOUNDS: Final = Bounds()
