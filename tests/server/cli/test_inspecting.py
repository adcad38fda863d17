"""`herald inspect`: what a client is sent, of a database and of a running server, and nobody else's secrets."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from domain.kernel import Seat
from projections.plain import plain_face
from projections.redaction import SPECTATOR, Viewer
from projections.registry import add
from replay.record import sealing
from replay.store.sqlite.store import SqliteStore
from server.cli import main
from server.cli.inspection import InspectedFrame, Inspection, kept_frames, live_frames
from server.wire.errors import NotAdmitted
from tests.server.tabletop import Table, live, table
from tests.skirmish.game import GAME


@pytest.fixture(autouse=True)
def _skirmish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("projections.registry._added", {})
    monkeypatch.setattr("server.cli.common.console.width", 200)
    add(plain_face(GAME))


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "herald.sqlite"
    assert run("demo", "--game", "skirmish", "--speed", "0", "--seed", "0", "--db", path).exit_code == 0
    return path


@pytest.fixture
def store(db: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(db, readonly=True)
    yield opened
    opened.close()


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def frames(store: SqliteStore, viewer: Viewer = SPECTATOR) -> list[InspectedFrame]:
    return list(kept_frames(store, store.matches.latest()[0].match, viewer))


def taken(held: list[InspectedFrame], upto: int | None = None) -> Inspection:
    inspection = Inspection(upto)
    for frame in held:
        inspection.take(frame.text)
    return inspection


def test_every_part_is_shown_of_a_match_as_a_seat_sees_it(db: Path, store: SqliteStore) -> None:
    end = store.head(store.matches.latest()[0].match).seq
    said = run("inspect", "last", "--as", "1", "--lines", "0", "--db", db).output
    for word in ("← welcome", "← events", f"chain: {end} lines", f"view of seat0 after line {end}", "question"):
        assert word in said
    assert sum("DecisionsOpened" in line for line in said.splitlines()) > 1


def test_a_seat_is_shown_no_secret_of_another_though_all_is_printed(db: Path, store: SqliteStore) -> None:
    said = run("inspect", "last", "--as", "1", "--full", "--show", "messages", "--db", db).output
    own, others = (opened([json.loads(frame.text) for frame in frames(store, Viewer(Seat(seat)))]) for seat in range(2))
    assert opened(printed(said)) == own
    assert others - own
    assert all(value not in said for *_, value in others - own if len(value) > 20)


def opened(messages: list[dict[str, Any]]) -> set[tuple[int, int, str]]:
    """Line, slot and value of each secret that messages open."""
    events = [message for message in messages if message["t"] == "events"]
    items = [(seq, item) for message in events for seq, item in enumerate(message["items"], message["from"])]
    return {(seq, slot, value) for seq, (_, openings) in items for slot, value in openings}


def printed(said: str) -> list[dict[str, Any]]:
    """The messages that are printed in full."""
    starts = [match.start() for match in re.finditer(r"^\{$", said, re.MULTILINE)]
    return [json.JSONDecoder().raw_decode(said[start:])[0] for start in starts]


def test_at_a_line_the_chain_and_the_view_end_there(db: Path) -> None:
    said = run("inspect", "last", "--at", "8", "--db", db).output
    assert "chain: 8 lines" in said
    assert "after line 8," in said


def test_a_part_is_shown_alone(db: Path) -> None:
    said = run("inspect", "last", "--show", "question", "--db", db).output
    assert "question" in said
    assert "chain" not in said
    assert "welcome" not in said


def test_a_changed_line_is_named_and_nothing_after_it_is_believed(store: SqliteStore) -> None:
    held = frames(store)
    message = json.loads(held[1].text)
    message["items"][6][0] = message["items"][6][0].replace('"seat":', '"seat" :', 1)
    inspection = taken([held[0], InspectedFrame(json.dumps(message)), *held[2:]])
    assert inspection.fault is not None
    assert (inspection.fault.seq, len(inspection.lines)) == (7, 6)
    assert taken(held).fault is None


def test_a_line_of_the_game_out_of_its_shape_is_named_though_the_chain_fits(store: SqliteStore) -> None:
    held = frames(store)
    at = next(i for i, frame in enumerate(held) if '"events"' in frame.text)
    told = json.loads(held[at].text)
    head = sealing.genesis(sealing.unb64(json.loads(held[0].text)["match"]))
    line = next(json.loads(text)[2] for text, _ in told["items"] if '"CardShown"' in text)
    for item in told["items"]:
        item[0] = item[0].replace('"card":', '"more":1,"card":') if '"CardShown"' in item[0] else item[0]
        head = sealing.link(head, item[0].encode())
    told["head"] = {"seq": told["to"], "hash": sealing.b64(head)}
    inspection = taken([*held[:at], InspectedFrame(json.dumps(told, separators=(",", ":"), ensure_ascii=False))])
    assert inspection.fault is not None
    assert inspection.fault.seq == line
    assert "CardShown" in inspection.fault.why


def test_a_head_that_the_lines_do_not_come_to_is_a_fault(store: SqliteStore) -> None:
    held = frames(store)
    message = json.loads(held[1].text)
    message["head"]["hash"] = json.loads(held[0].text)["match"].ljust(43, "A")
    assert taken([held[0], InspectedFrame(json.dumps(message))]).fault is not None


async def read(at: Table, link: str, *, scenes: bool = False) -> tuple[list[InspectedFrame], Inspection]:
    inspection = Inspection()
    found = [frame async for frame in live_frames(f"{at.http}/{link}", inspection, scenes=scenes, follow=False)]
    return found, inspection


@live
async def test_of_a_link_every_frame_of_the_own_connection_is_told_with_its_time() -> None:
    async with table() as at:
        created = await at.create()
        bo = await at.player(created, 1)
        await bo.until(lambda: bool(bo.view.asked()))
        link = f"play#m={created.match}&t={created.tokens['1']}"
        found, inspection = await read(at, link, scenes=True)
        kinds = [json.loads(frame.text)["t"] for frame in found]
        assert kinds[:3] == ["hello", "ping", "welcome"]
        assert {"events", "snapshot", "presence"} <= set(kinds)
        assert [frame.out for frame in found][:3] == [True, True, False]
        assert all(frame.at for frame in found)
        assert inspection.view is not None
        assert inspection.view.state == bo.view.state
        assert "snapshot" not in [json.loads(frame.text)["t"] for frame in (await read(at, link))[0]]


@live
async def test_who_is_not_let_in_is_told_so() -> None:
    async with table() as at:
        created = await at.create()
        with pytest.raises(NotAdmitted, match="not-admitted"):
            await read(at, f"play#m={created.match}&t=wrong")


def test_a_server_that_is_not_there_is_a_sentence() -> None:
    done = run("inspect", "http://127.0.0.1:9/watch#m=x")
    assert done.exit_code == 1
    assert "cannot be read" in done.stderr
