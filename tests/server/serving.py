"""The command `herald` with the example games among its games, as a process of its own."""

import sys

from projections.plain import plain_face
from projections.registry import add
from server.cli import main
from tests.pennants.game import GAME as PENNANTS
from tests.skirmish.game import GAME as SKIRMISH

if __name__ == "__main__":
    add(plain_face(SKIRMISH))
    add(plain_face(PENNANTS))
    main(sys.argv[1:], prog_name="herald")
