"""The command `herald` with the game of unmistakable secrets, as a process of its own."""

import sys

from projections.plain import plain_face
from projections.registry import add
from server.cli import main
from tests.server.vault import GAME

if __name__ == "__main__":
    add(plain_face(GAME))
    main(sys.argv[1:], prog_name="herald")
