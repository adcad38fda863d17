"""`tests.server.serving` on a disk (tests/server/faults/disk.c, preloaded) that fails with EIO from SIGUSR1 on.

HERALD_TEST_DISK says what fails, as JSON: how paths begin below which calls are counted, which calls those are, the
number of the first that fails, and how many fail. The file HERALD_TEST_ARMED appears once the disk is armed.
"""

import ctypes
import errno
import json
import os
import signal
import sys
from pathlib import Path

from projections.plain import plain_face
from projections.registry import add
from server.cli import main
from tests.server.faults.nursery import FAIL
from tests.skirmish.game import GAME


def arm(*_: object) -> None:
    """From now on calls are counted."""
    below, which, at, calls = json.loads(os.environ["HERALD_TEST_DISK"])
    number = ctypes.c_long
    ctypes.CDLL(None).disk_arm(below.encode(), FAIL, which, number(at), number(calls), errno.EIO, -1)
    Path(os.environ["HERALD_TEST_ARMED"]).touch()


if __name__ == "__main__":
    add(plain_face(GAME))
    signal.signal(signal.SIGUSR1, arm)
    main(sys.argv[1:], prog_name="herald")
