"""Delayed spectators see nothing newer than the delay allows, by any way that leads to the match."""

from typing import Any

import anyio
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel import Replace, Seat
from projections.redaction import SPECTATOR
from replay.audit.match_audit import audit
from replay.files import export
from replay.record import sealing
from replay.record.line import read_line
from replay.record.serverkey import KeyRing, is_stamped
from replay.store.log import Entry
from replay.store.matches import Header
from replay.store.memory import MemoryStore
from server.lobby.lobby import Lobby
from server.operations.intervals import Intervals
from server.table.delay import Backlog, delay_of, visible_end
from server.table.live_match import LiveMatch
from server.wire.act_messages import Agree, Offer
from server.wire.client import Client
from server.wire.protocol import (
    Accepted,
    Checkpoint,
    Create,
    Created,
    Delay,
    Events,
    Hello,
    ListMatches,
    Matches,
    Need,
    Ping,
    Pong,
    Presence,
    SeatsChanged,
    SeatWish,
    ServerMessage,
    Snapshot,
    Welcome,
)
from tests.server.pages.serving import get
from tests.server.tabletop import FACES, TWO_PEOPLE, Player, Table, live, play_out, table
from tests.skirmish.game import GAME


def entries(*lines: tuple[str, int]) -> list[Entry]:
    """A record of (event type, time in ms)."""
    return [Entry(seq, at, kind, 0, f"[{seq}]".encode()) for seq, (kind, at) in enumerate(lines, 1)]


SETUP = (("MatchCreated", 0), ("SeatTaken", 10), ("SeatTaken", 20))
PLAY = (("EntropyRevealed", 30), ("MatchBegun", 30), ("Chosen", 1000), ("Moved", 1000), ("Chosen", 2000))
RECORD = entries(*SETUP, *PLAY)


@pytest.mark.parametrize(("events", "end"), [(0, 8), (1, 7), (2, 5), (3, 5), (4, 3), (5, 3), (6, 3), (100, 3)])
def test_by_events_whole_commits_are_kept_back_and_the_setup_is_not(events: int, end: int) -> None:
    assert visible_end(RECORD, Delay(events=events), 10_000) == end


@pytest.mark.parametrize(
    ("now", "end"), [(0, 3), (30 + 4999, 3), (30 + 5000, 5), (1000 + 4999, 5), (1000 + 5000, 7), (2000 + 5000, 8)]
)
def test_by_seconds_a_commit_is_shown_when_it_is_old_enough(now: int, end: int) -> None:
    assert visible_end(RECORD, Delay(s=5), now) == end


def test_with_both_the_longer_delay_counts() -> None:
    assert visible_end(RECORD, Delay(events=1, s=5), 6500) == 7
    assert visible_end(RECORD, Delay(events=2, s=5), 6500) == 5
    assert visible_end(RECORD, Delay(events=1, s=5), 5999) == 5


@pytest.mark.parametrize(
    ("header", "delay"),
    [
        ({"delay_s": 60}, Delay(s=60)),
        ({"delay_events": 3, "delay_s": 1}, Delay(3, 1)),
        ({"delay_s": 60, "status": "finished"}, None),
        ({}, None),
    ],
)
def test_a_delay_is_lifted_when_the_match_has_ended(header: dict[str, Any], delay: Delay | None) -> None:
    assert delay_of(Header("m", "g", "1", 0, **header)) == delay


MATCH = sealing.b64(bytes(16))


def commits(*lasts: int) -> list[list[Entry]]:
    """Commits of one line each, from a line on."""
    return [[Entry(seq, 99, "Chosen", 0, f"[{seq}]".encode())] for seq in lasts]


def test_news_of_another_server_are_kept_back_commit_by_commit() -> None:
    backlog = Backlog(Delay(events=1), MATCH, RECORD[:2], 0)
    backlog.add([*RECORD[2:3], Entry(4, 25, "EntropyCommitted", 1, b"[4]")])
    assert [shown.entries[-1].seq for shown in backlog.due()] == [3]


def test_a_commit_seen_to_happen_waits_by_the_monotonic_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = 50.0
    monkeypatch.setattr("server.table.delay.time.monotonic", lambda: clock)
    backlog = Backlog(Delay(s=10), MATCH, RECORD[:5], 1_000_000)
    assert backlog.seq == 5
    for commit in commits(6, 7):
        backlog.add(commit)
    assert (backlog.due(), backlog.wait_s()) == ([], 10.0)
    clock = 59.9
    assert backlog.due() == []
    clock = 60.0
    assert [shown.entries[-1].seq for shown in backlog.due()] == [6, 7]
    assert backlog.wait_s() is None


def test_a_commit_read_from_the_record_waits_the_rest_of_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = 50.0
    monkeypatch.setattr("server.table.delay.time.monotonic", lambda: clock)
    backlog = Backlog(Delay(s=5), MATCH, RECORD, 5500)
    assert (backlog.seq, backlog.wait_s()) == (5, 0.5)
    clock = 50.5
    assert [shown.entries[-1].seq for shown in backlog.due()] == [7]
    assert backlog.wait_s() == 1.0


def test_the_head_of_the_delayed_line_is_the_chains() -> None:
    backlog = Backlog(Delay(events=1), MATCH, RECORD, 0)
    assert backlog.seq == 7
    backlog.add(commits(9)[0])
    (shown,) = backlog.due()
    head = sealing.genesis(bytes(16))
    for entry in RECORD:
        head = sealing.link(head, entry.line)
    assert (backlog.seq, backlog.head, shown.head) == (8, head, head)
    assert [one.entries[-1].seq for one in backlog.due(lifted=True)] == [9]


GAPS = st.lists(st.tuples(st.integers(1, 4), st.integers(0, 3000)), max_size=12)
"""Commits: how many lines each has, and how long after the one before it came, in ms."""


@given(GAPS, st.integers(0, 12), st.integers(0, 5), st.integers(0, 4000))
def test_a_window_never_shows_too_much_never_goes_back_and_a_restart_shows_no_more(
    gaps: list[tuple[int, int]], events: int, seconds: int, later: int
) -> None:
    clock, delay = 100.0, Delay(events, seconds)
    record = entries(*SETUP, ("MatchBegun", 100_000))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("server.table.delay.time.monotonic", lambda: clock)
        backlog = Backlog(delay, MATCH, record, 100_000)
        for lines, gap in [*gaps, (1, later)]:
            clock = round(clock + gap / 1000, 3)
            commit = [
                Entry(len(record) + n, round(clock * 1000), "Chosen", 0, b"[%d]" % (len(record) + n))
                for n in range(1, lines + 1)
            ]
            record += commit
            before = backlog.seq
            backlog.add(commit)
            backlog.due()
            assert before <= backlog.seq <= max(3, len(record) - events)
            assert all(entry.at <= clock * 1000 - seconds * 1000 for entry in record[3 : backlog.seq])
            again = Backlog(delay, MATCH, record, round(clock * 1000))
            assert again.seq <= backlog.seq
            head = sealing.genesis(bytes(16))
            for entry in record[: backlog.seq]:
                head = sealing.link(head, entry.line)
            assert backlog.head == head
        backlog.due(lifted=True)
        assert backlog.seq == len(record)


async def delayed(at: Table, **delay: int) -> tuple[Created, Player, Player]:
    """A match that keeps spectators behind, and its players."""
    client = await at.client()
    created = await client.ask(Create(GAME.name, TWO_PEOPLE, **delay), Created)  # type: ignore[arg-type]
    return created, await at.player(created, 0), await at.player(created, 1)


async def told(client: Client) -> list[ServerMessage]:
    """Everything a client has been sent up to now."""
    await client.send(Ping(7))
    messages: list[ServerMessage] = []
    while not isinstance(message := await client.receive(), Pong):
        messages.append(message)
    return messages


def newest(messages: list[ServerMessage]) -> int:
    """The greatest line number that any message gives away."""
    found = [0]
    for message in messages:
        match message:
            case Events(last=last, head=head, steps=steps):
                found += [last, head.seq, *(step["seq"] for step in steps)]
            case Snapshot(seq=seq, head=head, scene=scene):
                found += [seq, head.seq, scene["seq"]]
            case Welcome(head=head):
                found.append(head.seq)
            case Checkpoint(seq=seq):
                found.append(seq)
            case _:
                pass
    return max(found)


async def pages_end(at: Table, match: str) -> set[int]:
    """The last line that each public page of a match gives away."""
    track = msgspec.json.decode((await get(at, f"/api/bundle/{match}"))[2])["tracks"]["pub"]
    record = export.read((await get(at, f"/api/record/{match}"))[2].splitlines(keepends=True))
    assert record.end == len(record.held)
    return {max([track["scene"]["seq"], *(step["seq"] for step in track["steps"])]), len(record.held)}


@pytest.mark.parametrize("caps", [(), ("scene",)])
@live
async def test_by_no_way_a_spectator_sees_what_is_newer(caps: tuple[str, ...]) -> None:
    async with table() as at:
        created, ada, bo = await delayed(at, delay_events=8)
        early = await at.client()
        welcome = await early.ask(Hello(created.match, "", "spectator", None, caps), Welcome)
        assert welcome.delay == Delay(events=8)
        while await play_out([ada, bo], 3, most=1) and at.store.header(created.match).status == "running":
            late = await at.client()
            for since in (None, 0, 10_000):
                await late.send(Hello(created.match, "", "spectator", since, caps))
            await late.send(Need(0))
            at.lobby.registry.heartbeat()
            seen = newest(await told(late))
            assert 3 <= seen <= at.store.head(created.match).seq - 8
            assert newest(await told(early)) <= seen
            assert await pages_end(at, created.match) == {seen}
        assert newest(await told(early)) == at.store.head(created.match).seq


@live
async def test_what_is_shown_late_is_the_same_bytes_and_all_of_it_at_the_end() -> None:
    async with table() as at:
        created, ada, bo = await delayed(at, delay_events=5)
        watcher = await at.spectator(created)
        await play_out([ada, bo], 1)
        await watcher.until(watcher.is_over)
        plain = await at.spectator(created)
        assert watcher.items == plain.items
        assert watcher.view.seq == at.store.head(created.match).seq
        late = await at.client()
        assert (await late.ask(Hello(created.match, "", "spectator"), Welcome)).delay is None


@live
async def test_seconds_lift_without_anything_happening(monkeypatch: pytest.MonkeyPatch) -> None:
    async with table() as at:
        created, ada, bo = await delayed(at, delay_s=1)
        watcher = await at.spectator(created)
        await play_out([ada, bo], 1, most=2)
        end = at.store.head(created.match).seq
        assert watcher.view.seq < end
        await watcher.reach(end)


@live
async def test_a_restart_lifts_nothing() -> None:
    store = MemoryStore()
    async with table(store) as at:
        created, ada, bo = await delayed(at, delay_s=3600)
        await play_out([ada, bo], 1, most=3)
        end = (await at.spectator(created)).view.seq
    async with table(store) as at:
        assert (await at.spectator(created)).view.seq == end < store.head(created.match).seq


@live
async def test_players_and_casters_are_not_kept_behind() -> None:
    async with table() as at:
        created, ada, bo = await delayed(at, delay_s=3600)
        await play_out([ada, bo], 1, most=3)
        await ada.reach(at.store.head(created.match).seq)
        client = await at.client()
        assert (await client.ask(Hello(created.match, created.tokens["0"]), Welcome)).delay is None


@live
async def test_spectators_who_are_kept_behind_are_not_told_who_is_connected() -> None:
    async with table() as at:
        created, ada, bo = await delayed(at, delay_s=3600)
        client = await at.client()
        await client.ask(Hello(created.match, "", "spectator"), Welcome)
        await bo.client.connection.close()
        while (await ada.client.expect(Presence)).seats != (0,):
            pass
        assert {message.seats for message in await told(client) if isinstance(message, Presence)} == {()}


@live
async def test_the_list_says_that_a_match_is_delayed() -> None:
    async with table() as at:
        await delayed(at, delay_events=4, delay_s=60)
        client = await at.client()
        (info,) = (await client.ask(ListMatches(), Matches)).running
        assert info.delay == Delay(4, 60)


@live
async def test_a_list_folds_no_match_and_tells_of_no_bot_in_a_persons_place_that_may_be_news() -> None:
    store = MemoryStore()
    async with table(store) as at:
        _, ada, bo = await delayed(at, delay_s=3600)
        seats = (SeatWish("me", "Ada"), SeatWish("bot", bot="random"))
        await (await at.client()).ask(Create(GAME.name, seats, delay_s=3600), Created)
        await bo.client.ask(Offer("o", Replace(Seat(1))), Accepted)
        await ada.client.ask(Agree("a", 1), Accepted)
        await bo.client.expect(SeatsChanged)
    lobby = Lobby(store, FACES)
    shown = sorted(
        tuple((seat.name, seat.kind) for seat in info.seats) for info in (await lobby.listing.matches()).running
    )
    assert shown == [(("Ada", "person"), ("Bo", "person")), (("Ada", "person"), ("Random bot", "bot"))]
    assert lobby.state().hosts == 0


@live
async def test_heads_of_delayed_lines_are_signed_and_audit(tmp_path: Any) -> None:
    ring = KeyRing(tmp_path / "keys")
    async with table(sign=ring.current.stamp, intervals=Intervals(heartbeat_s=0.0)) as at:
        created, ada, bo = await delayed(at, delay_events=6)
        client = await at.client()
        welcome = await client.ask(Hello(created.match, "", "spectator"), Welcome)
        # Of lines that are sent while more are let go only the last are signed.
        messages: list[ServerMessage] = [welcome, await client.expect(Events)]
        await play_out([ada, bo], 1, most=3)
        at.lobby.registry.heartbeat()
        messages += await told(client)
        assert any(isinstance(message, Checkpoint) for message in messages)
        heads = {0: sealing.genesis(sealing.unb64(created.match))}
        for seq, entry in enumerate(at.store.read(created.match), 1):
            heads[seq] = sealing.link(heads[seq - 1], entry.line)
        for message in messages:
            if isinstance(message, Events | Welcome):
                seq, signed = message.head.seq, sealing.unb64(message.head.signed)
            elif isinstance(message, Checkpoint):
                seq, signed = message.seq, sealing.unb64(message.signed)
            else:
                continue
            text = sealing.checkpoint_message(sealing.unb64(created.match), seq, heads[seq], int.from_bytes(signed[:8]))
            assert is_stamped(text, signed[8:])
        body = (await get(at, f"/api/record/{created.match}"))[2]
        assert audit(GAME, export.read(body.splitlines(keepends=True))).fault is None


@live
async def test_a_view_that_fails_goes_on_with_lines_that_are_old_enough() -> None:
    async with table() as at:
        created, ada, bo = await delayed(at, delay_events=6)
        client = await at.client()
        await client.ask(Hello(created.match, "", "spectator", None, ("scene",)), Welcome)
        live_match: LiveMatch[Any] = at.lobby.registry.live_match(created.match)
        messages: list[ServerMessage] = []
        with anyio.fail_after(60):  # the lines come a moment later
            while not any(isinstance(m, Events) and m.items for m in messages):
                (await live_match.views.audience(SPECTATOR)).advance = None  # type: ignore[method-assign, assignment]
                await play_out([ada, bo], 1, most=1)
                messages += await told(client)
        lines = [read_line(text.encode()).seq for m in messages if isinstance(m, Events) for text, _ in m.items]
        assert 3 < max(lines) == newest(messages) <= at.store.head(created.match).seq - 6


@live
async def test_spectators_who_are_kept_behind_hear_of_a_bot_in_a_persons_place_in_time_and_no_sooner() -> None:
    async with table() as at:
        created, ada, bo = await delayed(at, delay_s=3600)
        watcher = await at.client()
        await watcher.ask(Hello(created.match, "", "spectator"), Welcome)
        await bo.client.ask(Offer("o", Replace(Seat(1))), Accepted)
        await ada.client.ask(Agree("a", 1), Accepted)
        assert (await bo.client.expect(SeatsChanged)).seats[1].kind == "bot"
        late = await at.client()
        welcome = await late.ask(Hello(created.match, "", "spectator"), Welcome)
        (info,) = (await late.ask(ListMatches(), Matches)).running
        assert [seats[1].kind for seats in (welcome.seats, info.seats)] == ["person", "person"]
        early = [message.seats[1].kind for message in await told(watcher) if isinstance(message, SeatsChanged)]
        assert set(early) <= {"person"}
        while not ada.is_over():
            await ada.until(lambda: bool(ada.view.asked()) or ada.is_over())
            if not ada.is_over():
                await ada.choose()
        last = [message.seats[1].kind for message in await told(watcher) if isinstance(message, SeatsChanged)]
        assert last == ["bot"]


PHASES = frozenset({"RoundBegan"})
ROUNDS = entries(
    *SETUP, ("RoundBegan", 40), ("Moved", 50), ("Chosen", 60), ("Moved", 60), ("RoundBegan", 60), ("Moved", 70)
)


@pytest.mark.parametrize(("many", "end"), [(3, 3), (5, 3), (7, 3), (8, 5), (9, 5)])
def test_of_the_phase_under_way_nothing_is_seen_and_whole_commits_only(many: int, end: int) -> None:
    assert visible_end(ROUNDS[:many], Delay(phase=True), 10**9, PHASES) == end
    backlog = Backlog(Delay(phase=True), MATCH, ROUNDS[:3], 10**9, PHASES)
    if many > 3:
        backlog.add(ROUNDS[3:many])
    backlog.due()
    assert backlog.seq == end
    assert backlog.wait_s() is None


def test_a_phase_that_is_over_is_seen_no_sooner_than_the_seconds_say() -> None:
    assert visible_end(ROUNDS, Delay(s=1, phase=True), 60, PHASES) == 3
    assert visible_end(ROUNDS, Delay(s=1, phase=True), 1_050, PHASES) == 5
