"""The command `herald` with the example games among its games, as a process of its own."""

import os
import sys
import time

from projections.plain import plain_face
from projections.registry import add
from server.cli import main
from tests.pennants.game import GAME as PENNANTS
from tests.skirmish.game import GAME as SKIRMISH

CLOCK = "HERALD_TESTED_CLOCK_S"
"""How far this process's wall clock is off, in seconds."""


def set_clock(off_s: float) -> None:
    """Let the wall clock be off from now on."""
    now, now_ns = time.time, time.time_ns
    time.time = lambda: now() + off_s
    time.time_ns = lambda: now_ns() + int(off_s * 1e9)


if __name__ in {"__main__", "__mp_main__"}:  # the second where a process of it thinks
    add(plain_face(SKIRMISH))
    add(plain_face(PENNANTS))
if __name__ == "__main__":
    if CLOCK in os.environ:
        set_clock(float(os.environ[CLOCK]))
    main(sys.argv[1:], prog_name="herald")
