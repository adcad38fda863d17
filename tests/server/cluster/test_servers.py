"""Several servers over one store: each tells its viewers what the others wrote, and takes up what they leave undone."""

import anyio
import pytest

from domain.kernel import Seat, TimeControl
from projections.redaction import SPECTATOR, Viewer
from replay.errors import RecordInvalid
from replay.store.errors import StoreFailed
from replay.store.log import Entry
from replay.store.matches import AT_ONCE, NEVER, Header
from replay.store.memory import MemoryMatches, MemoryStore
from replay.store.seats import WatchRow
from server.cluster.servers import OtherServers
from server.lobby.lobby import Lobby
from server.operations.intervals import INTERVALS, Intervals
from server.table.clocks import LifeSign, now_ms
from server.wire.protocol import Accepted, Create, Created, SeatWish
from tests.server.cluster.servers import Bus, End, apart
from tests.server.table.standins import Ear
from tests.server.tabletop import FACES, TWO_PEOPLE, Player, live, play_out, table, two_servers
from tests.skirmish.game import GAME

BOTS = (SeatWish("bot"), SeatWish("bot"))


@live
async def test_a_hint_brings_what_another_server_wrote() -> None:
    store, bus = MemoryStore(), Bus()
    async with two_servers(store, (End(bus), End(bus)), intervals=Intervals(calm_s=3600.0)) as (one, two):
        created, ada, bo = await apart(one, two)
        assert await play_out([ada, bo]) > 5
        assert ada.is_over()
        assert bo.is_over()
        assert ada.view.seq == bo.view.seq == store.head(created.match).seq
        assert {match for given in bus.given for match in given} == {created.match}


@pytest.mark.parametrize("has_hints", [True, False])
@live
async def test_without_hints_or_when_they_are_lost_the_store_is_asked(has_hints: bool) -> None:
    store, bus = MemoryStore(), Bus()
    bus.loses = True
    ends = (End(bus), End(bus)) if has_hints else (None, None)
    async with two_servers(store, ends, intervals=Intervals(calm_s=0.02, poll_s=0.02)) as (one, two):
        _, ada, bo = await apart(one, two)
        assert await play_out([ada, bo], most=6) == 6
    assert bool(bus.given) == has_hints


@live
async def test_of_two_servers_that_decide_at_once_both_answers_stand_in_one_order() -> None:
    store = MemoryStore()
    async with two_servers(store, intervals=Intervals(calm_s=0.02, poll_s=0.02)) as (one, two):
        _, ada, bo = await apart(one, two)
        answers = {}

        async def choose(player: Player, name: str) -> None:
            answers[name] = await player.choose(id=name)

        for turn in range(4):
            if not (ada.view.asked() and bo.view.asked()):
                break
            async with anyio.create_task_group() as both:
                both.start_soon(choose, ada, f"a{turn}")
                both.start_soon(choose, bo, f"b{turn}")
        assert len(answers) >= 2
        assert all(isinstance(answer, Accepted) for answer in answers.values())
        assert len({answer.seq for answer in answers.values() if isinstance(answer, Accepted)}) == len(answers)


@live
async def test_bots_of_a_server_that_is_gone_are_taken_up_by_another() -> None:
    store = MemoryStore()
    async with table(
        store, bot_delay_s=3600, is_shared=True, intervals=Intervals(sweep_s=0.02, elsewhere_s=0.02)
    ) as gone:
        created = await gone.create(*BOTS)
    assert store.header(created.match).status == "running"
    async with table(store, is_shared=True, intervals=Intervals(sweep_s=0.02, elsewhere_s=0.02)):
        with anyio.fail_after(60):
            while store.header(created.match).status != "finished":
                await anyio.sleep(0.01)


@live
async def test_bots_wait_where_another_server_wrote_the_last_line() -> None:
    store = MemoryStore()
    async with table(store, bot_delay_s=3600, is_shared=True) as one:
        created = await one.create(SeatWish("me", "Ada"), SeatWish("bot"))
        own = one.lobby.registry.live_match(created.match)
        assert own.command_queue.patience_s == 0
        other = Lobby(store, FACES, bot_delay_s=3600, is_shared=True)
        there = await other.registry.open(created.match)
        assert there.command_queue.patience_s == INTERVALS.elsewhere_s
        ada = await one.player(created, 0)
        await ada.choose()
        await there.refresh()
        assert there.visible_head.seq == own.visible_head.seq
        assert (own.command_queue.patience_s, there.command_queue.patience_s) == (0, INTERVALS.elsewhere_s)
        await other.close()


class UnsureMatches(MemoryMatches):
    """A match list that does not know of any match whether something is due in it."""

    def due(self, until_ms: int) -> list[Header]:
        """See `MatchList`."""
        del until_ms
        return self.unfinished()


class Unsure(MemoryStore):
    """A store with such a list."""

    def __init__(self) -> None:
        super().__init__()
        self.matches = UnsureMatches(self._shelf)


@live
async def test_a_match_of_which_is_not_known_what_is_due_is_taken_up_once_and_again_when_it_has_gone_on() -> None:
    store = Unsure()
    async with table(store) as at:
        created = await at.create()
        lobby = Lobby(store, FACES, is_shared=True)
        near = OtherServers(lobby)
        looks = []
        for look in range(5):
            await near.sweep()
            looks.append(lobby.registry.in_memory() == [created.match])
            lobby.registry.forget_idle(-1)
            if look == 2:
                await (await at.player(created, 0)).choose()
        assert looks == [False, True, False, False, True]
        await lobby.close()


@live
async def test_a_match_that_was_in_memory_for_a_while_is_not_taken_up_again_by_itself() -> None:
    store = Unsure()
    async with table(store) as at:
        created = await at.create()
        lobby = Lobby(store, FACES, is_shared=True)
        near = OtherServers(lobby)
        await near.sweep()
        await near.sweep()
        assert lobby.registry.in_memory() == [created.match]
        await near.sweep()
        lobby.registry.forget_idle(-1)
        for _ in range(3):
            await near.sweep()
        assert lobby.registry.in_memory() == []
        await lobby.close()


@live
async def test_a_match_in_which_only_people_are_asked_is_taken_up_by_nobody_until_one_comes() -> None:
    store = MemoryStore()
    async with table(store) as at:
        created = await at.create()
        assert await play_out([await at.player(created, seat) for seat in (0, 1)], most=4) == 4
        lobby = Lobby(store, FACES, is_shared=True)
        near = OtherServers(lobby)
        assert await lobby.takeover.resume() == 0
        for _ in range(3):
            await near.sweep()
        assert lobby.registry.in_memory() == []
        await lobby.registry.open(created.match)
        assert lobby.registry.found(created.match) is not None
        await lobby.close()


@live
async def test_a_match_whose_clock_runs_is_taken_up_shortly_before_it_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    async with table(store) as at:
        client = await at.client()
        created = await client.ask(Create(GAME.name, TWO_PEOPLE, time=TimeControl("decision", 3_600_000)), Created)
        for seat in (0, 1):
            await at.player(created, seat)
        due = at.lobby.registry.live_match(created.match).timers.due_ms
        assert store.matches.due(due - 1) == []
        assert [header.match for header in store.matches.due(due)] == [created.match]
        for ahead_ms, taken_up in ((3_000_000, []), (3_900_000, [created.match])):
            lobby = Lobby(store, FACES, is_shared=True, intervals=Intervals(ahead_ms=ahead_ms))
            near = OtherServers(lobby)
            await near.sweep()
            await near.sweep()
            assert lobby.registry.in_memory() == taken_up
            await lobby.close()


@live
async def test_what_is_due_is_noted_where_the_store_did_not_know() -> None:
    store = MemoryStore()
    async with table(store) as at:
        created = await at.create()
        for seat in (0, 1):
            await at.player(created, seat)
        store.matches.set_due(created.match, store.head(created.match).seq, AT_ONCE)
        lobby = Lobby(store, FACES, is_shared=True)
        assert await lobby.takeover.resume() == 1
        assert store.matches.due(NEVER) == []
        await lobby.close()


@live
async def test_after_a_time_without_any_server_every_clock_is_told_so() -> None:
    store = MemoryStore()
    async with table(store) as at:
        client = await at.client()
        created = await client.ask(Create(GAME.name, TWO_PEOPLE, time=TimeControl("decision", 3_600_000)), Created)
        for seat in (0, 1):
            await at.player(created, seat)
    for gone_ms, taken_up in ((500, 0), (1_500, 1)):
        life = LifeSign()
        life.last_ms = now_ms() - gone_ms
        lobby = Lobby(store, FACES, is_shared=True, life_sign=life)
        assert await lobby.takeover.resume() == taken_up
        await lobby.close()


@live
async def test_a_hint_that_comes_while_the_one_before_is_followed_is_followed_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = MemoryStore()
    async with table(store) as at:
        created = await at.create()
        live_match = at.lobby.registry.live_match(created.match)
        near = OtherServers(at.lobby)
        asked = []

        async def refresh() -> None:
            await anyio.sleep(0)
            asked.append(live_match.visible_head.seq)
            if len(asked) == 1:
                near.notified({created.match: live_match.visible_head.seq + 2})

        monkeypatch.setattr(live_match, "refresh", refresh)
        near.notified({created.match: live_match.visible_head.seq + 1})
        for _ in range(10):
            await anyio.sleep(0)
        assert len(asked) == 2


@live
async def test_a_caster_whose_token_is_taken_back_at_another_server_is_sent_away() -> None:
    store = MemoryStore()
    async with table(store) as one, table(store) as two:
        created = await one.create()
        store.seats.grant(created.match, WatchRow(0, b"w" * 32))
        caster = Ear(Viewer(Seat(0)), "caster")
        (await two.lobby.registry.open(created.match)).admission.enter(caster)
        near = OtherServers(two.lobby)
        await near.look_round()
        assert caster.code == 0
        await one.lobby.registry.live_match(created.match).admission.revoke(Seat(0))
        await near.look_round()
        assert caster.code == 4010


@pytest.mark.parametrize("is_open", [True, False])
@live
async def test_who_is_kept_behind_is_so_by_the_common_time_and_not_by_a_clock_that_is_fast(is_open: bool) -> None:
    store, slower = MemoryStore(), LifeSign()
    slower.ahead_ms = -300_000
    one, two = (Lobby(store, FACES, is_shared=True, life_sign=slower) for _ in range(2))
    match = (await one.factory.create(Create(GAME.name, TWO_PEOPLE, delay_s=60))).match
    last = store.head(match).seq
    assert one.registry.live_match(match).visible_head.seq_for(SPECTATOR) < last
    assert store.read(match)[0].at < now_ms() - 200_000
    if is_open:
        await two.registry.open(match)
    assert two.registry.spectators_end(match) == one.registry.spectators_end(match)
    assert (two.registry.spectators_end(match) or last) < last
    await one.close()
    await two.close()


class Broken(Unsure):
    """A store whose lines cannot be read `times` times; `wrong` says why."""

    wrong: Exception
    times = 0

    def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """See `Store`."""
        self.times -= 1
        if self.times >= 0:
            raise self.wrong
        return super().read(match, after, limit)


@pytest.mark.parametrize(
    ("wrong", "tried"), [(StoreFailed("away"), [0, 1, 2, 2]), (RecordInvalid("no line"), [0, 1, 1, 1])]
)
@live
async def test_a_match_that_could_not_be_read_is_taken_up_by_the_next_look_and_one_that_is_broken_is_tried_once(
    wrong: Exception, tried: list[int]
) -> None:
    store = Broken()
    async with table(store) as at:
        created = await at.create()
        lobby = Lobby(store, FACES, is_shared=True)
        near, found = OtherServers(lobby), []
        store.wrong, store.times = wrong, 1
        for _ in range(4):
            await near.sweep()
            found.append(1 - max(0, store.times) + len(lobby.registry.in_memory()))
        assert found == tried
        assert (lobby.registry.found(created.match) is not None) == isinstance(wrong, StoreFailed)
        await lobby.close()


@live
async def test_a_look_for_what_others_left_that_takes_long_keeps_no_news_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done = list[str]()

    async def hangs() -> None:
        done.append("sweep begins")
        try:
            await anyio.sleep_forever()
        finally:
            done.append("sweep ends")

    async def looks() -> None:
        done.append("round")

    lobby = Lobby(MemoryStore(), FACES, is_shared=True, intervals=Intervals(poll_s=0.01, sweep_s=0.01))
    near = OtherServers(lobby)
    monkeypatch.setattr(near, "sweep", hangs)
    monkeypatch.setattr(near, "look_round", looks)
    with anyio.fail_after(120):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(near.run)
            while "sweep begins" not in done or done[done.index("sweep begins") :].count("round") < 3:
                await anyio.sleep(0.01)
            assert done.count("sweep begins") == 1, "one after the other"
            tasks.cancel_scope.cancel()
        while "sweep ends" not in done:
            await anyio.sleep(0)
    await lobby.close()


class Away(MemoryStore):
    """A store that nobody reaches."""

    def heads(self, match_registry: object) -> dict[str, int]:
        """See `Store`."""
        raise StoreFailed("away")


@live
async def test_a_store_that_is_away_ends_nothing() -> None:
    store = Away()
    async with table(store, is_shared=True, intervals=Intervals(poll_s=0.01)) as at:
        created = await at.create()
        await anyio.sleep(0.1)
        assert await play_out([await at.player(created, seat) for seat in (0, 1)], most=4) == 4
