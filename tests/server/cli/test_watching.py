"""Who may watch, said at the command line."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from domain.kernel import OpenCards
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
        ({"open_cards": ("2m",)}, Watching(open_cards=OpenCards(120, 0))),
        (
            {"open_cards": ("9s", "3events"), "open_cards_sooner": True},
            Watching(open_cards=OpenCards(9, 3), open_cards_sooner=True),
        ),
    ],
)
def test_who_may_watch_is_read(given: dict[str, Any], meant: Watching) -> None:
    assert read_watching(**{"unlisted": False, "closed": False, "delays": (), **given}) == meant


@pytest.mark.parametrize("delay", ["10", "m", "ten minutes", "-5s", "25h", "1001events"])
def test_what_is_no_delay_is_said(delay: str) -> None:
    with pytest.raises(Misconfigured, match="--delay is"):
        read_watching(unlisted=False, closed=False, delays=(delay,))


def test_what_is_no_delay_of_open_cards_is_said() -> None:
    with pytest.raises(Misconfigured, match="--open-cards is"):
        read_watching(unlisted=False, closed=False, delays=(), open_cards=("soon",))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["all hands 120 s later", "the Reserves that a player holds", "&open=1"]),
        ("de", ["alle Hände, 120 s später", "die Reserven, die eine Seite hält", "&open=1"]),
    ],
)
def test_whoever_opens_the_cards_is_told_what_it_costs(tmp_path: Path, language: str, said: list[str]) -> None:
    db = tmp_path / "herald.db"
    words = ["--lang", language, "match", "create", "--game", "disciples_legacy", "--open-cards", "2m", "--db", str(db)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    told = " ".join(done.output.split())
    assert not [words for words in said if words not in told]
    store = SqliteStore(db, readonly=True)
    (header,) = store.matches.latest()
    store.close()
    shown = CliRunner().invoke(main, ["match", "show", header.match, "--db", str(db)])
    assert "120 s later" in shown.output


def test_cards_that_would_be_open_too_soon_are_refused_unless_one_insists(tmp_path: Path) -> None:
    words = ["match", "create", "--open-cards", "119s", "--db", str(tmp_path / "herald.db")]
    assert "120 seconds later" in " ".join(CliRunner().invoke(main, words).output.split())
    assert CliRunner().invoke(main, [*words, "--open-cards-sooner"]).exit_code == 0


def test_a_created_match_keeps_it(tmp_path: Path) -> None:
    db = tmp_path / "herald.db"
    words = ["match", "create", "--unlisted", "--delay", "10m", "--delay", "8events", "--db", str(db)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    store = SqliteStore(db, readonly=True)
    (header,) = store.matches.latest()
    assert (header.listed, header.closed, header.delay_s, header.delay_events) == (False, False, 600, 8)
    store.close()
