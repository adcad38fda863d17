"""The server's metrics, in Prometheus' text format (exposition format 0.0.4).

The metrics are only numbers for the entire server, never for one match, one seat or one message. They are cheap: a
choice costs a few additions and one search in a list of fourteen bounds.
"""

import os
import resource
import sys
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from msgspec import Struct

from replay.store.health import GROUP_BOUNDS, Pulse

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
COMMIT_BOUNDS_S: Final = (
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
)  # fmt: skip
"""Upper bounds, in seconds, of the intervals in which commits are counted by their duration."""
STATUSES: Final = ("open", "running", "finished")
_STARTED: Final = time.time()


class Meters:
    """Counts since the start. Only the event loop's thread changes them."""

    __slots__ = (
        "accepted",
        "catch_ups",
        "closed",
        "commit_s",
        "commits",
        "lag_s",
        "received_bytes",
        "refused",
        "sent_bytes",
        "stuck_bots",
    )

    def __init__(self) -> None:
        self.accepted = 0
        self.refused: Counter[str] = Counter()
        self.commits = [0] * (len(COMMIT_BOUNDS_S) + 1)
        self.commit_s = 0.0
        self.sent_bytes = 0
        self.received_bytes = 0
        self.catch_ups = 0
        self.stuck_bots = 0
        self.closed: Counter[int] = Counter()
        self.lag_s = 0.0

    def commit(self, seconds: float) -> None:
        """Count a durable commit, with the time since the store received it."""
        self.commits[bisect_left(COMMIT_BOUNDS_S, seconds)] += 1
        self.commit_s += seconds


class RegistryState(Struct, frozen=True):
    """The current state: matches in memory, connections by role, connections closed for lack of places, and
    readiness.
    """

    hosts: int
    connections: dict[str, int]
    shed: int
    is_ready: bool


def exposition(meters: Meters, standing: RegistryState, counts: dict[str, int], pulse: Pulse) -> str:
    """The page `/metrics`."""
    families = (
        gauge("herald_build_info", "The program.", [(f'version="{_escaped(program_version())}"', 1)]),
        gauge("herald_ready", "Whether players should be sent here.", [("", int(standing.is_ready))]),
        gauge("herald_matches", "Matches stored, by status.", [(f'status="{s}"', counts.get(s, 0)) for s in STATUSES]),
        gauge("herald_matches_in_memory", "Matches folded and held in memory.", [("", standing.hosts)]),
        gauge(
            "herald_connections",
            "Websockets open: at a seat, at its holder's shoulder, watching, or in no match yet.",
            [(f'kind="{kind}"', number) for kind, number in standing.connections.items()],
        ),
        counter("herald_shed_total", "Connections closed for want of a place.", [("", standing.shed)]),
        counter("herald_choices_accepted_total", "Choices of players accepted.", [("", meters.accepted)]),
        counter(
            "herald_choices_refused_total",
            "Choices of players refused, by code.",
            [(f'code="{_escaped(code)}"', n) for code, n in sorted(meters.refused.items())],
        ),
        counter("herald_stuck_bots_total", "Times that a bot could not answer.", [("", meters.stuck_bots)]),
        _histogram(
            "herald_commit_seconds",
            "From handing a commit to the store until it was durable.",
            COMMIT_BOUNDS_S,
            meters.commits,
            meters.commit_s,
        ),
        *_of_store(pulse),
        counter("herald_sent_bytes_total", "Bytes of frames sent over websockets.", [("", meters.sent_bytes)]),
        counter("herald_received_bytes_total", "Bytes of messages received.", [("", meters.received_bytes)]),
        counter("herald_catch_ups_total", "Times that a slow viewer was left behind.", [("", meters.catch_ups)]),
        counter(
            "herald_closed_total",
            "Connections that the server closed, by code (see the protocol).",
            [(f'code="{code}"', n) for code, n in sorted(meters.closed.items())],
        ),
        gauge("herald_loop_lag_seconds", "How late the last beat of the event loop was.", [("", meters.lag_s)]),
        *of_process(),
    )
    return "".join(line for family in families for line in family)


def _of_store(pulse: Pulse) -> Iterator[Iterator[str]]:
    yield _histogram(
        "herald_group_commits",
        "Commits in one transaction; the bound is how many, the sum all of them.",
        GROUP_BOUNDS,
        pulse.groups,
        pulse.commits,
    )
    yield gauge("herald_store_refuses", "Whether the store takes nothing now.", [("", int(bool(pulse.refuses)))])
    yield gauge("herald_store_waiting", "Commits that wait for the writer.", [("", pulse.waiting)])
    yield gauge("herald_database_bytes", "Size of the database.", [("", pulse.database_bytes)])
    yield gauge("herald_wal_bytes", "Size of SQLite's write-ahead log.", [("", pulse.log_bytes)])


def of_process() -> Iterator[Iterator[str]]:
    """The metrics with the names that Prometheus' client libraries agree on."""
    used = time.process_time()
    yield counter("process_cpu_seconds_total", "Processor time used.", [("", used)])
    yield gauge("process_resident_memory_bytes", "Memory in use.", [("", _resident_bytes())])
    yield gauge("process_start_time_seconds", "When the program started, in Unix time.", [("", _STARTED)])
    yield gauge("process_max_fds", "Files that may be open.", [("", resource.getrlimit(resource.RLIMIT_NOFILE)[0])])
    open_files = Path("/proc/self/fd")
    if open_files.is_dir():
        yield gauge("process_open_fds", "Files open.", [("", len(os.listdir(open_files)))])  # noqa: PTH208 - no paths


def _resident_bytes() -> int:
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    except OSError:
        # On other systems, only the largest size so far is known, in bytes on macOS and in KiB elsewhere.
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def program_version() -> str:
    """The installed version; `checkout` if none is installed."""
    try:
        return version("herald")
    except PackageNotFoundError:
        return "checkout"


Samples = Iterable[tuple[str, float]]


def _head(name: str, about: str, kind: str) -> str:
    return f"# HELP {name} {about}\n# TYPE {name} {kind}\n"


def _family(name: str, about: str, kind: str, samples: Samples) -> Iterator[str]:
    yield _head(name, about, kind)
    for labels, value in samples:
        yield f"{name}{{{labels}}} {value}\n" if labels else f"{name} {value}\n"


def gauge(name: str, about: str, samples: Samples) -> Iterator[str]:
    """A family of present values, line by line; samples are labels and values."""
    return _family(name, about, "gauge", samples)


def counter(name: str, about: str, samples: Samples) -> Iterator[str]:
    """A family of counts since the start, line by line."""
    return _family(name, about, "counter", samples)


def _histogram(name: str, about: str, bounds: Sequence[float], counted: Sequence[int], total: float) -> Iterator[str]:
    """A histogram, line by line; its buckets are cumulative, and the last counts everything."""
    yield _head(name, about, "histogram")
    so_far = 0
    for bound, number in zip((*bounds, float("inf")), counted, strict=True):
        so_far += number
        yield f'{name}_bucket{{le="{"+Inf" if bound == float("inf") else bound}"}} {so_far}\n'
    yield f"{name}_sum {total}\n{name}_count {so_far}\n"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
