"""One page of metrics from the pages of several processes of one server."""

from collections.abc import Iterable
from typing import Final

MOST: Final = (
    "herald_build_info",
    "herald_matches",
    "herald_store_refuses",
    "herald_database_bytes",
    "herald_wal_bytes",
    "herald_loop_lag_seconds",
)
"""Metrics for which all processes report the same value, or whose largest value counts."""
LEAST: Final = ("herald_ready", "process_start_time_seconds", "process_max_fds")
"""Metrics whose smallest value counts."""


def summed(pages: Iterable[str], told: int) -> str:
    """The pages of all processes as one page.

    `herald_processes` is the number of processes that have just answered (`told`).
    """
    own = ("# HELP herald_processes Processes of this server that told.", "# TYPE herald_processes gauge")
    return joined(pages) + "".join(f"{line}\n" for line in (*own, f"herald_processes {told}"))


def joined(pages: Iterable[str]) -> str:
    """One page from several: values with the same name and labels are added, except `MOST` and `LEAST`.

    The order is that of the first page; samples that occur only in other pages are placed with their family.
    """
    heads: dict[str, list[str]] = {}
    samples: dict[str, dict[str, float]] = {}
    for page in pages:
        family = ""
        for line in page.splitlines():
            if line.startswith("#"):
                family = line.split(" ")[2]
                if line not in heads.setdefault(family, []):
                    heads[family].append(line)
            elif line:
                sample, _, value = line.rpartition(" ")
                _add(samples.setdefault(family, {}), family, sample, float(value))
    told = [line for family, head in heads.items() for line in (*head, *_lines(samples.get(family, {})))]
    return "".join(f"{line}\n" for line in told)


def counted(page: str) -> str:
    """The metrics that never fall, that is, counters and histograms: their values still count when their process is
    gone.
    """
    kinds = {line.split(" ")[2]: line.split(" ")[3] for line in page.splitlines() if line.startswith("# TYPE ")}
    kept: list[str] = []
    family = ""
    for line in page.splitlines():
        if line.startswith("#"):
            family = line.split(" ")[2]
        if kinds.get(family) in {"counter", "histogram"}:
            kept.append(line)
    return "".join(f"{line}\n" for line in kept)


def _add(samples: dict[str, float], family: str, sample: str, value: float) -> None:
    known = samples.get(sample)
    if known is None:
        samples[sample] = value
    elif family in MOST:
        samples[sample] = max(known, value)
    elif family in LEAST:
        samples[sample] = min(known, value)
    else:
        samples[sample] = known + value


def _lines(samples: dict[str, float]) -> list[str]:
    return [f"{sample} {int(value) if value.is_integer() else value}" for sample, value in samples.items()]
