"""A notice tells nothing hidden, of any game: when it comes, what it says and how long it is follow from public lines.

Whoever has nothing but what spectators are sent makes the same notices. That those cannot be told apart whatever is
hidden is what `test_secrecy` shows.
"""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from projections import registry
from replay.record.line import codec_of, read_line
from replay.store.side_tables.notices import WaitRow
from replay.store.side_tables.people import OwnSeatRow
from server.conformance.walks import PlayedGame, mask
from server.notifications.channel_posts import push_told
from server.notifications.mail import Mailer
from server.notifications.own_moves import own_moves
from server.notifications.person_hooks import HookDetails, written
from server.notifications.push import PADDED, padded
from server.notifications.quiet import Quiet
from server.operations.settings import NoticeSettings
from server.people.own_matches import asked_seats
from server.webhooks.delivery import Notice
from server.webhooks.reminder_rules import ReminderRules
from tests.conformance.walks import tables
from tests.replay.records import RECORDS, read_record

STEPS = 120
QUIET = Quiet()


@pytest.mark.parametrize("table", tables())
def test_whoever_has_only_public_events_makes_the_same_notices_at_the_same_commits(table: PlayedGame) -> None:
    game, walk = table.game, table.walk(0)

    def public(events: Any) -> tuple[Any, ...]:
        return tuple(game.redact(event, mask(None)) for event in events)

    seen = game.fold(public(walk.events))
    world, outside = (ReminderRules("m", game.name, "Sunday", of_people(state)) for state in (walk.state, seen))
    told = 0
    for play in walk.steps(STEPS):
        seen = game.fold(public(play.events), seen)
        line = len(walk.events)
        state, view = of_people(walk.state), of_people(seen)
        made = world.after(play.events, state, None, line, ())
        assert made == outside.after(public(play.events), view, None, line, ())
        assert world.again(state, None, line, ()) == outside.again(view, None, line, ())
        told += sum(isinstance(each, Notice) and each.event == "your-move" for each in made)
    assert told


def of_people(state: Any) -> Any:
    """A state of a match in whose seats nobody is a bot."""
    return replace(state, table=replace(state.table, bots=()))


class Outside:
    """A store whose lines have no openings: `seq` of them, as spectators have them."""

    def __init__(self, game: str, lines: list[Any], players: tuple[str, ...]) -> None:
        self.seq, self._lines, self._players, self._game = 0, lines, players, game
        self.people = SimpleNamespace(
            at=lambda match: [OwnSeatRow(f"p{seat}", match, seat, 1) for seat in range(len(players))]
        )
        self.matches = SimpleNamespace(players=lambda matches: dict.fromkeys(matches, players))

    def header(self, _match: str) -> Any:
        return SimpleNamespace(status="running", game=self._game)

    def head(self, _match: str) -> Any:
        return SimpleNamespace(seq=self.seq)

    def read(self, _match: str, after: int, most: int) -> list[Any]:
        return self._lines[: self.seq][after : after + most]


def said(store: Any, seat: int) -> list[bytes]:
    """Every message that tells a seat's person of a move."""
    moves, _ = own_moves(store, f"p{seat}", [WaitRow("m", seat, 1, "Sunday", 1, 0)])
    if not moves:
        return []
    shown = [own.move for own in moves]
    mail = Mailer(NoticeSettings(mail_from="h@c.example")).notice("a@b.example", shown, QUIET, "l", "n", 1)
    push = padded(msgspec.json.encode(push_told(moves, QUIET)))
    assert len(push) == PADDED
    hooks = [
        written(HookDetails(form, "s"), [own.notice for own in moves], shown, QUIET)
        for form in ("plain", "discord", "slack")
    ]
    return [mail.as_bytes(), push, *(body for bodies in hooks for body in bodies)]


@pytest.mark.parametrize("name", registry.games())
def test_what_a_person_is_told_is_read_from_public_lines_and_is_as_long_all_through_a_match(name: str) -> None:
    game = registry.games()[name]
    path = min(Path(RECORDS / name).iterdir(), key=lambda path: path.stat().st_size)
    record, codec, state = read_record(path), codec_of(game), None
    lines = [SimpleNamespace(line=held.line, type=read_line(held.line).type) for held in record.held]
    told: dict[int, set[tuple[bytes, ...]]] = {}
    store: Any = None
    for seq, held in enumerate(record.held, start=1):
        line = read_line(held.line)
        openings = tuple(held.openings.get(slot) for slot in range(len(line.seals)))
        state = game.fold((codec.read(line.type, line.payload, openings),), state)
        if store is None:
            store = Outside(name, lines, tuple(state.players))
        store.seq = seq
        if line.type not in {"Chosen", "DecisionsOpened"} or state.result is not None:
            continue
        asked = {int(one.seat) for one in state.asked}
        assert asked_seats(store, "m") == asked, f"line {seq}"
        for seat in range(len(state.players)):
            messages = said(store, seat)
            assert bool(messages) == (seat in asked)
            if messages:
                told.setdefault(seat, set()).add(tuple(messages))
    assert told
    assert all(len(messages) == 1 for messages in told.values()), "each move is told in the same words"
