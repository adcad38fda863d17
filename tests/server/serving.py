"""The command `herald` with the example games among its games, as a process of its own."""

import os
import sys
import time

from msgspec.structs import force_setattr

from projections.plain import plain_face
from projections.registry import add
from server.cli import main
from server.operations.intervals import INTERVALS
from tests.pennants.game import GAME as PENNANTS
from tests.skirmish.game import GAME as SKIRMISH

CLOCK = "HERALD_TESTED_CLOCK_S"
"""How far this process's wall clock is off, in seconds."""
HASTE = "HERALD_TESTED_HASTE"
"""Set where a process is to take up soon what a killed one has left."""
SOON = {"remind_s": 0.2, "look_s": 0.1, "held_ms": 1_500, "taken_ms": 1_500, "mail_ms": 0, "ruling_s": 0.2}
"""The intervals of such a process that are not the usual ones."""


def set_clock(off_s: float) -> None:
    """Let the wall clock be off from now on."""
    now, now_ns = time.time, time.time_ns
    time.time = lambda: now() + off_s
    time.time_ns = lambda: now_ns() + int(off_s * 1e9)


if HASTE in os.environ:
    for name, value in SOON.items():
        force_setattr(INTERVALS, name, value)
if __name__ in {"__main__", "__mp_main__"}:  # the second where a process of it thinks
    add(plain_face(SKIRMISH))
    add(plain_face(PENNANTS))
if __name__ == "__main__":
    if CLOCK in os.environ:
        set_clock(float(os.environ[CLOCK]))
    main(sys.argv[1:], prog_name="herald")
