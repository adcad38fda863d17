"""Who may watch, said at the command line."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from replay.store.sqlite.store import SqliteStore
from server.cli import main
from server.cli.watching import Watching, read_watching
from server.errors import Misconfigured


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ({}, Watching()),
        ({"unlisted": True, "closed": True}, Watching(listed=False, closed=True)),
        ({"delays": ("90s",)}, Watching(delay_s=90)),
        ({"delays": ("10m", "20events")}, Watching(delay_s=600, delay_events=20)),
        ({"delays": ("24h", "1event")}, Watching(delay_s=86_400, delay_events=1)),
    ],
)
def test_who_may_watch_is_read(given: dict[str, Any], meant: Watching) -> None:
    assert read_watching(**{"unlisted": False, "closed": False, "delays": (), **given}) == meant


@pytest.mark.parametrize("delay", ["10", "m", "ten minutes", "-5s", "25h", "1001events"])
def test_what_is_no_delay_is_said(delay: str) -> None:
    with pytest.raises(Misconfigured, match="--delay is"):
        read_watching(unlisted=False, closed=False, delays=(delay,))


def test_a_created_match_keeps_it(tmp_path: Path) -> None:
    db = tmp_path / "herald.db"
    words = ["match", "create", "--unlisted", "--delay", "10m", "--delay", "8events", "--db", str(db)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    store = SqliteStore(db, readonly=True)
    (header,) = store.matches.latest()
    assert (header.listed, header.closed, header.delay_s, header.delay_events) == (False, False, 600, 8)
    store.close()
