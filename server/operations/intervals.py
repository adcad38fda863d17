"""The intervals, delays and batch sizes of a server's own tasks."""

from typing import Final

from msgspec import Struct


class Intervals(Struct, frozen=True):
    """No operator sets these values; tests use shorter ones.

    Lists and starts. `listed_s`: everybody gets the same list of matches for this long, unless somebody creates or
    joins a match. `remind_s`: after a start, players have this long to come back before they are reminded that it is
    their move. `ahead_ms`: a match is loaded this long before something is due in it, if no other server has it in
    memory. `retry_s`: how long after a failure the store is asked again.

    Matches in memory. `beat_s`: the interval of their heartbeat; `beats_at_once`: how many matches beat before other
    tasks have a turn (well under a millisecond). `heartbeat_s`: the silence after which a watched match is signed
    again; with `beat_s`, this is at least every 10 s. `forget_s`: how often matches that nobody watches leave memory.
    `collect_after`: the number of matches and connections that have left memory after which all objects are walked.
    Matches and connections normally leave no reference cycles; this collects the exceptions. Other requests, and
    sockets that only open and close, leave some KiB each, in cycles that the library makes. Walking 1,000 matches stops
    all of them for about 0.2 s. `ruling_s`: the interval of the search for matches that the host has ended, and for
    questions that were answered ahead.

    Notices to persons. `mail_ms`: how long a move waits before a mail reports it, because most moves are made sooner.
    `left_s`: how long players may be away from a table that waits for them before they are notified by their own
    channels. `telling_s`: the time after which an attempt to send a mail ends, and after which a channel with many
    messages begins no further message. `taken_ms`: how long a server's claim to a channel lasts; no attempt takes so
    long.

    Connections. `drain_s`: how often a connection with a slow reader is checked. `close_s`: how long the other side has
    to answer that a connection is closed. `ping_s`: how often each connection is pinged, and how long it may be silent
    after that. `open_s`: how long a connection may take until its handshake is done or its request is read; `renew_s`:
    how often the files of the certificate are checked. `told_s`: how long another process of this server may take to
    report its counters.

    Reminders. `look_s`: how often a server renews its claims of reminders, and looks for reminders that no server has
    claimed; `held_ms`: how long a claim lasts without renewal.

    Analysis and ratings. `think_ms`: how long the search may take for a question of a match; `line_ms`: the same if a
    single line was requested; `news_s`: the interval of reports about an analysis, the last of which is always sent.
    `fresh_s`: how long ratings that were read count as current. `invited_ms`: how long an unanswered invitation lasts.
    `lots_ms`: how long players who were paired have to show their lots.

    Other servers. `poll_s`: how often the store is asked for news if there are no notifications; `calm_s`: the same if
    there are, because a notification can be lost. `sweep_s`: how often the server looks for matches that no server
    continues; it takes up a match that has not changed between two looks. `elsewhere_s`: how long another server can
    write no line before it counts as gone; in any case, the append decides which of the two servers was first.
    `undecided_s`: how long a client that names an unknown line waits while this server decides something, because
    another server may have appended that line. `sign_s`: how often a server announces itself, while it has anything to
    say; `gone_ms`: a server that has been silent for this long counts as gone.
    """

    listed_s: float = 0.25
    remind_s: float = 30.0
    ahead_ms: int = 30_000
    retry_s: float = 1.0
    beat_s: float = 2.0
    beats_at_once: int = 16
    heartbeat_s: float = 8.0
    forget_s: float = 30.0
    collect_after: int = 20_000
    ruling_s: float = 3.0
    mail_ms: int = 600_000
    left_s: float = 60.0
    telling_s: float = 60.0
    taken_ms: int = 120_000
    drain_s: float = 0.05
    close_s: float = 2.0
    ping_s: float = 20.0
    open_s: float = 10.0
    renew_s: float = 10.0
    told_s: float = 2.0
    look_s: float = 5.0
    held_ms: int = 30_000
    think_ms: int = 1_500
    line_ms: int = 2_000
    news_s: float = 0.4
    fresh_s: float = 2.0
    invited_ms: int = 14 * 86_400_000
    lots_ms: int = 20_000
    poll_s: float = 1.0
    calm_s: float = 5.0
    sweep_s: float = 5.0
    elsewhere_s: float = 3.0
    undecided_s: float = 5.0
    sign_s: float = 5.0
    gone_ms: int = 15_000


INTERVALS: Final = Intervals()
