"""Safety over the wire: reports with evidence, mutes that last over devices, what the staff does, and deletion."""

from pathlib import Path

import anyio

from replay.store.sqlite.store import SqliteStore
from server.moderation.staff_log import HOST, Act
from server.operations.bounds import Bounds
from server.operations.settings import Limits
from server.wire.account_messages import Deleted, DeleteMe, Done, Exported, ExportMe, KeepSeat, ListMine
from server.wire.client import Client
from server.wire.protocol import Chat, ClientMessage, Created, Error, Mute, Ping, Pong, Said
from server.wire.safety_messages import (
    Moderate,
    Moderated,
    ReadReports,
    ReadSafety,
    ReadStaffLog,
    Report,
    Reported,
    ReportsTold,
    SafetyTold,
    Shun,
    StaffLogTold,
)
from tests.server.gate.signing_up import noted, signed_up
from tests.server.tabletop import Player, Table, live, table


async def refused(client: Client, message: ClientMessage) -> tuple[str, str]:
    """The code and the words of a refusal."""
    error = await client.ask(message, Error)
    return error.code, error.why


async def by_host(at: Table, handle: str, act: Act, why: str = "x") -> None:
    """The host does something about a person."""
    person = await anyio.to_thread.run_sync(at.lobby.safety.shuns.person, handle)
    await anyio.to_thread.run_sync(at.lobby.safety.moderators.act, HOST, person, act, why)


async def heard(player: Player, n: int = 1) -> list[str]:
    """What is said to a player, until so many lines have come."""
    lines: list[str] = []
    while len(lines) < n:
        message = await player.client.receive()
        if isinstance(message, Said):
            lines += [line.text for line in message.lines]
    return lines


async def two_noted(at: Table) -> tuple[Created, str, str]:
    """A match of Anja and Bo, who are signed in, and their sessions."""
    made = await at.create()
    sessions = [await noted(await at.client(), made, seat, handle) for seat, handle in enumerate(("Anja", "Bo"))]
    return made, sessions[0], sessions[1]


@live
async def test_a_report_is_handled_from_end_to_end_and_the_person_reads_what_was_done() -> None:
    async with table() as at:
        made, anja, bo = await two_noted(at)
        mod = await signed_up(await at.client(), "Mod")
        await by_host(at, "Mod", "appoint")
        ada, bob = await at.player(made, 0), await at.player(made, 1)
        await bob.client.send(Chat(text="You are a fool"))
        assert await heard(ada) == ["You are a fool"]
        kept = await ada.client.ask(Report(why="Insults", who="seat1", lines=(1,)), Reported)
        client = await at.client()
        (report,) = (await client.ask(ReadReports(session=mod), ReportsTold)).reports
        assert (report.report, report.handle, report.by, report.name) == (kept.report, "Bo", "Anja", "Bo")
        assert [(line.name, line.text) for line in report.lines] == [("Bo", "You are a fool")]
        done = await client.ask(Moderate(session=mod, act="mute", why="Insults", report=kept.report, days=1), Moderated)
        assert (done.entry.act, done.entry.handle) == ("mute", "Bo")
        assert not (await client.ask(ReadReports(session=mod), ReportsTold)).reports
        assert len((await client.ask(ReadReports(session=mod, settled=True), ReportsTold)).reports) == 1
        code, why = await refused(bob.client, Chat(text="And another thing"))
        assert (code, "muted you" in why) == ("chat-refused", True)
        told = await client.ask(ReadSafety(session=bo), SafetyTold)
        (entry,) = told.entries
        assert (entry.why, entry.handle, entry.hash, told.last) == ("Insults", "", told.head, 2)
        log = await client.ask(ReadStaffLog(session=mod), StaffLogTold)
        assert [each.act for each in log.entries] == ["appoint", "mute"]
        assert log.entries[1].before == log.entries[0].hash
        assert (await client.ask(ReadSafety(session=anja), SafetyTold)).entries == ()


@live
async def test_a_mute_lasts_over_connections_and_the_other_is_told_nothing() -> None:
    async with table() as at:
        made, anja, bo = await two_noted(at)
        client = await at.client()
        told = await client.ask(Shun(session=anja, kind="mute", match=made.match, seat=1), SafetyTold)
        assert [(one.name, one.kind) for one in told.shunned] == [("Bo", "mute")]
        ada, bob = await at.player(made, 0), await at.player(made, 1)
        await bob.client.send(Chat(text="Hello"))
        assert await heard(bob) == ["Hello"]
        await ada.client.send(Chat(text="Anybody there"))
        assert await heard(ada) == ["Anybody there"]
        assert (await client.ask(ReadSafety(session=bo), SafetyTold)).shunned == ()
        await ada.client.send(Mute(who="seat1", on=False))
        await ada.client.ask(Ping(n=1), Pong)
        assert (await client.ask(ReadSafety(session=anja), SafetyTold)).shunned == ()
        await ada.client.send(Mute(who="seat1"))
        await ada.client.ask(Ping(n=2), Pong)
        assert (await client.ask(ReadSafety(session=anja), SafetyTold)).shunned[0].of == told.shunned[0].of
        freed = await client.ask(Shun(session=anja, of=told.shunned[0].of), SafetyTold)
        assert freed.shunned == ()
        again = await at.player(made, 0)
        await bob.client.send(Chat(text="Still here"))
        assert (await heard(again, 3))[-1] == "Still here"


@live
async def test_nobody_but_the_staff_reads_reports_or_the_log_or_acts() -> None:
    async with table() as at:
        session = await signed_up(await at.client(), "Anja")
        client = await at.client()
        words = {
            await refused(client, message)
            for message in (
                ReadReports(session=session),
                ReadStaffLog(session=session),
                Moderate(session=session, act="ban", why="x", handle="Anja"),
                Moderate(session=session, act="settle", why="x", report="00"),
            )
        }
        assert words == {("safety-refused", "This is for the staff of this server.")}


@live
async def test_who_is_shut_out_reads_and_deletes_the_own_data_and_does_nothing_else() -> None:
    async with table() as at:
        made, anja, _ = await two_noted(at)
        await by_host(at, "Anja", "ban", "Cheating")
        client = await at.client()
        code, why = await refused(client, ListMine(session=anja))
        assert (code, "Cheating" in why) == ("sanctioned", True)
        token = made.tokens["0"]
        assert (await refused(client, KeepSeat(session=anja, match=made.match, token=token, on=False)))[
            0
        ] == "sanctioned"
        assert (await client.ask(ExportMe(session=anja), Exported)).handle == "Anja"
        assert len((await client.ask(ReadSafety(session=anja), SafetyTold)).entries) == 1
        await client.ask(DeleteMe(session=anja, handle="Anja"), Deleted)


@live
async def test_a_seat_of_a_muted_person_stays_noted_until_the_mute_is_over() -> None:
    async with table() as at:
        made, anja, _ = await two_noted(at)
        await by_host(at, "Anja", "mute")
        client, token = await at.client(), made.tokens["0"]
        drop = KeepSeat(session=anja, match=made.match, token=token, on=False)
        assert (await refused(client, drop))[0] == "sanctioned"
        await by_host(at, "Anja", "lift")
        await client.ask(drop, Done)


@live
async def test_a_flood_of_reports_is_paced_and_bounded() -> None:
    async with table(limits=Limits(reports_per_minute=4), bounds=Bounds(own_reports=2, reports=3)) as at:
        made = await at.create()
        ada, watcher = await at.player(made, 0), await at.spectator(made)
        for _ in range(2):
            await ada.client.ask(Report(why="Slow", who="seat1"), Reported)
        assert (await refused(ada.client, Report(why="Slow")))[0] == "safety-refused"
        await watcher.client.ask(Report(why="Odd"), Reported)
        assert "tell the host" in (await refused(watcher.client, Report(why="Odd")))[1]
        assert await watcher.client.ask(Ping(n=3), Pong)


@live
async def test_evidence_is_what_the_server_holds_and_of_the_one_reported() -> None:
    async with table(limits=Limits(reports_per_minute=60)) as at:
        made = await at.create()
        ada, bob = await at.player(made, 0), await at.player(made, 1)
        await ada.client.send(Chat(text="Mine"))
        await heard(bob, 1)
        await bob.client.send(Chat(text="Theirs"))
        await heard(bob, 1)
        for message, why in (
            (Report(why="x", who="seat1", lines=(1,)), "not all of the one"),
            (Report(why="x", who="seat7"), "no such seat"),
            (Report(why="\u200b", who="seat1"), "Say what happened"),
        ):
            code, told = await refused(ada.client, message)
            assert (code, why in told) == ("safety-refused", True)
        await ada.client.ask(Report(why="x", who="seat1", lines=(2, 99)), Reported)
        watcher = await at.spectator(made)
        await watcher.client.ask(Report(why="x", who="seat1"), Reported)
        first, second = at.store.moderation.reports(9)
        assert ("Theirs" in first.lines, "Mine" in first.lines, second.lines) == (True, False, "[]")


@live
async def test_a_deleted_person_is_out_of_blocks_reports_and_log_and_nowhere_in_the_database(tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    handle = "Wilhelmina"
    store = SqliteStore(path)
    async with table(store) as at:
        made = await at.create()
        session = await noted(await at.client(), made, 1, handle)
        anja = await noted(await at.client(), made, 0, "Anja")
        client = await at.client()
        ada = await at.player(made, 0)
        await client.ask(Shun(session=anja, kind="block", handle=handle), SafetyTold)
        await ada.client.ask(Report(why="Slow", who="seat1"), Reported)
        person = await anyio.to_thread.run_sync(at.lobby.safety.shuns.person, handle)
        await by_host(at, handle, "warn", "Slow")
        await client.ask(DeleteMe(session=session, handle=handle), Deleted)
        assert await anyio.to_thread.run_sync(at.lobby.safety.log.fault) == 0
    held = b"".join(file.read_bytes() for file in tmp_path.glob("club.db*"))
    assert [word for word in (handle, person) if word.encode() in held] == []
    store.close()
