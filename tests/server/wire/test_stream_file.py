"""A viewer saves its stream, from the database or from a server, and checks it alone."""

from pathlib import Path

import anyio
import pytest
from anyio.to_thread import run_sync
from click.testing import CliRunner

from domain.kernel import Seat
from domain.vera_discordia import GAME
from projections.redaction import SPECTATOR, Viewer
from replay.audit.match_audit import audit
from replay.files import export
from replay.record.serverkey import KeyRing
from replay.store.sqlite.store import SqliteStore
from server.cli import main
from server.errors import Misconfigured
from server.wire.stream_file import CHUNK, live_stream, read_link, stream_of
from tests.replay.matches import played
from tests.server.tabletop import live, play_out, table
from tests.web.node import ROOT, node


@pytest.mark.parametrize("viewer", [SPECTATOR, Viewer(Seat(1))], ids=lambda v: v.label)
def test_a_saved_stream_is_what_the_viewer_holds(viewer: Viewer, tmp_path: Path) -> None:
    ring = KeyRing(tmp_path)
    store, referee = played(4, sign=ring.current.stamp)
    frames = [frame.encode() + b"\n" for frame in stream_of(store, referee.match, viewer)]
    record = export.read(frames)
    report = audit(None, record, [ring.current.public])
    assert report.ok, report.fault
    assert (report.lines, report.view) == (referee.seq, viewer.label)
    assert report.checkpoints == len(range(0, referee.seq, CHUNK))
    assert (report.openings > 0) == (viewer.seat is not None)
    file = tmp_path / "saved.jsonl"
    file.write_bytes(b"".join(frames))
    node(ROOT / "scripts" / "verify-stream.mjs", str(file))


def test_replay_saves_a_stream(tmp_path: Path) -> None:
    db, file = tmp_path / "herald.db", tmp_path / "saved.herald"

    store = SqliteStore(db)
    match = played(3, store, game=GAME, most=10)[1].match
    store.close()
    result = CliRunner().invoke(main, ["replay", match, "--as", "1", "--save", str(file), "--db", str(db)])
    assert result.exit_code == 0, result.output
    assert "herald audit" in result.output
    assert CliRunner().invoke(main, ["audit", str(file), "--as", "1", "--db", str(db)]).exit_code == 0
    result = CliRunner().invoke(main, ["replay", match, "--save", str(tmp_path / "no" / "where"), "--db", str(db)])
    assert (result.exit_code, "cannot be written" in result.stderr) == (1, True)


@live
async def test_a_player_saves_a_match_from_its_server() -> None:
    async with table() as at:
        created = await at.create()
        players = [await at.player(created, seat) for seat in (0, 1)]
        await play_out(players, most=3)
        link = f"{at.http}/play#m={created.match}&t={created.tokens['0']}"
        frames = [frame async for frame, _, _ in live_stream(link, follow=False)]
        record = export.read([frame.encode() + b"\n" for frame in frames])
        assert (record.view, len(record.held)) == ("seat0", at.store.head(created.match).seq)
        assert audit(None, record).ok
        followed: list[str] = []

        async def follow() -> None:
            followed.extend([f async for f, _, _ in live_stream(f"{at.http}/watch#m={created.match}", follow=True)])

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(follow)
            await play_out(players)
        watched = export.read([frame.encode() + b"\n" for frame in followed])
        assert (watched.view, len(watched.held)) == ("spectator", at.store.head(created.match).seq)


def test_the_command_saves_and_checks(tmp_path: Path) -> None:
    file = tmp_path / "saved.herald"

    @live
    async def save() -> None:
        async with table() as at:
            created = await at.create()
            link = f"{at.http}/watch#m={created.match}"
            result = await run_sync(lambda: CliRunner().invoke(main, ["save", link, str(file)]))
            assert result.exit_code == 0, result.output
            assert "as spectator holds it" in result.output

    save()
    assert audit(None, export.read(file.read_bytes().splitlines(keepends=True))).ok


@pytest.mark.parametrize(
    ("link", "lacks"),
    [
        ("x", "no link to a match"),
        ("http://127.0.0.1:1/", "no link to a match"),
        ("ftp://h/play#m=x", "no link to a match"),
        ("http:///play#m=x", "no server's address"),
    ],
)
def test_what_is_no_link_is_said_so(link: str, lacks: str, tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match=lacks):
        read_link(link)
    result = CliRunner().invoke(main, ["save", link, str(tmp_path / "x")])
    assert (result.exit_code, lacks in result.stderr) == (1, True)


def test_a_server_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["save", "http://127.0.0.1:9/watch#m=x&t=secret", str(tmp_path / "x")])
    assert result.exit_code == 1
    assert "cannot be saved from http://127.0.0.1:9/watch" in result.stderr
    assert "secret" not in result.stderr


def test_links_name_server_match_and_token() -> None:
    assert read_link("https://h:1/play#m=a&t=b") == ("wss://h:1/ws", "a", "b")
    assert read_link("http://h/watch#m=a") == ("ws://h/ws", "a", "")
