"""The goals that are not reached, and the reason for each."""

from collections.abc import Iterable, Mapping
from typing import Final

from scripts.benchmarks.measure import Report

COST: Final = (
    "Signing, three of four rows and the library's frames, left out together, were worth 14 to 21 % of a choice"
    " (tuning.md); the rest is deciding, sealing and sending, in Python. Signatures in a thread cost the process 3 to"
    " 16 % more, and choices already share the turns of the loop: with 20 matches, a choice takes 0.65 turns"
)
QUEUE: Final = (
    "This time falls with the processor time of a choice, whose goal is open too; to create or enter a table holds"
    " the loop up for 0.2 ms at a time in the median, for 3 ms at most (tuning.md)"
)
REASONS: Final[Mapping[str, str]] = {
    "choices at full speed": COST,
    "server CPU a choice": COST,
    "choose to accepted, p99": QUEUE,
    "choose to opponent's screen": QUEUE,
    "memory a match": "Two bare connections are 32 kB of it (`load idle`); views and the state are the rest",
    "until 99 of 100 had": "Two cores carry the servers, their database and all players, who reconnect at once",
    "one commit at a time": "A single choice bears the whole cost of the way to the writer's thread and back,"
    " which many at once share",
    "beside one at a time": "A sync takes 0.27 ms on this machine: the quicker a disk, the less there is to share",
    "random play": "Code compiled by mypyc came within a thousandth of the goal (tuning.md); Python alone did not",
    "playout": "The goal was reached in an idle minute, and with compiled modules (tuning.md)",
    "a choice's signature": "libsodium's Ed25519 alone takes five sixths of the time",
    "behind the end": "Two cores carry the server, its relays and all viewers, to whom a line is sent at once",
    "of the relays a delivery": "A relay sends to a hundred viewers at a time, so that nobody waits for two lines"
    " (decision 110); sending each line to everybody at once took less processor time, but the lines were late",
    "verified replay": "Each line is decoded, checked and folded in Python; hashing and decoding alone take a third",
}
"""The reasons, keyed by a part of the figure's name."""


def reason(name: str) -> str:
    """The reason why a figure's goal is open. Raises `LookupError` if none is given."""
    return next(why for part, why in REASONS.items() if part in name)


def open_goals(reports: Iterable[Report]) -> str:
    """A section of a page: every goal that is open, by its benchmark, with the reason; empty if all are reached."""
    rows = [
        f"- `{report.title}`: {figure.goal_told()}. {reason(figure.name)}."
        for report in reports
        for figure in report.figures
        if figure.is_open
    ]
    return "\n".join(["## Open goals", "", *rows, ""]) if rows else ""
