"""`tests.server.serving` on a disk whose sync fails once the file named by HERALD_TEST_FAIL is there."""

import os
import sqlite3
import sys
from pathlib import Path
from typing import Any

from projections.plain import plain_face
from projections.registry import add
from replay.store.sqlite import schema
from server.cli import main
from tests.skirmish.game import GAME

FAIL = Path(os.environ["HERALD_TEST_FAIL"])


class Failing(sqlite3.Connection):
    """A connection that cannot commit on a failed disk."""

    def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
        if sql == "COMMIT" and FAIL.exists():
            wrong = sqlite3.OperationalError("disk I/O error")
            wrong.sqlite_errorname = "SQLITE_IOERR_FSYNC"
            raise wrong
        return super().execute(sql, parameters)


if __name__ == "__main__":
    add(plain_face(GAME))
    whole = sqlite3.connect
    schema.sqlite3.connect = lambda *given, **named: whole(*given, factory=Failing, **named)  # type: ignore[attr-defined]
    main(sys.argv[1:], prog_name="herald")
