"""A match that is over is judged in the background, for whom its secrets are open, and never while it is played."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from domain.kernel.history import pauses
from replay.record.referee import read_event
from server.analysis import work_units
from server.analysis.simulation import CHUNK, Estimate
from server.analysis.work_units import MatchAnalysis
from server.lobby import analysis_service as inquests
from server.lobby.analysis_service import terms_of
from server.lobby.errors import CannotJudge
from server.operations.bounds import Bounds
from server.operations.intervals import Intervals
from server.table.guests import WATCHER
from server.wire.act_messages import Resign
from server.wire.analysis_messages import Judge, Judged
from server.wire.client import Client
from server.wire.errors import BeyondHead
from server.wire.protocol import Branch, Create, Created, Error, SeatWish
from tests.server.tabletop import FACES, Player, Table, live, play_out, table
from tests.skirmish.game import GAME

FAST = Intervals(think_ms=5, line_ms=20, news_s=0.0)


@pytest.fixture(autouse=True)
def _example_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The example game among those that can be judged."""
    monkeypatch.setattr(work_units, "faces", lambda: FACES)
    monkeypatch.setattr(inquests, "faces", lambda: FACES)
    work_units._read.cache_clear()
    work_units._views.cache_clear()
    yield
    work_units._read.cache_clear()
    work_units._views.cache_clear()


async def told(client: Client) -> Judged | Error:
    while True:
        message = await client.receive()
        if isinstance(message, Judged | Error):
            return message


async def judged(client: Client, line: int = 0, *, kept: bool = False) -> list[Judged]:
    """Every word about a match, up to the last."""
    await client.send(Judge(id="j", line=line, kept=kept))
    found = []
    while True:
        message = await told(client)
        assert isinstance(message, Judged), message
        assert message.id == "j"
        found.append(message)
        if message.done == message.of:
            return found


async def ended(at: Table, reveal: str = "public") -> tuple[Created, list[Player]]:
    client = await at.client()
    wishes = (SeatWish("me", "Ada"), SeatWish("friend", "Bo"))
    created = await client.ask(Create(GAME.name, wishes, {}, reveal=reveal), Created)  # type: ignore[arg-type]
    players = [await at.player(created, seat) for seat in (0, 1)]
    await play_out(players)
    return created, players


@live
async def test_a_match_is_judged_in_parts_and_the_second_who_asks_is_told_at_once() -> None:
    async with table(intervals=FAST) as at:
        created, _ = await ended(at)
        watching = await at.spectator(created)
        (unknown,) = await judged(watching.client, kept=True)
        assert (unknown.done, unknown.of, unknown.points) == (0, 0, ())
        parts = await judged(watching.client)
        assert len(parts) > 3
        assert [part.done for part in parts] == sorted(part.done for part in parts)
        last = parts[-1]
        assert last.sides == ((0,), (1,))
        *played, ended_so = last.points
        assert {point.samples for point in played} == {inquests.ROUNDS * CHUNK}
        assert ended_so.line == last.end
        assert ended_so.share == tuple(float(side in last.won) if last.won else 0.5 for side in (0, 1)), "without doubt"
        for point in last.points:
            assert sum(point.share) == pytest.approx(1)
            assert all(
                low <= share <= high for low, share, high in zip(point.low, point.share, point.high, strict=True)
            )
        assert last.end == at.lobby.registry.live_match(created.match).visible_head.seq
        assert len(last.won) <= 1
        other = await at.spectator(created)
        (again,) = await judged(other.client, kept=True)
        assert (again.points, again.turnings, again.better) == (last.points, last.turnings, last.better)


@live
async def test_a_position_at_hand_is_judged_with_what_the_search_would_choose_there() -> None:
    async with table(intervals=FAST) as at:
        created, _ = await ended(at)
        watching = await at.spectator(created)
        pause = pauses_in(at, created)[-1]
        last = (await judged(watching.client, line=pause))[-1]
        (point,) = last.points
        assert point.line == pause
        assert point.samples == inquests.ROUNDS_AT_HAND * CHUNK
        assert last.turnings == ()
        (counsel,) = last.advice
        assert counsel.choices[0].weight > 0
        assert [one.share for one in counsel.choices[1:]] == sorted(
            (c.share for c in counsel.choices[1:]), reverse=True
        )
        assert sum(one.made for one in counsel.choices) == 1, "with what was chosen then"


@live
async def test_where_the_match_is_over_nothing_is_left_to_judge() -> None:
    async with table(intervals=FAST) as at:
        created, _ = await ended(at)
        watching = await at.spectator(created)
        await watching.client.send(Judge(id="j", line=at.lobby.registry.live_match(created.match).visible_head.seq))
        refused = await told(watching.client)
        assert isinstance(refused, Error)
        assert refused.code == "cannot-judge"


@live
async def test_a_line_before_anybody_was_asked_is_not_judged_and_one_beyond_the_end_is_refused() -> None:
    async with table(intervals=FAST) as at:
        created, _ = await ended(at)
        watching = await at.spectator(created)
        assert (await judged(watching.client, line=1))[-1].of == 0
        end = at.lobby.registry.live_match(created.match).visible_head.seq
        await watching.client.send(Judge(id="j", line=end + 1))
        refused = await told(watching.client)
        assert isinstance(refused, Error)
        assert refused.code == BeyondHead.code


@live
async def test_nobody_is_told_who_stands_better_while_a_match_is_played() -> None:
    async with table(intervals=FAST) as at:
        created = await at.create()
        players = [await at.player(created, seat) for seat in (0, 1)]
        for one in (*players, await at.spectator(created)):
            for line in (0, 1):
                await one.client.send(Judge(id="j", line=line))
                refused = await told(one.client)
                assert isinstance(refused, Error)
                assert (refused.code, refused.id) == ("cannot-judge", "j")


@live
@pytest.mark.parametrize(("reveal", "seats", "others"), [("seats", True, False), ("auditor", False, False)])
async def test_who_may_not_know_the_secrets_is_told_nothing(reveal: str, seats: bool, others: bool) -> None:
    async with table(intervals=FAST) as at:
        created, (ada, _) = await ended(at, reveal)
        watching = await at.spectator(created)
        for client, may in ((ada.client, seats), (watching.client, others)):
            await client.send(Judge(id="j"))
            assert isinstance(await told(client), Judged) is may
        # Results for a viewer who may know them are told to nobody else.
        if seats:
            await judged(ada.client)
            await watching.client.send(Judge(id="j", kept=True))
            assert isinstance(await told(watching.client), Error)


@live
async def test_a_branch_that_is_over_is_not_judged_while_the_match_it_goes_on_from_is_played() -> None:
    async with table(intervals=FAST) as at:
        created = await at.create()
        ada, bo = [await at.player(created, seat) for seat in (0, 1)]
        client = await at.client()
        token = created.tokens["0"]
        seats = (SeatWish("me", "Ada"), SeatWish("bot", bot="random"))
        line = at.lobby.registry.live_match(created.match).visible_head.seq
        branched = await client.ask(Branch(created.match, line, seats, token), Created)
        mine = await at.player(branched, 0)
        await mine.client.send(Resign(id="r"))
        await mine.until(mine.is_over)
        await mine.client.send(Judge(id="j"))
        refused = await told(mine.client)
        assert isinstance(refused, Error)
        assert "still played" in refused.why
        await ada.client.send(Resign(id="r"))
        await bo.until(bo.is_over)
        assert (await judged(mine.client))[-1].of > 0


@live
async def test_what_was_found_about_other_lines_of_the_record_does_not_count() -> None:
    async with table(intervals=FAST) as at:
        created, _ = await ended(at)
        live_match = at.lobby.registry.live_match(created.match)
        watching = await at.spectator(created)
        at.store.analyses.keep(
            created.match, terms_of(live_match, 0).replace(f",{live_match.visible_head.seq},", ",1,"), "[]"
        )
        (unknown,) = await judged(watching.client, kept=True)
        assert unknown.of == 0


@live
async def test_only_so_many_wait_and_who_waits_for_one_already_under_way_is_let_in() -> None:
    async with table(intervals=FAST, bounds=Bounds(analyses_waiting=1)) as at:
        created, (ada, bo) = await ended(at)
        await ada.client.send(Judge(id="j"))
        assert isinstance(await told(ada.client), Judged)
        await bo.client.send(Judge(id="j", line=pauses_in(at, created)[-1]))
        refused = await told(bo.client)
        assert isinstance(refused, Error)
        assert "wait" in refused.why
        assert (await judged(bo.client))[-1].points


def pauses_in(at: Table, created: Created) -> list[int]:
    return pauses(GAME, [read_event(GAME, entry) for entry in at.store.read(created.match)])


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Until it is set, what waits to be judged goes on waiting."""
    goes_on, whole_of = threading.Event(), work_units.whole_of

    def waits(*given: Any) -> Any:
        goes_on.wait(120)
        return whole_of(*given)

    monkeypatch.setattr(inquests, "whole_of", waits)
    yield goes_on
    goes_on.set()


@live
async def test_lines_between_two_questions_are_judged_once(held: threading.Event) -> None:
    async with table(intervals=FAST) as at:
        created, (ada, _) = await ended(at)
        found = pauses_in(at, created)
        pause = next(line for line in found if line + 1 not in found)
        for line in (pause, pause + 1):
            await ada.client.send(Judge(id=f"j{line}", line=line))
            assert (await until_told(ada.client)).line == line
        assert len(at.lobby.analyses._under_way) == 1
        held.set()
        last: dict[str, Judged] = {}
        while len(last) < 2:
            message = await until_told(ada.client)
            if message.done == message.of:
                last[message.id] = message
        assert {(name, one.line) for name, one in last.items()} == {(f"j{line}", line) for line in (pause, pause + 1)}
        assert {one.points for one in last.values()} == {last[f"j{pause}"].points}
        (kept,) = await judged((await at.spectator(created)).client, line=pause + 1, kept=True)
        assert kept.points == last[f"j{pause}"].points
        (other,) = await judged(ada.client, line=found[found.index(pause) + 1], kept=True)
        assert other.of == 0


async def until_told(client: Client) -> Judged:
    message = await told(client)
    assert isinstance(message, Judged), message
    return message


@live
async def test_of_what_waits_one_address_has_asked_for_two_and_on_this_machine_one_connection(
    held: threading.Event,
) -> None:
    async with table(intervals=FAST) as at:
        created, _ = await ended(at)
        live_match, lines = at.lobby.registry.live_match(created.match), [0, *pauses_in(at, created)[:5]]

        async def ask(line: int, who: str, address: str) -> None:
            await at.lobby.analyses.judge(live_match, WATCHER, Judge(id="j", line=line), who, lambda _: None, address)

        for one, other, address in (("a", "b", "203.0.113.7"), ("c", "c", "127.0.0.1")):
            await ask(lines.pop(), one, address)
            await ask(lines.pop(), other, address)
            with pytest.raises(CannotJudge, match="Your earlier requests"):
                await ask(lines[-1], one, address)
        await ask(lines.pop(), "d", "127.0.0.1")
        await ask(lines.pop(), "a", "203.0.113.8")
        assert len(at.lobby.analyses._under_way) == 6
        held.set()


@pytest.mark.parametrize(("least", "turns"), [(CHUNK - 1, 0), (CHUNK, 1)])
def test_where_a_short_match_turned_is_told_once_each_line_has_a_round(least: int, turns: int) -> None:
    points = (Estimate(5, (30, 2), 0), Estimate(9, (least, 0), 0), Estimate(11, (31, 1), 0))
    known = MatchAnalysis(((0,), (1,)), points, end=20, won=(1,))
    assert len(inquests.told("a", 0, known, 1, 1).turnings) == turns
