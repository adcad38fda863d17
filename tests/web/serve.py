"""`herald serve` with repeatable dice: the draws follow from the word in a file, the name of the test."""

import os
import random
from pathlib import Path
from types import SimpleNamespace

from replay.record import referee
from server.cli import main
from server.lobby import analysis_service

WORD = "HERALD_TEST_WORD"
"""The variable that names the file with the word."""
STARTS = "HERALD_TEST_STARTS"
"""How often the server was started before: no second start draws the identifiers of the first."""

ROUNDS = 6
"""So often matches are played out from each line where a match is judged: as surely as a page needs to have a curve."""


class Repeating:
    """Begins anew when the word in the file is another."""

    def __init__(self, path: Path) -> None:
        self._path, self._word, self._random = path, "", random.Random(0)

    def token_bytes(self, count: int) -> bytes:
        word = self._path.read_text()
        if word != self._word:
            self._word = word
            self._random.seed(f"{word} {os.environ[STARTS]}")
        return self._random.randbytes(count)


if __name__ == "__main__":
    vars(analysis_service)["ROUNDS"] = ROUNDS
    vars(referee)["secrets"] = SimpleNamespace(token_bytes=Repeating(Path(os.environ[WORD])).token_bytes)
    main(prog_name="herald")
